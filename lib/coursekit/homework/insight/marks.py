"""Read a class's marks out of the gradebook, and work out what they say about each question."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from coursekit.homework.grading.gradebook import Book

LOST = re.compile(r"^(.+?) \([\d.]+ of [\d.]+ points lost\)")


@dataclass(frozen=True)
class Marks:
    """The marks of one student: by question, and the behaviours that cost points."""

    student: str
    scores: dict[str, float]
    lost: dict[str, tuple[str, ...]]
    penalty: float
    unmarked: frozenset[str]  # the questions that wait for a person

    @property
    def is_final(self) -> bool:
        """Tell whether no mark by hand is missing."""
        return not self.unmarked

    @property
    def total(self) -> float:
        """The points before any penalty."""
        return sum(self.scores.values())


@dataclass(frozen=True)
class Item:
    """How one question worked in a class."""

    id: str
    title: str
    of: float
    scores: np.ndarray
    rests: np.ndarray  # of each student, the points of all other questions
    lost: Counter[str]
    unmarked: int = 0  # students whose answer waits for a person

    @property
    def difficulty(self) -> float:
        """The share of the points that the class got: 1 is easy."""
        return float(self.scores.mean() / self.of)

    @property
    def discrimination(self) -> float | None:
        """The correlation with the rest of the homework; nothing where nobody differs."""
        if len(self.scores) < 3 or not np.ptp(self.scores) or not np.ptp(self.rests):
            return None
        return float(np.corrcoef(self.scores, self.rests)[0, 1])

    @property
    def full(self) -> float:
        """The share of the class with all points."""
        return float((self.scores >= self.of).mean())

    @property
    def none(self) -> float:
        """The share of the class without a point."""
        return float((self.scores <= 0).mean())

    @property
    def advice(self) -> str:
        """Say what deserves a look."""
        if self.unmarked:
            return f"{self.unmarked} are not marked yet, and count as 0."
        if self.discrimination is not None and self.discrimination < 0:
            return "Who did well elsewhere did worse here: is the question, or its grader, wrong?"
        if self.difficulty < 0.3:
            return "Few got it: teach it again, or ask for less."
        if self.difficulty > 0.95:
            return "Nearly all got it."
        return ""


def read_marks(book: Book) -> list[Marks]:
    """Return the marks of all students, with those by hand."""
    found = []
    for notebook in book.notebooks():
        reasons = {each.name: each.auto_comment or "" for each in notebook.comments}
        found.append(
            Marks(
                notebook.student.id,
                {id_of(grade): grade.score or 0.0 for grade in notebook.grades},
                {id: tuple(_behaviours(text)) for id, text in reasons.items()},
                notebook.late_submission_penalty or 0.0,
                frozenset(id_of(grade) for grade in notebook.grades if grade.needs_manual_grade),
            )
        )
    return found


def id_of(grade: Any) -> str:
    """Return the question that a grade belongs to."""
    return str(grade.name).removesuffix("-check")


def _behaviours(reasons: str) -> Iterable[str]:
    """Return what an answer did not do, without the inputs, which differ from one to the other."""
    for reason in reasons.split("\n\n"):
        found = LOST.match(reason)
        if found:
            yield found[1]


def items(book: Book, marks: list[Marks], titles: dict[str, str]) -> list[Item]:
    """Return how each question worked, in the order of the homework."""
    most = {id_of(grade): grade.max_score for grade in book.notebooks()[0].grades}
    found = []
    for id in book.homework.answers:
        if id not in most or not most[id]:
            continue
        scores = np.array([mark.scores.get(id, 0.0) for mark in marks])
        totals = np.array([mark.total for mark in marks])
        lost = Counter(text for mark in marks for text in mark.lost.get(id, ()))
        waiting = sum(id in mark.unmarked for mark in marks)
        found.append(Item(id, titles.get(id, id), most[id], scores, totals - scores, lost, waiting))
    return found
