"""Let students ask again, by a small file, and keep what was decided.

The feedback page offers a file for each question. The student writes why into it and hands it in;
the instructor puts it into exercises/requests. Its code comes from the course's secret, so a
request is about a page that was really written, and for nobody but its student.
"""

import hmac
import json
import re
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote as percent

from coursekit.files import write_atomically
from coursekit.homework.grading.marking import quote

LARGEST = 20_000  # bytes of a request
LINE = re.compile(r"^(homework|student|question|code): *(.*?) *$", re.MULTILINE)
WHY = re.compile(r"^why:(.*)", re.MULTILINE | re.DOTALL)
INVITATION = "(write here, in a sentence or two, what you think was marked wrongly)"


@dataclass(frozen=True)
class Request:
    """What a student asks: on which question, and why."""

    homework: str
    student: str
    question: str
    why: str
    file: str


@dataclass(frozen=True)
class Decision:
    """What became of a request."""

    student: str
    question: str
    points: float | None  # None: as they were
    because: str


def code_for(secret: str, homework: str, student: str, question: str) -> str:
    """Return the code that only the feedback page of that student has."""
    text = json.dumps(["request", homework, student, question]).encode()
    return hmac.new(secret.encode(), text, sha256).hexdigest()[:12]


def form(secret: str, homework: str, student: str, question: str) -> str:
    """Return the file that a student fills in."""
    code = code_for(secret, homework, student, question)
    lines = [f"homework: {homework}", f"student: {student}", f"question: {question}"]
    return "\n".join(["Ask again", *lines, f"code: {code}", f"why: {INVITATION}", ""])


def link(text: str) -> str:
    """Return the address by which a browser saves a text as a file, without any server."""
    return f"data:text/plain;charset=utf-8,{percent(text)}"


def read_requests(course: Path, name: str, secret: str) -> tuple[list[Request], list[str]]:
    """Return the requests about a homework, and sentences for files that are none."""
    found: dict[tuple[str, str], Request] = {}
    odd = []
    for path in sorted((course / "requests").glob("**/*.txt")):
        try:
            request = _read(path, secret)
        except (ValueError, OSError) as error:
            odd.append(f"{quote(path.name)}: {error}")
            continue
        if request.homework == name:
            found[request.student, request.question] = request
    return list(found.values()), odd


def _read(path: Path, secret: str) -> Request:
    if path.is_symlink() or path.stat().st_size > LARGEST:
        raise ValueError(f"a file of at most {LARGEST:,} bytes is expected, and no link.")
    text = path.read_bytes().decode("utf-8", "replace")
    parts = dict(LINE.findall(text))
    why = WHY.search(text)
    if parts.keys() != {"homework", "student", "question", "code"} or why is None:
        raise ValueError("it lacks a line; the file from the feedback page is expected, filled in.")
    wanted = code_for(secret, parts["homework"], parts["student"], parts["question"])
    if not hmac.compare_digest(wanted, parts["code"]):
        raise ValueError("its code is not that of a feedback page of this course.")
    reason = why[1].replace(INVITATION, "").strip()
    if not reason:
        raise ValueError("it does not say why.")
    return Request(parts["homework"], parts["student"], parts["question"], reason, path.name)


def read_decisions(course: Path, name: str) -> dict[tuple[str, str], Decision]:
    """Return what was decided, by student and question."""
    path = _decisions(course, name)
    if not path.exists():
        return {}
    try:
        found = [Decision(**each) for each in json.loads(path.read_text("utf-8"))]
    except (ValueError, TypeError) as error:
        raise ValueError(f"requests/{path.name} is damaged ({error}).") from None
    return {(each.student, each.question): each for each in found}


def decide(book: Any, request: Request, points: float | None, because: str) -> None:
    """Record a decision, and write new points into the gradebook."""
    if not because.strip():
        raise ValueError("Say why: --because is what the student reads.")
    notebook = next(each for each in book.notebooks() if each.student.id == request.student)
    grade = next(g for g in notebook.grades if g.name.removesuffix("-check") == request.question)
    if points is not None:
        if not 0 <= points <= grade.max_score:
            raise ValueError(f"{request.question} has 0 to {grade.max_score:g} points.")
        grade.manual_score = points
        grade.needs_manual_grade = False
        book.assign_penalty(notebook.assignment, notebook)
    decisions = read_decisions(book.course, book.name)
    key = (request.student, request.question)
    decisions[key] = Decision(request.student, request.question, points, because.strip())
    text = json.dumps([asdict(each) for each in decisions.values()], indent=1)
    write_atomically(_decisions(book.course, book.name), text + "\n")


def _decisions(course: Path, name: str) -> Path:
    return course / "requests" / f"{name}.json"
