"""What is expected in the exercises of notebook 3, and what is tempting but wrong."""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from ...datasets import animals, corners, xor
from ...halfspace import Halfspace, homogenise
from ..exercises import Exercise, Trap

HALF, QUARTER = Fraction(1, 2), np.array([Fraction(1, 4)] * 4)
LINE = np.array([[0], [1], [2], [3]], np.int64)


def proves(X: Any, y: Any, lam: Any) -> bool:
    """Tell whether λ proves that no halfspace with a threshold separates the data."""
    return _positive(lam) and _convex(lam) and _cancels(lam, y[:, None] * homogenise(X))


def _positive(lam: Any) -> bool:
    return bool((lam >= 0).all())


def _convex(lam: Any) -> bool:
    return bool(lam.sum() == 1)


def _cancels(lam: Any, Z: Any) -> bool:
    return bool((lam @ Z == 0).all())


def without_signs(X: Any, y: Any, lam: Any) -> bool:
    """Forget λ ≥ 0."""
    return _convex(lam) and _cancels(lam, y[:, None] * homogenise(X))


def without_sum(X: Any, y: Any, lam: Any) -> bool:
    """Forget Σλ = 1."""
    return _positive(lam) and _cancels(lam, y[:, None] * homogenise(X))


def without_threshold(X: Any, y: Any, lam: Any) -> bool:
    """Forget the appended −1."""
    return _positive(lam) and _convex(lam) and _cancels(lam, y[:, None] * X)


def in_total(X: Any, y: Any, lam: Any) -> bool:
    """Add up all coordinates of the sum, in place of looking at each."""
    total = (lam @ (y[:, None] * homogenise(X))).sum()
    return _positive(lam) and _convex(lam) and bool(total == 0)


def without_labels(X: Any, y: Any, lam: Any) -> bool:
    """Forget the labels."""
    return _positive(lam) and _convex(lam) and _cancels(lam, homogenise(X))


PROOFS = Exercise(
    expected=proves,
    inputs=[
        (*xor(), QUARTER),
        (np.array([[1, 0], [0, 1]]), np.array([1, -1]), np.array([HALF, HALF])),
        (*xor(), 0 * QUARTER),
        (LINE, np.array([1, 1, -1, -1]), np.array([-HALF, Fraction(1), HALF, Fraction(0)])),
        (np.array([[1], [2]]), np.array([1, -1]), np.array([Fraction(2, 3), Fraction(1, 3)])),
        (*animals(), QUARTER),
        (LINE, np.array([1, -1, 1, -1]), np.array([1, 2, 1, 0]) * Fraction(1, 4)),
    ],
    traps=[
        Trap(
            without_signs,
            "Weights of mixed sign cancel on separable data too: these would claim that 0, 1 "
            "and 2, 3 on a line cannot be separated.",
        ),
        Trap(without_sum, "Weights that are all 0 cancel whatever the data: ask for their sum."),
        Trap(
            without_threshold,
            "Without the −1 only the halfspaces through the origin are defeated; a threshold "
            "separates the points 1 and 2.",
        ),
        Trap(in_total, "Each coordinate of the sum must be 0, not their total."),
        Trap(without_labels, "The labels are missing: it is the signed points that cancel."),
    ],
)


def step_towards(p: Any, z: Any) -> Fraction:
    """Return the t in (0, 1] for which p + t(z − p) is nearest to 0."""
    return min(Fraction(1), beyond(p, z))


def beyond(p: Any, z: Any) -> Fraction:
    """Return where the parabola is lowest, on the segment or beyond it."""
    down = sum(a * (a - b) for a, b in zip(p, z))
    return Fraction(down, sum((b - a) ** 2 for a, b in zip(p, z)))


def comes_nearer(t: Any, best: Fraction) -> bool | str:
    """Tell whether t is on the segment and before the parabola is back at its start."""
    if not 0 < t <= 1:
        return f"With t = {t} one leaves the segment from p to z, and perhaps the hull."
    return bool(t < 2 * best) or "That point is no nearer to 0 than p: the step is too long."


def whole_way(p: Any, z: Any) -> int:
    """Go to z."""
    return 1


def short(p: Any, z: Any) -> Fraction:
    """Go a hundredth of the way."""
    return Fraction(1, 100)


NEARER = Exercise(
    expected=step_towards,
    inputs=[
        ((1, 0), (0, 5)),
        ((4, 0), (3, 0)),
        ((3, 4), (-3, -4)),
        ((1, 0), (0, 1000)),
        ((2, 1, 0), (1, 1, 7)),
    ],
    same=comes_nearer,
    traps=[
        Trap(
            whole_way, "z itself may be far from 0; only the first bit of the way is sure to help."
        ),
        Trap(short, "No fixed step is short enough for all z: it must depend on how far z is."),
        Trap(beyond, "The lowest point of the parabola may lie beyond z."),
    ],
)


def corner_weights(y: Any) -> tuple[list[int], int]:
    """Return w and b that give the corners 0, e₁, …, e_d their labels."""
    return [label - y[0] for label in y[1:]], -y[0]


def has_the_labels(got: Any, expected: Any) -> bool:
    """Tell whether every corner is strictly on the side where it is expected."""
    points = corners(len(expected[0]))
    scores = (Halfspace(*pair).decision_function(points) for pair in (got, expected))
    return bool(np.all(np.multiply(*scores) > 0))


def copied(y: Any) -> tuple[list[int], int]:
    """Give each corner its label as a weight, and the threshold too."""
    return [*y[1:]], -y[0]


def without_b(y: Any) -> tuple[list[int], int]:
    """Do without the threshold."""
    return [*y[1:]], 0


def other_sign(y: Any) -> tuple[list[int], int]:
    """Add the threshold where it is subtracted."""
    return [label - y[0] for label in y[1:]], y[0]


CORNERS = Exercise(
    expected=corner_weights,
    inputs=[list(y) for d in (1, 2, 3) for y in product((1, -1), repeat=d + 1)],
    same=has_the_labels,
    traps=[
        Trap(
            copied,
            "The threshold enters every score: at eᵢ it is wᵢ − b = yᵢ₊₁ + y₁, which is 0 where "
            "the two labels differ.",
        ),
        Trap(without_b, "The corner 0 has the score −b, and it needs a label too."),
        Trap(other_sign, "The score is ⟨w,x⟩ − b: at the corner 0 it is −b."),
    ],
)

EXERCISES = {"3.1": PROOFS, "3.2": NEARER, "3.3": CORNERS}
