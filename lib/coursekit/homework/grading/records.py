"""The result of grading one submission, and how it is kept: JSON, there and back."""

import json
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Any


class State(StrEnum):
    """How a grading ended: with marks, with a flag for a person, or with nothing to grade."""

    GRADED = "graded"
    FLAGGED = "flagged"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Mark:
    """The points of a question, and a sentence for each behaviour that was not right."""

    points: float | None  # None: a person must look
    of: float
    reasons: tuple[str, ...] = ()
    bug: str = ""  # what our own code stumbled over

    @property
    def is_full(self) -> bool:
        """Tell whether no point was lost."""
        return self.points is not None and self.points >= self.of


@dataclass(frozen=True)
class Record:
    """What grading found in a submission: the digest of its bytes, its answers and their marks."""

    homework: str
    student: str
    state: State
    of: float
    digest: str = ""  # empty if there was nothing to read
    answers: dict[str, str] = field(default_factory=dict)
    marks: dict[str, Mark] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    given: dict[str, str] = field(default_factory=dict)  # what given cells show, by their place
    outputs: dict[str, str] = field(default_factory=dict)  # what answers had shown, by grade_id

    @property
    def points(self) -> float:
        """The points of all questions that have some."""
        return sum(mark.points or 0 for mark in self.marks.values())

    def as_json(self) -> str:
        """Return the record as it is kept."""
        return json.dumps(asdict(self), indent=1)

    @classmethod
    def from_json(cls, text: str | bytes) -> "Record":
        """Return the record that was kept; raise ValueError if it does not fit."""
        try:
            data = json.loads(text)
            found = cls(
                homework=data["homework"],
                student=data["student"],
                state=State(data["state"]),
                of=data["of"],
                digest=data["digest"],
                answers=data["answers"],
                marks={id: _mark(mark) for id, mark in data["marks"].items()},
                notes=tuple(data["notes"]),
                given=data["given"],
                outputs=data["outputs"],
            )
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"This is no record of a grading ({error}).") from None
        if json.loads(found.as_json()) != data or not _fits(found):
            raise ValueError("This is no record of a grading.")
        return found


def digest_of(data: bytes) -> str:
    """Return the digest by which the bytes of a submission are known."""
    return sha256(data).hexdigest()


def _mark(data: dict[str, Any]) -> Mark:
    return Mark(data["points"], data["of"], tuple(data["reasons"]), data["bug"])


def _fits(record: Record) -> bool:
    """Tell whether every entry has its type."""
    marks = record.marks.values()
    texts = [
        record.homework,
        record.student,
        record.digest,
        *record.answers,
        *record.answers.values(),
        *record.notes,
        *record.given.values(),
        *record.outputs.values(),
        *(reason for mark in marks for reason in mark.reasons),
        *(mark.bug for mark in marks),
    ]
    numbers = [
        record.of,
        *(mark.of for mark in marks),
        *(mark.points for mark in marks if mark.points is not None),
    ]
    return all(isinstance(text, str) for text in texts) and all(
        type(number) in (int, float) for number in numbers
    )
