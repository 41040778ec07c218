"""Derive the lock files and environment.yml from pyproject.toml."""

import re
import subprocess
import sys

from coursekit import ROOT
from coursekit.files import write_atomically

EXTRAS = {"dev": "dev", "instructor": "lectures", "student": "notebooks"}  # the largest first
HEADER = "# Derived from {}: python3 course.py lock makes this file.\n"
CONDA = """\
name: halfspaces
channels: [conda-forge, nodefaults]
dependencies:
  - python=3.12
  - pip
  - pip:
"""


def lock(options: list[str]) -> int:
    """Write requirements/*.txt and environment.yml; the options are uv's."""
    for group, extra in EXTRAS.items():
        code = compile_lock(group, extra, options if group == "dev" else [])
        if code:
            return code
    write_atomically(ROOT / "environment.yml", environment(lock_text("student")))
    return 0


def compile_lock(group: str, extra: str, options: list[str]) -> int:
    """Resolve a group for all systems and Pythons; the small locks are held to the largest."""
    name = f"requirements/{group}.txt"
    command = [
        "uv",
        "pip",
        "compile",
        "pyproject.toml",
        f"--extra={extra}",
        f"--output-file={name}",
        "--universal",
        "--quiet",
        "--python-version=3.11",
        "--fork-strategy=fewest",
        "--generate-hashes",
        "--no-header",
    ]
    command += options
    if group != "dev":
        command += ["--constraints=requirements/dev.txt"]
    code = subprocess.call([sys.executable, "-m", *command], cwd=ROOT)
    if code == 0:
        text = HEADER.format("pyproject.toml") + tidy((ROOT / name).read_text(encoding="utf-8"))
        write_atomically(ROOT / name, text)
    return code


def tidy(lock: str) -> str:
    """Drop the remarks that a version was held to the largest lock: all of them are."""
    lock = re.sub(r"^    #   -c .*\n", "", lock, flags=re.MULTILINE)
    return re.sub(r"^# Derived .*\n", "", lock, flags=re.MULTILINE)


def lock_text(group: str) -> str:
    """Return the text of a group's lock file."""
    return (ROOT / "requirements" / f"{group}.txt").read_text(encoding="utf-8")


def pins(lock: str) -> list[str]:
    """Return the pinned requirements of a lock, with their markers, without their hashes.

    >>> pins("a==1 ; os_name == 'nt' \\\\\\n    --hash=sha256:0\\nb==2\\n")
    ["a==1 ; os_name == 'nt'", 'b==2']
    """
    return [
        line.removesuffix("\\").strip() for line in lock.splitlines() if re.match(r"\w.*==", line)
    ]


def environment(lock: str) -> str:
    """Return environment.yml: Python by conda, and the packages of a lock by pip."""
    lines = [f"      - {pin}\n" for pin in [*pins(lock), "-e ."]]
    return HEADER.format("requirements/student.txt") + CONDA + "".join(lines)
