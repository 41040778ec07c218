"""Grade submissions: one, or many at once over the cores, each result kept as soon as it is there.

A result is filed under a hash of all that it depends on, in one step, so that a run which is
killed at any moment goes on where it was, and nothing is graded twice or lost.
"""

import json
import os
import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from coursekit.files import write_atomically

from . import sandbox as sandboxes
from .inside import limits as most
from .inside.limits import USUAL, Limits
from .inside.versions import versions
from .marking import CheckerError, Question, describe, mark
from .pool import Pool
from .questions import SOURCE, Homework, Role, load
from .records import Mark, Record, State, digest_of
from .sandbox import BrokenSandboxError, NoSandboxError, Sandbox, UnfitGraderError
from .session import Sandboxed, Session, Unprotected
from .submission import Entry, Submission, UnreadableError, fetch, read

LOST = "The grader itself stopped or took too long at this submission: grade it again, or by hand."
MISSED = re.compile(r"NameError: name '(\w+)' is not defined")
MODEL = "model"  # the student in whose place the model solution is graded
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Setting:
    """What a grading depends on beside the submission, and where its results are kept."""

    name: str
    source: Path
    secret: str = field(repr=False)
    results: Path
    limits: Limits = USUAL
    own_files: bool = False

    def versions(self) -> list[dict[str, str]]:
        """Return the versions of what runs the model answers, and of what runs the submission."""
        here = versions()
        return [here, here if self.own_files else sandboxes.versions()]

    def place(self, homework: Homework, student: str, digest: str) -> Path:
        """Return where a result is filed: its name is a hash of all that it depends on."""
        about = [
            homework.fingerprint,
            homework.name,
            student,
            digest,
            self.secret,
            asdict(self.limits),
            self.own_files,
            self.versions(),
        ]
        return self.results / f"{sha256(json.dumps(about).encode()).hexdigest()}.json"


def grade(
    homework: Homework,
    data: bytes,
    student: str,
    secret: str,
    sandbox: Sandbox | None,
    limits: Limits = USUAL,
) -> Record:
    """Grade the bytes of one notebook; without a sandbox, its code runs in this very process."""
    try:
        submission = read(data, homework, student)
    except UnreadableError as error:
        return unreadable(homework, student, str(error), data)
    steps = homework.program(student, submission.answers)
    session = Sandboxed(sandbox, steps, limits) if sandbox else Unprotected(steps)
    try:
        marks = {
            question.id: mark_safely(question, session, homework, student, secret)
            for question in homework.questions
        }
    finally:
        session.close()
    flagged = any(found.points is None for found in marks.values())
    return Record(
        homework.name,
        student,
        State.FLAGGED if flagged else State.GRADED,
        homework.points_of_code,
        digest_of(data),
        submission.answers,
        {question.id: look_back(question, marks) for question in homework.questions},
        (
            *submission.notes,
            *notes_on_cells(session),
            *notes_on_helpers(homework, submission, session, marks),
        ),
        shown_by_given(homework, student),
        submission.outputs,
    )


def shown_by_given(homework: Homework, student: str) -> dict[str, str]:
    """Return the data that a student sees; nothing where the model answers fail."""
    try:
        return homework.shown(student)
    except Exception:  # our own, and said where a mark needs the model
        return {}


def mark_safely(
    question: Question, session: Session, homework: Homework, student: str, secret: str
) -> Mark:
    """Mark a question; if our own code fails, give no points but a flag for a person."""
    try:
        return mark(question, session.call, homework, student, secret)
    except BrokenSandboxError:
        raise
    except Exception as error:
        bug = str(error) if isinstance(error, CheckerError) else describe(error)
        return Mark(None, question.points, bug=bug)


def look_back(question: Question, marks: dict[str, Mark]) -> Mark:
    """Return a mark that says, if points were lost, where the fault may come from."""
    found = marks[question.id]
    lost = [id for id in question.needs if not marks[id].is_full]
    if not lost or not found.reasons:
        return found
    hint = f"It builds on {' and '.join(lost)}, where points were lost: look there first."
    return replace(found, reasons=(*found.reasons, hint))


def notes_on_cells(session: Session) -> Iterator[str]:
    """Say which cells stopped, and why."""
    for id, fault in session.faults.items():
        cell = f"The cell of {id}" if id else "A given cell"
        yield f"{cell} {fault}."


def notes_on_helpers(
    homework: Homework, submission: Submission, session: Session, marks: dict[str, Mark]
) -> Iterator[str]:
    """Say which names were missed that stand in cells which are not read."""
    reasons = [text for mark in marks.values() for text in mark.reasons]
    yield from missed_helpers(homework, submission, [*session.faults.values(), *reasons])


def missed_helpers(
    homework: Homework, submission: Submission, said: Iterable[str]
) -> Iterator[str]:
    """Say which names are missed, by what is said, that stand in cells which are not read."""
    missed = {name for text in said for name in MISSED.findall(text)}
    found = sorted(missed & submission.unread)
    if found:
        has_cell = any(cell.role is Role.HELPERS for cell in homework.cells)
        place = "the cell for helpers" if has_cell else "the answer cell that uses it first"
        verb = (
            "is defined in a cell that is" if len(found) == 1 else "are defined in cells that are"
        )
        yield (
            f"{', '.join(found)} {verb} not read: move it into {place}, and hand in again "
            "(python3 course.py homework "
            f"{homework.name.removeprefix('hw')} --try shows what is read)."
        )


def unreadable(homework: Homework, student: str, note: str, data: bytes | None = None) -> Record:
    """Return the result of a submission in which there is nothing to grade."""
    digest = "" if data is None else digest_of(data)
    return Record(
        homework.name,
        student,
        State.UNREADABLE,
        homework.points_of_code,
        digest,
        notes=(note,),
    )


def lost(homework: Homework, entry: Entry) -> Record:
    """Return the result of a submission that the grader could not finish: a person must look."""
    try:
        data = fetch(entry.path)
        answers = read(data, homework).answers
    except UnreadableError as error:
        return unreadable(homework, entry.student, str(error))
    return Record(
        homework.name,
        entry.student,
        State.FLAGGED,
        homework.points_of_code,
        digest_of(data),
        answers,
        notes=(LOST,),
    )


def grade_all(
    name: str,
    entries: list[Entry],
    secret: str,
    results: Path,
    *,
    source: Path = SOURCE,
    jobs: int | None = None,
    limits: Limits = USUAL,
    own_files: bool = False,
    progress: Progress | None = None,
    cluster: str = "",
) -> list[Record]:
    """Grade many submissions, unless an earlier result is known; return results in their order."""
    homework = load(name, source)
    fault = "" if own_files or cluster else sandboxes.missing()
    if fault:
        raise NoSandboxError(fault)
    results.mkdir(parents=True, exist_ok=True)
    setting = Setting(name, source, secret, results, limits, own_files)
    found = {}
    for i, entry in enumerate(entries):
        known = look_up(setting, homework, entry)
        if known is not None:
            found[i] = known

    def report() -> None:
        if progress is not None:
            progress(len(found), len(entries))

    report()
    tasks = {i: entry for i, entry in enumerate(entries) if i not in found}
    with pool_of(setting, homework, jobs or os.cpu_count() or 1, len(tasks), cluster) as pool:
        for i, done in pool.run(tasks):
            if cluster and done is not None:
                done = filed(setting, homework, done)
            found[i] = done if done is not None else lost(homework, entries[i])
            report()
    return [
        replace(found[i], notes=(*entry.notes, *found[i].notes)) for i, entry in enumerate(entries)
    ]


def pool_of(setting: Setting, homework: Homework, jobs: int, tasks: int, cluster: str) -> Any:
    """Return what works on the tasks: processes of this machine, or a cluster at an address."""
    if not cluster or not tasks:
        return Pool(work, setting, min(jobs, tasks), setting.limits.total + most.GRACE)
    from .cluster import Cluster

    return Cluster(cluster, setting, homework)


def work(setting: Setting, tasks: Iterable[Entry]) -> Iterator[Record]:
    """Grade what comes along, in a process of the pool."""
    homework = load(setting.name, setting.source)
    if setting.own_files:
        prove(setting, homework, None)
        for entry in tasks:
            yield grade_and_file(setting, homework, entry, None)
        return
    with Sandbox() as sandbox:
        prove(setting, homework, sandbox)
        for entry in tasks:
            try:
                yield grade_and_file(setting, homework, entry, sandbox)
            except BrokenSandboxError:  # once is bad luck; if it happens again, a person must look
                sandbox.close()
                sandbox.start()
                yield grade_and_file(setting, homework, entry, sandbox)


def prove(setting: Setting, homework: Homework, sandbox: Sandbox | None) -> None:
    """Grade the model solution before anybody is graded; refuse unless it gets full points here."""
    data = (setting.source / setting.name / f"{setting.name}.ipynb").read_bytes()
    try:
        found = grade(homework, data, MODEL, setting.secret, sandbox, setting.limits)
    except BrokenSandboxError as error:
        raise UnfitGraderError(f"The sandbox dies of the model solution ({error}).") from None
    if found.state is State.GRADED and found.points == found.of:
        return
    reasons = [
        f"{id}: {text}" for id, mark in found.marks.items() for text in (mark.bug, *mark.reasons)
    ]
    reason = next((text for text in reasons if not text.endswith(": ")), "no reason given")
    raise UnfitGraderError(
        f"The model solution of {setting.name} itself gets {found.points:g} of {found.of:g} points "
        f"here, so nobody is graded. {reason}"
    )


def grade_and_file(
    setting: Setting, homework: Homework, entry: Entry, sandbox: Sandbox | None
) -> Record:
    """Grade one submission and file the result."""
    data = fetch(entry.path)
    return filed(
        setting,
        homework,
        grade(homework, data, entry.student, setting.secret, sandbox, setting.limits),
    )


def filed(setting: Setting, homework: Homework, done: Record) -> Record:
    """Keep a result, so that nobody has to grade it again."""
    path = setting.place(homework, done.student, done.digest)
    try:
        write_atomically(path, done.as_json())
    except OSError as error:  # a full disk: the marks are there, and will be made again
        return replace(done, notes=(*done.notes, f"The result is not kept ({error.strerror})."))
    return done


def look_up(setting: Setting, homework: Homework, entry: Entry) -> Record | None:
    """Return what is known without grading: an earlier result, or why there can be none."""
    if entry.path is None:
        return unreadable(homework, entry.student, entry.fault)
    try:
        digest = digest_of(fetch(entry.path))
    except UnreadableError as error:
        return unreadable(homework, entry.student, str(error))
    try:
        known = Record.from_json(setting.place(homework, entry.student, digest).read_bytes())
    except (OSError, ValueError):  # none yet, or one that does not fit
        return None
    return known if (known.student, known.digest) == (entry.student, digest) else None


def has_changed_since(entry: Entry, digest: str) -> bool:
    """Tell whether the file of a submission is another than the one with a digest."""
    if entry.path is None:
        return bool(digest)
    try:
        return digest_of(fetch(entry.path)) != digest
    except UnreadableError:
        return bool(digest)


def read_secret(path: Path) -> str:
    """Return the course's secret, from which inputs are drawn; made once, for its owner alone."""
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        text = path.read_text("ascii").strip()
        if len(text) < 32:
            raise ValueError(
                f"{path.name} holds no secret of at least 32 letters; delete it to get a new one, "
                "which changes the inputs that answers are tried on."
            ) from None
        return text
    with open(fd, "w") as file:
        file.write(secrets.token_hex(32) + "\n")
    return path.read_text("ascii").strip()
