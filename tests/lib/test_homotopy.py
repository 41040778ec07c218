"""The way from one solution to the next: it ends at the optimum, and each part of it is a gain."""

import math

import numpy as np
import pytest
from halfspaces import homotopy
from halfspaces.homotopy import Way, follow
from halfspaces.kernels import rbf
from halfspaces.smo import Dual, Problem, solve_dual

N = 60


def noisy(seed: int, n: int = N) -> tuple[np.ndarray, np.ndarray]:
    """Draw points of the plane, labelled by a noisy circle."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.where((X**2).sum(axis=1) + 0.6 * rng.normal(size=n) > 1.5, 1.0, -1.0)


def problem_of(seed: int, C: float, gamma: float, bias: bool = True) -> Problem:
    X, y = noisy(seed)
    return Problem(rbf(gamma), X, y, np.full(N, C), bias)


def neighbour(problem: Problem, C: float = 1.0, gamma: float = 0.7, seed: int = 0) -> Dual:
    """Return the optimum of another problem, as a state of this one."""
    beta = solve_dual(problem_of(seed, C, gamma, problem.bias), 1e-11)[0].beta[:N]
    return problem.dual_at(beta * problem.caps / C)


def gain(dual: Dual) -> float:
    return float(dual.beta @ (dual.y + dual.e)) / 2


def gap(dual: Dual, problem: Problem) -> float:
    primal, value = dual.values(problem.threshold(dual))
    return (primal - value) / primal


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("C, gamma", [(1.1, 0.7), (1.0, 0.8), (5.0, 0.7), (0.2, 3.0), (40, 0.3)])
def test_the_way_ends_at_the_optimum(seed, bias, C, gamma):
    problem = problem_of(seed, C, gamma, bias)
    dual = neighbour(problem, seed=seed)
    total, before = dual.beta.sum(), gain(dual)
    assert gap(dual, problem) > 1e-4
    assert follow(dual, problem.whole())
    assert gap(dual, problem) < 1e-8 and gain(dual) > before
    assert dual.beta.sum() == pytest.approx(total, abs=1e-12 * C * N)
    assert (dual.low <= dual.beta).all() and (dual.beta <= dual.high).all()
    assert dual.e == pytest.approx(dual.y - problem.whole() @ dual.beta, abs=1e-9)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("last", [-1.0, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_the_way_to_a_hard_margin(seed, last, bias):
    X = np.random.default_rng(seed).normal(size=(N, 2))
    y = np.where(X[:, 0] * X[:, 1] > 0, 1.0, -1.0)
    order = np.argsort(y * last, kind="stable")  # the last point has the bound −∞, or ∞
    X, y = X[order], y[order]
    near = solve_dual(Problem(rbf(2.5), X, y, np.full(N, math.inf), bias), 1e-10)[0]
    problem = Problem(rbf(2.7), X, y, np.full(N, math.inf), bias)
    dual = problem.dual_at(near.beta[:N])
    total = dual.beta.sum()
    with np.errstate(all="ignore"):  # as its callers do
        assert follow(dual, problem.whole())
    assert abs(gap(dual, problem)) < 1e-8
    assert dual.beta.sum() == pytest.approx(total, abs=1e-9)


def test_other_labels_are_a_long_way():
    problem = problem_of(1, 1.0, 0.7)
    dual = neighbour(problem)  # the optimum for other points
    dual.beta[:] = 0.0
    some = [np.flatnonzero(problem.y == label)[0] for label in (1, -1)]
    dual.beta[some] = 0.5, -0.5
    dual.e[:] = problem.y - problem.whole() @ dual.beta
    assert follow(dual, problem.whole()) and gap(dual, problem) < 1e-9


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("C", [1.0, 10.0])
@pytest.mark.parametrize("gamma", [0.1, 0.3, 0.5])
@pytest.mark.parametrize("count", [30, 50])
def test_many_free_points_hardly_differ(monkeypatch, seed, C, gamma, count):
    monkeypatch.setattr(homotopy, "FAR", 10**6)
    X, y = noisy(seed, 2 * N)
    problem = Problem(rbf(gamma), X, y, np.full(2 * N, C), True)
    dual, _ = solve_dual(problem, 1e-11)
    near = np.argsort(np.abs(dual.e + problem.threshold(dual)))[:count]
    dual.beta[near] += (C / 2 * y[near] - dual.beta[near]) / 10  # so that these are free
    dual.beta[near] -= dual.beta.sum() / count
    dual = problem.dual_at(np.clip(dual.beta, dual.low, dual.high))
    assert follow(dual, problem.whole()) and gap(dual, problem) < 1e-9


def test_much_work_is_not_worth_it(monkeypatch):
    monkeypatch.setattr(homotopy, "LOST", math.inf)  # each stop asks for a new inverse
    monkeypatch.setattr(homotopy, "WORK", 0)
    problem = problem_of(0, 6.0, 0.2)
    dual = neighbour(problem)
    before = gain(dual)
    assert not follow(dual, problem.whole()) and gain(dual) > before
    monkeypatch.setattr(homotopy, "WORK", 10**8)
    assert follow(dual, problem.whole())


def test_rows_serve_as_well_as_a_whole_matrix():
    problem = problem_of(0, 2.0, 0.7)
    ends = []
    for K in (problem.whole(), problem.rows()):
        dual = neighbour(problem)
        assert follow(dual, K)
        ends.append(dual.beta)
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_a_way_that_is_too_far_is_not_gone(monkeypatch):
    events = []
    monkeypatch.setattr(Way, "_free", lambda way, point: events.append(point))
    monkeypatch.setattr(Way, "_stop", lambda way, place, high: events.append(place))
    problem = problem_of(0, 1.0, 0.7)
    dual = neighbour(problem, C=0.01, gamma=5.0)
    dual.e[: N // 2] += 3.0  # many would have to go
    monkeypatch.setattr(homotopy, "FAR", 10)
    assert not follow(dual, problem.whole()) and not events
    monkeypatch.setattr(homotopy, "FAR", N)
    assert not follow(dual, problem.whole()) and len(events) == 1


@pytest.mark.parametrize("events", [2, 3, 5, 8])
@pytest.mark.parametrize("room", [64, 1])
def test_a_part_of_the_way_is_a_gain(monkeypatch, events, room):
    monkeypatch.setattr(homotopy, "EVENTS", events)
    monkeypatch.setattr(homotopy, "ROOM", room)
    problem = problem_of(0, 6.0, 0.2)
    dual = neighbour(problem)
    total, before = dual.beta.sum(), gain(dual)
    assert not follow(dual, problem.whole())
    assert gain(dual) > before and gap(dual, problem) > 1e-6
    assert dual.beta.sum() == pytest.approx(total, abs=1e-12)
    assert (dual.low <= dual.beta).all() and (dual.beta <= dual.high).all()
    assert dual.e == pytest.approx(dual.y - problem.whole() @ dual.beta, abs=1e-9)


def test_part_of_a_problem_keeps_its_sum():
    problem = problem_of(3, 1.5, 0.9)
    dual = neighbour(problem, seed=3)
    near = np.append(dual.free(), np.flatnonzero(dual.beta == dual.high)[:5])
    part, total = dual.part(near), dual.beta[near].sum()
    assert abs(total) > 0.1
    assert follow(part, problem.whole()[np.ix_(near, near)])
    assert part.beta.sum() == pytest.approx(total, abs=1e-12)


def test_a_twin_of_a_free_point_stays_where_it_is():
    X, y = noisy(0)
    X, y = np.repeat(X, 2, axis=0), np.repeat(y, 2)
    problem = Problem(rbf(0.7), X, y, np.full(2 * N, 0.5), True)
    beta = np.zeros(2 * N)
    beta[::2] = solve_dual(problem_of(0, 0.5, 0.7), 1e-11)[0].beta
    dual = problem.dual_at(beta)
    before = gain(dual)
    follow(dual, problem.whole())
    assert np.isfinite(dual.beta).all() and gain(dual) > before
    assert dual.e == pytest.approx(y - problem.whole() @ dual.beta, abs=1e-7)


def test_a_twin_goes_on_where_the_first_has_met_its_bound(monkeypatch):
    tried, free = [], Way._free
    monkeypatch.setattr(homotopy, "EVENTS", 1000)
    monkeypatch.setattr(homotopy, "FAR", 1000)
    monkeypatch.setattr(Way, "_free", lambda way, point: tried.append(point) or free(way, point))
    X, y = noisy(0)
    X, y = np.tile(X, (3, 1)), np.tile(y, 3)
    problem = Problem(rbf(0.7), X, y, np.full(3 * N, 0.5), True)  # together they may weigh 1.5
    beta = np.zeros(3 * N)
    beta[:N] = solve_dual(problem_of(0, 0.5, 0.7), 1e-11)[0].beta
    dual = problem.dual_at(beta)
    assert follow(dual, problem.whole()) and gap(dual, problem) < 1e-9
    assert len(tried) < 200  # who could not move is not asked at every turn


def test_twins_do_not_go_round_in_circles(monkeypatch):
    stops, stop = [], Way._stop

    def count(way: Way, place: int, high: bool) -> bool:
        stops.append(place)
        return stop(way, place, high)

    monkeypatch.setattr(Way, "_stop", count)
    rng = np.random.default_rng(1)
    X = rng.normal(size=(100, 2))
    y = np.where((X**2).sum(axis=1) + 0.6 * rng.normal(size=100) > 2, 1.0, -1.0)
    problem = Problem(rbf(0.5), np.tile(X, (2, 1)), np.tile(y, 2), np.full(200, 10.0), True)
    dual, _ = solve_dual(problem, 1e-11)
    assert gap(dual, problem) <= 1e-11 and 0 < len(stops) < 50


def test_without_free_points_or_with_equal_ones_there_is_no_way():
    problem = problem_of(0, 1.0, 0.7)
    dual = problem.dual_at(np.zeros(N))
    assert not follow(dual, problem.whole()) and not dual.beta.any()
    dual.beta[:2] = problem.y[:2] / 2
    before = dual.beta.copy()
    assert not follow(dual, -np.ones((N, N))) and (dual.beta == before).all()


@pytest.mark.parametrize("spoilt", [0.0, 1e6, np.nan])
def test_what_rounding_has_spoilt_is_not_written_down(monkeypatch, spoilt):
    def go_astray(way: Way) -> bool:
        way.to_low[1 : way.size] *= spoilt
        way.to_high[1 : way.size] *= spoilt
        return True

    monkeypatch.setattr(Way, "go", go_astray)
    problem = problem_of(0, 1.05, 0.7)
    dual = neighbour(problem)
    before = dual.beta.copy()
    assert not follow(dual, problem.whole()) and (dual.beta == before).all()


def test_a_solution_has_no_way_to_go():
    problem = problem_of(0, 1.0, 0.7)
    dual = neighbour(problem)
    before = dual.beta.copy()
    follow(dual, problem.whole())
    assert dual.beta == pytest.approx(before, abs=1e-9)
