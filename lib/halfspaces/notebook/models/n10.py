"""What is expected in the exercises of notebook 10, and what is tempting but wrong."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ..exercises import Exercise, Trap
from ..flaws import Fate, one_point_fewer

F = Fraction
Point = Sequence[int]
Answer = int | list[Fraction]


def vector(Z: Sequence[Point], kept: Sequence[int], alpha: Sequence[Fraction]) -> list[Fraction]:
    """Return Σ αz over the kept points."""
    return [sum((a * Z[i][k] for a, i in zip(alpha, kept)), F(0)) for k in range(len(Z[0]))]


def scores(Z: Sequence[Point], v: Sequence[Fraction]) -> list[Fraction]:
    """Return ⟨v,z⟩ for every point."""
    return [sum((s * t for s, t in zip(v, z)), F(0)) for z in Z]


def spread(Z: Sequence[Point], kept: Sequence[int], alpha: Sequence[Fraction]) -> list[Fraction]:
    """Return α for all points, 0 for those that were thrown away."""
    full = [F(0)] * len(Z)
    for a, i in zip(alpha, kept):
        full[i] = a
    return full


def complete(Z: Sequence[Point], kept: Sequence[int], alpha: Sequence[Fraction]) -> Answer:
    """Return α for all points, or the place of a point that stands in the street."""
    for i, score in enumerate(scores(Z, vector(Z, kept, alpha))):
        if score < 1:
            return i
    return spread(Z, kept, alpha)


def settles(got: Any, expected: Answer) -> bool | str:
    """Tell whether an answer proves the street the widest, or names the point that is in it."""
    named = isinstance(got, int | np.integer)
    if isinstance(expected, int):
        fault = f"But ⟨v,z⟩ ≥ 1 fails: point {expected} stands in the street."
        return got == expected if named else fault
    if named:
        return f"But point {got} does not stand in the street: its score is at least 1."
    return list(got) == expected or "With these multipliers some line fails."


def unchecked(Z: Sequence[Point], kept: Sequence[int], alpha: Sequence[Fraction]) -> list[Fraction]:
    """Fill up with zeros and look at nobody."""
    return spread(Z, kept, alpha)


def edge_is_inside(Z: Sequence[Point], kept: Sequence[int], alpha: Sequence[Fraction]) -> Answer:
    """Take a point on the edge for one in the street."""
    for i, score in enumerate(scores(Z, vector(Z, kept, alpha))):
        if score <= 1:
            return i
    return spread(Z, kept, alpha)


def breaks(answer: Any, _: Any) -> bool | str:
    """Tell whether three small points break the line that was named."""
    line, points = answer
    if line != 5:
        return f"Line {line} follows: look for a line that compares two different things."
    if len(points) != 3 or np.shape(points)[1:] != (2,) or np.abs(points).max() > 1:
        return "Three points of the plane are expected, with coordinates −1, 0, 1."
    verdict = one_point_fewer(points)
    return verdict.fate is Fate.BROKEN or f"The line is right. But the points: {verdict.sentence}"


HALVES = [  # in each at most one point stands in the street of the kept ones
    ([(1, 0), (1, -2), (-1, 3)], [0, 2], [F(11, 9), F(2, 9)]),
    ([(1, 0), (2, 2), (0, 1)], [0, 2], [F(1), F(1)]),
    ([(2, 0), (3, 1), (1, 5)], [0], [F(1, 4)]),
    ([(1, 0), (1, 1), (1, -1)], [0], [F(1)]),
]

EXERCISES = {
    "10.1": Exercise(
        expected=complete,
        inputs=HALVES,
        same=settles,
        traps=[
            Trap(unchecked, "Zeros alone prove nothing: primal feasibility has to be looked at."),
            Trap(edge_is_inside, "On the edge, at score 1, a point is not in the street."),
        ],
    ),
    "10.2": Exercise(
        expected=[5, [(1, 1), (1, 0), (0, 1)]],
        inputs=None,
        same=breaks,
        traps=[
            Trap(
                [2, [(1, 1), (1, 0), (0, 1)]],
                "With fewer constraints the margin can only grow, and the longest point can only "
                "become shorter.",
            ),
            Trap(
                [5, [(1, 0), (1, 1), (0, 1)]],
                "Let the first point be one that settles everything at once.",
            ),
        ],
    ),
}
