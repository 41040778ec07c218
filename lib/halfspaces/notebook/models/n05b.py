"""What is expected in the exercises of notebook 5b, and what is tempting but wrong."""

from fractions import Fraction
from typing import Any

import numpy as np

from ..exercises import Exercise, Trap


def price_of(X: Any, y: Any, w: Any, b: Any, c: Any) -> Fraction:
    """Return (R² + c²)(‖w‖² + b²/c²)/γ̂²."""
    return _price(X, y, w, b, longer=c**2, heavier=Fraction(b) ** 2 / c**2)


def only_longer(X: Any, y: Any, w: Any, b: Any, c: Any) -> Fraction:
    """Mend R alone."""
    return _price(X, y, w, b, longer=c**2, heavier=0)


def only_heavier(X: Any, y: Any, w: Any, b: Any, c: Any) -> Fraction:
    """Mend the weights alone."""
    return _price(X, y, w, b, longer=0, heavier=Fraction(b) ** 2 / c**2)


def threshold_appended(X: Any, y: Any, w: Any, b: Any, c: Any) -> Fraction:
    """Append b to the weights whatever c is."""
    return _price(X, y, w, b, longer=c**2, heavier=Fraction(b) ** 2)


def _price(X: Any, y: Any, w: Any, b: Any, longer: Any, heavier: Any) -> Fraction:
    margin = min(s * (int(np.dot(w, x)) - b) for x, s in zip(X, y))
    R2 = max(int(np.dot(x, x)) for x in X) + longer
    return Fraction(R2) * (int(np.dot(w, w)) + heavier) / Fraction(margin) ** 2


def start_bound(R: float, gamma: float, a: float, eta: float) -> float:
    """Return (R/γ)² + 2a/(ηγ)."""
    return (R / gamma) ** 2 + 2 * a / (eta * gamma)


EXERCISES = {
    "5b.1": Exercise(
        expected=price_of,
        inputs=[
            ([[5], [3]], [1, -1], [1], 4, 1),
            ([[-1], [0], [2], [3]], [-1, -1, 1, 1], [1], 1, 2),
            ([[1, 1], [3, 0]], [1, -1], [-1, 1], -1, Fraction(3, 2)),
        ],
        traps=[
            Trap(only_longer, "The weights have become longer too: b/c has been appended to w."),
            Trap(only_heavier, "The points have become longer too: c² is added to R²."),
            Trap(
                threshold_appended,
                "What is appended to w is b/c: then ⟨w,x⟩ − b comes out on (x, −c).",
            ),
        ],
    ),
    "5b.2": Exercise(
        expected=start_bound,
        inputs=[(1.0, 1.0, 0.0, 1.0), (1.0, 1.0, 10.0, 2.0), (3.0, 0.5, 4.0, 0.25)],
        traps=[
            Trap(
                lambda R, gamma, a, eta: (R / gamma) ** 2,
                "That is the bound from 0: a start that points away from w* has to be undone.",
            ),
            Trap(
                lambda R, gamma, a, eta: (R / gamma) ** 2 + a / (eta * gamma),
                "When (tηγ − a)² is multiplied out, its middle term is 2tηγa.",
            ),
            Trap(
                lambda R, gamma, a, eta: (R / gamma) ** 2 + 2 * a / gamma,
                "A step is ηz: t of them gain tηγ, and the start is undone the sooner.",
            ),
        ],
    ),
}
