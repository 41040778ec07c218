"""Read the notebooks of the course: titles, questions, predictions, exercises. Nothing is run."""

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .questions import Predict, Question

CHECK = "check_exercise"


@dataclass(frozen=True)
class Notebook:
    """Hold what a notebook asks its readers."""

    path: Path
    title: str
    questions: tuple[Question, ...]
    predictions: tuple[str, ...]  # their ids
    exercises: tuple[str, ...]  # their numbers

    @property
    def prefix(self) -> str:
        """Return the number by which its file and the ids of its questions begin."""
        return self.path.stem.partition("-")[0]


def read_course(course: Path | None) -> list[Notebook]:
    """Return the notebooks of a course in their order, those that can be read."""
    if course is None:
        return []
    found = [read_notebook(path) for path in sorted((course / "notebooks").glob("*.ipynb"))]
    return [book for book in found if book is not None]


def read_notebook(path: Path) -> Notebook | None:
    """Return what a notebook asks, or None if the file is no notebook."""
    try:
        cells = json.loads(path.read_text("utf-8"))["cells"]
        texts = {kind: _sources(cells, kind) for kind in ("code", "markdown")}
    except (OSError, ValueError, KeyError, TypeError):
        return None
    title = re.search(r"^# (.+)$", "\n".join(texts["markdown"]), re.MULTILINE)
    code = texts["code"]
    return Notebook(
        path=path,
        title=title[1].strip() if title else path.stem,
        questions=tuple(question for source in code for question in _sound(source)),
        predictions=tuple(_named(code, Predict.__name__, "id")),
        exercises=tuple(_first(code, CHECK)),
    )


def questions(source: str) -> list[Question]:
    """Return the questions that the code of a cell asks."""
    return [_question(call) for call in calls(source, Question.__name__)]


def _sound(source: str) -> list[Question]:
    """Return the questions of a cell, none where one is faulty: that is no reason to stop here."""
    try:
        return questions(source)
    except ValueError:
        return []


def calls(source: str, name: str) -> list[ast.Call]:
    """Return the calls of a function, and no method, in code; none if it is not Python."""
    if name not in source:
        return []
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    ]


def _question(call: ast.Call) -> Question:
    try:
        parts: Any = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
        return Question(**parts)
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"The parts of a Question are named and written out, so that they can be read: {error}"
        ) from error


def _named(sources: list[str], function: str, argument: str) -> list[str]:
    """Return the texts that are given to a function under a name."""
    return [
        keyword.value.value
        for source in sources
        for call in calls(source, function)
        for keyword in call.keywords
        if keyword.arg == argument
        and isinstance(keyword.value, ast.Constant)
        and isinstance(keyword.value.value, str)
    ]


def _first(sources: list[str], function: str) -> list[str]:
    """Return the texts that are given to a function as its first argument."""
    return [
        call.args[0].value
        for source in sources
        for call in calls(source, function)
        if call.args
        and isinstance(call.args[0], ast.Constant)
        and isinstance(call.args[0].value, str)
    ]


def _sources(cells: list[Any], kind: str) -> list[str]:
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == kind]
