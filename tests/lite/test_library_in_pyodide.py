"""The tests of the library, run by Pyodide's Python in Node: integers of 32 bits, no threads.

Python is several times slower there. So the quicker files stand for all; HALFSPACES_WHOLE=1 runs
all.
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
QUICK = (  # those that take about a minute together
    *("boolean", "controls", "datasets", "exercises", "halfspace", "kernels"),
    *("markdown", "memory", "progress", "questions", "tables"),
)
# Half of the time of its file
SLOW = "tests/lib/test_boolean.py::test_number_of_halfspaces_on_the_cube[5-94572]"
NOT_THERE = "tests/lib/test_mutants.py"  # which asks after the tests, whichever Python runs them
HYPOTHESIS = (  # the last version of pure Python
    "6.152.0",
    "hypothesis==6.152.0",
    "824037e8214559ad037362c6aaa51f6118f62e548e62b2ad215fbf52f2f45eb4",
)
OPTIONS = [
    "-q",
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


@pytest.mark.skipif(not shutil.which("node"), reason="nodejs is not installed")
def test_the_library_keeps_its_promises_in_a_browsers_python(pyodide, lock):
    chosen = [*(f"tests/lib/test_{name}.py" for name in QUICK), f"--deselect={SLOW}"]
    if os.environ.get(WHOLE):
        chosen = ["tests/lib", f"--ignore={NOT_THERE}"]
    runner = Path(__file__).with_name("run_tests.mjs")
    argv = ["node", runner, pyodide, lock, ROOT, *chosen, *OPTIONS]
    done = subprocess.run(argv, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
