"""The claims of notes 001, one test for each that code can decide;
the numbers are those of the inventory.
"""

from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations, product

import numpy as np
import pytest
from halfspaces import (
    Disjunction,
    Halfspace,
    best_halfspace,
    cube,
    datasets,
    homogenise,
    prove_mistake_bound,
    run_perceptron,
    separate,
    shatters,
    solve_svm,
    zero_one,
)
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import null_space
from scipy.optimize import linprog

INFEASIBLE = 2  # scipy's code
ANIMALS, CUTE = datasets.animals()  # eyes, legs, fins; tiger, spider, shark, snake
SIGNS = (1, -1)

whole = st.integers(-9, 9)


def vectors(d):
    return st.lists(whole, min_size=d, max_size=d).map(np.array)


def label(truth):
    return 1 if truth else -1


def lp_separates(X, y, bias=True):
    """Ask scipy whether some (w, b) has y(⟨w,x⟩ + b) ≥ 1 at every point:
    an oracle apart from the library.
    """
    X, y = np.array(X, float), np.array(y)
    columns = np.column_stack([X, np.ones(len(X))]) if bias else X
    answer = linprog(
        np.zeros(columns.shape[1]),
        A_ub=-y[:, None] * columns,
        b_ub=-np.ones(len(X)),
        bounds=(None, None),
    )
    assert answer.status in (0, INFEASIBLE)
    return answer.status == 0


def plane_points(size):
    """Return the non-zero whole points of the plane,
    by their largest coordinate and then in lexicographic order.
    """
    grid = product(range(-size, size + 1), repeat=2)
    return sorted((p for p in grid if any(p)), key=lambda p: (max(map(abs, p)), p))


def dot(u, v):
    return sum(a * b for a, b in zip(u, v))


def shortest_separator(points):
    """Return the shortest v of the plane with ⟨v,z⟩ ≥ 1 for all z, exactly, or None.

    At the shortest v one or two of the constraints are equalities,
    so it is among finitely many candidates.
    """
    candidates = [(Fraction(a, a * a + b * b), Fraction(b, a * a + b * b)) for a, b in points]
    for (a, b), (c, d) in combinations(points, 2):
        if a * d != b * c:
            candidates.append((Fraction(d - b, a * d - b * c), Fraction(a - c, a * d - b * c)))
    allowed = [v for v in candidates if all(dot(v, z) >= 1 for z in points)]
    return min(allowed, key=lambda v: dot(v, v), default=None)


def bound_of(points):
    """Return (RB)² as a Fraction for points of the plane, all labelled +1."""
    v = shortest_separator(points)
    return max(dot(z, z) for z in points) * dot(v, v)


def separable_sets(size, count):
    """Yield the sets of so many points of the plane that a w separates when all are labelled +1."""
    for points in combinations(plane_points(size), count):
        if shortest_separator(points):
            yield points


def mistakes_at(w, points):
    return [z for z in points if dot(w, z) <= 0]


def all_updates(points):
    """Yield (T, w, z, w + z) for each update that some choice of mistakes can make,
    T counting this one.
    """
    level, done = {(0, 0)}, 0
    while level:
        after = set()
        for w in sorted(level):
            for z in mistakes_at(w, points):
                new = (w[0] + z[0], w[1] + z[1])
                after.add(new)
                yield done + 1, w, z, new
        level, done = after, done + 1


def run_printed_loop(X, y, choose=min, tested=None, strict=False, limit=10_000):
    """Run the loop as printed; return the w it returns and the iteration t in which it does,
    or None at the limit.

    `tested` is what the condition is evaluated at; by default the present w.
    """
    w = np.zeros(len(X[0]), int)
    for t in range(1, limit + 1):
        at = w if tested is None else tested
        scores = [int(label * np.dot(at, x)) for x, label in zip(X, y)]
        wrong = [i for i, score in enumerate(scores) if score < 0 or score == 0 and not strict]
        if not wrong:
            return w, t
        i = choose(wrong)
        w = w + y[i] * np.array(X[i])
    return None


def test_001_02_erm_has_the_smallest_training_loss():
    """The library's ERM halfspace against all labellings that a linear program finds possible."""
    rng = np.random.default_rng(2)
    for d in (1, 2):
        for _ in range(5):
            X, y = rng.integers(-3, 4, (4, d)), rng.choice(SIGNS, 4)
            possible = [s for s in product(SIGNS, repeat=4) if lp_separates(X, s)]
            best = best_halfspace(X, y)
            best.check()
            assert best.errors == min((np.array(s) != y).sum() for s in possible)


def test_001_03_erm_over_all_functions_overfits():
    """Six equally likely points, all labelled +1, two draws:
    who says −1 on all that is new errs on 25/36.
    """
    world, total = range(6), Fraction(0)
    for sample in product(world, repeat=2):
        memory = {x: label(x in sample) for x in world}
        assert all(memory[x] == 1 for x in sample)  # training loss 0: it is an ERM
        total += Fraction(sum(memory[x] != 1 for x in world), 6)
    assert total / 36 == Fraction(25, 36)


def test_001_09_only_eyes_legs_fins_fits_both_hypotheses():
    fitting = []
    for order in permutations(range(3)):
        eyes, legs, fins = ANIMALS[:, order].T
        first = np.where(legs <= 6, 1, -1)[:3]
        improved = np.where(-3 * eyes + 2 * legs + 4 * fins > 0, 1, -1)
        if (first == CUTE[:3]).all() and (improved == CUTE).all():
            fitting.append(order)
    assert fitting == [(0, 1, 2)]


def test_001_10_at_most_six_legs_fits_three_animals():
    assert [label(legs <= 6) for legs in ANIMALS[:3, 1]] == CUTE[:3].tolist()


def test_001_11_strict_form_differs_at_six_legs():
    """Whole numbers of legs from 0 on, in order."""
    printed = [legs for legs in range(100) if (legs <= 6) != (-1 * legs + 6 > 0)]
    assert printed == [6]
    assert all((legs <= 6) == (-legs + 6 >= 0) == (-legs + 7 > 0) for legs in range(100))
    halves = [Fraction(n, 2) for n in range(40)]
    assert all((x <= 6) == (-x + 6 >= 0) == (Halfspace([-1], -6)([x]) == 1) for x in halves)


def test_001_12_snake_breaks_every_rule_on_legs():
    assert label(ANIMALS[3, 1] <= 6) != CUTE[3]
    shark, snake = 2, 3
    assert (
        ANIMALS[shark, 1] == ANIMALS[snake, 1] and CUTE[shark] != CUTE[snake]
    )  # no function of legs can do it
    answer = separate(ANIMALS[:, [1]], CUTE)
    answer.check()
    assert not answer and not lp_separates(ANIMALS[:, [1]], CUTE)


def test_001_13_improved_hypothesis_fits_four_animals():
    rule = Halfspace([Fraction(-3, 2), 1, 2])
    assert rule.score(ANIMALS).tolist() == [1, -4, 1, -3]
    assert (
        [label(-1.5 * e + n + 2 * f > 0) for e, n, f in ANIMALS]
        == CUTE.tolist()
        == rule(ANIMALS).tolist()
    )


def test_001_14_rotated_view_keeps_every_label():
    """Half a turn about the axis of fins, of points and weights together;
    of the points alone it is another rule.
    """
    w, turn = np.array([-3, 2, 4]), np.diag([-1, -1, 1])
    grid = np.array(list(product(range(4), repeat=3)))
    assert ((grid @ turn) @ (turn @ w) == grid @ w).all()
    assert np.where(ANIMALS @ turn @ w > 0, 1, -1).tolist() == [-1, 1, 1, 1] != CUTE.tolist()


def test_001_15_two_views_differ_on_the_plane():
    """Animals in the order of the sum of their counts, then lexicographic."""
    animals = sorted(product(range(7), repeat=3), key=lambda a: (sum(a), a))
    scores = {a: -3 * a[0] + 2 * a[1] + 4 * a[2] for a in animals}
    differ = [a for a in animals if (scores[a] > 0) != (scores[a] >= 0)]
    assert differ[:2] == [(0, 0, 0), (2, 1, 1)]
    assert differ == [a for a in animals if scores[a] == 0]
    assert not any(tuple(a) in differ for a in ANIMALS.tolist())
    assert Halfspace([-3, 2, 4])([0, 0, 0]) == 1  # the course's choice


@given(vectors(3), whole, vectors(3), vectors(3))
def test_001_16_affine_is_linear_plus_a_constant(w, b, x, z):
    def h(v):
        return Halfspace(w, -b).score(v)

    assert h(x) == sum(w * x) + b and h(0 * x) == b
    assert h(x + 3 * z) - b == (h(x) - b) + 3 * (h(z) - b)


@given(vectors(2), whole, vectors(2))
def test_001_17_plus_b_is_minus_b_here(w, b, x):
    assert Halfspace(w, -b).score(x) == sum(w * x) + b
    assert Halfspace([1], 1)([0]) != label(
        0 + 1 >= 0
    )  # b = 1 carried over unchanged is another rule


@given(vectors(3), whole, vectors(3))
def test_001_18_appended_one_stands_for_b(w, b, x):
    lifted = homogenise([x], 1)[0]
    assert (
        lifted[-1] == 1
        and np.append(w, b) @ lifted == sum(w * x) + b == np.append(w, -b) @ homogenise([x])[0]
    )
    # nothing appended: −1 at 1 and +1 at 2 need v < 0 and 2v > 0
    fits = [(v, c) for v in range(-4, 5) for c in range(-4, 5) if v * 1 + c < 0 < v * 2 + c]
    assert fits and not [v for v, c in fits if c == 0]


@given(vectors(2), vectors(2))
def test_001_19_sign_of_zero_is_no_label(w, x):
    assert np.sign(w @ np.zeros(2)) not in SIGNS
    assert Halfspace(w)(x) == label(sum(w * x) >= 0)
    assert Halfspace(w)([0, 0]) == 1


def test_001_20_labels_plus_and_minus_one():
    """Right is y·score > 0 for ±1, and not for 0 and 1."""
    for bit, score in product((0, 1), (-2, -1, 1, 2)):
        right = (score > 0) == (bit == 1)
        assert ((2 * bit - 1) * score > 0) == right
        if bit == 0 and right:
            assert not bit * score > 0


def test_001_21_boundary_is_a_hyperplane_unless_w_is_zero():
    """Weights −1, 0, 1, by dimension, then lexicographic."""
    failing = []
    for d in (1, 2, 3):
        for w in product((-1, 0, 1), repeat=d):
            dimension = null_space(np.array([w], float)).shape[1]  # of the solutions of ⟨w,x⟩ = 0
            if dimension != d - 1:
                failing.append((w, dimension))
            # with a constant it is the same, shifted by a solution of ⟨w,x⟩ + 5 = 0,
            # if there is one
            x0 = -5 * np.linalg.pinv(np.array([w]))[:, 0]
            assert (dot(w, x0) + 5 == pytest.approx(0)) == any(w)
    assert failing == [((0,), 1), ((0, 0), 2), ((0, 0, 0), 3)]
    with pytest.raises(ValueError):
        Halfspace([0]).margin([[1]], [1])


@given(vectors(2).filter(np.any), whole, st.integers(-9, 9), st.integers(-9, 9))
def test_001_22_normal_is_w_without_its_last_entry(w, b, s, t):
    """Two points of the boundary ⟨w,x⟩ + b = 0 of the plane,
    times ‖w‖² to stay in whole numbers.
    """
    norm2, along = int(w @ w), np.array([-w[1], w[0]])
    p, q = -b * w + s * along, -b * w + t * along
    long_w = np.append(w, b)
    for point in (p, q):
        assert long_w @ np.append(point, norm2) == 0
    assert long_w[:-1] @ (p - q) == 0
    # all of w is a direction of the space of attributes,
    # where the appended entry stays as it is, only if b = 0
    assert (np.append(p, norm2)[-1] == (np.append(p, norm2) + long_w)[-1]) == (b == 0)


@given(vectors(3).filter(np.any), whole, vectors(3), st.integers(1, 9))
def test_001_23_w_points_to_the_positive_side(w, b, u, t):
    h = Halfspace(w, b)
    point = [Fraction(int(v)) for v in u]
    shift = Fraction(int(h.score(point))) / int(w @ w)
    foot = [p - shift * int(v) for p, v in zip(point, w)]  # on the boundary
    assert h.score(foot) == 0
    assert (
        h.score([p + t * int(v) for p, v in zip(foot, w)])
        > 0
        > h.score([p - t * int(v) for p, v in zip(foot, w)])
    )


def test_001_28_separable_is_about_the_sample():
    distribution = {(1, 1): Fraction(1, 2), (1, -1): Fraction(1, 2)}
    true_loss = [
        sum(p for (x, y), p in distribution.items() if np.sign(w * x) != y) for w in range(-5, 6)
    ]
    assert min(true_loss) == Fraction(1, 2)
    assert separate([[1]], [1], bias=False)  # a sample of one draw
    # corrected: separable means that some w has training loss 0
    for xs in combinations((-2, -1, 1, 2), 2):
        for y in product(SIGNS, repeat=2):
            X = [[x] for x in xs]
            fits = any(zero_one.risk([w], X, y) == 0 for w in range(-2, 3))
            assert fits == bool(separate(X, y, bias=False)) == lp_separates(X, y, bias=False)


def test_001_29_realizable_means_true_loss_zero():
    """All 16 functions on the square with uniform points:
    14 are realizable by halfspaces, xor and its negation not.
    """
    X, weights = cube(2), list(product(range(-2, 3), range(-2, 3), np.arange(-2.5, 3)))
    realizable = 0
    for y in product(SIGNS, repeat=4):
        losses = [np.mean(np.where(X @ [a, c] + b > 0, 1, -1) != y) for a, c, b in weights]
        assert (min(losses) == 0) == (best_halfspace(X, y).errors == 0)
        realizable += min(losses) == 0
    assert realizable == 14


def test_001_30_training_loss_zero_only_with_probability_one():
    """Two points, the second of probability 0; then all distributions with
    probabilities 0, ½ and 1 on two points.
    """

    def loss(h, chances):
        return sum(p for x, p in enumerate(chances) if h[x] != 1)  # all labels are +1

    h, surprising = (1, -1), (1,)
    assert loss(h, (1, 0)) == 0 and all(h[x] != 1 for x in surprising)  # L_D = 0 and L_S = 1
    for h in product(SIGNS, repeat=2):
        for chances in ((1, 0), (Fraction(1, 2), Fraction(1, 2)), (0, 1)):
            if loss(h, chances) == 0:
                perfect = sum(
                    chances[a] * chances[b]
                    for a, b in product((0, 1), repeat=2)
                    if h[a] == h[b] == 1
                )
                assert perfect == 1  # the probability of a sample of two draws without error


def test_001_31_true_loss_is_the_share_of_corners():
    X = [tuple(x) for x in cube(2).tolist()]
    f = {x: label(sum(x) >= 1) for x in X}
    joint = {(x, y): Fraction(1, 4) if y == f[x] else Fraction(0) for x in X for y in SIGNS}
    assert sum(joint.values()) == 1
    for values in product(SIGNS, repeat=4):
        h = dict(zip(X, values))
        true_loss = sum(p for (x, y), p in joint.items() if h[x] != y)
        assert true_loss == Fraction(sum(h[x] != f[x] for x in X), 4)
        assert (true_loss == 0) == (h == f)


@pytest.mark.parametrize("d", range(1, 9))
def test_001_32_at_least_one_is_separable_with_a_constant(d):
    X, y = datasets.any_of(d)
    assert (
        [label(sum(x) >= 1) for x in X.tolist()]
        == y.tolist()
        == Disjunction(range(1, d + 1), d)(X).tolist()
    )
    assert (y * (X.sum(axis=1) - 0.5) > 0).all()
    Halfspace([1] * d, Fraction(1, 2)).check(X, y)
    without = separate(X, y, bias=False)  # the corner 0 is a tie for every w
    without.check()
    assert not without and without.weights[0] == 1


def test_001_33_any_start_ends_and_zero_ignores_the_step():
    rng = np.random.default_rng(33)
    for start in rng.integers(-20, 21, (20, 3)):
        run = run_perceptron(ANIMALS, CUTE, start=start)
        run.check()
        assert run.converged
    runs = [run_perceptron(ANIMALS, CUTE, step=step) for step in (1, 7, Fraction(1, 3))]
    assert all(run.mistakes.tolist() == runs[0].mistakes.tolist() for run in runs)
    assert (3 * runs[2].w == runs[0].w).all()
    # from elsewhere the bound of the theorem does not hold: x = 1, so (RB)² = 1
    assert len(run_perceptron([[1]], [1], start=[-10]).mistakes) == 11


def test_001_34_all_wrong_points_in_one_go_is_another_algorithm():
    """Pairs of whole numbers 0 < a < b on the line, both +1, by b and then a;
    there B = 1/a and R = b.
    """

    def additions_in_one_go(points):
        w, added = 0, 0
        while wrong := [x for x in points if w * x <= 0]:
            w, added = w + sum(wrong), added + len(wrong)
        return added

    pairs = [(a, b) for b in range(2, 12) for a in range(1, b)]
    beyond = [pair for pair in pairs if additions_in_one_go(pair) > Fraction(pair[1], pair[0]) ** 2]
    assert beyond[0] == (3, 4) and Fraction(4, 3) ** 2 == Fraction(16, 9)
    for a, b in pairs:
        assert len(run_perceptron([[a], [b]], [1, 1]).mistakes) == 1 <= Fraction(b, a) ** 2


def test_001_35_without_a_separator_it_moves_for_ever():
    both = run_perceptron([[1], [1]], [1, -1], max_updates=1000)
    assert not both.converged and both.path().ravel().tolist() == [0, 1] * 500 + [0]
    assert run_printed_loop([[1], [1]], [1, -1], limit=1000) is None
    xor = run_perceptron(*datasets.with_bias(datasets.xor()), max_updates=1000)
    assert not xor.converged and len(xor.mistakes) == 1000
    assert (np.diff(xor.path(), axis=0) != 0).any(axis=1).all()  # every update moves w
    assert len(set(map(tuple, xor.path().tolist()))) == 4  # in a bounded region
    zero = run_perceptron([[0]], [1], max_updates=100)  # what "stuck" looks like
    assert not zero.converged and not zero.path().any()


def test_001_36_condition_must_test_the_present_vector():
    X, y = [[1]], [1]
    assert run_printed_loop(X, y, tested=[0]) is None  # w read as the first vector
    w, t = run_printed_loop(X, y)
    assert (w.tolist(), t) == ([1], 2)
    # any choice of the mistake will do
    rng = np.random.default_rng(36)
    for choose in (min, max, rng.choice):
        w, _ = run_printed_loop(ANIMALS, CUTE, choose)
        assert (CUTE * (ANIMALS @ w) > 0).all()


@given(st.lists(st.tuples(vectors(2), st.sampled_from(SIGNS)), min_size=1, max_size=5))
def test_001_37_strict_test_returns_zero_at_once(data):
    X, y = zip(*data)
    w, t = run_printed_loop(X, y, strict=True)
    assert t == 1 and not w.any()
    assert run_printed_loop(X, y, limit=1) is None  # with ≤ every point is a mistake at w = 0


def test_001_39_positive_product_is_a_correct_label():
    for w, x in product(product(range(-2, 3), repeat=2), repeat=2):
        for y in SIGNS:
            score = dot(w, x)
            if y * score > 0:
                assert y == label(score >= 0) == label(score > 0) == Halfspace(w)(x)
            elif score:
                assert y != Halfspace(w)(x)
    assert Halfspace([1])([0]) == 1  # a tie may be right too, by convention: "if" is not "only if"


def test_001_40_angle_to_the_shortest_separator_may_grow():
    """Sets of two points of the plane, all +1, by their largest coordinate and then in
    lexicographic order.
    """

    def cosine2(w, star):
        return dot(w, star) ** 2 / (dot(w, w) * dot(star, star))

    found = []
    for points in separable_sets(1, 2):
        star = shortest_separator(points)
        for _, w, z, new in all_updates(points):
            assert dot(new, star) >= dot(w, star) + 1 and dot(new, z) > dot(w, z)  # what is true
            if any(w) and cosine2(new, star) < cosine2(w, star):
                found.append((points, star, w, new))
    assert found[0] == (((-1, -1), (0, 1)), (-2, 1), (-1, 1), (-2, 0))
    assert cosine2((-1, 1), (-2, 1)) == 9 / 10 and cosine2((-2, 0), (-2, 1)) == 4 / 5
    path = run_perceptron([[-1, -1], [0, 1]], [1, 1]).path().tolist()
    assert path[3:5] == [[-1, 1], [-2, 0]]  # the fourth update of the sweeps in order


def test_001_41_update_adds_the_squared_norm():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.integers(-9, 10, (12, 3))
        y = np.where(X @ rng.integers(-9, 10, 3) >= 0, 1, -1)
        run = run_perceptron(X, y, max_updates=50)
        path = run.path()
        for t, i in enumerate(run.mistakes):
            before, after = y[i] * (path[t] @ X[i]), y[i] * (path[t + 1] @ X[i])
            assert before <= 0 and after - before == sum(v**2 for v in X[i].tolist())
    w, x, y = np.array([0, 1]), np.array([3, 4]), 2  # a label with y² ≠ 1
    assert y * ((w + y * x) @ x) - y * (w @ x) == 100 != x @ x


def test_001_42_update_may_raise_the_number_of_mistakes():
    """Sets of points of the plane, all +1, by their largest coordinate and then in
    lexicographic order.
    """

    def first_harm(size, count):
        for points in separable_sets(size, count):
            for _, w, z, new in all_updates(points):
                for other in points:
                    assert dot(new, other) == dot(w, other) + dot(z, other)
                if len(mistakes_at(new, points)) > len(mistakes_at(w, points)):
                    return points, w, new
        return None

    assert first_harm(2, 2) is None and first_harm(1, 3) is None
    assert first_harm(2, 3) == (((-1, -1), (-1, 0), (1, 2)), (-1, -1), (0, 1))
    assert run_perceptron([[-1, -1], [-1, 0], [1, 2]], [1, 1, 1]).path()[1:3].tolist() == [
        [-1, -1],
        [0, 1],
    ]
    X, y = datasets.one_error_to_two()  # the course's example
    assert [int((y * (X @ w) <= 0).sum()) for w in run_perceptron(X, y).path()][2:4] == [1, 2]


def test_001_43_shortest_separator_exists_if_separable():
    """Two and three points of the plane: the exact minimum against the library's
    separator and SVM.
    """
    sets = list(combinations(plane_points(1), 2)) + list(combinations(plane_points(1)[:6], 3))
    for points in sets:
        v, y = shortest_separator(points), [1] * len(points)
        assert (v is not None) == bool(separate(points, y, bias=False))
    rng = np.random.default_rng(43)
    separable = [points for points in sets if shortest_separator(points)]
    for i in rng.choice(len(separable), 10):
        v, svm = (
            shortest_separator(separable[i]),
            solve_svm(separable[i], [1] * len(separable[i]), bias=False),
        )
        assert svm.w == pytest.approx(np.array(v, float), abs=1e-6)


def test_001_44_updates_obey_the_bound_iterations_exceed_it_by_one():
    for points in [*separable_sets(2, 1), *separable_sets(2, 2), *separable_sets(1, 3)]:
        assert max(done for done, *_ in all_updates(points)) <= bound_of(
            points
        )  # whatever mistakes are taken
    _, iterations = run_printed_loop([[1]], [1])
    R, B = 1, 1
    assert iterations == 2 > (R * B) ** 2 and iterations <= (R * B) ** 2 + 1
    star = [Fraction(-3, 4), Fraction(5, 8), Fraction(5, 4)]
    books = prove_mistake_bound(run_perceptron(ANIMALS, CUTE), star)
    books.check()
    _, iterations = run_printed_loop(ANIMALS, CUTE)
    assert iterations <= books.bound + 1 and books.mistakes <= books.bound == 322


def test_001_45_what_is_returned_separates():
    rng = np.random.default_rng(45)
    for _ in range(30):
        X, y = rng.integers(-4, 5, (5, 3)), rng.choice(SIGNS, 5)
        separable = lp_separates(X, y, bias=False)
        returned = run_printed_loop(X, y, rng.choice, limit=3000 if separable else 300)
        assert (returned is not None) == separable
        if separable:
            assert (y * (X @ returned[0]) > 0).all()


def test_001_46_cosine_is_at_least_root_t_over_rb():
    """Every update that any choice can make, in exact numbers: both sides squared."""
    for points in [*separable_sets(2, 2), *separable_sets(1, 3)]:
        star, R2 = shortest_separator(points), max(dot(z, z) for z in points)
        B2 = dot(star, star)
        for done, _, _, w in all_updates(points):
            assert dot(star, w) >= done and dot(w, w) <= done * R2
            assert dot(star, w) ** 2 / (B2 * dot(w, w)) >= done / (R2 * B2)


def test_001_47_theorem_needs_the_euclidean_norm():
    X, y = [[1, 0], [0, 1]], [1, 1]
    updates = len(run_perceptron(X, y).mistakes)
    largest_R = max(max(map(abs, x)) for x in X)
    largest_B = 1  # w₁ ≥ 1 and w₂ ≥ 1, which (1, 1) attains
    assert updates == 2 > (largest_R * largest_B) ** 2
    assert updates <= bound_of([(1, 0), (0, 1)]) == 2


def test_001_49_xor_is_not_separable():
    X, y = datasets.xor()
    assert [label((a + b) % 2) for a, b in X.tolist()] == y.tolist()
    answer = separate(X, y)
    answer.check()
    assert not answer and not lp_separates(X, y)
    assert (
        X[y > 0].sum(axis=0) == X[y < 0].sum(axis=0)
    ).all()  # so no affine score is positive on one pair only


def test_001_50_product_makes_xor_separable():
    X, y = datasets.xor()
    lifted = np.column_stack([X, X[:, 0] * X[:, 1]])
    assert (lifted == datasets.xor_lifted()[0]).all()
    assert (lifted @ [2, 2, -4] - 1 == y).all()
    Halfspace([2, 2, -4], 1).check(lifted, y)
    assert separate(lifted, y) and not separate(
        lifted, y, bias=False
    )  # ψ(0,0) = 0 needs the constant
    assert run_perceptron(homogenise(lifted, 1), y).converged


def test_001_51_new_attributes_enlarge_the_class():
    """On the square: 14 labellings before, the same and the two others after."""
    X, lifted = cube(2), datasets.xor_lifted()[0]
    before = {y for y in product(SIGNS, repeat=4) if separate(X, y)}
    after = {y for y in product(SIGNS, repeat=4) if separate(lifted, y)}
    assert before < after and (len(before), len(after)) == (14, 16)
    h = separate(X, (1, 1, -1, -1)).halfspace
    assert (Halfspace([*h.w, 0], h.b)(lifted) == h(X)).all()  # weight 0 on the product


def test_001_52_xor_as_a_label():
    X, y = datasets.xor()
    for (a, b), sign in zip(X.tolist(), y):
        assert sign == 2 * (a ^ b) - 1 == -(1 - 2 * a) * (1 - 2 * b)
    assert (X[:, 0] ^ X[:, 1]).tolist() == [0, 1, 1, 0] != y.tolist()  # bits, not labels


@pytest.mark.parametrize("d", range(1, 5))
def test_001_53_corners_take_any_labels(d):
    points = datasets.corners(d)
    assert points.shape == (d + 1, d) and shatters(points)
    assert all(lp_separates(points, y) for y in product(SIGNS, repeat=d + 1))


def test_001_54_printed_weights_fail_on_the_corners():
    """By dimension, then labels in the order +1, −1. Ties may count as neither, as +1 or as −1."""
    failing = {tie: [] for tie in (0, 1, -1)}
    for d in (1, 2, 3, 4):
        for y in product(SIGNS, repeat=d + 1):
            scores = datasets.corners(d) @ y[1:] + y[0]
            for tie in failing:
                if (np.where(scores == 0, tie, np.sign(scores)) != y).any():
                    failing[tie].append(y)
            assert (datasets.corners(d) @ [v - y[0] for v in y[1:]] + y[0] == y).all()  # corrected
            assert (y * (datasets.corners(d) @ y[1:] + y[0] / 2) > 0).all()  # the other repair
    assert failing[0][0] == failing[1][0] == (1, -1) and failing[-1][0] == (-1, 1)
    assert len(failing[0]) == sum(
        2 ** (d + 1) - 2 for d in (1, 2, 3, 4)
    )  # all but the two constant ones


@pytest.mark.parametrize("m", [1, 2])
def test_001_55_too_many_dimensions_overfit(m):
    """All labels of 2m corners of R^(2m−1), all samples of m:
    training loss 0, and on new points as good as a coin.
    """
    X, wrong, runs = datasets.corners(2 * m - 1), 0, 0

    @lru_cache
    def learn(seen, labels):
        return separate(X[list(seen)], labels).halfspace

    for y in product(SIGNS, repeat=2 * m):
        for seen in product(range(2 * m), repeat=m):
            h = learn(seen, tuple(y[i] for i in seen))
            assert all(h(X[i]) == y[i] for i in seen)
            wrong, runs = wrong + int((h(X) != y).sum()), runs + 1
    unseen = (1 - Fraction(1, 2 * m)) ** m
    assert Fraction(wrong, runs * 2 * m) == unseen / 2 >= Fraction(1, 4)


def test_001_56_shattered_means_every_labelling():
    for points in combinations(product(range(3), range(2)), 3):
        every = all(
            lp_separates(points, (1, *y)) for y in product(SIGNS, repeat=2)
        )  # −y is separable where y is
        (a, b), (c, d), (e, f) = points
        assert every == shatters(points) == ((c - a) * (f - b) != (e - a) * (d - b))  # not in a row


def test_001_58_no_learner_beats_a_coin_on_what_it_has_not_seen():
    """Two points, one example: each of the 16 ways to answer at the other point,
    over all labellings.
    """
    cases = list(product((0, 1), SIGNS))  # what can be seen: the point and its label
    for answers in product(SIGNS, repeat=4):
        learner = dict(zip(cases, answers))
        errors = [
            learner[seen, y[seen]] != y[1 - seen]
            for y in product(SIGNS, repeat=2)
            for seen in (0, 1)
        ]
        assert Fraction(sum(errors), len(errors)) == Fraction(1, 2)
    # who knows that both labels are alike needs no luck:
    # repeating what was seen is then always right
    repeat = {(seen, y): y for seen, y in cases}
    assert all(repeat[seen, y[seen]] == y[1 - seen] for y in ((1, 1), (-1, -1)) for seen in (0, 1))


def test_001_60_one_hyperplane_bounds_two_halfspaces():
    line = [[Fraction(n, 2)] for n in range(-6, 7)]
    one, other = Halfspace([1]), Halfspace([-1])
    on_boundary = [x for x in line if one.score(x) == 0]
    assert on_boundary == [x for x in line if other.score(x) == 0] == [[0]]
    assert one([1]) == 1 and other([1]) == -1
    assert (one(line) != other(line)).sum() == len(line) - 1
    assert set(Halfspace([0, 0], 1)(cube(2))) == {-1}  # a hypothesis, with no hyperplane at all


def test_001_61_separable_is_training_loss_zero():
    """All labels of 0, 1, 2, 3 on the line, against all thresholds in both directions."""
    x = np.arange(4)
    rules = {
        tuple(np.where(s * (x - t) > 0, 1, -1).tolist()) for s in SIGNS for t in np.arange(-0.5, 4)
    }
    for y in product(SIGNS, repeat=4):
        answer = separate(x[:, None], y)
        answer.check()
        assert (y in rules) == answer.separable == lp_separates(x[:, None], y)
    assert len(rules) == 8


def test_001_62_fitting_the_sample_is_not_realizability():
    X, y = datasets.xor()
    for sample in combinations(range(4), 3):
        assert separate(X[list(sample)], y[list(sample)])
    true_losses = [
        (np.where(X @ [a, c] + b > 0, 1, -1) != y).mean()
        for a, c, b in product(range(-3, 4), range(-3, 4), np.arange(-6.5, 7))
    ]
    assert min(true_losses) == best_halfspace(X, y).errors / 4 == 1 / 4


def test_001_63_perceptron_finds_an_erm():
    rng = np.random.default_rng(63)
    for _ in range(20):
        X, w = rng.integers(-9, 10, (6, 2)), rng.integers(-5, 6, 2)
        X = X[X @ w != 0]
        if not len(X):
            continue
        y = np.where(X @ w > 0, 1, -1)
        run = run_perceptron(X, y)
        run.check()
        assert zero_one.risk(run.w, X, y) == 0 == best_halfspace(X, y, bias=False).errors


def test_001_64_updates_grow_exponentially_with_the_digits():
    for bits in range(1, 8):
        t = 2**bits
        X, y = datasets.two_slow_points(t)
        run = run_perceptron(X, y)
        run.check()
        assert X.tolist() == [[t, 1], [1, 0]] and len(run.mistakes) == (t + 1) ** 2 + 1 > 4**bits
        assert len(run.mistakes) <= bound_of([(t, 1), (-1, 0)])
    assert separate([[2**60, 1], [1, 0]], [1, -1], bias=False)  # by a linear program at once
