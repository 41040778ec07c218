"""The data have the properties that their names promise."""

import numpy as np
import pytest
from halfspaces import cube, datasets, geometric, homogenise, separate, solve_svm


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("margin", [0.01, 0.3, 1.0])
@pytest.mark.parametrize("bias", [True, False])
def test_the_margin_is_the_one_asked_for(d, margin, bias):
    X, y = datasets.separable(40, d, margin, np.random.default_rng(d))
    assert solve_svm(X, y, bias=bias).margin == pytest.approx(margin, rel=1e-7)
    assert np.linalg.norm(X, axis=1).max() <= 1 + 1e-12 and set(y) == {1, -1}


def test_generators_repeat_with_their_seed():
    for make in (
        lambda rng: datasets.separable(10, 3, 0.1, rng),
        lambda rng: datasets.noisy(10, 3, 0.1, rng),
        lambda rng: datasets.circles(10, rng),
    ):
        (A, a), (B, b) = make(np.random.default_rng(5)), make(np.random.default_rng(5))
        assert np.array_equal(A, B) and np.array_equal(a, b)


def test_circles_become_linear_on_the_paraboloid():
    X, y = datasets.circles(60, np.random.default_rng(0))
    assert not separate(X, y) and separate(np.column_stack([X, (X**2).sum(1)]), y)


def test_separable_or_not():
    assert (
        separate(*datasets.animals(), bias=False)
        and not separate(*datasets.xor())
        and separate(*datasets.xor_lifted())
    )
    assert all(separate(*datasets.any_of(d)) for d in (1, 3, 6))
    assert not any(
        separate(datasets.animals()[0][:, [j]], datasets.animals()[1]) for j in range(3)
    )  # no one feature does it


def test_margins_of_lists():
    """‖v*‖² = 4F_kF_{k+1} + 1 for alternating lists, 8k² − 16k + 9 for x₁ ∨ (x₂ ∧ … ∧ x_k)."""
    a, b = 1, 1
    for k in range(1, 8):
        v = solve_svm(homogenise(cube(k)), datasets.alternating_list(k)(cube(k)), bias=False).w
        assert v @ v == pytest.approx(4 * a * b + 1, rel=1e-7)
        a, b = b, a + b
    for k in range(2, 7):
        X, y = datasets.nested_or(k)
        v = solve_svm(homogenise(X), y, bias=False).w
        assert v @ v == pytest.approx(8 * k * k - 16 * k + 9, rel=1e-7)


def test_alternating_line_needs_its_degree():
    X, y = datasets.alternating_line(5)
    assert not separate(geometric(3).features(X), y, bias=False) and separate(
        geometric(4).features(X), y, bias=False
    )


@pytest.mark.parametrize("share", [0.0, 0.2, 0.9, 1.0])
def test_share_of_flips(share):
    clean_X, clean = datasets.noisy(2000, 3, 0.0, np.random.default_rng(0))
    assert separate(clean_X, clean, bias=False) and set(clean) == {1, -1}
    X, y = datasets.noisy(2000, 3, share, np.random.default_rng(0))
    assert np.array_equal(X, clean_X)
    deviation = np.sqrt(share * (1 - share) / 2000)
    assert abs((y != clean).mean() - share) <= 5 * deviation
    assert bool(separate(X, y, bias=False)) == (share in (0, 1))


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: datasets.separable(1, 2, 0.1, np.random.default_rng(0)), "n is 1"),
        (lambda: datasets.separable(9, 2, 1.5, np.random.default_rng(0)), "margin is 1.5"),
        (lambda: datasets.noisy(9, 2, 1.5, np.random.default_rng(0)), "flips is 1.5"),
        (lambda: datasets.two_slow_points(0), "t is 0"),
    ],
)
def test_bad_input(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_the_digits_are_those_that_scikit_learn_brings_along():
    load_digits = pytest.importorskip("sklearn.datasets").load_digits
    X, y = datasets.digits()
    theirs, digit = load_digits(return_X_y=True)
    kept = np.isin(digit, [3, 8])
    assert np.array_equal(X, theirs[kept]) and np.array_equal(y == 1, digit[kept] == 3)
    assert X.dtype == y.dtype == np.int64 and X.shape == (357, 64) and X.max() == 16


def test_each_call_returns_digits_of_its_own():
    X, _ = datasets.digits()
    X[:] = 0
    assert datasets.digits()[0].any()
