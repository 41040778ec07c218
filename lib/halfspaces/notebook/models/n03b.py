"""What is expected in the exercises of notebook 3b, and what is tempting but wrong."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, log, log2

from ..exercises import Exercise, Trap

Wrongs = Sequence[bool]


def examples_needed(size: int, eps: float, delta: float) -> int:
    """Return the smallest n with (ln size + ln 1/δ)/n ≤ ε."""
    return ceil((log(size) + log(1 / delta)) / eps)


def rounded_down(size: int, eps: float, delta: float) -> int:
    """Round down."""
    return floor((log(size) + log(1 / delta)) / eps)


def not_rounded(size: int, eps: float, delta: float) -> float:
    """Do not round at all."""
    return (log(size) + log(1 / delta)) / eps


def in_bits(size: int, eps: float, delta: float) -> int:
    """Take logarithms to the base 2."""
    return ceil((log2(size) + log2(1 / delta)) / eps)


def sure_of_delta(size: int, eps: float, delta: float) -> int:
    """Add ln δ, which is negative."""
    return ceil((log(size) + log(delta)) / eps)


HOW_MANY = Exercise(
    expected=examples_needed,
    inputs=[(104, 0.1, 0.05), (94572, 0.1, 0.05), (94572, 0.01, 0.01), (15028134, 0.25, 0.5)],
    traps=[
        Trap(rounded_down, "One example fewer than the theorem needs: round up."),
        Trap(not_rounded, "Examples come in whole numbers: round up."),
        Trap(in_bits, "The theorem has natural logarithms."),
        Trap(sure_of_delta, "It is ln(1/δ), which is positive: to be surer takes more examples."),
    ],
)


def all_hidden(first: Wrongs, second: Wrongs) -> Fraction:
    """Return the probability that after the swaps the first sample has no mistake."""
    if any(a and b for a, b in zip(first, second)):
        return Fraction(0)
    return half_for_each_mistake(first, second)


def half_for_each_mistake(first: Wrongs, second: Wrongs) -> Fraction:
    """Halve for each mistake."""
    return Fraction(1, 2) ** (sum(first) + sum(second))


def half_for_each_pair(first: Wrongs, second: Wrongs) -> Fraction:
    """Halve for each pair with a mistake, even with two."""
    return Fraction(1, 2) ** sum(a or b for a, b in zip(first, second))


def half_for_each_coin(first: Wrongs, second: Wrongs) -> Fraction:
    """Prescribe every coin."""
    return Fraction(1, 2) ** len(first)


YES, NO = True, False
SWAPS = Exercise(
    expected=all_hidden,
    inputs=[
        ([NO, NO, NO], [YES, NO, YES]),
        ([NO, NO], [NO, NO]),
        ([YES, NO, NO, NO], [NO, YES, YES, NO]),
        ([YES, NO, NO], [YES, YES, NO]),
        ([NO] * 10, [YES] * 10),
    ],
    traps=[
        Trap(
            half_for_each_mistake,
            "That is the bound. If a pair holds two mistakes, one of them is in the first sample "
            "whatever the coin says.",
        ),
        Trap(half_for_each_pair, "A pair with two mistakes cannot hide them both."),
        Trap(half_for_each_coin, "A pair without a mistake does not mind its coin."),
    ],
)

EXERCISES = {"3b.1": HOW_MANY, "3b.2": SWAPS}
