"""Keep what concerns a class from the other accounts of the machine."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

FOLDERS = (
    *("source", "submitted", "attempts", "autograded", "feedback", ".results"),
    *("returned", "reports", "requests"),
)
FILES = ("secret", "gradebook.db*", "grades.csv")


def keep_private(course: Path) -> None:
    """Let the owner alone read solutions, submissions, marks and feedback."""
    if os.name == "nt":
        return  # where folders are private by themselves
    paths = [course / name for name in FOLDERS]
    for pattern in FILES:
        paths += course.glob(pattern)
    others = _others(course)
    for path in paths:
        with suppress(OSError):  # it is not there, or somebody else's
            mode = path.stat().st_mode & 0o7777
            if mode & others:
                path.chmod(mode & ~others)


@contextmanager
def writing_privately(course: Path) -> Iterator[None]:
    """Keep private what is there, and what is written meanwhile."""
    keep_private(course)
    before = os.umask(0)
    os.umask(before | _others(course))
    try:
        yield
    finally:
        os.umask(before)


def _others(course: Path) -> int:
    """Return the bits of those to be kept out; a group may share a course (groupshared)."""
    return 0o007 if read_config(course).CourseDirectory.get("groupshared") else 0o077


def read_config(course: Path) -> Config:
    """Return the settings of nbgrader_config.py, the instructor's own; the folder is this one."""
    path = course / "nbgrader_config.py"
    config = Config()
    if path.exists():
        config = PyFileConfigLoader(path.name, path=str(course)).load_config()
    config.CourseDirectory.root = str(course)
    return config
