"""Make the reader's own copies of the notebooks: without outputs, and never overwritten."""

import json
import sys
from pathlib import Path

from coursekit import ROOT
from coursekit.contents import all_notebooks
from coursekit.editions import (
    fingerprint,
    fingerprints,
    free_place,
    sources,
    taken,
    untouched,
)
from coursekit.files import write_atomically, write_exclusively

FOLDER = ROOT / "study"
STAMP = (
    "study_copy"  # the metadata by which a copy knows of which edition it is, and whether touched
)


def make_copies(folder: Path = FOLDER) -> None:
    """Make the copies that are missing, all at once: notebooks have links to each other."""
    for path in all_notebooks():
        make_copy(path, folder)


def make_copy(path: Path, folder: Path = FOLDER) -> Path:
    """Return the reader's copy of a notebook; a newer edition goes beside one with work in it."""
    own = folder / path.name
    text, edition = copy_of(path)
    folder.mkdir(exist_ok=True)
    if write_exclusively(own, text):
        return own
    if untouched(own, STAMP):
        if fingerprints(own, STAMP)[0] != edition:
            write_atomically(own, text)
        return own
    editions = [fingerprints(place, STAMP)[0] for place in taken(folder, path.stem)]
    if edition not in editions:
        newer = free_place(folder, path.stem, STAMP)
        write_atomically(newer, text)
        say(
            f"{folder.name}/{own.name} has your work in it and stays as it is. There is a newer "
            f"edition of this notebook: it is {folder.name}/{newer.name}."
        )
    return own


def copy_of(path: Path) -> tuple[str, str]:
    """Return a notebook without its outputs, as it stands in a file, and its fingerprint."""
    book = json.loads(path.read_text("utf-8"))
    edition = fingerprint(sources(book))
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = []
            cell["execution_count"] = None
    book["metadata"][STAMP] = edition
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n", edition


def say(text: str) -> None:
    """Tell the reader."""
    print(text, file=sys.stderr)
