"""What is expected in the exercises of notebook 9, and what is tempting but wrong."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..exercises import Exercise, Trap

F = Fraction
Point = Sequence[Fraction]


def square(point: Point) -> Fraction:
    """Return the squared length of a point."""
    return sum((value * value for value in point), F(0))


def step_inwards(p: Point, z: Point) -> Fraction:
    """Return t in (0, 1] such that p + t(z − p) is shorter than p, as short as can be."""
    return min(lowest_point(p, z), F(1))


def is_nearer(t: Any, best: Fraction) -> bool | str:
    """Tell whether a step stays on the segment and leads nearer to 0.

    A parabola that falls at first is below its start until twice the way to its lowest point.
    """
    if not 0 < t <= 1:
        return "That leaves the segment from p to z, and perhaps the hull: 0 < t ≤ 1."
    return t < 2 * best or "But p + t(z − p) is then no nearer to 0 than p."


def lowest_point(p: Point, z: Point) -> Fraction:
    """Return where the parabola is lowest, which may be beyond z."""
    slope = sum((s * (s - r) for s, r in zip(p, z)), F(0))
    return slope / square([s - r for s, r in zip(p, z)])


def all_the_way(p: Point, z: Point) -> Fraction:
    """Go to z itself."""
    return F(1)


def a_little(p: Point, z: Point) -> Fraction:
    """Take a small step, the same for all points."""
    return F(1, 100)


def one_over_square(p: Point, z: Point) -> Fraction:
    """Look at the distance of z, and not at the slope."""
    return min(1 / square([s - r for s, r in zip(p, z)]), F(1))


NEARER = [
    ([F(2), F(0)], [F(1), F(1)]),
    ([F(4), F(0)], [F(1), F(0)]),
    ([F(1), F(0)], [F(0), F(50)]),
    ([F(1), F(1)], [F(-(10**9)), F(10**9)]),
    ([F(1), F(2), F(3)], [F(3), F(2), F(1)]),
    ([F(1), F(0)], [F(9, 10), F(50)]),
]

EXERCISES = {
    "9.1": Exercise(
        expected=step_inwards,
        inputs=NEARER,
        same=is_nearer,
        traps=[
            Trap(
                all_the_way,
                "At z you may be farther from 0 than at p: the parabola turns up before t = 1.",
            ),
            Trap(
                a_little,
                "However small a fixed step is, some z is so far away that it overshoots.",
            ),
            Trap(
                one_over_square,
                "A step may be that long only if the parabola starts steeply: look at ⟨p,p − z⟩.",
            ),
            Trap(lowest_point, "The lowest point of the parabola may lie beyond z, at t > 1."),
        ],
    ),
    "9.2": Exercise(
        expected=[[F(1, 6), F(1, 2)], [F(1, 18), F(2, 9), F(0)]],
        inputs=None,
        traps=[
            Trap(
                [[F(1, 2), F(-1, 2)], [F(1, 6), F(1, 3), F(0)]],
                "The second point has the label −1: its z is (0, 2).",
            ),
            Trap(
                [[F(-1, 4), F(1, 2)], [F(0), F(3, 8), F(-1, 16)]],
                "A price is negative, and the first point stands in the street: guess again.",
            ),
            Trap(
                [[F(1, 3), F(1)], [F(1, 9), F(4, 9), F(0)]],
                "Both are twice too large: the scores on the edge are 2, and 1 is enough.",
            ),
        ],
    ),
}
