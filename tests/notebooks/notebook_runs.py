"""Run the cells of a notebook in this process, without a kernel, and keep what its tests need."""

import ast
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import matplotlib.pyplot as plt
import numpy as np
from edition_rules import is_own_data
from halfspaces.notebook import figures
from halfspaces.notebook.exercises import Feedback
from halfspaces.notebook.live import Live
from notebook_rules import Book, find_exercises


@dataclass(frozen=True)
class Outcome:
    """Hold what a run made: live views, and what checks said of stubs and of solutions."""

    views: list[Live]
    checks: dict[str, tuple[Feedback, Feedback]]


def run_source(source: str, namespace: dict[str, Any], name: str) -> Any:
    """Run code and return the value of the expression that it ends with."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), namespace)
    return eval(compile(ast.Expression(last.value), name, "eval"), namespace) if last else None


@contextmanager
def nothing_displayed(folder: Path) -> Iterator[list[Live]]:
    """Show nothing, work in the notebook's folder, and list the live views that are made."""
    views: list[Live] = []
    make = Live.__init__

    def note(self: Live, *args: Any, **options: Any) -> None:
        make(self, *args, **options)
        views.append(self)

    here = Path.cwd()
    os.chdir(folder)
    try:
        with (
            mock.patch("IPython.display.display"),
            mock.patch.object(figures, "Still"),
            mock.patch.object(plt, "show"),
            mock.patch.object(Live, "__init__", note),
        ):
            yield views
    finally:
        os.chdir(here)
        plt.close("all")


def run_with_data(path: Path, X: Any, y: Any) -> list[Live]:
    """Run a notebook with other data in its cells for the reader's own; return its live views."""
    namespace: dict[str, Any] = {"__name__": "__main__", "display": mock.Mock()}
    with nothing_displayed(path.parent) as views:
        for cell in Book(path).code:
            run_source(cell.source, namespace, f"{path.stem} [{cell.execution_count}]")
            if is_own_data(cell):
                namespace |= {"X": np.array(X), "y": np.array(y)}
    return views


@cache
def run(path: Path) -> Outcome:
    """Run a notebook as it is; at each check, also with the solutions up to this exercise."""
    book = Book(path)
    namespace: dict[str, Any] = {"__name__": "__main__", "display": mock.Mock()}
    solved: dict[str, Any] = {}
    exercises = {exercise.check.id: exercise for exercise in find_exercises(book)}
    checks = {}
    with nothing_displayed(path.parent) as views:
        for cell in book.code:
            value = run_source(cell.source, namespace, f"{path.stem} [{cell.execution_count}]")
            if exercise := exercises.get(cell.id):
                other = namespace | solved
                before = dict(other)
                run_source(exercise.solution, other, f"solution {exercise.number}")
                solved |= {name: new for name, new in other.items() if before.get(name) is not new}
                checks[exercise.number] = (
                    value,
                    run_source(cell.source, other, f"check {exercise.number}"),
                )
    return Outcome(views, checks)
