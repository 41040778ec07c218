"""Notes 002, claim by claim: linear models, the VC bound, the margin, the perceptron,
the SVM and its dual.
"""

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest
from halfspaces import (
    Halfspace,
    NotSeparableError,
    best_halfspace,
    datasets,
    homogenise,
    prove_mistake_bound,
    run_perceptron,
    separate,
    solve_svm,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

E1, E2 = (1, 0), (0, 1)
INFEASIBLE = 2  # scipy's code
SIGNS = (1, -1)
few = settings(max_examples=25)  # exact fractions and solvers take their time
small = st.integers(-5, 5)
vectors = st.tuples(small, small)
points = vectors.filter(any)


def dot(u, v):
    return sum(a * b for a, b in zip(u, v))


def sgn(t):
    """The course's convention: a tie is labelled +1."""
    return 1 if t >= 0 else -1


def grid(size, d=2):
    """All integer points but 0 with coordinates up to `size`, the larger coordinates first."""
    return [p for p in itertools.product(range(size, -size - 1, -1), repeat=d) if any(p)]


def folded(X, y):
    return [tuple(label * c for c in x) for x, label in zip(X, y)]


def combine(coefficients, Z):
    return tuple(sum(c * z[k] for c, z in zip(coefficients, Z)) for k in range(len(Z[0])))


def separates(w, Z):
    return all(dot(w, z) > 0 for z in Z)


def exact_svm(Z):
    """Return v* and α* of folded points in the plane or on the line, in fractions, or None:
    guess the support, solve, and check the lines
    of Karush, Kuhn and Tucker (one or two independent support vectors are enough).
    """
    n = len(Z)
    for i, j in itertools.combinations_with_replacement(range(n), 2):
        a, b, c = dot(Z[i], Z[i]), dot(Z[i], Z[j]), dot(Z[j], Z[j])
        alpha = [F(0)] * n
        if i == j and a:
            alpha[i] = F(1, a)
        elif a * c != b * b:
            alpha[i], alpha[j] = F(c - b, a * c - b * b), F(a - b, a * c - b * b)
        v = combine(alpha, Z)
        if min(alpha) >= 0 and all(dot(v, z) >= 1 for z in Z):
            return v, alpha
    return None


def lagrangian(v, alpha, Z):
    return F(dot(v, v)) / 2 + sum(a * (1 - dot(v, z)) for a, z in zip(alpha, Z))


def dual_value(alpha, Z):
    u = combine(alpha, Z)
    return sum(alpha) - F(dot(u, u)) / 2


def printed_perceptron(stream, mistake):
    """Algorithm 1 as printed: w[t+1] exists only if there was a mistake at time t."""
    w = {0: np.zeros(len(stream[0][0]))}
    for t, (x, y) in enumerate(stream):
        if mistake(y * (w[t] @ x)):
            w[t + 1] = w[t] + np.array(x) * y / np.linalg.norm(x)
    return w


def mended_perceptron(stream):
    """Algorithm 1 with w[t+1] = w[t] where there is no mistake, and ties as mistakes;
    w before, and after each round, and the times of the mistakes.
    """
    path, mistakes = [np.zeros(len(stream[0][0]))], []
    for t, (x, y) in enumerate(stream):
        w = path[-1]
        if y * (w @ x) <= 1e-12:
            mistakes.append(t)
            w = w + np.array(x) * y / np.linalg.norm(x)
        path.append(w)
    return path, mistakes


def printed_margin(w, X):
    return min(dot(w, x) for x in X) / math.hypot(*w)


def printed_bound(m, d, delta, log=math.log):
    """Theorem 1 as it is printed."""
    return d * log(1 / delta) / m


def vc_bound(m, d, delta):
    """The corrected Theorem 1."""
    return (
        2 / m * (math.log2(sum(math.comb(2 * m, i) for i in range(d + 1))) + math.log2(2 / delta))
    )


def worst_consistent_error(sample):
    """The largest error of a w consistent with draws from e₁, e₂,
    both labelled +1 and equally likely.
    """
    return max(
        F(sum(dot(w, x) < 0 for x in (E1, E2)), 2)
        for w in itertools.product((1, -1), repeat=2)
        if all(dot(w, x) > 0 for x in sample)
    )


def longest_gap_exceeds(m, x):
    """Pr[the longest of m random arcs of a circle exceeds the share x] (Stevens);
    forty terms are plenty here.
    """
    return sum(
        (-1) ** (j + 1) * math.comb(m, j) * max(0, 1 - j * x) ** (m - 1) for j in range(1, 41)
    )


def hard_corners(k):
    """The k + 1 corners that fix the margin of the alternating list of k rules,
    and their labels.
    """
    X = np.array(
        [[int(i == j or (i > j and (i - j) % 2 == 1)) for i in range(k)] for j in range(k + 1)]
    )
    return X, datasets.alternating_list(k)(X)


def fibonacci(k):
    a, b = 0, 1
    for _ in range(k):
        a, b = b, a + b
    return a


@st.composite
def separable_lists(draw):
    """Points of the plane, and labels by a target that none of them ties with."""
    w = draw(points)
    X = draw(st.lists(points.filter(lambda x: dot(w, x) != 0), min_size=1, max_size=6))
    return X, [sgn(dot(w, x)) for x in X], w


folded_lists = separable_lists().map(lambda sample: folded(*sample[:2]))


def test_002_01_a_label_is_not_linear_in_the_point():
    label = Halfspace([1])
    assert label([1]) == 1 and label([1 + 1]) != label([1]) + label([1])
    score = Halfspace([2, -3]).score
    for x, z in itertools.product(grid(2), repeat=2):
        assert score(np.add(x, z)) == score(x) + score(z)


def test_002_02_the_class_holds_one_rule_for_each_direction_and_the_constant():
    X = np.array(grid(3) + [(0, 0)])
    rules = {tuple(Halfspace(w)(X)) for w in [*grid(3), (0, 0)]}
    directions = {tuple(c // math.gcd(*w) for c in w) for w in grid(3)}
    assert len(rules) == len(directions) + 1  # w = 0 is "always +1"
    for w in [*grid(3), (0, 0)]:
        assert tuple(Halfspace(w)(X)) == tuple(sgn(dot(w, x)) for x in X)


def test_002_03_the_sign_of_zero_is_no_label():
    assert np.sign(1 * 0) not in (-1, 1)
    assert Halfspace([1])([0]) == 1
    assert {Halfspace(w)(x) for w in grid(2) for x in [*grid(2), (0, 0)]} == {-1, 1}


@few
@given(separable_lists(), st.integers(1, 1000))
def test_002_04_the_target_is_not_determined_by_its_labels(sample, c):
    X, y, w = sample
    assert list(Halfspace([c * v for v in w])(X)) == list(Halfspace(w)(X)) == y
    # an open cone around w fits too: nudge it in every direction,
    # by less than the smallest score allows
    room = F(min(abs(dot(w, x)) for x in X), 1 + 2 * max(dot(x, x) for x in X))
    assert all(separates((w[0] + room * a, w[1] + room * b), folded(X, y)) for a, b in grid(1))
    assert Halfspace([1, 0])(E1) == Halfspace([1, 1])(E1) and Halfspace([1, 0])(
        (-1, 2)
    ) != Halfspace([1, 1])((-1, 2))


def test_002_05_copies_of_one_draw_teach_nothing():
    for m in range(1, 12):
        assert all(worst_consistent_error([x] * m) == F(1, 2) for x in (E1, E2))
        samples = list(itertools.product((E1, E2), repeat=m))
        bad = sum(
            worst_consistent_error(s) > 0 for s in samples
        )  # independent draws, all equally likely
        assert F(bad, len(samples)) == F(2, 2**m)


def test_002_06_the_bound_without_log_m_is_false():
    d, m, delta = 2, 1, 0.9
    for log in (math.log, math.log2, math.log10):
        bound = printed_bound(m, d, delta, log)
        holds = sum(worst_consistent_error([x]) <= bound for x in (E1, E2)) / 2
        assert holds == 0 < 1 - delta
    delta, d = (
        0.05,
        3,
    )  # points of a circle with −1 appended, all +1: the worst consistent error is the longest gap
    for m, probability in ((1000, 0.1146), (10_000, 0.7142)):
        assert longest_gap_exceeds(m, printed_bound(m, d, delta)) == pytest.approx(
            probability, abs=5e-5
        )
        assert longest_gap_exceeds(m, vc_bound(m, d, delta)) <= delta
    rng = np.random.default_rng(2)
    angles = np.sort(rng.random((2000, 1000)), axis=1)
    longest = np.maximum(np.diff(angles, axis=1).max(axis=1), 1 - angles[:, -1] + angles[:, 0])
    assert (longest > printed_bound(1000, d, delta)).mean() == pytest.approx(0.1146, abs=0.03)


def test_002_07_the_probability_is_over_samples_and_for_all_w_at_once():
    m, delta, w = 13, 0.05, (1, -1)
    bound = printed_bound(m, 2, delta)
    samples = list(itertools.product((E1, E2), repeat=m))
    consistent = [s for s in samples if separates(w, s)]
    assert (
        len(consistent) == 1 and 0.5 > bound
    )  # given err_S(w) = 0, the error exceeds the bound with certainty
    exceeds = sum(worst_consistent_error(set(s)) > bound for s in samples)
    assert F(exceeds, len(samples)) == F(1, 2**12) <= delta


@few
@given(st.integers(1, 1000), st.floats(1e-9, 1, exclude_max=True))
def test_002_08_the_printed_expression_grows_with_the_dimension(m, delta):
    bounds = [printed_bound(m, d, delta) for d in range(1, 51)]
    assert bounds == sorted(set(bounds))
    assert {printed_bound(m, d, 1) for d in range(1, 51)} == {0}  # the one δ where it does not


def test_002_09_fewer_dimensions_better_guarantee_but_not_smaller_error():
    X = np.array(list(itertools.product(SIGNS, repeat=2)))
    y = X[:, 1]
    errors = {
        d: min(
            float((Halfspace(w)(part) != y).mean()) for w in itertools.product((-1, 0, 1), repeat=d)
        )
        for d, part in ((1, X[:, :1]), (2, X))
    }
    assert errors == {1: 0.5, 2: 0.0}
    assert best_halfspace(X, y, bias=False).errors == 0
    for m, delta in itertools.product((10, 100, 1000), (0.01, 0.5)):
        bounds = [vc_bound(m, d, delta) for d in range(1, 9)]
        assert bounds == sorted(bounds) and len(set(bounds)) == 8


def test_002_10_one_parameter_may_shatter_any_number_of_points():
    for k in range(1, 7):
        for y in itertools.product(SIGNS, repeat=k):
            omega = 1 + sum(
                (1 - label) // 2 * 10**i for i, label in enumerate(y, 1)
            )  # in units of π
            turns = [
                F(omega, 10**i) % 2 for i in range(1, k + 1)
            ]  # sin(πt) > 0 for 0 < t < 1, < 0 for 1 < t < 2
            assert all(t not in (0, 1) for t in turns) and [
                1 if t < 1 else -1 for t in turns
            ] == list(y)
    labellings = {
        tuple(sgn(a * b * x) for x in (1, 2)) for a, b in itertools.product(range(-2, 3), repeat=2)
    }
    assert labellings == {(1, 1), (-1, -1)}  # two parameters, and 1, 2 is not shattered


def test_002_11_homogeneous_separators_have_vc_dimension_d():
    for d in range(1, 5):
        corners = np.eye(d, dtype=int).tolist()
        assert (
            len(
                {tuple(sgn(dot(w, x)) for x in corners) for w in itertools.product(SIGNS, repeat=d)}
            )
            == 2**d
        )
    for d, size in ((1, 3), (2, 2)):
        # a labelling changes only at normals of points:
        # these, and sums of neighbours, have entries up to 2·size
        W, X = np.array([*grid(2 * size, d), (0,) * d]), np.array([*grid(size, d), (0,) * d])
        for labels in (W @ X.T >= 0, W @ X.T > 0):  # whoever owns the boundary
            for chosen in itertools.combinations(range(len(X)), d + 1):
                assert len(set(labels[:, chosen] @ 2 ** np.arange(d + 1))) < 2 ** (d + 1)


def test_002_12_the_appended_constant_must_not_be_zero():
    X, y = np.array([[1], [2]]), np.array([1, -1])
    assert separate(X, y) and not separate(homogenise(X, 0), y, bias=False)
    for c in (-7, -1, 1, 2):
        assert separate(homogenise(X, c), y, bias=False)
    for w, b, c in itertools.product(range(-3, 4), range(-3, 4), (-2, -1, 1, 2)):
        line = np.arange(-9, 10)[:, None]
        assert (Halfspace([w, F(-b, c)])(homogenise(line, c)) == Halfspace([w], b)(line)).all()
    corners = datasets.corners(
        2
    )  # three points of the plane: shattered by d + 1 = 3 weights, not by 2
    labels = list(itertools.product(SIGNS, repeat=3))
    assert all(separate(homogenise(corners), y, bias=False) for y in labels)
    assert not all(separate(corners, y, bias=False) for y in labels)


def test_002_13_training_error_zero_does_not_need_strict_inequalities():
    assert all(sgn(w * 0) == 1 for w in range(-9, 10))  # error 0 on {(0, +1)}, for every w
    assert not separate([[0]], [1], bias=False)
    for w, x in itertools.product([*grid(2), (0, 0)], repeat=2):
        for y in SIGNS:
            if y * dot(w, x) > 0:
                assert Halfspace(w)(x) == y
            elif dot(w, x) != 0:
                assert Halfspace(w)(x) != y


def test_002_14_two_cases_are_one_inequality():
    for s, y in itertools.product(range(-3, 4), SIGNS):
        assert ((s > 0) if y == 1 else (s < 0)) == (y * s > 0)


def test_002_15_strict_inequalities_are_made_weak_by_scaling():
    def solve(Z, least):
        return linprog(
            [0] * len(Z[0]), A_ub=-np.array(Z), b_ub=[-least] * len(Z), bounds=(None, None)
        ).status

    contradiction = [(1,), (-1,)]
    assert solve(contradiction, 0) == 0 and solve(contradiction, 1) == INFEASIBLE
    assert not any(separates((w,), contradiction) for w in range(-9, 10))
    candidates = grid(4)  # enough for integer points of size 1
    for Z in itertools.combinations(grid(1), 3):
        strict = any(separates(w, Z) for w in candidates)
        assert strict == (solve(Z, 1) == 0) == bool(separate(Z, [1] * 3, bias=False))


def test_002_17_the_linear_program_is_polynomial_where_the_perceptron_is_not():
    X, y = hard_corners(10)
    Z = homogenise(X)
    assert Z.shape == (11, 11) and set(Z.ravel().tolist()) <= {-1, 0, 1}
    separate(Z, y, bias=False).check()
    # Every order: the points are all tight for v*, which is a sum of them with weights ≥ 0. So t
    # updates give ⟨w,v*⟩ = t, and at the end ⟨w,v*⟩ ≥ Σα = ‖v*‖², as all ⟨w,z⟩ are whole and > 0.
    svm = solve_svm(Z, y, bias=False)
    svm.check()
    v = svm.w.round().astype(np.int64)
    assert np.allclose(svm.w, v) and (y * (Z @ v) == 1).all() and (svm.alpha > 0).all()
    fewest = int(v @ v)
    assert fewest == 4 * fibonacci(10) * fibonacci(11) + 1 == 19_581
    rng = np.random.default_rng(0)
    orders = [np.arange(11), *(rng.permutation(11) for _ in range(3))]
    runs = [run_perceptron(Z[order], y[order]) for order in orders]
    runs[0].check()
    updates = [len(run.mistakes) for run in runs]
    assert all(run.converged for run in runs)
    assert updates[0] == fewest == min(updates)


def test_002_18_separable_data_have_many_hyperplanes_and_others_none():
    assert not separate([[1], [1]], [1, -1], bias=False)
    assert [w for w in range(-9, 10) if separates((w,), [(1,), (1,)])] == list(
        range(1, 10)
    )  # d = 1: all are {0}

    @few
    @given(separable_lists())
    def many(sample):
        X, y, w = sample
        Z = folded(X, y)
        radius = min(dot(w, z) for z in Z) / max(math.hypot(*z) for z in Z)
        near = [np.add(w, 0.999 * radius * np.array([math.cos(a), math.sin(a)])) for a in range(6)]
        assert all(separates(u, Z) for u in near)
        assert len({round(math.atan2(*u), 12) for u in near}) > 2  # and they are different lines

    many()


def test_002_19_the_largest_margin_need_not_have_the_smallest_error():
    best, other, target = solve_svm([[1, 0]], [1], bias=False).w, (1, 1), (1, 1)
    assert best == pytest.approx([1, 0]) and Halfspace(other).margin([[1, 0]], [1]) < 1
    support = [(1, 0), (-1, 2)]
    errors = [
        sum(Halfspace(w)(x) != Halfspace(target)(x) for x in support) / 2 for w in (best, other)
    ]
    assert errors == [0.5, 0]
    for seed in range(2):  # what holds: leave-one-out errors are at most the support vectors
        X, y = datasets.separable(12, 2, 0.05, np.random.default_rng(seed))
        full = solve_svm(X, y, bias=False)
        left_out = [
            solve_svm(np.delete(X, i, 0), np.delete(y, i), bias=False).w @ X[i] * y[i] <= 0
            for i in range(12)
        ]
        assert sum(left_out) <= len(full.support)


@few
@given(separable_lists())
def test_002_20_the_margin_is_the_distance_to_the_hyperplane(sample):
    X, y, w = sample
    along = np.array([-w[1], w[0]]) / math.hypot(*w)  # the hyperplane is the line in this direction
    distances = [math.hypot(*(np.array(x) - (along @ x) * along)) for x in X]
    assert Halfspace(w).margin(X, y) == pytest.approx(min(distances))


def test_002_21_the_margin_without_the_label_is_not_the_distance():
    """Smallest first: one point on the line, |x| ≤ 1, w = 1 and then w = -1."""
    wrong = [
        (w, x, sgn(w * x))
        for w, x in itertools.product(SIGNS, repeat=2)
        if printed_margin((w,), [(x,)]) != 1
    ]
    assert wrong[0] == (1, -1, -1)  # right, at distance 1, and the printed margin is −1
    assert printed_margin((1,), [(-1,)]) == -1 and Halfspace([1]).margin([[-1]], [-1]) == 1
    for w, x, z in itertools.product([(1, 0), (2, 1)], grid(1), grid(1)):
        for labels in itertools.product(SIGNS, repeat=2):
            corrected = Halfspace(w).margin([x, z], labels)
            assert (corrected > 0) == separates(w, folded([x, z], labels))
            if corrected > 0 and -1 in labels:
                assert printed_margin(w, [x, z]) < 0


def test_002_22_a_sample_is_a_list():
    sample = [(1, 1), (1, 1), (-1, 1)]
    shares = [F(sum(sgn(x) != y for x, y in S), len(S)) for S in (sample, set(sample))]
    assert shares == [F(1, 3), F(1, 2)]
    assert (
        min(y * x for x, y in sample)
        == min(y * x for x, y in set(sample))
        == Halfspace([1]).margin([[x] for x, _ in sample], [y for _, y in sample])
    )


def test_002_23_one_pass_over_the_training_set_need_not_separate_it():
    X, y = np.array([[1, 1], [1, 0], [2, 1]]), np.array([1, -1, -1])
    path, _ = mended_perceptron(list(zip(X, y)))
    assert (
        path[-1] == pytest.approx([-1.18732, 0.259893], rel=1e-5) and y[0] * (path[-1] @ X[0]) < 0
    )
    assert run_perceptron(X, y, normalise=True, max_passes=1).w == pytest.approx(path[-1])
    swept = run_perceptron(X, y, normalise=True)
    assert swept.converged and separates(swept.w, folded(X, y))


@few
@given(separable_lists())
def test_002_24_a_tie_must_be_a_mistake(sample):
    X, y, _ = sample
    stream = list(zip(X, y))
    strict = printed_perceptron(stream[:1], lambda s: s < 0)
    assert list(strict) == [0]  # at w = 0 nothing is ever wrong by the strict test
    assert len(run_perceptron(X, y).mistakes) >= 1 and run_perceptron(X, y).mistakes[0] == 0
    assert separates(run_perceptron(X, y).w, folded(X, y)) and not separates((0, 0), folded(X, y))


@few
@given(separable_lists())
def test_002_25_the_normalised_update_is_the_perceptron_on_unit_points(sample):
    X, y, _ = sample
    units = [np.array(x) / math.hypot(*x) for x in X]
    run, plain = run_perceptron(X, y, normalise=True), run_perceptron(units, y)
    assert run.w == pytest.approx(plain.w) and list(run.mistakes) == list(plain.mistakes)
    assert [
        len(run_perceptron(*datasets.animals(), normalise=n).mistakes) for n in (False, True)
    ] == [19, 23]


def test_002_26_the_normalised_update_needs_a_point_other_than_zero():
    assert 1 * dot((0,), (0,)) <= 0  # a tie, at w = 0 and at every other w
    with np.errstate(invalid="ignore"):
        assert np.isnan(np.array([0.0]) / np.linalg.norm([0.0])).all()
    with pytest.raises(ValueError, match="zero"):
        run_perceptron([[0]], [1], normalise=True)
    assert not separate([[0]], [1], bias=False)


def test_002_27_a_round_without_mistake_must_keep_w():
    stream = [((1,), 1), ((1,), 1)]  # t = 0, 1, so T = 1
    printed = printed_perceptron(stream, lambda s: s <= 0)
    assert 2 not in printed and sorted(printed) == [0, 1]  # the output w_{T+1} was never set
    path, _ = mended_perceptron(stream)
    assert len(path) == 3 and path[2] == path[1] == 1


@few
@given(separable_lists(), st.integers(1, 4))
def test_002_28_rounds_are_not_mistakes(sample, sweeps):
    X, y, _ = sample
    stream = list(zip(X, y)) * sweeps
    T = len(stream) - 1  # the loop is t = 0, …, T
    path, mistakes = mended_perceptron(stream)
    assert len(path) == T + 2 and len(mistakes) <= T + 1
    assert [len(mended_perceptron([((1,), 1)] * (T + 1))[1]) for T in (0, 9)] == [
        1,
        1,
    ]  # neither is T


def test_002_29_theorem_2_needs_the_margin_with_the_label():
    """Smallest first: by number of points, then largest coordinate,
    then coordinates from large to small.
    """

    def counterexample(n, size):
        for X in itertools.product(grid(size), repeat=n):
            margins = [
                (F(min(dot(u, x) for x in X) ** 2, dot(u, u)), u)
                for u in grid(size)
                if min(dot(u, x) for x in X) > 0
            ]  # squares of printed margins
            for y in itertools.product(SIGNS, repeat=n) if margins else ():
                run = run_perceptron(np.array(X), np.array(y), normalise=True, max_updates=50)
                bound = max(dot(x, x) for x in X) / max(margins)[0]
                if run.converged and len(run.mistakes) > bound:
                    return X, y, max(margins)[1], len(run.mistakes), bound

    assert [counterexample(n, size) for n, size in ((1, 1), (1, 2), (2, 1))] == [None] * 3
    assert counterexample(2, 2) == (((2, 2), (2, 1)), (1, -1), (2, 1), 2, F(8, 5))
    assert separates((-3, 4), folded([(2, 2), (2, 1)], (1, -1)))
    assert (
        printed_margin((1,), [(1,), (1,)]) == 1
    )  # so the bound is 1, but with both labels there is no end
    assert len(run_perceptron([[1], [1]], [1, -1], normalise=True, max_updates=50).mistakes) == 50
    assert all(
        printed_margin((w,), [(1,), (-1,)]) < 0 for w in SIGNS
    )  # both classes: never positive
    for X in itertools.product(
        grid(1), repeat=2
    ):  # with the label: R²/γ² = R²‖v*‖² on every separable sample
        for y in itertools.product(SIGNS, repeat=2):
            if best := exact_svm(folded(X, y)):
                run = run_perceptron(np.array(X), np.array(y), normalise=True)
                assert run.converged and len(run.mistakes) <= max(dot(x, x) for x in X) * dot(
                    best[0], best[0]
                )


@few
@given(separable_lists(), st.randoms(use_true_random=False))
def test_002_30_theorem_2_needs_a_positive_gamma(sample, random):
    X, y, w = sample
    stream = random.choices(
        list(zip(X, y)), k=60
    )  # the corrected theorem, on any sequence of the examples
    _, mistakes = mended_perceptron(stream)
    cosine = min(dot(w, z) / math.hypot(*z) for z in folded(X, y)) / math.hypot(*w)
    gamma, R = Halfspace(w).margin(X, y), max(math.hypot(*x) for x in X)
    assert len(mistakes) <= 1 / cosine**2 * (1 + 1e-9) <= (R / gamma) ** 2 * (1 + 1e-8)
    prove_mistake_bound(run_perceptron(X, y, normalise=True), w).check()
    gamma, R = -2, 1  # S = {(1, +1)} has margin 1 ≥ −2, and one mistake
    assert (
        Halfspace([1]).margin([[1]], [1]) >= gamma
        and len(mended_perceptron([((1,), 1)])[1]) > R**2 / gamma**2
    )


@few
@given(separable_lists(), vectors)
def test_002_31_progress_is_by_the_margin_with_the_label(sample, w):
    X, y, target = sample
    star = np.array(target) / math.hypot(*target)
    gamma = Halfspace(target).margin(X, y)
    for x, label in zip(X, y):
        after = np.add(w, label * np.array(x) / math.hypot(*x))
        gain = label * (star @ x) / math.hypot(*x)
        assert after @ star == pytest.approx(star @ w + gain)
        assert gain >= gamma / math.hypot(*x) - 1e-12
    assert printed_margin((1,), [(1,)]) == 1 and -1 * dot((1,), (1,)) < 1  # x = 1, y = −1, w* = 1


@few
@given(separable_lists())
def test_002_32_dividing_by_the_largest_norm_gives_less(sample):
    X, y, w = sample
    R, gamma = max(math.hypot(*x) for x in X), Halfspace(w).margin(X, y)
    assert all(gamma / math.hypot(*x) >= gamma / R > 0 for x in X)
    assert all(-gamma / math.hypot(*x) <= -gamma / R for x in X)  # a negative γ would turn it round


@few
@given(vectors, points, st.sampled_from(SIGNS))
def test_002_33_the_squared_norm_after_an_update(w, x, y):
    after = np.add(w, y * np.array(x) / math.hypot(*x))
    assert after @ after == pytest.approx(dot(w, w) + 1 + 2 * y * dot(w, x) / math.hypot(*x))


@few
@given(separable_lists())
def test_002_34_a_mistake_may_be_a_tie(sample):
    X, y, _ = sample
    path, mistakes = mended_perceptron(list(zip(X, y)) * 3)
    scores = [y[t % len(X)] * (path[t] @ X[t % len(X)]) for t in mistakes]
    assert (
        not scores[0] < 0 and scores[0] == 0
    )  # the printed reason fails at the first mistake of every run
    for t, score in zip(mistakes, scores):
        assert score <= 1e-12 and path[t + 1] @ path[t + 1] <= path[t] @ path[t] + 1 + 1e-9


def test_002_35_after_t_mistakes_the_vector_has_index_t():
    X, y = datasets.unit_stream(6)
    path, mistakes = mended_perceptron(list(zip(X, y)))
    assert mistakes == list(
        range(6)
    )  # every round is a mistake, so rounds and mistakes are counted alike
    for T in range(1, 6):
        assert path[T + 1] @ path[T + 1] > T >= path[T] @ path[T]
    for seed in range(20):
        X, y = datasets.separable(20, 3, 0.1, np.random.default_rng(seed))
        after = run_perceptron(X, y, normalise=True).path()  # w after 0, 1, 2, … mistakes
        assert all(w @ w <= T + 1e-9 for T, w in enumerate(after))


@few
@given(vectors, points)
def test_002_36_cauchy_schwarz_for_a_unit_vector(w, star):
    parallel = w[0] * star[1] == w[1] * star[0]
    along = F(dot(w, star) ** 2, dot(star, star))  # (w·w*)² for w* = star/‖star‖
    assert along <= dot(w, w) and (along == dot(w, w)) == parallel
    assert dot((1, 0), (2, 0)) ** 2 > dot((1, 0), (1, 0))  # so w* must have length 1


@few
@given(separable_lists())
def test_002_37_progress_squared_and_the_conclusion(sample):
    X, y, target = sample
    star, gamma = np.array(target) / math.hypot(*target), Halfspace(target).margin(X, y)
    R = max(math.hypot(*x) for x in X)
    after = run_perceptron(X, y, normalise=True).path()
    for T, w in enumerate(after):
        assert w @ star >= T * gamma / R - 1e-9 and (w @ star) ** 2 >= (T * gamma / R) ** 2 - 1e-9
    assert len(after) - 1 <= (R / gamma) ** 2 * (1 + 1e-9)


def test_002_38_separable_data_with_exponentially_many_steps():
    """Corners of {−1, 1}^k: all of one length, so that the notes' normalised steps are
    plain steps, scaled.
    """
    counts = []
    for k in (2, 4, 6, 8):
        X, y = hard_corners(k)
        Z = homogenise(2 * X - 1)
        run = run_perceptron(Z, y, normalise=True)
        assert run.converged and separate(Z, y, bias=False)
        counts.append(len(run.mistakes))
        # integers with y⟨w,z⟩ ≥ 1 have w₁ ≥ F(k), and an update moves w₁ by 1: no order is faster
        least = linprog(
            [1, *[0] * k], A_ub=-(y[:, None] * Z), b_ub=-np.ones(k + 1), bounds=(None, None)
        )
        assert least.fun == pytest.approx(fibonacci(k)) and len(run.mistakes) >= fibonacci(k)
    assert counts == [3, 29, 181, 1291]  # a factor of about φ⁴ ≈ 6.9 for two more rules
    assert len(run_perceptron(*datasets.two_slow_points(50)).mistakes) == 51**2 + 1


def test_002_39_the_svm_has_the_smallest_bound_in_a_few_steps():
    for k in (4, 8):
        X, y = hard_corners(k)
        Z = homogenise(X)
        svm = solve_svm(Z, y, bias=False)
        svm.check()
        assert len(svm.history) <= 30 and 1 / svm.margin**2 == pytest.approx(
            4 * fibonacci(k) * fibonacci(k + 1) + 1
        )
        run = run_perceptron(Z, y)
        bounds = [
            prove_mistake_bound(run, w).bound
            for w in (svm.w, run.w, separate(Z, y, bias=False).halfspace.w)
        ]
        assert bounds[0] <= min(bounds[1:]) * (1 + 1e-6) and len(svm.history) < len(run.mistakes)


def test_002_41_the_svm_is_neither_the_linear_program_nor_the_perceptron():
    X, y = [(2, 0), (0, 1)], [1, 1]
    v, _ = exact_svm(X)
    assert v == (F(1, 2), 1) and solve_svm(X, y, bias=False).w == pytest.approx([0.5, 1])
    assert list(run_perceptron(X, y).w) == [2, 1] and run_perceptron(
        X, y, normalise=True
    ).w == pytest.approx([1, 1])
    # min |v₁| + |v₂| with 2v₁ + v₂ ≥ 1, as v = p − q
    least = linprog([1] * 4, A_ub=[[-2, -1, 2, 1]], b_ub=[-1]).x
    assert least[:2] - least[2:] == pytest.approx([0.5, 0]) and exact_svm([(2, 1)])[0] == (
        F(2, 5),
        F(1, 5),
    )
    u, v = (
        (F(0), F(0)),
        (F(2), F(0)),
    )  # the objective is not even affine: at the midpoint it is less than the mean
    assert dot((1, 0), (1, 0)) < (dot(u, u) + dot(v, v)) / 2


@few
@given(folded_lists, st.integers(1, 20))
def test_002_42_scaling_the_points_loses_nothing(Z, R):
    v, alpha = exact_svm(Z)
    scaled_v, scaled_alpha = exact_svm([tuple(F(c, R) for c in z) for z in Z])
    assert scaled_v == tuple(R * c for c in v) and scaled_alpha == [R**2 * a for a in alpha]


@few
@given(folded_lists)
def test_002_43_the_first_program_is_the_largest_margin(Z):
    v, _ = exact_svm(Z)
    largest = 1 / math.sqrt(dot(v, v))
    angles = [math.atan2(v[1], v[0]), *np.linspace(0, 2 * math.pi, 60)]
    margins = [min(dot((math.cos(a), math.sin(a)), z) for z in Z) for a in angles]
    assert margins[0] == pytest.approx(largest) and max(margins) <= largest + 1e-12
    assert solve_svm(Z, [1] * len(Z), bias=False).margin == pytest.approx(largest, rel=1e-6)


def test_002_44_dividing_by_gamma_needs_a_positive_gamma():
    both = [(1,), (-1,)]  # x = 1 with both labels
    values = {w: min(dot((w,), z) for z in both) for w in SIGNS}
    assert values == {1: -1, -1: -1}  # the first program has the value −1
    assert not any(all(dot((v,), z) >= 1 for z in both) for v in [w / values[w] for w in SIGNS])
    with pytest.raises(NotSeparableError):
        solve_svm([[1], [1]], [1, -1], bias=False)
    assert max(min(dot((w,), z) for z in [(0,)]) for w in SIGNS) == 0  # γ = 0

    @few
    @given(folded_lists, st.fractions(F(1, 20), 20))
    def equivalent(Z, gamma):
        for w in grid(2):
            margin = F(min(dot(w, z) for z in Z))
            for g in (
                (gamma, margin) if margin > 0 else (gamma,)
            ):  # the margin itself: equality at some point
                v = tuple(c / g for c in w)
                assert all(dot(w, z) >= g for z in Z) == all(dot(v, z) >= 1 for z in Z)
                assert g**2 * dot(v, v) == dot(w, w)  # 1 for a unit vector

    equivalent()


@few
@given(folded_lists)
def test_002_45_largest_reciprocal_is_smallest_square(Z):
    feasible = [
        u
        for w in grid(2)
        if separates(w, Z)
        for u in [tuple(F(c) / min(dot(w, z) for z in Z) for c in w)]
    ] + [exact_svm(Z)[0]]
    assert all(any(u) for u in feasible)  # 0 is never feasible, so 1/‖v‖ makes sense
    by_reciprocal = max(feasible, key=lambda u: 1 / math.sqrt(dot(u, u)))
    least = min(F(dot(u, u)) / 2 for u in feasible)
    assert float(dot(by_reciprocal, by_reciprocal)) / 2 == pytest.approx(float(least))
    assert least == F(dot(feasible[-1], feasible[-1])) / 2


@few
@given(folded_lists, st.fractions(0, 1))
def test_002_46_the_fourth_program_is_convex_with_one_solution(Z, t):
    best, _ = exact_svm(Z)
    for w in grid(2):
        if separates(w, Z):
            u = tuple(F(c) / min(dot(w, z) for z in Z) for c in w)
            between = tuple(t * a + (1 - t) * b for a, b in zip(u, best))
            assert all(dot(between, z) >= 1 for z in Z)
            assert dot(between, between) <= t * dot(u, u) + (1 - t) * dot(best, best)
            assert u == best or dot(u, u) > dot(best, best)
    # the first program is not convex: the midpoint of two unit vectors is none
    assert dot((F(1, 2), F(1, 2)), (F(1, 2), F(1, 2))) != 1


@few
@given(folded_lists, vectors, st.integers(0, 5))
def test_002_47_the_lagrangian_gives_back_the_primal(Z, v, price):
    zero, value = [0] * len(Z), F(dot(v, v)) / 2
    assert lagrangian(v, zero, Z) == value
    for i, z in enumerate(Z):
        charged = [price * (k == i) for k in range(len(Z))]
        if dot(v, z) >= 1:
            assert lagrangian(v, charged, Z) <= value
        else:  # a violated constraint costs as much as one likes
            assert lagrangian(v, [1000 * (k == i) for k in range(len(Z))], Z) >= value + 1000 * (
                1 - dot(v, z)
            )


@few
@given(folded_lists, st.lists(st.fractions(0, 3, max_denominator=9), min_size=6, max_size=6))
def test_002_48_weak_duality(Z, prices):
    alpha = prices[: len(Z)]
    lowest = dual_value(alpha, Z)  # min over v
    for w in grid(1):
        assert lowest <= lagrangian(w, alpha, Z)
        if all(dot(w, z) >= 1 for z in Z):
            assert lowest <= F(dot(w, w)) / 2
    both = [(1,), (-1,)]  # not separable: no feasible v, and the dual grows without bound
    assert [dual_value([t, t], both) for t in (1, 10, 100)] == [2, 20, 200]


@few
@given(folded_lists)
def test_002_49_the_pair_is_a_saddle_point(Z):
    v, alpha = exact_svm(Z)
    value = lagrangian(v, alpha, Z)
    for step in grid(1):
        assert (
            lagrangian(tuple(a + F(b, 10) for a, b in zip(v, step)), alpha, Z) > value
        )  # the only minimiser
    for i in range(len(Z)):
        for change in (F(1, 10), -F(1, 10)):
            other = [max(F(0), a + change * (k == i)) for k, a in enumerate(alpha)]
            assert lagrangian(v, other, Z) <= value
    assert {v + 1 * (1 - v) for v in range(-3, 4)} == {
        1
    }  # min v, v ≥ 1: every v minimises L(·, α* = 1)


@few
@given(folded_lists)
def test_002_50_strong_duality_for_separable_data(Z):
    v, alpha = exact_svm(Z)
    primal = F(dot(v, v)) / 2
    assert lagrangian(v, alpha, Z) == primal == dual_value(alpha, Z)
    svm = solve_svm(Z, [1] * len(Z), bias=False)
    assert svm.primal == pytest.approx(float(primal), rel=1e-6) and svm.dual == pytest.approx(
        float(primal), rel=1e-6
    )


def test_002_51_the_dual_has_a_constraint():
    Z = [(1,), (2,)]
    assert all(
        dual_value((F(1 + 2 * t), F(-t)), Z) == F(1, 2) + t for t in range(100)
    )  # without α ≥ 0: no maximum
    steps = [F(i, 10) for i in range(31)]
    best = max((dual_value(alpha, Z), alpha) for alpha in itertools.product(steps, repeat=2))
    assert best == (F(1, 2), (1, 0))
    assert exact_svm([(1, 0), (2, 0)]) == ((1, 0), [1, 0])  # and ½ is the primal value
    one = [
        F(i, 10) for i in range(-50, 51)
    ]  # with one point the constraint does not bind: two are the smallest case
    assert max(one, key=lambda a: dual_value([a], [(1,)])) == 1


@few
@given(folded_lists, st.lists(small, min_size=6, max_size=6), vectors)
def test_002_52_the_gradient_vanishes_at_the_only_minimum(Z, prices, step):
    alpha = prices[: len(Z)]
    u = combine(alpha, Z)
    other = tuple(a + b for a, b in zip(u, step))
    assert lagrangian(other, alpha, Z) - lagrangian(u, alpha, Z) == F(dot(step, step)) / 2
    h = F(1, 1000)  # central differences are exact for a quadratic
    for k in range(2):
        ahead, behind = (tuple(c + s * h * (i == k) for i, c in enumerate(step)) for s in SIGNS)
        slope = (lagrangian(ahead, alpha, Z) - lagrangian(behind, alpha, Z)) / (2 * h)
        assert slope == step[k] - u[k]


@few
@given(folded_lists, st.lists(small, min_size=6, max_size=6))
def test_002_53_the_solution_goes_into_the_lagrangian(Z, prices):
    alpha = prices[: len(Z)]
    v = combine(alpha, Z)
    for step in (E1, E2):  # into ∇L = 0: nothing new, the slopes at v are 0
        ahead, behind = (tuple(a + s * b for a, b in zip(v, step)) for s in SIGNS)
        assert lagrangian(ahead, alpha, Z) - lagrangian(behind, alpha, Z) == 0
    assert lagrangian(v, alpha, Z) == dual_value(alpha, Z)
    assert [lagrangian((a,), [a], [(1,)]) for a in range(4)] == [
        F(a) - F(a * a, 2) for a in range(4)
    ]


@few
@given(st.lists(st.tuples(vectors, st.sampled_from(SIGNS), small), min_size=1, max_size=6))
def test_002_54_both_forms_of_the_dual_objective(rows):
    X, y, alpha = zip(*rows)
    u = combine([a * s for a, s in zip(alpha, y)], X)
    first = F(dot(u, u)) / 2 + sum(alpha) - sum(a * s * dot(u, x) for x, s, a in rows)
    double_sum = sum(
        a * b * dot(x, z) * s * t for (x, s, a), (z, t, b) in itertools.product(rows, repeat=2)
    )
    assert first == sum(alpha) - F(double_sum) / 2 == lagrangian(u, alpha, folded(X, y))


def test_002_55_one_multiplier_for_each_example_and_not_unique():
    for m in (2, 5, 9):
        X, y = datasets.separable(m, 2, 0.1, np.random.default_rng(m))
        assert len(solve_svm(X, y, bias=False).alpha) == m
    Z = folded([(1,), (-1,)], SIGNS)
    for s in (F(0), F(1, 3), F(1)):
        assert combine([s, 1 - s], Z) == (1,) and dual_value([s, 1 - s], Z) == F(
            1, 2
        )  # v* = 1, of value ½
    assert exact_svm(Z)[0] == (1,)


@few
@given(separable_lists())
def test_002_56_the_optimal_vector_is_a_combination_of_the_points(sample):
    X, y, _ = sample
    v, alpha = exact_svm(folded(X, y))
    assert v == combine([a * s for a, s in zip(alpha, y)], X)
    svm = solve_svm(X, y, bias=False)
    assert np.array(X).T @ (svm.alpha * y) == pytest.approx(
        [float(c) for c in v], rel=1e-5, abs=1e-6
    )


@few
@given(separable_lists())
def test_002_57_complementary_slackness(sample):
    X, y, _ = sample
    svm = solve_svm(
        X, y, bias=False
    )  # an interior-point method: slackness is not built in, as it is in exact_svm
    svm.check()
    assert np.abs(svm.alpha * (1 - svm.margins)).max() <= 1e-6 * max(1, svm.primal)
    off = svm.margins > 1 + 1e-4
    assert (svm.alpha[off] <= 1e-6 * svm.alpha.max()).all()


@few
@given(folded_lists)
def test_002_58_a_multiplier_puts_its_point_on_the_edge(Z):
    v, alpha = exact_svm(Z)
    assert all(a == 0 or dot(v, z) == 1 for a, z in zip(alpha, Z))
    svm = solve_svm(Z, [1] * len(Z), bias=False)
    assert svm.margins[svm.support] == pytest.approx(np.ones(len(svm.support)), abs=1e-4)
    v, alpha = exact_svm([(1, 0), (1, 1)])
    assert alpha[1] == 0 and dot(v, (1, 1)) == 1  # the "or" is not exclusive


def test_002_59_a_closest_point_need_not_be_a_support_vector():
    Z = [(1, 0), (1, 1)]
    v, alpha = exact_svm(Z)
    assert v == (1, 0) and alpha == [1, 0] and [dot(v, z) for z in Z] == [1, 1]
    # the only dual solution: v* = α₁z₁ + α₂z₂ determines α, for z₁ and z₂ are independent
    assert np.linalg.matrix_rank(Z) == 2 and solve_svm(
        Z, [1, 1], bias=False
    ).alpha == pytest.approx([1, 0], abs=1e-5)
    line = folded([(1,), (-1,)], SIGNS)
    assert all(dual_value(alpha, line) == F(1, 2) for alpha in ([F(1), F(0)], [F(0), F(1)]))
    for Z in itertools.combinations(
        grid(1), 3
    ):  # what holds: support vectors are among the closest
        if (found := exact_svm(Z)) is not None:
            v, alpha = found
            closest = min(dot(v, z) for z in Z)
            assert all(dot(v, z) == closest == 1 for z, a in zip(Z, alpha) if a)


def test_002_60_a_threshold_adds_an_equation_and_changes_the_street():
    X, y = np.array([[10], [9]]), np.array([1, -1])
    free, charged = solve_svm(X, y), solve_svm(homogenise(X), y, bias=False)
    assert (free.w[0], free.b, free.margin) == pytest.approx(
        (2, 19, 0.5)
    ) and free.alpha @ y == pytest.approx(0)
    v, alpha = exact_svm(folded(homogenise(X).tolist(), y.tolist()))
    assert v == (2, 19) and alpha == [173, 192] and dot(alpha, y.tolist()) == -19
    assert charged.alpha == pytest.approx([173, 192]) and charged.margin == pytest.approx(
        1 / math.sqrt(365)
    )
    assert free.alpha == pytest.approx([2, 2])
