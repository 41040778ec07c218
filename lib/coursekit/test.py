"""Run every test of the project, and every cell of every notebook, on all cores."""

import os
from pathlib import Path

from coursekit import ROOT


def run_tests(arguments: list[str]) -> int:
    """Run pytest in the project's folder; without paths it takes those of pyproject.toml."""
    import pytest

    here = Path.cwd()
    os.chdir(ROOT)
    return pytest.main([from_root(arg, here) for arg in arguments])


def from_root(arg: str, here: Path) -> str:
    """Return a path that was meant from the folder `here` as one that holds from the project's."""
    path = arg.partition("::")[0]
    meant = not path.startswith("-") and not Path(path).exists() and (here / path).exists()
    return str(here / arg) if meant else arg
