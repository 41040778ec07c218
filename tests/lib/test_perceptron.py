"""The perceptron against the textbook loop, mistake for mistake,
and its relatives against their promises.
"""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from halfspaces import (
    CertificateError,
    cube,
    datasets,
    from_sets,
    homogenise,
    linear,
    perceptron,
    polynomial,
    rbf,
    run_kernel_perceptron,
    run_modified_perceptron,
    run_perceptron,
    run_rescaled_perceptron,
    separate,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

ELEMENTS = st.integers(-3, 3)
DATA = st.tuples(st.integers(1, 7), st.integers(1, 3)).flatmap(
    lambda s: st.tuples(
        hnp.arrays(np.int64, s, elements=ELEMENTS),
        hnp.arrays(np.int64, s[0], elements=st.sampled_from([-1, 1])),
    )
)


def textbook(X, y, start=None, step=1, max_passes=50):
    """Sweep point by point; return the mistakes in order, w,
    and whether the last sweep was clean.
    """
    w = np.zeros(X.shape[1], X.dtype) if start is None else start
    mistakes = []
    for _ in range(max_passes):
        before = len(mistakes)
        for i in range(len(X)):
            if int(y[i]) * (w @ X[i]) <= 0:
                w = w + step * int(y[i]) * X[i]
                mistakes.append(i)
        if len(mistakes) == before:
            return mistakes, w, True
    return mistakes, w, False


@settings(max_examples=200, deadline=None)
@given(DATA)
def test_integers_against_the_textbook(data):
    X, y = data
    run, (mistakes, w, done) = run_perceptron(X, y, max_passes=50), textbook(X, y)
    run.check()
    assert (
        run.mistakes.tolist() == mistakes and run.w.tolist() == w.tolist() and run.converged is done
    )


@settings(max_examples=100, deadline=None)
@given(DATA, st.sampled_from([0.1, 1 / 3, 1e-20, 1e20]))
def test_floats_with_ties_against_the_textbook(data, scale):
    """Multiples of 0.1 tie or nearly tie all the time; the block product must not decide those."""
    X, y = data[0] * scale, data[1]
    run, (mistakes, w, done) = run_perceptron(X, y, max_passes=50), textbook(X, y)
    assert run.mistakes.tolist() == mistakes and run.converged is done
    assert np.allclose(run.w, w, rtol=1e-9, atol=1e-12 * scale)


@pytest.mark.parametrize("n, d, margin", [(3000, 5, 0.02), (500, 2, 0.001), (2000, 20, 0.05)])
def test_blocks_against_the_textbook(n, d, margin):
    X, y = datasets.separable(n, d, margin, np.random.default_rng(n))
    run, (mistakes, _, done) = run_perceptron(X, y), textbook(X, y, max_passes=10**6)
    run.check()
    assert run.mistakes.tolist() == mistakes and run.converged and done


@settings(max_examples=60, deadline=None)
@given(DATA, st.integers(-4, 4), st.sampled_from([Fraction(1, 3), Fraction(5, 2), 2]))
def test_start_and_step_against_the_textbook_in_fractions(data, first, step):
    X, y = data
    start = np.array([Fraction(first, 7)] + [Fraction(1, 2)] * (X.shape[1] - 1), object)
    run, (mistakes, w, _) = (
        run_perceptron(X, y, start, step, max_passes=20),
        textbook(X.astype(object), y, start, step, 20),
    )
    assert run.mistakes.tolist() == mistakes and run.w.tolist() == w.tolist()


def test_integers_too_large_for_floats():
    X = np.array([[10**30 + 1, 1], [10**30, 1], [-1, 10**30]], object)
    y = np.array([1, -1, 1])
    run, (mistakes, w, _) = run_perceptron(X, y, max_passes=30), textbook(X, y, max_passes=30)
    run.check()
    assert run.mistakes.tolist() == mistakes and run.w.tolist() == w.tolist()


def test_known_runs():
    X, y = datasets.animals()
    run = run_perceptron(X, y)
    assert (len(run.mistakes), run.passes, run.w.tolist()) == (19, 10, [-6, 4, 10])
    run = run_perceptron(homogenise(X), y)
    assert (len(run.mistakes), run.w.tolist()) == (17, [-6, 4, 8, -9])
    run = run_perceptron([[1, 0], [-1, 1]], [1, 1])
    assert np.bincount(run.mistakes).tolist() == [3, 2] and run.w.tolist() == [1, 2]
    assert (
        len(run_perceptron(homogenise(datasets.xor_lifted()[0]), datasets.xor()[1]).mistakes) == 29
    )


@pytest.mark.parametrize("t", [2, 3, 5, 10, 20, 50, 100])
def test_two_points_that_take_long(t):
    run = run_perceptron(*datasets.two_slow_points(t))
    assert run.converged and len(run.mistakes) == (t + 1) ** 2 + 1


def test_alternating_lists():
    updates = []
    for k in range(1, 9):
        formula = datasets.alternating_list(k)
        updates.append(len(run_perceptron(homogenise(cube(k)), formula(cube(k))).mistakes))
    assert updates == [5, 9, 23, 51, 137, 337, 849, 2201]


def test_start_and_step():
    assert len(run_perceptron([[1]], [1], start=[-10]).mistakes) == 11
    assert len(run_perceptron([[1]], [1], start=[-10], step=10).mistakes) == 2
    X, y = datasets.separable(50, 3, 0.1, np.random.default_rng(0))
    assert (
        run_perceptron(X, y, step=0.25).mistakes.tolist() == run_perceptron(X, y).mistakes.tolist()
    )


def test_xor_cycles_and_says_so():
    run = run_perceptron(homogenise(datasets.xor()[0]), datasets.xor()[1], max_passes=10)
    assert not run.converged and len(run.mistakes) == 40 and run.passes == 10 and not run.w.any()


def test_limits():
    X, y = homogenise(datasets.xor()[0]), datasets.xor()[1]
    run = run_perceptron(X, y, max_updates=7)
    assert len(run.mistakes) == 7 and not run.converged
    exact = run_perceptron([[1]], [1], start=[-10], max_updates=11)
    assert exact.converged and len(exact.mistakes) == 11


def test_one_pass_is_the_online_algorithm():
    X, y = datasets.two_slow_points(5)
    run = run_perceptron(X, y, max_passes=1)
    assert run.passes == 1 and run.mistakes.tolist() == [0, 1] and not run.converged


def test_sets_of_good_and_bad_points():
    X, y = from_sets([[1, 1], [2, 0]], [[-1, 0]])
    assert y.tolist() == [1, 1, -1] and run_perceptron(X, y).converged


def test_normalised_update():
    X, y = np.array([[3.0, 4.0], [-10.0, 0.0]]), np.array([1, -1])
    run = run_perceptron(X, y, normalise=True)
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    assert run.mistakes.tolist() == textbook(unit, y)[0] and np.allclose(
        run.w, textbook(unit, y)[1]
    )
    assert run.converged and run.normalised
    with pytest.raises(ValueError, match="point 0 is zero"):
        run_perceptron([[0, 0]], [1], normalise=True)


def test_the_path_is_every_w():
    X, y = datasets.animals()
    run = run_perceptron(X, y)
    path = run.path()
    assert path.shape == (20, 3) and (path[0] == 0).all() and (path[-1] == run.w).all()
    assert all((run.w_after(t) == path[t]).all() for t in range(20))
    with pytest.raises(ValueError, match="0 … 19"):
        run.w_after(20)


def test_a_run_costs_no_more_than_its_indices():
    run = run_perceptron(*datasets.two_slow_points(1000), max_updates=10**5)
    held = sum(v.nbytes for v in vars(run).values() if isinstance(v, np.ndarray))
    assert len(run.mistakes) == 10**5 and held < 17 * 10**5  # index and visit, eight bytes each


def test_averaged_is_the_mean_over_all_points_shown():
    X, y = datasets.animals()
    run, w, total = run_perceptron(X, y), np.zeros(3), np.zeros(3)
    for _ in range(run.passes):
        for i in range(4):
            if y[i] * (w @ X[i]) <= 0:
                w = w + y[i] * X[i]
            total += w
    assert np.allclose(run.averaged().w, total / (4 * run.passes))


def test_pocket_is_the_best_w_of_the_run():
    X, y = (
        homogenise(np.vstack([datasets.xor()[0], [[3, 3], [4, 4]]])),
        np.append(datasets.xor()[1], [1, 1]),
    )
    run = run_perceptron(X, y, max_passes=20)
    errors = [(y * (X @ w) <= 0).sum() for w in run.path()]
    best = run.pocket()
    assert (y * best.score(X) <= 0).sum() == min(errors) < errors[-1]


def test_errors_are_not_monotone():
    X, y = datasets.one_error_to_two()
    errors = [int((y * (X @ w) <= 0).sum()) for w in run_perceptron(X, y).path()]
    assert (1, 2) in zip(errors, errors[1:])


def test_check_finds_an_update_that_was_no_mistake():
    X, y = datasets.animals()
    run = run_perceptron(X, y)
    with pytest.raises(CertificateError, match="update 20 was made on point 3"):
        replace(run, mistakes=np.append(run.mistakes, 3)).check()
    with pytest.raises(CertificateError, match="point . was passed over"):
        replace(run, mistakes=run.mistakes[:-3], shown=32).check()
    with pytest.raises(CertificateError, match="a sweep was without mistake"):
        replace(run, shown=run.shown + 1).check()


@settings(max_examples=60, deadline=None)
@given(DATA, st.sampled_from([(1, 0), (2, 0), (2, 1), (3, 2)]))
def test_kernel_run_is_the_run_in_the_features(data, shape):
    """In integers both runs are exact, so they make the same mistakes in the same order."""
    X, y = data
    degree, offset = shape
    kernel = polynomial(degree, offset)
    run = run_kernel_perceptron(X, y, kernel, max_passes=8)
    run.check()
    lifted = np.array([[Fraction(v) for v in row] for row in _products(X, degree, offset)], object)
    assert run.mistakes.tolist() == textbook(lifted, y, max_passes=8)[0]


def _products(X, degree, offset):
    """All ordered products of `degree` coordinates; the offset c is c coordinates 1:
    a feature map in integers.
    """
    wide = np.hstack([X, np.ones((len(X), offset), int)])
    lifted = wide
    for _ in range(degree - 1):
        lifted = (lifted[:, :, None] * wide[:, None, :]).reshape(len(X), -1)
    return lifted.tolist()


def test_kernel_run():
    X, y = datasets.xor()
    run = run_kernel_perceptron(X, y, polynomial(2, 1))
    run.check()
    assert (
        run.converged
        and run.predict(X).tolist() == y.tolist()
        and run.counts.sum() == len(run.mistakes)
    )
    assert not run_kernel_perceptron(X, y, linear, max_passes=5).converged
    assert run_kernel_perceptron(X, y, rbf(1.0)).converged
    plain, kernel = run_perceptron(*datasets.animals()), run_kernel_perceptron(*datasets.animals())
    assert plain.mistakes.tolist() == kernel.mistakes.tolist()


def test_kernel_run_before_any_mistake_scores_zero():
    run = run_kernel_perceptron([[1]], [1], linear, max_passes=1)
    assert run.score([[5]]).tolist() == [5] and run.counts.tolist() == [1]


@pytest.mark.parametrize("sigma", [0.5, 0.2, 0.05, 0.02])
def test_modified_perceptron_is_right_outside_its_cone(sigma):
    X, y = datasets.separable(300, 4, 0.001, np.random.default_rng(7))
    run = run_modified_perceptron(X, y, sigma, np.random.default_rng(3))
    run.check()
    cosines = y * (X @ run.w) / np.linalg.norm(X, axis=1) / np.linalg.norm(run.w)
    assert run.converged and cosines.min() > -sigma
    assert run.updates <= run.rounds * math.ceil(math.log(4) / sigma**2)


def test_modified_perceptron_succeeds_as_often_as_promised():
    """A start succeeds with probability at least P(⟨w,w*⟩ ≥ 1/√d) = 0.1717 for d = 10."""
    X, y = datasets.separable(200, 10, 0.01, np.random.default_rng(0))
    starts = [
        run_modified_perceptron(X, y, 0.1, np.random.default_rng(seed)).rounds
        for seed in range(200)
    ]
    assert len(starts) / sum(starts) >= 0.1717


def test_modified_perceptron_gives_up_on_contradictions():
    run = run_modified_perceptron([[1.0, 0.0], [1.0, 0.0]], [1, -1], 0.5, max_updates=500)
    assert run.updates <= 500 and (
        run.converged is False or abs(run.w[0]) < 0.5 * np.linalg.norm(run.w)
    )


@pytest.mark.parametrize("k", [4, 8])
def test_rescaled_perceptron_separates_thin_margins(k):
    formula = datasets.alternating_list(k)
    run = run_rescaled_perceptron(homogenise(cube(k)), formula(cube(k)))
    run.check()
    assert run.converged and (run.predict(homogenise(cube(k))) == formula(cube(k))).all()


def test_rescaled_perceptron_needs_its_phases():
    """Where the plain perceptron has not finished after 100,000 updates,
    a few stretches of space suffice.
    """
    X, y = datasets.separable(300, 5, 1e-6, np.random.default_rng(0))
    run = run_rescaled_perceptron(X, y)
    run.check()
    assert run.converged and run.rounds > 1 and run.updates < 50_000
    assert not run_perceptron(X, y).converged


def test_rescaled_perceptron_stops_without_a_separator():
    run = run_rescaled_perceptron(
        homogenise(datasets.xor()[0]), datasets.xor()[1], max_updates=3000
    )
    assert not run.converged and not separate(*datasets.xor())


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: run_perceptron([[1, 2]], [1], start=[1]), "start has 1"),
        (lambda: run_perceptron([[1, 2]], [1], step=0), "step is 0"),
        (lambda: run_perceptron([[1, 2]], [1], max_passes=0), "max_passes"),
        (lambda: run_modified_perceptron([[1, 2]], [1], 0), "sigma is 0"),
        (lambda: run_modified_perceptron([[1, 2]], [1], 1.5), "sigma is 1.5"),
        (lambda: run_rescaled_perceptron([[0, 0]], [1]), "zero vector"),
        (lambda: from_sets([[1, 2]], [[1]]), "dimension 1"),
    ],
)
def test_bad_input(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("step", [4.3e38, 1.6e44, 1e74])
def test_a_step_beyond_single_precision_makes_the_same_run(step):
    X, y = np.array([[0.1, 0.3], [0.2, -0.7], [-0.5, 0.9]]), np.array([1, -1, 1])
    assert (
        run_perceptron(X, y, step=step).mistakes.tolist()
        == run_perceptron(X, y, step=0.5).mistakes.tolist()
    )
    assert run_perceptron([[0.0]], [1], step=step, max_updates=3).converged is False


def test_no_warning_of_what_lies_beside_the_data_in_memory(monkeypatch):
    states, screen = [], perceptron._screen_in_single_precision

    def look(*arguments):
        states.append(np.geterr()["invalid"])  # BLAS sets this flag, in some places of memory
        return screen(*arguments)

    monkeypatch.setattr(perceptron, "_screen_in_single_precision", look)
    run_perceptron(*datasets.separable(50, 3, 0.1, np.random.default_rng(0)))
    assert states == ["ignore"] and np.geterr()["invalid"] == "warn"
