"""Plain `pytest` does what the command does, and says what it could not test."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from coursekit.testing import LONGEST, untested
from small_project import ROOT


def run(*args: str, cwd: Path) -> list[str]:
    """Run a module of Python; return the lines it prints."""
    result = subprocess.run(
        [sys.executable, "-m", *args], cwd=cwd, capture_output=True, text=True, encoding="utf-8"
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout.splitlines()


def test_plain_pytest_collects_what_the_command_does_from_any_folder():
    folder = ROOT / "lib" / "halfspaces"
    wanted = [
        "notebooks/00-start-here.ipynb",
        "tests/course/test_root.py",
        "tests/notebooks/test_structure.py",
    ]
    options = [*(os.path.relpath(ROOT / name, folder) for name in wanted), "--collect-only", "-q"]
    plain = run("pytest", *options, "-k", "Cell or 03", cwd=folder)
    assert plain[:-1] == run("coursekit", "test", *options, "-k", "Cell or 03", cwd=folder)[:-1]
    assert any(line.startswith("notebooks/00-start-here.ipynb::Cell 0") for line in plain)
    assert any("test_convention[03-separability-" in line for line in plain)


def test_the_longest_tests_come_first():
    assert all((ROOT / start.partition("::")[0]).exists() for start in LONGEST)
    files = ["tests/course/test_root.py", "tests/site/test_pages.py"]
    lines = run("pytest", *files, "--collect-only", "-q", cwd=ROOT)
    paths = [line.partition("::")[0] for line in lines if "::" in line]
    assert lines[0] == LONGEST[0] and {*paths} == {*files}
    assert paths == sorted(paths, reverse=True)


@pytest.mark.parametrize("processes", ["-n0", "-n2"])
def test_the_summary_says_what_was_not_tested(tmp_path, processes):
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "test_sample.py").write_text("""
import pytest

@pytest.mark.parametrize("i", range(3))
def test_page(i):
    pytest.skip("chromium is not installed")

def test_other():
    pytest.skip("it is too late in the year")
""")
    lines = run("pytest", "test_sample.py", processes, cwd=tmp_path)
    sentence = (
        "Not tested: what happens in a browser (3 tests). The package chromium would test it."
    )
    assert lines.count(sentence) == 1
    assert sum(line.startswith("Not tested") for line in lines) == 1


def test_a_sentence_for_each_package():
    reasons = [
        "Skipped: bubblewrap is not installed",
        "Skipped: Coq is not installed: the package coq has it",
        "Skipped: bubblewrap is not installed",
        "Skipped: Windows has no such thing",
        "Skipped: configurable-http-proxy is not installed: npm ci --prefix deploy",
    ]
    sentences = untested(reasons)
    assert sentences == [
        "Not tested: the sandbox of the grader (2 tests). The package bubblewrap would test it.",
        "Not tested: the proofs (1 test). The package coq would test it.",
        "Not tested: the hub (1 test). The package configurable-http-proxy would test it.",
    ]
