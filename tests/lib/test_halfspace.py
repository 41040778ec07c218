"""Halfspaces: sides, scores, margins, exactness."""

import math
from fractions import Fraction

import numpy as np
import pytest
from halfspaces import CertificateError, Halfspace, homogenise
from hypothesis import given
from hypothesis import strategies as st


def test_the_boundary_belongs_to_the_halfspace():
    h = Halfspace([1, 1], 1)
    assert h([1, 0]) == 1 and h([0, 0]) == -1
    assert h([[1, 0], [0, 0], [2, 2]]).tolist() == [1, -1, 1]


def test_score_of_one_point_and_of_many():
    h = Halfspace([2, -1], 3)
    assert h.score([4, 1]) == 4
    assert h.score([[4, 1], [0, 0]]).tolist() == [4, -3]


@given(
    st.lists(st.integers(-9, 9), min_size=3, max_size=3),
    st.integers(-9, 9),
    st.lists(st.integers(-9, 9), min_size=3, max_size=3),
)
def test_appending_minus_one_turns_the_threshold_into_a_weight(w, b, x):
    lifted = Halfspace([*w, b])
    assert lifted.score(homogenise([x]))[0] == Halfspace(w, b).score(x)


def test_homogenise_keeps_exact_numbers_and_takes_another_constant():
    assert homogenise([[Fraction(1, 3)]]).tolist() == [[Fraction(1, 3), -1]]
    assert homogenise([[1, 2]]).dtype == np.int64
    assert homogenise([[0.5]], constant=2).tolist() == [[0.5, 2.0]]


def test_margin_is_the_distance_of_the_nearest_point():
    h = Halfspace([3, 4], 5)  # ‖w‖ = 5
    assert h.margin([[3, 4], [0, 0]], [1, -1]) == 1.0
    assert h.margin([[3, 4], [1, 1]], [1, -1]) == pytest.approx(-2 / 5)
    assert h.margin([[1, Fraction(1, 2)]], [1]) == 0.0


def test_margin_does_not_overflow_for_weights_of_a_thousand_digits():
    h = Halfspace([10**1000, 0], 0)
    assert h.margin([[1, 5], [-2, 7]], [1, -1]) == 1.0


def test_margin_scales_with_the_points_and_not_with_w():
    X, y = [[1.0, 2.0], [-3.0, -1.0]], [1, -1]
    assert Halfspace([2.0, 2.0]).margin(X, y) == pytest.approx(Halfspace([1.0, 1.0]).margin(X, y))


def test_a_zero_normal_has_sides_but_no_margin():
    assert Halfspace([0, 0], 0)([5, 5]) == 1 and Halfspace([0, 0], 1)([5, 5]) == -1
    with pytest.raises(ValueError, match="w is zero"):
        Halfspace([0, 0]).margin([[1, 1]], [1])


def test_large_integers_stay_exact():
    big = 2**80
    h = Halfspace([big, -1], 0)
    assert h.score([1, big - 1]) == 1  # in floating point this is 0
    assert all(isinstance(v, int) for v in h.w)


def test_mixed_exact_weights_and_float_points():
    assert Halfspace([Fraction(1, 2)], 0).score([0.5]) == 0.25


def test_check_names_the_point():
    Halfspace([1], 0).check([[1], [-1]], [1, -1])
    with pytest.raises(CertificateError, match="point 1"):
        Halfspace([1], 0).check([[1], [0]], [1, -1])  # a tie separates nothing


def test_frozen():
    h = Halfspace([1.0, 2.0])
    with pytest.raises(ValueError):
        h.w[0] = 5
    with pytest.raises(AttributeError):
        h.b = 1


def test_readable():
    assert repr(Halfspace([1, -2], 3)) == "Halfspace(w=[1, -2], b=3)"
    assert Halfspace([1, -2, 0], -3)._repr_html_() == "{x : x<sub>1</sub> − 2x<sub>2</sub> ≥ −3}"


def test_distance_is_measured_along_the_normal():
    h = Halfspace([1.0, 2.0], 3.0)
    x = np.array([4.0, -1.0])
    foot = x - h.score(x) / (h.w @ h.w) * h.w
    assert h.score(foot) == pytest.approx(0) and abs(h.score(x)) / math.sqrt(5) == pytest.approx(
        np.linalg.norm(x - foot)
    )
