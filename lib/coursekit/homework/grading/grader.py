"""Grade submissions: one, or many at once over the cores, each result kept as soon as it is there.

A result is plain data. It is filed under a hash of all that it depends on, in one step, so that a run which is killed
at any moment goes on where it was, and nothing is graded twice or lost.
"""

import json
import os
import secrets
from collections.abc import Callable, Iterable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from .marking import CheckerError, Question, mark
from .pool import Pool
from .questions import SOURCE, Homework, load
from .sandbox import BrokenSandboxError, NoSandboxError, Sandbox, missing
from .session import Limits, Sandboxed, Session, Unprotected
from .submission import Entry, UnreadableError, fetch, read

GRACE = 60  # seconds that the grader itself may take beyond a submission's own
Record = dict[str, Any]
LOST = "The grader itself stopped or took too long at this submission: grade it again, or by hand."


def grade(
    homework: Homework,
    data: bytes,
    student: str,
    secret: str,
    sandbox: Sandbox | None,
    limits: Limits = Limits(),
) -> Record:
    """Grade the bytes of one notebook; without a sandbox, its code runs in this very process."""
    try:
        submission = read(data, homework)
    except UnreadableError as error:
        return record(homework, student, "unreadable", notes=[str(error)])
    steps = homework.program(student, submission.answers)
    session = Sandboxed(sandbox, steps, limits) if sandbox else Unprotected(steps)
    try:
        marks = {
            question.id: mark_safely(question, session, homework, student, secret)
            for question in homework.questions
        }
    finally:
        session.close()
    for question in homework.questions:
        lost = [id for id in question.needs if (marks[id]["points"] or 0) < marks[id]["of"]]
        if lost and marks[question.id]["reasons"]:
            marks[question.id]["reasons"].append(
                f"It builds on {' and '.join(lost)}, where points were lost: look there first."
            )
    notes = [
        *submission.notes,
        *(
            f"{f'The cell of {id}' if id else 'A given cell'} {fault}."
            for id, fault in session.faults.items()
        ),
    ]
    flagged = any(marked["points"] is None for marked in marks.values())
    return record(homework, student, "flagged" if flagged else "graded", marks, notes)


def mark_safely(
    question: Question, session: Session, homework: Homework, student: str, secret: str
) -> Record:
    """Mark a question; if our own code fails, give no points but a flag for a person."""
    try:
        result = mark(question, session.call, homework, student, secret)
        return {"points": result.points, "of": result.of, "reasons": list(result.reasons)}
    except BrokenSandboxError:
        raise
    except Exception as error:
        text = str(error) if isinstance(error, CheckerError) else f"{type(error).__name__}: {error}"
        return {"points": None, "of": question.points, "reasons": [], "bug": text}


def record(
    homework: Homework,
    student: str,
    state: str,
    marks: dict[str, Record] | None = None,
    notes: Iterable[str] = (),
) -> Record:
    """Return a result: its state is graded, flagged (a person must look) or unreadable (nothing to grade)."""
    marks = marks or {}
    return {
        "homework": homework.name,
        "student": student,
        "state": state,
        "points": sum(marked["points"] or 0 for marked in marks.values()),
        "of": sum(question.points for question in homework.questions),
        "questions": marks,
        "notes": list(notes),
    }


def grade_all(
    name: str,
    entries: list[Entry],
    secret: str,
    results: Path,
    *,
    source: Path = SOURCE,
    jobs: int | None = None,
    limits: Limits = Limits(),
    own_files: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Record]:
    """Grade many submissions, those left over from an earlier run first looked up; return results in their order."""
    homework = load(name, source)
    if not own_files and (fault := missing()):
        raise NoSandboxError(fault)
    results.mkdir(parents=True, exist_ok=True)
    found: dict[int, Record] = {}
    for i, entry in enumerate(entries):
        if (known := look_up(homework, entry, secret, results, limits, own_files)) is not None:
            found[i] = known
    todo = [i for i in range(len(entries)) if i not in found]
    progress(len(found), len(entries))
    setting = (name, str(source), secret, str(results), limits, own_files)
    with Pool(
        work, setting, min(jobs or os.cpu_count() or 1, len(todo)), limits.total + GRACE
    ) as pool:
        for i, done in pool.run({i: entries[i] for i in todo}):
            found[i] = (
                done
                if done is not None
                else record(homework, entries[i].student, "flagged", notes=[LOST])
            )
            progress(len(found), len(entries))
    return [
        found[i] | {"notes": [*entry.notes, *found[i]["notes"]]} for i, entry in enumerate(entries)
    ]


def work(setting: tuple[Any, ...], tasks: Iterable[Entry]) -> Iterable[Record]:
    """Grade what comes along, in a process of the pool."""
    name, source, secret, results, limits, own_files = setting
    homework = load(name, Path(source))
    if own_files:
        yield from (file(homework, entry, secret, Path(results), limits, None) for entry in tasks)
        return
    with Sandbox() as sandbox:
        for entry in tasks:
            try:
                yield file(homework, entry, secret, Path(results), limits, sandbox)
            except BrokenSandboxError:  # once is bad luck; if it happens again, a person must look
                sandbox.close()
                sandbox.start()
                yield file(homework, entry, secret, Path(results), limits, sandbox)


def file(
    homework: Homework,
    entry: Entry,
    secret: str,
    results: Path,
    limits: Limits,
    sandbox: Sandbox | None,
) -> Record:
    """Grade one submission and file the result."""
    data = fetch(entry.path)
    done = grade(homework, data, entry.student, secret, sandbox, limits)
    path = place(homework, entry.student, data, secret, results, limits, sandbox is None)
    write(path, json.dumps(done, indent=1).encode())
    return done


def look_up(
    homework: Homework, entry: Entry, secret: str, results: Path, limits: Limits, own_files: bool
) -> Record | None:
    """Return what is known of a submission without grading it: an earlier result, or why it cannot be graded."""
    if entry.path is None:
        return record(homework, entry.student, "unreadable", notes=[entry.fault])
    try:
        data = fetch(entry.path)
        return json.loads(
            place(homework, entry.student, data, secret, results, limits, own_files).read_bytes()
        )
    except UnreadableError as error:
        return record(homework, entry.student, "unreadable", notes=[str(error)])
    except (OSError, ValueError):
        return None


def place(
    homework: Homework,
    student: str,
    data: bytes,
    secret: str,
    results: Path,
    limits: Limits,
    own_files: bool,
) -> Path:
    """Return where a result is filed: its name is a hash of all that it depends on."""
    about = [homework.fingerprint, homework.name, student, secret, asdict(limits), own_files]
    return (
        results / f"{sha256(json.dumps(about).encode() + sha256(data).digest()).hexdigest()}.json"
    )


def write(path: Path, data: bytes) -> None:
    """Write a file in one step, so that nobody ever sees half of it."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    with open(fresh, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def read_secret(path: Path) -> str:
    """Return the course's secret, from which inputs are drawn; make it if there is none, for its owner alone."""
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        text = path.read_text("ascii").strip()
        if len(text) < 32:
            raise ValueError(
                f"{path.name} holds no secret of at least 32 letters; delete it to get a new one, which "
                "changes the inputs that answers are tried on."
            ) from None
        return text
    with open(fd, "w") as file:
        file.write(secrets.token_hex(32) + "\n")
    return path.read_text("ascii").strip()
