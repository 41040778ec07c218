"""Put a fresh copy of a homework into the student's own folder; work that is there stays."""

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

from coursekit import ROOT
from coursekit.contents import EXERCISES
from coursekit.editions import places, taken
from coursekit.files import write_exclusively

RELEASE = EXERCISES / "release"
FOLDER = ROOT / "homework"


def hand_out(name: str, open_it: bool = False, options: Sequence[str] = ()) -> None:
    """Put a copy of a release into the student's folder, and open it if asked."""
    path, text = take(RELEASE / name / f"{name}.ipynb", FOLDER)
    print(text)
    if not open_it:
        number = name.removeprefix("hw")
        print(f"python3 course.py homework {number} --open opens it in JupyterLab.")
        return
    from coursekit.lab import open_lab

    open_lab(f"/lab/tree/{path.relative_to(ROOT).as_posix()}", list(options))


def take(release: Path, folder: Path) -> tuple[Path, str]:
    """Return the student's newest copy of a release, made if there is none, and what to say."""
    name = release.stem
    data = release.read_bytes()
    folder.mkdir(exist_ok=True)
    there = taken(folder, name)
    target = next(place for place in places(folder, name) if place not in there)
    last = there[-1] if there else None
    if last is not None:
        mine = f"{folder.name}/{last.name}"
        if last.is_file() and stamp(last.read_bytes()) == stamp(data):
            return last, f"You have this homework already, and it stays as it is: {mine}."
    if not write_exclusively(target, data):
        return take(release, folder)  # somebody else was faster
    shown = f"{folder.name}/{target.name}"
    if last is None:
        return target, f"Your copy is {shown}."
    return target, (
        f"There is a newer release of {name}: it is {shown}. Your {mine} stays as it is; move over "
        "what you want to keep, and hand in the new one."
    )


def hand_out_again(name: str) -> None:
    """Make another variant to practise with: the same questions, for data of another name."""
    data = json.loads((RELEASE / name / f"{name}.ipynb").read_bytes())
    FOLDER.mkdir(exist_ok=True)
    count = 1
    while os.path.lexists(FOLDER / f"{name}-again-{count}.ipynb"):
        count += 1
    who = f"practice {count} of {os.urandom(3).hex()}"
    for cell in data["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "code" and re.match("STUDENT *=", text):
            cell["source"] = f'STUDENT = "{who}"  # to practise: nobody grades this'
    target = FOLDER / f"{name}-again-{count}.ipynb"
    if not write_exclusively(target, json.dumps(data, indent=1, ensure_ascii=False) + "\n"):
        return hand_out_again(name)  # somebody else was faster
    print(f"{FOLDER.name}/{target.name} has the same questions on other data, to practise with.")
    return None


def stamp(data: bytes) -> str | None:
    """Return the fingerprint that a release carries, and each copy of it."""
    try:
        return json.loads(data)["metadata"]["release"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None  # not ours, or damaged: something to leave alone
