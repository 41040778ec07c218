"""What a homework gives its students: data of their own, and a check that judges as grading does.

    check(mirror, [[2, 5]], [([1, 0], 3, [4, 5])])
    check(smallest_tie, [1], [([4, 7], 7)], same=is_small_tie, like=[0, 0])

Types follow the rule of grading: exact numbers are asked for wherever the expected ones are exact.
A call that takes long is told, for grading waits for a few seconds only.
"""

import time
from collections.abc import Iterable
from dataclasses import replace
from functools import wraps
from typing import Any

from .exercises import Feedback, Same, mine
from .exercises import check as check_exercise

__all__ = ["check", "mine"]

SLOW = 2  # seconds of a call that are worth a warning
PATIENCE = 5  # seconds that grading waits for a call


def check(
    answer: Any,
    expected: Any,
    inputs: Iterable[Any],
    same: Same | None = None,
    like: Any = None,
) -> Feedback:
    """Check an answer on some inputs, as exactly as grading does, and say if it is slow."""
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
    if slowest <= SLOW:
        return said
    warning = f"One call took {slowest:.1f} seconds; grading gives up after {PATIENCE}."
    return replace(said, message=f"{said.message} {warning}")
