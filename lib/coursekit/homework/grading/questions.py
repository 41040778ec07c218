"""A homework as its instructor wrote it: the notebook with its solutions, and how it is tried."""

import ast
import io
import json
import re
import sys
import types
from collections.abc import Iterator
from contextlib import redirect_stdout
from copy import deepcopy
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import halfspaces
import numpy as np

from coursekit.contents import EXERCISES
from coursekit.homework.release import HELPERS, edition_of

from .inside.limits import SHOWN_LETTERS
from .marking import Args, Call, Failure, FailureKind, Question, call_with, describe

SOURCE = EXERCISES / "source"
HERE = Path(__file__).parent
LIBRARY = Path(halfspaces.__file__).parent
REPORTS = {
    HERE / f"{name}.py"
    for name in ("copies", "feedback", "formgrader", "gradebook", "harmless", "rendered")
}


class Role(StrEnum):
    """What a cell of a homework is for."""

    GIVEN = "given"  # code that the answers may use
    ANSWER = "answer"  # code to write
    HELPERS = "helpers"  # code that the student's answers share; no points
    PROOF = "proof"  # Markdown to write, marked by hand
    CHECK = "check"
    TEXT = "text"


CODE = (Role.ANSWER, Role.HELPERS)  # what a student writes and the grader runs
NAME = re.compile(r"""^STUDENT *= *(["'])(.*?)\1""", re.MULTILINE)


@dataclass(frozen=True)
class Cell:
    """A cell of a homework."""

    role: Role
    id: str
    source: str
    points: float = 0


@dataclass(frozen=True, eq=False)
class Homework:
    """The cells of a homework and its questions."""

    name: str
    cells: tuple[Cell, ...]
    questions: tuple[Question, ...]
    fingerprint: str = field(repr=False)  # of all that decides a mark, secret and versions apart
    release: str = ""  # the stamp of what students get now

    @cached_property
    def answers(self) -> dict[str, Cell]:
        """The cells a student writes, helpers and proofs included, by grade_id and in order."""
        written = (*CODE, Role.PROOF)
        return {cell.id: cell for cell in self.cells if cell.role in written}

    @cached_property
    def solutions(self) -> dict[str, str]:
        """The instructor's code by grade_id."""
        return {cell.id: cell.source for cell in self.cells if cell.role in CODE}

    @cached_property
    def nobody(self) -> str | None:
        """What STUDENT is until somebody writes an id; nothing if the homework does not ask."""
        return next(filter(None, (typed_name(cell.source) for cell in self.cells)), None)

    @cached_property
    def points(self) -> float:
        """The points of the whole homework."""
        return sum(cell.points for cell in self.cells)

    @cached_property
    def points_of_code(self) -> float:
        """The points that need no person."""
        return sum(question.points for question in self.questions)

    def program(self, student: str, answers: dict[str, str]) -> list[tuple[str, str]]:
        """Return what is run for a student, in order: (grade_id or "", code) of each cell."""
        name = f"STUDENT = {student!r}"
        steps = [("", name)]
        for cell in self.cells:
            if cell.role is Role.GIVEN:
                steps.append(("", _with_name(cell.source, name)))
            elif cell.role in CODE and cell.id in answers:
                steps.append((cell.id, answers[cell.id]))
        return steps

    def model(self, student: str) -> dict[str, Any]:
        """Run the instructor's own answers, here, and return their namespace."""
        return _model(self, student)[0]

    def shown(self, student: str) -> dict[str, str]:
        """Return what the given cells show to a student, by their place among the cells."""
        places = [i for i, cell in enumerate(self.cells) if cell.role is Role.GIVEN]
        texts = _model(self, student)[1][1:]  # the first sets STUDENT
        return {str(i): text for i, text in zip(places, texts, strict=True) if text}


@lru_cache(maxsize=4)  # once for all questions of a student
def _model(homework: Homework, student: str) -> tuple[dict[str, Any], list[str]]:
    return run_and_show(homework.solutions, homework, student)


def _with_name(code: str, name: str) -> str:
    """Put the student's name, as the course knows it, in the place of the one they typed."""

    def replacement(_: re.Match[str]) -> str:  # a function, since a text would have its \\ read
        return name

    return re.sub(r"^STUDENT *=.*$", replacement, code, flags=re.MULTILINE)


def typed_name(code: str) -> str | None:
    """Return the id that a cell sets STUDENT to, or nothing."""
    found = NAME.search(code)
    return found[2] if found else None


def load(name: str, source: Path = SOURCE) -> Homework:
    """Read exercises/source/<name>: its notebook and its grading.py, which must agree."""
    folder = Path(source, name)
    notebook = json.loads((folder / f"{name}.ipynb").read_text("utf-8"))
    cells = tuple(map(_cell, notebook["cells"]))
    stamp = edition_of(folder / f"{name}.ipynb").metadata["release"]
    homework = Homework(name, cells, _questions(folder), _fingerprint(folder), stamp)
    fault = next(_faults(homework), None)
    if fault is not None:
        raise ValueError(f"{name}: {fault}.")
    return homework


def load_release(path: Path) -> Homework:
    """Read what students get of a homework: its cells, and no questions."""
    notebook = json.loads(path.read_text("utf-8"))
    cells = tuple(map(_cell, notebook["cells"]))
    return Homework(path.stem, cells, (), "", notebook["metadata"].get("release", ""))


def _questions(folder: Path) -> tuple[Question, ...]:
    """Run grading.py; an import would leave a __pycache__ among what is released."""
    path = folder / "grading.py"
    module = types.ModuleType(f"grading_{folder.name}")
    sys.modules[module.__name__] = module
    try:
        exec(compile(path.read_text("utf-8"), str(path), "exec"), module.__dict__)
        questions = module.QUESTIONS
    except OSError:
        raise ValueError(f"{folder.name}: there is no grading.py beside the notebook.") from None
    except AttributeError as error:
        if getattr(error, "obj", None) is not module:
            raise ValueError(f"{folder.name}: grading.py stops with {describe(error)}.") from error
        raise ValueError(
            f"{folder.name}: grading.py has no QUESTIONS, a list with a Question for each answer."
        ) from None
    except Exception as error:
        raise ValueError(f"{folder.name}: grading.py stops with {describe(error)}.") from error
    if not isinstance(questions, (list, tuple)) or not all(
        isinstance(question, Question) for question in questions
    ):
        raise ValueError(f"{folder.name}: QUESTIONS in grading.py is no list of Questions.")
    return tuple(questions)


def _cell(cell: dict[str, Any]) -> Cell:
    metadata = cell.get("metadata", {})
    about = metadata.get("nbgrader", {})
    is_code = cell["cell_type"] == "code"
    if about.get("solution") and about.get("grade_id") == HELPERS:
        role = Role.HELPERS
    elif about.get("solution"):
        role = Role.ANSWER if is_code else Role.PROOF
    elif about.get("grade"):
        role = Role.CHECK
    elif "given" in metadata.get("tags", ()):
        role = Role.GIVEN
    else:
        role = Role.TEXT
    points = about.get("points", 0) if about.get("grade") else 0
    return Cell(role, about.get("grade_id", ""), "".join(cell["source"]), points)


def _faults(homework: Homework) -> Iterator[str]:
    """Say where notebook and grading.py disagree."""
    ids = [cell.id for cell in homework.cells if cell.id]
    for id in ids:
        if ids.count(id) > 1:
            yield f"the grade_id {id} is used twice"
    checks = {cell.id: cell.points for cell in homework.cells if cell.role is Role.CHECK}
    coded = [cell.id for cell in homework.cells if cell.role is Role.ANSWER]
    asked = [question.id for question in homework.questions]
    if coded != asked:
        yield f"the answer cells are {coded}, and grading.py has {asked}"
        return
    for question in homework.questions:
        id, points = question.id, question.points
        if points != sum(behaviour.points for behaviour in question.behaviours):
            yield f"the behaviours of {id} do not add up to its {points} points"
        if points != checks.get(f"{id}-check"):
            yield f"a check cell {id}-check with {points} points is expected"
        later = set(question.needs) - set(coded[: coded.index(id)])
        if later:
            yield f"{id} needs {sorted(later)}, which are not before it"


def _fingerprint(folder: Path) -> str:
    """Return a hash of the homework, the library, and the modules here that do not only report."""
    digest = sha256()
    for place in (folder, HERE, LIBRARY):  # in this order, wherever they are
        for path in sorted(place.rglob("*")):
            if path.suffix in (".py", ".ipynb") and path not in REPORTS:
                digest.update(f"{path.name}\n".encode() + sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def run(answers: dict[str, str], homework: Homework, student: str) -> dict[str, Any]:
    """Run the given cells and trusted answers in this process, and return their namespace."""
    return run_and_show(answers, homework, student)[0]


def run_and_show(
    answers: dict[str, str], homework: Homework, student: str
) -> tuple[dict[str, Any], list[str]]:
    """Run trusted code as `run` does; return also what each given cell prints, and its value."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    shown = []
    for id, code in homework.program(student, answers):
        tree = ast.parse(code, f"<{id or 'given'}>")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        value = None
        with redirect_stdout(io.StringIO()) as said:
            exec(compile(tree, f"<{id or 'given'}>", "exec"), namespace)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), "<given>", "eval"), namespace)
        if not id:
            shown.append(said.getvalue() + _write(value))
    return namespace, shown


def _write(value: Any) -> str:
    """Return plain data as a notebook shows them, and nothing of pictures and widgets."""
    if isinstance(value, str):
        return value
    is_plain = isinstance(value, (bool, int, float, list, tuple, dict, set, Fraction, np.ndarray))
    return repr(value)[:SHOWN_LETTERS] if is_plain else ""


def trusted(homework: Homework, student: str, answers: dict[str, str]) -> Call:
    """Return a way to call trusted answers here; the model answers what is left out."""
    fault = None
    try:
        namespace = run(homework.solutions | answers, homework, student)
    except Exception as error:
        text = f"is not to be found: a cell stops with {describe(error)}"
        fault = Failure(FailureKind.MISSING, text)

    def call(function: str, args: Args) -> Any:
        return fault or call_with(namespace.get(function), args, deepcopy(args))

    return call
