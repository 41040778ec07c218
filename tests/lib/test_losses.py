"""Losses, descent with bounds from both sides, and the best halfspace against brute force."""

import itertools
import math

import numpy as np
import pytest
from halfspaces import (
    CertificateError,
    Halfspace,
    best_halfspace,
    datasets,
    descend,
    hinge,
    hinge_at_zero,
    homogenise,
    logistic,
    run_perceptron,
    separate,
    solve_svm,
    squared_hinge,
    zero_one,
)
from halfspaces.losses import BestHalfspace
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

SURROGATES = [hinge, squared_hinge, logistic]
CONVEX = [hinge_at_zero, *SURROGATES]
GRID = np.arange(-40, 41) / 8


@pytest.mark.parametrize("loss", SURROGATES, ids=lambda loss: loss.name)
def test_surrogates_lie_above_the_zero_one_loss(loss):
    assert (loss(GRID) >= zero_one(GRID)).all()


def test_the_loss_at_zero_does_not():
    assert (
        (hinge_at_zero(GRID) < zero_one(GRID)).any() and hinge_at_zero(0) == 0 and zero_one(0) == 1
    )


@pytest.mark.parametrize("loss", CONVEX, ids=lambda loss: loss.name)
def test_slopes_are_subgradients(loss):
    """f(u) ≥ f(z) + f′(z)(u − z) for all u and z: convexity and the slope at once."""
    values, slopes = loss(GRID), loss.slope(GRID)
    assert (
        values[None, :]
        >= values[:, None] + slopes[:, None] * (GRID[None, :] - GRID[:, None]) - 1e-12
    ).all()


def test_zero_one_is_not_convex_and_has_no_slope():
    assert zero_one(0.0) > (zero_one(-1.0) + zero_one(1.0)) / 2
    with pytest.raises(ValueError, match="flat"):
        zero_one.slope(1.0)


def test_values():
    assert [int(hinge(z)) for z in (-1, 0, 1, 2)] == [2, 1, 0, 0]
    assert logistic(0.0) == 1.0 and squared_hinge(-1) == 4


def test_risk_and_subgradient_of_the_data():
    X, y = datasets.loss_at_zero_misleads()
    assert 3 * hinge_at_zero.risk([1], X, y) == 3 and 3 * zero_one.risk([1], X, y) == 1
    assert 3 * hinge_at_zero.risk([-1], X, y) == 2 and 3 * zero_one.risk([-1], X, y) == 2
    assert hinge_at_zero.risk([0], X, y) == 0 and zero_one.risk([0], X, y) == 1


@pytest.mark.parametrize("loss", CONVEX, ids=lambda loss: loss.name)
def test_subgradient_of_the_risk_by_differences(loss):
    X, y = datasets.noisy(30, 3, 0.2, np.random.default_rng(0))
    w, step = np.array([0.3, -0.2, 0.7]), 1e-6
    numeric = [
        (loss.risk(w + step * e, X, y) - loss.risk(w - step * e, X, y)) / (2 * step)
        for e in np.eye(3)
    ]
    assert np.allclose(loss.subgradient(w, X, y), numeric, atol=1e-6)


def test_perceptron_is_subgradient_descent_on_the_loss_at_zero():
    """One point at a time, step 1: the subgradient at a tie is −yx, and the sequences agree."""
    X, y = datasets.animals()
    w, path = np.zeros(3), [np.zeros(3)]
    for _ in range(10):
        for i in range(4):
            g = hinge_at_zero.subgradient(w, X[i : i + 1], y[i : i + 1])
            if g.any():
                w = w - g
                path.append(w)
    assert np.array_equal(path, run_perceptron(X, y).path())


@pytest.mark.parametrize("penalty", [1.0, 0.1])
def test_descent_with_a_penalty_reaches_the_svm(penalty):
    X, y = datasets.noisy(100, 3, 0.1, np.random.default_rng(1))
    descent = descend(hinge, X, y, penalty=penalty, steps=2000)
    descent.check()
    optimum = penalty * solve_svm(X, y, C=1 / (penalty * 100), bias=False).primal
    assert descent.lower <= optimum + 1e-9 and optimum <= descent.value + 1e-9
    assert descent.value - descent.lower < 0.01


def test_pegasos():
    X, y = datasets.noisy(100, 3, 0.1, np.random.default_rng(1))
    descent = descend(hinge, X, y, penalty=0.1, steps=3000, rng=np.random.default_rng(0))
    optimum = 0.1 * solve_svm(X, y, C=1 / 10, bias=False).primal
    assert optimum - 1e-9 <= descent.value <= optimum + 0.01
    assert optimum - 0.01 <= descent.lower <= optimum + 1e-9
    again = descend(hinge, X, y, penalty=0.1, steps=3000, rng=np.random.default_rng(0))
    assert np.array_equal(again.path, descent.path)


def test_descent_in_a_ball():
    X, y = datasets.noisy(100, 2, 0.1, np.random.default_rng(3))
    descent = descend(hinge, X, y, radius=0.5, steps=3000)
    descent.check()
    assert np.linalg.norm(descent.path, axis=1).max() <= 0.5 + 1e-12
    circle = [
        hinge.risk(0.5 * r * np.array([math.cos(a), math.sin(a)]), X, y)
        for a in np.linspace(0, 6.3, 400)
        for r in (0.5, 1)
    ]
    assert descent.lower <= min(circle) and descent.value <= min(circle) + 1e-3


def test_scaling_w_drives_the_hinge_loss_of_separable_data_to_zero():
    X, y = datasets.animals()
    w = run_perceptron(X, y).w
    risks = [hinge.risk(w * scale, X, y) for scale in (0.01, 0.1, 1)]
    assert risks[0] > risks[1] > risks[2] == 0


def brute_force_errors(X, y, bias):
    """The fewest points whose removal leaves separable data."""
    for k in range(len(y) + 1):
        for removed in itertools.combinations(range(len(y)), k):
            kept = np.setdiff1d(np.arange(len(y)), removed)
            if not len(kept) or separate(X[kept], y[kept], bias):
                return k


@settings(max_examples=80, deadline=None)
@given(
    st.tuples(st.integers(1, 7), st.integers(1, 3)).flatmap(
        lambda s: st.tuples(
            hnp.arrays(np.int64, s, elements=st.integers(-1, 1)),
            hnp.arrays(np.int64, s[0], elements=st.sampled_from([-1, 1])),
        )
    ),
    st.booleans(),
    st.sampled_from([1, 0.1]),
)
def test_best_halfspace_against_brute_force(data, bias, scale):
    X, y = data[0] * scale, data[1]
    best = best_halfspace(X, y, bias)
    assert best.errors == brute_force_errors(data[0], y, bias)
    if scale == 1:
        best.check()


def test_best_halfspace_in_general_position():
    X, y = datasets.noisy(25, 2, 0.2, np.random.default_rng(4))
    best = best_halfspace(X, y)
    best.check()
    assert best.candidates == 2 * math.comb(25, 2)
    rng = np.random.default_rng(0)
    tried = [zero_one(y * (homogenise(X) @ v)).sum() for v in rng.normal(size=(20_000, 3))]
    assert best.errors <= min(tried)
    svm = solve_svm(X, y, C=1.0)
    assert best.errors <= svm.slack.sum() < 25


def test_xor_costs_one_error():
    best = best_halfspace(*datasets.xor())
    best.check()
    assert best.errors == 1 and (best.predict(datasets.xor()[0]) != datasets.xor()[1]).sum() == 1


def test_check_recounts():
    X, y = datasets.xor()
    poor = BestHalfspace(X, y, True, Halfspace([2, 0], 1))
    assert poor.errors == 2
    with pytest.raises(CertificateError, match="makes 2 errors, and 1 can be reached"):
        poor.check()


@pytest.mark.parametrize(
    "call, words",
    [
        (
            lambda: best_halfspace(np.random.default_rng(0).normal(size=(60, 5)), [1, -1] * 30),
            "hyperplanes",
        ),
        (lambda: descend(hinge, [[1]], [1], penalty=-1), "penalty is -1"),
        (lambda: descend(hinge, [[1]], [1], radius=0), "radius"),
        (lambda: descend(hinge, [[1]], [1], steps=0), "steps"),
        (lambda: descend(zero_one, [[1]], [1]), "flat"),
        (lambda: hinge(math.nan), "NaN"),
        (lambda: hinge.risk([1, 2], [[1]], [1]), "w has 2"),
    ],
)
def test_bad_input(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_points_in_special_position_do_not_repeat_the_search():
    """The pentagon as a sample: vertices −1, edges +1;
    its smallest vertex cover has three vertices.
    """
    unit = np.eye(5, dtype=int)
    X, y = np.vstack([unit, unit + np.roll(unit, 1, axis=0)]), np.repeat([-1, 1], 5)
    best = best_halfspace(X, y, bias=False)
    best.check()
    assert best.errors == 3
