"""What is expected in the exercises of notebook 4b, and what is tempting but wrong."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...datasets import animals, one_error_to_two, two_slow_points
from ...perceptron import run_perceptron
from ..exercises import Exercise, Trap

POINTS = np.array(
    [[2, -1], [-2, 2], [-3, 0], [-1, 3], [-1, -4], [2, 2], [4, 3], [-4, 3], [4, -3]], np.int64
)
LABELS = np.array([-1, -1, 1, -1, 1, -1, -1, 1, -1], np.int64)
FEWEST = 5  # updates


def needs_few(order: Any, expected: Any) -> bool | str:
    """Tell whether the order has all nine points, and few mistakes are made in it."""
    order = [int(i) for i in order]
    if sorted(order) != list(range(9)):
        return "Each of the numbers 0 to 8 is expected once."
    updates = len(run_perceptron(POINTS[order], LABELS[order]).mistakes)
    return updates <= FEWEST or f"In this order there are {updates} updates."


ORDER = Exercise(
    expected=[8, 7, 6, 5, 4, 3, 2, 1, 0],
    same=needs_few,
    traps=[
        Trap(list(range(9)), "That is the order in which they stand: look for another."),
        Trap([8, 4, 3, 1, 0], "A sweep goes over all nine points, those that are right included."),
    ],
)


def count_mistakes(X: Any, y: Any) -> list[int]:
    """Count the updates on each point until a sweep is clean."""
    return np.bincount(run_perceptron(X, y).mistakes, minlength=len(X)).tolist()


def one_sweep(X: Any, y: Any) -> list[int]:
    """Sweep once."""
    return np.bincount(run_perceptron(X, y, max_passes=1).mistakes, minlength=len(X)).tolist()


def ever_wrong(X: Any, y: Any) -> list[int]:
    """Note that a point was a mistake, and not how often."""
    return [min(1, count) for count in count_mistakes(X, y)]


def without_labels(X: Any, y: Any) -> list[int]:
    """Forget the labels of the points that were added."""
    counts = np.zeros(len(X), np.int64)
    for _ in range(100):
        before = counts.copy()
        for i in range(len(X)):
            if y[i] * ((X @ X.T)[i] @ counts) <= 0:
                counts[i] += 1
        if (counts == before).all():
            break
    return counts.tolist()


COUNTS = Exercise(
    expected=count_mistakes,
    inputs=[
        (np.array([[1, 0], [1, -1]], np.int64), np.array([1, -1], np.int64)),
        animals(),
        one_error_to_two(),
        two_slow_points(3),
    ],
    traps=[
        Trap(one_sweep, "One sweep is not enough: go on until a sweep changes no count."),
        Trap(ever_wrong, "A point that was a mistake twice counts twice."),
        Trap(without_labels, "In w each point stands with its label: the sum needs cⱼ·yⱼ."),
    ],
)


def weights_of_cycle(mistakes: Sequence[int], n: int) -> list[Fraction]:
    """Return λ from the updates of a cycle."""
    return [Fraction(mistakes.count(i), len(mistakes)) for i in range(n)]


def bare_counts(mistakes: Sequence[int], n: int) -> list[int]:
    """Do not divide."""
    return [mistakes.count(i) for i in range(n)]


def equal_shares(mistakes: Sequence[int], n: int) -> list[Fraction]:
    """Give the same weight to each point that was a mistake."""
    used = set(mistakes)
    return [Fraction(int(i in used), len(used)) for i in range(n)]


def over_points(mistakes: Sequence[int], n: int) -> list[Fraction]:
    """Divide by the number of points."""
    return [Fraction(mistakes.count(i), n) for i in range(n)]


CYCLE = Exercise(
    expected=weights_of_cycle,
    inputs=[([0, 1, 2, 3], 4), ([2, 0, 2], 3), ([1, 3, 1, 1, 0, 3], 4)],
    traps=[
        Trap(bare_counts, "They cancel, and are not yet weights: Σλ = 1 is missing."),
        Trap(equal_shares, "What cancels is each point as often as it was added."),
        Trap(over_points, "Divide by the number of updates, which is the sum of the counts."),
    ],
)

EXERCISES = {"4b.1": ORDER, "4b.2": COUNTS, "4b.3": CYCLE}
