"""What the answers of homework 02 are tried on: encodings, lightest weights, contradictions."""

from fractions import Fraction
from itertools import product

import numpy as np
from coursekit.homework.grading.drawing import inner, once
from coursekit.homework.grading.judging import exact, passes
from coursekit.homework.grading.marking import Behaviour, Question
from halfspaces.certificates import verify_labels, verify_no_separator


def corners(d):
    return list(product((0, 1), repeat=d))


def holds(literal, x):
    return x[abs(literal) - 1] == (literal > 0)


def value(rules, default, x):
    return next((output for literal, output in rules if holds(literal, x)), default)


def draw_rules(rng, k, signs=(1, -1)):
    """Draw k rules on variables in some order; outputs change at the top, both signs are there."""
    first = [1, 0] if rng.integers(2) else [0, 1]
    outputs = [*first, *rng.integers(0, 2, k)][:k]
    chosen = [signs[0], signs[-1], *rng.choice(signs, k)][:k]
    variables = rng.permutation(k) + 1
    return [
        (int(v * s), int(o))
        for v, s, o in zip(variables, rng.permutation(chosen), outputs)
    ]


# 1 wrong_corners


def encoded(rules, default, d):
    """Return the encoding by doubled votes, to be spoilt."""
    w = [0] * d
    constant = 1 if default else -1
    for j, (literal, output) in enumerate(reversed(rules), 1):
        vote = 2**j if output else -(2**j)
        w[abs(literal) - 1] += vote if literal > 0 else -vote
        constant += vote if literal < 0 else 0
    return w, -constant


def spoilt(rng, signs):
    """Draw lists, and encodings in which the weight of the second rule has the wrong sign."""
    cases = []
    for d, default in ((3, 1), (4, 0), (5, 1)):
        rules = draw_rules(rng, d, signs)
        w, b = encoded(rules, default, d)
        w[abs(rules[1][0]) - 1] *= -1
        cases.append((w, b, rules, default))
    return cases


def at_the_threshold(rng):
    k = int(rng.integers(2, 6))
    return [
        ([k, k], k, [(1, 0)], 1),
        ([k, -k], 0, [(2, 0), (1, 1)], 0),
        ([0, 0], 0, [(1, 1)], 0),
        ([-1, k, 1], 0, [(-2, 0), (3, 1)], 0),
        ([k, 1], 1, [(2, 1)], 0),
        ([0, k], k, [(1, 1)], 1),
    ]


def odd_lists(rng):
    k = int(rng.integers(3, 9))
    return [
        ([k, -1], 1, [], 0),
        ([k, -1], 1, [], 1),
        ([-1], 0, [(1, 1), (-1, 0)], 1),
        ([1], 1, [(-1, 1), (-1, 0)], 0),
        ([1, 1, k], 2, [(2, 1), (-2, 0), (3, 1)], 1),
        ([1, 0, 1], 1, [(3, 0), (3, 1), (-3, 1)], 0),
        ([k, 1], 1, [(-2, 0), (2, 1)], 0),
    ]


# 2 encode


def is_whole(v):
    return isinstance(v, (int, np.integer)) and not isinstance(v, bool)


def weights(got, d):
    """Return w and b as ints if an answer holds d whole weights and a threshold, or nothing."""
    if not isinstance(got, (list, tuple)) or len(got) != 2:
        return None
    w, b = got
    if not isinstance(w, (list, tuple, np.ndarray)) or len(w) != d:
        return None
    return ([int(a) for a in w], int(b)) if all(map(is_whole, [*w, b])) else None


def labels_all(points, values, w, b):
    """Tell whether the halfspace says +1 at exactly the points with the value 1."""
    y = [1 if value else -1 for value in values]
    return passes(verify_labels, exact(points), exact(y), exact(w), b)


def computes(got, want, args, given):
    rules, default, d = args
    found = weights(got, d)
    if found is None:
        return False
    points = hardest(rules, d)
    return labels_all(points, [value(rules, default, x) for x in points], *found)


def hardest(rules, d):
    """List all corners of a small cube; of a large one, those where each rule is the first."""
    if d <= 8:
        return corners(d)
    points = []
    for j in range(len(rules) + 1):
        output = rules[j][1] if j < len(rules) else None
        for follow in ("all", "none", "opposition"):
            x = [0] * d
            for i, (literal, o) in enumerate(rules):
                follows = follow == "all" or follow == "opposition" and o != output
                on = i == j or i > j and follows
                x[abs(literal) - 1] = int(on == (literal > 0))
            points.append(x)
    return points


def positive_lists(rng):
    fixed = [([(1, 1), (2, 0), (3, 1)], 0, 3), ([(1, 0), (2, 1), (3, 0), (4, 1)], 1, 4)]
    return [
        *fixed,
        *((draw_rules(rng, k, (1,)), default, k) for k in (3, 5) for default in (0, 1)),
    ]


def negated_lists(rng):
    fixed = [([(1, 1), (-2, 0), (-3, 0)], 1, 3), ([(-1, 0), (-2, 1), (-3, 0)], 1, 3)]
    return [
        *fixed,
        *((draw_rules(rng, k), default, k) for k in (2, 4, 6) for default in (0, 1)),
    ]


def repeated_variables(rng):
    k = int(rng.integers(1, 4))
    return [
        ([(k, 1), (-k, 0), (4, 1)], 1, 4),
        ([(-k, 1), (-k, 0)], 0, 3),
        ([(1, 0), (2, 1), (1, 1), (-2, 0)], 0, 2),
        ([(k, 0), (4, 1), (k, 1), (-4, 0), (-k, 1)], 0, 5),
    ]


def short_lists(rng):
    k = int(rng.integers(2, 5))
    return [
        ([], 0, k),
        ([], 1, k),
        ([(k, 1)], 0, 4),
        ([(-k, 1)], 0, 4),
        ([(k, 1)], 1, 4),
        ([(1, 0)], 1, 1),
        ([(-1, 0)], 1, 1),
    ]


def in_blocks(rng, outputs):
    """Draw a list with these outputs, the default last, on variables in some order."""
    *outputs, default = outputs
    variables = (rng.permutation(len(outputs)) + 1) * rng.choice([-1, 1], len(outputs))
    return list(zip(variables.tolist(), outputs)), default, len(outputs)


def one_block(rng):
    """Draw lists whose rules all have one output: the smallest weights are 0, 1 or 2."""
    sizes = rng.integers(9, 14, 4).tolist()
    return [
        in_blocks(rng, [o] * n + [default])
        for n, (o, default) in zip(sizes, ((0, 1), (1, 0), (1, 1), (0, 0)))
    ]


def long_lists(rng):
    """Draw lists of seventy rules in four blocks."""
    cases = []
    for start in (0, 1):
        cuts = np.sort(rng.choice(range(10, 61), 3, replace=False))
        sizes = np.diff([0, *cuts, 70])
        outputs = [(start + i) % 2 for i, n in enumerate(sizes) for _ in range(n)]
        cases += [in_blocks(rng, [*outputs, default]) for default in (0, 1)]
    return cases


def is_light(got, want, args, given):
    """Tell whether the halfspace is right and its weights grow with the changes of output only."""
    rules, default, d = args
    found = weights(got, d)
    if found is None or not computes(got, want, args, given):
        return False
    outputs = [output for _, output in rules] + [default]
    changes = sum(a != b for a, b in zip(outputs, outputs[1:]))
    return max(map(abs, found[0])) <= 2 * (len(rules) + 1) ** changes


# 3 lightest and 4 contradiction


def separable_tables():
    """Return the tables of all halfspaces of three variables, with the smallest sum of weights."""
    found = {}
    for w in sorted(product(range(-2, 3), repeat=3), key=lambda w: sum(map(abs, w))):
        scores = [inner(w, x) for x in corners(3)]
        for b in {*scores, max(scores) + 1}:
            found.setdefault(tuple(int(s >= b) for s in scores), sum(map(abs, w)))
    return found


LIGHTEST = separable_tables()
NONE = [table for table in product((0, 1), repeat=8) if table not in LIGHTEST]
XOR = [
    [0, 1, 1, 0],
    [1, 0, 0, 1],
    [0, 1, 1, 0] * 2,
    [0, 1, 0, 1, 1, 0, 1, 0],
    [0, 0, 1, 1, 1, 1, 0, 0],
    [0, 1, 1, 0, 1, 0, 0, 1],
    [1, 0, 0, 1, 0, 1, 1, 0],
]


def draw_tables(rng, tables, n):
    return [
        (list(map(int, tables[i])),) for i in rng.choice(len(tables), n, replace=False)
    ]


def of_weight(rng, *counts):
    """Draw so many tables for each smallest sum of weights."""
    return [
        case
        for total, n in counts
        for case in draw_tables(rng, [t for t in LIGHTEST if LIGHTEST[t] == total], n)
    ]


def small_tables(rng):
    return [
        ([0, 0],),
        ([1, 1],),
        ([1, 0],),
        ([0, 1],),
        ([0] * 4,),
        ([1] * 4,),
        ([0, 0, 1, 1],),
        ([1, 0, 1, 0],),
        ([1, 0, 1, 1],),
        ([0, 0, 1, 0],),
        ([1, 0, 0, 0],),
        ([0] * 8,),
        ([1] * 8,),
        *of_weight(rng, (1, 2)),
    ]


def is_lightest(got, want, args, given):
    [table] = args
    d = len(table).bit_length() - 1
    if want is None or got is None:
        return got is want
    found = weights(got, d)
    if found is None or not labels_all(corners(d), table, *found):
        return False
    return sum(map(abs, found[0])) == sum(map(abs, want[0]))


def contradicts(got, want, args, given):
    """Tell whether the corners are a proof: each is one vote against any halfspace."""
    [table] = args
    if want is None or got is None:
        return got is want
    if not isinstance(got, (list, tuple)) or len(got) != 2:
        return False
    if not all(isinstance(part, (list, tuple)) for part in got):
        return False
    points = corners(len(table).bit_length() - 1)
    values = dict(zip(points, table))
    true, false = ([as_corner(x) for x in part] for part in got)
    votes = true + false
    if not 0 < len(votes) <= 2000:
        return False
    if any(values.get(x) != 1 for x in true) or any(values.get(x) != 0 for x in false):
        return False
    weights = [Fraction(votes.count(x), len(votes)) for x in points]
    y = [1 if value else -1 for value in table]
    return passes(verify_no_separator, exact(points), exact(y), exact(weights))


def as_corner(x):
    """Return a corner as a tuple of ints, or nothing."""
    if not isinstance(x, (list, tuple, np.ndarray)) or not all(map(is_whole, x)):
        return None
    return tuple(map(int, x))


def is_open(table):
    """Tell whether two true corners are opposite, and two false ones: their sums are equal."""
    opposite = list(zip(table, reversed(table)))
    return (1, 1) in opposite and (0, 0) in opposite


OPEN = [table for table in NONE if is_open(table)]
# In these, every contradiction of four corners lies in one face.
HIDDEN = [table for table in NONE if not is_open(table)]


# 5 my_misprint


def misprint(got, given):
    """Return the corner of an answer and those where its w and b fail, or two that differ."""
    if not isinstance(got, (list, tuple)) or len(got) != 3:
        return None, []
    found = weights(got[1:], 4)
    if found is None:
        return None, []
    w, b = found
    wrong = [x for x, v in zip(corners(4), given["TABLE"]) if (inner(w, x) >= b) != v]
    return as_corner(got[0]), wrong


def is_one_off(got, want, args, given):
    _, wrong = misprint(got, given)
    return len(wrong) == 1


def is_named(got, want, args, given):
    named, wrong = misprint(got, given)
    return wrong == [named]


QUESTIONS = [
    Question(
        "q1",
        function="wrong_corners",
        points=4,
        behaviours=[
            Behaviour(
                "lists without negated literals", 1, lambda rng: spoilt(rng, (1,))
            ),
            Behaviour(
                "lists with negated literals", 1, lambda rng: spoilt(rng, (1, -1))
            ),
            Behaviour("corners exactly at the threshold", 1, at_the_threshold),
            Behaviour(
                "no rules, variables in several rules, and one variable", 1, odd_lists
            ),
        ],
    ),
    Question(
        "q2",
        function="encode",
        points=5,
        behaviours=[
            Behaviour(
                "lists with and without negated literals",
                1,
                lambda rng: positive_lists(rng) + negated_lists(rng),
                computes,
            ),
            Behaviour(
                "variables in several rules or in none, one rule or none",
                1,
                lambda rng: repeated_variables(rng) + short_lists(rng),
                computes,
            ),
            Behaviour("light weights where all rules agree", 1, one_block, is_light),
            Behaviour("light weights for seventy rules", 2, long_lists, is_light),
        ],
    ),
    Question(
        "q3",
        function="lightest",
        points=4,
        behaviours=[
            Behaviour(
                "constant functions, and functions of one or two variables",
                1,
                small_tables,
                is_lightest,
            ),
            Behaviour(
                "halfspaces of three variables, as light as can be",
                2,
                lambda rng: of_weight(rng, (2, 2), (3, 4), (4, 5)),
                is_lightest,
            ),
            Behaviour(
                "None where there is no halfspace",
                1,
                lambda rng: [(XOR[0],), (XOR[1],), *draw_tables(rng, NONE, 3)],
                is_lightest,
            ),
        ],
    ),
    Question(
        "q4",
        function="contradiction",
        points=4,
        behaviours=[
            Behaviour(
                "exclusive or, in two and three variables",
                1,
                lambda rng: [(list(t),) for t in XOR],
                contradicts,
            ),
            Behaviour(
                "other functions of three variables",
                2,
                lambda rng: [*draw_tables(rng, OPEN, 3), *draw_tables(rng, HIDDEN, 6)],
                contradicts,
            ),
            Behaviour(
                "None where the function is a halfspace",
                1,
                lambda rng: [
                    ([0, 1],),
                    ([0, 0, 0, 1],),
                    ([1, 1, 1, 0],),
                    ([1] * 4,),
                    *of_weight(rng, (2, 1), (3, 2), (4, 2)),
                ],
                contradicts,
            ),
        ],
    ),
    Question(
        "q5",
        function="my_misprint",
        points=4,
        behaviours=[
            Behaviour(
                "w and b compute your table but for one corner", 2, once, is_one_off
            ),
            Behaviour("x is this corner", 2, once, is_named),
        ],
    ),
]
