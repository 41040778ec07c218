"""Fill in the tables in which learning platforms take grades, and make the zip of feedback.

Moodle takes its own grading worksheet back, Canvas its exported gradebook: all columns stay as they
are, and only the grade (and Moodle's comment) is written. Without such a table the columns that the
platform asks for are made from what was collected.
"""

import csv
import io
import sys
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Any

from coursekit.contents import EXERCISES
from coursekit.files import write_atomically
from coursekit.homework.grading.harmless import harmless_field
from coursekit.homework.grading.questions import load
from coursekit.homework.private import keep_private

from . import exchange
from .roster import read_table

IDENTIFIER = "Identifier"
PREFIX = "Participant "
SUBMITTED = "Last modified (submission)"
GRADE = "Grade"
COMMENT = "Feedback comments"
FORMS = [  # in which Moodle writes a time in English, and in ISO's form
    "%A, %d %B %Y, %I:%M %p",
    "%A, %d %B %Y, %H:%M",
    "%d %B %Y, %I:%M %p",
    "%d %B %Y, %H:%M",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d %H:%M",
]
CANVAS_COLUMNS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]


class Platform(StrEnum):
    """Where grades go."""

    MOODLE = "moodle"
    CANVAS = "canvas"
    CSV = "csv"
    EXCHANGE = "exchange"


@dataclass(frozen=True)
class Grade:
    """What a student gets, and how the platform knows the student."""

    student: str
    points: float
    of: float
    is_final: bool
    questions: dict[str, float]
    penalty: float = 0.0
    key: str = ""
    path: str = ""
    name: str = ""


def times_in(worksheet: Path, zone: tzinfo) -> dict[str, datetime]:
    """Return from Moodle's grading worksheet when each participant has handed in."""
    rows = read_table(worksheet)
    if not rows or IDENTIFIER not in rows[0] or SUBMITTED not in rows[0]:
        raise ValueError(
            f"{worksheet.name} is no grading worksheet of Moodle: the columns {IDENTIFIER} and "
            f"{SUBMITTED} are expected."
        )
    found = {}
    for row in rows:
        text = row[SUBMITTED].strip()
        if text and text != "-":
            found[row[IDENTIFIER].removeprefix(PREFIX)] = _moment(text, zone, worksheet.name)
    return found


def _moment(text: str, zone: tzinfo, where: str) -> datetime:
    for form in FORMS:
        try:
            return datetime.strptime(text, form).replace(tzinfo=zone)
        except ValueError:
            continue
    raise ValueError(
        f"{where} has the time {text!r}, which is not understood: set Moodle's language to English "
        "before you download it, or write times as 2026-11-01 11:59."
    )


def give_back(name: str, to: Platform, table: Path | None = None, course: Path = EXERCISES) -> int:
    """Write grades in the platform's form and a zip of feedback; 1 if something is missing."""
    from coursekit.homework.grading.gradebook import Book

    try:
        with Book(load(name, course / "source"), course) as book:
            grades = _grades(book, course, name)
        if not grades:
            raise ValueError(f"The gradebook has no submission for {name}: grade first.")
        folder = course / "returned"
        folder.mkdir(exist_ok=True)
        keep_private(course)
        made, faults = _table(to, grades, table, name)
        target = folder / f"{name}-{to}.csv"
        write_atomically(target, made)
        if to is Platform.EXCHANGE:
            exchange.find_exchange(course)
            without, unknown = _hand_back(grades, course, name)
            faults += unknown
            where = "where their students fetch it"
        else:
            data, without = _feedback(grades, to, course, name)
            write_atomically(folder / f"{name}-feedback.zip", data)
            where = f"in\n{course.name}/returned/{name}-feedback.zip"
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    faults += [
        f"{student}: no page of feedback yet: python3 course.py grade {name} --feedback"
        for student in without
    ]
    faults += [f"{g.student}: a mark by hand is still missing." for g in grades if not g.is_final]
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(grades)} grades are in {course.name}/returned/{target.name}, and the feedback")
    print(f"{where}.")
    return 1 if faults else 0


def _grades(book: Any, course: Path, name: str) -> list[Grade]:
    from .collect import read_origins

    origins = read_origins(course, name)
    found = []
    for notebook in book.notebooks():
        book.assign_penalty(notebook.assignment, notebook)  # a mark by hand may have changed it
        student = notebook.student.id
        origin = origins.get(student)
        penalty = notebook.late_submission_penalty or 0.0
        found.append(
            Grade(
                student,
                max(0.0, notebook.score - penalty),
                notebook.max_score,
                not notebook.needs_manual_grade,
                {grade.name.removesuffix("-check"): grade.score for grade in notebook.grades},
                penalty,
                origin.key if origin else "",
                origin.path if origin else "",
                origin.names.get("name", "") if origin else "",
            )
        )
    return found


def _table(
    to: Platform, grades: list[Grade], table: Path | None, name: str
) -> tuple[str, list[str]]:
    """Return the table, and sentences for whom it has no row."""
    if to is Platform.MOODLE:
        return _for_moodle(grades, table)
    if to is Platform.CANVAS:
        return _for_canvas(grades, table, name)
    if table:
        raise ValueError("--table is the platform's own table: it goes with moodle and canvas.")
    return _plain(grades), []


def _plain(grades: list[Grade]) -> str:
    ids = list(dict.fromkeys(id for grade in grades for id in grade.questions))
    rows = [["student", "points", "of", "penalty", *ids, "final"]]
    for grade in grades:
        marks = [f"{grade.questions[id]:g}" if id in grade.questions else "" for id in ids]
        numbers = [f"{grade.points:g}", f"{grade.of:g}", f"{grade.penalty:g}"]
        state = "yes" if grade.is_final else "no"
        rows.append([harmless_field(grade.student), *numbers, *marks, state])
    return _as_csv(rows)


def _for_moodle(grades: list[Grade], table: Path | None) -> tuple[str, list[str]]:
    by_key = {grade.key: grade for grade in grades if grade.key}
    faults = [
        f"{grade.student} was not collected from Moodle, so its number is not known."
        for grade in grades
        if not grade.key
    ]
    if table is None:
        rows = [[IDENTIFIER, "Full name", GRADE, "Maximum Grade", COMMENT]]
        for key, grade in by_key.items():
            points = f"{grade.points:.2f}" if grade.is_final else ""
            rows.append(
                [f"{PREFIX}{key}", harmless_field(grade.name), points, f"{grade.of:.2f}", ""]
            )
        return _as_csv(rows), faults
    rows = read_table(table)
    if not rows or not {IDENTIFIER, GRADE} <= rows[0].keys():
        raise ValueError(f"{table.name} is no grading worksheet of Moodle.")
    left = dict(by_key)
    for row in rows:
        grade = left.pop(row[IDENTIFIER].removeprefix(PREFIX), None)
        if grade is not None and grade.is_final:
            row[GRADE] = f"{grade.points:.2f}"
            if COMMENT in row:
                row[COMMENT] = row[COMMENT] or "See the feedback file."
    faults += [f"{grade.student} has no row in {table.name}." for grade in left.values()]
    return _as_csv([list(rows[0]), *(list(row.values()) for row in rows)]), faults


def _for_canvas(grades: list[Grade], table: Path | None, name: str) -> tuple[str, list[str]]:
    by_key = {grade.key: grade for grade in grades if grade.key}
    faults = [
        f"{grade.student} was not collected from Canvas, so its number is not known."
        for grade in grades
        if not grade.key
    ]
    if table is None:
        rows = [[*CANVAS_COLUMNS, name], ["    Points Possible", *[""] * 4, f"{grades[0].of:g}"]]
        for key, grade in by_key.items():
            points = f"{grade.points:g}" if grade.is_final else ""
            rows.append([harmless_field(grade.name), key, "", "", "", points])
        return _as_csv(rows), faults
    rows = read_table(table)
    if not rows or "ID" not in rows[0]:
        raise ValueError(f"{table.name} is no gradebook of Canvas: a column ID is expected.")
    columns = [column for column in rows[0] if column.lower().startswith(name)]
    if len(columns) != 1:
        raise ValueError(
            f"{table.name} must have one column whose heading begins with {name}, and it has "
            f"{', '.join(columns) or 'none'}: call the assignment in Canvas {name}."
        )
    left = dict(by_key)
    for row in rows:
        grade = left.pop(row["ID"], None)
        if grade is not None and grade.is_final:
            row[columns[0]] = f"{grade.points:g}"
    faults += [f"{grade.student} has no row in {table.name}." for grade in left.values()]
    return _as_csv([list(rows[0]), *(list(row.values()) for row in rows)]), faults


def _as_csv(rows: Iterable[list[str]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue()


def _hand_back(grades: list[Grade], course: Path, name: str) -> tuple[list[str], list[str]]:
    """Put each page where its student alone sees it; return who has none, and other faults."""
    without, faults = [], []
    for grade in grades:
        page = _page(course, grade, name)
        secret = course / "submitted" / grade.student / name / exchange.SECRET
        if not page.is_file():
            without.append(grade.student)
        elif not secret.is_file():
            faults.append(f"{grade.student}: it was not handed in at the hub.")
        else:
            text = secret.read_text("ascii")
            try:
                exchange.give_page(grade.student, grade.path, text, page.read_bytes(), course)
            except ValueError as error:
                faults.append(f"{grade.student}: {error}.")
    return without, faults


def _page(course: Path, grade: Grade, name: str) -> Path:
    return course / "feedback" / grade.student / name / f"{name}.html"


def _feedback(
    grades: list[Grade], to: Platform, course: Path, name: str
) -> tuple[bytes, list[str]]:
    """Return the zip of all pages, named as the platform wants them, and who has none."""
    data = io.BytesIO()
    without = []
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for grade in grades:
            page = _page(course, grade, name)
            if not page.is_file():
                without.append(grade.student)
                continue
            # A fixed time, so that the same feedback is the same file.
            info = zipfile.ZipInfo(_called(grade, to, name), (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, page.read_bytes())
    return data.getvalue(), without


def _called(grade: Grade, to: Platform, name: str) -> str:
    """Return what a page is called in the zip: as the submission was, but for its end."""
    path = PurePosixPath(grade.path)
    if to is Platform.MOODLE and "_assignsubmission_file" in grade.path:
        start = grade.path[: grade.path.index("_assignsubmission_file")]
        return f"{PurePosixPath(start).name}_assignsubmission_file_{name}-feedback.html"
    if to is Platform.CANVAS and grade.path:
        return f"{path.stem}.html"
    return f"{grade.student}/{name}.html"
