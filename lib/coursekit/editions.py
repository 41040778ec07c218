"""Copies of notebooks that somebody works in: an untouched one may be replaced, another stays."""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

INK = "ink"  # the metadata of a cell that has what was drawn on it, on slides
LINK = re.compile(r"\]\((?=[\w-]+\.ipynb[)#])")  # to another notebook in the same folder


def places(folder: Path, name: str) -> Iterator[Path]:
    """Yield where a copy may stand: name.ipynb, name-2.ipynb, name-3.ipynb, …"""
    yield folder / f"{name}.ipynb"
    count = 2
    while True:
        yield folder / f"{name}-{count}.ipynb"
        count += 1


def taken(folder: Path, name: str) -> list[Path]:
    """Return the copies that are there, up to the first gap."""
    found = []
    for place in places(folder, name):
        if not os.path.lexists(place):
            return found
        found.append(place)
    return found


def free_place(folder: Path, name: str, stamp: str) -> Path:
    """Return the first place where nothing is, or a copy that nobody has touched."""
    return next(
        place
        for place in places(folder, name)
        if not os.path.lexists(place) or untouched(place, stamp)
    )


def last_worked_in(folder: Path, name: str, stamp: str) -> Path | None:
    """Return the last copy in which something has changed, or nothing."""
    worked_in = [place for place in taken(folder, name) if not untouched(place, stamp)]
    return worked_in[-1] if worked_in else None


def fingerprint(sources: Iterable[str]) -> str:
    """Return a hash of what stands in the cells."""
    return hashlib.sha256("\0".join(sources).encode()).hexdigest()


def sources(book: dict[str, Any]) -> list[str]:
    """Return what stands in the cells of a notebook as it is in its file, and is drawn on them."""
    return [
        "".join(cell["source"]) + (json.dumps(ink) if (ink := cell["metadata"].get(INK)) else "")
        for cell in book["cells"]
    ]


def lead_home(book: Any) -> Any:
    """Let the links of a copy lead to the notebooks of the course, in the folder beside its own."""
    for cell in book.cells:
        if cell.cell_type == "markdown":
            cell.source = LINK.sub("](../notebooks/", cell.source)
    return book


def untouched(path: Path, stamp: str) -> bool:
    """Tell whether a file is a copy in whose cells nothing has changed since it was made."""
    made, now = fingerprints(path, stamp)
    return made is not None and made == now


def fingerprints(path: Path, stamp: str) -> tuple[str | None, str | None]:
    """Return the fingerprint that a copy carries in its metadata, and the one it has now."""
    try:
        book = json.loads(path.read_text("utf-8"))
        return book["metadata"].get(stamp), fingerprint(sources(book))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None, None  # whatever it is, it is not ours to replace
