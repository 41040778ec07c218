"""The ledger: every line of the proof on every run,
and the line that fails when the premise does.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from halfspaces import (
    CertificateError,
    cube,
    datasets,
    homogenise,
    prove_mistake_bound,
    run_perceptron,
    separate,
    solve_svm,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp


@settings(max_examples=100, deadline=None)
@given(
    st.tuples(st.integers(1, 7), st.integers(1, 3)).flatmap(
        lambda s: st.tuples(
            hnp.arrays(np.int64, s, elements=st.integers(-4, 4)),
            hnp.arrays(np.int64, s[0], elements=st.sampled_from([-1, 1])),
        )
    )
)
def test_the_proof_holds_on_every_separable_sample(data):
    X, y = data
    answer = separate(X, y, bias=False)
    assume(answer)
    proof = prove_mistake_bound(run_perceptron(X, y), answer.halfspace.w)
    proof.check()
    assert proof.mistakes <= proof.bound and isinstance(proof.bound, (int, Fraction))
    assert all(value == proof.bound for value in proof.forms().values())


def test_the_five_forms_agree_where_the_bound_is_two():
    X, y = datasets.three_points()
    proof = prove_mistake_bound(run_perceptron(X, y), [0, 1])
    proof.check()
    assert (
        proof.mistakes == 2 == proof.bound
        and set(proof.forms().values()) == {2}
        and len(proof.forms()) == 5
    )


def test_the_bound_is_reached_for_every_n():
    for n in (1, 2, 5, 30):
        X, y = datasets.unit_stream(n)
        proof = prove_mistake_bound(run_perceptron(X, y), np.ones(n, int))
        proof.check()
        assert proof.mistakes == n == proof.bound


def test_known_bounds_of_alternating_lists():
    bounds = []
    for k in range(1, 9):
        X, y = homogenise(cube(k)), datasets.alternating_list(k)(cube(k))
        bounds.append(
            prove_mistake_bound(run_perceptron(X, y), solve_svm(X, y, bias=False).w).bound
        )
    assert np.allclose(bounds, [10, 27, 100, 305, 966, 2919, 8744, 25713], rtol=1e-9)


def test_exact_ledger_of_the_animals():
    run = run_perceptron(*datasets.animals())
    proof = prove_mistake_bound(run, [Fraction(-3, 4), Fraction(5, 8), Fraction(5, 4)])
    proof.check()
    assert proof.bound == 128 * Fraction(161, 64) == 322 and proof.functional_margin == 1
    assert proof.rows[0].t == 1 and proof.rows[-1].norm2 == 152 and len(proof.rows) == 19
    assert proof.gamma == pytest.approx(1 / math.sqrt(161 / 64)) and proof.R == pytest.approx(
        math.sqrt(128)
    )


@pytest.mark.parametrize(
    "w_star, words",
    [([1, 0, 0], "point 1 with label"), ([-1, 1, 1], "point 1 with label")],
)
def test_a_false_w_star_is_caught(w_star, words):
    proof = prove_mistake_bound(run_perceptron(*datasets.animals()), w_star)
    assert proof.bound == math.inf
    with pytest.raises(CertificateError, match=words):
        proof.check()
    with pytest.raises(ValueError, match="does not separate"):
        proof.forms()


def test_a_false_w_star_is_caught_at_a_point_that_was_never_a_mistake():
    X, y = [[1, 0], [5, 1]], [1, 1]
    proof = prove_mistake_bound(run_perceptron(X, y), [1, -9])
    with pytest.raises(CertificateError, match="point 1"):
        proof.check()


def test_a_start_along_w_star_leaves_no_room_for_a_mistake():
    """With a float root the bound was −3e-16, and a run without mistakes exceeded it."""
    X, y = datasets.three_points()
    proof = prove_mistake_bound(run_perceptron(X, y, start=[0, 5], step=3), [0, 1])
    proof.check()
    assert proof.mistakes == proof.bound == 0


@settings(max_examples=60, deadline=None)
@given(st.integers(-5, 5), st.integers(-5, 5), st.sampled_from([1, 3, Fraction(1, 2)]))
def test_start_and_step_enter_the_bound(a, b, step):
    X, y = datasets.three_points()
    run = run_perceptron(X, y, start=[a, b], step=step)
    proof = prove_mistake_bound(run, [0, 1])
    proof.check()
    assert run.converged and proof.mistakes <= proof.bound


def test_normalised_updates_have_radius_one():
    X, y = datasets.separable(40, 3, 0.1, np.random.default_rng(5))
    proof = prove_mistake_bound(
        run_perceptron(X * 50, y, normalise=True), solve_svm(X, y, bias=False).w
    )
    proof.check()
    assert proof.R == pytest.approx(1)


def test_floats():
    X, y = datasets.separable(200, 5, 0.05, np.random.default_rng(2))
    proof = prove_mistake_bound(run_perceptron(X, y), solve_svm(X, y, bias=False).w)
    proof.check()
    assert proof.gamma == pytest.approx(0.05) and proof.bound == pytest.approx(
        (proof.R / 0.05) ** 2
    )


def test_a_bound_that_is_met_in_fractions_is_not_rounded():
    third = Fraction(1, 3)
    prove_mistake_bound(run_perceptron([[1, 2]], [1]), [0, third]).check()
    prove_mistake_bound(run_perceptron([[3 * third, 10**20 + third]], [1]), [0, 1]).check()


def test_integers_too_large_for_floats():
    X = [[4 * 10**9, 2], [3, 4 * 10**12], [-1, -3 * 10**10]]
    proof = prove_mistake_bound(run_perceptron(X, [1, 1, -1]), [1, 1])
    proof.check()
    assert proof.R2 == 16 * 10**24 + 9


def test_a_stream_without_mistakes():
    run = run_perceptron([[1, 0]], [1], start=[1, 0])
    proof = prove_mistake_bound(run, [1, 0])
    proof.check()
    assert proof.mistakes == 0


def test_zero_w_star():
    with pytest.raises(ValueError, match="w_star is zero"):
        prove_mistake_bound(run_perceptron([[1]], [1]), [0])


def test_the_table_is_short():
    html = prove_mistake_bound(run_perceptron(*datasets.two_slow_points(10)), [1, -9])._repr_html_()
    assert html.count("<tr>") == 13 and "⋮" in html
