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
    prove_mistake_bound,
    rbf,
    run_kernel_perceptron,
    run_perceptron,
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


@answers("02-mirror", "costs 257", "costs 33")
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


@answers("03-200", "100 examples with 200 real features", "training error 0")
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


@answers("04-step", r"$w \leftarrow w + \eta\,yx$", "start at $w = 0$", r"$\eta$ from 1 to 10")
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


@answers("05-scale", "multiplied by 10", "$w_0=0$")
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


@answers("05-stream", "$R=1$", r"$\gamma=0.1$", "30 mistakes", "*same* $w^*$", "at most?")
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
        grows(*place) for place in (("05", "5.1"), ("06", "6.5"), ("06", "6.9"))
    )
    plain = plain or not math.isclose(*bounds)
    return {
        "Only that of the perceptron": plain and not modified and not rescaled,
        "Only that of the modified perceptron": modified and not plain and not rescaled,
        "Only that of the rescaled perceptron": rescaled and not plain and not modified,
        "None of the three": not (plain or modified or rescaled),
    }


# 7: losses


@answers(
    "07-at-zero",
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


@answers("07-hinge-only", "Separable data, hinge loss, **no** norm penalty")
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


# 8: kernels


@answers(
    "08-lift", "million further features", r"(R/\gamma)^2", r"$\gamma$ being the largest margin"
)
def more_features():
    samples = [(np.array([[1], [-1]]), np.array([1, -1])), datasets.two_slow_points(2)]
    ratios, fell = [], []
    for X, y in samples:
        lifts = [np.column_stack([X, feature]) for feature in (0 * y, 1000 * y, 0 * y + 1000)]
        lengths2, prices = zip(*[((P * P).sum(axis=1).max(), price(P, y)) for P in (X, *lifts)])
        bounds = np.multiply(lengths2, prices)
        ratios += (bounds[1:] / bounds[0]).tolist()
        fell += [
            r < lengths2[0] or p > prices[0] * (1 + 1e-6) for r, p in zip(lengths2[1:], prices[1:])
        ]
    assert any(math.isclose(ratio, 1_000_001, rel_tol=1e-6) for ratio in ratios)
    larger, smaller = [ratio > 1.001 for ratio in ratios], [ratio < 0.999 for ratio in ratios]
    return {
        "It stays the same": not any(larger + smaller),
        "It can only get larger": not any(smaller),
        "larger or smaller": any(larger) and any(smaller) and not any(fell),
        "multiplied by about a million": all(1e5 < ratio < 1e7 for ratio in ratios),
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


# 9: duality


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


@answers("09-twice", "*twice*", "soft margin", "same $C$", "whatever the data")
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


# 10: flaws


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
    "10-units",
    "with a suitable constant $K$",
    "all separable data",
    "and all $w^*$",
    r"$\gamma=\min y\langle w^*,x\rangle$",
    r"$R=\max\lVert x\rVert$",
)
def formulas_with_units():
    def least_constant(a, b, c, cases):
        """Return the smallest K for which K‖w*‖^a R^b/γ^c is above the mistakes in all cases."""
        return max(mistakes * gamma**c / (length**a * R**b) for mistakes, length, R, gamma in cases)

    def case(X, y, w, unit=1.0, stretch=1.0):
        X, w = unit * np.asarray(X, float), stretch * np.asarray(w, float)
        return (
            len(run_perceptron(X, y).mistakes),
            np.linalg.norm(w),
            np.linalg.norm(X, axis=1).max(),
            min(np.asarray(y) * (X @ w)),
        )

    def growing(size):
        """Cases of units up to a size, and of streams e_1, …, e_n up to n = size."""
        units = [
            case(*datasets.three_points(), [0, 1], unit, stretch)
            for unit in (1, size, 1 / size)
            for stretch in (1, size, 1 / size)
        ]
        streams = [case(*datasets.unit_stream(n), np.ones(n)) for n in (1, 2, size)]
        samples = [
            case(X, y, solve_svm(X, y, bias=False).w) for X, y in map(random_separable, range(3))
        ]
        return units + streams + samples

    exponents = {
        r"$K\,R^2/\gamma^2$": (0, 2, 2),
        r"$K\,\lVert w^*\rVert R/\gamma$": (1, 1, 1),
        r"$K\,\lVert w^*\rVert^3R^3/\gamma^3$": (3, 3, 3),
        r"$K\,\lVert w^*\rVert R^2/\gamma^2$": (1, 2, 2),
    }
    small, large = growing(16), growing(64)
    assert least_constant(2, 2, 2, large) <= 1 + 1e-9  # Novikoff's theorem
    # A constant that must grow with the cases is none.
    return {
        formula: least_constant(*abc, large) < 1.5 * least_constant(*abc, small)
        for formula, abc in exponents.items()
    }


@answers(
    "10-index", "printed loop of Case 9", "Gaussian kernel", "20 different points", "random labels"
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


@answers(
    "10-dual",
    "$(1,0)$ and $(2,1)$",
    r"primal value is $\frac12$",
    r"over *all* $\alpha\in\mathbb R^2$",
)
def dual_without_signs():
    Z = np.array([[1, 0], [2, 1]])
    assert math.isclose(price(Z, [1, 1]), 1)  # so the primal value is one half
    G = Z @ Z.T
    alpha = np.linalg.solve(
        G, np.ones(2)
    )  # where the gradient 1 − Gα vanishes; G is positive definite, so the maximum
    assert np.linalg.eigvalsh(G).min() > 0
    value = alpha.sum() - alpha @ G @ alpha / 2
    trials = np.random.default_rng(0).uniform(-20, 20, (5000, 2))
    assert (
        trials.sum(axis=1) - np.einsum("ti,ij,tj->t", trials, G, trials) / 2 <= value + 1e-9
    ).all()
    return {
        r"$\frac12$: strong": math.isclose(value, 0.5),
        "$1$": math.isclose(value, 1),
        "unbounded": not math.isfinite(value),
        "Less than": value < 0.5 - 1e-9,
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
