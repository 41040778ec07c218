"""Put a fresh copy of a homework into the student's own folder; work that is there stays as it is."""

import json
import os
from pathlib import Path

from coursekit import ROOT
from coursekit.contents import EXERCISES
from coursekit.files import write_exclusively

RELEASE = EXERCISES / "release"
FOLDER = ROOT / "homework"


def hand_out(name: str, open_it: bool, options: list[str]) -> None:
    """Put a copy of a release into the student's folder, and open it; the options are jupyter lab's."""
    path, text = take(RELEASE / name / f"{name}.ipynb", FOLDER)
    print(text)
    if not open_it:
        print(
            f"python3 course.py homework {name.removeprefix('hw')} --open opens it in JupyterLab."
        )
        return
    from coursekit.lab import open_lab

    open_lab(f"/lab/tree/{path.relative_to(ROOT).as_posix()}", options)


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
