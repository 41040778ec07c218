"""The SVM solver against exact answers, scikit-learn, a general-purpose optimiser,
and its own certificate.
"""

import math
import os
import subprocess
import sys
import tracemalloc
import warnings
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from halfspaces import smo
from halfspaces import svm as solver
from halfspaces.certificates import GAP, CertificateError
from halfspaces.kernels import Kernel, geometric, linear, polynomial, rbf
from halfspaces.separability import separate
from halfspaces.smo import Dual, Problem, begin, newton_step, solve_dual, two_variable_step
from halfspaces.svm import SVM, NotSeparableError, solve_svm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg.lapack import dposv
from scipy.optimize import minimize
from sklearn.svm import SVC
from without import NO_PROCESSES

HARD = math.inf
ANIMALS = [[2, 4, 0], [8, 8, 0], [2, 0, 2], [2, 0, 0]], [1, -1, 1, -1]
XOR = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1]


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def cloud(seed: int = 4, n: int = 60, d: int = 2, noise: float = 0.5):
    """Draw points labelled by a noisy halfspace; without noise they are separable."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.where(X @ np.arange(1, d + 1) + noise * rng.normal(size=n) > 0.3, 1, -1)


def good(svm: SVM, gap: float = 1e-10) -> SVM:
    """Insist on the certificate: gap, conditions, feasibility, and the values recomputed here."""
    assert svm.converged and -1e-12 <= svm.relative_gap <= gap
    svm.check()
    assert max(svm.kkt().values()) <= 1e-10
    assert svm.alpha.min() >= 0 and svm.alpha.max() <= svm.C
    coefficients = svm.alpha * svm.y
    if svm.bias:
        assert abs(coefficients.sum()) <= 1e-14 * svm.alpha.sum()
    K = svm.kernel.block(svm.X, svm.X)
    square = coefficients @ K @ coefficients
    margins = svm.y * (K @ coefficients - svm.b)
    slack = np.maximum(0, 1 - margins)
    assert svm.dual == pytest.approx(svm.alpha.sum() - square / 2, rel=1e-9)
    if svm.C == HARD:
        assert slack.max() <= 1e-9 and svm.primal == pytest.approx(square / 2, rel=1e-9)
    else:
        assert svm.primal == pytest.approx(square / 2 + svm.C * slack.sum(), rel=1e-8)
    return svm


# Answers known exactly


def test_animals_in_sixty_fourths():
    svm = good(solve_svm(*ANIMALS, bias=False), 1e-14)
    assert svm.w == pytest.approx([-3 / 4, 5 / 8, 5 / 4], abs=1e-14)
    assert svm.alpha == pytest.approx([21 / 16, 37 / 64, 5 / 8, 0], abs=1e-14)
    assert svm.alpha[3] == 0 and list(svm.support) == [0, 1, 2]
    assert svm.primal == pytest.approx(161 / 128) == svm.dual
    assert svm.margin == pytest.approx(8 / math.sqrt(161)) and svm.b == 0


def test_alpha_need_not_be_unique_but_w_is():
    svm = good(solve_svm([[1, 0], [1, 1], [1, -1]], [1, 1, 1], bias=False))
    assert svm.w == pytest.approx([1, 0], abs=1e-14)
    assert svm.alpha.sum() == pytest.approx(1) and svm.alpha[1] == pytest.approx(svm.alpha[2])


def test_two_points_of_one_class():
    svm = good(solve_svm([[1], [2]], [1, 1], bias=False))
    assert svm.w == pytest.approx([1]) and svm.alpha == pytest.approx([1, 0])
    assert svm.alpha[1] == 0


@pytest.mark.parametrize("C, w, b", [(HARD, 2, 1), (10, 2, 1), (1, 1, 0.5), (0.25, 0.25, 0.125)])
def test_two_points_on_a_line(C, w, b):
    svm = good(solve_svm([[0], [1]], [-1, 1], C=C))
    assert svm.w == pytest.approx([w]) and svm.b == pytest.approx(b)
    assert svm.alpha == pytest.approx([min(C, 2)] * 2)


def test_the_sign_of_the_threshold():
    svm = good(solve_svm([[3, 0], [5, 0], [3, 7], [9, 1]], [-1, 1, -1, 1]))
    assert svm.w == pytest.approx([1, 0], abs=1e-12) and svm.b == pytest.approx(4)
    assert (
        list(svm.halfspace([[3.9, 0], [4.1, 0]]))
        == [-1, 1]
        == list(svm.predict([[3.9, 0], [4.1, 0]]))
    )
    assert svm.score([[4, 5], [6, 0]]) == pytest.approx([0, 2], abs=1e-12)


def test_xor_by_the_quadratic_kernel():
    svm = good(solve_svm(*XOR, kernel=polynomial(2, 1)))
    assert list(svm.predict(XOR[0])) == XOR[1] and svm.w is None
    with pytest.raises(ValueError, match="feature space"):
        svm.halfspace


def test_xor_by_the_gaussian_kernel():
    gamma = 0.7
    svm = good(solve_svm(*XOR, kernel=rbf(gamma)))
    weight = 1 / (1 + math.exp(-2 * gamma) - 2 * math.exp(-gamma))  # by symmetry all α are equal
    assert svm.alpha == pytest.approx([weight] * 4) and svm.b == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    "degree, price", [(1, 10), (2, 441), (3, 6.8e4), (4, 2.2e7), (5, 1.3e10), (6, 1.1e13)]
)
def test_the_price_of_the_lift(degree, price):
    x = np.arange(degree + 1, dtype=np.int64)  # a browser has 32 bits
    features = x[:, None] ** x
    svm = solve_svm(features, (-1) ** x, bias=False)
    assert svm.relative_gap <= 1e-9
    assert (features**2).sum(axis=1).max() / svm.margin**2 == pytest.approx(price, rel=0.05)


def test_a_box_constraint_that_binds():
    svm = good(solve_svm(*ANIMALS, C=1, bias=False))
    assert svm.alpha.max() == 1 and svm.slack.max() > 0.1  # exactly C, not nearly


# Oracles


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("C", [0.03, 1, 50])
@pytest.mark.parametrize(
    "kernel, options",
    [
        (linear, {"kernel": "linear"}),
        (rbf(0.5), {"gamma": 0.5}),
        (polynomial(3, 1), {"kernel": "poly", "gamma": 1, "degree": 3, "coef0": 1}),
    ],
)
def test_agrees_with_scikit_learn(seed, C, kernel, options):
    X, y = cloud(seed, 80, 2 + seed, noise=1)
    svm = good(solve_svm(X, y, C=C, kernel=kernel), 1e-9)
    theirs = SVC(C=C, tol=1e-10, **options).fit(X, y)
    points = np.random.default_rng(seed).normal(size=(50, X.shape[1]))
    # libsvm keeps the Gram matrix in single precision, whatever its tolerance
    assert svm.score(points) == pytest.approx(theirs.decision_function(points), rel=1e-3, abs=1e-3)
    weights, K = theirs.dual_coef_[0], kernel(X[theirs.support_], X[theirs.support_])
    assert svm.dual == pytest.approx(np.abs(weights).sum() - weights @ K @ weights / 2, rel=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_hard_margin_agrees_with_scikit_learn(seed):
    X, y = cloud(seed, 50, 2 + seed, noise=0)
    svm = good(solve_svm(X, y))
    theirs = SVC(C=1e9, kernel="linear", tol=1e-10).fit(X, y)
    assert svm.w == pytest.approx(theirs.coef_[0], rel=1e-5) and svm.b == pytest.approx(
        -theirs.intercept_[0], rel=1e-5
    )
    assert svm.margins.min() == pytest.approx(1, abs=1e-12)
    assert (y * (X @ svm.w - svm.b)).min() / np.linalg.norm(svm.w) == pytest.approx(svm.margin)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("C", [0.5, 20])
def test_no_general_purpose_optimiser_finds_more(seed, bias, C):
    X, y = cloud(seed, 9, 2)
    y[:2] = -1, 1
    svm = good(solve_svm(X, y, C=C, bias=bias))
    Z = y[:, None] * X
    balance = [{"type": "eq", "fun": lambda a: a @ y}] if bias else []
    theirs = minimize(
        lambda a: ((Z.T @ a) ** 2).sum() / 2 - a.sum(),
        np.zeros(9),
        jac=lambda a: Z @ (Z.T @ a) - 1,
        bounds=[(0, C)] * 9,
        constraints=balance,
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert svm.dual == pytest.approx(-theirs.fun, rel=1e-6)


# Edge cases


@pytest.mark.parametrize("C", [HARD, 1e6, 1, 1e-6])
@pytest.mark.parametrize(
    "X, y, bias",
    [
        ([[3, 4]], [-1], False),
        ([[0], [1]], [-1, 1], True),
        ([[0, 0], [0, 0], [1, 1], [1, 1]], [-1, -1, 1, 1], True),
        ([[0, 0], [1, 1], [2, 2], [5, 5]], [-1, -1, 1, 1], True),
        ([[0, 7], [1, 7], [2, 7], [5, 7]], [-1, -1, 1, 1], True),
        ([[Fraction(1, 3)], [Fraction(2, 3)], [Fraction(7, 3)]], [-1, 1, 1], True),
        (np.random.default_rng(0).normal(size=(5, 300)), [-1, -1, 1, 1, 1], True),
        (*ANIMALS, False),
    ],
    ids=[
        "one",
        "two",
        "duplicates",
        "collinear",
        "constant column",
        "fractions",
        "wide",
        "animals",
    ],
)
def test_separable_edge_cases(X, y, bias, C):
    svm = good(solve_svm(X, y, C=C, bias=bias))
    if C == HARD:
        assert list(svm.predict(X)) == list(y)


@pytest.mark.parametrize(
    "X, y, bias",
    [
        ([[0, 0], [0, 0], [1, 1], [1, 1]], [-1, 1, 1, 1], True),
        ([[2, 3]] * 4, [-1, 1, 1, 1], True),
        ([[0, 0]] * 4, [-1, 1, 1, 1], True),
        ([[0, 0], [1, 1], [2, 2], [5, 5]], [-1, 1, -1, 1], True),
        ([[0, 0], [1, 1]], [1, 1], False),
        (*XOR, True),
        (*cloud(), True),
    ],
    ids=["both labels", "all equal", "zeros", "collinear", "zero vector", "xor", "cloud"],
)
def test_what_has_no_hard_margin_has_a_soft_one(X, y, bias):
    with pytest.raises(NotSeparableError, match="finite C") as caught:
        solve_svm(X, y, bias=bias)
    assert not caught.value.certificate.separable
    caught.value.certificate.check()
    for C in (1e6, 1, 1e-6):
        good(solve_svm(X, y, C=C, bias=bias))


@pytest.mark.parametrize(
    "kernel", [rbf(1), polynomial(2), polynomial(2, 1)], ids=lambda kernel: kernel.name
)
def test_kernels_without_a_hard_margin(kernel):
    X, y = [[0, 0], [0, 0], [1, 1], [1, 1.3]], [-1, 1, 1, 1]
    for bias in (True, False):
        with pytest.raises(NotSeparableError) as caught:
            solve_svm(X, y, kernel=kernel, bias=bias)
        caught.value.certificate.check()
        good(solve_svm(X, y, C=1, kernel=kernel, bias=bias))
    with pytest.raises(NotSeparableError):
        solve_svm(np.zeros((3, 2)), [1, -1, 1], kernel=polynomial(2))  # no features at all


@pytest.mark.parametrize("scale", [1e-70, 1e-6, 1e6, 1e70])
@pytest.mark.parametrize("bias", [True, False])
def test_a_hard_margin_scales_with_the_data(scale, bias):
    X, y = cloud(noise=0)
    y = y if bias else np.where(X @ [1, 2] > 0, 1, -1)
    svm, scaled = solve_svm(X, y, bias=bias), good(solve_svm(scale * X, y, bias=bias))
    assert scaled.margin == pytest.approx(
        scale * svm.margin, rel=1e-9
    ) and scaled.b == pytest.approx(svm.b, rel=1e-9)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
@pytest.mark.parametrize("noise", [0, 0.5])
def test_a_soft_margin_scales_with_the_data_and_C(scale, noise):
    X, y = cloud(noise=noise)
    svm, scaled = solve_svm(X, y, C=1), good(solve_svm(scale * X, y, C=1 / scale**2))
    assert scaled.w * scale == pytest.approx(svm.w, rel=1e-8)
    assert solve_svm(scale * X, y, C=1).converged  # C is then a trillion too large or too small


def test_data_far_from_the_origin():
    X, y = cloud(noise=0)
    near, far = solve_svm(X, y), solve_svm(X + 1e6, y)
    assert far.converged and far.w == pytest.approx(near.w, rel=1e-6)
    far.check()


@pytest.mark.parametrize(
    "kernel", [rbf(0.5), polynomial(3, 1), geometric(4)], ids=lambda kernel: kernel.name
)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("C", [1e-6, 1, 100])
def test_kernels(kernel, bias, C):
    X, y = cloud()
    good(solve_svm(X / 3, y, C=C, kernel=kernel, bias=bias), 1e-9)


def test_a_kernel_and_its_features_agree():
    X, y = cloud(noise=0.2)
    kernel = polynomial(2, 1)
    svm, explicit = solve_svm(X, y, C=3, kernel=kernel), solve_svm(kernel.features(X), y, C=3)
    assert svm.score(X) == pytest.approx(explicit.score(kernel.features(X)), abs=1e-9)
    assert svm.primal == pytest.approx(explicit.primal)


def test_hard_margin_of_the_gaussian_kernel():
    X, y = cloud(n=40)
    svm = solve_svm(X, y, kernel=rbf(2))
    assert svm.converged and list(svm.predict(X)) == list(y)
    svm.check()


# Bad input


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(X=[[1.0], [math.nan]], y=[1, -1]), "NaN"),
        (dict(X=[[1], [2]], y=[1, 0]), "-1 or \\+1"),
        (dict(X=[[1], [2]], y=[1, 1]), "each class"),
        (dict(X=[[1], [2]], y=[1]), "one label a point"),
        (dict(X=[[1], [2]], y=[1, -1], C=0), "C is 0"),
        (dict(X=[[1], [2]], y=[1, -1], C=-math.inf), "C contains"),
        (dict(X=[[1], [2]], y=[1, -1], C=math.nan), "C contains"),
        (dict(X=[[1], [2]], y=[1, -1], C="a"), "real numbers"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        solve_svm(**arguments)


def test_what_is_not_a_kernel_is_refused():
    refused = [
        Kernel("minus distance", lambda A, B: -np.abs(A - B.T)),
        Kernel("one minus square", lambda A, B: 1 - np.abs(A - B.T) ** 2),
        Kernel("minus one", lambda A, B: -np.ones((len(A), len(B)))),
        Kernel("nothing", lambda A, B: np.full((len(A), len(B)), np.nan)),
    ]
    for kernel in refused:
        with pytest.raises(ValueError, match="not a kernel"):
            solve_svm(*cloud(1, 500, 1), C=1, kernel=kernel)
        with pytest.raises(ValueError, match="not a kernel"):
            solve_svm([[0.0], [1.0], [3.0]], [1, -1, 1], C=1, kernel=kernel)


# The certificate


@pytest.mark.parametrize("C", [HARD, 1.0])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kernel", [linear, rbf(0.5)], ids=lambda kernel: kernel.name)
def test_tampering_is_noticed(C, bias, kernel):
    X, y = cloud(noise=0)
    y = np.where(X @ [1, 2] > 0, 1, -1)
    svm = good(solve_svm(X, y, C=C, bias=bias, kernel=kernel), 1e-8)
    i = svm.support[0]
    more, less, negative = svm.alpha.copy(), svm.alpha.copy(), svm.alpha.copy()
    more[i] *= 1.001
    less[i] *= 0.999
    negative[np.flatnonzero(svm.alpha == 0)[0]] = -1e-3 * svm.alpha.max()
    for wrong in (
        dict(alpha=more),
        dict(alpha=less),
        dict(alpha=negative),
        dict(b=svm.b + 1e-3),
        dict(alpha=0 * more),
        dict(alpha=np.nan * more),
    ):
        with pytest.raises(CertificateError):
            replace(svm, **wrong).check()
    if kernel is linear:
        with pytest.raises(CertificateError):
            replace(svm, w=1.001 * svm.w).check()


def test_the_message_names_the_condition_and_the_point():
    X, y = cloud(noise=0)
    svm = solve_svm(X, y)
    outside = int(svm.margins.argmax())
    alpha = svm.alpha.copy()
    alpha[outside] = -1e-3 * alpha.sum()
    with pytest.raises(CertificateError, match=f"dual feasibility fails at point {outside}: α = -"):
        replace(svm, alpha=alpha).check()
    worst = int((y * (X @ svm.w - svm.b - 0.5)).argmin())
    with pytest.raises(CertificateError, match=f"primal feasibility fails at point {worst}"):
        replace(svm, b=svm.b + 0.5).check()
    with pytest.raises(CertificateError, match="primal feasibility|do not meet"):
        replace(svm, w=svm.w + [0, 1]).check()
    soft = solve_svm(X, y, C=1)
    capped = int(soft.alpha.argmax())
    alpha = soft.alpha.copy()
    alpha[capped] = 1.5
    with pytest.raises(
        CertificateError, match=f"dual feasibility fails at point {capped}: α = 1.5"
    ):
        replace(soft, alpha=alpha).check()
    through_0 = solve_svm(*ANIMALS, C=1, bias=False)
    with pytest.raises(CertificateError, match="equality"):
        replace(through_0, b=0.1).check()
    with pytest.raises(CertificateError, match="do not meet"):
        replace(soft, b=soft.b + 0.5).check()
    alpha = soft.alpha.copy()
    alpha[y > 0] *= 0.9
    with pytest.raises(CertificateError, match="equality"):
        replace(soft, alpha=alpha, w=X.T @ (alpha * y)).check()


def test_a_poor_solution_is_called_poor():
    X, y = cloud()
    svm = solve_svm(X, y, C=1)
    poor = replace(svm, alpha=np.full(len(y), 0.5))
    assert not poor.converged and poor.gap > 1
    assert replace(solve_svm(X, np.where(X @ [1, 2] > 0, 1, -1)), b=9.0).primal == math.inf


def test_history_closes_in():
    X, y = cloud(noise=0.5)
    svm = solve_svm(X, y, C=1)
    primal, dual = np.array(svm.history).T
    assert (dual <= svm.primal * (1 + 1e-12)).all() and (primal >= svm.dual * (1 - 1e-12)).all()
    assert primal[-1] - dual[-1] <= 1e-8 * svm.primal < primal[0] - dual[0]
    assert 5 <= len(svm.history) <= 30
    hard = solve_svm(*cloud(noise=0)).history
    assert hard[0][0] == math.inf and hard[-1][0] == pytest.approx(hard[-1][1])


def test_residuals_of_well_scaled_data_are_at_rounding():
    svm = solve_svm(*cloud(1, 500, 5), C=1)
    assert svm.relative_gap <= 1e-13 and max(svm.kkt().values()) <= 1e-13
    free = (svm.alpha > 0) & (svm.alpha < 1)
    assert 1 <= free.sum() <= 6 and svm.margins[free] == pytest.approx(1, abs=1e-11)
    assert set(svm.alpha[~free]) == {0.0, 1.0}  # exactly: the points off the edge sit at the ends
    assert "stationarity" in svm._repr_html_()


def test_no_square_array_for_a_linear_kernel():
    X, y = cloud(0, 4000, 5, noise=1)
    tracemalloc.start()
    good_enough = solve_svm(X, y, C=1).converged
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert good_enough and peak < 8 * len(X) ** 2 / 20


numbers = st.integers(-4, 4)


@st.composite
def samples(draw):
    n, d = draw(st.integers(2, 9)), draw(st.integers(1, 3))
    X = draw(st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=n, max_size=n))
    y = draw(st.lists(st.sampled_from([-1, 1]), min_size=n - 2, max_size=n - 2))
    return X, [-1, 1, *y]


@settings(max_examples=150, deadline=None)
@given(
    samples(),
    st.sampled_from([1e-3, 0.1, 1, 10, 1e3]),
    st.booleans(),
    st.sampled_from([linear, rbf(0.3), polynomial(2, 1)]),
)
def test_soft_margins_are_always_certified(sample, C, bias, kernel):
    svm = solve_svm(*sample, C=C, bias=bias, kernel=kernel)
    assert -1e-12 <= svm.relative_gap <= 1e-8 and svm.converged
    svm.check()
    assert np.isfinite([svm.primal, svm.dual, svm.b, *svm.alpha]).all()


@settings(max_examples=150, deadline=None)
@given(samples(), st.booleans())
def test_hard_margins_exist_just_where_a_separator_does(sample, bias):
    certificate = separate(*sample, bias=bias)
    if certificate.separable:
        svm = solve_svm(*sample, bias=bias)
        svm.check()
        assert -1e-12 <= svm.relative_gap <= 1e-8
        assert svm.margin >= certificate.halfspace.margin(*sample) * (1 - 1e-9)
    else:
        with pytest.raises(NotSeparableError):
            solve_svm(*sample, bias=bias)


# Steps of two variables, and many points


def ring(n: int, seed: int = 0):
    """Draw points of the plane, labelled by a noisy circle."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.where((X**2).sum(axis=1) + 0.6 * rng.normal(size=n) > 2, 1, -1)


def state(X, y, C: float) -> tuple[Dual, np.ndarray]:
    """Return the dual at 0 and the Gram matrix of the linear kernel."""
    X, y = np.array(X, float), np.array(y, float)
    problem = Problem(linear, X, y, np.full(len(y), C), True)
    return problem.dual_at(np.zeros(len(y))), X @ X.T


@pytest.mark.parametrize("C, t", [(10, 2), (0.5, 0.5)])
def test_one_step_of_two_variables_solves_two_points(C, t):
    dual, K = state([[0], [1]], [-1, 1], C)
    assert two_variable_step(dual, 1, 0, dual.e[1] - dual.e[0], 1.0) == t
    assert list(dual.beta) == [-t, t]  # α is what test_two_points_on_a_line says


def test_one_step_of_newton_balances_the_free_points():
    X, y = cloud(2, 12, 3)
    dual, K = state(X, y, 100.0)
    dual.beta[:] = np.where(y > 0, 1 / (y > 0).sum(), -1 / (y < 0).sum())
    dual.e -= K @ dual.beta
    before = dual.values(dual.threshold())[1]
    newton_step(dual, K)
    assert dual.values(dual.threshold())[1] > before and abs(dual.beta.sum()) < 1e-12
    assert dual.e == pytest.approx(y - K @ dual.beta, abs=1e-9)
    assert (dual.low <= dual.beta).all() and (dual.beta <= dual.high).all()


def test_elimination_and_cholesky_lead_to_the_same_point(monkeypatch):
    X, y = ring(40)
    K = rbf(5.0).block(X, X)
    ends = []
    for method in (dposv, lambda *args, **options: (None, None, 1)):
        monkeypatch.setattr("scipy.linalg.lapack.dposv", method)
        dual, _ = state(X, y, 100.0)
        dual.beta[:] = np.where(y > 0, 1 / (y > 0).sum(), -1 / (y < 0).sum())
        dual.e -= K @ dual.beta
        newton_step(dual, K)
        ends.append(dual.beta)
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_no_round_lets_the_dual_fall():
    X, y = ring(150)
    problem = Problem(rbf(0.5), X, y.astype(float), np.full(150, 1e4), True)
    _, history = solve_dual(problem, 1e-11)
    duals = [dual for _, dual in history]
    assert all(a <= b * (1 + 1e-12) for a, b in zip(duals, duals[1:])) and len(duals) > 3


def test_rounds_with_many_free_points_are_fewer(monkeypatch):
    X, y = ring(150)
    problem = Problem(rbf(0.5), X, y.astype(float), np.full(150, 1e4), True)
    taken = []
    for dear in (1e9, 1.0):
        monkeypatch.setattr(smo, "DEAR", dear)
        taken.append(len(solve_dual(problem, 1e-11, rounds=30)[1]))
    assert taken[0] > 3 and taken[1] == 1


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("room", [3, 10, 500])
def test_rows_of_a_kernel_are_right_whatever_was_forgotten(monkeypatch, room, bias):
    X, y = ring(500)
    monkeypatch.setattr(smo, "KEPT", room * (500 + (not bias)))
    problem = Problem(rbf(0.5), X, y.astype(float), np.ones(500), bias, 2.0)
    whole = np.pad(rbf(0.5).block(X, X) / 2, (0, int(not bias)))
    rows, held = problem.rows(), problem.rows()[7]
    for asked in (*range(5), np.arange(3, 9), np.arange(0, 500, 3), 7):
        assert rows[asked] == pytest.approx(whole[asked], abs=1e-14)
        assert len(rows.kept) <= max(room, 1 if isinstance(asked, int) else len(asked))
    assert held == pytest.approx(whole[7], abs=1e-14)
    beta = np.where(np.arange(len(whole)) % 3 == 0, 0.5, 0.0)
    assert rows.product(beta) == pytest.approx(whole @ beta, abs=1e-12)


@pytest.mark.parametrize("room", [2, 30])
def test_a_solution_does_not_depend_on_the_room_for_rows(monkeypatch, room):
    X, y = ring(500)
    wide = solve_svm(X, y, C=2.0, kernel=rbf(50))  # no coarse kernel is near
    monkeypatch.setattr(smo, "KEPT", room * 500)
    narrow = solve_svm(X, y, C=2.0, kernel=rbf(50))
    narrow.check()
    assert narrow.dual == pytest.approx(wide.dual, rel=1e-9)


def test_a_solution_does_not_hold_on_to_many_rows(monkeypatch):
    X, y = ring(500)
    svm = solve_svm(X, y, C=2.0, kernel=rbf(50))
    assert svm.memory.rows.kept and not svm.memory.rows.near
    monkeypatch.setattr(smo, "LASTING", 500)
    svm = solve_svm(X, y, C=2.0, kernel=rbf(50))
    assert not svm.memory.rows.kept
    solve_svm(X, y, C=3.0, kernel=rbf(50), start=svm).check()


@pytest.mark.parametrize("few", [True, False])
def test_how_many_points_matter_decides_on_the_way_only(monkeypatch, few):
    X, y = ring(500)
    expected = solve_svm(X, y, C=5.0, kernel=rbf(0.5)).dual
    monkeypatch.setattr(smo, "FAR", 1e300 if few else 0.0)
    monkeypatch.setattr(smo, "FULL", 1e300 if few else -1.0)
    svm = solve_svm(X, y, C=5.0, kernel=rbf(0.5))
    svm.check()
    assert svm.dual == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("n", [401, 1000, 4000])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0, HARD])
def test_some_points_tell_whether_few_matter(C, bias, n):
    X, y = ring(n)
    clear = np.where((X**2).sum(axis=1) > 2, 1, -1)
    apart = X * np.where(clear > 0, 1.3, 0.7)[:, None]
    for points, labels in ((X, y), (apart, clear)):
        problem = Problem(rbf(0.5), points, labels.astype(float), np.full(n, C), bias)
        begun = begin(problem)
        beta, few = begun.within(problem), begun.few
        assert (0 <= beta * labels).all() and (beta * labels <= C).all()
        assert not bias or abs(beta.sum()) < 1e-12 * np.abs(beta).sum() or not beta.any()
        if C in (0.01, 100.0):
            assert few == (labels is clear and C == 100)


@pytest.mark.parametrize("C", [1e-2, 1, 100, HARD])
@pytest.mark.parametrize("bias", [True, False])
def test_more_points_than_are_looked_at_together(C, bias):
    rng = np.random.default_rng(5)
    X, y = ring(900)
    if C == HARD:
        y = np.where((X**2).sum(axis=1) > 2, 1, -1)
        X = X * np.where(y > 0, 1.2, 0.9)[:, None]
    svm = solve_svm(X, y, C=C, kernel=rbf(0.5), bias=bias)
    svm.check()
    assert svm.converged and len(svm.history) < 200
    order = rng.permutation(900)  # other parts are then looked at first
    again = solve_svm(X[order], y[order], C=C, kernel=rbf(0.5), bias=bias)
    assert again.primal == pytest.approx(svm.primal, rel=1e-8)


@pytest.mark.parametrize("n", [900, 3500])  # of these, some are asked, and they may be of one class
@pytest.mark.parametrize("C", [1, 300])
def test_many_points_of_one_class(n, C):
    X, y = ring(n)
    y[:] = -1
    y[[3, 70]] = 1
    svm = solve_svm(X, y, C=C, kernel=rbf(0.5))
    svm.check()
    assert len(svm.history) < 30


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("n", [1, 64, 65, 150])
def test_half_of_a_gram_matrix_is_the_mirror_of_the_other(n, bias):
    X, y = ring(200)
    problem = Problem(rbf(0.5), X, y.astype(float), np.ones(200), bias, 2.0)
    chosen = np.random.default_rng(n).permutation(200)[:n]
    K, expected = problem.gram(chosen), rbf(0.5).block(X[chosen], X[chosen]) / 2
    assert K.shape == (n + (not bias),) * 2 and (K == K.T).all()
    assert K[:n, :n] == pytest.approx(expected, abs=1e-15) and not K[n:].any()


def test_many_free_points():
    X, y = ring(500)
    svm = solve_svm(X, y, C=30.0, kernel=rbf(50))
    svm.check()
    assert np.count_nonzero((svm.alpha > 0) & (svm.alpha < 30)) > 200
    assert svm.relative_gap < 1e-11


@pytest.mark.parametrize("n", [700, 3500])
@pytest.mark.parametrize("C", [0.1757, 0.7, 2.9])
def test_a_bound_that_no_single_precision_number_is(n, C):
    X, y = ring(n)
    svm = solve_svm(X, y, C=C, kernel=rbf(0.5))
    svm.check()
    between = np.count_nonzero((svm.alpha > 0) & (svm.alpha < C))
    assert between < 30 < np.count_nonzero(svm.alpha == C) and svm.relative_gap < 1e-11


def test_each_point_twice_is_each_point_at_twice_the_cost():
    X, y = ring(300)
    once = solve_svm(X, y, C=2, kernel=rbf(0.5))
    twice = solve_svm(np.tile(X, (2, 1)), np.append(y, y), C=1, kernel=rbf(0.5))
    twice.check()
    assert twice.primal == pytest.approx(once.primal, rel=1e-8)
    assert twice.score(X) == pytest.approx(once.score(X), abs=1e-6)


def test_many_points_and_few_features():
    X, y = ring(700)
    svm = solve_svm(X, y, C=100, kernel=polynomial(2))
    svm.check()
    assert svm.primal == pytest.approx(
        solve_svm(polynomial(2).features(X), y, C=100).primal, rel=1e-8
    )


# Starts


@pytest.mark.parametrize("n", [60, 600])
@pytest.mark.parametrize("C", [0.01, 3, 200])
@pytest.mark.parametrize("bias", [True, False])
def test_the_answer_does_not_depend_on_the_start(n, C, bias):
    X, y = ring(n)
    cold = solve_svm(X, y, C=C, kernel=rbf(1), bias=bias)
    others = [
        solve_svm(X, y, C=1, kernel=rbf(0.4), bias=bias),
        solve_svm(X, -y, C=50, kernel=rbf(1), bias=bias),
        solve_svm(X[::-1], y, C=1e-3, kernel=polynomial(2, 1), bias=bias),
        cold,
    ]
    for start in others:
        warm = solve_svm(X, y, C=C, kernel=rbf(1), bias=bias, start=start)
        warm.check()
        assert warm.primal == pytest.approx(cold.primal, rel=1e-8)
    assert len(warm.history) <= 3  # from the answer itself


def test_linear_and_hard_margins_take_a_start():
    X, y = cloud(noise=0)
    hard = solve_svm(X, y)
    again = good(solve_svm(X, y, start=solve_svm(X, y, C=3)))
    assert again.w == pytest.approx(hard.w, rel=1e-7) and again.b == pytest.approx(hard.b, rel=1e-7)
    soft = good(solve_svm(X + 100, y, C=2, start=hard))
    assert soft.w == pytest.approx(solve_svm(X + 100, y, C=2).w, rel=1e-6)


@pytest.mark.parametrize("start", [3, solve_svm([[0], [1]], [-1, 1])])
def test_a_start_that_does_not_fit(start):
    with pytest.raises(ValueError, match="start must be an SVM of 60 points"):
        solve_svm(*cloud(), C=1, start=start)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("bias", [True, False])
def test_margins_of_one_survive_a_large_cost(seed, bias):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(10, 2)) + 100, np.append([-1, 1], rng.choice([-1, 1], 8))
    kernel = rbf(800) * polynomial(2, 1)  # all points orthogonal, of size 1e4
    svm = solve_svm(X, y, C=1e6, kernel=kernel, bias=bias)
    svm.check()  # a slack of 1e-16 alone would cost a hundredth of the value


@pytest.mark.parametrize("n", [40, 700])
def test_points_that_were_changed_since_are_asked_again(n):
    X, y = cloud(2, n, 5)
    before = solve_svm(X, y, C=2.0, kernel=rbf(0.5))
    X[: n // 4] += 0.5  # in place: what is known of K no longer holds
    after = solve_svm(X, y, C=2.0, kernel=rbf(0.5), start=before)
    after.check()
    assert after.dual == pytest.approx(solve_svm(X, y, C=2.0, kernel=rbf(0.5)).dual, rel=1e-8)


def test_what_is_known_of_a_kernel_serves_another_cost():
    X, y = cloud(2, 40, 5)
    before = solve_svm(X, y, C=2.0, kernel=rbf(0.5))
    again = solve_svm(X, y, C=3.0, kernel=rbf(0.5), start=before)
    other = solve_svm(X, y, C=3.0, kernel=rbf(0.6), start=before)
    assert again.memory is before.memory and other.memory is not before.memory
    again.check()
    other.check()


def test_what_was_checked_is_checked_again_if_it_has_changed():
    X, y = ring(60)
    start = solve_svm(X, y, C=2.0, kernel=rbf(0.5))
    assert start.memory.is_about(X, y) and not start.memory.is_about(X.tolist(), y)
    same = solve_svm(X, y, C=2.0, kernel=rbf(0.5), start=start)
    assert same.y is not y and same.alpha == pytest.approx(start.alpha)
    for points, labels in ((X[:-1], y), (X, y[:-1]), (X, 2 * y), (X, y * math.nan), (X, abs(y))):
        with pytest.raises(ValueError):
            solve_svm(points, labels, C=2.0, kernel=rbf(0.5), start=start)
    old = X.copy()
    X[0] += 1.0  # in place, and so in `start` too
    for points in (X, old):
        again = solve_svm(points, y, C=2.0, kernel=rbf(0.5), start=start)
        again.check()
        assert again.converged and (again.X == points).all()
    start.y[:] = 7
    assert start.memory.is_about(old, y)
    X[0] = math.nan
    with pytest.raises(ValueError, match="NaN"):
        solve_svm(X, y, C=2.0, kernel=rbf(0.5), start=start)


def test_balance_is_exact_where_large_sums_were_rounded():
    rng = np.random.default_rng(0)
    beta = rng.uniform(1e3, 1e4, 5000) * np.where(np.arange(5000) < 4990, 1, -1)
    balanced = smo.balance(beta, np.abs(beta))
    assert abs(balanced.sum()) <= 1e-11
    assert (0 <= balanced * beta).all() and (np.abs(balanced) <= np.abs(beta)).all()


def test_a_start_with_other_labels_is_balanced_first(monkeypatch):
    X, y = ring(150)
    start = solve_svm(X, y, C=2.0, kernel=rbf(0.5))
    other = np.where(np.arange(150) % 9, y, 1)
    starts = []
    monkeypatch.setattr(
        solver,
        "solve_dual",
        lambda *args, **how: starts.append(args[2]) or solve_dual(*args, **how),
    )
    solve_svm(X, other, C=2.0, kernel=rbf(0.5), start=start).check()
    assert len(starts) == 1 and abs(starts[0].sum()) <= 1e-12 < abs(start.alpha @ other)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("n", [60, 700])
def test_another_gamma_is_made_of_the_same_distances(n, bias):
    X, y = ring(n)
    svm = solve_svm(X, y, C=2.0, kernel=rbf(0.5), bias=bias)
    assert svm.memory.common is None
    for gamma in (0.6, 0.7, 0.8):
        last, svm = svm, solve_svm(X, y, C=2.0, kernel=rbf(gamma), bias=bias, start=svm)
        svm.check()
        assert last.memory.common is None or svm.memory.common is last.memory.common
    assert svm.memory.common.dtype == (float if n <= smo.SMALL else np.float32)
    X[0] += 1.0  # in place
    moved = solve_svm(X, y, C=2.0, kernel=rbf(0.9), bias=bias, start=svm)
    moved.check()
    assert moved.memory.common is None
    other = solve_svm(X, y, C=2.0, kernel=rbf(0.9) + rbf(2.0), bias=bias, start=moved)
    other.check()
    assert other.memory.common is None


THREADS = """
from halfspaces.svm import one_thread
from threadpoolctl import threadpool_info

def threads():
    return [library["num_threads"] for library in threadpool_info()]

with one_thread():
    assert set(threads()) <= {1}
import scipy.linalg
before = threads()
try:
    with one_thread(20_000):
        assert set(threads()) <= {1}, "that of scipy, loaded since, too"
        raise KeyError
except KeyError:
    assert threads() == before
with one_thread(20_001):
    assert threads() == before
"""


@NO_PROCESSES
def test_blas_keeps_to_one_thread_and_is_given_back_its_own():
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2"}
    subprocess.run([sys.executable, "-c", THREADS], check=True, env=environment)


@pytest.mark.parametrize("seed", [27, 48, 55])
def test_no_step_is_told_that_rounding_put_on_the_wrong_side(seed):
    rng = np.random.default_rng(seed)
    X = 100 * rng.normal(size=(301, 3))
    y = np.where(X[:, 0] ** 2 + 2 * rng.normal(size=301) > np.median(X[:, 0] ** 2), 1, -1)
    svm = solve_svm(X, y, C=0.07, kernel=polynomial(2, 1), bias=False)  # entries up to 1e10
    assert len(svm.history) > 10
    for above, below in svm.history:
        assert below <= svm.primal * (1 + GAP) and above >= svm.dual * (1 - GAP)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("bias", [True, False])
def test_values_that_rounding_spoils_are_left_out(seed, bias):
    X, y = ring(150, seed)
    X, y = np.tile(150 * X, (2, 1)), np.append(y, -y)  # each point has both labels
    svm = solve_svm(X, y, C=1.0, kernel=polynomial(2, 1), bias=bias)  # entries up to 1e10
    assert svm.converged
    svm.check()
