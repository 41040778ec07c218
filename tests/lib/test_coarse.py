"""A coarse kernel: what it leaves out is bounded, and the bound is what the certificate needs."""

import math

import numpy as np
import pytest
from halfspaces import coarse
from halfspaces.coarse import (
    NARROW,
    CoarseSearch,
    Features,
    RoughGram,
    RoughRows,
    coarse_factor,
    solve_coarsely,
    solve_roughly,
)
from halfspaces.kernels import PLAIN, Kernel, linear, polynomial, rbf
from halfspaces.proximal import better_multipliers, guess_multipliers
from halfspaces.smo import ALL, Beginning, Problem, begin
from halfspaces.svm import solve_svm

N = 500


def noisy(seed: int = 0, n: int = N) -> tuple[np.ndarray, np.ndarray]:
    """Draw points of the plane, labelled by a noisy circle."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.where((X**2).sum(axis=1) + 0.6 * rng.normal(size=n) > 2, 1, -1)


def guessed(features: np.ndarray, y: np.ndarray, C: float, bias: bool, goal: float) -> np.ndarray:
    """Return α as a guess by half of the features and one by all of them leave it."""
    half = guess_multipliers(features[: (1 + len(features)) // 2], y, C, bias, C)
    return better_multipliers(half, features, y, C, bias, goal)


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


def test_a_small_c_is_no_reason_for_a_kernel_without_shape():
    problem = problem_of(1e-6)
    assert solve_coarsely(problem, 1e-11)[1]
    _, roots = problem.memory.factor
    assert N / 4000 <= (roots**2).sum() <= N / 400


@pytest.mark.parametrize("error, limit", [(0.01, N), (1e-5, N), (0.01, 60)])
def test_a_factor_can_be_gone_on_with(error, limit):
    problem = problem_of()
    some = coarse_factor(problem, 10.0, limit)
    more = coarse_factor(problem, error, limit, some)
    if limit < N:
        assert more is None  # too wide, as it is from nothing
        assert coarse_factor(problem, error, limit) is None
        return
    assert (more[1] ** 2).sum() <= 2 * error < (some[1] ** 2).sum()
    again = some[0].dtype != more[0].dtype  # single precision was not enough
    assert again or np.array_equal(more[0][: len(some[0])], some[0])
    assert coarse_factor(problem, 20.0, limit, some) is some
    features = more[0].astype(float)
    left = problem.gram(np.arange(N)) - features.T @ features
    assert (np.abs(left) <= np.outer(more[1], more[1]) + 1e-11).all()


def test_points_that_matter_after_all(monkeypatch):
    problem = problem_of()
    wrong = Beginning(np.zeros(N), 5.0, True, False)  # all of one class seem far off
    wrong.beta[[0, 1]] = 1.0, -1.0
    rounds = []
    improve = CoarseSearch.improve
    monkeypatch.setattr(
        CoarseSearch, "improve", lambda *args: rounds.append(args) or improve(*args)
    )
    for begun in (None, wrong):
        rounds.clear()
        assert solve_coarsely(problem, 1e-11, begun=begun)[1]
        assert len(rounds) <= 2


def test_many_points_tell_how_coarse_the_kernel_may_be():
    n = ALL + 1000
    X, y = noisy(n=n)
    factors = {}
    for name, labels in (("learnt", y), ("tossed", np.random.default_rng(1).choice([-1, 1], n))):
        problem = Problem(rbf(0.5), X, labels.astype(float), np.full(n, 20.0), True)
        dual, history = solve_coarsely(problem, 1e-11)
        assert history
        factors[name] = len(problem.memory.factor[0])
    assert factors["learnt"] < factors["tossed"]  # all points are support vectors


def test_few_points_that_matter_need_no_wide_factor():
    n = ALL + 1000
    X, _ = noisy(n=n)
    rare = np.where(((X - 1.5) ** 2).sum(axis=1) < 0.2, 1.0, -1.0)
    problem = Problem(rbf(3.0), X, rare, np.full(n, 10.0), True)
    begun = begin(problem)
    wide = coarse_factor(problem, n / 400, n // 6)
    assert begun.few and len(wide[0]) > 2 * NARROW
    assert solve_coarsely(problem, 1e-10, begun=begun) is None
    svm = solve_svm(X, rare, C=10.0, kernel=rbf(3.0))
    svm.check()
    assert svm.converged and svm.memory.factor is None


@pytest.mark.parametrize("C", [1e-3, 0.05, 1.0, 100.0])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("gamma", [2.0, 50.0])
def test_a_kernel_in_single_precision_is_solved_first(monkeypatch, C, bias, gamma):
    rounds = []
    improve = CoarseSearch.improve
    monkeypatch.setattr(
        CoarseSearch, "improve", lambda *args: rounds.append(args) or improve(*args)
    )
    problem = problem_of(C, bias, rbf(gamma))
    dual, history = solve_roughly(problem, 1e-10, np.zeros(N))
    exact = problem.dual_at(dual.beta[:N])
    primal, value = exact.values(problem.threshold(exact))
    assert len(rounds) <= 3
    if history:  # else more points are free than are asked about, and the exact kernel goes on
        assert primal - value <= 1e-9 * primal
        assert history[-1][1] <= value * (1 + 1e-12) and primal <= history[-1][0] * (1 + 1e-12)
    assert history or np.count_nonzero((0 < abs(dual.beta)) & (abs(dual.beta) < C)) > 200
    assert primal - value <= 1e-3 * primal


@pytest.mark.parametrize("C, many", [(0.01, True), (1000.0, False)])
def test_many_points_at_the_bound_are_foreseen(monkeypatch, C, many):
    calls = []
    monkeypatch.setattr(
        "halfspaces.svm.solve_roughly", lambda *args: calls.append(args) or solve_roughly(*args)
    )
    X, y = noisy()
    for bias in (True, False):
        svm = solve_svm(X, y, C=C, kernel=rbf(50.0), bias=bias)
        svm.check()
        assert svm.converged
    assert begin(problem_of(C, kernel=rbf(50.0))).many == many
    assert len(calls) == 2 * many
    X = X[:, :1]  # few features: a factor will do
    solve_svm(X, y, C=C, kernel=rbf(0.5)).check()
    assert len(calls) == 2 * many


def test_a_guess_stays_where_a_precise_factor_is_too_wide():
    n = ALL + 2000
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    y = np.where((X**2).sum(axis=1) + rng.normal(size=n) > 2.5, 1.0, -1.0)
    for bias in (True, False):
        problem = Problem(rbf(0.6), X, y, np.ones(n), bias)
        dual, history = solve_coarsely(problem, 1e-10)
        assert problem.memory.factor is None
        exact = problem.dual_at(dual.beta[:n])
        primal, value = exact.values(problem.threshold(exact))
        assert history and primal - value <= 1e-9 * primal


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
    alpha = guessed(X.T.astype(kind), y, C, bias, 1e-6)
    assert alpha.min() >= 0 and alpha.max() == C  # to the last digit, though C is no float32
    best = solve_svm(X, y, C=C, bias=bias)
    value = alpha.sum() - ((X.T @ (alpha * y)) ** 2).sum() / 2
    assert value == pytest.approx(best.dual, rel=1e-4)
    assert not bias or abs(alpha @ y) <= 1e-4 * alpha.sum()


@pytest.mark.parametrize(
    "C, rare, bias, each",
    [(100.0, 0.5, True, 1 / 3), (100.0, 0.5, False, 1 / 3), (3e-3, 0.1, True, 1.0)],
)
def test_a_guess_leaves_few_points_between_their_bounds(C, rare, bias, each):
    rng = np.random.default_rng(0)
    n = 2000
    y = np.where(rng.random(n) < rare, 1.0, -1.0)
    X = rng.normal(size=(n, 2)) + 0.7 * y[:, None]
    features, _ = coarse_factor(Problem(rbf(0.5), X, y, np.full(n, C), bias), 1 / C, n)
    alpha = guessed(features, y, C, bias, 1e-3)
    free = np.count_nonzero((0 < alpha) & (alpha < C))
    assert free <= 35 + each * len(features)  # the last step may move some


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


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("far", [0.0, 1e3])
@pytest.mark.parametrize("d", [2, 6])
def test_products_are_as_wrong_as_is_said(d, far, bias):
    rng = np.random.default_rng(d)
    X, beta = rng.normal(size=(N, d)) + far, rng.normal(size=N) * (rng.random(N) < 0.5)
    problem = Problem(rbf(0.6 / d**2), X, np.ones(N), np.ones(N), bias, 2.0)
    signed = beta if bias else np.append(beta, 7.0)
    exact = problem.gram(np.arange(N)) @ signed
    coarse_kernels = [RoughRows(problem), Features(problem, coarse_factor(problem, 1.0, N))]
    coarse_kernels.append(RoughGram(problem))
    problem.memory.shared = True  # now the distances are kept
    for kernel in (*coarse_kernels, RoughRows(problem)):
        wrong = np.abs(kernel.product(signed) - exact)
        assert (wrong <= kernel.doubt(signed)).all() and wrong.max() > 1e-9
        assert kernel.doubt(signed).max() < 1


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("gamma, quick", [(0.5, 1e9), (60.0, 0.0)])
def test_a_start_needs_no_factor(monkeypatch, gamma, quick, bias):
    monkeypatch.setattr(coarse, "QUICK", quick)
    problem = problem_of(2.0, bias, rbf(gamma))
    assert (coarse_factor(problem, 0.1, N // 6) is None) == (quick == 0)  # too wide, or too dear
    start = solve_coarsely(problem_of(1.5, bias), 1e-11)[0].beta[:N]
    dual, history = solve_coarsely(problem, 1e-11, start)
    assert problem.memory.factor is None
    exact = problem.dual_at(dual.beta[:N])
    primal, value = exact.values(problem.threshold(dual))
    assert history and primal - value <= 1e-10 * primal
    assert history[0][1] <= value <= primal <= history[0][0]


def test_points_at_the_wrong_bound_are_counted():
    problem = problem_of()
    features = Features(problem, coarse_factor(problem, 0.1, N))
    dual, _ = solve_coarsely(problem, 1e-11)
    search = CoarseSearch(problem, features, dual, features.doubt(dual.beta))
    near = dual.candidates(60)
    assert search.count_wrong(near) == 0
    far = np.setdiff1d(np.arange(N), near)[:5]
    across = 1e-6 * dual.y[far] * np.where(dual.beta[far] == 0, 1, -1)
    dual.e[far] = across - problem.threshold(dual)
    assert search.count_wrong(near) == 5
    assert search.count_wrong(np.append(near, far)) == 0


@pytest.mark.parametrize("seed", range(6))
def test_no_point_is_in_doubt_in_the_end(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    y = np.where(rng.uniform(size=1000) < 0.05, 1.0, -1.0)  # a rare class: many are near the edge
    X = rng.normal(size=(1000, 2)) + 1.5 * (y > 0)[:, None]
    problem = Problem(rbf(0.1), X, y, np.full(1000, 0.05), True)
    searches = []
    monkeypatch.setattr(
        coarse, "CoarseSearch", lambda *args: searches.append(CoarseSearch(*args)) or searches[-1]
    )
    dual, history = solve_coarsely(problem, 1e-10)
    assert history and not len(searches[0].in_doubt()) and searches[0].doubt.max() > 0
    exact = problem.dual_at(dual.beta)
    primal, value = exact.values(problem.threshold(exact))
    assert primal - value <= 1e-10 * primal


@pytest.mark.parametrize("bias", [True, False])
def test_what_is_asked_is_known_exactly(bias):
    problem = problem_of(bias=bias)
    features = Features(problem, coarse_factor(problem, 5.0, N))
    dual = problem.dual_at(np.zeros(N), np.zeros(N + (not bias)))
    search = CoarseSearch(problem, features, dual, features.doubt(dual.beta))
    everyone = np.arange(N)
    for asked in (everyone[::2], everyone[::3], everyone):  # some again, some for the first time
        near = np.union1d(dual.free(), everyone[:: len(asked) // 20])
        search.ask(near)
        before = dual.beta.copy()
        with np.errstate(all="ignore"):  # as its caller does
            search.improve(near, 1e-11)
        assert (dual.beta != before).any()
        exact = problem.dual_at(dual.beta[:N]).e
        wrong = np.abs(dual.e - exact)
        assert (wrong <= search.doubt + 1e-12).all() and wrong[asked].max() > 1e-4
        search.ask(asked)
        np.testing.assert_allclose(dual.e[asked], exact[asked], atol=1e-12)
        assert not search.doubt[asked].any()


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
