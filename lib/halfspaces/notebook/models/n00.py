"""What is expected in the exercise of notebook 0, and what is tempting but wrong."""

from collections.abc import Sequence

import numpy as np

from ..exercises import Exercise, Trap


def length(v: Sequence[float]) -> float:
    """Return the Euclidean norm of v."""
    return float(np.sqrt(np.dot(v, v)))


def squares(v: Sequence[float]) -> float:
    """Forget the root."""
    return float(np.dot(v, v))


def sizes(v: Sequence[float]) -> float:
    """Add the entries up, without their signs."""
    return float(np.abs(v).sum())


EXERCISES = {
    "0.1": Exercise(
        expected=length,
        inputs=[((3, 4),), ((1, -2, 2),), ((0, 0),)],
        traps=[
            Trap(squares, "This is the square of the length: the root is missing."),
            Trap(sizes, "This is the way round the corner; the length is the way across."),
        ],
    ),
}
