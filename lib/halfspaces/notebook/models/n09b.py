"""What is expected in the exercises of notebook 9b, and what is tempting but wrong."""

from fractions import Fraction
from typing import Any

from ..exercises import Exercise, Trap

F = Fraction
Three = tuple[Fraction, Fraction, Fraction]
Pair = tuple[Fraction, Fraction]


def one_point(C: Fraction, x: Fraction) -> Three:
    """Return v, α and ξ of the soft margin for the single point x > 0 with label +1."""
    alpha = min(C, 1 / x**2)
    v = alpha * x
    return v, alpha, max(F(0), 1 - v * x)


def hard_point(C: Fraction, x: Fraction) -> Three:
    """Forget that a price cannot exceed the fee."""
    return 1 / x, 1 / x**2, F(0)


def price_for_vector(C: Fraction, x: Fraction) -> Three:
    """Take α for v."""
    alpha = min(C, 1 / x**2)
    return alpha, alpha, max(F(0), 1 - alpha * x)


def top_forgotten(C: Fraction, x: Fraction) -> Three:
    """Always pay the whole fee."""
    return C * x, C, max(F(0), 1 - C * x**2)


def weights(C: Fraction, C_prime: Fraction) -> Pair:
    """Return the weights with which the two inequalities say N ≤ N'."""
    return C_prime, C


def say_that_norms_grow(got: Any, expected: Pair) -> bool | str:
    """Tell whether weights cancel the slack and leave N ≤ N'."""
    p, q = got
    C_prime, C = expected
    if not (p > 0 and q > 0):
        return "An inequality times a negative number turns round, and times 0 is gone."
    if p * C != q * C_prime:
        return "A multiple of S − S′ is left over: p·C and q·C′ must be equal."
    return True


def added(C: Fraction, C_prime: Fraction) -> Pair:
    """Add the inequalities as they are."""
    return F(1), F(1)


def swapped(C: Fraction, C_prime: Fraction) -> Pair:
    """Weigh each inequality by its own fee."""
    return C, C_prime


EXERCISES = {
    "9b.1": Exercise(
        expected=one_point,
        inputs=[(F(1, 4), F(1)), (F(3), F(1)), (F(1, 8), F(2)), (F(1), F(2)), (F(5), F(1, 3))],
        traps=[
            Trap(hard_point, "That is the hard margin: α may not exceed C."),
            Trap(price_for_vector, "Stationarity says v = αx, not v = α."),
            Trap(top_forgotten, "The parabola may have its top before C, at α = 1/x²."),
        ],
    ),
    "9b.2": Exercise(
        expected=weights,
        inputs=[(F(1), F(2)), (F(1, 3), F(5)), (F(2), F(7))],
        same=say_that_norms_grow,
        traps=[
            Trap(added, "Added as they are, N cancels: that is the sentence about the slack."),
            Trap(swapped, "Each is to be weighed by the fee of the other."),
        ],
    ),
}
