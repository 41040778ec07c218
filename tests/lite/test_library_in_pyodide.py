"""The tests of the library, run by Pyodide's Python in Node: integers of 32 bits, no threads.

Python is several times slower there. So the quicker files stand for all; with HALFSPACES_WHOLE=1
each file has a Node and a test of its own.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest
from coursekit.publish.lite import pyodide as pinned
from coursekit.publish.lite import wheels
from small_project import ROOT

WHOLE = "HALFSPACES_WHOLE"
QUICK = (  # those that take about two minutes together
    *("boolean", "controls", "datasets", "exercises", "halfspace", "kernels", "library"),
    *("markdown", "memory", "mistake_bound", "perceptron", "progress", "questions", "tables"),
)
# Half of the time of its file
SLOW = "tests/lib/test_boolean.py::test_number_of_halfspaces_on_the_cube[5-94572]"
NOT_THERE = "mutants"  # which asks after the tests, whichever Python runs them
LIMIT = 3600  # seconds for one Node: ten times what the longest file takes on a machine at rest
HYPOTHESIS = (  # the last version of pure Python
    "6.152.0",
    "hypothesis==6.152.0",
    "824037e8214559ad037362c6aaa51f6118f62e548e62b2ad215fbf52f2f45eb4",
)
OPTIONS = [
    "-v",  # so that the last line says which test did not end
    "-oaddopts=",
    "--import-mode=importlib",
    "-pno:cacheprovider",
    "-Wignore:JsProxy.as_object_map:RuntimeWarning",  # threadpoolctl, for scikit-learn
]


@pytest.fixture
def lock(pyodide, tmp_path) -> Path:
    """Write a lock that has the course's wheels, pytest and what the tests compare with."""
    own = wheels.write_wheels(tmp_path)
    for name in wheels.closure(["pytest", "sortedcontainers"]):
        own[name] = wheels.pack(tmp_path, distribution(name))
    own["hypothesis"] = hypothesis(tmp_path)
    theirs = pinned.packages() | pinned.pinned()["for_tests"]
    found = {name: at(pyodide, package) for name, package in theirs.items()} | own
    path = tmp_path / "pyodide-lock.json"
    path.write_text(json.dumps({"info": pinned.pinned()["info"], "packages": found}))
    return path


def at(folder: Path, package: wheels.Package) -> wheels.Package:
    return package | {"file_name": str(folder / package["file_name"])}


def hypothesis(folder: Path) -> wheels.Package:
    """Download Hypothesis as pure Python, into the cache, unless it is there."""
    version, wanted, expected = HYPOTHESIS
    name = f"hypothesis-{version}-py3-none-any.whl"
    kept = pinned.cache_folder() / name
    if not kept.is_file():
        argv = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", wanted]
        try:
            subprocess.run([*argv, f"--dest={folder}"], check=True, capture_output=True)
        except subprocess.CalledProcessError:
            pytest.skip("Hypothesis as pure Python cannot be downloaded.")
        shutil.move(folder / name, kept)
    assert hashlib.sha256(kept.read_bytes()).hexdigest() == expected
    shutil.copyfile(kept, folder / name)
    return wheels.describe(folder / name, "hypothesis", version, ["sortedcontainers"])


def chosen() -> dict[str, list[str]]:
    """Return what a Node gets to test, by the names of these parts."""
    files = {path.stem[5:]: f"tests/lib/{path.name}" for path in ROOT.glob("tests/lib/test_*.py")}
    if os.environ.get(WHOLE):
        return {name: [files[name]] for name in sorted(files) if name != NOT_THERE}
    return {"quick": [*(files[name] for name in QUICK), f"--deselect={SLOW}"]}


@pytest.mark.skipif(not shutil.which("node"), reason="nodejs is not installed")
@pytest.mark.parametrize("tests", chosen().values(), ids=chosen())
def test_the_library_keeps_its_promises_in_a_browsers_python(pyodide, lock, tests):
    runner = Path(__file__).with_name("run_tests.mjs")
    argv = ["node", runner, pyodide, lock, ROOT, *tests, *OPTIONS]
    with (lock.parent / "said").open("w+", encoding="utf-8") as said:
        try:
            code = subprocess.run(argv, stdout=said, stderr=said, timeout=LIMIT).returncode
        except subprocess.TimeoutExpired:
            code = f"not ended after {LIMIT} s"
        said.seek(0)
        text = said.read()
    assert code == 0, text[-5000:]
    assert " passed" in text
