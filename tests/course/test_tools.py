"""The code is laid out by the formatter, and neither the linter nor the type checker complains."""

import subprocess
import sys

import pytest
from small_project import ROOT

TOOLS = ["ruff format --check", "ruff check", "mypy"]


@pytest.mark.parametrize("tool", TOOLS)
def test_code_is_clean(tool):
    command = [sys.executable, "-m", *tool.split()]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("tool", TOOLS)
def test_a_commit_is_held_to_the_same(tool):
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert f"entry: python -m {tool.removesuffix(' --check')}\n" in hooks
