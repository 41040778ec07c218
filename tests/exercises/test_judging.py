"""Answers are judged by the library's verifiers: exact data stay exact, whatever their size."""

from fractions import Fraction

import numpy as np
import pytest
from coursekit.homework.grading.judging import exact, is_exact, is_exact_list, passes, plain
from halfspaces.certificates import verify_no_separator, verify_not_gram, verify_separator

TINY = Fraction(1, 10**60)
HUGE = 10**400


@pytest.mark.parametrize(
    ("value", "length", "expected"),
    [
        ([1, Fraction(1, 2)], 2, True),
        ((1, 2), 2, True),
        ([1, 2], 3, False),
        ([1, True], 2, False),
        ([1, 2.0], 2, False),
        (["1", 2], 2, False),
        ([[1], 2], 2, False),
        ({1: 2}, 1, False),
        (np.array([1, 2]), 2, False),
        (None, 0, False),
        ([], 0, True),
    ],
)
def test_types_come_first(value, length, expected):
    assert is_exact_list(value, length) is expected


def test_plain_values_have_no_numpy_left():
    got = plain((np.int64(3), np.array([1, 2]), [np.float64(0.5), (True,)]))
    assert got == [3, [1, 2], [0.5, [True]]]
    assert is_exact(got[0]) and type(got[1]) is list and type(got[2][0]) is float


@pytest.mark.parametrize("unit", [1, TINY, HUGE], ids=["one", "tiny", "huge"])
def test_separators_are_judged_exactly(unit):
    X, y = exact([[unit], [-unit]]), exact([1, -1])
    assert passes(verify_separator, X, y, exact([1]), unit - TINY * unit)
    assert not passes(verify_separator, X, y, exact([1]), unit)  # a tie is a mistake
    assert not passes(verify_separator, X, y, exact([-1]), 0)


@pytest.mark.parametrize("unit", [1, TINY, HUGE], ids=["one", "tiny", "huge"])
def test_certificates_are_judged_exactly(unit):
    X, y, half = exact([[unit], [unit]]), exact([1, -1]), Fraction(1, 2)
    assert passes(verify_no_separator, X, y, exact([half, half]))
    assert not passes(verify_no_separator, X, y, exact([half + TINY, half - TINY]))
    assert not passes(verify_no_separator, X + exact([[0], [TINY]]), y, exact([half, half]))
    assert not passes(verify_no_separator, X, y, exact([1, 1]))


def test_numbers_of_too_many_digits_are_no_fault_of_ours():
    weights = [Fraction(1, 2**13_000 - 2 * k - 1) for k in range(6)]
    assert not passes(verify_no_separator, exact([[0]] * 6), exact([1, -1] * 3), exact(weights))


@pytest.mark.parametrize("unit", [1, TINY, HUGE], ids=["one", "tiny", "huge"])
def test_matrices_are_judged_exactly(unit):
    def matrix(corner):
        return exact([[unit, unit], [unit, corner]])

    assert passes(verify_not_gram, matrix(unit * (1 - TINY)), exact([1, -1]))
    assert not passes(verify_not_gram, matrix(unit), exact([1, -1]))
    assert not passes(verify_not_gram, matrix(unit * (1 + TINY)), exact([1, -1]))


def test_our_own_faults_are_not_taken_for_wrong_answers():
    with pytest.raises(ValueError):
        passes(verify_separator, exact([[1, 2]]), exact([1]), exact([1, 2, 3]))
