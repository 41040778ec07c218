"""Kernels against their feature maps, and matrices that are none."""

import math
from fractions import Fraction

import numpy as np
import pytest
from halfspaces import (
    CertificateError,
    check_kernel,
    datasets,
    geometric,
    gram,
    linear,
    monomials,
    polynomial,
    rbf,
    run_perceptron,
)
from halfspaces.kernels import PLAIN, KernelCheck
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

POINTS = hnp.arrays(
    float,
    st.tuples(st.integers(1, 6), st.integers(1, 3)),
    elements=st.integers(-8, 8).map(lambda v: v / 4),
)
FINITE = [
    linear,
    polynomial(1),
    polynomial(2),
    polynomial(3, 1),
    polynomial(2, 0.5),
    geometric(0),
    geometric(3),
    linear + polynomial(2, 1),
    linear * geometric(2),
]


@pytest.mark.parametrize("kernel", FINITE, ids=lambda k: k.name)
@settings(max_examples=25, deadline=None)
@given(X=POINTS)
def test_a_kernel_is_an_inner_product_of_features(kernel, X):
    features = kernel.features(X)
    assert np.allclose(gram(kernel, X).astype(float), features @ features.T, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    "kernel", [*FINITE, rbf(0.5), rbf(3) + linear, rbf(1) * polynomial(2)], ids=lambda k: k.name
)
@settings(max_examples=25, deadline=None)
@given(X=POINTS)
def test_gram_matrices_are_positive_semidefinite(kernel, X):
    K = gram(kernel, X)
    answer = check_kernel(K)
    answer.check()
    assert answer.is_kernel and (K == K.T).all()


def test_the_number_of_features():
    """N(n, d) = C(n+d, d) monomials of degree at most d;
    the homogeneous kernel has those of degree d.
    """
    for n in range(1, 5):
        for d in range(1, 5):
            X = np.ones((1, n))
            assert (
                len(monomials(n, d)) == math.comb(n + d, d) == polynomial(d, 1).features(X).shape[1]
            )
            assert polynomial(d).features(X).shape[1] == math.comb(n + d - 1, d)
    assert len(monomials(2, 3)) == 10 == len(monomials(3, 2))


def test_integers_and_fractions_stay_exact():
    assert polynomial(40, 1)([[10]], [[10]])[0, 0] == 101**40
    assert geometric(30)([[10]], [[10]])[0, 0] == (100**31 - 1) // 99
    assert polynomial(2, Fraction(1, 3))([[1]], [[1]])[0, 0] == Fraction(16, 9)
    assert geometric(2).features([[Fraction(1, 2)]]).tolist() == [
        [1, Fraction(1, 2), Fraction(1, 4)]
    ]
    assert isinstance(polynomial(2, 0.5)([[Fraction(1, 2)]], [[1]])[0, 0], float)


def test_geometric_series_where_the_quotient_fails():
    x = 1 + 1e-9
    exact = sum(Fraction(x) ** (2 * k) for k in range(6))
    assert abs(geometric(5)([[x]], [[x]])[0, 0] - float(exact)) < 1e-14 * float(exact)
    assert geometric(5)([[1.0]], [[1.0]])[0, 0] == 6
    quotient = (1 - (x * x) ** 6) / (1 - x * x)
    assert abs(quotient - float(exact)) > 1e-9  # what the formula of the notes would give


def test_rbf():
    K = rbf(0.7)([[0.0, 0.0]], [[1.0, 2.0], [0.0, 0.0]])
    assert np.allclose(K, [[math.exp(-3.5), 1]])
    far = rbf(1.0)([[1e8, 0.0]], [[1e8, 0.0]])
    assert far[0, 0] == 1
    with pytest.raises(ValueError, match="no finite feature map"):
        rbf(1).features([[1]])


def test_the_gaussian_gram_matrix_has_full_rank():
    X = np.linspace(0, 3, 8)[:, None]
    assert np.linalg.matrix_rank(gram(rbf(1.0), X)) == 8


@pytest.mark.parametrize(
    "K, lowest",
    [
        ([[1, 0.9, 0], [0.9, 1, 0.9], [0, 0.9, 1]], -0.273),
        ([[1, 0, 1], [0, 1, 1], [1, 1, math.sqrt(2)]], -0.222),
        ([[-1]], -1),
    ],
)
def test_what_is_not_a_kernel(K, lowest):
    answer = check_kernel(K)
    answer.check()
    c = answer.direction
    assert not answer and c @ np.array(K) @ c / (c @ c) == pytest.approx(lowest, abs=1e-3)
    assert "not a Gram matrix" in answer._repr_html_()


def test_every_two_by_two_block_is_fine_and_the_whole_is_not():
    K = np.array([[1, 0.9, 0], [0.9, 1, 0.9], [0, 0.9, 1]])
    assert all(
        check_kernel(K[np.ix_(p, p)]) for p in ([0, 1], [1, 2], [0, 2])
    ) and not check_kernel(K)


def test_zero_and_rank_one():
    for K in (np.zeros((3, 3)), np.ones((4, 4))):
        check_kernel(K).check()
        assert check_kernel(K)


def test_check_catches_forgeries():
    K = np.eye(2)
    with pytest.raises(CertificateError, match="differs"):
        KernelCheck(K, np.ones((2, 2)), None).check()
    with pytest.raises(CertificateError, match="not negative"):
        KernelCheck(K, None, np.ones(2)).check()


def test_the_price_of_the_lift():
    """Alternating labels at 0 … d need degree d, and R²‖v*‖² explodes: 10, 441, 6.8·10⁴ …"""
    from halfspaces import solve_svm

    for d, price in [(1, 10), (2, 441), (3, 6.8e4)]:
        X, y = datasets.alternating_line(d + 1)
        lifted = geometric(d).features(X)
        assert (lifted**2).sum(1).max() / solve_svm(
            lifted, y, bias=False
        ).margin ** 2 == pytest.approx(price, rel=0.01)
        assert run_perceptron(lifted, y).converged or d > 2


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: polynomial(0), "degree is 0"),
        (lambda: polynomial(2, -1), "offset is -1"),
        (lambda: polynomial(1.5), "degree is 1.5"),
        (lambda: geometric(-1), "degree is -1"),
        (lambda: rbf(0), "gamma is 0"),
        (lambda: rbf(math.nan), "NaN"),
        (lambda: check_kernel([[1, 2]]), "square"),
        (lambda: check_kernel([[1, 2], [3, 1]]), r"not symmetric: K\[0, 1\]"),
        (lambda: linear([[1, 2]], [[1]]), "dimension 1"),
        (lambda: gram(linear, [[math.inf]]), "infinity"),
    ],
)
def test_bad_input(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("d", [1, 2, 3, 4, 30])
@pytest.mark.parametrize("gamma", [1e-9, 0.5, 20, 1e4])
@pytest.mark.parametrize("offset", [0, 1e6])
def test_single_precision_is_wrong_by_no_more_than_it_says(gamma, d, offset):
    X = np.random.default_rng(d).normal(size=(300, d))
    X[150:] = X[:150] + 0.01 * X[150:]  # some are close to each other
    X += offset * (d <= 3)
    for kernel in (rbf(gamma), rbf(gamma) + polynomial(2, 1)):
        exact = kernel.block(X[100:], X)
        values, wrong = kernel.roughly(X)
        rough = values(X[100:])
        assert rough.dtype == np.float32
        assert (np.abs(rough - exact) <= wrong * exact.max()).all()
    assert rbf(0.5).roughly(X)[1] < (2.0**-20 if d <= 3 else 2.0**-13)


@pytest.mark.parametrize("d", [1, 2, 3, 4, 20])
@pytest.mark.parametrize("n", [1, 2, 30])
def test_distances_of_points_far_from_the_origin(d, n):
    rng = np.random.default_rng(d)
    A, B = np.round(rng.normal(size=(7, d)), 6), np.round(rng.normal(size=(n, d)), 6)
    near, far = rbf(0.3)(A, B), rbf(0.3)(A + 2.0**20, B + 2.0**20)
    assert near.shape == far.shape == (7, n)
    assert near == pytest.approx(np.exp(-0.3 * ((A[:, None] - B) ** 2).sum(2)), abs=1e-14)
    assert far == pytest.approx(near, abs=1e-8)


@pytest.mark.parametrize("d", [1, PLAIN, PLAIN + 1])
@pytest.mark.parametrize("kernel", [rbf(1.0), polynomial(2) * rbf(1.0), rbf(1.0) + linear])
def test_no_points_have_no_values(kernel, d):
    X = np.ones((2, d))
    assert kernel.block(X, X[:0]).shape == (2, 0) and kernel.block(X[:0], X).shape == (0, 2)
    assert kernel.diagonal(X[:0]).shape == (0,)
