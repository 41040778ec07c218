"""A coarse kernel: what it leaves out is bounded, and the bound is what the certificate needs."""

import math

import numpy as np
import pytest
from halfspaces.coarse import CoarseSearch, coarse_factor, solve_coarsely
from halfspaces.kernels import PLAIN, Kernel, linear, polynomial, rbf
from halfspaces.proximal import guess_multipliers
from halfspaces.smo import Problem
from halfspaces.svm import solve_svm

N = 500


def noisy(seed: int = 0, n: int = N) -> tuple[np.ndarray, np.ndarray]:
    """Draw points of the plane, labelled by a noisy circle."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.where((X**2).sum(axis=1) + 0.6 * rng.normal(size=n) > 2, 1, -1)


def problem_of(C: float = 1.0, bias: bool = True, kernel: Kernel = rbf(0.5)) -> Problem:
    X, y = noisy()
    return Problem(kernel, X, y.astype(float), np.full(N, C), bias)


@pytest.mark.parametrize("gamma", [0.05, 0.5, 5.0])
@pytest.mark.parametrize("d", [1, 2, 3, 5])
@pytest.mark.parametrize("error", [10.0, 0.1, 1e-4])
def test_the_error_is_as_small_as_is_said(error, d, gamma):
    rng = np.random.default_rng(d)
    X = rng.normal(size=(N, d))
    if d <= PLAIN:
        X += 1e6  # where single precision has no digits left
    problem = Problem(rbf(gamma), X, np.ones(N), np.ones(N), True)
    factor = coarse_factor(problem, error, N)
    if factor is None:
        assert d == 5 or gamma == 5  # many features
        return
    features, roots = factor
    single = features.dtype == np.float32
    assert single == (error > 1e-3)
    features = features.astype(float)
    left = problem.kernel.block(X, X) - features.T @ features
    assert left.trace() <= error * (1 + single)
    assert (np.abs(left) <= np.outer(roots, roots) + 1e-11).all()
    assert left.diagonal() == pytest.approx(roots**2, abs=1e-5 if single else 1e-12)
    if not single:
        assert np.linalg.eigvalsh(left).min() > -1e-10


def test_values_that_are_too_large_for_single_precision():
    X, y = noisy()
    kernel = polynomial(4) + rbf(1.0)
    for size, kind in ((1.0, np.float32), (1e10, np.float64)):
        scale = float(kernel.diagonal(size * X).max())
        problem = Problem(kernel, size * X, y.astype(float), np.ones(N), True, scale)
        features, _ = coarse_factor(problem, 0.1, N)
        assert features.dtype == kind and np.isfinite(features).all()


@pytest.mark.parametrize("gamma, limit", [(1000.0, N), (0.5, 5)])
def test_no_coarse_factor_where_it_is_wide(gamma, limit):
    assert coarse_factor(problem_of(kernel=rbf(gamma)), 0.1, limit) is None


@pytest.mark.parametrize("C", [1e-2, 0.7, 100.0])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_guess_is_near_the_optimum(C, bias, kind):
    X, y = noisy()
    alpha = guess_multipliers(X.T.astype(kind), y, C, bias, 1e-6, C)
    assert alpha.min() >= 0 and alpha.max() == C  # to the last digit, though C is no float32
    best = solve_svm(X, y, C=C, bias=bias)
    value = alpha.sum() - ((X.T @ (alpha * y)) ** 2).sum() / 2
    assert value == pytest.approx(best.dual, rel=1e-4)
    assert not bias or abs(alpha @ y) <= 1e-4 * alpha.sum()


@pytest.mark.parametrize("C", [1e-2, 1.0, 100.0, 1e4])
@pytest.mark.parametrize("bias", [True, False])
def test_the_gap_is_closed_for_the_exact_kernel(C, bias):
    problem = problem_of(C, bias)
    dual, history = solve_coarsely(problem, 1e-11)
    exact = problem.dual_at(dual.beta[:N])
    primal, value = exact.values(problem.threshold(dual))
    assert history and primal - value <= 1e-10 * primal
    above, below = history[0]
    assert below <= value <= primal <= above
    assert (np.abs(exact.beta - dual.beta) <= 1e-9 * C * N).all()


def test_a_point_at_the_wrong_bound_is_not_settled():
    problem = problem_of()
    features, roots = coarse_factor(problem, 0.1, N)
    dual, _ = solve_coarsely(problem, 1e-11)
    search = CoarseSearch(problem, features, roots, dual, roots * (roots @ np.abs(dual.beta)))
    near = dual.candidates(60)
    assert search.settled(near)
    far = np.setdiff1d(np.flatnonzero(dual.beta == 0), near)[0]
    search.doubt[far] = 100.0
    assert not search.settled(near)
    search.doubt[far] = 0.0
    dual.beta[far] = problem.y[far]
    assert not search.settled(near)


def test_no_coarse_kernel_for_a_hard_margin():
    assert solve_coarsely(problem_of(math.inf), 1e-11) is None


CONSTANT = Kernel("constant", lambda A, B: np.ones((len(A), len(B))))


@pytest.mark.parametrize("C", [1e-6, 1.0, 1e4])
@pytest.mark.parametrize("kernel", [rbf(0.5), rbf(1e4), rbf(1e-6), CONSTANT, rbf(0.5) + linear])
@pytest.mark.parametrize("kind", ["plain", "one place", "both labels", "line", "one class"])
def test_data_that_are_awkward(kind, kernel, C):
    X, y = noisy(1, 420)
    if kind == "one place":
        X = np.zeros_like(X)
        X[0] = 1
    elif kind == "both labels":
        X, y = np.repeat(X[:210], 2, axis=0), np.tile([1, -1], 210)
    elif kind == "line":
        X = X[:, :1]
    elif kind == "one class":
        y = np.ones(420, np.int64)
    svm = solve_svm(X, y, C=C, kernel=kernel, bias=kind != "one class")
    svm.check()
    assert svm.converged
