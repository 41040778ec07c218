"""What is expected in the exercises of notebook 6b, and what is tempting but wrong."""

from typing import Any

import numpy as np

from ..exercises import Exercise, Trap


def take_away(w: Any, x: Any) -> np.ndarray:
    """Return w − ⟨w,x̂⟩x̂."""
    return _along(w, x, -1.0 / np.dot(x, x))


def _along(w: Any, x: Any, factor: float) -> np.ndarray:
    """Add to w its product with x, times a factor, along x."""
    return np.array(w, float) + factor * np.dot(w, x) * np.array(x, float)


def length_squared(c: float, rho: float) -> float:
    """Return 1 − (c − ρ)(3c + ρ)/4."""
    return 1 - (c - rho) * (3 * c + rho) / 4


EXERCISES = {
    "6b.1": Exercise(
        expected=take_away,
        inputs=[
            ([-1.0, 0.0], [1.0, 1.0]),
            ([0.0, -2.0, 1.0], [0.0, 3.0, 4.0]),
            ([3.0, -4.0], [-30.0, 0.0]),
        ],
        traps=[
            Trap(
                lambda w, x: _along(w, x, -1.0),
                "That takes away ⟨w,x⟩x: x has to be divided by its length, both times.",
            ),
            Trap(
                lambda w, x: _along(w, x, -1.0 / float(np.linalg.norm(x))),
                "x̂ stands twice in the update, so the length is divided out twice.",
            ),
            Trap(
                lambda w, x: _along(w, x, 1.0 / np.dot(x, x)),
                "The component along x has been doubled, and it should be taken away.",
            ),
        ],
    ),
    "6b.2": Exercise(
        expected=length_squared,
        inputs=[(1.0, 0.0), (0.5, 0.25), (0.1, 0.3), (-0.2, 0.1)],
        traps=[
            Trap(
                lambda c, rho: 1 + (c - rho) ** 2 / 4,
                "The middle term is missing: z* and u are not at a right angle.",
            ),
            Trap(
                lambda c, rho: 1 - (c - rho) * c / 2 + (c - rho) ** 2 / 4,
                "The middle term is twice the product of z* and ½(c − ρ)u.",
            ),
            Trap(
                lambda c, rho: 1 - (c - rho) * c,
                "The last term is missing: the square of ½(c − ρ)u.",
            ),
        ],
    ),
}
