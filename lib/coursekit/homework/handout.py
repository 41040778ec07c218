"""Put a fresh copy of a homework into the student's own folder; work that is there stays as it is."""

import json
import os
import sys
from pathlib import Path

from coursekit import ROOT
from coursekit.files import write_exclusively

RELEASE = ROOT / "exercises" / "release"
FOLDER = ROOT / "homework"
USAGE = "python3 course.py homework NUMBER [--open]"


def main(argv: list[str]) -> int | None:
    """Copy the homework whose number is given; --open also opens it, and hands other options to jupyter lab."""
    numbers, options = (
        [a for a in argv if not a.startswith("-")],
        [a for a in argv if a.startswith("-")],
    )
    there = sorted(path.stem for path in RELEASE.glob("*/hw*.ipynb"))
    name = full_name(numbers[0]) if len(numbers) == 1 else ""
    if name not in there or options and "--open" not in options:
        listed = ", ".join(known.removeprefix("hw") for known in there) or "none yet"
        print(f"Which homework? {USAGE}; there are {listed}.", file=sys.stderr)
        return 2
    path, text = take(RELEASE / name / f"{name}.ipynb", FOLDER)
    print(text)
    if "--open" not in options:
        print(
            f"python3 course.py homework {name.removeprefix('hw')} --open opens it in JupyterLab."
        )
        return 0
    from coursekit.lab import open_lab

    return open_lab(
        f"/lab/tree/{path.relative_to(ROOT).as_posix()}", [o for o in options if o != "--open"]
    )


def full_name(text: str) -> str:
    """Return a homework's name for "3", "03", "hw03" or "hw03.ipynb"."""
    return f"hw{text.lower().removesuffix('.ipynb').removeprefix('hw').zfill(2)}"


def take(release: Path, folder: Path) -> tuple[Path, str]:
    """Return the student's newest copy of a release, made if there is none, and what there is to say of it."""
    name, data = release.stem, release.read_bytes()
    folder.mkdir(exist_ok=True)
    last, count = None, 1
    while os.path.lexists(target := folder / f"{name}{f'-{count}' * (count > 1)}.ipynb"):
        last, count = target, count + 1
    shown = f"{folder.name}/{target.name}"
    if last is not None and stamp(last.read_bytes() if last.is_file() else b"") == stamp(data):
        return (
            last,
            f"You have this homework already, and it stays as it is: {folder.name}/{last.name}.",
        )
    if not write_exclusively(target, data):
        return take(release, folder)  # somebody else was faster
    if last is None:
        return target, f"Your copy is {shown}."
    return target, (
        f"There is a newer release of {name}: it is {shown}. Your {folder.name}/{last.name} stays as it "
        "is; move over what you want to keep, and hand in the new one."
    )


def stamp(data: bytes) -> str | None:
    """Return the fingerprint that a release carries, and each copy of it."""
    try:
        return json.loads(data)["metadata"]["release"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None  # not ours, or damaged: something to leave alone
