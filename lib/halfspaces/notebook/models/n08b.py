"""What is expected in the exercises of notebook 8b, and what is tempting but wrong."""

from typing import Any

import numpy as np

from ..exercises import Exercise, Trap


def _count_changes(x: list[int], y: list[int]) -> int:
    labels = [label for _, label in sorted(zip(x, y))]
    return sum(a != b for a, b in zip(labels, labels[1:]))


def _unsorted(x: list[int], y: list[int]) -> int:
    return sum(a != b for a, b in zip(y, y[1:]))


def _for_any_labels(x: list[int], y: list[int]) -> int:
    return len(x) - 1


def _as_row(exponents: list[int], p: int) -> str:
    return "|".join("*" * size for size in [p - sum(exponents), *exponents])


def _without_rest(exponents: list[int], p: int) -> str:
    return "|".join("*" * size for size in exponents)


def _rest_last(exponents: list[int], p: int) -> str:
    return "|".join("*" * size for size in [*exponents, p - sum(exponents)])


def _refutes(answer: Any, _: Any) -> bool | str:
    """Tell what keeps points and weights from refuting the maximum."""
    x, c = (np.array(part) for part in answer)
    if len(set(x.tolist())) < len(x) or len(x) != len(c):
        return "distinct points are expected, and a number for each"
    if x.min() <= 0:
        return "positive points are expected"
    value = c @ np.maximum.outer(x, x) @ c
    return bool(value < 0) or f"cᵀGc is {value}, which is not negative"


EXERCISES = {
    "8b.1": Exercise(
        expected=_count_changes,
        inputs=[
            ([0, 1, 2], [1, -1, 1]),
            ([3, 1, 2], [1, 1, 1]),
            ([5, -2, 0, 1], [-1, 1, -1, 1]),
            ([1, 3, 2, 4], [1, -1, 1, -1]),
        ],
        traps=[
            Trap(_unsorted, "The points come in any order: sort the labels by them first."),
            Trap(_for_any_labels, "That degree does any labels at all; these may need less."),
        ],
    ),
    "8b.2": Exercise(
        expected=_as_row,
        inputs=[([2, 0], 3), ([0, 0, 0], 2), ([1, 2, 1], 4), ([3], 5)],
        traps=[
            Trap(_without_rest, "The stars that are missing to degree p have a group, too."),
            Trap(_rest_last, "The group of what is missing comes first here."),
        ],
    ),
    "8b.3": Exercise(
        expected=([1, 2], [2, -1]),
        same=_refutes,
        traps=[
            Trap(([1, 2], [1, 1]), "All entries of G are positive: c needs both signs."),
            Trap(([2, 2], [1, -1]), "The same point twice is one point."),
        ],
    ),
}
