"""What is expected in the exercises of notebook 5, and what is tempting but wrong."""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from ..exercises import Exercise, Trap


def exact_bound(X: Any, y: Any, w_star: Any) -> Fraction:
    """Return R²‖w*‖²/γ̂² as a Fraction."""
    Z = np.array(y)[:, None] * np.array(X)
    return _bound(Z, w_star, int(min(Z @ w_star)) ** 2)


def without_labels(X: Any, y: Any, w_star: Any) -> Fraction:
    """Leave the labels out of the margin."""
    Z = np.array(X)
    return _bound(Z, w_star, int(min(Z @ w_star)) ** 2)


def margin_not_squared(X: Any, y: Any, w_star: Any) -> Fraction:
    """Divide by γ̂ in place of its square."""
    Z = np.array(y)[:, None] * np.array(X)
    return _bound(Z, w_star, int(min(Z @ w_star)))


def star_left_out(X: Any, y: Any, w_star: Any) -> Fraction:
    """Take w* for a unit vector."""
    Z = np.array(y)[:, None] * np.array(X)
    return Fraction(int(max((Z**2).sum(axis=1))), int(min(Z @ w_star)) ** 2)


def largest_margin(X: Any, y: Any, w_star: Any) -> Fraction:
    """Take the margin of the point that is best off."""
    Z = np.array(y)[:, None] * np.array(X)
    return _bound(Z, w_star, int(max(Z @ w_star)) ** 2)


def by_roots(X: Any, y: Any, w_star: Any) -> float:
    """Compute R/γ first, and square it."""
    Z = np.array(y)[:, None] * np.array(X)
    R = math.sqrt(max((Z**2).sum(axis=1)))
    return float((R * math.hypot(*w_star) / min(Z @ w_star)) ** 2)


def _bound(Z: np.ndarray, w_star: Any, below: int) -> Fraction:
    return Fraction(int(max((Z**2).sum(axis=1))) * int(np.dot(w_star, w_star)), below)


def careful_bound(R2: Any, gamma2: Any, beta: Any) -> Fraction:
    """Return (R² + 2β)/γ²."""
    return Fraction(R2 + 2 * beta) / Fraction(gamma2)


EXERCISES = {
    "5.1": Exercise(
        expected=exact_bound,
        inputs=[
            ([[1, 1], [-1, 1], [0, -1]], [1, 1, -1], [0, 1]),
            ([[3, 1], [1, 0]], [1, -1], [-1, 4]),
            ([[1, 1], [0, -2], [0, 5]], [1, -1, 1], [0, 1]),
            ([[2, -3], [0, 2], [0, -1], [2, 0], [-3, 2]], [-1, 1, -1, 1, 1], [2, 5]),
        ],
        traps=[
            Trap(by_roots, "Floats lose digits, by a root or by a division: keep whole numbers."),
            Trap(margin_not_squared, "The functional margin has to be squared, as R and ‖w*‖ are."),
            Trap(largest_margin, "The margin is that of the point that is worst off: a minimum."),
            Trap(
                star_left_out,
                "That takes w* for a unit vector: its length stands in the bound, squared.",
            ),
            Trap(
                without_labels,
                "The labels are left out: of the points of class −1 the margin is −⟨w*,x⟩.",
            ),
        ],
    ),
    "5.2": Exercise(
        expected=careful_bound,
        inputs=[(13, 2, 0), (13, 2, 5), (128, Fraction(64, 161), 1000)],
        traps=[
            Trap(
                lambda R2, gamma2, beta: Fraction(R2) / Fraction(gamma2),
                "That is the old bound: an update may now be made where ⟨w,z⟩ is up to β.",
            ),
            Trap(
                lambda R2, gamma2, beta: Fraction(R2 + beta) / Fraction(gamma2),
                "The middle term of ‖w + z‖² is 2⟨w,z⟩, twice the product.",
            ),
            Trap(
                lambda R2, gamma2, beta: Fraction(R2 + beta**2) / Fraction(gamma2),
                "The middle term of ‖w + z‖² is 2⟨w,z⟩, which is at most 2β and not β².",
            ),
        ],
    ),
}
