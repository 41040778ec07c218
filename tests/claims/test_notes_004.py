"""The claims of notes 004, one test for each: what is printed, and what is true instead."""

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, groupby, permutations, product

import numpy as np
import pytest
from halfspaces import (
    Halfspace,
    NotSeparableError,
    best_halfspace,
    check_kernel,
    cube,
    datasets,
    from_sets,
    geometric,
    gram,
    homogenise,
    linear,
    monomials,
    polynomial,
    prove_mistake_bound,
    run_kernel_perceptron,
    run_perceptron,
    separate,
    solve_svm,
)
from hypothesis import given, settings
from hypothesis import strategies as st

# Points are tuples of whole numbers or Fractions, so that everything below is exact.


def dot(x, y):
    return sum(p * q for p, q in zip(x, y, strict=True))


def plus(a, x, factor=1):
    return tuple(p + factor * q for p, q in zip(a, x, strict=True))


def norm2(x):
    return dot(x, x)


@dataclass
class Loop:
    """A run of the notes' perceptron: the steps (sign, a before, x, a after),
    and whether it stopped.
    """

    a: tuple
    steps: list
    tests: int
    sweeps: int
    stopped: bool


def perceptron(good, bad, strict=False):
    """Run the algorithm of Section 1, or that of Section 2.1 with its strict tests.

    A vector that returns at the end of a sweep returns for ever:
    then the loop is given up, as one that never ends.
    """
    points = [(1, x) for x in good] + [(-1, x) for x in bad]
    a = (0,) * len(points[0][1])
    steps, sweeps, seen = [], 0, set()
    while a not in seen:
        seen.add(a)
        before, sweeps = len(steps), sweeps + 1
        for sign, x in points:
            score = sign * dot(a, x)
            if score < 0 or score == 0 and not strict:
                steps.append((sign, a, x, plus(a, x, sign)))
                a = steps[-1][-1]
        if len(steps) == before:
            return Loop(a, steps, sweeps * len(points), sweeps, True)
    return Loop(a, steps, sweeps * len(points), sweeps, False)


def is_right(a, good, bad):
    """Tell whether a meets the Output condition."""
    return all(dot(a, x) > 0 for x in good) and all(dot(a, x) < 0 for x in bad)


def radius2(good, bad):
    return max(norm2(x) for x in [*good, *bad])


def pair_distance2(good, bad):
    """Return δ², the notes' margin: the smallest squared distance between the classes."""
    return min(norm2(plus(x, y, -1)) for x in good for y in bad)


def half_width(good, bad, a):
    """Return the smallest score on the right side:
    ‖a‖δ/2 for the empty band around the hyperplane of a.
    """
    return min([dot(a, x) for x in good] + [-dot(a, x) for x in bad])


def make_samples():
    """Return (good, bad, a*) with both classes, separable by the whole numbers a*,
    in one to four dimensions.
    """
    rng, samples = np.random.default_rng(4), []
    while len(samples) < 40:
        d = 1 + len(samples) % 4
        star = tuple(rng.integers(-3, 4, d).tolist())
        points = {tuple(x) for x in rng.integers(-5, 6, (12, d)).tolist()}
        good = sorted(x for x in points if dot(star, x) > 0)
        bad = sorted(x for x in points if dot(star, x) < 0)
        if good and bad:
            samples.append((good, bad, star))
    return samples


SAMPLES = make_samples()
RUNS = [(good, bad, star, perceptron(good, bad)) for good, bad, star in SAMPLES]


def steps_on(sign):
    """List every update on good (+1) or bad (−1) points: the sample, a*, a before, x, a after."""
    return [
        (good, bad, star, before, x, after)
        for good, bad, star, run in RUNS
        for s, before, x, after in run.steps
        if s == sign
    ]


def separable_on_small_grid(good, bad):
    """Decide separability through 0 of points in {−1,0,1}²:
    a sum of two normals of such points must separate.
    """
    return any(is_right(a, good, bad) for a in product(range(-2, 3), repeat=2))


def powers(x, d):
    return tuple(x**k for k in range(d + 1))


def kernel_loop(good, bad, kernel, sums="right", length=None):
    """Run the kernel algorithm, its sums as printed or right;
    return α, the points updated in order, and if it stopped.

    As printed, a sweep that changes α is followed by one that changes the same entries:
    two such sweeps never end.
    """
    X = [*good, *bad]
    alpha, order = [0] * (len(X) if length is None else length), []
    for _ in range(2 if sums == "printed" else 10_000):
        before = len(order)
        for j, x in enumerate(X):
            if sums == "printed":
                value = sum(alpha[j] * kernel(x, z) for z in X)
            else:
                value = sum(alpha[i] * kernel(z, x) for i, z in enumerate(X))
            if j < len(good) and value <= 0:
                alpha[j] += 1
                order.append(j)
            elif j >= len(good) and value >= 0:
                alpha[j] -= 1
                order.append(j)
        if len(order) == before:
            return alpha, order, True
    return alpha, order, False


def meets_kernel_output(alpha, good, bad, kernel):
    X = [*good, *bad]
    scores = [sum(c * kernel(z, x) for c, z in zip(alpha, X, strict=True)) for x in X]
    return all(s > 0 for s in scores[: len(good)]) and all(s < 0 for s in scores[len(good) :])


class Counted:
    """A number that counts its multiplications."""

    count = 0

    def __init__(self, value):
        self.value = value

    def __mul__(self, other):
        Counted.count += 1
        return Counted(self.value * other.value)

    def __add__(self, other):
        return Counted(self.value + other.value)


def multiplications(function, *numbers):
    Counted.count = 0
    function(*map(Counted, numbers))
    return Counted.count


# Section 1


def test_004_01_the_bound_counts_updates_and_not_time():
    for m in (1, 10, 100):
        run = perceptron([(i,) for i in range(1, m + 1)], [])
        assert (len(run.steps), run.tests) == (1, 2 * m)
    for good, bad, _, run in RUNS:
        assert run.sweeps <= len(run.steps) + 1
        assert run.tests <= (len(run.steps) + 1) * (len(good) + len(bad))


def test_004_02_the_embedding_separates_and_the_kernel_only_computes():
    X, y = datasets.xor()
    assert not run_kernel_perceptron(X, y, linear, max_passes=100).converged
    assert run_kernel_perceptron(X, y, polynomial(2, 1)).converged
    products = np.array(
        [np.outer((1, *x), (1, *x)).ravel() for x in X]
    )  # whole numbers, with the same kernel
    assert (products @ products.T == polynomial(2, 1)(X, X)).all()
    explicit, kernel = run_perceptron(products, y), run_kernel_perceptron(X, y, polynomial(2, 1))
    assert explicit.mistakes.tolist() == kernel.mistakes.tolist()


def test_004_04_no_threshold_means_a_hyperplane_through_the_origin():
    for w, b in product(product(range(-2, 3), repeat=2), range(-2, 3)):
        if any(w):
            assert (Halfspace(w, b).score([0, 0]) == 0) == (b == 0)
    assert separate([[2], [1]], [1, -1]) and not separate([[2], [1]], [1, -1], bias=False)
    assert not any(
        is_right((a,), [(2,)], [(1,)]) for a in (-1, 0, 1)
    )  # on the line only the sign of a matters


@settings(max_examples=50)
@given(
    st.lists(st.tuples(*[st.integers(-50, 50)] * 3), min_size=1, max_size=5),
    st.tuples(*[st.integers(-50, 50)] * 3),
    st.integers(-50, 50),
)
def test_004_05_appending_one_and_minus_b_or_minus_one_and_b(X, a, b):
    printed = [dot((*x, 1), (*a, -b)) for x in X]
    assert printed == [dot(x, a) - b for x in X]
    assert printed == (homogenise(X) @ [*a, b]).tolist() == Halfspace(a, b).score(X).tolist()


def test_004_06_appending_keeps_which_data_are_separable():
    """All ways to make points of {−1,0,1,2} good, bad or absent;
    on a line a threshold is a gap between the classes.
    """
    for kinds in product((1, -1, 0), repeat=4):
        good, bad = ([x for x, kind in zip(range(-1, 3), kinds) if kind == k] for k in (1, -1))
        if good and bad:
            by_gap = min(good) > max(bad) or min(bad) > max(good)
            appended = [(x, 1) for x in good], [(x, 1) for x in bad]
            assert perceptron(*appended).stopped == by_gap
            if 2 not in good + bad:  # a linear program for a third of them
                assert bool(separate(*from_sets(*appended), bias=False)) == by_gap


def test_004_07_delta_is_a_full_width_if_a_has_length_one():
    X, y = [[3, 4], [-3, -4], [-1, 7], [-7, -1]], [1, -1, 1, -1]
    for c in (Fraction(1, 5), 1, 7):
        a = np.array([3 * c, 4 * c], object)  # of length 5c
        delta = 2 * min(label * dot(a, x) for x, label in zip(X, y))
        assert Halfspace(a).margin(X, y) * 2 == pytest.approx(float(delta / (5 * c)))
    proof = prove_mistake_bound(run_perceptron(X, y), [3, 4])
    assert (
        proof.forms()["4R²/δ² (δ = 2γ)"] == proof.bound == Fraction(radius2(X, []), 5**2)
    )  # γ = 25/5


def test_004_08_the_inequalities_survive_appending():
    for x, a, b, h in product(range(-3, 4), range(-2, 3), range(-2, 3), (Fraction(1, 2), 1, 2)):
        assert (dot((x,), (a,)) >= b + h) == (dot((x, 1), (a, -b)) >= h)
        assert (dot((x,), (a,)) <= b - h) == (dot((x, 1), (a, -b)) <= -h)


def test_004_09_radius_and_margin_change_when_one_is_appended():
    """One good and one bad point of the line; smallest:
    least radius, then fewest updates, then largest good point.
    """
    printed, half_mended = [], []
    for g, h in product(range(-6, 7), repeat=2):
        if g == h:
            continue
        k, R2, delta2 = len(perceptron([(g, 1)], [(h, 1)]).steps), max(g * g, h * h), (g - h) ** 2
        assert (
            k <= 4 * (R2 + 1) * (1 + Fraction(g + h, 2) ** 2) / delta2
        )  # the cut in the middle has b = (g+h)/2
        if k > Fraction(4 * R2, delta2):
            printed.append((R2, k, -g, g, h))
        if k > Fraction(4 * (R2 + 1), delta2):
            half_mended.append((R2, k, -g, g, h))
    assert min(printed) == (1, 2, -1, 1, -1) and Fraction(4 * 1, 2**2) == 1
    assert min(half_mended) == (25, 34, -5, 5, 3) and Fraction(4 * 26, 2**2) == 26


def test_004_10_separable_must_be_read_strictly():
    good, bad = [(0,)], [(-1,)]
    assert all(dot(x, (1,)) >= 0 for x in good) and all(
        dot(x, (1,)) <= 0 for x in bad
    )  # in closed sides
    assert not any(is_right((a,), good, bad) for a in (-1, 0, 1))
    run = perceptron(good, bad)
    assert not run.stopped and run.steps[-1][2] == (0,)  # the good point is a tie for ever
    assert perceptron([(1,)], bad).stopped


@settings(max_examples=50)
@given(
    st.sets(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=1, max_size=3),
    st.sets(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=1, max_size=3),
)
def test_004_11_a_loop_that_stops_meets_the_output_condition(good, bad):
    run = perceptron(sorted(good), sorted(bad))
    assert run.stopped == is_right(run.a, good, bad)


def test_004_12_it_is_the_perceptron_of_the_course():
    for good, bad, _, run in RUNS:
        X, y = from_sets(good, bad)
        ours = run_perceptron(X, y)
        ours.check()
        assert [X[i].tolist() for i in ours.mistakes] == [list(x) for _, _, x, _ in run.steps]
        assert tuple(ours.w) == run.a


def test_004_13_the_order_changes_the_run_and_not_its_end():
    X, y = datasets.animals()
    good, bad = ([tuple(x) for x in X[y == k].tolist()] for k in (1, -1))
    counts = {
        len(perceptron(*sets).steps) for sets in product(permutations(good), permutations(bad))
    }
    as_listed = len(run_perceptron(X, y).mistakes)
    assert as_listed == 19 and len(perceptron(good, bad).steps) == 17 and len(counts) > 1
    assert max(counts) <= prove_mistake_bound(run_perceptron(X, y), [-6, 5, 10]).bound


def test_004_14_the_loop_ends_if_and_only_if_the_sets_are_separable():
    """All good and bad sets of points of {−1,0,1}² with at most three points in all;
    and XOR with 1 appended.
    """
    plane = list(product((-1, 0, 1), repeat=2))
    for n, k in ((2, 1), (3, 1), (3, 2)):
        for points in combinations(plane, n):
            for good in combinations(points, k):
                bad = [x for x in points if x not in good]
                assert perceptron(good, bad).stopped == separable_on_small_grid(good, bad)
    assert not perceptron([(0, 1, 1), (1, 0, 1)], [(0, 0, 1), (1, 1, 1)]).stopped


def test_004_15_it_terminates_on_separable_data():
    assert all(run.stopped and is_right(run.a, good, bad) for good, bad, _, run in RUNS)
    assert (
        separate([[2], [1]], [1, -1]) and not perceptron([(2,)], [(1,)]).stopped
    )  # a threshold is not enough


def test_004_16_no_constant_saves_the_bound_with_the_smallest_distance():
    for t in range(1, 16):
        good, bad = [(t, 1)], [(1, 0)]
        ratio = Fraction(radius2(good, bad), pair_distance2(good, bad))
        k = len(perceptron(good, bad).steps)
        assert ratio == Fraction(t * t + 1, (t - 1) ** 2 + 1) <= Fraction(5, 2)
        assert k == (t + 1) ** 2 + 1  # so k/ratio grows without bound
        proof = prove_mistake_bound(run_perceptron(*datasets.two_slow_points(t)), [-1, t + 1])
        proof.check()
        assert proof.mistakes == k <= proof.bound == (t * t + 1) * ((t + 1) ** 2 + 1)


def test_004_17_the_radius_is_the_largest_norm_from_the_origin():
    for good, bad, star, _ in RUNS:
        proof = prove_mistake_bound(run_perceptron(*from_sets(good, bad)), star)
        assert 0 < proof.R2 == radius2(good, bad)
    assert (
        radius2([(1,)], [(-1,)]) == 1 and radius2([(3,)], [(1,)]) == 9
    )  # the same points, seen from −2


def test_004_18_the_smallest_distance_is_not_the_width_of_the_band():
    """One point in each class, on a line; smallest:
    largest coordinate, then |good point|, then a positive one.
    """
    found = [
        (max(abs(g), abs(h)), abs(g), -g, g, h)
        for g, h in product(range(-3, 4), repeat=2)
        if g * h < 0 and abs(g - h) != 2 * min(abs(g), abs(h))
    ]
    assert min(found)[-2:] == (1, -2)
    assert (
        math.sqrt(pair_distance2([(1,)], [(-2,)])) == 3
        and 2 * half_width([(1,)], [(-2,)], (1,)) == 2
    )
    for good, bad, _ in SAMPLES[:12]:
        X, y = from_sets(good, bad)
        band, hulls = 2 * solve_svm(X, y, bias=False).margin, 2 * solve_svm(X, y).margin
        assert band <= hulls * (1 + 1e-7) and hulls <= math.sqrt(pair_distance2(good, bad)) * (
            1 + 1e-7
        )
    good, bad = [(-1, 1), (1, 1)], [(0, -1)]
    X, y = from_sets(good, bad)
    assert pair_distance2(good, bad) == 5
    assert 2 * solve_svm(X, y).margin == pytest.approx(2) == 2 * solve_svm(X, y, bias=False).margin


def test_004_19_the_relative_margin_has_no_unit():
    for good, bad, _ in SAMPLES:
        squared = Fraction(pair_distance2(good, bad), radius2(good, bad))
        assert (
            0 < squared <= 4
            and Fraction(radius2(good, bad), pair_distance2(good, bad)) == 1 / squared
        )
        scaled = [[plus(x, x, 9) for x in points] for points in (good, bad)]
        assert Fraction(pair_distance2(*scaled), radius2(*scaled)) == squared


def test_004_20_for_free_length_any_delta_is_reached_and_for_unit_length_two_gamma():
    for good, bad, star in SAMPLES:
        delta, width = math.isqrt(pair_distance2(good, bad)) + 1, half_width(good, bad, star)
        long = tuple(Fraction(delta, 2 * width) * v for v in star)
        assert half_width(good, bad, long) >= Fraction(delta, 2)
    assert half_width([(1,)], [(-2,)], (Fraction(3, 2),)) >= Fraction(3, 2)
    for g, h, twice in product(
        range(1, 4), range(-3, 0), range(1, 8)
    ):  # on a line the unit vectors are ±1
        reached = any(half_width([(g,)], [(h,)], (a,)) >= Fraction(twice, 2) for a in (1, -1))
        assert reached == (twice <= 2 * min(g, -h))
    assert not any(half_width([(1,)], [(-2,)], (a,)) >= Fraction(3, 2) for a in (1, -1))


def test_004_21_the_length_of_a_star_cannot_be_assumed():
    """Order as in 004-18."""
    failures = [
        (max(abs(g), abs(h)), abs(g), -g, g, h)
        for g, h in product(range(-3, 4), repeat=2)
        if g * h < 0
        and not any(2 * half_width([(g,)], [(h,)], (a,)) >= abs(g - h) for a in (1, -1))
    ]
    assert min(failures)[-2:] == (1, -2)
    for q in product(range(-2, 3), repeat=2):  # in the plane, beside the good point (1, 0)
        if any(q) and not (q[1] == 0 and q[0] > 0):
            best = solve_svm([[1, 0], q], [1, -1], bias=False).margin
            enough = best >= math.sqrt(pair_distance2([(1, 0)], [q])) / 2 - 1e-7
            assert enough == (norm2(q) == 1)


def test_004_22_the_update_adds_to_a_and_does_not_replace_it():
    steps = perceptron([(1, 0), (0, 1)], []).steps
    assert steps[0][3] == steps[0][2] and steps[1][3] == (1, 1) != steps[1][2]
    for sign in (1, -1):
        for _, _, star, before, x, after in steps_on(sign):
            assert after == plus(before, x, sign)
            assert dot(after, star) - dot(before, star) == sign * dot(x, star)


def test_004_23_a_good_update_gains_half_delta():
    for good, bad, star, before, _, after in steps_on(1):
        assert dot(after, star) - dot(before, star) >= half_width(good, bad, star) > 0


def test_004_24_the_square_of_the_norm_is_assigned_and_not_equal():
    for _, _, _, run in RUNS:
        _, before, x, after = run.steps[0]
        assert norm2(before) == 0 != norm2(after)
        for sign, before, x, after in run.steps:
            assert norm2(after) == norm2(before) + sign * 2 * dot(x, before) + norm2(x)


def test_004_25_a_good_update_adds_at_most_the_square_of_the_radius():
    for good, bad, _, before, x, after in steps_on(1):
        growth = norm2(after) - norm2(before)
        assert dot(x, before) <= 0 and growth == 2 * dot(x, before) + norm2(x) <= radius2(good, bad)


def test_004_26_a_bad_update_gains_half_delta():
    assert steps_on(-1)
    for good, bad, star, before, x, after in steps_on(-1):
        assert (
            dot(after, star) - dot(before, star) == -dot(x, star) >= half_width(good, bad, star) > 0
        )


def test_004_27_a_bad_update_adds_at_most_the_square_of_the_radius():
    for good, bad, _, before, x, after in steps_on(-1):
        growth = norm2(after) - norm2(before)
        assert dot(x, before) >= 0 and growth == -2 * dot(x, before) + norm2(x) <= radius2(
            good, bad
        )


def test_004_28_after_k_updates_a_is_at_least_k_half_deltas_long():
    for good, bad, star, run in RUNS:
        width = half_width(
            good, bad, star
        )  # this is ‖a*‖δ/2, so that a* need not be divided by its length
        for k, (*_, after) in enumerate(run.steps, 1):
            assert (
                norm2(after) * norm2(star) >= dot(after, star) ** 2
                and dot(after, star) >= k * width
            )


def test_004_29_after_k_updates_a_is_at_most_root_k_radii_long():
    xor = [(0, 1, 1), (1, 0, 1)], [(0, 0, 1), (1, 1, 1)]  # no separator is needed
    for good, bad, run in [(good, bad, run) for good, bad, _, run in RUNS] + [
        (*xor, perceptron(*xor))
    ]:
        assert all(
            norm2(after) <= k * radius2(good, bad) for k, (*_, after) in enumerate(run.steps, 1)
        )


def test_004_30_the_two_inequalities_leave_room_for_four_r2_over_delta2():
    for k, R2, delta2 in product(range(1, 30), range(1, 8), range(1, 8)):
        leaves_room = k**2 * Fraction(delta2, 4) <= k * R2  # kδ/2 ≤ √k R, squared
        assert leaves_room == (k <= Fraction(4 * R2, delta2))


def test_004_31_more_updates_than_four_r2_over_delta2():
    """Coordinates −1, 0, 1; smallest: fewest points, least sum of |coordinates|,
    fewest updates, then last.
    """
    plane = [x for x in product((-1, 0, 1), repeat=2) if any(x)]
    excess = {}
    for n, k in ((2, 1), (3, 1), (3, 2)):
        for points in permutations(plane, n):
            good, bad = points[:k], points[k:]
            if separable_on_small_grid(good, bad):
                updates = len(perceptron(good, bad).steps)
                allowed = Fraction(4 * radius2(good, bad), pair_distance2(good, bad))
                if updates > allowed:
                    excess[good, bad] = updates, allowed
    first = max(
        excess,
        key=lambda sets: (
            -len(sets[0] + sets[1]),
            -np.abs(sets[0] + sets[1]).sum(),
            -excess[sets][0],
            sets,
        ),
    )
    assert first == (((1, 0), (0, 1)), ((-1, -1),)) and excess[first] == (2, Fraction(8, 5))
    worst = max(updates - allowed for updates, allowed in excess.values())
    assert excess[((1, 1), (0, -1)), ((-1, 1),)] == (5, 2) and worst == 5 - 2

    def exceeds(p, q):
        if p[0] * q[1] == p[1] * q[0] and dot(p, q) >= 0:
            return False  # one zero, or both on a ray: not separable
        return len(perceptron([p], [q]).steps) * pair_distance2([p], [q]) > 4 * radius2([p], [q])

    assert not any(exceeds(p, q) for p, q in product(product(range(-2, 3), repeat=2), repeat=2))
    assert exceeds((3, 1), (1, 0)) and len(perceptron([(3, 1)], [(1, 0)]).steps) == 17
    assert 4 * radius2([(3, 1)], [(1, 0)]) == 8 * pair_distance2([(3, 1)], [(1, 0)])
    for (
        good,
        bad,
        star,
        run,
    ) in RUNS:  # with the width of a band around a hyperplane through the origin it is right
        assert len(run.steps) <= Fraction(
            radius2(good, bad) * norm2(star), half_width(good, bad, star) ** 2
        )


def test_004_33_the_machine_is_not_optimal_in_errors():
    X, y = np.array([[0], [1], [2], [3]]), np.array([1, -1, 1, -1])
    with pytest.raises(NotSeparableError):
        solve_svm(X, y)
    svm = solve_svm(X, y, C=1)
    svm.check()
    assert svm.w == pytest.approx([-2 / 3]) and svm.b == pytest.approx(-1)
    assert (svm.predict(X) != y).sum() == 2 and best_halfspace(X, y).errors == 1


def test_004_34_the_machine_finds_the_widest_street():
    """Against 3600 directions in the plane, in each of which the widest street is known."""
    angles = np.arange(3600) * np.pi / 1800
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    cases = [([(-1, 1), (1, 1)], [(0, -1)])] + [(g, b) for g, b, _ in SAMPLES if len(g[0]) == 2]
    for good, bad in cases:
        widths = (directions @ np.array(good).T).min(axis=1) - (directions @ np.array(bad).T).max(
            axis=1
        )
        width = 2 * solve_svm(*from_sets(good, bad)).margin
        assert widths.max() <= width * (1 + 1e-7) and width <= widths.max() + 1e-2
    assert (
        2 * solve_svm(*from_sets(*cases[0])).margin == pytest.approx(2)
        and pair_distance2(*cases[0]) == 5
    )


# Section 2


@settings(max_examples=50)
@given(st.dictionaries(st.tuples(*[st.integers(-3, 3)] * 2), st.booleans(), min_size=1, max_size=9))
def test_004_35_several_halfspaces_label_distinct_points_at_will(kinds):
    direction = (7, 1)  # different scores for all points with coordinates −3 … 3
    in_order = sorted(kinds, key=lambda x: dot(x, direction))
    slabs = [[dot(x, direction) for x in run] for kind, run in groupby(in_order, kinds.get) if kind]
    pieces = [(Halfspace(direction, s[0]), Halfspace((-7, -1), -s[-1])) for s in slabs]
    for x, kind in kinds.items():
        assert any(low(x) == high(x) == 1 for low, high in pieces) == kind


def test_004_36_xor_is_the_smallest_boolean_case_and_not_the_smallest_case():
    hard = [y for y in product((1, -1), repeat=4) if not separate(cube(2), y)]
    assert hard == [(1, -1, -1, 1), (-1, 1, 1, -1)]
    assert all(separate(cube(1), y) for y in product((1, -1), repeat=2))
    assert not separate([[0], [1], [2]], [1, -1, 1])
    assert all(separate(X, y) for X in ([[0]], [[0], [1]]) for y in product((1, -1), repeat=len(X)))


def test_004_37_an_embedding_need_not_be_injective_nor_raise_the_dimension():
    x, y = np.array([[-2], [0], [1], [2]]), [1, -1, -1, 1]
    assert not separate(x, y) and separate(x**2, y)


def test_004_38_the_plane_at_height_r2_is_for_a_circle_around_the_origin():
    grid = list(product(range(-3, 4), repeat=2))

    def height(x, m):  # of φ(x) over the plane x₃ − 2⟨m,x⟩ = R² − ‖m‖², without R²
        return dot((*x, norm2(x)), (-2 * m[0], -2 * m[1], 1)) + norm2(m)

    for m, R2 in product(product(range(-1, 3), repeat=2), (1, 2, Fraction(5, 2), 4)):
        for x in grid:
            distance2 = norm2(plus(x, m, -1))
            assert (height(x, m) < R2, height(x, m) == R2) == (distance2 < R2, distance2 == R2)
    assert all(
        height(x, (0, 0)) == (*x, norm2(x))[2] for x in grid
    )  # around the origin it is the printed plane
    assert (
        norm2(plus((2, 0), (2, 0), -1)) < 1 < norm2((2, 0))
    )  # centre (2,0), R = 1: inside, and above the plane


def test_004_39_the_plane_does_not_pass_through_the_origin():
    def lift(x):
        return (*x, norm2(x))

    assert not perceptron([lift((0, 0))], [lift((2, 0))]).stopped
    good, bad = [(1, 0), (-1, 0)], [(0, 2), (0, -2)]
    assert not perceptron([lift(x) for x in good], [lift(x) for x in bad]).stopped
    disc = [x for x in product(range(-2, 3), repeat=2) if norm2(x) < 3]
    ring = [x for x in product(range(-2, 3), repeat=2) if norm2(x) > 3]
    assert separate(*from_sets([lift(x) for x in disc], [lift(x) for x in ring]))
    for inside, outside in (([(0, 0)], [(2, 0)]), (good, bad), (disc, ring)):
        assert perceptron([(1, *lift(x)) for x in inside], [(1, *lift(x)) for x in outside]).stopped


def test_004_40_the_radius_of_the_circle_is_not_the_largest_norm():
    X, y = datasets.circles(40, np.random.default_rng(4), radius=1.0)
    norms = np.linalg.norm(X, axis=1)
    assert norms[y > 0].max() < 1 < norms[y < 0].min() and norms.max() > 1.1


def test_004_41_powers_carry_their_threshold_with_them():
    x = np.array([[-2], [0], [1], [3]])
    for d in range(4):
        lifted = geometric(d).features(x)
        assert lifted.tolist() == [list(powers(v, d)) for v in x[:, 0].tolist()]
        a = np.arange(2, d + 3)
        assert (lifted @ a).tolist() == np.polyval(a[::-1], x[:, 0]).tolist()
    lifted = geometric(2).features(x)
    for y in [
        (1, *rest) for rest in product((1, -1), repeat=3)
    ]:  # the constant coordinate is the threshold
        assert bool(separate(lifted, y, bias=False)) == bool(separate(lifted[:, 1:], y))


def test_004_42_the_sign_of_the_polynomial_classifies_and_not_its_roots():
    def value(x):
        return dot((-1, 0, 1), powers(x, 2))  # x² − 1

    assert (
        all(value(x) > 0 for x in (-2, 2))
        and value(0) < 0
        and not any(value(x) == 0 for x in (-2, 0, 2))
    )
    for d in (1, 2, 3):
        for a in product((-1, 0, 1), repeat=d + 1):
            if any(a):
                assert sum(dot(a, powers(x, d)) == 0 for x in range(-5, 6)) <= d


def test_004_43_polynomials_of_degree_d_make_d_changes_of_sign():
    x = np.array([[-2], [-1], [1], [4]])
    for d in range(4):
        lifted = geometric(d).features(x)
        for rest in product((1, -1), repeat=3):
            y = (1, *rest)
            changes = sum(p != q for p, q in zip(y, y[1:]))
            assert bool(separate(lifted, y, bias=False)) == (changes <= d)


def test_004_44_the_two_lists_of_ten_monomials_are_complete():
    two = [(0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (1, 1), (3, 0), (0, 3), (2, 1), (1, 2)]
    three = [
        (0, 0, 0),
        (1, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
        (2, 0, 0),
        (0, 2, 0),
        (0, 0, 2),
        (1, 1, 0),
        (1, 0, 1),
        (0, 1, 1),
    ]
    assert len(two) == len(three) == 10
    assert sorted(two) == sorted(monomials(2, 3)) and sorted(three) == sorted(monomials(3, 2))


def test_004_45_the_terms_of_degree_d_in_the_product():
    for n, d in product(range(1, 5), range(4)):
        terms = {(): 1}  # exponents of the expanded product, with their coefficients
        for _ in range(n):
            expanded = {}
            for exponents, coefficient in terms.items():
                for e in range(d + 1):
                    expanded[*exponents, e] = expanded.get((*exponents, e), 0) + coefficient
            terms = expanded
        low = [e for e in terms if sum(e) <= d]
        assert sorted(low) == sorted(monomials(n, d)) and set(terms.values()) == {1}
        assert len(terms) == (d + 1) ** n and (len(terms) > len(low)) == (n > 1 and d > 0)


def test_004_46_the_number_is_a_binomial_coefficient():
    for n, d in product(range(1, 6), range(6)):
        assert len(monomials(n, d)) == math.comb(n + d, d)
    assert math.comb(3, 2 + 3) == 0  # the coefficient with its two places exchanged


def test_004_47_it_counts_monic_monomials():
    for n, d in product(range(1, 5), range(5)):
        words = [w for k in range(d + 1) for w in combinations_with_replacement(range(n), k)]
        assert {tuple(w.count(i) for i in range(n)) for w in words} == set(monomials(n, d))
        assert len(words) == len(monomials(n, d))


def test_004_48_points_in_two_lists_become_points_with_labels():
    good, bad = [(1, 2), (3, 4)], [(5, 6), (7, 8), (9, 0)]
    X, y = from_sets(good, bad)
    assert [tuple(x) for x in X.tolist()] == good + bad and y.tolist() == [1, 1, -1, -1, -1]


def test_004_49_strict_tests_never_begin():
    run = perceptron([(1,)], [], strict=True)
    assert (run.a, run.sweeps, run.stopped) == ((0,), 1, True) and not is_right(run.a, [(1,)], [])
    for good, bad, _ in SAMPLES:
        assert not any(perceptron(good, bad, strict=True).a)
    for good, bad, _ in (sample for sample in SAMPLES if len(sample[2]) == 1):
        images = [[powers(x, 2) for (x,) in points] for points in (good, bad)]
        mended, (X, y) = perceptron(*images), from_sets(good, bad)
        assert is_right(mended.a, *images) and not perceptron(*images, strict=True).steps
        assert tuple(run_perceptron(geometric(2).features(X), y).w) == mended.a


def test_004_50_it_terminates_when_separable_through_the_origin():
    assert perceptron([(0, 1), (1, 0)], [(0, 0), (1, 1)], strict=True).stopped and not separate(
        *datasets.xor()
    )
    assert separate([[2], [1]], [1, -1]) and not perceptron([(2,)], [(1,)]).stopped
    for d, rest in product(range(3), product((1, -1), repeat=2)):  # powers of −1, 0, 1: see 004-43
        y = (1, *rest)
        good, bad = (
            [powers(x, d) for x, label in zip((-1, 0, 1), y) if label == k] for k in (1, -1)
        )
        changes = sum(p != q for p, q in zip(y, y[1:]))
        assert perceptron(good, bad).stopped == (changes <= d)


def test_004_51_a_test_costs_as_many_multiplications_as_there_are_features():
    for d in (1, 3, 6):
        N = geometric(d).features([[2]]).shape[1]
        assert (
            multiplications(lambda *v: [p * q for p, q in zip(v, v)], *powers(2, d)) == N == d + 1
        )
    N = math.comb(784 + 5, 5)
    assert 2.4e12 < N < 2.6e12


def test_004_52_the_kernel_pays_only_if_few_points_are_kept():
    def square_kernel(p, q, r, s):
        inner = Counted(1) + p * r + q * s
        return inner * inner

    each, features = multiplications(square_kernel, 1, 2, 3, 4), len(monomials(2, 2))
    assert (each, features) == (3, 6)
    assert 2 * each <= features < 3 * each  # with three points kept the six features are cheaper
    assert 1000 * (784 + 5) < math.comb(784 + 5, 5)  # and with many features the kernel is, by far


def test_004_53_there_are_more_inner_products_than_updates():
    for good, bad, _, run in RUNS:
        assert run.tests == run.sweeps * (len(good) + len(bad)) > len(run.steps)


def test_004_54_the_vector_is_an_integer_combination_of_the_points():
    for good, bad, _, run in RUNS:
        a = (0,) * len(run.a)
        for x in [*good, *bad]:
            a = plus(a, x, sum(sign for sign, _, z, _ in run.steps if z == x))
        assert a == run.a
    elsewhere = run_perceptron([[1]], [1], start=[Fraction(-1, 2)])
    assert elsewhere.w.tolist() == [Fraction(1, 2)]  # from another start than 0 it need not be


def test_004_55_alpha_is_the_signed_number_of_updates():
    for good, bad, _, run in RUNS[:20]:
        X, y = from_sets(good, bad)
        kernel = run_kernel_perceptron(X, y, linear)
        alpha = [
            label * sum(z == tuple(x) for _, _, z, _ in run.steps)
            for x, label in zip(X.tolist(), y.tolist())
        ]
        assert alpha == (kernel.counts * y).tolist()
        assert tuple(np.array(alpha) @ X) == run.a


def test_004_56_is_bad_is_the_label_and_not_an_indicator():
    good, bad = [(1, 1)], [(1, 0)]
    times = {x: sum(z == x for _, _, z, _ in perceptron(good, bad).steps) for x in good + bad}

    def combine(is_bad):
        a = (0, 0)
        for x in good + bad:
            a = plus(a, x, is_bad(x) * times[x])
        return a

    assert is_right(combine(lambda x: -1 if x in bad else 1), good, bad)
    assert not is_right(combine(lambda x: 1 if x in bad else 0), good, bad)
    assert not is_right(combine(lambda x: 1 if x in bad else -1), good, bad)


def test_004_57_scores_are_sums_of_kernel_values():
    X = np.array([[-2], [0], [1], [3]])
    K, Phi = gram(geometric(3), X), geometric(3).features(X)
    for alpha in product((-2, 0, 1), repeat=4):
        assert (Phi @ (alpha @ Phi)).tolist() == [
            sum(alpha[j] * K[j, i] for j in range(4)) for i in range(4)
        ]


def test_004_58_a_power_is_not_free_of_the_degree():
    def power(x, m):
        """Return x^m by repeated squaring."""
        if m == 1:
            return x
        half = power(x, m // 2)
        return half * half * x if m % 2 else half * half

    assert [multiplications(lambda x: power(x, m), 1) for m in (2, 4, 8, 16)] == [1, 2, 3, 4]
    for m in range(2, 200):
        assert math.log2(m) <= multiplications(lambda x: power(x, m), 1) <= 2 * math.log2(m)
    reached = {1}
    for k in range(
        1, 5
    ):  # whatever is multiplied with what, k multiplications reach no exponent above 2^k
        reached |= {p + q for p in reached for q in reached}
        assert max(reached) == 2**k


def test_004_59_the_inner_product_of_powers():
    for x, y, d in product(range(-3, 4), range(-3, 4), range(5)):
        assert dot(powers(x, d), powers(y, d)) == sum((x * y) ** k for k in range(d + 1))
        assert geometric(d)([[x]], [[y]]) == dot(powers(x, d), powers(y, d))


def test_004_60_the_quotient_is_zero_by_zero_where_xy_is_one():
    values = [Fraction(p, q) for p in range(-3, 4) for q in (1, 2, 3)]
    for x, y, d in product(values, values, (0, 1, 4)):
        total = dot(powers(x, d), powers(y, d))
        if x * y == 1:
            assert (
                1 - (x * y) ** (d + 1) == 0 and total == d + 1 == geometric(d)([[x]], [[y]])[0, 0]
            )
            with pytest.raises(ZeroDivisionError):
                (1 - (x * y) ** (d + 1)) / (1 - x * y)
        else:
            assert total == (1 - (x * y) ** (d + 1)) / (1 - x * y)
    s = 1 - 1e-8
    exact = float(sum(Fraction(s) ** k for k in range(10)))
    assert (
        abs((1 - s**10) / (1 - s) / exact - 1)
        > 1e-10
        > 1e-15
        > abs(geometric(9)([[s]], [[1.0]])[0, 0] / exact - 1)
    )


def test_004_61_an_inner_product_of_features_has_a_gram_matrix_without_negative_squares():
    X = np.array([[-2], [0], [1], [3]])
    for d in range(4):
        K = gram(geometric(d), X)
        assert (K == K.T).all() and check_kernel(K)
        assert all(np.array(c) @ K @ c >= 0 for c in product((-2, -1, 0, 1), repeat=4))
    assert not check_kernel(
        [[1, 2], [2, 2]]
    )  # max(x, y) on 1, 2: not every function of two points will do


def test_004_62_the_output_says_that_a_separates():
    def kernel(x, z):
        return dot(powers(x[0], 2), powers(z[0], 2))

    good, bad = [(-1,), (2,)], [(0,)]
    images = [[powers(x, 2) for (x,) in points] for points in (good, bad)]
    met = 0
    for alpha in product(range(-3, 4), repeat=3):
        a = (0, 0, 0)
        for c, x in zip(alpha, [*images[0], *images[1]]):
            a = plus(a, x, c)
        met += meets_kernel_output(alpha, good, bad, kernel)
        assert meets_kernel_output(alpha, good, bad, kernel) == is_right(a, *images)
    assert met
    for good, bad, _ in SAMPLES:
        alpha, _, stopped = kernel_loop(good, bad, dot)
        assert stopped and meets_kernel_output(alpha, good, bad, dot)


def test_004_63_alpha_has_an_entry_for_each_point():
    good, bad = [(1,)], [(-1,)]
    N, points = len(good[0]), len(good) + len(bad)
    assert N == 1 and points == 2
    with pytest.raises(IndexError):
        kernel_loop(good, bad, dot, length=N)
    alpha, _, stopped = kernel_loop(good, bad, dot, length=points)
    assert stopped and alpha == [1, 0] and meets_kernel_output(alpha, good, bad, dot)


def test_004_64_the_printed_sum_looks_at_one_alpha_only():
    """One point, or one of each class; smallest:
    dimension, points, largest coordinate, last in lexicographic order.
    """
    never, wrong = [], []
    for d, size in ((1, 1), (1, 2), (1, 3), (2, 1)):
        grid = list(product(range(-size, size + 1), repeat=d))
        for g in grid:
            if any(g):
                alpha, _, stopped = kernel_loop([g], [], dot, "printed")
                assert stopped and meets_kernel_output(alpha, [g], [], dot)
        pairs = [(g, b) for g, b in product(grid, repeat=2) if max(map(abs, g + b)) == size]
        for g, b in sorted(pairs, reverse=True):
            if perceptron([g], [b]).stopped:
                alpha, _, stopped = kernel_loop([g], [b], dot, "printed")
                if not stopped:
                    never.append((g, b))
                elif not meets_kernel_output(alpha, [g], [b], dot):
                    wrong.append((g, b, alpha))
    assert never[0] == ((1,), (-1,)) and kernel_loop([(1,)], [(-1,)], dot)[1] == [0]
    assert wrong[0] == ((1, 1), (1, 0), [1, -1])
    assert kernel_loop([(1,)], [(2,)], dot, "printed")[2] and not perceptron([(1,)], [(2,)]).stopped
    for (
        good,
        bad,
        _,
    ) in SAMPLES:  # a point is updated once if its row sum is positive, and for ever if not
        X = [*good, *bad]
        row_sums = [sum(dot(x, z) for z in X) for x in X]
        _, order, stopped = kernel_loop(good, bad, dot, "printed")
        assert stopped == all(s > 0 for s in row_sums)
        assert all(
            order.count(j) == (1 if s > 0 else 2) for j, s in enumerate(row_sums)
        )  # in two sweeps


def test_004_65_with_ties_and_the_right_sum_it_is_the_perceptron_on_the_images():
    for good, bad, _, run in RUNS:
        X, y = from_sets(good, bad)
        alpha, order, stopped = kernel_loop(good, bad, dot)
        explicit, ours = run_perceptron(X, y), run_kernel_perceptron(X, y)
        assert stopped and order == explicit.mistakes.tolist() == ours.mistakes.tolist()
        assert len(order) == len(run.steps) and tuple(np.array(alpha) @ X) == run.a
    for y in product((1, -1), repeat=3):
        if abs(sum(y)) < 3:
            good, bad = ([(x,) for x, label in zip((-1, 0, 1), y) if label == k] for k in (1, -1))
            X, labels = from_sets(good, bad)
            _, order, _ = kernel_loop(good, bad, lambda x, z: dot(powers(x[0], 2), powers(z[0], 2)))
            assert order == run_perceptron(geometric(2).features(X), labels).mistakes.tolist()
