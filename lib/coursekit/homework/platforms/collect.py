"""Put what was handed in where it is graded: submitted/<student>/hw03/hw03.ipynb.

It comes as the zip file of a learning platform, or lies in the exchange of a hub.

The last attempt counts; earlier ones are kept in attempts/. When something was handed in is the
platform's word, and stands in a timestamp.txt of ours.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from coursekit.contents import EXERCISES
from coursekit.files import write_atomically, write_if_changed
from coursekit.homework.grading.gradebook import unfit
from coursekit.homework.lateness import Rules, read_rules
from coursekit.homework.private import keep_private

from . import exchange
from .archives import Handed, read_archive, read_file
from .roster import Roster, described, read_roster
from .worksheets import times_in


@dataclass(frozen=True)
class Origin:
    """Remember by which names the platform knows a submission, to give it back by them."""

    platform: str
    key: str
    path: str
    names: dict[str, str]
    when: str = ""
    late: bool = False


def collect(
    archive: Path,
    name: str,
    roster: Path | None = None,
    worksheet: Path | None = None,
    course: Path = EXERCISES,
) -> int:
    """Collect an archive and say what became of it; 1 if something needs a person."""
    try:
        people = read_roster(roster) if roster else None
        rules = read_rules(course)
        if archive == Path(exchange.PLATFORM):
            archive = exchange.find_exchange(course).exchange
        faults: list[str] = []
        if archive.is_dir():
            handed, faults = exchange.read_exchange(archive, name)
        else:
            handed = read_archive(archive)
        if worksheet:
            handed = _with_times(handed, times_in(worksheet, rules.zone))
        for folder in ("submitted", "attempts"):
            (course / folder).mkdir(exist_ok=True)
        keep_private(course)
        found, count = _collect(archive, handed, name, people, rules, course)
        faults += found
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{count} submissions of {name} are in {course.name}/submitted.")
    if faults:
        print(f"{len(faults)} need a person: see above.")
    return 1 if faults else 0


def _with_times(handed: list[Handed], times: dict[str, datetime]) -> list[Handed]:
    return [replace(each, when=each.when or times.get(each.key)) for each in handed]


def _collect(
    archive: Path,
    handed: list[Handed],
    name: str,
    people: Roster | None,
    rules: Rules,
    course: Path,
) -> tuple[list[str], int]:
    """Write each student's last notebook; return sentences for what is odd, and how many."""
    faults: list[str] = []
    by_student: dict[str, list[Handed]] = defaultdict(list)
    others: dict[str, list[Handed]] = defaultdict(list)
    for each in handed:
        try:
            student = people.find(each) if people else _id_without_roster(each)
            fault = unfit(student)
            if fault:
                raise ValueError(f"{fault[0].upper()}{fault[1:]}.")
        except ValueError as error:
            faults.append(f"{each.path}: {error}")
            continue
        (by_student if each.is_notebook else others)[student].append(each)
    for student in others.keys() - by_student.keys():
        files = ", ".join(each.file for each in others[student])
        faults.append(f"{student}: no notebook was handed in, but {files}.")
    origins = read_origins(course, name)
    written = 0
    for student, attempts in sorted(by_student.items()):
        try:
            last = _last(attempts, name)
            _write(archive, last, student, name, rules, course)
        except (ValueError, OSError) as error:
            faults.append(f"{student}: {error}")
            continue
        for earlier in attempts:
            try:
                if earlier is not last:
                    _keep(_read(archive, earlier), student, name, course)
            except (ValueError, OSError) as error:
                faults.append(f"{student}, an earlier attempt: {error}")
        when = last.when.isoformat() if last.when else ""
        origins[student] = Origin(last.platform, last.key, last.path, last.names, when, last.late)
        written += 1
        if last.late and last.when is None:
            faults.append(
                f"{student}: the platform says late, and not by how much: --worksheet tells, or "
                "an entry in late.toml."
            )
    _write_origins(course, name, origins)
    return faults, written


def _id_without_roster(handed: Handed) -> str:
    """Return the name that serves as an id where there is no roster: the most telling one."""
    names = handed.names
    found = names.get("login") or names.get("sid") or names.get("email") or names.get("name")
    if not found:
        raise ValueError(f"the platform does not say who {described(handed)} is: --roster does.")
    return found


def _last(attempts: list[Handed], name: str) -> Handed:
    """Return the attempt that counts: the newest; of one time, the one with the right name."""
    latest = max((each.when for each in attempts if each.when), default=None, key=_instant)
    newest = [each for each in attempts if latest is None or each.when == latest]
    named = [each for each in newest if each.file.lower() == f"{name}.ipynb"]
    found = named or newest
    if len(found) > 1:
        paths = [each.path for each in found]
        if _numbered(paths):
            return max(found, key=lambda each: _number(each.path))
        raise ValueError(f"several notebooks, and it is not said which counts: {', '.join(paths)}.")
    return found[0]


def _number(path: str) -> int:
    """Return which resubmission a file of Canvas is: hw03-2.ipynb is the second."""
    stem = path.lower().removesuffix(".ipynb")
    digits = stem.rpartition("-")[2]
    return int(digits) if "-" in stem and digits.isdigit() else 0


def _numbered(paths: Iterable[str]) -> bool:
    numbers = [_number(path) for path in paths]
    return len(set(numbers)) == len(numbers)


def _instant(when: datetime) -> float:
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()


def _write(
    archive: Path, handed: Handed, student: str, name: str, rules: Rules, course: Path
) -> None:
    """Write a notebook and its time, and keep what stood there before."""
    data = _read(archive, handed)
    folder = course / "submitted" / student / name
    target = folder / f"{name}.ipynb"
    stamp = folder / "timestamp.txt"
    before = target.read_bytes() if target.is_file() else None
    if before is not None and before != data:
        _keep(before, student, name, course)
    folder.mkdir(parents=True, exist_ok=True)
    write_if_changed(target, data)
    if handed.platform == exchange.PLATFORM:
        write_if_changed(folder / exchange.SECRET, exchange.read_submission_secret(archive, handed))
        if before == data and stamp.is_file():
            return  # a copy that was restored is no later than what it is a copy of
    if handed.when is None:
        stamp.unlink(missing_ok=True)  # another attempt's
    else:
        write_if_changed(stamp, f"{rules.in_utc(handed.when):%Y-%m-%d %H:%M:%S} UTC")


def _read(archive: Path, handed: Handed) -> bytes:
    """Return the bytes of a notebook, from the exchange or a zip file."""
    return (exchange.read_handed if archive.is_dir() else read_file)(archive, handed)


def _keep(data: bytes, student: str, name: str, course: Path) -> None:
    """Keep an attempt that no longer counts, under the digest of its bytes."""
    folder = course / "attempts" / student / name
    folder.mkdir(parents=True, exist_ok=True)
    write_if_changed(folder / f"{sha256(data).hexdigest()[:12]}.ipynb", data)


def origins_path(course: Path, name: str) -> Path:
    """Return where it is kept how the platform calls each submission."""
    return course / "attempts" / f"{name}.json"


def read_origins(course: Path, name: str) -> dict[str, Origin]:
    """Return by student how the platform calls the submissions; nothing if none was collected."""
    try:
        data: dict[str, Any] = json.loads(origins_path(course, name).read_text("utf-8"))
        return {student: Origin(**origin) for student, origin in data.items()}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"{origins_path(course, name)} is damaged ({error}).") from None


def _write_origins(course: Path, name: str, origins: dict[str, Origin]) -> None:
    path = origins_path(course, name)
    path.parent.mkdir(exist_ok=True)
    text = json.dumps({s: asdict(o) for s, o in sorted(origins.items())}, indent=1)
    write_atomically(path, text + "\n")
