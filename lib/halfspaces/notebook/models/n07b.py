"""What is expected in the exercises of notebook 7b, and what is tempting but wrong."""

from fractions import Fraction
from typing import Any

from ..exercises import Exercise, Trap

Rows = list[list[int]]
PLANE, LINE, LABELS = [[2, 1], [1, 2], [-1, 3]], [[1], [1], [3]], [1, 1, -1]


def _scores(Z: Rows, v: list[Any]) -> list[Any]:
    return [sum(a * b for a, b in zip(v, z)) for z in Z]


def _wasted(Z: Rows, v: list[Any]) -> list[Any]:
    return [max(0, score - 1) for score in _scores(Z, v)]


def _paid(Z: Rows, v: list[Any]) -> list[Any]:
    return [max(0, 1 - score) for score in _scores(Z, v)]


def _forgets_loss(Z: Rows, v: list[Any]) -> list[Any]:
    return [score - 1 for score in _scores(Z, v)]


def _count(X: Rows, y: list[int], lam: Fraction, draws: list[int]) -> list[int]:
    """Count the draws within the margin, w in exact numbers."""
    w = [Fraction(0)] * len(X[0])
    counts = [0] * len(X)
    for t, i in enumerate(draws, 1):
        inside = y[i] * sum(a * b for a, b in zip(w, X[i])) < 1
        w = [(1 - Fraction(1, t)) * a for a in w]
        if inside:
            w = [a + y[i] * b / (lam * t) for a, b in zip(w, X[i])]
            counts[i] += 1
    return counts


def _against(level: Any, X: Rows, y: list[int], lam: Fraction, draws: list[int]) -> list[int]:
    """Count updates of u = Σ c y x where y⟨u,x⟩ is below a level that depends on t."""
    u = [0] * len(X[0])
    counts = [0] * len(X)
    for t, i in enumerate(draws, 1):
        if y[i] * sum(a * b for a, b in zip(u, X[i])) < level(t, lam):
            u = [a + y[i] * b for a, b in zip(u, X[i])]
            counts[i] += 1
    return counts


def _misses_first(X: Rows, y: list[int], lam: Fraction, draws: list[int]) -> list[int]:
    return _against(lambda t, lam: lam * (t - 1), X, y, lam, draws)


def _against_one(X: Rows, y: list[int], lam: Fraction, draws: list[int]) -> list[int]:
    return _against(lambda t, lam: 1, X, y, lam, draws)


EXERCISES = {
    "7b.1": Exercise(
        expected=_wasted,
        inputs=[
            ([[1, 2], [3, -1], [-2, 1]], [1, 1]),
            ([[2, 0], [0, 2]], [Fraction(1, 2), Fraction(1, 2)]),
            ([[1, 0]], [-3, 5]),
        ],
        traps=[
            Trap(_paid, "That is what v pays at each mistake; asked is what the line wastes."),
            Trap(_forgets_loss, "Where v pays, its loss is subtracted too, and all cancels."),
        ],
    ),
    "7b.2": Exercise(
        expected=_count,
        inputs=[
            (PLANE, LABELS, Fraction(1), [0, 1, 2] * 3),
            (LINE, LABELS, Fraction(1, 3), [0, 1, 2] * 5),
            (LINE, LABELS, Fraction(5), [0, 1, 0, 1, 0, 1]),
        ],
        traps=[
            Trap(
                _misses_first, "At t = 1 the level is 0 and so is the score: the first draw counts."
            ),
            Trap(_against_one, "The test z < 1 is one on w; on u = λ(t − 1)w the level grows."),
        ],
    ),
}
