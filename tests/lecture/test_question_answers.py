"""The questions of the notebooks, computed: the marked choice is true, and the others are false.

Each function below computes one question's answer and says of its choices, named by words from
their text, whether they are true. So a choice that is moved, or reworded into another claim, no
longer fits what is computed.
"""

import math
import operator
import re
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from coursekit.contents import NOTEBOOKS, number_of
from coursekit.lecture.deck import questions
from halfspaces import (
    Conjunction,
    DecisionList,
    Disjunction,
    Halfspace,
    best_halfspace,
    cube,
    datasets,
    descend,
    gram,
    hinge,
    hinge_at_zero,
    homogenise,
    linear,
    polynomial,
    prove_mistake_bound,
    rbf,
    run_kernel_perceptron,
    run_perceptron,
    run_rescaled_perceptron,
    separate,
    shatters,
    solve_svm,
    zero_one,
)
from notebook_rules import Book, question_ids
from scipy.optimize import linprog

BOOKS = {number_of(path): Book(path) for path in sorted(NOTEBOOKS.glob("*.ipynb"))}
IDS = [i for book in BOOKS.values() for i in question_ids(book)]
QUESTIONS = {
    question.id: question
    for book in BOOKS.values()
    for cell in book.code
    for question in questions(cell)
}
COMPUTED = {}  # by id: the function that answers
GIVEN = {}  # by id: the words of the question that it relies on
NOT_COMPUTED: dict[str, str] = {}  # by id: why no computation can answer it
FEWEST_QUESTIONS = 25

FIBONACCI = [0, 1]
for _ in range(40):
    FIBONACCI.append(FIBONACCI[-1] + FIBONACCI[-2])


def answers(question, *given):
    """Register the function that answers a question, which takes what is given for granted."""

    def register(function):
        assert question not in COMPUTED, f"{question} is answered twice"
        COMPUTED[question], GIVEN[question] = function, given
        return function

    return register


def letter_of(question, words):
    """Return the letter of the only choice with these words."""
    letters = [letter for letter in question.letters if words in question.choice(letter)]
    assert len(letters) == 1, (
        f"{words!r} stands in the choices {letters} of {question.id}, and should in one"
    )
    return letters[0]


# What the answers share


def has_rule(X, y, strict=False, threshold=True):
    """Tell by a linear program whether a rule ⟨w,x⟩ ≥ b (or > b) gives these labels."""
    X, y = np.asarray(X, float), np.asarray(y)
    Z = y[:, None] * (np.column_stack([X, -np.ones(len(X))]) if threshold else X)
    least = (
        y > 0
    ) == strict  # scores may touch 0 on one side; on the other they can be scaled to 1 or more
    return (
        linprog(
            np.zeros(Z.shape[1]), A_ub=-Z, b_ub=-least.astype(float), bounds=(None, None)
        ).status
        == 0
    )


def labellings(n):
    """Return all lists of n labels."""
    return list(product((1, -1), repeat=n))


def price(X, y, bias=False):
    """Return the squared length of the shortest v with y⟨v,x⟩ ≥ 1, a threshold not counted."""
    svm = solve_svm(X, y, bias=bias)
    svm.check()
    return svm.squares[0]


def random_separable(seed, n=12, d=3, margin=0.1):
    """Return unit vectors that a w through the origin separates with the margin."""
    return datasets.separable(n, d, margin, np.random.default_rng(seed))


# 0 and 1: rules


@answers("00-fifth", "four animals", "*nothing* is known")
def fifth_animal():
    X, y = datasets.animals()
    rule = separate(X, y)
    assert (rule.predict(X) == y).all()
    # A world is the four known animals and a fifth, of any features and either label: all fit.
    fifths = np.vstack(
        [X, np.random.default_rng(0).integers(X.min(), X.max(), (100, X.shape[1]), endpoint=True)]
    )
    right = [rule.predict(fifths) == label for label in (1, -1)]
    like_a_known_one = [is_right[: len(X)] for is_right in right]
    return {
        "at least 4/5": np.mean(right) >= 4 / 5,
        "if the rule is simple enough": np.all(right),  # a halfspace is
        "it may be right or wrong": np.any(right, axis=0).all() and not np.all(right, axis=0).any(),
        "only if the fifth resembles none": np.all(like_a_known_one),
    }


@answers("01-memory", "1000 points, half of them", "1000 independent draws", "says $-1$ wherever")
def memory():
    n = 1000
    unseen = (1 - 1 / n) ** n
    share = unseen / 2
    assert abs(unseen - 0.37) < 0.005
    draws = np.random.default_rng(0).integers(0, n, (200, n))
    seen = np.array([np.bincount(row, minlength=n) > 0 for row in draws])
    assert abs((~seen[:, n // 2 :]).sum(axis=1).mean() / n - share) < 0.005
    return {
        "On none": share == 0,
        "On 18 %": abs(share - 0.18) < 0.005,
        "On 37 %": abs(share - 0.37) < 0.005,
        "On 50 %": abs(share - 0.5) < 0.005,
    }


@answers("01-scale", "$b>0$", "$(2w,b)$")
def doubled_weights():
    rules = [((3, 4), 5), ((0, 2), 7), ((-5, 12), 1), ((3,), 2)]
    points = list(product(range(-9, 10), repeat=2))

    def distance(w, b):
        return Fraction(b) / math.isqrt(sum(v * v for v in w))

    twice = [(tuple(2 * v for v in w), b) for w, b in rules]
    ratios = {distance(*new) / distance(*old) for new, old in zip(twice, rules)}
    changed = any(
        (Halfspace(*new)(points) != Halfspace(*old)(points)).any()
        for new, old in zip(twice[:-1], rules[:-1])
    )
    return {
        "Nothing": not changed,
        "to half the distance": ratios == {Fraction(1, 2)},
        "to twice the distance": ratios == {2},
        "stays where it is": ratios == {1},
    }


@answers("01-tie", "free to choose $w$ and $b$", "finite sample")
def ties():
    line, plane = [[-1], [0], [1], [1]], list(product(range(3), range(2)))
    differ = {
        d: any(has_rule(X, y) and not has_rule(X, y, strict=True) for y in labellings(len(X)))
        for d, X in enumerate((line, plane), 1)
    }
    on_the_boundary = [[-1], [0], [1]], [-1, 1, 1]  # 0 is on the boundary of x ≥ 0
    return {
        "any sample with a positive point exactly": not has_rule(*on_the_boundary, strict=True),
        "only in dimension 2 or more": differ[2] and not differ[1],
        "both kinds of rule produce the same": not any(differ.values()),
        "define the same set of points": all((x >= 0) == (x > 0) for x in range(-3, 4)),
    }


@answers("01-constant", "Instead of $-1$ we append $-10$", "no threshold")
def larger_constant():
    X = list(product(range(3), range(2)))

    def found(constant):
        return {
            y for y in labellings(len(X)) if has_rule(homogenise(X, constant), y, threshold=False)
        }

    before, after = found(-1), found(-10)
    at_three = has_rule(
        homogenise([[2], [3]], -10), [-1, 1], threshold=False
    )  # x ≥ b with 2 < b ≤ 3
    return {
        "More than before": after > before,
        "Fewer": after < before,
        "The same rules.": after == before,
        "a multiple of 10 away from the origin": not at_three,
    }


@answers("01-worst", "margin of $(w,b)$ is $-3$")
def worst_point():
    samples = [  # on the line, w = 1, b = 0: each has margin −3
        ([-3, 1, 2], [1, 1, 1]),
        ([-3, -1, 5], [1, 1, 1]),
        ([-3, -2, -1], [1, 1, 1]),
        ([3, 9], [-1, 1]),
    ]
    signed = [np.array(y) * np.array(X) for X, y in samples]
    rule = Halfspace([1])
    margins = [rule.margin(np.array(X)[:, None], y) for X, y in samples]
    assert set(margins) == {-3}
    return {
        "Three points are on the wrong side": all((z < 0).sum() == 3 for z in signed),
        "All points are on the wrong side": all((z <= -3).all() for z in signed),
        "No point is nearer": all((abs(z) >= 3).all() for z in signed),
        "worst off is on the wrong side": all(z.min() == -3 for z in signed),
    }


# 2: formulas


@answers("02-threshold", r"$x_1\vee\neg x_2\vee\neg x_3$", "$x_1-x_2-x_3")
def threshold():
    corners = list(product((0, 1), repeat=3))
    return {
        f"$b={b}$": all((x - y - z >= b) == bool(x or not y or not z) for x, y, z in corners)
        for b in (1, 0, -1, -2)
    }


@answers(
    "02-base",
    "40 rules, each rule on a variable of its own",
    "base $1.7$",
    r"$1,0,1,0,\dots$",
    r"$1,0,0,0,\dots,0$, default 1",
)
def base():
    def is_right(outputs, base=Fraction(17, 10)):
        """Let each rule in turn be the first that holds, and all later ones be against it."""
        *rules, default = outputs
        votes = [base**j for j in range(len(rules), 0, -1)]
        against = [
            sum(vote for vote, other in zip(votes[i:], rules[i:]) if other != output)
            for i, output in enumerate(rules)
        ]
        sums = [
            vote - lost + (1 if default == output else -1)
            for vote, lost, output in zip(votes, against, rules)
        ]
        return all(total > 0 or total == 0 and output for total, output in zip(sums, rules))

    def is_right_by_brute_force(outputs, base):
        formula = DecisionList(list(enumerate(outputs[:-1], 1)), outputs[-1], len(outputs) - 1)
        return (formula(cube(formula.d)) == formula.halfspace(base)(cube(formula.d))).all()

    def alternating(k):
        return [i % 2 == 0 for i in range(k + 1)]

    def one_against_all(k):
        return [True] + [False] * (k - 1) + [True]

    for outputs in (alternating(7), one_against_all(3), one_against_all(7)):
        for small in (Fraction(3, 2), Fraction(17, 10), Fraction(2)):
            assert is_right(outputs, small) == is_right_by_brute_force(outputs, small)
    first, second = is_right(alternating(40)), is_right(one_against_all(40))
    return {
        "Both.": first and second,
        "Only (i).": first and not second,
        "Only (ii).": second and not first,
        "Neither.": not first and not second,
    }


@answers("02-monotone", "turning a 0 into a 1 never turns it from true to false")
def monotone():
    def monotone_functions(d):
        X = cube(d)
        below = [(i, j) for i, j in product(range(len(X)), repeat=2) if (X[i] <= X[j]).all()]
        return {y for y in labellings(len(X)) if all(y[i] <= y[j] for i, j in below)}

    halfspaces = {d: {y for y in monotone_functions(d) if has_rule(cube(d), y)} for d in (1, 2, 3)}
    up_to_three = all(halfspaces[d] == monotone_functions(d) for d in halfspaces)
    assert len(halfspaces[3]) == 20
    couples = [1 if a and b or c and d else -1 for a, b, c, d in cube(4)]
    four = has_rule(cube(4), couples)
    plain = {
        tuple(kind(literals, 3)(cube(3)).tolist())
        for kind in (Conjunction, Disjunction)
        for size in range(4)
        for literals in combinations((1, 2, 3), size)
    }
    return {
        "take all weights positive": up_to_three and four,
        "up to three variables, no from four on": up_to_three and not four,
        "two variables are enough": halfspaces[2] != monotone_functions(2),
        "only conjunctions and disjunctions": halfspaces[3] == plain,
    }


@answers("02-votes", "if $x_1$ then 1", r"else if $\neg x_2$ then 0, else 1", "votes $4,2,1$")
def votes():
    said = DecisionList([(1, True), (-2, False)], default=True, d=2)
    assert repr(said.halfspace()) == "Halfspace(w=[4, 2], b=1)"
    ways = {
        r"$4x_1-2x_2\ge1$": ((4, -2), 1),
        r"$4x_1-2x_2\ge-1$": ((4, -2), -1),
        r"$4x_1+2x_2\ge1$": ((4, 2), 1),
        r"$4x_1+2x_2\ge3$": ((4, 2), 3),
    }
    return {
        words: (Halfspace(*pair)(cube(2)) == said(cube(2))).all() for words, pair in ways.items()
    }


@answers("02-huge", "whole-number weights up to 1000", "none computes XOR")
def huge_weights():
    X, y = cube(2), [-1, 1, 1, -1]
    impossible = not has_rule(X, y) and not has_rule(X, y, strict=True)  # for real weights
    return {
        "Go on": not impossible,
        "Try fractions": not impossible,
        "Append $-1$": has_rule(homogenise(X), y, threshold=False),
        "Stop": impossible,
    }


# 2b: counting


@answers("02b-regions", "Four planes through the origin", "no three of which share a line")
def regions():
    normals = homogenise(cube(2))  # any three of them are linearly independent
    for three in combinations(normals, 3):
        assert round(abs(np.linalg.det(three))) > 0
    sides = sum(has_rule(normals, y, threshold=False) for y in labellings(4))
    return {str(number): sides == number for number in (8, 14, 15, 16)}


@answers("02b-complement", "With whole numbers", r"\langle w,x\rangle\ge b$", "always")
def complement():
    rules = [((2, -1, 1), 1), ((1, 1, 1), 2), ((1, 0, -1), 0), ((1, 1, 1), 0)]

    def negates(turn, threshold):
        return all(
            (
                Halfspace([turn * v for v in w], threshold(b))(cube(3)) == -Halfspace(w, b)(cube(3))
            ).all()
            for w, b in rules
        )

    return {
        r"$\langle-w,x\rangle\ge-b$": negates(-1, lambda b: -b),
        r"$\langle-w,x\rangle\ge b$": negates(-1, lambda b: b),
        r"$\langle w,x\rangle\ge1-b$": negates(1, lambda b: 1 - b),
        r"$\langle-w,x\rangle\ge1-b$": negates(-1, lambda b: 1 - b),
    }


@answers("02b-bits", r"$\{0,1\}^{20}$", "$m$ bits")
def bits():
    d = 20
    least = math.log2(4 * math.prod(2**i + 1 for i in range(1, d)))
    most = math.log2(2 * sum(math.comb(2**d - 1, i) for i in range(d + 1)))
    return {
        "About 20": most <= 2 * 20,
        "Between 190 and 400": 190 <= least and most <= 400,
        "Between 1900 and 4000": 1900 <= least,
        "About a million": least >= 2**d / 2,
    }


@answers(
    "02b-changes", "50 rules", "1 twenty-five times, then 0 twenty-five times; its default is 1"
)
def changes():
    outputs = [1] * 25 + [0] * 25 + [1]
    weights = []
    for output in reversed(outputs):
        against = [w for w, other in zip(weights, reversed(outputs)) if other != output]
        weights.append(1 + sum(against))
    fibonacci_52 = 32951280099
    return {
        "26": max(weights) == 26,
        "51": max(weights) == 51,
        r"$F_{52}$": max(weights) == fibonacci_52,
        r"$2^{50}$": max(weights) == 2**50,
    }


@answers("02b-mirror", "costs 257", "costs 33")
def mirror():
    X = cube(8)
    conjunction, disjunction = (kind(range(1, 9), 8)(X) for kind in (Conjunction, Disjunction))
    prices = [price(homogenise(X), y) for y in (conjunction, disjunction)]
    not_all = -conjunction  # true at 255 corners, as the disjunction is
    without_threshold = [price(X, y, bias=True) for y in (conjunction, disjunction)]
    exact = np.allclose(prices, [257, 33], rtol=1e-7)
    return {
        "solver stopped too early": not exact,
        "more true corners make a wider margin": price(homogenise(X), not_all) < prices[0] - 1e-3,
        "threshold counts in the length": exact and math.isclose(*without_threshold, rel_tol=1e-6),
        "De Morgan's law does not hold": (disjunction != -Conjunction(range(1, 9), 8)(1 - X)).any(),
    }


# 3: separability


def is_one_point(good, bad):
    """Tell by linear programs whether two convex hulls share exactly one point."""
    good, bad = np.array(good, float), np.array(bad, float)
    same = np.vstack(
        [np.hstack([good.T, -bad.T]), np.repeat([[1, 0], [0, 1]], [len(good), len(bad)], axis=1)]
    )
    goal = np.append(np.zeros(good.shape[1]), [1, 1])
    ends = [
        linprog(np.append(sign * column, 0 * bad[:, 0]), A_eq=same, b_eq=goal)
        for column in good.T
        for sign in (1, -1)
    ]
    return all(end.status == 0 for end in ends) and all(
        math.isclose(low.fun, -high.fun, abs_tol=1e-9) for low, high in zip(ends[::2], ends[1::2])
    )


@answers("03-uncle", "weight of legs is negative", "with a threshold")
def uncle():
    X, y = datasets.animals()
    legs = np.eye(4, dtype=int)[1]

    def allowed(rows, **more):
        return has_rule([*rows, legs[: rows.shape[1]]], [*y, -1], threshold=False, **more)

    threshold = homogenise(X)
    assert has_rule(threshold, y, threshold=False)
    more_fins = threshold * [1, 1, 1000, 1]
    return {
        "leave room enough for four animals": allowed(threshold),
        "if fins count for more": allowed(more_fins),
        "No.": not allowed(threshold),
        "only without a threshold": allowed(X) and not allowed(threshold),
    }


@answers("03-line", "$x_1=1$ has label $+1$", "$x_2=2$ has label $-1$", r"(\frac23,\frac13)")
def weights_without_threshold():
    X, y, weights = np.array([[1], [2]]), np.array([1, -1]), [Fraction(2, 3), Fraction(1, 3)]
    assert (weights @ (y[:, None] * X) == 0).all()  # so they exclude a rule through the origin
    through, free = has_rule(X, y, threshold=False), has_rule(X, y)
    assert (weights @ (y[:, None] * homogenise(X)) != 0).any()
    return {
        "No halfspace separates": not free,
        "No halfspace through the origin": not through and free,
        "Nothing, since both classes": through,
    }


@answers("03-seven", r"\ge7$ instead", r"$\ge1$")
def any_positive_number_will_do():
    rng = np.random.default_rng(7)
    samples = [(rng.integers(-2, 3, (5, 2)), rng.choice([-1, 1], 5)) for _ in range(60)]

    def feasible(X, y, least):
        Z = y[:, None] * homogenise(X)
        bounds = {"A_ub": -Z, "b_ub": [-least] * len(y), "bounds": (None, None)}
        return linprog(np.zeros(3), **bounds).status == 0

    one, seven = ([feasible(X, y, least) for X, y in samples] for least in (1, 7))
    long = [bool((np.linalg.norm(X, axis=1) >= 7).all()) for X, _ in samples]
    assert len({*one}) == 2
    return {
        "fewer than before": sum(seven) < sum(one),
        "The same as before": seven == one,
        r"Those with $\|x_i\|\ge7$": seven == long,
    }


@answers("03-touch", "exactly one point", r"\ge b")
def touching_hulls():
    a_data_point = [
        ([[1], [2]], [[0], [1]]),
        ([[0, 0], [-1, 1], [1, 1]], [[-1, 0], [1, 0], [0, -1]]),
    ]
    no_data_point = [([[0, 0], [1, 1]], [[0, 1], [1, 0]])]
    edges_in_space = [
        ([[-1, 0, 0], [1, 0, 0], [0, 0, 1]], [[0, -1, 0], [0, 1, 0], [0, 0, -1]]),
        (
            [[-1, 0, 0], [1, 0, 0], [0, -1, 1], [0, 1, 1]],  # two tetrahedra
            [[0, -1, 0], [0, 1, 0], [-1, 0, -1], [1, 0, -1]],
        ),
    ]

    def some_rule(cases):
        assert all(is_one_point(*case) for case in cases)
        return any(
            has_rule([*good, *bad], [1] * len(good) + [-1] * len(bad)) for good, bad in cases
        )

    return {
        "the tangent line touches both": some_rule(a_data_point),
        "unless the shared point is itself": some_rule(no_data_point + edges_in_space),
        "No.": not some_rule(a_data_point + no_data_point + edges_in_space),
    }


@answers("03-vc", "Halfspaces in the plane, with a threshold")
def vc_dimension():
    def at_will(X):
        return all(has_rule(X, y) for y in labellings(len(X)))

    grid = list(product(range(3), repeat=2))
    triangle, row, square = (
        [(0, 0), (1, 0), (0, 1)],
        [(0, 0), (1, 1), (2, 2)],
        [(0, 0), (1, 0), (0, 1), (1, 1)],
    )
    fours = [square, [(0, 0), (3, 0), (0, 3), (1, 1)], [*row, (0, 1)]]  # the three kinds, by Radon
    no_four = not any(map(at_will, fours)) and not any(
        shatters(four) for four in combinations(grid, 4)
    )
    on_the_square = sum(has_rule(square, y) for y in labellings(4))
    assert on_the_square == 14
    settled = not all(
        has_rule(square, [1, 1, 1, label]) for label in (1, -1)
    )  # three examples, and a fourth point
    return {
        "Any three points": at_will(triangle) and at_will(row),
        "Some three points can be labelled at will, and no four": at_will(triangle) and no_four,
        "No labelling of four or more": on_the_square == 0,
        "Three training examples are enough": settled,
    }


@answers("03b-200", "100 examples with 200 real features", "training error 0")
def more_features_than_examples():
    rng = np.random.default_rng(3)
    examples, fresh = rng.normal(size=(100, 200)), rng.normal(size=(1000, 200))
    assert np.linalg.matrix_rank(homogenise(examples)) == 100  # affinely independent

    def fit(X, y):
        w = X.T @ np.linalg.solve(X @ X.T, y)
        return w, (np.sign(X @ w) == y).all()

    perfect, errors = [], []
    for labels, new_labels in rng.choice([-1, 1], size=(3, 2, 1000)):  # coin flips
        w, fits = fit(examples, labels[:100])
        perfect.append(fits)
        errors.append((np.sign(fresh @ w) != new_labels).mean())
    known, unknown = examples.copy(), fresh.copy()
    known[:, 0], unknown[:, 0] = (
        1000 * labels[:100],
        1000 * new_labels,
    )  # a feature that is the label
    w, fits = fit(known, labels[:100])
    errors.append((np.sign(unknown @ w) != new_labels).mean())
    return {
        "It is 0": max(errors) == 0,
        "It is small with high probability": max(errors) < 0.25,
        "a perfect fit for any labels": all(perfect) and fits and max(errors) - min(errors) > 0.25,
        "near one half": min(errors) > 0.25,
    }


@answers("03b-words", "Labels are fair coins", "two examples", "$[0,1]$")
def coins():
    rng = np.random.default_rng(1)
    samples = [(rng.random((2, 1)), rng.choice([-1, 1], 2)) for _ in range(20)]
    separable = [has_rule(X, y) for X, y in samples]
    rules = [Halfspace([w], b) for w in (-1, 1) for b in (-2, -0.5, 0, 0.5, 2)]
    new, coins = rng.random((4000, 1)), rng.choice([-1, 1], 4000)
    realizable = min((rule(new) != coins).mean() for rule in rules) < 0.4
    return {
        "is realizable, and the sample is separable": realizable and all(separable),
        "not realizable, and the sample may be": not realizable and any(separable),
        "so no sample is separable": not any(separable),
    }


@answers("03b-square", r"$\lvert\mathcal H\rvert^2$", r"$\delta^2$")
def squared_class():
    def needed(size, delta, eps=0.1):
        return (math.log(size) + math.log(1 / delta)) / eps

    cases = [(104, 0.05), (94572, 0.01)]
    ratios = [needed(size**2, delta**2) / needed(size, delta) for size, delta in cases]
    squares = [needed(size, delta) for size, delta in cases]
    return {
        "Twice as many": np.allclose(ratios, 2),
        "The square of the number": np.allclose(ratios, squares),
        "The same number": np.allclose(ratios, 1),
        "Four times": np.allclose(ratios, 4),
    }


@answers("03b-features", "feature of pure noise", "fewest training mistakes")
def one_more_feature():
    rng = np.random.default_rng(2)
    fewer, tests = [], []
    for _ in range(8):
        X, y = datasets.noisy(12, 2, 0.2, rng)
        new, truth = rng.normal(size=(400, 2)), rng.choice([-1, 1], 400)
        noise, fresh = rng.normal(size=(12, 1)), rng.normal(size=(400, 1))
        old = best_halfspace(X, y)
        with_noise = best_halfspace(np.hstack([X, noise]), y)
        fewer.append(with_noise.errors <= old.errors)
        tests.append(
            (with_noise.predict(np.hstack([new, fresh])) != truth).mean()
            - (old.predict(new) != truth).mean()
        )
    return {
        "The training error does not rise": all(fewer),
        "The test error does not rise": max(tests) <= 0,
        "The test error rises": min(tests) > 0,
    }


# 4 and 5: the perceptron


@answers("04-fixed", "has just made an update", r"x \neq 0")
def after_an_update():
    small = [np.array(v) for d in (1, 2) for v in product(range(-3, 4), repeat=d)]
    before_after = [
        (x @ x, y * (w @ x), y * ((w + y * x) @ x))
        for w, x in product(small, small)
        if len(w) == len(x) and x.any()
        for y in (1, -1)
        if y * (w @ x) <= 0
    ]
    still_wrong = [after <= 0 for _, _, after in before_after]
    run = run_perceptron(*datasets.two_slow_points(5))  # it happens in runs from 0, too
    assert any(z @ w <= 0 for z, w in zip(run.directions[run.mistakes], run.path()[1:]))
    return {
        "It is right: that is": not any(still_wrong),
        "is larger than before": any(still_wrong)
        and all(after > before for _, before, after in before_after),
        r"It is right if $\|x\| \ge 1$": all(
            after > 0 for square, _, after in before_after if square >= 1
        ),
        "may even have lowered": any(after < before for _, before, after in before_after),
    }


def perceptron_loop(Z, is_mistake, limit=10_000):
    """Run the loop from w = 0 with another test for a mistake; return w and the updates."""
    w, updates = 0 * Z[0], 0
    while updates < limit and (wrong := [z for z in Z if is_mistake(z @ w, 0)]):
        w, updates = w + wrong[0], updates + 1
    return w, updates


@answers("04-strict", r"y\langle w,x\rangle < 0", "start at $w = 0$", "separable")
def strict_test():
    samples = [
        datasets.two_slow_points(3),
        datasets.with_bias(datasets.any_of(3)),
        random_separable(4),
    ]
    assert all(separate(X, y, bias=False) for X, y in samples)
    usual, strict = (
        [perceptron_loop(y[:, None] * X, test) for X, y in samples]
        for test in (operator.le, operator.lt)
    )
    updates = [(few, many) for (_, few), (_, many) in zip(strict, usual)]
    return {
        r"The same as with $\le$": all(few == many for few, many in updates),
        "A few updates fewer": any(0 < few < many for few, many in updates),
        "It stops at once, with $w = 0$": all(
            updates == 0 and not w.any() for w, updates in strict
        ),
        "run for ever": any(updates == 10_000 for _, updates in strict),
    }


@answers("04b-step", r"$w \leftarrow w + \eta\,yx$", "start at $w = 0$", r"$\eta$ from 1 to 10")
def longer_steps():
    samples = [
        datasets.two_slow_points(4),
        random_separable(1),
        random_separable(2, n=40, d=5),
        datasets.with_bias(datasets.xor()),
    ]
    runs = [
        [run_perceptron(X, y, step=step, max_updates=500) for step in (1, 10)] for X, y in samples
    ]
    same = [np.array_equal(a.mistakes, b.mistakes) and np.allclose(10 * a.w, b.w) for a, b in runs]
    return {
        "about a tenth of the updates": all(5 * len(b.mistakes) < len(a.mistakes) for a, b in runs),
        "may need more updates": any(len(b.mistakes) > len(a.mistakes) for a, b in runs),
        "The same points are mistakes in the same order": all(same),
        "It depends on the data": any(same) and not all(same),
    }


@answers("04-rebuild", "from $w=0$", "the points and their labels", "the least")
def what_w_remembers():
    run = run_perceptron(*datasets.animals())
    Z, n = run.directions, len(run.X)
    counts = np.bincount(run.mistakes, minlength=n)

    def others(keep):
        """Tell whether other counts that look the same to `keep` have another w."""
        cases = product(range(max(counts) + 1), repeat=n)
        return any(keep(c) == keep(counts) and (c @ Z != run.w).any() for c in map(np.array, cases))

    enough = not others(lambda c: c.tolist())
    return {
        "How often each point": enough and (counts @ Z == run.w).all(),
        "in the order in which": not enough,  # more than the least
        "Which points were mistakes at all": not others(lambda c: (c > 0).tolist()),
        "How many updates": not others(lambda c: c.sum()),
    }


@answers("04-never", "XOR, with $-1$ appended", "no separator")
def xor_for_ever():
    X, y = datasets.with_bias(datasets.xor())
    run = run_perceptron(X, y, max_passes=500)
    lengths = np.linalg.norm(run.path(), axis=1)
    stops = run.converged
    bounded = lengths[1000:].max() <= lengths[:1000].max()
    return {
        "with the fewest mistakes": stops,
        "grows beyond all bounds": not stops and not bounded,
        "stays bounded": not stops and bounded,
        "no point has changed its side": stops,
    }


@answers("04-updates", "at a tie we predict $+1$", "update all the same", "27 updates")
def updates_and_wrong_predictions():
    pairs = []
    for seed in range(30):
        X, y = random_separable(seed)
        run = run_perceptron(X, y, max_passes=1)
        scores = (run.path()[:-1] * X[run.mistakes]).sum(axis=1)
        wrong = (np.where(scores >= 0, 1, -1) != y[run.mistakes]).sum()
        pairs.append((wrong, len(run.mistakes)))
    assert {wrong == updates for wrong, updates in pairs} == {True, False}
    return {
        "Exactly 27": all(wrong == updates for wrong, updates in pairs),
        "At most 27": all(wrong <= updates for wrong, updates in pairs),
        "At least 27": all(wrong >= updates for wrong, updates in pairs),
    }


@answers("04b-unit", r"$w\leftarrow w+yx/\|x\|$", "from $w=0$")
def pushes_of_length_one():
    samples = [datasets.animals(), datasets.two_slow_points(4), datasets.one_error_to_two()]

    def same(other):
        return all(
            np.array_equal(run_perceptron(X, y, normalise=True).mistakes, other(X, y).mistakes)
            for X, y in samples
        )

    def lengths(X):
        return np.linalg.norm(X, axis=1, keepdims=True)

    return {
        r"The one on the points $x/\|x\|$": same(lambda X, y: run_perceptron(X / lengths(X), y)),
        "only the length of $w$ changes": same(run_perceptron),
        "on the same points with step": same(
            lambda X, y: run_perceptron(X, y, step=1 / lengths(X).max())
        ),
    }


@answers("04b-cycle", "exactly what it had been before")
def cycles():
    rng = np.random.default_rng(5)
    repeated = []
    for _ in range(60):
        X, y = rng.integers(-2, 3, (5, 2)), rng.choice([-1, 1], 5)
        path = run_perceptron(X, y, max_passes=40).path()
        if len(np.unique(path, axis=0)) < len(path):
            repeated.append(has_rule(X, y, threshold=False) and separate(X, y, False).separable)
    assert len(repeated) > 5
    return {
        "it may still find a separator": any(repeated),
        "no separator through the origin": not any(repeated),
        "but the order is a bad one": all(repeated),
    }


@answers("04b-pocket", "XOR, with $-1$ appended", "from $w=0$", "a tie is a mistake")
def pocket_on_xor():
    X, y = datasets.xor()
    Z = homogenise(X)
    run = run_perceptron(Z, y, max_passes=50)
    right = int((y * run.pocket().decision_function(Z) > 0).sum())
    assert best_halfspace(X, y).errors == 1
    return {"two": right == 2, "three": right == 3, "four": right == 4, "none": right == 0}


@answers("05-every-point", "*every* point in turn, right or wrong", "Lemma 5.2")
def added_in_any_case():
    rng = np.random.default_rng(5)
    rows = []  # was it a mistake, were all before it mistakes, does the lemma hold after it
    for X, y in [datasets.two_slow_points(3), datasets.animals()]:
        w_star, Z = separate(X, y, bias=False).halfspace.w, y[:, None] * X
        for order in [range(len(Z)), *(rng.permutation(len(Z)) for _ in range(20))]:
            w, right_before = np.zeros(Z.shape[1], int), False
            for t, z in enumerate(Z[[*order, *order]], 1):
                mistake = z @ w <= 0
                right_before |= not mistake
                w = w + z
                rows.append((mistake, right_before, w @ w_star >= t * min(Z @ w_star)))
    assert {mistake for mistake, _, _ in rows} == {True, False}
    holds = [holds for _, _, holds in rows]
    return {
        "only a mistake makes progress": not all(ok for mistake, _, ok in rows if not mistake),
        "until the first point that was right": not all(ok for _, before, ok in rows if before),
        "for every $t$": all(holds),
        "depends on the order": len(set(holds)) > 1,
    }


@answers("05-better-star", "the same run", "geometric margin is twice as large")
def better_separator():
    Z = [(2, 0, 0, 0), (-3, 1, 0, 0), (5, -3, 0, 0), (-9, -9, 9, 5)]
    run = run_perceptron(Z, [1, -1, 1, -1])
    ledgers = [prove_mistake_bound(run, w_star) for w_star in ([1, 1, 1, 1], [1, 0, 0, 0])]
    for ledger in ledgers:
        ledger.check()
    (old, new), made = ledgers, len(run.mistakes)
    assert new.gamma == 2 * old.gamma and made > 0
    runs = [ledger.run.mistakes.tolist() for ledger in ledgers]
    a_quarter, same_run, fewer = (
        new.bound == old.bound / 4,
        runs[0] == runs[1],
        new.mistakes < old.mistakes,
    )
    return {
        "Only the bound: it falls to a quarter": a_quarter and same_run,
        "Only the run": new.bound == old.bound and fewer,
        "Both": a_quarter and fewer,
        "Neither": new.bound == old.bound and same_run,
    }


@answers("05b-scale", "multiplied by 10", "$w_0=0$")
def longer_points():
    samples = [datasets.two_slow_points(3), datasets.with_bias(datasets.any_of(3))]
    changes = []
    for X, y in samples:
        w_star = separate(X, y, bias=False).halfspace.w
        old, new = (prove_mistake_bound(run_perceptron(c * X, y), w_star) for c in (1, 10))
        same_run = np.array_equal(old.run.mistakes, new.run.mistakes)
        changes.append((new.bound / old.bound, same_run, new.mistakes - old.mistakes))
    ratios = {ratio for ratio, _, _ in changes}
    return {
        "100 times larger": ratios == {100},
        "100 times smaller": ratios == {Fraction(1, 100)},
        "Neither the bound nor the mistakes": ratios == {1} and all(same for _, same, _ in changes),
        "fewer mistakes": all(more < 0 for _, _, more in changes),
    }


@answers("05-stream", "$R=1$", r"$\gamma=0.1$", "made 30 updates", "*same* $w^*$", "at most?")
def a_million_more():
    axes, w_star = np.eye(100, dtype=int), [1] * 100  # unit vectors, each with margin 1/10
    first = run_perceptron(axes[:30], [1] * 30)
    bound = prove_mistake_bound(first, w_star).bound
    more = {
        copies: len(
            run_perceptron(
                np.tile(axes[30:], (copies, 1)), [1] * 70 * copies, start=first.w
            ).mistakes
        )
        for copies in (1, 20)
    }
    most = bound - len(first.mistakes)
    assert len(first.mistakes) == 30
    return {
        "None": most == 0,
        f"{most}.": set(more.values()) == {most},
        f"{bound}.": bound in more.values(),
        "how many new points": len(set(more.values())) > 1,
    }


@answers("05-growth", "the least that", r"the most that $\lVert w_t\rVert$ can be")
def two_sides_of_the_squeeze():
    gamma = 0.1  # unit vectors of this margin, and every mistake a tie: both sides are attained
    axes = np.eye(round(1 / gamma**2), dtype=int)
    run = run_perceptron(axes, [1] * len(axes))
    ledger = prove_mistake_bound(run, [1] * len(axes))
    ledger.check()
    t = np.array([row.t for row in ledger.rows])
    progress = np.array([row.progress for row in ledger.rows])
    length = np.sqrt([row.norm2 for row in ledger.rows])
    power = {
        name: np.polyfit(np.log(t), np.log(values), 1)[0]
        for name, values in (("progress", progress), ("length", length))
    }
    found = round(power["progress"], 6), round(power["length"], 6)
    return {
        r"Like $\sqrt t$ and like $t$.": found == (0.5, 1),
        r"Like $t$ and like $\sqrt t$.": found == (1, 0.5),
        "Both like $t$.": found == (1, 1),
        r"Like $t$ and like $t^2$.": found == (1, 2),
    }


@answers("05-strict", r"y\langle w,x\rangle<0", "`w = np.zeros(d)`", "separable")
def ties_left_alone():
    X, y = datasets.animals()
    Z = y[:, None] * X
    w, updates = np.zeros(3), 0
    while (Z @ w < 0).any() and updates < 1000:
        w, updates = w + Z[(Z @ w < 0).argmax()], updates + 1
    made = len(run_perceptron(X, y).mistakes)
    return {
        "one mistake fewer": updates == made - 1,
        "for ever": updates == 1000,
        "stops at once": updates == 0 and not w.any(),
        "all points but a few": 0 < (Z @ w == 0).sum() < len(Z) and (Z @ w >= 0).all(),
    }


@answers("05-promises", "has stopped on separable data", "Theorem 5.1")
def what_is_promised():
    X, y = np.array([[100, 0], [1, 100]]), np.array([1, 1])
    run, best = run_perceptron(X, y), solve_svm([[100, 0], [1, 100]], [1, 1], bias=False)
    assert run.converged
    new = np.array([[-1, 100], [-2, 100], [-3, 100]])  # the best separator says + to all of them
    assert (best.predict(new) == 1).all()
    cosine = run.w @ best.w / np.linalg.norm(run.w) / np.linalg.norm(best.w)
    return {
        "at least half of the largest": run.halfspace.margin(X, y) >= best.margin / 2,
        "nearly the same direction": cosine > math.cos(math.radians(20)),
        "most new points": (run.predict(new) == 1).mean() > 0.5,
        "separates the data": (y * (X @ run.w) > 0).all(),
    }


# 5b: five formulas


@answers("05b-constant", "has no threshold", "append $-10$")
def appended_ten():
    X = np.array([[0, 0], [1, 0], [0, 1], [3, 1], [2, 3]])
    rules = {
        constant: {
            y for y in labellings(len(X)) if separate(homogenise(X, constant), y, bias=False)
        }
        for constant in (-1, -10)
    }
    wanted = Halfspace([1, 1], Fraction(3, 2))  # its boundary is no multiple of 10 away
    distance = float(wanted.b) / math.sqrt(2)
    labels = tuple(wanted.predict(X).tolist())
    return {
        "The same rules": rules[-1] == rules[-10],
        "More": rules[-1] < rules[-10],
        "Fewer": rules[-1] > rules[-10],
        "multiple of 10": labels not in rules[-10] or distance % 10 == 0,
    }


@answers("05b-distance", "have the distance 2", "*without* a threshold")
def hulls_two_apart():
    segment = np.array([[0.0, 1.0], [1.0, 1.0]])  # and its mirror image, two lower
    X, y = np.vstack([segment, segment - [0, 2]]), np.array([1, 1, -1, -1])
    margins = []
    for away in ([0, 0], [0, 0.5], [0, 0.9], [0, 0.99]):
        assert separate(X + away, y, bias=False)
        assert math.isclose(solve_svm(X + away, y).margin, 1)
        margins.append(solve_svm(X + away, y, bias=False).margin)
    none = not separate(X + [0, 20], y, bias=False)
    small = all(after < before for before, after in zip(margins, margins[1:])) and margins[-1] < 0.1
    return {
        r"$\gamma=1$.": all(math.isclose(margin, 1) for margin in margins),
        r"$\gamma\ge1$.": all(margin >= 1 for margin in margins),
        r"$\gamma\le1$": all(margin <= 1 + 1e-9 for margin in margins) and small and none,
        r"$\gamma=2$.": all(math.isclose(margin, 2) for margin in margins),
    }


@answers("05b-absolute", "without labels", "Theorem 5.1")
def margin_without_labels():
    X, y = datasets.three_points()
    weights = [np.array(w) for w in product(range(-4, 5), repeat=2) if any(w)]
    same = {tuple(w): min(abs(X @ w)) == min(y * (X @ w)) for w in weights}
    separators = {tuple(w) for w in weights if (y * (X @ w) > 0).all()}
    right = {w for w in same if same[w]}
    on_the_boundary = {tuple(w) for w in weights if min(y * (X @ w)) == 0}  # both are 0
    best = {w for w in separators if w[0] == 0}
    return {
        "For none": not right,
        "For every $w$ that separates": right - on_the_boundary == separators,
        "Only for the best": right - on_the_boundary == best,
        r"For every $w\ne0$": len(right) == len(weights),
    }


@answers("05b-step", "From $w_0=0$", "steps $10z$ instead of $z$")
def ten_times_the_step():
    X, y = datasets.animals()
    one, ten = (run_perceptron(X, y, step=step) for step in (1, 10))
    bounds = [prove_mistake_bound(run, [-6, 5, 10]).bound for run in (one, ten)]
    same_run = one.mistakes.tolist() == ten.mistakes.tolist()
    return {
        "a tenth": 10 * len(ten.mistakes) <= len(one.mistakes),
        "10 times as long": same_run and (ten.w == 10 * one.w).all() and bounds[0] == bounds[1],
        "100 times larger": bounds[1] == 100 * bounds[0],
        "never stop": not ten.converged,
    }


# 6: tiny margins


@answers("06-order", "all $2^{40}$ corners of the alternating list of 40 rules", "*whole run*")
def best_order():
    def fewest_updates(k):
        X = cube(k)
        Z = datasets.alternating_list(k)(X)[:, None] * homogenise(X)
        reached, updates = {(0,) * (k + 1)}, 0
        while all((Z @ w <= 0).any() for w in reached):
            reached = {tuple((z + w).tolist()) for w in reached for z in Z[Z @ w <= 0]}
            updates += 1
        return updates

    fewest = {k: fewest_updates(k) for k in (1, 2, 3)}
    length2 = {k: 4 * FIBONACCI[k] * FIBONACCI[k + 1] + 1 for k in (1, 2, 3, 40)}
    assert (fewest[3], length2[3]) == (11, 25)
    # Mistakes leave ‖w‖² ≤ tR², and whole numbers that separate have ‖w‖ ≥ ‖v*‖: so t ≥ ‖v*‖²/R²
    # in every order.
    any_order = all(fewest[k] * (k + 1) >= length2[k] for k in fewest)
    least = Fraction(length2[40], 41)
    return {
        "A few hundred updates": least < 1000,
        "More than $10^{15}$ updates": any_order and least > 10**15,
        r"About $41\lVert v^*\rVert^2$ updates": all(
            fewest[k] == (k + 1) * length2[k] for k in fewest
        ),
        "the proof only treats the lexicographic order": not any_order,
    }


def modified_perceptron(Z, w, sigma):
    """Run Algorithm 6.4 on unit vectors z = yx from w, as written; return w and its updates."""
    updated = []
    while len(updated) < 1000 and len(wrong := np.flatnonzero(Z @ w <= -sigma * np.linalg.norm(w))):
        w = w - (w @ Z[wrong[0]]) * Z[wrong[0]]
        updated.append(wrong[0])
    return w, updated


@answers("06-cone", r"$\sigma=0.1$", "has stopped at $w$")
def right_outside_the_cone():
    rng, sigma = np.random.default_rng(6), 0.1
    right = {"far from w*": [], "far from w": [], "all": [], "updated": []}
    for seed in range(60):
        X, y = random_separable(seed)
        Z = y[:, None] * X / np.linalg.norm(X, axis=1, keepdims=True)
        best = solve_svm(Z, np.ones(len(Z), int), bias=False)
        start = rng.normal(size=3)
        w, updated = modified_perceptron(Z, start / np.linalg.norm(start), sigma)
        if len(updated) == 1000 or best.margin < sigma:
            continue  # it has not stopped, or the margin is smaller than the choices ask
        scores = Z @ w / np.linalg.norm(w)
        right["far from w*"] += (scores > 0)[Z @ best.w / np.linalg.norm(best.w) >= sigma].tolist()
        right["far from w"] += (scores > 0)[abs(scores) >= sigma].tolist()
        right["all"] += (scores > 0).tolist()
        right["updated"] += (scores[updated] > 1e-9).tolist()
    assert min(map(len, right.values())) > 30
    x, start = (
        np.array([1.0, 0.0]),
        np.array([-0.05, math.sqrt(1 - 0.05**2)]),
    )  # margin 1, and wrong at the end
    w, updated = modified_perceptron(x[None], start, sigma)
    assert not updated and x @ w < 0
    return {
        "for the best separator": all(right["far from w*"]),
        r"\cos(w,x)\rvert\ge0.1$": all(right["far from w"]),
        "All of them": all(right["all"]),
        "Those on which it has made an update": all(right["updated"]),
    }


@answers(
    "06-poly",
    "ten times as many points, all of length 1",
    "same dimension",
    r"same $\gamma$",
    "bounds on *updates*",
)
def number_of_points():
    def grows(book, theorem):
        """Tell whether the statement of a theorem speaks of n, the number of points."""
        statement = re.search(rf"\*\*Theorem {theorem} .*?(?=\n\n)", BOOKS[book].text, re.DOTALL)[0]
        return any(
            re.search(r"(?<![\\A-Za-z])n(?![A-Za-z])", formula)
            for formula in re.findall(r"\$.+?\$", statement)
        )

    X, y = random_separable(6)
    w_star = separate(X, y, bias=False).halfspace.w
    bounds = [
        prove_mistake_bound(run_perceptron(np.tile(X, (times, 1)), np.tile(y, times)), w_star).bound
        for times in (1, 10)
    ]
    plain, modified, rescaled = (
        grows(*place) for place in (("05", "5.1"), ("06", "6.5"), ("06", "6.8"))
    )
    plain = plain or not math.isclose(*bounds)
    return {
        "Only that of the perceptron": plain and not modified and not rescaled,
        "Only that of the modified perceptron": modified and not plain and not rescaled,
        "Only that of the rescaled perceptron": rescaled and not plain and not modified,
        "None of the three": not (plain or modified or rescaled),
    }


@answers("06-both-ways", r"$0$ and $\pm1$", "same $R$", "ten times smaller", "50 updates")
def both_ends():
    X = homogenise(cube(6))  # the same corners, so the same R, with two labellings
    samples = [(X, labels) for labels in (Disjunction(range(1, 7), 6)(cube(6)), list_of(6))]
    R2 = int((X**2).sum(axis=1).max())
    lengths2 = [price(*sample) for sample in samples]  # 1/γ²
    made = [len(run_perceptron(*sample).mistakes) for sample in samples]
    smaller = lengths2[1] / lengths2[0]  # by so much γ² is smaller: in the question it is 100
    low, high = ([f(v2) for v2 in lengths2] for f in (lambda v2: v2 / R2, lambda v2: R2 * v2))
    assert smaller > 10 and all(low[i] <= made[i] <= high[i] for i in (0, 1))
    both = math.isclose(low[1] / low[0], smaller) and math.isclose(high[1] / high[0], smaller)
    return {
        "It takes 5000": math.isclose(made[1], smaller * made[0]),
        "at least 5000": made[1] >= smaller * made[0],
        "both 100 times larger": both,
        "Nothing": low[1] <= 1,
    }


def list_of(k):
    """Return the labels that the alternating list gives to all corners."""
    return datasets.alternating_list(k)(cube(k))


@answers("06-update", "has just made an update on a mistake $x$")
def taken_away():
    ties, shorter, right = [], [], []
    for seed in range(20):
        X, y = random_separable(seed)
        Z = y[:, None] * X / np.linalg.norm(X, axis=1, keepdims=True)
        w = -Z.sum(axis=0) + 0.1
        z = Z[(Z @ w).argmin()]
        after, _ = modified_perceptron(z[None], w, 0.01)
        ties.append(abs(after @ z) < 1e-9)
        right.append(after @ z > 1e-9)
        shorter.append(np.linalg.norm(after) < np.linalg.norm(w))
    return {
        "It is right on $x$, and longer.": all(right) and not any(shorter),
        "It is right on $x$, and shorter.": all(right) and all(shorter),
        "$x$ is a tie, and $w$ is longer.": all(ties) and not any(shorter),
        "$x$ is a tie, and $w$ is shorter.": all(ties) and all(shorter),
    }


# 6b: cones and stretching


@answers("06b-high", r"\ge1/\sqrt d$", "as $d$ grows?")
def chance_of_a_good_start():
    def chance(d):
        n, parts = 20_000, []
        for angle in (math.acos(1 / math.sqrt(d)), math.pi):
            middles = angle * (np.arange(n) + 0.5) / n
            parts.append(angle * np.mean(np.sin(middles) ** (d - 2)))
        return parts[0] / parts[1]

    chances = [chance(d) for d in (2, 3, 5, 10, 100, 1000, 10_000)]
    assert math.isclose(chances[0], 0.25, rel_tol=1e-3)
    falls = all(after < before for before, after in zip(chances, chances[1:]))
    return {
        "goes to 0": falls and chances[-1] < 0.01,
        "one half": chances[-1] > 0.4,
        "stays above 0.15": falls and min(chances) > 0.15,
        "the same": max(chances) - min(chances) < 0.01,
    }


@answers("06b-pushed", r"=-\frac12$", "After the stretch along $u$")
def stretched_row():
    u = np.array([1.0, 0.0])
    row = np.array([-0.5, math.sqrt(3) / 2])
    after = row + (row @ u) * u
    angles = [math.degrees(math.acos(v @ u / np.linalg.norm(v))) for v in (row, after)]
    assert math.isclose(angles[0], 120)
    return {
        "Smaller": angles[1] < 119,
        "The same": math.isclose(*angles),
        "Larger": angles[1] > 121,
        "$90°$": math.isclose(angles[1], 90),
    }


@answers("06b-margin", r"\ge0$ on all points", "the margin is $0$")
def no_margin():
    Z = np.array([[1.0, 0], [-1, 0], [0.6, 0.8], [-0.6, 0.8]])  # w* = (0, 1) is at two ties
    assert (Z @ [0, 1] >= 0).all() and not separate(Z, [1] * 4, bias=False)
    good = [np.array([math.cos(a), math.sin(a)]) for a in np.radians([46, 70, 90, 110, 134])]
    most = max(len(modified_perceptron(Z, w, 0.2)[1]) for w in good)
    modified = most <= math.log(2) / 0.2**2
    rescaled = run_rescaled_perceptron(Z, [1] * 4, max_updates=5000).converged
    return {
        "Both": modified and rescaled,
        "Only that of the modified": modified and not rescaled,
        "Only that of the rescaled": rescaled and not modified,
        "Neither": not (modified or rescaled),
    }


@answers("06b-factor", r"=\sigma$ exactly", r"$\lVert w\rVert^2$")
def shrinking_factor():
    factors = {}
    for sigma in (0.1, 0.5, 0.9):
        z = np.array([-sigma, math.sqrt(1 - sigma**2)])
        after = np.array([1.0, 0.0]) - (z[0]) * z
        factors[sigma] = after @ after

    def is_always(formula):
        return all(math.isclose(factors[sigma], formula(sigma)) for sigma in factors)

    return {
        r"$\sigma^2$.": is_always(lambda sigma: sigma**2),
        r"$1-\sigma$.": is_always(lambda sigma: 1 - sigma),
        r"$1-\sigma^2$.": is_always(lambda sigma: 1 - sigma**2),
        r"$1+\sigma^2$.": is_always(lambda sigma: 1 + sigma**2),
    }


@answers("06b-starts", "0.1586", "27 starts in a row are all bad")
def bad_starts():
    chance = (1 - 0.1586) ** 27
    return {
        "Less than 1": chance < 0.01,
        "16": 0.12 < chance < 0.2,
        "50": 0.4 < chance < 0.6,
        "84": 0.8 < chance < 0.88,
    }


# 7: losses


@answers("07-tie", "strict inequality", r"$y\langle w,x\rangle<0$")
def strict_inequality():
    def strictly_wrong(w, X, y):
        return int((y * (X @ w) < 0).sum())

    samples = [datasets.animals(), datasets.loss_at_zero_misleads(), random_separable(7)]
    zero_is_best = all(strictly_wrong(np.zeros(X.shape[1]), X, y) == 0 for X, y in samples)
    X, y = datasets.animals()
    unit = np.array([0, 0, 1])
    unit_is_fooled = strictly_wrong(unit, X, y) == 0 and zero_one(y * (X @ unit)).sum() == 3
    right = run_perceptron(X, y).w
    return {
        "ties do not occur": not zero_is_best,
        "is always a minimum": zero_is_best and unit_is_fooled,
        "repairs it": zero_is_best and not unit_is_fooled,
        "points that are right": strictly_wrong(right, X, y) > 0,
    }


@answers("07-cover", "smallest cover has 6 vertices", "8 mistakes", r"by no means the best")
def cover_from_mistakes():
    rng, covers, exact, small = np.random.default_rng(7), [], [], []
    for _ in range(300):
        edges = [(i, j) for i, j in combinations(range(7), 2) if rng.random() < 0.5]
        w = rng.integers(-3, 4, 7)
        wrong = [(i, j) for i, j in edges if w[i] + w[j] <= 0]
        cover = set(np.flatnonzero(w >= 0).tolist()) | {i for i, _ in wrong}
        least = next(
            k
            for k in range(8)
            if any(all(set(e) & set(c) for e in edges) for c in combinations(range(7), k))
        )
        covers.append(all(set(edge) & cover for edge in edges))
        small.append(len(cover) <= (w >= 0).sum() + len(wrong))
        exact.append(len(cover) == least)
    return {
        "at most 8 vertices": all(covers) and all(small),
        "A cover with 6 vertices": all(exact),
        "Nothing": not any(covers),
        "that no cover touches": False,  # a cover touches every edge, by its definition
    }


@answers("07-above", "**not** at least")
def not_above():
    z = np.linspace(-5, 5, 1001)
    above = {
        r"$\max\{0,1-z\}$": np.maximum(0, 1 - z),
        r"$\max\{0,1-z\}^2$": np.maximum(0, 1 - z) ** 2,
        r"\log_2": np.logaddexp2(0, -z / math.log(2)),
        r"\ln": np.logaddexp(0, -z),
    }
    return {name: bool((loss < zero_one(z) - 1e-12).any()) for name, loss in above.items()}


@answers("07-far", "through the origin", "twice its distance")
def twice_as_far():
    rng = np.random.default_rng(7)
    more, fewer, hinge_moved = [], [], []
    for _ in range(20):
        X, y = rng.integers(-4, 5, (7, 2)), rng.choice([-1, 1], 7)
        far = X.copy()
        far[0] *= 2
        before, after = (best_halfspace(P, y, bias=False).errors for P in (X, far))
        more.append(after > before)
        fewer.append(after < before)
        least = [solve_svm(P, y, C=100.0, bias=False).primal for P in (X, far)]
        hinge_moved.append(not math.isclose(*least, rel_tol=1e-4))
    same = not any(more) and not any(fewer)
    return {
        "only become more": any(more) and not any(fewer),
        "more or fewer": any(more) and any(fewer),
        "so does the least hinge loss": same and not any(hinge_moved),
        "may change": same and any(hinge_moved),
    }


@answers(
    "07b-at-zero",
    "**not** separable, not even with ties allowed",
    r"$w\ne 0$",
    "loss at zero",
    r"$\eta/\sqrt t$",
)
def loss_at_zero():
    X, y = np.array([[2, 0], [-1, 1], [-1, -1], [3, 1]]), np.array([1, 1, 1, 1])
    # Were there w ≠ 0 with all scores ≥ 0, one of its coordinates could be scaled to 1 or to −1.
    tied = [
        linprog(
            [0, 0], A_ub=-X, b_ub=np.zeros(4), A_eq=[axis], b_eq=[1], bounds=(None, None)
        ).status
        == 0
        for axis in ([1, 0], [-1, 0], [0, 1], [0, -1])
    ]
    assert not any(tied)
    path = descend(hinge_at_zero, X, y, steps=1500, step_size=0.2, start=[3.0, 2.0]).path
    sizes = np.linalg.norm(path, axis=1)
    goes_to_zero = sizes[-500:].max() < 0.01 * sizes[0]
    fewest = best_halfspace(X, y, bias=False).errors
    return {
        "the fewest mistakes": zero_one([0] * 4).sum() == fewest,
        "To $w=0$.": goes_to_zero,
        "it cycles": sizes[-500:].max() > 0.5 * sizes[:500].max(),
        "the largest margin": separate(X, y, bias=False).separable,
    }


@answers("07b-hinge-only", "Separable data, hinge loss, **no** norm penalty")
def hinge_without_penalty():
    X, y = random_separable(7)
    best = solve_svm(X, y, bias=False).w
    others = [best + 0.02 * np.linalg.norm(best) * shift for shift in np.eye(3)] + [
        run_perceptron(X, y).w
    ]
    separators = [best] + [w for w in others if (y * (X @ w) > 0).all()]
    assert len(separators) > 2
    risks = [hinge.risk(2 * w / (y * (X @ w)).min(), X, y) for w in separators]
    return {
        "largest margin is the only one": risks[0] == 0 < min(risks[1:]),
        "There is none": min(risks) > 0,
        "Every separator, made long enough": max(risks) == 0,
        "It is $w=0$": hinge.risk([0] * 3, X, y) == 0,
    }


@answers("07-bound", "100 points", "$17.3$", "*total* hinge loss")
def hinge_bounds_mistakes():
    def least_hinge(z):
        """Minimise Σ max(0, 1 − wz) over w on the line: the minimum is at a kink."""
        return min(
            sum(max(0, 1 - w * v) for v in z)
            for w in [Fraction(0), *(1 / Fraction(v) for v in z if v)]
        )

    def fewest_mistakes(z):
        return min(sum(w * v <= 0 for v in z) for w in (-1, 0, 1))

    rng, total = np.random.default_rng(17), Fraction(173, 10)
    far_off = [1] * 99 + [1 - total]  # z = yx: one mistake, and a costly one
    at_zero = [1] * 83 + [0] * 16 + [Fraction(-3, 10)]
    assert [(len(z), least_hinge(z)) for z in (far_off, at_zero)] == [(100, total)] * 2
    fewest = [fewest_mistakes(z) for z in (far_off, at_zero)]
    samples = rng.integers(-4, 5, (50, 9)).tolist()
    bounded = all(
        fewest_mistakes(z) <= math.floor(least_hinge(z)) for z in [far_off, at_zero, *samples]
    )
    most = math.floor(total)
    return {
        f"$M^*={most}$": set(fewest) == {most},
        rf"$M^*\le {most}$": bounded and max(fewest) == most,
        rf"$M^*\ge {most + 1}$": min(fewest) > most,
        "Nothing": not bounded,
    }


@answers("07b-slope", r"$\max\{0,-z\}$ at $z=0$")
def slopes_at_the_kink():
    u = np.linspace(-3, 3, 61)
    sigmas = np.arange(-20, 21) / 10
    touching = [s for s in sigmas if (s * u <= np.maximum(0, -u) + 1e-12).all()]
    return {
        "Only $-1$": touching == [-1],
        "Only $0$": touching == [0],
        "None": not touching,
        "All from $-1$ to $0$": touching == [s for s in sigmas if -1 <= s <= 0],
    }


@answers("07b-empty", r"m-H\le\sqrt m\,R\lVert v\rVert", "$v=0$")
def bound_for_nothing():
    X, y = datasets.noisy(40, 2, 0.2, np.random.default_rng(7))
    run = run_perceptron(X, y, max_passes=1)
    R2 = (X * X).sum(axis=1).max()

    def sides(v):
        m = len(run.mistakes)
        paid = hinge(y * (X @ v))[run.mistakes].sum()
        return m - paid, math.sqrt(m * R2 * (v @ v))

    holds = all(np.diff(sides(v))[0] >= 0 for v in np.random.default_rng(8).normal(size=(99, 2)))
    left, right = sides(np.zeros(2))
    assert holds and len(run.mistakes) > max(R2, 0)
    return {
        "true and empty": left == right == 0,
        "no mistakes": len(run.mistakes) <= right,
        r"$m\le R^2$": len(run.mistakes) <= R2,
        "not allowed": left > right,
    }


@answers("07b-changes", r"Before step $t$ let $u=\lambda(t-1)\,w$", "for $t>1$")
def when_pegasos_adds():
    X, y = datasets.noisy(20, 2, 0.2, np.random.default_rng(7))
    run = descend(hinge, X, y, penalty=0.5, steps=200, rng=np.random.default_rng(8))
    seen = []
    for t, i in enumerate(run.drawn[1:], 2):
        before, after = 0.5 * (t - 1) * run.path[t - 1], 0.5 * t * run.path[t]
        score = y[i] * (before @ X[i])
        tests = (score <= 0, score < 0.5 * (t - 1), score < 1, True)
        added = not np.allclose(before, after)
        seen.append([test == added for test in tests])
    perceptron, growing, one, always = np.array(seen).all(axis=0)
    return {
        "as the perceptron does": perceptron,
        "harder to please": growing,
        r"\langle u,x\rangle<1$": one,
        "At every step": always,
    }


# 8: kernels


@answers("08-feature", "**one** further feature", "the threshold")
def a_feature_for_xor():
    X, y = datasets.xor()
    a, b = X.T
    features = {
        "$(x_1-x_2)^2$": (a - b) ** 2,
        "$x_1+x_2$": a + b,
        r"\lvert x_1-x_2\rvert": abs(a - b),
        "$x_1x_2$": a * b,
    }
    return {
        name: not separate(np.column_stack([X, feature]), y).separable
        for name, feature in features.items()
    }


@answers("08-stored", "25 points of the grid", "27 mistakes")
def what_is_kept():
    grid = np.array(list(product(range(-2, 3), repeat=2)))
    y = np.where((grid**2).sum(axis=1) <= 2, 1, -1)
    run = run_kernel_perceptron(grid, y, polynomial(2, 1))
    assert len(run.mistakes) == 27 and len(grid) == 25
    new = np.random.default_rng(8).uniform(-3, 3, (500, 2))
    K = (1 + new @ grid.T) ** 2
    kept = run.counts > 0
    with_counts = (K[:, kept] @ (run.counts * y)[kept] >= 0) == (run.predict(new) > 0)
    as_set = (K[:, kept] @ y[kept] >= 0) == (run.predict(new) > 0)
    return {
        "in feature space": False,  # it would do, and the counts describe it without a feature
        "how often each was one": with_counts.all(),
        "as a set": as_set.all(),
        "All 25 points": kept.all(),
    }


@answers("08-none", "are kernels", "**not** be one")
def need_not_be_a_kernel():
    X = np.random.default_rng(8).normal(size=(6, 2))
    K, other = gram(rbf(1), X), gram(polynomial(2, 1), X)

    def refused(G):
        return bool(np.linalg.eigvalsh(G)[0] < -1e-9)

    return {
        r"$K\cdot K'$": refused(K * other),
        "$e^{K}$": refused(np.exp(K)),
        "$2K+3K'$": refused(2 * K + 3 * other),
        "$K-K'$": refused(K - other),
    }


@answers(
    "08b-lift",
    r"7 features, $R^2=10^{10}$",
    r"$\gamma=\frac1{30}$",
    "47 905 features",
    r"$R^2=10^{12}$ and $\gamma=10^5$",
    "fewer mistakes",
)
def two_lifts():
    few, many = 10**10 / Fraction(1, 30) ** 2, 10**12 / Fraction(10**5) ** 2
    assert few == 9 * 10**12 and many == 100
    return {
        "The first: it has fewer features": few < many,
        "The first: its points are shorter": few < many,
        "It cannot be said": False,  # Theorem 8.4 holds in every feature space
        "The second: its margin is wider": many < few,
    }


@answers("08-psd", r"K(x,x')^2\le K(x,x)\,K(x',x')", "$K(x,x)>0$")
def pairs_are_not_enough():
    def root(x, z):
        return math.sqrt(abs(x @ z)) + 0.01 * (x == z).all()

    grid = np.array(list(product((-2, -1, 0, 1, 2), repeat=2)))
    K = np.array([[root(x, z) for z in grid] for x in grid])
    pairs_are_fine = (K**2 <= np.outer(K.diagonal(), K.diagonal()) + 1e-12).all() and (
        K.diagonal() > 0
    ).all()
    three = [grid.tolist().index(list(p)) for p in ((1, 0), (0, 1), (1, 1))]
    three_refuse = np.linalg.det(K[np.ix_(three, three)]) < -0.1
    row = np.array([0, 0.5, 1])  # exp(−‖x − x'‖⁴) is continuous, at most 1, and 1 on the diagonal
    continuous_refuses = np.linalg.det(np.exp(-((row[:, None] - row) ** 4))) < -0.25
    return {
        "Cauchy–Schwarz": pairs_are_fine and not three_refuse,
        r"$2\times2$": pairs_are_fine and not three_refuse,
        "three points may refuse": pairs_are_fine and three_refuse,
        "if $K$ is continuous as well": not continuous_refuses,
    }


@answers(
    "08-coin",
    "100 training points",
    "coin flips",
    "Gaussian kernel",
    r"$\mathrm{rbf}(\gamma)$",
    "distinct",
)
def coin_flips():
    rng, widths = np.random.default_rng(8), (1000, 100)
    X, y = rng.uniform(-1, 1, (100, 2)), rng.choice([-1, 1], 100)
    runs = [run_kernel_perceptron(X, y, rbf(gamma), max_updates=50_000) for gamma in widths]
    runs += [
        run_kernel_perceptron(X[:8], y[:8], rbf(gamma)) for gamma in (10, 1)
    ]  # small ones, so that it ends soon
    stopped, errors = (
        [run.converged for run in runs],
        [(run.predict(run.X) != run.y).mean() for run in runs],
    )
    for run in runs:
        assert len(run.mistakes) <= run.y @ np.linalg.solve(gram(run.kernel, run.X), run.y)
    return {
        "It never stops": not any(stopped),
        r"$\gamma$ of the kernel is large enough": any(stopped) and not all(stopped),
        "It stops with training error 0": all(stopped) and max(errors) == 0,
        "about one half": all(0.3 < error < 0.7 for error in errors),
    }


@answers("08b-changes", "$+,-,-,+,+,-$")
def degree_of_six_points():
    labels, x = [1, -1, -1, 1, 1, -1], np.arange(6)[:, None]
    needed = next(p for p in range(9) if separate(x ** np.arange(p + 1), labels, bias=False))
    return {str(p): p == needed for p in (2, 3, 5, 6)}


@answers("08b-squares", "10 variables, squares included")
def distinct_products():
    distinct = len({frozenset(pair) for pair in product(range(10), repeat=2)})
    return {str(n): n == distinct for n in (45, 55, 66, 100)}


@answers("08b-between", r"\langle x,x'\rangle^{3/2}", r"inner products $\ge0$")
def power_between():
    def objects(points):
        return bool(np.linalg.eigvalsh((points @ points.T) ** 1.5)[0] < -1e-9)

    rng = np.random.default_rng(8)
    four = np.array([(1, i) for i in range(4)])
    three_object = any(objects(rng.uniform(0, 1, (3, 2))) for _ in range(2000))
    assert math.isclose(np.linalg.det(np.array([[1, 0, 1], [0, 1, 1], [1, 1, 2**1.5]])), 2**1.5 - 2)
    return {
        "determinant": not objects(four),
        r"every power $p\ge1$ is": not objects(four),
        "four points object": objects(four) and not three_object,
        "three points object": three_object,
    }


# 9: duality


@answers("09-scale", "multiplied by 2", "solution $v^*$ of (3)")
def points_doubled():
    X, y = random_separable(3)
    before, after = (solve_svm(unit * X, y, bias=False).w for unit in (1, 2))
    return {
        "Nothing": np.allclose(after, before),
        "It is doubled": np.allclose(after, 2 * before),
        "It is halved": np.allclose(after, before / 2),
        "divided by 4": np.allclose(after, before / 4),
    }


@answers("09-weak", r"$\alpha\ge 0$ with $g(\alpha)=8$")
def weak_duality():
    def g(alpha, x):
        return alpha - alpha**2 * x**2 / 2

    # One positive point x > 0 of the line: v ≥ 1/x, so the largest margin is x itself, and g is
    # largest at α = 1/x².
    reaches_8 = [x for x in (Fraction(i, 60) for i in range(1, 61)) if g(1 / x**2, x) >= 8]
    bound = max(reaches_8)
    assert g(Fraction(10), Fraction(1, 5)) == 8 and Fraction(1, 5) in reaches_8
    X, y = random_separable(9)
    rng, half_square = np.random.default_rng(9), price(X, y) / 2
    trials = [rng.uniform(0, 4, len(y)) for _ in range(200)]
    values = [alpha.sum() - ((alpha * y @ X) ** 2).sum() / 2 for alpha in trials]
    weak = all(value <= half_square for value in values) and bound < 1
    fraction = rf"$\frac1{bound.denominator}$"
    return {
        f"at least {fraction}": min(reaches_8) >= bound,
        f"at most {fraction}": weak and bound.numerator == 1,
        f"exactly {fraction}": set(reaches_8) == {bound},
        "Nothing, unless": not weak,
    }


@answers("09-remove", "*support vector*", r"$\alpha_i>0$", "separable data")
def support_vector_removed():
    three, thirds = np.array([[1, 0], [1, 1], [1, -1]]), np.full(3, 1 / 3)
    v = thirds @ three
    assert np.allclose(three @ v, 1) and math.isclose(
        thirds.sum(), v @ v
    )  # a dual solution with all α > 0
    stays = [price(np.delete(three, i, axis=0), [1, 1]) / (v @ v) for i in range(3)]
    changes = []
    for seed in range(5):
        X, y = random_separable(seed)
        svm = solve_svm(X, y, bias=False)
        changes += [
            price(np.delete(X, i, axis=0), np.delete(y, i)) / svm.squares[0] for i in svm.support
        ]
    wider, narrower = ([c * sign > sign + 1e-6 for c in stays + changes] for sign in (-1, 1))
    may_change_or_not = any(wider + narrower) and not all(map(max, wider, narrower))
    return {
        "it must get wider": all(wider),
        "No: only the edge": not any(wider + narrower),
        "if it does it gets wider": may_change_or_not and not any(narrower),
        "it may get narrower": may_change_or_not and any(narrower),
    }


@answers("09-width", "has length 4", "from edge to edge")
def width_of_the_street():
    svm = solve_svm([[0.25]], [1], bias=False)  # v ≥ 4
    assert math.isclose(svm.w[0], 4)
    return {
        rf"${text}$": math.isclose(2 * svm.margin, value)
        for text, value in ((r"\frac12", 1 / 2), (r"\frac14", 1 / 4), ("4", 4), ("8", 8))
    }


@answers("09-between", r"v\rVert^2=5$", r"$g(\alpha)=3$", "feasible $v$")
def between_two_values():
    # One positive point x of the line: the minimum is o = 1/(2x²). The v with ½v² = 5 is feasible
    # if vx ≥ 1, and some α has α − ½α²x² = 3 if the top of that parabola, which is o, reaches 3.
    values = [Fraction(k, 4) for k in range(1, 41)]
    possible = [o for o in values if 10 / (2 * o) >= 1 and o >= 3]
    return {
        "half-way": set(possible) == {4},
        "Nothing": possible == values,
        "between 3 and 5": possible == [o for o in values if 3 <= o <= 5],
        "It is 5": set(possible) == {5},
    }


@answers("09-slack", r"$\langle v^*,z_7\rangle=\frac32$")
def beyond_the_edge():
    beyond = []
    for seed in range(5):
        svm = solve_svm(*random_separable(seed), bias=False)
        beyond += [a for a, m in zip(svm.alpha, svm.margins) if m > 1 + 1e-3]
    zero = [abs(a) < 1e-9 for a in beyond]
    return {
        "Positive": not any(zero),
        "It is $0$": len(zero) > 20 and all(zero),
        r"$-\frac12$": any(math.isclose(a, -0.5) for a in beyond),
        "may be $0$ or positive": any(zero) and not all(zero),
    }


# 9b: soft margins


@answers("09b-slack", "solution of (1)", r"slack $\xi=0.7$")
def a_point_with_slack():
    m = 1 - 0.7
    norms = [
        np.linalg.norm(solve_svm(*datasets.noisy(30, 2, 0.2, seed), C=1).w) for seed in range(3)
    ]
    return {
        "On the wrong side": m < 0,
        "Inside the street": 0 < m < 1,
        "On the edge": m == 1,
        "At distance": all(math.isclose(m / norm, 0.7) for norm in norms),
    }


@answers("09b-twice", "*twice*", "soft margin", "same $C$", "whatever the data")
def every_point_twice():
    X, y = datasets.noisy(30, 2, 0.2, np.random.default_rng(9))
    twice, C = solve_svm(np.tile(X, (2, 1)), np.tile(y, 2), C=1.0), 1.0
    single = {factor: solve_svm(X, y, C=factor * C) for factor in (1, 2, 0.5)}
    same_as = {factor: np.allclose(twice.w, svm.w, rtol=1e-4) for factor, svm in single.items()}
    return {
        "Nothing": same_as[1],
        "had been doubled": same_as[2],
        "had been halved": same_as[0.5],
        "$v$ is doubled": np.allclose(twice.w, 2 * single[1].w, rtol=1e-4),
    }


@answers("09b-box", r"$\alpha_i=C$", "certain")
def price_equals_fee():
    X, y = random_separable(4)
    top = solve_svm(X, y, bias=False).alpha.max()
    at_its_hard_price = solve_svm(X, y, C=top, bias=False)  # on the edge, without slack
    noisy = [solve_svm(*datasets.noisy(30, 2, 0.2, seed), C=1) for seed in range(3)]
    places = [
        m
        for svm in (at_its_hard_price, *noisy)
        for m in svm.margins[svm.alpha > (1 - 1e-6) * svm.C]
    ]
    return {
        "misclassified": all(m <= 0 for m in places),
        "not beyond the edge": len(places) > 10 and all(m < 1 + 1e-6 for m in places),
        "positive slack": all(m < 1 - 1e-6 for m in places),
        "on the edge": all(abs(m - 1) < 1e-6 for m in places),
    }


@answers("09b-alone", "Without a threshold", "constraints of the dual")
def prices_that_move():
    def fewest(equations, n):
        """Return how many entries a direction that the equations allow has at least."""
        for size in range(1, n + 1):
            for some in combinations(range(n), size):
                columns = [[row[i] for i in some] for row in equations]
                if size > (np.linalg.matrix_rank(columns) if columns else 0):
                    return size
        return None

    assert fewest([[1, -1, 1, -1]], 4) == 2  # with Σ αy = 0, as with a threshold
    names = {"One": 1, "Two": 2, "Three": 3, "All": 4}
    return {name: fewest([], 4) == number for name, number in names.items()}


@answers("09b-unknowns", "Gaussian kernel", "500 pictures", "64 pixels", "dual problem")
def unknowns_of_the_dual():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 64)), rng.choice((-1, 1), 500)
    unknowns = solve_svm(X, y, C=1, kernel=rbf(0.01)).alpha.size
    return {
        "64:": unknowns == 64,
        "Infinitely": math.isinf(unknowns),
        "32 000": unknowns == 64 * 500,
        "500:": unknowns == 500,
    }


# 10: flaws


def guilty_line(*lines):
    """Return which line is the only false one, as the choices name it."""
    assert sum(not line for line in lines) == 1, lines
    return {f"Line {k}:": not line for k, line in enumerate(lines, 1)}


@answers("10-separators", "Two separators", "guilty")
def sum_of_separators():
    a, b, c = np.array([0, 1]), np.array([1, 1]), np.array([-1, 0])
    w1, w2 = (separate([a, other], [1, -1], bias=False).halfspace.w for other in (b, c))
    w = w1 + w2
    return guilty_line(
        w1 @ a > 0 > w1 @ b and w2 @ a > 0 > w2 @ c,
        w @ a == w1 @ a + w2 @ a > 0,
        w1 @ b < 0 and w2 @ c < 0,
        w @ b < 0 and w @ c < 0,
    )


@answers("10-list", "A list as a sum", "guilty")
def list_with_votes():
    k = 5
    X = cube(k)
    votes = [2 ** (k - i) for i in range(k)]  # of the rules; the default has 1
    speaks = np.column_stack([X[:, 0], 1 - X[:, 1:]])
    right = np.column_stack([votes[0] * speaks[:, 0], -np.array(votes[1:]) * speaks[:, 1:]])
    claimed = right.copy()
    claimed[:, -1] = 2 * X[:, -1]
    rules = [(1, True)] + [(-i, False) for i in range(2, k + 1)]
    says_one = DecisionList(rules, default=True, d=k)(X) == 1
    return guilty_line(
        (right[:, 0] == 2**k * X[:, 0]).all(),
        votes[1:] == [2**j for j in range(k - 1, 0, -1)],
        (claimed == right).all(),
        all(vote > sum(votes[i + 1 :]) + 1 for i, vote in enumerate(votes)),
        ((right.sum(axis=1) + 1 >= 1) == says_one).all(),
    )


@answers("10-last", "The last vector", "guilty")
def index_of_the_last_vector():
    X, y, star = np.array([[1]]), np.array([1]), np.array([1])  # one point, one correction
    path = run_perceptron(X, y).path()  # path[0] is w_1
    m, R2 = len(path) - 1, 1
    last = path[m - 1]  # w_m
    line_2 = last @ star >= m
    line_4 = last @ star <= math.sqrt(last @ last) * 1 <= math.sqrt(m * R2)
    return guilty_line(
        all(path[t + 1] @ star >= path[t] @ star + 1 for t in range(m)),
        line_2,
        last @ last <= m * R2,
        line_4,
        not (line_2 and line_4) or m <= R2 * (star @ star),
    )


@answers("10-feature", "One more feature", "guilty")
def radius_forgotten():
    X, y = np.array([[1], [-1]]), np.array([1, -1])
    longer = np.column_stack([X, [10, 9]])
    old, new = (solve_svm(P, y, bias=False).margin for P in (X, longer))
    R2, new_R2 = ((P**2).sum(axis=1).max() for P in (X, longer))
    star, extended = np.array([1]), np.array([1, 0])
    return guilty_line(
        math.isclose(min(y * (X @ star)), old),
        np.linalg.norm(extended) == 1 and (longer @ extended == X @ star).all(),
        new >= old - 1e-9,
        math.isclose(R2 / new**2, new_R2 / new**2),
        R2 / new**2 <= R2 / old**2 + 1e-9,
    )


@answers("10-loop", "A perceptron with a kernel", "guilty")
def index_in_the_sum():
    X, y = random_separable(6)
    run, plain = run_kernel_perceptron(X, y, linear), run_perceptron(X, y)
    alpha = np.bincount(plain.mistakes, minlength=len(y)) * y
    K = X @ X.T
    scores = X @ plain.path()[-1]
    changed = np.diff([np.bincount(plain.mistakes[:t], minlength=len(y)) for t in range(3)], axis=0)
    return guilty_line(
        np.allclose(plain.path()[-1], alpha @ X),
        (np.abs(changed).sum(axis=1) == 1).all(),
        np.allclose(scores, alpha * K.sum(axis=1)),
        np.allclose(scores, K @ alpha) and list(run.mistakes) == list(plain.mistakes),
        plain.converged and (y * scores > 0).all(),
    )


@answers("10-halves", "Two halves", "guilty")
def support_of_the_halves():
    def street(points):
        return solve_svm(points, np.ones(len(points)), bias=False)

    def same_street(a, b):
        return np.allclose(street(a).w, street(b).w)

    A, B = np.array([[1, 0], [1, -2]]), np.array([[-1, 3]])
    kept_of_A, kept_of_B = (half[street(half).support] for half in (A, B))
    everything, left = np.vstack([A, B]), np.vstack([kept_of_A, kept_of_B])
    line_3 = same_street(left, everything)
    return guilty_line(
        len(kept_of_A) < len(A) and same_street(kept_of_A, A),
        same_street(kept_of_B, B),
        line_3,
        len(left) == len(street(A).support) + len(street(B).support),
        not line_3 or same_street(left, everything),
    )


@answers("10-random", "$k=30$", "exactly one", "$2^{30}$", "one million corners")
def random_corners():
    def chance(k, tests):
        return -math.expm1(tests * math.log1p(-(0.5**k)))

    corners = list(product((0, 1), repeat=4))
    misses = sum(corners[0] not in draws for draws in product(corners, repeat=3))
    assert math.isclose(
        chance(4, 3), 1 - misses / len(corners) ** 3
    )  # the formula against all draws, for a small case
    found = chance(30, 10**6)
    return {
        "Practically certain": found > 0.99,
        "63 %": abs(found - 0.63) < 0.05,
        "1 in 10.": 0.05 < found < 0.2,
        "1 in 1000": 1 / 2000 < found < 1 / 500,
    }


@answers(
    "10-index",
    r"$\sum_i\alpha_jK(x_j,x_i)$",
    "Gaussian kernel",
    "20 different points",
    "random labels",
)
def sum_over_the_wrong_index():
    def printed_loop(K, y, sweeps=100):
        alpha, updates = np.zeros(len(y), int), []
        for _ in range(sweeps):
            before = alpha.copy()
            for j in range(len(y)):
                if y[j] * alpha[j] * K[j].sum() <= 0:
                    alpha[j] += y[j]
                    updates.append(j)
            if (alpha == before).all():
                return alpha, updates
        return None, updates

    once, endless, like_perceptron, all_right = [], [], [], []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(20, 2)), rng.choice((-1, 1), 20)
        K = gram(rbf(1), X)
        alpha, updates = printed_loop(K, y)
        assert not has_rule(X, y)
        counts = np.bincount(run_kernel_perceptron(X, y, rbf(1)).mistakes, minlength=20)
        once.append(alpha is not None and (alpha == y).all() and sorted(updates) == list(range(20)))
        endless.append(alpha is None)
        like_perceptron.append((np.bincount(updates, minlength=20) == counts).all())
        all_right.append(alpha is not None and (y * (K @ alpha) > 0).all())
    return {
        "one update for each point": all(once),
        "It never ends": all(endless),
        "the same updates as the kernel perceptron": all(like_perceptron),
        "every point is on its right side": all(all_right),
    }


@answers("10-theorem", "is shown to be false")
def theorem_without_a_proof():
    samples = [random_separable(seed) for seed in range(5)]
    last_vector = all(
        len(run_perceptron(X, y).mistakes) <= (X**2).sum(axis=1).max() * price(X, y)
        for X, y in samples
    )
    X, y = [[0, 1], [1, 1], [-1, 0]], [1, -1, -1]
    two_separators = separate(X, y, bias=False).separable
    theorems = [last_vector, two_separators]  # both had a false line in their proofs
    return {
        "Nothing yet": any(theorems) and not all(theorems),
        "It is false.": not any(theorems),
        "worse constant": all(theorems),
        "false as stated": not any(theorems),
    }


# The tests


@pytest.mark.parametrize("name", sorted(set(COMPUTED) & set(QUESTIONS)))
def test_the_marked_choice_is_true_and_no_other(name):
    question = QUESTIONS[name]
    for words in GIVEN[name]:
        assert words in question.text, (
            f"{name} does not say {words!r} any more, which its answer relies on"
        )
    truth = {letter_of(question, words): bool(true) for words, true in COMPUTED[name]().items()}
    assert truth == {letter: letter == question.answer for letter in question.letters}


def test_every_question_is_computed_or_has_a_reason_not_to_be():
    assert len(IDS) >= FEWEST_QUESTIONS and sorted(IDS) == sorted(QUESTIONS)
    assert set(COMPUTED) | set(NOT_COMPUTED) == set(IDS), (
        "a question has no answer here, or an answer no question"
    )
    assert not set(COMPUTED) & set(NOT_COMPUTED) and all(NOT_COMPUTED.values())


def test_no_letter_is_worth_guessing():
    right = [sum(question.answer == letter for question in QUESTIONS.values()) for letter in "ABCD"]
    assert max(right) - min(right) <= 3, f"A, B, C and D are right {right} times: move some choices"
