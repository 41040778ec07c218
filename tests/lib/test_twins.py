"""Points that coincide are one point for the solver, and the answer is what it was."""

import math

import numpy as np
import pytest
from halfspaces import linear, polynomial, rbf, svm
from halfspaces.svm import solve_svm
from halfspaces.twins import find_twins

KERNELS = {"rbf": rbf(0.5), "sharp": rbf(30.0), "rank 6": polynomial(2, 1), "linear": linear}


def rounded(n: int, d: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Draw points of a coarse grid, some of them with both labels."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, d)))
    y = np.where((X**2).sum(axis=1) + 0.6 * rng.normal(size=n) > 1.4 * d / 2, 1, -1)
    return X, y


@pytest.mark.parametrize("d", [1, 2, 7, 64])
@pytest.mark.parametrize("seed", range(3))
def test_lots_are_what_a_comparison_of_all_pairs_finds(d, seed):
    rng = np.random.default_rng(seed)
    few, y = rng.normal(size=(40, d)), rng.choice([-1, 1], 90)
    few[0] = 0.0
    X = few[rng.integers(40, size=90)]
    X[X == 0] *= rng.choice([-1, 1], (X == 0).sum())  # −0 is 0
    twins = find_twins(X, y)
    same = (X[:, None] == X).all(axis=2) & (y[:, None] == y)
    assert ((twins.lot[:, None] == twins.lot) == same).all()
    assert (twins.count[twins.lot] == same.sum(axis=1)).all()
    assert (twins.lot[twins.first] == np.arange(len(twins.count))).all()


def test_few_twins_are_not_worth_it():
    X = np.random.default_rng(0).normal(size=(100, 2))
    y = np.ones(100, int)
    assert find_twins(X, y) is None
    X[:10] = X[10:20]
    assert find_twins(X, y) is None
    assert find_twins(np.append(X, X, axis=0), np.append(y, -y)) is None  # other labels
    assert len(find_twins(np.append(X, X, axis=0), np.append(y, y)).count) == 90
    assert find_twins(np.zeros((1, 2)), y[:1]) is None


def test_equal_keys_are_no_proof(monkeypatch):
    monkeypatch.setattr("halfspaces.twins._weights", lambda size: np.zeros(size))
    X, y = rounded(50, 1)
    twins = find_twins(X, y)
    assert 8 < len(twins.count) < 40  # not all are found, and none is wrong
    assert (X[twins.first][twins.lot] == X).all() and (y[twins.first][twins.lot] == y).all()


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("C", [0.01, 0.7, 30.0])
@pytest.mark.parametrize("n, d", [(60, 1), (150, 2), (900, 3)])
def test_the_answer_is_the_same_with_and_without(monkeypatch, kernel, bias, C, n, d):
    X, y = rounded(n, d)
    assert find_twins(X, y) is not None
    start = solve_svm(X, y, C=1.0, kernel=kernel, bias=bias)
    found = solve_svm(X, y, C=C, kernel=kernel, bias=bias)
    again = solve_svm(X, y, C=C, kernel=kernel, bias=bias, start=start)
    monkeypatch.setattr(svm, "find_twins", lambda X, y: None)
    plain = solve_svm(X, y, C=C, kernel=kernel, bias=bias)
    for result in (found, again, plain):
        result.check()
        assert result.converged
        assert result.primal == pytest.approx(plain.primal, rel=1e-8)


@pytest.mark.parametrize("C", [0.1, 0.7, 1 / 3])
def test_a_lot_at_its_bound_is_there_to_the_last_digit(C):
    X, y = np.repeat(np.arange(9.0), np.arange(1, 10))[:, None], np.ones(45, int)
    twins = find_twins(X, y)
    caps = twins.count * C
    assert (twins.shared(-C * y, C) == -caps).all()
    assert (twins.shared(C * y * (X[:, 0] != 8), C) == caps * (np.arange(9) != 8)).all()


@pytest.mark.parametrize("bias", [True, False])
def test_twins_have_the_same_multiplier(bias):
    X, y = rounded(200)
    found = solve_svm(X, y, C=3.0, kernel=rbf(0.5), bias=bias)
    for lot in np.unique(np.column_stack([X, y]), axis=0):
        alpha = found.alpha[(np.column_stack([X, y]) == lot).all(axis=1)]
        assert alpha == pytest.approx(alpha[0], abs=1e-12)


@pytest.mark.parametrize("bias", [True, False])
def test_a_hard_margin_of_points_drawn_twice(monkeypatch, bias):
    X = np.random.default_rng(0).normal(size=(60, 2))
    X, y = np.tile(X, (3, 1)), np.tile(np.where(X[:, 0] * X[:, 1] > 0, 1, -1), 3)
    found = solve_svm(X, y, kernel=rbf(2.0), bias=bias)
    found.check()
    monkeypatch.setattr(svm, "find_twins", lambda X, y: None)
    assert found.margin == pytest.approx(solve_svm(X, y, kernel=rbf(2.0), bias=bias).margin)


def test_what_is_known_of_twins_is_not_believed_of_other_labels():
    X, y = rounded(200)
    first = solve_svm(X, y, C=2.0, kernel=rbf(0.5))
    assert first.memory.twins is not None
    other = y.copy()
    other[X[:, 0] == X[0, 0]] *= -1
    later = solve_svm(X, other, C=2.0, kernel=rbf(0.5), start=first)
    later.check()
    assert later.converged and later.memory.twins is not None
    assert later.memory.twins is not first.memory.twins
    for kernel in (rbf(0.5), rbf(0.7), rbf(0.5) + linear):
        same = solve_svm(X, y, C=2.0, kernel=kernel, start=first)
        same.check()
        assert same.memory.twins is first.memory.twins
        assert kernel != first.kernel or len(same.history) == 1  # it is where it was
    distinct = X + 1e-9 * np.arange(400).reshape(200, 2)
    moved = solve_svm(distinct, y, C=2.0, kernel=rbf(0.5), start=first)
    moved.check()
    assert moved.converged and moved.memory.twins is None
    back = solve_svm(X, y, C=2.0, kernel=rbf(0.5), start=moved)
    back.check()
    assert back.converged and back.memory.twins is not None


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("C, bias", [(11.4, True), (1e4, False)])
def test_an_error_of_one_margin_is_one_of_all_that_share_it(seed, C, bias):
    rng = np.random.default_rng(seed)
    X, y = np.round(rng.normal(size=(2000, 1))), np.where(rng.random(2000) < 0.9, 1, -1)
    X[:3, 0] = 5.0, -5.0, 0.0
    clear = np.where(X[:, 0] > 0, 1, -1)
    start = solve_svm(X, clear * y, C=1.1 * C, kernel=rbf(4.0), bias=bias)  # far from the answer
    for kernel in (linear + rbf(3.0), rbf(0.1)):
        found = solve_svm(X, clear, C=C, kernel=kernel, bias=bias, start=start)
        assert found.converged
        found.check()


@pytest.mark.parametrize("C", [1e-6, 1.0, math.inf])
def test_one_point_many_times(C):
    svm = solve_svm([[1.0, 2.0]] * 9, [1] * 9, C=C, kernel=rbf(1.0), bias=False)
    svm.check()
    assert svm.alpha == pytest.approx(min(C, 1 / 9))
    svm = solve_svm([[1.0], [1.0], [1.0], [2.0]], [1, 1, 1, -1], C=C, kernel=rbf(1.0))
    svm.check()


def test_many_lots_are_looked_at_coarsely():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3500, 2))
    y = np.where((X**2).sum(axis=1) + 0.6 * rng.normal(size=3500) > 2, 1, -1)
    drawn = rng.integers(3500, size=9000)  # a bootstrap: some points ten times
    for C in (0.05, 5.0):
        found = solve_svm(X[drawn], y[drawn], C=C, kernel=rbf(0.5))
        found.check()
        assert found.converged and found.memory.factor is not None
        assert found.memory.twins.count.max() > 6
