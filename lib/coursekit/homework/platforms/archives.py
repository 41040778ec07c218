"""Read the zip file of submissions that a learning platform hands out.

Each platform says in the names of files and folders who handed in what, and when:

    Moodle      Ada Lovelace_4711_assignsubmission_file/hw03.ipynb, or with _ in place of /
    Canvas      lovelaceada_LATE_815_99001_hw03.ipynb, resubmitted hw03-1.ipynb
    ILIAS       Abgaben/Lovelace_Ada_alove_4711/20261101115903_hw03.ipynb
    Gradescope  assignment_5_export/submission_42/hw03.ipynb, and submission_metadata.yml

Nothing is unpacked: notebooks are read one by one, each up to the size that is graded.
"""

import re
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath

from coursekit.homework.grading.inside import limits

MOST_FILES = 100_000
JUNK = ("__MACOSX/", ".DS_Store")
MOODLE = re.compile(
    r"(?P<name>[^/]+)_(?P<key>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<rest>/?.*)", re.DOTALL
)
CANVAS = re.compile(r"(?P<name>[^_/]+)_(?P<late>LATE_)?(?P<key>\d+)_(?P<item>\d+)_(?P<file>[^/]+)")
ILIAS = re.compile(r"(?P<last>[^/_]+)_(?P<first>[^/]+)_(?P<login>[^/_]+)_(?P<key>\d+)")
STAMP = re.compile(r"(\d{14})_(.+)")
GRADESCOPE = re.compile(r"submission_(?P<key>\d+)")
AGAIN = re.compile(r"-(\d+)(?=\.ipynb$)")


@dataclass(frozen=True)
class Handed:
    """One file that was handed in: by whom, under which names, and when."""

    platform: str
    key: str  # what the platform calls the student, or the submission
    path: str  # in the zip file
    file: str  # as the student called it
    names: dict[str, str] = field(default_factory=dict)  # name, email, login, sid
    when: datetime | None = None
    late: bool = False  # by the platform's own word

    @property
    def is_notebook(self) -> bool:
        """Tell whether it could be graded."""
        return self.file.lower().endswith(".ipynb")


def read_archive(path: Path) -> list[Handed]:
    """Return what was handed in; raise ValueError if no platform wrote the file."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _understood(archive, path.name)
    except (zipfile.BadZipFile, NotImplementedError, EOFError) as error:
        raise ValueError(f"{path.name} is no zip file that can be read ({error}).") from None


def read_file(path: Path, handed: Handed) -> bytes:
    """Return the bytes of a file in the archive; raise ValueError if they are too many."""
    with zipfile.ZipFile(path) as archive:
        try:
            with archive.open(handed.path) as file:
                data = file.read(limits.NOTEBOOK_BYTES + 1)
        except (zipfile.BadZipFile, RuntimeError, EOFError, OSError) as error:
            raise ValueError(f"{handed.path} cannot be read ({error}).") from None
    if len(data) > limits.NOTEBOOK_BYTES:
        raise ValueError(f"{handed.path} is larger than {limits.NOTEBOOK_BYTES >> 20} MB.")
    return data


def _understood(archive: zipfile.ZipFile, name: str) -> list[Handed]:
    members = [info for info in archive.infolist() if _is_file(info)]
    if len(members) > MOST_FILES:
        raise ValueError(f"{name} holds {len(members):,} files; {MOST_FILES:,} are read at most.")
    paths = [info.filename for info in members]
    for read in READERS:
        found = list(read(paths, archive))
        if found:
            return found
    raise ValueError(
        f"{name} is not what Moodle, Canvas, ILIAS or Gradescope hand out: its files are called "
        f"{', '.join(paths[:3]) or 'nothing, for there are none'}. Download all submissions of "
        "the assignment as one zip file."
    )


def _is_file(info: zipfile.ZipInfo) -> bool:
    is_link = stat.S_ISLNK(info.external_attr >> 16)
    return not (info.is_dir() or is_link or any(junk in info.filename for junk in JUNK))


def _from_gradescope(paths: list[str], archive: zipfile.ZipFile) -> Iterator[Handed]:
    about = [path for path in paths if PurePosixPath(path).name == "submission_metadata.yml"]
    if not about:
        return
    people = _gradescope_people(archive.read(about[0]).decode("utf-8", "replace"))
    for path in paths:
        folder = next((p for p in PurePosixPath(path).parts[:-1] if GRADESCOPE.fullmatch(p)), None)
        if folder:
            names, when = people.get(folder, ({}, None))
            yield Handed("gradescope", folder, path, PurePosixPath(path).name, names, when)


def _gradescope_people(text: str) -> dict[str, tuple[dict[str, str], datetime | None]]:
    """Return names and time by submission; of a group the first student, who handed it in."""
    found: dict[str, tuple[dict[str, str], datetime | None]] = {}
    for key, block in re.findall(r"^(\w+):\s*\n((?:[ \-].*\n?)*)", text, re.MULTILINE):
        names: dict[str, str] = {}
        for name in ("name", "sid", "email"):
            value = re.search(rf"^\s*-?\s*:{name}:\s*(.+?)\s*$", block, re.MULTILINE)
            if value:
                names[name] = value[1].strip("\"'")
        made = re.search(r"^\s*:created_at:\s*(.+?)\s*$", block, re.MULTILINE)
        found[key] = (names, _time(made[1]) if made else None)
    return found


def _time(text: str) -> datetime | None:
    """Return a time in ISO's form, as Gradescope writes it: 2026-11-01 11:59:03.123 Z."""
    text = text.strip("\"'").replace(" Z", "+00:00").replace(" UTC", "+00:00")
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _from_moodle(paths: list[str], archive: zipfile.ZipFile) -> Iterator[Handed]:
    for path in paths:
        found = MOODLE.search(path)
        if found:
            rest = found["rest"].lstrip("/")
            names = {"name": found["name"]}
            yield Handed("moodle", found["key"], path, PurePosixPath(rest).name, names)


def _from_ilias(paths: list[str], archive: zipfile.ZipFile) -> Iterator[Handed]:
    for path in paths:
        *folders, file = PurePosixPath(path).parts
        found = next(filter(None, (ILIAS.fullmatch(part) for part in reversed(folders))), None)
        if found is None:
            continue
        stamp = STAMP.fullmatch(file)
        when = datetime.strptime(stamp[1], "%Y%m%d%H%M%S") if stamp else None
        names = {"name": f"{found['first']} {found['last']}", "login": found["login"]}
        yield Handed("ilias", found["key"], path, stamp[2] if stamp else file, names, when)


def _from_canvas(paths: list[str], archive: zipfile.ZipFile) -> Iterator[Handed]:
    for path in paths:
        found = CANVAS.fullmatch(PurePosixPath(path).name)
        if found:
            yield Handed(
                "canvas",
                found["key"],
                path,
                AGAIN.sub("", found["file"]),
                {"name": found["name"]},
                late=bool(found["late"]),
            )


Reader = Callable[[list[str], zipfile.ZipFile], Iterator[Handed]]
READERS: list[Reader] = [_from_gradescope, _from_moodle, _from_ilias, _from_canvas]
