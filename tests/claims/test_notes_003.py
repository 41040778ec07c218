"""The claims of notes 003 that code can decide, one test each, in the order of the inventory."""

import math
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest
from halfspaces import (
    Halfspace,
    best_halfspace,
    datasets,
    hinge,
    hinge_at_zero,
    homogenise,
    prove_mistake_bound,
    run_perceptron,
    separate,
    solve_svm,
    zero_one,
)
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

HALF = Fraction(1, 2)
EXACT = st.fractions(min_value=-20, max_value=20, max_denominator=50)


def dot(u, v):
    return sum(a * b for a, b in zip(u, v))


def fold(X, y):
    """Return the vectors yx, in exact numbers."""
    return [tuple(label * value for value in x) for x, label in zip(X, y)]


def scores(w, X, y):
    """Return y⟨w,x⟩ for each point."""
    return [dot(w, z) for z in fold(X, y)]


def separates(w, X, y):
    """Decide display (1) of the notes."""
    return all(score > 0 for score in scores(w, X, y))


def shortest(X, y):
    """Return the shortest w in the plane with y⟨w,x⟩ ≥ 1 everywhere, exactly,
    or None if there is none.

    The nearest point of a polygon lies inside an edge (one constraint) or at a corner (two).
    """
    Z, feasible = fold(X, y), []
    for z in Z:
        if any(z):
            feasible.append(tuple(Fraction(v, 1) / dot(z, z) for v in z))
    for (a, b), (c, d) in combinations(Z, 2):
        if det := a * d - b * c:
            feasible.append((Fraction(d - b, 1) / det, Fraction(a - c, 1) / det))
    feasible = [v for v in feasible if all(dot(v, z) >= 1 for z in Z)]
    return min(feasible, key=lambda v: dot(v, v), default=None)


def largest_square(X):
    """Return R², R = max ‖x‖."""
    return max(dot(x, x) for x in X)


def bound(X, y):
    """Return R²‖w*‖² of Lemma 1, exactly."""
    star = shortest(X, y)
    return largest_square(X) * dot(star, star)


def textbook(X, y, is_mistake=lambda score: score <= 0, choose=min, most=1000):
    """Run Algorithm 1: while there is a mistake, choose one;
    return w₁, w₂, … and the indices used.
    """
    Z = fold(X, y)
    path, used = [tuple(0 * value for value in Z[0])], []
    while wrong := [i for i, z in enumerate(Z) if is_mistake(dot(path[-1], z))]:
        if len(used) == most:
            raise RuntimeError("no end in sight")
        used.append(choose(wrong))
        path.append(tuple(a + b for a, b in zip(path[-1], Z[used[-1]])))
    return path, used


def samples(sizes=(1, 2, 3), coordinates=(-1, 0, 1)):
    """Yield all samples of these sizes, of distinct labelled points of a grid in the plane."""
    grid = [(x, label) for x in product(coordinates, repeat=2) for label in (1, -1)]
    for size in sizes:
        for chosen in combinations(grid, size):
            yield [x for x, _ in chosen], [label for _, label in chosen]


SAMPLES = list(samples())
SEPARABLE = [sample for sample in SAMPLES if shortest(*sample) is not None]
ONE, BOTH_LABELS = ([(1,)], [1]), ([(1,), (1,)], [1, -1])


def printed_objective(w, X, y):
    """Return display (2) as printed."""
    return sum(score >= 0 for score in scores(w, X, y))


def mistakes_of(w, X, y):
    return sum(score <= 0 for score in scores(w, X, y))


def printed_errors(w, X, y):
    """Return the sum of display (8) as printed."""
    return sum(score < 0 for score in scores(w, X, y))


def weak_program(X, y, method="highs"):
    """Decide y⟨w,x⟩ ≥ 1 for all points by linear programming."""
    A = -np.array(fold(X, y), float)
    return (
        linprog(
            np.zeros(A.shape[1]), A_ub=A, b_ub=-np.ones(len(A)), bounds=(None, None), method=method
        ).status
        == 0
    )


def test_003_06_a_hyperplane_need_not_pass_through_the_origin():
    X, y = [(1,), (2,)], [1, -1]
    assert not any(separates((Fraction(k, 10),), X, y) for k in range(-50, 51))
    assert not separate(X, y, bias=False) and separate(X, y)
    separate(X, y, bias=False).check()
    for X, y in SEPARABLE[::4]:  # what is separable through the origin is so with a threshold
        assert separate(X, y)


def test_003_07_the_data_do_not_determine_the_separator():
    X, y = datasets.animals()
    X, y = X.tolist(), y.tolist()
    made_by, found = (-6, 5, 10), run_perceptron(X, y).w.tolist()
    assert separates(made_by, X, y) and separates(found, X, y)
    assert dot(made_by, found) ** 2 < dot(made_by, made_by) * dot(found, found)  # not even parallel


def test_003_08_strict_inequalities_become_a_program_by_scaling():
    # As printed: strict. The solutions for one point are not closed, and ≥ 0 accepts everything.
    assert all(separates((Fraction(1, k),), *ONE) for k in range(1, 100)) and not separates(
        (0,), *ONE
    )
    assert all(score >= 0 for score in scores((0,), *BOTH_LABELS))
    # Corrected: > 0 is solvable exactly when ≥ 1 is.
    # The oracle tries directions, of which these meet every open cone.
    directions = list(product(range(-3, 4), repeat=2))
    for X, y in samples(sizes=(1, 2)):
        assert weak_program(X, y) == any(separates(w, X, y) for w in directions)


def test_003_09_several_methods_solve_the_program():
    for X, y in SAMPLES[::30]:
        expected = shortest(X, y) is not None
        assert weak_program(X, y, "highs-ds") == weak_program(X, y, "highs-ipm") == expected
        answer = separate(X, y, bias=False)
        answer.check()
        assert bool(answer) == expected == run_perceptron(X, y, max_passes=50).converged


def test_003_10_the_printed_objective_counts_what_is_right():
    assert printed_objective((1,), *ONE) == 1 and printed_objective((-1,), *ONE) == 0
    for X, y in samples(sizes=(1, 2)):
        for w in product((-1, 0, 2), repeat=2):
            z = np.array(scores(w, X, y))
            wrong = sum(Halfspace(w)(x) != label or dot(w, x) == 0 for x, label in zip(X, y))
            assert mistakes_of(w, X, y) == zero_one(z).sum() == wrong
            assert printed_objective(w, X, y) == len(y) - wrong + (z == 0).sum()


def test_003_11_the_printed_objective_is_n_at_a_separator():
    assert printed_objective((1,), *ONE) == 1
    for X, y in SEPARABLE:
        star = shortest(X, y)
        assert printed_objective(star, X, y) == len(y) > 0 == mistakes_of(star, X, y)
    for X, y in SAMPLES:
        for w in ((1, 2), (-1, 0), (0, 0)):
            assert (mistakes_of(w, X, y) == 0) == separates(w, X, y)


def test_003_12_only_an_appended_constant_is_a_threshold():
    X, y = [[1], [2]], [1, -1]
    for extra in ([0, 0], [1, 2]):  # nothing new, or each point's own coordinate once more
        assert not separate(np.column_stack([X, extra]), y, bias=False)
    assert separates((-2, 3), homogenise(X, 1).tolist(), y)
    thresholds = [Fraction(k, 2) for k in range(-3, 8)]
    for labels in product((-1, 1), repeat=4):
        points = [0, 1, 2, 2 if labels[2] == labels[3] else 3]
        by_hand = any(
            all(label * s * (x - b) > 0 for x, label in zip(points, labels))
            for s in (1, -1)
            for b in thresholds
        )
        for constant in (-1, 1, 5):
            assert (
                bool(separate(homogenise([[x] for x in points], constant), labels, bias=False))
                == by_hand
            )


def test_003_13_which_constant_is_appended_changes_the_bound():
    X, y = [[10], [9]], [1, -1]
    bounds = [bound(homogenise(X, -c).tolist(), y) for c in (1, 10)]
    assert bounds == [36865, 1522]
    for c in (1, 10):  # and the rule on the line is the same
        w, b = shortest(homogenise(X, -c).tolist(), y)
        assert Halfspace([w], b * c)([[10], [9]]).tolist() == y
    assert not separate(homogenise(X, 0), y, bias=False)


def test_003_14_positive_multiples_of_a_separator_separate():
    for X, y in SEPARABLE:
        star = shortest(X, y)
        for c in (Fraction(1, 100), HALF, 2, 1000):
            assert separates([c * v for v in star], X, y)
        assert not separates([-v for v in star], X, y)


def test_003_15_unit_norm_alone_does_not_fix_the_separator():
    X, y, margins = [(1, 0)], [1], {}
    for w in ((1, 0), (Fraction(3, 5), Fraction(4, 5))):
        assert dot(w, w) == 1 and separates(w, X, y)
        margins[w] = min(scores(w, X, y))
    assert sorted(margins.values()) == [Fraction(3, 5), 1]
    # Corrected: of all unit vectors exactly one has the largest margin.
    circle = np.array([(math.cos(a), math.sin(a)) for a in np.linspace(0, 2 * math.pi, 721)])
    for X, y in SEPARABLE[::5]:
        star = np.array(shortest(X, y), float)
        best = star / np.linalg.norm(star)
        reached = (circle @ np.array(fold(X, y)).T).min(axis=1)
        gamma = min(scores(best, X, y))
        assert (reached[np.linalg.norm(circle - best, axis=1) > 1e-9] < gamma).all()


def test_003_16_the_shortest_vector_exists_and_is_unique():
    for X, y in SAMPLES[::12]:
        star = shortest(X, y)
        assert (star is not None) == bool(separate(X, y, bias=False))
        if star is None:
            continue
        # Unique: ⟨star, u − star⟩ ≥ 0 for every feasible u, so ‖u‖² ≥ ‖star‖² + ‖u − star‖².
        for u in product((-3, -2, -1, 0, 1, 2, 3), repeat=2):
            if all(score >= 1 for score in scores(u, X, y)):
                gap = [a - b for a, b in zip(u, star)]
                assert dot(u, u) >= dot(star, star) + dot(gap, gap)
    for X, y in SEPARABLE[::60]:
        assert np.allclose(solve_svm(X, y, bias=False).w, np.array(shortest(X, y), float))


def test_003_17_the_margin_is_one_over_the_norm():
    turns = np.array([(math.cos(a), math.sin(a)) for a in np.linspace(0, 2 * math.pi, 361)])
    for X, y in SEPARABLE:
        star = shortest(X, y)
        gamma = 1 / math.sqrt(dot(star, star))
        assert min(scores(star, X, y)) == 1 and Halfspace(star).margin(X, y) == pytest.approx(gamma)
        assert (turns @ np.array(fold(X, y)).T).min(axis=1).max() <= gamma + 1e-12


def test_003_18_the_perceptron_solves_the_program():
    longer = 0
    for X, y in SEPARABLE:
        w = textbook(X, y)[0][-1]
        v = [Fraction(value, min(scores(w, X, y))) for value in w]
        star = shortest(X, y)
        assert min(scores(v, X, y)) == 1 and dot(v, v) >= dot(star, star)
        longer += dot(v, v) > dot(star, star)
    assert longer  # it finds a solution of (3), not the shortest


def test_003_19_finitely_many_steps_bounded_by_two_lengths():
    for X, y in SEPARABLE:
        for choose in (min, max):
            path, used = textbook(X, y, choose=choose)
            assert len(used) <= bound(X, y) and separates(path[-1], X, y)
    A, b = datasets.animals()  # the bound knows no order, the number of steps does
    counts = {
        len(run_perceptron(A[list(order)], b[list(order)]).mistakes)
        for order in permutations(range(4))
    }
    best = np.array([Fraction(-3, 4), Fraction(5, 8), Fraction(5, 4)])
    assert (
        len(counts) > 1
        and max(counts) <= prove_mistake_bound(run_perceptron(A, b), best).bound == 322
    )


def test_003_20_accuracy_below_one_is_enough_and_takes_one_over_margin_squared_steps():
    for X, y in SEPARABLE:
        R2, Z, star = largest_square(X), fold(X, y), shortest(X, y)

        def value(w):
            """Return the convex function max (1 − y⟨w,x⟩), which is at most 0 at w*."""
            return 1 - min(dot(w, z) for z in Z)

        assert value(star) <= 0 and value((0, 0)) == 1  # accuracy 1 is not enough: w = 0 has it
        for w in product((-2, -1, 0, 1, 2), repeat=2):
            assert (value(w) < 1) == separates(w, X, y)
        w, steps = (0, 0), 0
        while value(w) >= 1:  # subgradient descent with step 1/R²
            worst = min(Z, key=lambda z: dot(w, z))
            w, steps = tuple(a + Fraction(b, R2) for a, b in zip(w, worst)), steps + 1
        gamma2 = 1 / (R2 * dot(star, star))  # after scaling to R = 1
        assert steps <= 1 / gamma2
    assert (
        len(run_perceptron(*datasets.unit_stream(9)).mistakes) == 9
    )  # R = 1, γ = 1/3: the order is attained


def loop_as_printed(X, y, is_mistake):
    """Run Algorithm 1 with the label y_t in its test; labels are numbered from 1."""
    w, t = tuple(0 * v for v in X[0]), 1
    while True:
        wrong = [i for i, x in enumerate(X) if is_mistake(y[t - 1] * dot(w, x))]
        if not wrong:
            return w, t - 1
        w, t = tuple(a + y[wrong[0]] * b for a, b in zip(w, X[wrong[0]])), t + 1


def test_003_21_the_label_in_the_test_has_the_wrong_index():
    with pytest.raises(IndexError):  # y₂ of one point
        loop_as_printed(*ONE, lambda score: score <= 0)
    X, y = [(1,), (-1,)], [1, -1]
    assert separates((1,), X, y)
    assert (
        y[2 - 1] * dot((1,), X[0]) < 0
    )  # yet the printed test calls the first point wrong at t = 2
    with pytest.raises(IndexError):
        loop_as_printed(X, y, lambda score: score <= 0)
    assert textbook(X, y)[1] == [0] and textbook(X, y)[0][-1] == (1,)


def test_003_22_the_strict_loop_never_starts():
    assert loop_as_printed(*ONE, lambda score: score < 0) == ((0,), 0)
    for X, y in SEPARABLE:
        path, used = textbook(X, y, is_mistake=lambda score: score < 0)
        assert used == [] and not separates(path[-1], X, y)
        assert separates(textbook(X, y)[0][-1], X, y)
    # From another start the strict loop may end on the boundary: (1,0)+ and (−1,1)+ from (1,0).
    w, Z = (1, 0), [(1, 0), (-1, 1)]
    while wrong := [z for z in Z if dot(w, z) < 0]:
        w = tuple(a + b for a, b in zip(w, wrong[0]))
    assert w == (0, 1) and dot(w, Z[0]) == 0


def test_003_23_any_choice_of_mistakes_ends_at_a_separator():
    def ends(w, Z, left):
        """Follow every choice; return the vectors at which no mistake is left."""
        wrong = [z for z in Z if dot(w, z) <= 0]
        assert left > 0 or not wrong, "more corrections than the bound allows"
        if not wrong:
            return {w}
        return set().union(*(ends(tuple(a + b for a, b in zip(w, z)), Z, left - 1) for z in wrong))

    for X, y in SEPARABLE:
        Z = fold(X, y)
        assert all(separates(w, X, y) for w in ends((0, 0), Z, int(bound(X, y))))
        path, used = textbook(X, y)
        for before, after, i in zip(
            path, path[1:], used
        ):  # a correction raises the score of its own point by ‖x‖²
            assert dot(after, Z[i]) == dot(before, Z[i]) + dot(Z[i], Z[i])


def test_003_24_the_cosine_is_undefined_for_the_printed_index():
    path, used = textbook(*ONE)
    assert len(used) == 1 and path[len(used) - 1] == (0,)  # w_m with m = 1: 0/0
    for X, y in SEPARABLE:
        path, used = textbook(X, y)
        star, w = shortest(X, y), path[len(used)]  # w_{m+1}
        assert any(w) and dot(w, star) ** 2 <= dot(w, w) * dot(star, star)


def test_003_25_the_maximum_norm_would_not_do():
    X, y = datasets.three_points()
    star, used = shortest(X.tolist(), y.tolist()), textbook(X.tolist(), y.tolist())[1]
    assert star == (0, 1) and len(used) == 2
    assert (
        len(used) > (np.abs(X).max() * max(map(abs, star))) ** 2 == 1
    )  # all norms replaced by maxima
    assert len(used) <= bound(X.tolist(), y.tolist()) == 2


def test_003_26_two_meanings_of_one_index():
    X, y = datasets.animals()
    run = run_perceptron(X, y)
    assert len(run.mistakes) == 19 > len(X)
    assert run.mistakes[:4].tolist() != [0, 1, 2, 3]  # not even at first


def test_003_27_each_correction_is_progress_of_at_least_one():
    for X, y in SEPARABLE:
        star, (path, _) = shortest(X, y), textbook(X, y)
        for before, after in zip(path, path[1:]):
            assert dot(after, star) >= dot(before, star) + 1
    proof = prove_mistake_bound(run_perceptron(*datasets.three_points()), [0, 1])
    assert [row.progress for row in proof.rows] == [1, 2]


def test_003_28_progress_is_off_by_one():
    path, used = textbook(*ONE)
    assert dot(path[len(used) - 1], (1,)) == 0 < 1  # ⟨w_m, w*⟩ ≥ m at m = 1
    for X, y in SEPARABLE:
        star, (path, used) = shortest(X, y), textbook(X, y)
        for m in range(1, len(used) + 1):
            before, after = path[m - 1], path[m]  # w_m and w_{m+1}, as w₁ is path[0]
            assert dot(after, star) >= m and dot(before, star) >= m - 1
        assert dot(path[0], star) < 1


def test_003_29_the_first_relation_is_an_equality():
    for X, y in SAMPLES:
        Z = fold(X, y)
        for w, z in product(product((-2, 0, 1), repeat=2), Z):
            after = [a + b for a, b in zip(w, z)]
            assert dot(after, after) == dot(w, w) + 2 * dot(w, z) + dot(z, z)


def test_003_30_the_radius_of_the_proof_is_squared_once_too_often():
    # Smallest: one point on the line, by denominator, then by numerator.
    for x in (Fraction(p, q) for q in range(1, 5) for p in range(1, q + 1)):
        R = x**2  # as printed: max ‖x‖²
        if (0 + x) ** 2 > 0 + R**2:
            break
    assert x == HALF and x**2 == Fraction(1, 4) and R**2 == Fraction(1, 16)
    for scale in (1, HALF, 3):
        for X, y in SEPARABLE:
            X = [tuple(scale * v for v in x) for x in X]
            path, _ = textbook(X, y)
            for before, after in zip(path, path[1:]):
                assert dot(after, after) <= dot(before, before) + largest_square(X)


def test_003_31_the_length_bound_fails_with_the_printed_radius():
    # Smallest: on the line there is never a second correction;
    # in the plane, two points with coordinates 0 and 1/2.
    for a, b in product((HALF, 1, 2), repeat=2):
        assert len(textbook([(a,), (-b,)], [1, -1])[1]) == 1
    for X in combinations(product((0, HALF), repeat=2), 2):
        if shortest(X, [1, 1]) is None:
            continue
        path, used = textbook(X, [1, 1])
        m, R = len(used), largest_square(X)
        if dot(path[m - 1], path[m - 1]) > m * R**2:
            break
    assert X == ((0, HALF), (HALF, 0)) and m == 2
    assert dot(path[1], path[1]) == Fraction(1, 4) and m * R**2 == Fraction(1, 8)
    for X, y in SEPARABLE:
        path, used = textbook(X, y)
        for m in range(1, len(used) + 1):
            assert dot(path[m], path[m]) <= m * largest_square(X)
            assert dot(path[m - 1], path[m - 1]) <= (m - 1) * largest_square(X)


def test_003_32_the_squeeze_needs_the_last_vector():
    X, y = [(0, 1), (1, 0)], [1, 1]
    path, used = textbook(X, y)
    star, m = shortest(X, y), len(used)
    left = m / (math.sqrt(m) * 1 * math.hypot(*star))
    printed = dot(path[m - 1], star) / (math.hypot(*path[m - 1]) * math.hypot(*star))
    assert (
        (m, star) == (2, (1, 1))
        and left == pytest.approx(1)
        and printed == pytest.approx(1 / math.sqrt(2))
    )
    for X, y in SEPARABLE:
        path, used = textbook(X, y)
        m, star, w = len(used), shortest(X, y), path[-1]
        # √m/(R‖w*‖) ≤ ⟨w, w*⟩/(‖w‖‖w*‖) ≤ 1, squared, both sides being positive
        cosine2 = Fraction(dot(w, star) ** 2) / (dot(w, w) * dot(star, star))
        assert m / (largest_square(X) * dot(star, star)) <= cosine2 <= 1


def test_003_33_the_bound_fails_with_the_radius_of_the_proof():
    x, star = HALF, 2  # one point on the line; (3) says w/2 ≥ 1
    m = len(textbook([(x,)], [1])[1])
    assert m == 1 > (x**2) ** 2 * star**2 == Fraction(1, 4)
    assert m <= x**2 * star**2 == 1
    for scale in (HALF, 1, 3):  # the right one does not change with the unit of length
        for X, y in SEPARABLE[::3]:
            scaled = [tuple(scale * v for v in x) for x in X]
            assert len(textbook(scaled, y)[1]) <= bound(scaled, y) == bound(X, y)


def test_003_34_two_radii_under_one_name():
    proof = prove_mistake_bound(run_perceptron([[2]], [1]), [HALF])
    assert (proof.R, proof.R2) == (2, 4)  # the library keeps the two apart
    for scale in (HALF, 1, 3):
        for X, y in SEPARABLE[::3]:
            X = [tuple(scale * v for v in x) for x in X]
            lemma, proof = math.sqrt(largest_square(X)), max(sum(v**2 for v in x) for x in X)
            assert (lemma == proof) == (proof == 1)
            # Either repair gives the same bound: the lemma's R squared, or the proof's R as it is.
            star2 = dot(shortest(X, y), shortest(X, y))
            assert (
                float(proof * star2) == pytest.approx(lemma**2 * float(star2)) == float(bound(X, y))
            )


def test_003_35_lemma_one_needs_a_separator():
    with pytest.raises(RuntimeError):
        textbook(*BOTH_LABELS)
    assert shortest([(1, 0), (1, 0)], [1, -1]) is None
    for X, y in SEPARABLE[::2]:
        run, star = run_perceptron(X, y), list(shortest(X, y))
        proof = prove_mistake_bound(run, star)
        proof.check()
        assert run.converged and separates(run.w.tolist(), X, y)
        assert len(run.mistakes) <= proof.bound == bound(X, y)
    for X, y in SAMPLES[::2]:
        if shortest(X, y) is None:
            assert not run_perceptron(X, y, max_passes=20).converged


def test_003_36_points_may_come_back():
    X, y = datasets.three_points()
    for order in product(range(3), repeat=5):  # streams with and without repetitions
        run = run_perceptron(X[list(order)], y[list(order)], max_passes=1)
        assert len(run.mistakes) <= 2


def test_003_37_the_bound_holds_on_any_sequence():
    grid = list(product((-2, -1, 0, 1, 2), repeat=2))
    for star in ((1, 0), (HALF, HALF), (-1, 2)):
        allowed = [z for z in grid if dot(star, z) >= 1][:5]
        R2 = largest_square(allowed)
        for stream in product(allowed, repeat=4):
            w, mistakes = (0, 0), 0
            for z in stream:
                if dot(w, z) <= 0:
                    w, mistakes = tuple(a + b for a, b in zip(w, z)), mistakes + 1
            assert mistakes <= R2 * dot(star, star)
    for n in (1, 5, 20):  # attained: R = 1 and w* = (1, …, 1)
        assert len(run_perceptron(*datasets.unit_stream(n), max_passes=1).mistakes) == n


def test_003_39_cycling_finds_the_same_kind_of_run():
    for X, y in SEPARABLE:
        Z, w, used = fold(X, y), (0, 0), []
        while not separates(w, X, y):
            for i, z in enumerate(Z):
                if dot(w, z) <= 0:
                    w, used = tuple(a + b for a, b in zip(w, z)), [*used, i]
        run = run_perceptron(X, y)
        assert run.mistakes.tolist() == used and run.w.tolist() == list(w)
        assert len(used) <= bound(X, y)


@given(EXACT)
def test_003_40_the_hinge_at_zero_is_flat_where_the_point_is_right(z):
    value, step = max(0, -z), Fraction(1, 1000)
    assert hinge_at_zero(float(z)) == float(value) and (value == 0) == (z >= 0)
    if z > 0:
        assert (
            max(0, -(z + step)) == max(0, -(z - min(step, z))) == 0 == hinge_at_zero.slope(float(z))
        )
    if z < 0:
        assert max(0, -(z - step)) - value == step and hinge_at_zero.slope(float(z)) == -1


def test_003_41_a_tie_costs_nothing_as_printed():
    assert printed_errors((0,), *BOTH_LABELS) == 0 and mistakes_of((0,), *BOTH_LABELS) == 2
    for X, y in SAMPLES:
        assert printed_errors((0, 0), X, y) == 0
        assert zero_one(np.array(scores((0, 0), X, y))).sum() == len(y)
        for w in ((1, 2), (-2, 1), (1, 1)):
            ties = sum(score == 0 for score in scores(w, X, y))
            assert mistakes_of(w, X, y) == printed_errors(w, X, y) + ties


def test_003_42_separators_have_no_loss_at_zero():
    for X, y in SAMPLES:
        star = shortest(X, y)
        if star is not None:
            assert sum(max(0, -score) for score in scores(star, X, y)) == 0
            assert hinge_at_zero.risk(list(star), X, y) == 0
        assert hinge_at_zero.risk([0, 0], X, y) == 0  # nor has 0, on any data
    assert hinge_at_zero.risk([1], *BOTH_LABELS) > 0


def printed_gradient(w, x, label):
    return tuple(-label * v * (label * dot(w, x) < 0) for v in x)


def test_003_43_the_printed_gradient_is_a_subgradient():
    grid = list(product((-2, -1, 0, 1, 2), repeat=2))
    for x, label, w in product([(1, 0), (1, -1), (-2, 1)], (1, -1), grid):
        g, here = printed_gradient(w, x, label), max(0, -label * dot(w, x))
        for u in grid:
            assert max(0, -label * dot(u, x)) >= here + dot(g, [a - b for a, b in zip(u, w)])
        score = label * dot(w, x)
        if score:  # off the tie it is the gradient, and the library has the same
            assert hinge_at_zero.subgradient(w, [x], [label]).tolist() == list(g)


def test_003_44_the_printed_step_does_not_leave_zero():
    assert printed_gradient((0,), (1,), 1) == (0,)
    for X, y in SEPARABLE:
        assert all(not any(printed_gradient((0, 0), x, label)) for x, label in zip(X, y))
        w, path = np.zeros(2), [[0, 0]]
        while not separates(w, X, y):
            for x, label in zip(
                X, y
            ):  # corrected: the slope −1 at ties, which is the library's choice
                step = -hinge_at_zero.subgradient(w, [x], [label])
                assert (step == [label * v * (label * dot(w, x) <= 0) for v in x]).all()
                w = w + step
                path += [w.tolist()] if step.any() else []
        assert path == run_perceptron(X, y).path().tolist()


def test_003_45_one_example_is_not_the_batch():
    X, y, w = [(1, 0), (0, 1)], [1, 1], (-1, -1)
    single = [a - b for a, b in zip(w, printed_gradient(w, X[0], y[0]))]
    batch = [
        a - sum(printed_gradient(w, x, label)[j] for x, label in zip(X, y)) for j, a in enumerate(w)
    ]
    assert single == [0, -1] and batch == [0, 0]
    assert (
        np.array(w) - 2 * hinge_at_zero.subgradient(w, X, y)
    ).tolist() == batch  # the library takes means


def test_003_46_the_step_size_does_not_matter_from_zero():
    for X, y in SEPARABLE[::5]:
        plain = run_perceptron(X, y)
        for eta in (Fraction(1, 3), 7):
            run = run_perceptron(X, y, step=eta)
            assert run.mistakes.tolist() == plain.mistakes.tolist()
            assert run.w.tolist() == [eta * v for v in plain.w.tolist()]
    assert [len(run_perceptron([[1]], [1], start=[-10], step=eta).mistakes) for eta in (1, 10)] == [
        11,
        2,
    ]


def test_003_47_a_step_size_is_a_scale_of_the_points():
    for X, y in SEPARABLE[::5]:
        for eta in (Fraction(1, 3), 7):
            scaled = run_perceptron([[eta * v for v in x] for x in X], y)
            assert scaled.path().tolist() == run_perceptron(X, y, step=eta).path().tolist()


def test_003_48_scaling_leaves_the_bound_alone():
    for X, y in SEPARABLE[::2]:
        for eta in (Fraction(1, 3), 7):
            scaled = [tuple(eta * v for v in x) for x in X]
            assert shortest(scaled, y) == tuple(v / eta for v in shortest(X, y))
            assert bound(scaled, y) == bound(X, y)


def fewest_printed_errors(X, y):
    """Minimise display (8) as printed; the norm may be anything but 0,
    and these directions meet every cell.
    """
    return min(
        printed_errors(w, X, y) for w in product((-2, -1, 0, 1, 2), repeat=len(X[0])) if any(w)
    )


def test_003_49_the_printed_minimum_forgives_ties():
    # Smallest: by dimension, then by number of points,
    # the points not 0 and as few in kind as possible.
    found = []
    for d, n in product((1, 2), (1, 2)):
        points = [x for x in product((1, 0), repeat=d) if any(x)]
        labelled = [(x, label) for x in sorted(points, key=sum) for label in (1, -1)]
        for chosen in combinations(labelled, n):
            X, y = [list(x) for x, _ in chosen], [label for _, label in chosen]
            if fewest_printed_errors(X, y) != best_halfspace(X, y, bias=False).errors:
                found.append((X, y))
    assert found[0] == ([[1, 0], [1, 0]], [1, -1])
    assert (
        printed_errors((0, 1), *found[0]) == 0 and best_halfspace(*found[0], bias=False).errors == 1
    )
    # Corrected: no norm is needed, and the library's minimum is that of a search
    # over all directions.
    for X, y in SAMPLES[::9]:
        assert best_halfspace(X, y, bias=False).errors == min(
            mistakes_of(w, X, y) for w in product(range(-3, 4), repeat=2)
        )


def test_003_50_minimisers_are_many():
    X, y = [(1, 0)], [1]
    units = [(1, 0), (Fraction(3, 5), Fraction(4, 5)), (Fraction(4, 5), Fraction(-3, 5)), (-1, 0)]
    assert (
        [printed_errors(w, X, y) for w in units]
        == [0, 0, 0, 1]
        == [mistakes_of(w, X, y) for w in units]
    )


def smallest_cover(n, edges):
    return next(
        k
        for k in range(n + 1)
        for C in combinations(range(n), k)
        if all({*C} & {*e} for e in edges)
    )


def test_003_51_vertex_cover_hides_in_the_fewest_errors():
    graphs = {}
    for n in (3, 4):
        for edges in product((0, 1), repeat=n * (n - 1) // 2):
            edges = [e for e, taken in zip(combinations(range(n), 2), edges) if taken]
            graphs[tuple(sorted(sum(v in e for e in edges) for v in range(n)))] = (
                n,
                edges,
            )  # one of each kind
    assert len(graphs) == 4 + 11  # all graphs on three and four vertices, up to names
    for n, edges in graphs.values():
        unit = np.eye(n, dtype=int)
        X = np.vstack([unit, *(unit[[i]] + unit[[j]] for i, j in edges)])
        y = [-1] * n + [1] * len(edges)
        assert best_halfspace(X, y, bias=False).errors == smallest_cover(n, edges)


def test_003_53_loss_at_zero_says_nothing_about_the_mistakes():
    X, y = datasets.loss_at_zero_misleads()
    found = []
    for w in (1, -1, 0):
        z = y * X[:, 0] * w
        found.append((int(zero_one(z).sum()), int(hinge_at_zero(z).sum()), int(hinge(z).sum())))
    assert found == [
        (1, 3, 4),
        (2, 2, 4),
        (3, 0, 3),
    ]  # the more mistakes, the less loss; the hinge stays above


def test_003_54_the_hinge_lies_above_and_the_hinge_at_zero_does_not():
    for z in np.arange(-3, 3, 0.25):
        assert hinge(z) == hinge_at_zero(z - 1) >= zero_one(z) >= (z < 0)
    assert hinge_at_zero(-0.5) == 0.5 < (-0.5 < 0)


@given(EXACT)
def test_003_55_the_hinge_bounds_both_zero_one_losses(z):
    assert (z < 0) <= (z <= 0) <= max(0, 1 - z)
    assert hinge(float(z)) >= zero_one(float(z))


@given(EXACT, EXACT, st.fractions(min_value=0, max_value=1, max_denominator=20))
def test_003_56_the_hinge_is_convex_and_zero_one_is_not(u, v, s):
    def above_chord(loss, u, v, s):
        return loss((1 - s) * u + s * v) - ((1 - s) * loss(u) + s * loss(v))

    assert above_chord(lambda z: max(0, 1 - z), u, v, s) <= 0
    for zero_one_loss in (lambda z: int(z < 0), lambda z: int(z <= 0)):
        assert above_chord(zero_one_loss, Fraction(-2), Fraction(1), HALF) == HALF
    assert hinge(float(u)) == pytest.approx(float(max(0, 1 - u)))


def test_003_57_close_means_nearer_than_one_over_the_norm():
    for w, x in product(product((-2, -1, 1, 2), (0, 1, 3)), product((-1, 0, HALF, 2), repeat=2)):
        score = dot(w, x)
        if score > 0:  # right, with label +
            distance2 = Fraction(score**2) / dot(w, w)
            assert (hinge(float(score)) > 0) == (distance2 < Fraction(1, dot(w, w)))


def test_003_58_the_margin_grows_only_in_the_right_bargain():
    X, y = [(1, 0), (0, 1)], [1, 1]
    assert (
        hinge.risk([5, 1], X, y) == hinge.risk([1, 1], X, y) == 0
    )  # hinge alone is content with both
    assert Halfspace([5, 1]).margin(X, y) == pytest.approx(1 / math.sqrt(26))
    assert Halfspace(shortest(X, y)).margin(X, y) == pytest.approx(1 / math.sqrt(2))
    X, y = [(-1, 1), (4, 0)], [1, 1]
    soft = solve_svm(
        X, y, C=0.01, bias=False
    ).w  # ½‖w‖² + C Σ hinge: a small C is a large λ = 1/(nC)
    assert np.allclose(soft, [0.03, 0.01]) and mistakes_of(soft, X, y) == 1
    hard = np.array(shortest(X, y), float)
    errors = [np.abs(solve_svm(X, y, C=C, bias=False).w - hard).max() for C in (0.1, 1, 10)]
    assert (
        errors[0] > errors[1] > errors[2] and errors[2] < 1e-6
    )  # from some λ on it is the largest margin
    assert (
        mistakes_of((0, 0), X, y) == 2 and hinge.risk([0, 0], X, y) == 1
    )  # and the shortest vector of all is no help
