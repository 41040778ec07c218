"""Hand out, take in and give back homework by the exchange of a hub.

What a student hands in is a folder that nbgrader writes, <student>/<student>+hw03+<time>+…; all in
it may be anything. Whose it is says the folder that the hub has given the student; when it came,
the system's own clock: the time of the last change of the notebook or of its folder, which nobody
can set back. Links are not followed, neither at the end of a path nor within.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from nbgrader.utils import notebook_hash

from coursekit.contents import EXERCISES
from coursekit.files import write_atomically, write_if_changed
from coursekit.homework.grading.inside import limits
from coursekit.homework.grading.marking import quote
from coursekit.hub.places import COURSE, Places, find_places
from coursekit.hub.settings import read_settings

from .archives import Handed

PLATFORM = "exchange"
SECRET = "submission_secret.txt"  # by which nbgrader finds the feedback on a submission
SECRET_BYTES = 1024
MOST_ENTRIES = 1000  # of one student; nbgrader writes one each time
if os.name != "nt":  # where there is no hub, and no exchange
    FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def find_exchange(course: Path = EXERCISES) -> Places:
    """Return the places of the hub whose settings are in force."""
    places = find_places(read_settings().data, course)
    if not places.outbound.is_dir():
        raise ValueError(
            f"There is no exchange in {places.data}: python3 course.py hub makes it when it starts."
        )
    return places


def hand_out(names: list[str], course: Path = EXERCISES) -> None:
    """Put releases where students fetch them."""
    outbound = find_exchange(course).outbound
    for name in names:
        folder = outbound / name
        folder.mkdir(exist_ok=True)
        target = folder / f"{name}.ipynb"
        write_if_changed(target, (course / "release" / name / target.name).read_bytes())
        target.chmod(0o644)
        folder.chmod(0o755)


def read_exchange(exchange: Path, name: str) -> tuple[list[Handed], list[str]]:
    """Return what was handed in, and sentences on what cannot be."""
    handed: list[Handed] = []
    faults: list[str] = []
    inbound = exchange / COURSE / "inbound"
    if os.name == "nt" or not inbound.is_dir():
        raise ValueError(f"{exchange} is no exchange: there is no {COURSE}/inbound in it.")
    for student in sorted(os.listdir(inbound)):
        try:
            with _opened(inbound / student, FOLDER) as folder:
                entries = sorted(entry for entry in os.listdir(folder) if f"+{name}+" in entry)
                if len(entries) > MOST_ENTRIES:
                    faults.append(
                        f"{student}: {len(entries):,} submissions, and only the last "
                        f"{MOST_ENTRIES:,} by name are looked at."
                    )
                for entry in entries[-MOST_ENTRIES:]:
                    _look(folder, student, entry, name, handed, faults)
        except OSError as error:
            faults.append(f"{student}: the folder cannot be read ({error.strerror}).")
    return handed, faults


def _look(
    folder: int, student: str, entry: str, name: str, handed: list[Handed], faults: list[str]
) -> None:
    """Look at one submission."""
    try:
        if not entry.startswith(f"{student}+{name}+"):
            raise ValueError(
                f"it claims to be {quote(entry.partition('+')[0])}'s, and is not taken"
            )
        with _opened(entry, FOLDER, folder) as inner:
            file = _notebook(os.listdir(inner), name)
            with _opened(file, FILE, inner) as found:
                about = os.fstat(found)
                if not stat.S_ISREG(about.st_mode):
                    raise ValueError(f"{quote(file)} is no ordinary file")
                if about.st_size > limits.NOTEBOOK_BYTES:
                    raise ValueError(f"larger than {limits.NOTEBOOK_BYTES // limits.MB} MB")
            changed = max(about.st_ctime, os.fstat(inner).st_ctime)
    except OSError as error:
        faults.append(f"{student}: {quote(entry)} cannot be read ({error.strerror}).")
    except ValueError as error:
        faults.append(f"{student}: {quote(entry)}: {error}.")
    else:
        when = datetime.fromtimestamp(changed, UTC)
        path = f"{student}/{entry}/{file}"
        handed.append(Handed(PLATFORM, student, path, f"{name}.ipynb", {"login": student}, when))


def _notebook(files: list[str], name: str) -> str:
    """Return the notebook among the files of a submission."""
    if f"{name}.ipynb" in files:
        return f"{name}.ipynb"
    notebooks = [file for file in files if file.endswith(".ipynb")]
    if len(notebooks) != 1:
        raise ValueError(f"there is no {name}.ipynb")
    return notebooks[0]


def read_handed(exchange: Path, handed: Handed) -> bytes:
    """Return the bytes of a notebook; raise ValueError if they cannot be had."""
    return _read(exchange, handed.path, limits.NOTEBOOK_BYTES)


def read_submission_secret(exchange: Path, handed: Handed) -> str:
    """Return what nbgrader has written beside a notebook to find its feedback by, or nothing."""
    with suppress(ValueError, UnicodeDecodeError):
        path = PurePosixPath(handed.path).with_name(SECRET)
        text = _read(exchange, str(path), SECRET_BYTES).decode("ascii")
        if re.fullmatch(r"\w+", text):
            return text
    return ""


def _read(exchange: Path, path: str, most: int) -> bytes:
    """Return the bytes of a file three folders down, each of them opened as what it is."""
    student, entry, file = PurePosixPath(path).parts
    try:
        with (
            _opened(exchange / COURSE / "inbound" / student, FOLDER) as folder,
            _opened(entry, FOLDER, folder) as inner,
            _opened(file, FILE, inner) as found,
        ):
            if not stat.S_ISREG(os.fstat(found).st_mode):
                raise ValueError(f"{quote(path)} is no ordinary file.")
            with open(found, "rb", closefd=False) as stream:
                data = stream.read(most + 1)
    except OSError as error:
        raise ValueError(f"{quote(path)} cannot be read ({error.strerror}).") from None
    if len(data) > most:
        raise ValueError(f"{quote(path)} is larger than {most / limits.MB:.3g} MB.")
    return data


@contextmanager
def _opened(path: Path | str, flags: int, folder: int | None = None) -> Iterator[int]:
    found = os.open(path, flags, dir_fd=folder)
    try:
        yield found
    finally:
        os.close(found)


def give_page(student: str, path: str, secret: str, page: bytes, course: Path) -> None:
    """Put a page where nbgrader looks for it, in the folder that its student alone sees."""
    folder = find_exchange(course).feedback(student)
    if not folder.is_dir():
        raise ValueError("the hub has nobody of this name")
    notebook = PurePosixPath(path).stem
    # Whoever has removed the secret finds the page all the same, by its plain name.
    name = notebook_hash(secret=secret, notebook_id=notebook) if secret else notebook
    target = folder / f"{name}.html"
    write_atomically(target, page)
    target.chmod(0o640)
