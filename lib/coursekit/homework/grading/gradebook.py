"""Write results into nbgrader's gradebook, through its own interface; a mark by hand stays.

The scores of the code questions are `auto_score`s of the check cells, with the reasons as comments.
Proofs wait for a person, unless nothing was written; a mark by hand is kept, and asks for a second
look if what it was for has changed.
"""

import os
import re
import sys
from pathlib import Path
from typing import Any

from nbconvert.exporters import Exporter
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties, SaveCells
from nbgrader.utils import parse_utc

from coursekit.homework.lateness import read_rules
from coursekit.homework.private import read_config

from .copies import Copy, blank, read_copy, rebuild, save, schemes, texts
from .harmless import harmless, harmless_field
from .marking import describe, quote
from .questions import Homework, Role
from .records import Record
from .submission import Entry, UnreadableError, fetch

# Letters that break nbgrader's pages, addresses, patterns or tables.
UNFIT = frozenset('<>&"\\/#?%*[],')
LONGEST_NAME = 128
# What every object of JavaScript has, so that formgrader finds somebody of this name everywhere.
PROPERTIES = frozenset(
    "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf "
    "__proto__ __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__".split()
)
DATE = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?( ?[A-Z]{1,5}|[+-]\d\d:?\d\d)?")
NOTHING = "No response."
UNPROTECTED = (
    "nbgrader would run the students' code unprotected: python3 course.py grade runs it in a "
    "sandbox."
)
PUBLISHING = (
    "nbgrader would put grading.py and the mark scheme among what students get: python3 course.py "
    "release makes the release."
)


class Refusal(Exporter):
    """Stands where nbgrader would run a submission unprotected, in its commands and formgrader."""

    reason = UNPROTECTED

    def __init__(self, *args: Any, parent: Any = None, **settings: Any):
        if parent is not None:
            parent.log.error(self.reason)  # nbgrader does not print its own exceptions
        raise NbGraderException(self.reason)


class RefusalToPublish(Refusal):
    """Stands where nbgrader would make a release of its own, of all that is in the source."""

    reason = PUBLISHING


class Book:
    """The gradebook, open for one homework; use it in a `with`."""

    def __init__(self, homework: Homework, course: Path):
        self.homework = homework
        self.name = homework.name
        self.course = course
        self.config = read_config(course)
        self.folder = CourseDirectory(config=self.config)
        self.rule = read_rules(course).homeworks.get(self.name)
        self.release = blank(self.name, course / "source")
        self.schemes = schemes(self.name, course / "source")
        self.stubs = texts(self.release)
        # nbgrader calls alembic by its name, and .venv need not be on the path
        programs = str(Path(sys.executable).parent)
        os.environ["PATH"] = os.pathsep.join([programs, os.environ.get("PATH", "")])
        self.gradebook = Gradebook(self.folder.db_url, self.folder.course_id)
        self.unwritten: list[str] = []  # whose results could not be entered
        self.dated = 0  # submissions with a time, by the word of a file

    def __enter__(self) -> "Book":
        try:
            due = {"duedate": self.rule.due.replace(tzinfo=None)} if self.rule else {}
            self.gradebook.update_or_create_assignment(self.name, **due)  # nbgrader means UTC
            about = {"notebook": self.name, "assignment": self.name, "db_url": self.folder.db_url}
            SaveCells().preprocess(self.release, {"nbgrader": about})
            self.gradebook.db.expire_all()
        except RuntimeError:
            self.gradebook.close()
            raise ValueError(
                f"The gradebook has submissions for {self.name} with other questions than it has "
                "now: take back the change, or remove them, marks by hand included: in the folder "
                f"exercises, nbgrader db assignment remove {self.name} --force"
            ) from None
        return self

    def __exit__(self, *error: object) -> None:
        self.gradebook.close()

    def path_of_copy(self, student: str) -> Path:
        """Return where formgrader looks for the copy of a submission."""
        return self.course / "autograded" / student / self.name / f"{self.name}.ipynb"

    def enter(self, entry: Entry, record: Record) -> list[str]:
        """Write one result, and the copy for formgrader; return what is odd about that."""
        if entry.path is None:
            return []
        fault = unfit(entry.student)
        if fault:
            return [f"It is not in the gradebook: {fault}."]
        try:
            return self._enter(entry, record)
        except Exception as error:  # a locked gradebook, a full disk: the others shall not suffer
            self.gradebook.db.rollback()
            self.unwritten.append(entry.student)
            return [f"It could not be written into the gradebook ({describe(error)}): grade again."]

    def _enter(self, entry: Entry, record: Record) -> list[str]:
        if not record.marks and self._has_scores(entry.student):
            return ["The gradebook keeps what it had before."]
        path = self.path_of_copy(entry.student)
        timestamp, notes = self._time_of(entry)
        copy = rebuild(self.release, record, self.schemes, self._name_folder(entry.folder))
        before = read_copy(path) or Copy()
        self._score(record, texts(copy), before.answers, timestamp)
        # last, so that a run which is killed before compares with the old text again
        save(path, copy, str(timestamp or ""))
        return notes + self._lateness(entry.student)

    def _time_of(self, entry: Entry) -> tuple[Any, list[str]]:
        """Return when a submission was handed in, by the word of whoever collected it."""
        path = entry.path.with_name("timestamp.txt")
        collected = self.course / "submitted" / entry.student / self.name
        if os.path.lexists(path) and path.parent.absolute() != collected.absolute():
            return None, [
                "Its timestamp.txt is not believed: only where nbgrader collects, in "
                f"{self.course.name}/submitted/<student>/{self.name}, is it not the student's own."
            ]
        timestamp, notes = read_timestamp(path)
        self.dated += timestamp is not None
        return timestamp, notes

    def _name_folder(self, folder: Path | None) -> str:
        """Return how a copy names the folder of the submissions, so that the course may move."""
        if folder is None:
            return ""
        folder = folder.absolute()
        if folder.is_relative_to(self.course.absolute()):
            folder = folder.relative_to(self.course.absolute())
        return folder.as_posix()

    def _lateness(self, student: str) -> list[str]:
        """Say by how much a submission is late, if it is, and what that costs so far."""
        submission = self.gradebook.find_submission(self.name, student)
        hours = submission.total_seconds_late / 3600
        if hours <= 0:
            return []
        penalty = sum(notebook.late_submission_penalty or 0 for notebook in submission.notebooks)
        cost = f", which costs {penalty:g} points so far" if penalty else ""
        return [f"It is {hours:.1f} hours late{cost}."]

    def _has_scores(self, student: str) -> bool:
        try:
            grades = self.gradebook.find_submission_notebook(self.name, self.name, student).grades
        except MissingEntry:
            return False
        return any(
            grade.auto_score is not None or grade.manual_score is not None for grade in grades
        )

    def _score(
        self, record: Record, new: dict[str, str], old: dict[str, str], timestamp: Any
    ) -> None:
        """Write scores and reasons; `new` and `old` are the answers that a person sees and saw."""
        submission = self._submission_of(record.student)
        submission.timestamp = timestamp
        notebook = next(notebook for notebook in submission.notebooks if notebook.name == self.name)
        for grade in notebook.grades:
            id = grade.name.removesuffix("-check")
            score = self._points(id, record)
            has_other_text = id in old and old[id] != new[id]
            if grade.manual_score is None:
                grade.needs_manual_grade = score is None
            elif score != grade.auto_score or has_other_text:
                grade.needs_manual_grade = True
            grade.auto_score = score
        for comment in notebook.comments:
            reasons = self._reasons(comment.name, record)
            comment.auto_comment = "\n\n".join(map(harmless, reasons)) or None
        self.assign_penalty(submission, notebook)

    def _submission_of(self, student: str) -> Any:
        """Return what the gradebook has of a student, made if there is nothing."""
        try:
            return self.gradebook.find_submission(self.name, student)
        except MissingEntry:
            self.gradebook.update_or_create_student(student)
            with self.gradebook.db.no_autoflush:  # in nbgrader's own code, SQLAlchemy warns of it
                return self.gradebook.add_submission(self.name, student)

    def _points(self, id: str, record: Record) -> float | None:
        """Return the score that needs no person, or nothing."""
        if id in record.marks:
            return record.marks[id].points
        if self.homework.answers[id].role is not Role.PROOF or id not in record.answers:
            return None
        is_empty = record.answers[id].strip() in ("", self.stubs[id].strip())
        return 0.0 if is_empty else None

    def _reasons(self, id: str, record: Record) -> tuple[str, ...]:
        """Return why points were lost."""
        if id in record.marks:
            return record.marks[id].reasons
        return (NOTHING,) if self._points(id, record) == 0 else ()

    def assign_penalty(self, submission: Any, notebook: Any) -> None:
        """Say what lateness costs by late.toml, else by nbgrader's plugin; commit."""
        notebook.late_submission_penalty = None
        if self.rule is not None:
            notebook.late_submission_penalty = self._penalty(submission, notebook)
        elif (late := submission.total_seconds_late) > 0:
            self.gradebook.db.commit()  # so that the score is the new one
            penalties = AssignLatePenalties(config=self.config)
            penalties.init_plugin()
            found = penalties.plugin_inst.late_submission_penalty(
                submission.student.id, notebook.score, late
            )
            if found is not None:
                notebook.late_submission_penalty = penalties._check_late_penalty(notebook, found)
        self.gradebook.db.commit()

    def _penalty(self, submission: Any, notebook: Any) -> float | None:
        """Return what lateness costs by the course's own rule, at most what there is."""
        assert self.rule is not None
        own = self.rule.extensions.get(submission.student.id)
        submission.extension = own - self.rule.due if own else None
        self.gradebook.db.commit()  # so that score and lateness are the new ones
        cost = self.rule.penalty.cost(submission.total_seconds_late) if self.rule.penalty else 0.0
        return min(cost, notebook.score) or None

    def waiting(self) -> int:
        """Return how many submissions wait for a mark by hand."""
        return sum(notebook.needs_manual_grade for notebook in self.notebooks())

    def notebooks(self) -> list[Any]:
        """Return what the gradebook has of this homework, by student."""
        found = self.gradebook.notebook_submissions(self.name, self.name)
        return sorted(found, key=lambda notebook: notebook.student.id)


def unfit(student: str) -> str:
    """Say what makes a name unfit for nbgrader, or nothing."""
    odd = sorted(UNFIT & set(student))
    if odd:
        fault = f"nbgrader cannot hold {' '.join(odd)}"
    elif not student.isprintable():
        fault = "it has unprintable letters"
    elif student in PROPERTIES:
        fault = "JavaScript has another use for it, and formgrader's lists would stop"
    elif harmless_field(student) != student:
        fault = "a spreadsheet would take it for a formula"
    elif student != student.strip() or student.startswith(".") or len(student) > LONGEST_NAME:
        fault = "nbgrader cannot hold one that long, or with such an end"
    else:
        return ""
    return f"the name {quote(student)} must change, {fault}"


def read_timestamp(path: Path) -> tuple[Any, list[str]]:
    """Return when a submission was handed in, if nbgrader's file says so, and what is odd of it."""
    if not os.path.lexists(path):
        return None, []
    try:
        return parse_utc(DATE.fullmatch(fetch(path)[:100].decode().strip())[0]), []
    except (UnreadableError, ValueError, TypeError, OverflowError):
        fault = "Its timestamp.txt holds no date, and formgrader stumbles over it"
        return None, [f"{fault}: correct or remove it."]
