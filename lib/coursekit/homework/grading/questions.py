"""A homework as its instructor wrote it: the notebook with its solutions, and what each answer is tried on."""

import json
import re
import sys
import types
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from coursekit import ROOT

from .marking import (
    Args,
    Behaviour,
    Call,
    CheckerError,
    Failure,
    Question,
    Result,
    call_with,
    describe,  # noqa: F401
    mark,
)

SOURCE = ROOT / "exercises" / "source"
REPORTS = ("copies", "feedback", "gradebook", "harmless")


@dataclass(frozen=True)
class Cell:
    """A cell of the homework: given, answer (code), proof (Markdown, marked by hand), check or text."""

    role: str
    id: str
    source: str
    points: float = 0


@dataclass(frozen=True, eq=False)
class Homework:
    """The cells of a homework and its questions."""

    name: str
    cells: tuple[Cell, ...]
    questions: tuple[Question, ...]
    fingerprint: str = field(repr=False)  # of all that decides a mark, the secret apart

    @cached_property
    def answers(self) -> dict[str, Cell]:
        """The cells a student writes, proofs included, by grade_id and in order."""
        return {cell.id: cell for cell in self.cells if cell.role in ("answer", "proof")}

    @cached_property
    def solutions(self) -> dict[str, str]:
        """The instructor's code by grade_id."""
        return {id: cell.source for id, cell in self.answers.items() if cell.role == "answer"}

    @cached_property
    def points(self) -> float:
        return sum(cell.points for cell in self.cells)

    def program(self, student: str, answers: dict[str, str]) -> list[tuple[str, str]]:
        """Return what is run for a student, in order: (grade_id or "", code) of the given cells and the answers."""
        name = f"STUDENT = {student!r}"
        steps = [("", name)]
        for cell in self.cells:
            if cell.role == "given":
                steps.append(
                    ("", re.sub(r"^STUDENT *=.*$", lambda _: name, cell.source, flags=re.MULTILINE))
                )
            elif cell.role == "answer" and cell.id in answers:
                steps.append((cell.id, answers[cell.id]))
        return steps

    @lru_cache(maxsize=4)  # once for all questions of a student
    def model(self, student: str) -> dict[str, Any]:
        """Run the instructor's own answers, here, and return their namespace."""
        return run(self.solutions, self, student)


def load(name: str, source: Path = SOURCE) -> Homework:
    """Read exercises/source/<name>: its notebook and its grading.py, which must agree."""
    folder = Path(source, name)
    notebook = json.loads((folder / f"{name}.ipynb").read_text("utf-8"))
    cells = tuple(map(_cell, notebook["cells"]))
    module = sys.modules[f"grading_{name}"] = types.ModuleType(f"grading_{name}")
    path = (
        folder / "grading.py"
    )  # not imported, for that would leave a __pycache__ among what is released
    exec(compile(path.read_text("utf-8"), str(path), "exec"), module.__dict__)
    homework = Homework(name, cells, tuple(module.QUESTIONS), _fingerprint(folder))
    if faults := list(_faults(homework)):
        raise ValueError(f"{name}: {faults[0]}.")
    return homework


def _cell(cell: dict[str, Any]) -> Cell:
    text, metadata = "".join(cell["source"]), cell.get("metadata", {})
    about = metadata.get("nbgrader", {})
    id, points = about.get("grade_id", ""), about.get("points", 0) if about.get("grade") else 0
    if about.get("solution"):
        return Cell("answer" if cell["cell_type"] == "code" else "proof", id, text, points)
    if about.get("grade"):
        return Cell("check", id, text, points)
    return Cell("given" if "given" in metadata.get("tags", ()) else "text", id, text)


def _faults(homework: Homework) -> Iterable[str]:
    """Say where notebook and grading.py disagree."""
    ids = [cell.id for cell in homework.cells if cell.id]
    yield from (f"the grade_id {id} is used twice" for id in ids if ids.count(id) > 1)
    checks = {cell.id: cell.points for cell in homework.cells if cell.role == "check"}
    coded = [id for id, cell in homework.answers.items() if cell.role == "answer"]
    if coded != [question.id for question in homework.questions]:
        yield f"the answer cells are {coded}, and grading.py has {[question.id for question in homework.questions]}"
        return
    for q in homework.questions:
        if q.points != sum(behaviour.points for behaviour in q.behaviours):
            yield f"the behaviours of {q.id} do not add up to its {q.points} points"
        if q.points != checks.get(f"{q.id}-check"):
            yield f"a check cell {q.id}-check with {q.points} points is expected"
        if odd := set(q.needs) - set(coded[: coded.index(q.id)]):
            yield f"{q.id} needs {sorted(odd)}, which are not before it"


def _fingerprint(folder: Path) -> str:
    """Return a hash of what decides a mark: the homework, the library and the modules here that do not only report."""
    digest, here = sha256(), Path(__file__).parent
    for path in (
        p
        for place in (folder, here, ROOT / "lib" / "halfspaces")  # in this order, wherever they are
        for p in sorted(place.rglob("*"))
        if p.suffix in (".py", ".ipynb") and p.stem not in REPORTS
    ):
        digest.update(f"{path.name}\n".encode() + sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def run(answers: dict[str, str], homework: Homework, student: str) -> dict[str, Any]:
    """Run the given cells and trusted answers in this process, and return their namespace."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for id, code in homework.program(student, answers):
        exec(compile(code, f"<{id or 'given'}>", "exec"), namespace)
    return namespace


def trusted(homework: Homework, student: str, answers: dict[str, str]) -> Call:
    """Return a way to call trusted answers in this process; the model answers the questions that are left out."""
    try:
        namespace = run(homework.solutions | answers, homework, student)
    except Exception as error:
        fault = Failure("missing", f"is not to be found: a cell stops with {describe(error)}")
        return lambda function, args: fault
    return lambda function, args: call_with(namespace.get(function), args, deepcopy(args))
