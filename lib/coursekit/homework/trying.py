"""Try a homework out before it is handed in: what grading reads, in a process of its own.

The cells that count are run as grading runs them, with its limits, and the checks that everybody
has are asked. What else grading tries stays hidden: none of it is here.
"""

import ast
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from coursekit import ROOT
from coursekit.editions import taken
from coursekit.homework.grading.grader import missed_helpers
from coursekit.homework.grading.inside.limits import USUAL, Limits
from coursekit.homework.grading.marking import Failure
from coursekit.homework.grading.plain_process import PlainProcess
from coursekit.homework.grading.questions import Homework, Role, load_release
from coursekit.homework.grading.sandbox import NoSandboxError, Sandbox
from coursekit.homework.grading.session import Sandboxed
from coursekit.homework.grading.submission import Submission, UnreadableError, fetch, read
from coursekit.homework.handout import FOLDER, RELEASE

SAID = "_said_by_check_"
ASK = f"def {SAID}(id):\n    return globals().get({SAID!r} + id)"


def try_out(name: str) -> None:
    """Try out the notebook that this is called in, or else the newest copy of a homework."""
    here = Path(os.environ.get("JPY_SESSION_NAME", ""))
    try_homework(name, here if here.name.startswith(name) and here.is_file() else None)


def try_homework(name: str, path: Path | None = None) -> int:
    """Say of each answer what grading would read, and what the checks make of it."""
    homework = load_release(RELEASE / name / f"{name}.ipynb")
    path = path or next(reversed(taken(FOLDER, name)), None)
    if path is None:
        number = name.removeprefix("hw")
        print(f"There is no {name} in {FOLDER.name}: python3 course.py homework {number} makes it.")
        return 2
    try:
        submission = read(fetch(path), homework)
    except UnreadableError as error:
        print(f"{path.name} could not be graded: {error}")
        return 1
    shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    print(f'{shown}, as it is saved and as grading reads it; STUDENT is "{submission.name}".')
    with _place() as (place, walls):
        lines, notes = _report(homework, submission, place)
    for line in lines:
        print(line)
    for note in notes:
        print(f"! {note}")
    print(f"It ran {walls}. Grading tries other inputs than these checks.")
    return 1 if notes or any("✓" not in line and "a person" not in line for line in lines) else 0


@contextmanager
def _place() -> Iterator[tuple[Any, str]]:
    """Yield where the answers run, and what is to be said of it."""
    limits = f"{USUAL.cell:g} seconds for a cell, {USUAL.total:g} for all"
    with ExitStack() as stack:
        try:
            place: Any = stack.enter_context(Sandbox())
            walls = f"in the sandbox of grading ({limits}, 1 GB of memory, no network)"
        except NoSandboxError:
            place = stack.enter_context(PlainProcess())
            memory = "1 GB of memory" if sys.platform.startswith("linux") else "any memory"
            walls = f"in a fresh process, for there is no sandbox here ({limits}, {memory})"
        yield place, walls


def _report(
    homework: Homework, submission: Submission, place: Any, limits: Limits = USUAL
) -> tuple[list[str], list[str]]:
    """Return a line for each answer, and what to mend before it is handed in."""
    session = Sandboxed(place, _steps(homework, submission), limits)
    lines = []
    said = []
    for id, cell in homework.answers.items():
        text = submission.answers.get(id)
        if text is None:
            lines.append(f"{id}: not there")
        elif cell.role is Role.PROOF:
            is_written = text.strip() not in ("", cell.source.strip())
            words = f"{len(text.split())} words, which a person reads"
            lines.append(f"{id}: {words if is_written else 'not written yet'}")
        elif cell.role is Role.HELPERS:
            session.call(SAID, (id,))
            fault = session.faults.get(id)
            lines.append(f"{id}: {f'its cell {fault}' if fault else '✓ read'}")
        else:
            lines.append(f"{id}: {_verdict(id, session, said)}")
    session.close()
    notes = [*_notes_on_name(homework, submission), *submission.notes]
    notes += missed_helpers(homework, submission, [*lines, *said])
    return lines, notes


def _notes_on_name(homework: Homework, submission: Submission) -> Iterator[str]:
    """Say that nobody has written an id yet."""
    if submission.name in (None, "", homework.nobody):
        yield (
            "STUDENT must be your id, as your course lists you: grading draws your data from that, "
            "whatever stands here."
        )


def _verdict(id: str, session: Sandboxed, said: list[str]) -> str:
    """Say what became of one answer."""
    got = session.call(SAID, (f"{id}-check",))
    check = f"{id}-check"
    if id in session.faults:
        return f"its cell {session.faults[id]}"
    if check in session.faults:
        return f"its check {session.faults[check]}"
    if isinstance(got, Failure):
        return got.message
    said.append(str(got))
    return str(got)


def _steps(homework: Homework, submission: Submission) -> list[tuple[str, str]]:
    """Return what grading runs, and below each answer its check, which keeps what it says."""
    student = submission.name or ""
    checks = {cell.id: cell.source for cell in homework.cells if cell.role is Role.CHECK}
    steps = []
    for id, code in homework.program(student, submission.answers):
        steps.append((id, code))
        check = f"{id}-check"
        if check in checks:
            steps.append((check, _keeping(check, checks[check])))
    return [*steps, ("", ASK)]


def _keeping(id: str, code: str) -> str:
    """Return a cell that keeps its last value as a text, by a name that asks for it."""
    tree = ast.parse(code)
    last = tree.body[-1]
    if isinstance(last, ast.Expr):
        value = ast.unparse(last.value)
        tree.body[-1] = ast.parse(f"globals()[{SAID + id!r}] = repr({value})").body[0]
    return ast.unparse(tree)
