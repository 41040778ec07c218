"""What a homework gives its students: data of their own, and a check that judges as grading does.

    check(mirror, [[2, 5]], [([1, 0], 3, [4, 5])])
    check(smallest_tie, [1], [([4, 7], 7)], same=is_small_tie, like=[0, 0])

Types follow the rule of grading: exact numbers are asked for wherever the expected ones are exact.
A call that takes long is told, for grading waits for a few seconds only; and so is a function from
a cell that grading does not read.
"""

import linecache
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import wraps
from types import CodeType, FunctionType
from typing import Any

from .exercises import Feedback, Same, mine
from .exercises import check as check_exercise

__all__ = ["check", "mine"]

SLOW = 2  # seconds of a call that are worth a warning
PATIENCE = 5  # seconds that grading waits for a call
READ = ("# Helpers", "# Given", "mine(STUDENT", "halfspaces.notebook.homework")  # mark cells
checked: set[str] = set()  # the functions that stand in answer cells


def check(
    answer: Any,
    expected: Any,
    inputs: Iterable[Any],
    same: Same | None = None,
    like: Any = None,
) -> Feedback:
    """Check an answer on some inputs, as exactly as grading does, and warn of what grading does."""
    checked.add(getattr(answer, "__name__", ""))
    slowest = 0.0

    def timed(*args: Any) -> Any:
        nonlocal slowest
        start = time.perf_counter()
        try:
            return answer(*args)
        finally:
            slowest = max(slowest, time.perf_counter() - start)

    function = wraps(answer)(timed) if callable(answer) else answer
    said = check_exercise(function, expected, inputs, same, like, exact=True)
    warnings = [
        f"It calls {name}, from a cell that grading does not read: move it into this cell, "
        "or into that of helpers."
        for name in strangers(answer)
    ]
    if slowest > SLOW:
        warnings.append(f"One call took {slowest:.1f} seconds; grading gives up after {PATIENCE}.")
    return replace(said, message=" ".join([said.message, *warnings]))


def strangers(answer: Any) -> list[str]:
    """Return the functions of the notebook that an answer calls from cells that are not read."""
    if not isinstance(answer, FunctionType):
        return []
    found = []
    for name in dict.fromkeys(_names(answer.__code__)):
        value = answer.__globals__.get(name)
        if isinstance(value, FunctionType) and value.__module__ == answer.__module__:
            cell = value.__code__.co_filename
            if cell != answer.__code__.co_filename and not _is_read(name, cell):
                found.append(name)
    return found


def _names(code: CodeType) -> Iterator[str]:
    """Return the names that a function looks up outside of itself, and the functions in it too."""
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _names(part)


def _is_read(name: str, cell: str) -> bool:
    """Tell whether grading reads a cell, by its text; what cannot be seen is let pass."""
    text = "".join(linecache.getlines(cell))
    return not text or name in checked or any(mark in text for mark in READ)
