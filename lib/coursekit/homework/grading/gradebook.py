"""Write results into nbgrader's gradebook, through its own interface; what a person has marked stays.

The scores of the code questions are `auto_score`s of the check cells, with the reasons as comments. Proofs wait for a
person, unless nothing was written; a mark by hand is kept, and asks for a second look if what it was for has changed.
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
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from .copies import blank, read_texts, rebuild, save, schemes, texts
from .grader import Record
from .harmless import harmless, harmless_field
from .marking import describe, quote
from .questions import Homework
from .submission import Entry, UnreadableError, fetch, read

UNFIT = frozenset(
    '<>&"\\/#?%*[],'
)  # letters that break nbgrader's pages, addresses, patterns or tables
DATE = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?( ?[A-Z]{1,5}|[+-]\d\d:?\d\d)?")
NOTHING = "No response."


class Refusal(Exporter):
    """Stands where nbgrader would run a submission unprotected, at its command line and in formgrader."""

    def __init__(self, *args: Any, parent: Any = None, **settings: Any):
        text = "nbgrader would run the students' code unprotected: python3 course.py grade runs it in a sandbox."
        if parent is not None:
            parent.log.error(text)  # nbgrader does not print its own exceptions
        raise NbGraderException(text)


class Book:
    """The gradebook, open for one homework; use it in a `with`."""

    def __init__(self, homework: Homework, course: Path):
        self.name, self.course, self.homework = homework.name, course, homework
        self.config = read_config(course)
        self.folder = CourseDirectory(config=self.config)
        self.release, self.schemes = (
            blank(self.name, course / "source"),
            schemes(self.name, course / "source"),
        )
        self.stubs = texts(self.release)
        # nbgrader calls alembic by its name, and .venv need not be on the path
        os.environ["PATH"] = os.pathsep.join(
            [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
        )
        self.gradebook = Gradebook(self.folder.db_url, self.folder.course_id)

    def __enter__(self) -> "Book":
        try:
            self.gradebook.update_or_create_assignment(self.name)
            about = {"notebook": self.name, "assignment": self.name, "db_url": self.folder.db_url}
            SaveCells().preprocess(self.release, {"nbgrader": about})
            self.gradebook.db.expire_all()
        except RuntimeError:
            self.gradebook.close()
            raise ValueError(
                f"The gradebook has submissions for {self.name} with other questions than it has now: "
                "take back the change, or remove them, marks by hand included: in the folder exercises, "
                f"nbgrader db assignment remove {self.name} --force"
            ) from None
        return self

    def __exit__(self, *error: Any) -> None:
        self.gradebook.close()

    def enter(self, entry: Entry, record: Record) -> list[str]:
        """Write one result, and the copy for formgrader; return what is odd about that."""
        if entry.path is None:
            return []
        if fault := unfit(entry.student):
            return [f"It is not in the gradebook: {fault}."]
        try:
            return self._enter(entry, record)
        except Exception as error:  # a locked gradebook, a full disk: the others shall not suffer
            self.gradebook.db.rollback()
            return [f"It could not be written into the gradebook ({describe(error)}): grade again."]

    def _enter(self, entry: Entry, record: Record) -> list[str]:
        path = self.course / "autograded" / entry.student / self.name / f"{self.name}.ipynb"
        if not record["questions"] and self._has_scores(entry.student):
            return ["The gradebook keeps what it had before."]
        try:
            answers = read(fetch(entry.path), self.homework).answers
        except UnreadableError:
            answers = {}
        timestamp, notes = read_timestamp(entry.path.with_name("timestamp.txt"))
        copy = rebuild(self.release, answers, record, self.schemes)
        self._score(entry.student, record, texts(copy), read_texts(path), answers, timestamp)
        # last, so that a run which is killed before compares with the old text again
        save(path, copy, str(timestamp or ""))
        return notes + self._lateness(entry.student)

    def _lateness(self, student: str) -> list[str]:
        """Say by how much a submission is late, if it is, and what that costs so far."""
        submission = self.gradebook.find_submission(self.name, student)
        if (late := submission.total_seconds_late) <= 0:
            return []
        penalty = sum(notebook.late_submission_penalty or 0 for notebook in submission.notebooks)
        return [
            f"It is {late / 3600:.1f} hours late{f', which costs {penalty:g} points so far' * bool(penalty)}."
        ]

    def _has_scores(self, student: str) -> bool:
        try:
            grades = self.gradebook.find_submission_notebook(self.name, self.name, student).grades
        except MissingEntry:
            return False
        return any(
            score is not None
            for grade in grades
            for score in (grade.auto_score, grade.manual_score)
        )

    def _score(
        self,
        student: str,
        record: Record,
        new: dict[str, str],
        old: dict[str, str],
        answers: dict[str, str],
        timestamp: Any,
    ) -> None:
        try:
            submission = self.gradebook.find_submission(self.name, student)
        except MissingEntry:
            self.gradebook.update_or_create_student(student)
            with self.gradebook.db.no_autoflush:  # in nbgrader's own code, SQLAlchemy warns of it
                submission = self.gradebook.add_submission(self.name, student)
        submission.timestamp = timestamp
        notebook = next(notebook for notebook in submission.notebooks if notebook.name == self.name)
        for grade in notebook.grades:
            id = grade.name.removesuffix("-check")
            score = self._points(id, record, answers)
            changed = score != grade.auto_score or id in old and old[id] != new[id]
            if grade.manual_score is None:
                grade.needs_manual_grade = score is None
            elif changed:
                grade.needs_manual_grade = True
            grade.auto_score = score
        for comment in notebook.comments:
            reasons = record["questions"].get(comment.name, {}).get("reasons", [])
            if (
                comment.name not in record["questions"]
                and self._points(comment.name, record, answers) == 0
            ):
                reasons = [NOTHING]
            comment.auto_comment = "\n\n".join(map(harmless, reasons)) or None
        self.assign_penalty(submission, notebook)

    def _points(self, id: str, record: Record, answers: dict[str, str]) -> float | None:
        """Return the score that needs no person, or nothing."""
        if id in record["questions"]:
            return record["questions"][id]["points"]
        empty = id in answers and answers[id].strip() in ("", self.stubs[id].strip())
        return 0.0 if empty and self.homework.answers[id].role == "proof" else None

    def assign_penalty(self, submission: Any, notebook: Any) -> None:
        """Let nbgrader's plugin for late submissions decide, as it does after its own grading, and commit."""
        late, notebook.late_submission_penalty = submission.total_seconds_late, None
        if late > 0:
            self.gradebook.db.commit()  # so that the score is the new one
            penalties = AssignLatePenalties(config=self.config)
            penalties.init_plugin()
            found = penalties.plugin_inst.late_submission_penalty(
                submission.student.id, notebook.score, late
            )
            if found is not None:
                notebook.late_submission_penalty = penalties._check_late_penalty(notebook, found)
        self.gradebook.db.commit()

    def waiting(self) -> int:
        """Return how many submissions wait for a mark by hand."""
        return sum(notebook.needs_manual_grade for notebook in self.notebooks())

    def notebooks(self) -> list[Any]:
        """Return what the gradebook has of this homework, by student."""
        return sorted(
            self.gradebook.notebook_submissions(self.name, self.name),
            key=lambda found: found.student.id,
        )


def read_config(course: Path) -> Config:
    """Return the settings of nbgrader_config.py, which may be the instructor's own; the folder is always this one."""
    path = course / "nbgrader_config.py"
    config = (
        PyFileConfigLoader(path.name, path=str(course)).load_config() if path.exists() else Config()
    )
    config.CourseDirectory.root = str(course)
    return config


def unfit(student: str) -> str:
    """Say what makes a name unfit for nbgrader, or nothing."""
    if odd := sorted(UNFIT & set(student)) or not student.isprintable():
        letters = (
            f"nbgrader cannot hold {' '.join(odd)}"
            if isinstance(odd, list)
            else "it has unprintable letters"
        )
        return f"the name {quote(student)} must change, {letters}"
    if harmless_field(student) != student:
        return f"the name {quote(student)} must change, a spreadsheet would take it for a formula"
    if student != student.strip() or student.startswith(".") or len(student) > 128:
        return f"the name {quote(student)} must change, nbgrader cannot hold one that long, or with such an end"
    return ""


def read_timestamp(path: Path) -> tuple[Any, list[str]]:
    """Return when a submission was handed in, if nbgrader's file beside it says so, and what is odd about the file."""
    if not os.path.lexists(path):
        return None, []
    try:
        return parse_utc(DATE.fullmatch(fetch(path)[:100].decode().strip())[0]), []
    except (UnreadableError, ValueError, TypeError, OverflowError):
        return None, [
            "Its timestamp.txt holds no date, and formgrader stumbles over it: correct or remove it."
        ]
