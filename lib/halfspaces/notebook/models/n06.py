"""What is expected in the exercises of notebook 6, and what is tempting but wrong."""

from fractions import Fraction
from typing import Any

from ..exercises import Exercise, Trap


def hopeless(budget: int) -> int:
    """Return the smallest k with (4F(k)F(k+1) + 1)/(k + 1) > budget."""
    return _first(lambda k, f, after: 4 * f * after + 1 > budget * (k + 1))


def not_divided(budget: int) -> int:
    """Forget that the bound is divided by R² = k + 1."""
    return _first(lambda k, f, after: 4 * f * after + 1 > budget)


def reached(budget: int) -> int:
    """Stop where the budget is reached, and not where it is exceeded."""
    return _first(lambda k, f, after: 4 * f * after + 1 >= budget * (k + 1))


def one_too_far(budget: int) -> int:
    """Count the Fibonacci numbers from F(0)."""
    return hopeless(budget) + 1


def _first(exceeds: Any) -> int:
    """Return the first k at which something is true of k, F(k) and F(k + 1)."""
    k, f, after = 1, 1, 1
    while not exceeds(k, f, after):
        k, f, after = k + 1, after, f + after
    return k


def at_least(v2: Any, R2: Any, q: int) -> Fraction:
    """Return ‖v*‖²/(q⁴R²)."""
    return Fraction(v2) / (q**4 * Fraction(R2))


EXERCISES = {
    "6.1": Exercise(
        expected=hopeless,
        inputs=[1, 3, 100, 10**6, 10**9],
        traps=[
            Trap(
                not_divided,
                "That is ‖v*‖² alone: the longest corner has R² = k + 1, and each mistake may add "
                "as much to ‖w‖².",
            ),
            Trap(
                reached,
                "A bound equal to the budget is within the budget; it has to be exceeded.",
            ),
            Trap(one_too_far, "The numbers begin with F(1) = F(2) = 1: that is one k too far."),
        ],
    ),
    "6.2": Exercise(
        expected=at_least,
        inputs=[(25, 4, 1), (100, 1, 10), (Fraction(9, 2), 3, 2), (7, Fraction(1, 3), 3)],
        traps=[
            Trap(
                lambda v2, R2, q: Fraction(v2) / Fraction(R2),
                "That is the bound for whole numbers: on 1 and 1/10 it would demand 100 updates, "
                "and one is enough.",
            ),
            Trap(
                lambda v2, R2, q: Fraction(v2) / (q**2 * Fraction(R2)),
                "Both w and z have coordinates in multiples of 1/q, so their product is a "
                "multiple of 1/q², and lengths are squared after that.",
            ),
        ],
    ),
}
