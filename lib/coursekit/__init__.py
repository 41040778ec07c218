"""What runs the course: its commands, one package for each capability.

`ROOT` is the folder of the course. It is looked for when it is first asked for, since the package
may be installed apart from any course; whoever imports it where there is none gets a
`NoCourseError` that says what to do.
"""

import os
from collections.abc import Iterator
from pathlib import Path

VARIABLE = "HALFSPACES_COURSE"  # names the folder, where that is not plain from the rest

ROOT: Path


class NoCourseError(Exception):
    """Say that there is no course to work on."""


def find_course() -> Path:
    """Return the folder of the course: the one that is named, or this file's, or one around us."""
    for place in _places():
        if (place / "course.py").is_file() and (place / "notebooks").is_dir():
            return place.resolve()
    named = os.environ.get(VARIABLE)
    missing = (
        f"{VARIABLE} names {named}, which has" if named else "This folder and those above have"
    )
    raise NoCourseError(
        f"{missing} no course.py and notebooks/: call this in the folder of the course, "
        f"or let {VARIABLE} name it."
    )


def _places() -> Iterator[Path]:
    if VARIABLE in os.environ:
        yield Path(os.environ[VARIABLE])
        return
    yield Path(__file__).resolve().parents[2]  # of a checkout: lib/coursekit stands in it
    here = Path.cwd()
    yield here
    yield from here.parents


def __getattr__(name: str) -> Path:
    if name != "ROOT":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = find_course()
    return globals()[name]
