"""What is expected in the exercises of notebook 4, and what is tempting but wrong."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...datasets import animals, one_error_to_two, two_slow_points, with_bias, xor
from ..exercises import Exercise, Trap

Books = tuple[np.ndarray, list[int], bool]
PAIR = np.array([[1, 0], [1, -1]], np.int64), np.array([1, -1], np.int64)


def _sweeps(is_mistake: Callable[[Any], Any], push: Callable[..., Any]) -> Callable[..., Books]:
    """Return the perceptron with this test for a mistake and this update."""

    def perceptron(X: Any, y: Any, max_sweeps: int = 1000) -> Books:
        w = np.zeros(X.shape[1], X.dtype)
        mistakes: list[int] = []
        for _ in range(max_sweeps):
            before = len(mistakes)
            for i in range(len(X)):
                if is_mistake(y[i] * (w @ X[i])):
                    w = w + push(X[i], y[i])
                    mistakes.append(i)
            if len(mistakes) == before:
                return w, mistakes, True
        return w, mistakes, False

    return perceptron


def _signed(x: Any, y: Any) -> Any:
    return y * x


def _unsigned(x: Any, y: Any) -> Any:
    return x


def _is_mistake(score: Any) -> Any:
    return score <= 0


def _is_wrong(score: Any) -> Any:
    return score < 0


perceptron = _sweeps(_is_mistake, _signed)
without_ties = _sweeps(_is_wrong, _signed)
without_labels = _sweeps(_is_mistake, _unsigned)


def one_sweep(X: Any, y: Any, max_sweeps: int = 1000) -> Books:
    """Look at each point once, and call it done."""
    w, mistakes, _ = perceptron(X, y, 1)
    return w, mistakes, True


def all_at_once(X: Any, y: Any, max_sweeps: int = 1000) -> Books:
    """Judge a whole sweep by the w that it began with."""
    w = np.zeros(X.shape[1], X.dtype)
    mistakes: list[int] = []
    for _ in range(max_sweeps):
        wrong = np.flatnonzero(y * (X @ w) <= 0)
        if not len(wrong):
            return w, mistakes, True
        w = w + y[wrong] @ X[wrong]
        mistakes += wrong.tolist()
    return w, mistakes, False


def same_books(got: Any, expected: Books) -> bool | str:
    """Compare w as numbers, whole or not, and say which part differs."""
    if not isinstance(got, tuple) or len(got) != 3:
        return "Three things are expected: w, the list of mistakes, and whether it was clean."
    if [int(i) for i in got[1]] != expected[1]:
        return f"The mistakes are {expected[1][:8]} … in this order." if expected[1] else False
    if not np.array_equal(np.asarray(got[0], float), expected[0]):
        return "The mistakes are right, and w is not their signed sum."
    return bool(got[2]) == expected[2] or "The last of the three says whether it stopped by itself."


TEN_LINES = Exercise(
    expected=perceptron,
    inputs=[PAIR, animals(), one_error_to_two(), two_slow_points(3), (*with_bias(xor()), 5)],
    same=same_books,
    traps=[
        Trap(without_ties, "At w = 0 every point is a tie: with < in place of ≤ nothing starts."),
        Trap(one_sweep, "One sweep is not enough: go on until a sweep makes no mistake."),
        Trap(without_labels, "A mistake on a point of label −1 subtracts it: add y·x, not x."),
        Trap(
            all_at_once, "Each point is judged by the w of that moment, not of the sweep's start."
        ),
    ],
)


def _score(w: Any, x: Any, y: int) -> int:
    return y * int(np.dot(w, x))


def _square(x: Any) -> int:
    return int(np.dot(x, x))


def updates_to_fix(w: Any, x: Any, y: int) -> int:
    """Return the smallest k ≥ 0 such that w + k·y·x makes no mistake on (x, y)."""
    score = _score(w, x, y)
    return 0 if score > 0 else -score // _square(x) + 1


def up_to_the_line(w: Any, x: Any, y: int) -> int:
    """Stop at a tie."""
    return max(0, math.ceil(-_score(w, x, y) / _square(x)))


def rounded_up(w: Any, x: Any, y: int) -> int:
    """Round up, and add one for the tie always."""
    score = _score(w, x, y)
    return 0 if score > 0 else math.ceil(-score / _square(x)) + 1


def by_length(w: Any, x: Any, y: int) -> int:
    """Take the length for its square."""
    score = _score(w, x, y)
    return 0 if score > 0 else math.floor(-score / math.sqrt(_square(x))) + 1


def without_zero(w: Any, x: Any, y: int) -> int:
    """Forget that the point may be right already."""
    return -_score(w, x, y) // _square(x) + 1


PUSHES = Exercise(
    expected=updates_to_fix,
    inputs=[
        ((-10,), (1,), 1),
        ((0, 0), (1, 0), 1),
        ((-3, -4), (2, 1), 1),
        ((5, 5), (1, 2), -1),
        ((3, 1), (1, 1), 1),
        ((-1, 0), (1, 1), 1),
        ((-4, -4), (2, 2), 1),
    ],
    traps=[
        Trap(up_to_the_line, "If the division comes out even the point is a tie: one more push."),
        Trap(rounded_up, "One push too many where the division leaves a remainder."),
        Trap(by_length, "A push raises the score by the square of the length of x."),
        Trap(without_zero, "A point that is right from the start needs no push."),
    ],
)

EXERCISES = {"4.1": TEN_LINES, "4.2": PUSHES}
