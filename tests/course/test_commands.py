"""The commands lab, slides and test."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import nbformat
import pytest
from coursekit.contents import METADATA
from coursekit.isolation import isolate
from coursekit.test import from_root
from small_project import ROOT


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def fetch(address: str, body: bytes | None = None) -> bytes:
    """Return what a server sends that may just be starting."""
    for _ in range(100):
        try:
            with urllib.request.urlopen(address, body, timeout=30) as answer:
                return answer.read()
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise
            time.sleep(0.2)
    raise TimeoutError(address)


@pytest.mark.parametrize(
    ("command", "opens"),
    [
        (["lab"], "/lab/tree/study/00-start-here.ipynb"),
        (["lab", "5"], "/lab/tree/study/05-mistake-bound.ipynb"),
        (["slides", "05"], "/doc/tree/lectures/05-mistake-bound.ipynb"),
    ],
    ids=["lab", "lab-5", "slides"],
)
def test_a_server_opens_the_notebook_and_passes_options_on(command, opens, tmp_path):
    course = tmp_path / "course"  # so that no copies are made where a reader works
    (course / "notebooks").mkdir(parents=True)
    for name in ("course.py", "notebooks/00-start-here.ipynb", "notebooks/05-mistake-bound.ipynb"):
        shutil.copy(ROOT / name, course / name)
    port = free_port()
    options = ["--no-browser", f"--port={port}", "--", "--IdentityProvider.token=t"]
    process = subprocess.Popen(
        [sys.executable, "-m", "coursekit", *command, *options],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=os.environ
        | {
            "HALFSPACES_COURSE": str(course),
            "JUPYTER_CONFIG_DIR": str(tmp_path),
            "JUPYTER_DATA_DIR": str(tmp_path),
        },
    )
    try:
        found = (
            re.search(rf"(http://127.0.0.1:{port})(/\S*)\?token", line) for line in process.stderr
        )
        server, page = next(filter(None, found)).groups()
        assert page == opens
        slides = f"{server}/halfspaces-deck/slides?token=t"
        cells = [
            {"cell_type": "markdown", "source": "", "metadata": {"slideshow": {"slide_type": kind}}}
            for kind in ("slide", "skip", "slide")
        ]
        told = json.loads(fetch(slides, json.dumps(cells).encode()))
        assert [slide["cells"] for slide in told["slides"]] == [[0], [2]]
        for address, body, code in (
            (slides, b'{"a": 1}', 400),
            (slides, b"[1]", 400),
            (slides, b'[{"cell_type": "code", "source": 1, "metadata": {}}]', 400),
            (slides.removesuffix("?token=t"), b"[]", 403),
        ):
            with pytest.raises(urllib.error.HTTPError, match=str(code)):
                fetch(address, body)
        assert (b'"halfspacesSlides": "lectures/05' in fetch(f"{server}{page}?token=t")) == (
            command[0] == "slides"
        )
        assert (
            json.loads(fetch(f"{server}/api/contents/course.py?content=0&token=t"))["type"]
            == "file"
        )
    finally:
        process.terminate()
        process.communicate(timeout=30)


def write_notebook(path: Path, sources: list[str], outputs: list[str]) -> None:
    """Write a notebook whose cells claim to have printed the outputs."""
    cells = []
    for count, (source, text) in enumerate(zip(sources, outputs, strict=True), 1):
        streams = [nbformat.v4.new_output("stream", text=text)] if text else []
        cells.append(nbformat.v4.new_code_cell(source, outputs=streams, execution_count=count))
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=METADATA), path)


def test_cells_of_a_notebook_run_together_and_stale_outputs_fail(tmp_path):
    shutil.copy(ROOT / "pyproject.toml", tmp_path)  # for the settings of pytest
    chain = ["x = 0"] + ["x += 1; print(x)"] * 9
    write_notebook(tmp_path / "good.ipynb", chain, ["", *(f"{i}\n" for i in range(1, 10))])
    write_notebook(tmp_path / "stale.ipynb", chain[:3], ["", "1\n", "7\n"])
    result = subprocess.run(
        [sys.executable, "-m", "coursekit", "test", "good.ipynb", "stale.ipynb", "-n2"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert result.returncode == 1
    assert "1 failed, 12 passed" in result.stdout, result.stdout + result.stderr


def test_paths_are_meant_from_the_callers_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    (tmp_path / "mine.py").touch()
    assert from_root("mine.py::test_a", tmp_path) == str(tmp_path / "mine.py::test_a")
    for arg in (
        "tests/course",
        "-k",
        "-n0",
        "perceptron and not svm",
        "tests/course/test_commands.py::x",
    ):
        assert from_root(arg, tmp_path) == arg


@pytest.mark.parametrize("name", ["MPLBACKEND", "JUPYTER_PATH"])
def test_isolation_drops_personal_settings(tmp_path, monkeypatch, name):
    monkeypatch.setattr(
        os, "environ", dict(os.environ) | {name: "personal", "IPYTHONDIR": "personal"}
    )
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    isolate()
    assert name not in os.environ
    assert Path(os.environ["IPYTHONDIR"]).is_relative_to(tmp_path)
