"""Begin a new homework: a copy of the trial homework under another name, to be rewritten."""

import re
import sys
from pathlib import Path

from coursekit import ROOT
from coursekit.contents import EXERCISES
from coursekit.files import write_exclusively

EXAMPLE = "hw00"
BANKS = ROOT / "tests" / "exercises"
TITLES = ("try the machinery", "the trial homework")  # of the notebook; in the other files


def begin(text: str, course: Path = EXERCISES, banks: Path = BANKS) -> int:
    """Write notebook, grading.py, scheme.md and bank of a homework that works; return a code."""
    number = re.fullmatch(r"(?:hw)?(\d{1,2})", text)
    if not number:
        print(f"'{text}' is no number of a homework, such as 12 or hw12.", file=sys.stderr)
        return 2
    name = f"hw{int(number[1]):02}"
    files = {
        example: target
        for example, target in pairs(name, course, banks)
        if example.parent.is_dir()  # the tests are not there where the course was installed
    }
    there = [target for target in files.values() if target.exists()]
    if there:
        print(f"{name} is there already ({there[0].name}): nothing is written.", file=sys.stderr)
        return 2
    for example, target in files.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        write_exclusively(target, renamed(example.read_text("utf-8"), name))
        print(target)
    print(f"exercises/AUTHORS.md explains each line; then python3 course.py release {name}")
    return 0


def pairs(name: str, course: Path, banks: Path) -> list[tuple[Path, Path]]:
    """Return the files of the example, and beside each the new one."""
    source = course / "source"
    parts = [f"{EXAMPLE}.ipynb", "grading.py", "scheme.md"]
    made = [
        (source / EXAMPLE / part, source / name / part.replace(EXAMPLE, name)) for part in parts
    ]
    return [*made, (banks / f"bank_{EXAMPLE}.py", banks / f"bank_{name}.py")]


def renamed(text: str, name: str) -> str:
    """Return a text of the example for another homework."""
    text = text.replace(EXAMPLE, name)
    for title, new in zip(TITLES, ("a title of its own", f"homework {name.removeprefix('hw')}")):
        text = text.replace(title, new)
    return text
