"""What is expected in the exercises of notebook 1, and what is tempting but wrong."""

from typing import Any

import numpy as np

from ..exercises import Exercise, Trap

Pair = tuple[np.ndarray, float]


def signed_distance(w: Any, b: float, x: Any) -> float:
    """Return the distance of x from the boundary, negative outside the halfspace."""
    return float((np.dot(w, x) - b) / np.linalg.norm(w))


def score(w: Any, b: float, x: Any) -> float:
    """Forget the length of w."""
    return float(np.dot(w, x) - b)


def unsigned_distance(w: Any, b: float, x: Any) -> float:
    """Forget the side."""
    return abs(signed_distance(w, b, x))


def over_square(w: Any, b: float, x: Any) -> float:
    """Divide by the square of the length."""
    return float((np.dot(w, x) - b) / np.dot(w, w))


def threshold_left_out(w: Any, b: float, x: Any) -> float:
    """Divide the inner product alone."""
    return float(np.dot(w, x) / np.linalg.norm(w) - b)


def nearer(p: Any, q: Any) -> Pair:
    """Return (w, b) of the points that are at least as near to p as to q."""
    return np.subtract(p, q), float(np.dot(p, p) - np.dot(q, q)) / 2


def without_half(p: Any, q: Any) -> Pair:
    """Forget the 2 of the double product."""
    return np.subtract(p, q), float(np.dot(p, p) - np.dot(q, q))


def through_origin(p: Any, q: Any) -> Pair:
    """Forget the threshold."""
    return np.subtract(p, q), 0.0


def turned_round(p: Any, q: Any) -> Pair:
    """Keep the other side."""
    return nearer(q, p)


def square_of_difference(p: Any, q: Any) -> Pair:
    """Take the square of the difference for the difference of the squares."""
    w = np.subtract(p, q)
    return w, float(np.dot(w, w)) / 2


def same_halfspace(got: Any, want: Pair) -> bool | str:
    """Tell whether two pairs are one halfspace: a positive factor makes no difference."""
    if not isinstance(got, (tuple, list)) or len(got) != 2:
        return "a pair (w, b) is expected"
    here, there = (np.append(np.asarray(w, float), float(b)) for w, b in (got, want))
    if here.shape != there.shape:
        return "w has as many entries as the points"
    factor = np.dot(here[:-1], there[:-1]) / np.dot(there[:-1], there[:-1])
    return bool(factor > 0 and np.allclose(here, factor * there))


EXERCISES = {
    "1.1": Exercise(
        expected=signed_distance,
        inputs=[
            ((3, 4), 5, (0, 0)),
            ((3, 4), 5, (3, 4)),
            ((-1.5, 1, 2), 0, (2, 4, 0)),
            ((6, 8), 10, (3, 4)),
        ],
        traps=[
            Trap(score, "This is the score. Double w and b, and it doubles; the point stays."),
            Trap(unsigned_distance, "The distance is right, but the side has got lost."),
            Trap(over_square, "Divided by ‖w‖² it is the factor of w, not yet a distance."),
            Trap(threshold_left_out, "The whole score is divided by ‖w‖, b included."),
        ],
    ),
    "1.2": Exercise(
        expected=nearer,
        inputs=[((3, 4), (0, 0)), ((1, 0), (0, 1)), ((2, 1, 0), (0, 1, 3)), ((1,), (-3,))],
        same=same_halfspace,
        traps=[
            Trap(without_half, "The double product brings a 2: the midpoint must have score 0."),
            Trap(through_origin, "This boundary goes through the origin, wherever p and q are."),
            Trap(turned_round, "These are the points nearer to q: which way does ≤ point?"),
            Trap(
                square_of_difference,
                "‖p − q‖² is not ‖p‖² − ‖q‖²: try p = (1, 0) and q = (0, 1).",
            ),
        ],
    ),
}
