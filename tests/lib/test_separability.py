"""Separator or certificate, against brute force, published counts and a second linear program."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from halfspaces import (
    CertificateError,
    DecisionList,
    Separation,
    cube,
    datasets,
    radon_partition,
    separate,
    shatters,
)
from halfspaces.exact import dependence
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import linprog

SMALL = hnp.arrays(
    np.int64, st.tuples(st.integers(1, 8), st.integers(1, 3)), elements=st.integers(-2, 2)
)


def phase_one(X, y, bias=True):
    """Independent oracle: maximise t with y(⟨w,x⟩ − b) ≥ t, −1 ≤ w, b ≤ 1; separable iff t > 0."""
    Z = y[:, None] * (np.column_stack([X, -np.ones(len(X))]) if bias else X)
    k = Z.shape[1]
    result = linprog(
        np.append(np.zeros(k), -1),
        A_ub=np.column_stack([-Z, np.ones(len(Z))]),
        b_ub=np.zeros(len(Z)),
        bounds=[(-1, 1)] * k + [(None, 1)],
    )
    return -result.fun > 1e-7


@pytest.mark.parametrize("d, count", [(1, 4), (2, 14), (3, 104)])
def test_every_boolean_function(d, count):
    answers = [separate(cube(d), y) for y in product((-1, 1), repeat=2**d)]
    for answer in answers:
        answer.check()
    assert sum(answer.separable for answer in answers) == count
    assert all(type(v) is int for a in answers if a for v in a.halfspace.w)


def test_xor_has_two_sums_that_contradict_each_other():
    answer = separate(*datasets.xor())
    assert not answer and answer.multiplicities().tolist() == [1, 1, 1, 1]
    assert answer.common_point().tolist() == [Fraction(1, 2), Fraction(1, 2)]


@settings(max_examples=150, deadline=None)
@given(SMALL, st.randoms(use_true_random=False), st.booleans())
def test_against_the_oracle_in_integers(X, random, bias):
    y = np.array([random.choice((-1, 1)) for _ in X])
    answer = separate(X, y, bias)
    answer.check()
    assert answer.separable == phase_one(X, y, bias)


@settings(max_examples=60, deadline=None)
@given(SMALL, st.randoms(use_true_random=False), st.sampled_from([-199, -20, -1, 20, 199]))
def test_the_scale_does_not_matter(X, random, power):
    """A power of two rounds nothing: other factors can move points that lie on one line off it."""
    scale = 2.0**power
    y = np.array([random.choice((-1, 1)) for _ in X])
    answer = separate(X * scale, y)
    answer.check()
    assert answer.separable == separate(X, y).separable


@pytest.mark.parametrize("margin", [1e-3, 1e-6, 1e-9, 1e-12])
def test_thin_margins_in_floats(margin):
    X = np.array([[0.0, margin], [1.0, margin], [0.5, -margin], [0.25, -margin]])
    answer = separate(X, [1, 1, -1, -1])
    answer.check()
    assert answer.separable
    assert not separate(X * [1, 0], [1, 1, -1, -1])


@pytest.mark.parametrize("k", [10, 40, 60])
def test_exponentially_thin_margins_in_integers(k):
    rng = np.random.default_rng(k)
    formula = DecisionList([(i, i % 2 == 1) for i in range(1, k + 1)], k % 2 == 0, k)
    X = np.vstack(
        [
            np.eye(k, dtype=int),
            np.tril(np.ones((k, k), int))[:, ::-1],
            np.zeros((1, k), int),
            rng.integers(0, 2, (50, k)),
        ]
    )
    answer = separate(X, formula(X))
    answer.check()
    assert answer.separable


def test_collinear_to_rounding_is_not_separable():
    X = np.array([[0.1, 0.2], [0.2, 0.4], [0.3, 0.6]])  # 0.3 is not 3 · 0.1, but nobody means that
    answer = separate(X, [1, -1, 1])
    answer.check()
    assert not answer


def test_boundary_cases():
    assert separate([[1, 1], [1, 1]], [1, -1]).multiplicities().tolist() == [1, 1]
    assert separate([[5]], [-1]).predict([[7]]).tolist() == [-1]
    assert separate([[0, 0]], [1], bias=False).weights.tolist() == [1]
    assert separate([[2], [3]], [1, -1], bias=False).weights.tolist() == [
        Fraction(3, 5),
        Fraction(2, 5),
    ]
    assert separate([[2], [3]], [1, -1])
    with pytest.raises(ValueError, match="no separator"):
        separate(*datasets.xor()).predict([[0, 0]])
    with pytest.raises(ValueError, match="hulls"):
        separate([[0], [1]], [1, -1]).common_point()


def test_many_points_of_which_few_matter():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(20_000, 10))
    y = np.where(X @ rng.normal(size=10) > 0.3, 1, -1)
    separate(X, y).check()
    y[:3] *= -1
    answer = separate(X, y)
    answer.check()
    assert not answer and np.count_nonzero(answer.weights) <= 12


def test_check_names_what_fails():
    X, y = datasets.xor()
    good = separate(X, y)
    quarter = Fraction(1, 4)
    for weights, words in [
        ([quarter] * 3 + [Fraction(1, 2)], "sum to 5/4"),
        ([-quarter, quarter, Fraction(1, 2), Fraction(1, 2)], "point 0"),
        ([Fraction(1, 2), Fraction(1, 2), 0, 0], "coordinate"),
        ([0, 0, 0, 0], "sum to 0"),
    ]:
        with pytest.raises(CertificateError, match=words):
            Separation(X, y, True, None, np.array(weights, object)).check()
    good.check()
    with pytest.raises(CertificateError, match="point"):
        Separation(X, y, True, separate(X, -np.ones(4)).halfspace, None).check()


@settings(max_examples=80, deadline=None)
@given(
    hnp.arrays(
        np.int64, st.tuples(st.integers(1, 5), st.integers(1, 3)), elements=st.integers(-1, 1)
    )
)
def test_shattering_is_every_labelling(X):
    by_hand = all(separate(X, y) for y in product((-1, 1), repeat=len(X)))
    assert shatters(X) is by_hand
    if not by_hand:
        partition = radon_partition(X)
        partition.check()
        assert not separate(X, partition.y)


@pytest.mark.parametrize("d", range(1, 7))
def test_vc_dimension(d):
    """0, e₁ … e_d are shattered, with the notes' weights once corrected; no d + 2 points are."""
    X = datasets.corners(d)
    assert shatters(X) and shatters(X.astype(float))
    rng = np.random.default_rng(d)
    assert not shatters(rng.normal(size=(d + 2, d))) and shatters(rng.normal(size=(d + 1, d)))


def test_dependence():
    rows = np.array([[1, 2], [2, 4], [0, 1]], object)
    c = dependence(rows)
    assert c.any() and (c @ rows == 0).all()
    assert not dependence(np.eye(3, dtype=int).astype(object)).any()


def test_repr_says_which():
    assert "not separable" in separate(*datasets.xor())._repr_html_()
    assert separate([[0], [1]], [-1, 1])._repr_html_().startswith("separable")
    assert math.isclose(sum(separate(*datasets.xor()).weights), 1)
