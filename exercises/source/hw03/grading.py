"""What the answers of homework 03 are tried on: claims with their certificates."""

from fractions import Fraction
from itertools import product

import numpy as np
from coursekit.homework.grading.drawing import add, inner, once
from coursekit.homework.grading.judging import (
    exact,
    is_exact,
    is_exact_list,
    passes,
    plain,
)
from coursekit.homework.grading.marking import Behaviour, Question
from halfspaces.certificates import verify_no_separator, verify_separator

HALF = Fraction(1, 2)
THIRD = Fraction(1, 3)


def is_separator(X, y, w, b):
    """Tell whether w and b are exact and separate the points, of which there may be none."""
    d = len(X[0]) if X else 1
    if not is_exact_list(w, d) or not is_exact(b):
        return False
    return not X or passes(verify_separator, exact(X), exact(y), exact(w), b)


def is_certificate(X, y, weights):
    """Tell whether weights are exact and prove that nothing separates the points."""
    if not is_exact_list(weights, len(X)):
        return False
    return passes(verify_no_separator, exact(X), exact(y), exact(weights))


def whole(rng, low, high, *shape):
    return rng.integers(low, high + 1, shape).tolist()


# 1 judge


def draw_separators(rng):
    """Return separators in several dimensions, and the same with a point on the wrong side."""
    cases = [
        ([], [], ("separator", [1, 2], 3)),
        ([[0, 0], [1, 1]], [1, 1], ("separator", [0, 0], -1)),
        ([[0, 0], [1, 1]], [1, 1], ("separator", [0, 0], 0)),
        ([[2], [1]], [-1, 1], ("separator", [-2], -3)),
    ]
    for d in (1, 2, 4):
        w = [int(a) for a in rng.choice([-3, -2, -1, 1, 2, 3], d)]
        X = [*whole(rng, -9, 9, 6, d), [-2 * a for a in w], [3 * a for a in w]]
        b = inner(w, X[int(rng.integers(6))]) - HALF
        y = [1 if inner(w, x) > b else -1 for x in X]
        cases.append((X, y, ("separator", w, b)))
        for k in (0, 5, 7):
            cases.append((X, flipped(y, k), ("separator", w, b)))
    return cases


def flipped(y, k):
    """Return the labels with one of them turned."""
    return [-label if i == k else label for i, label in enumerate(y)]


def ties(rng):
    """Return claims that only a tie, or only the sign of b, spoils."""
    k = int(rng.integers(2, 9))
    pair = [[0, 0], [k, 0]]
    line = [[k], [k + 2]]
    y = [-1, 1]
    return [
        *((pair, y, ("separator", [1, 0], b)) for b in (0, 1, k)),
        (line, y, ("separator", [0], 0)),
        (line, y, ("separator", [1], -k - 1)),
        (line, y, ("separator", [1], k + 1)),
    ]


def meeting(rng, d, total=6):
    """Return points and labels that nothing separates, with a certificate that uses four."""
    a, b, c = whole(rng, -9, 9, 3, d)
    p = [
        s + t - u for s, t, u in zip(a, b, c)
    ]  # the middle of p and c is that of a and b
    X = [a, b, p, c, *whole(rng, -9, 9, total - 4, d)]
    order = rng.permutation(total)
    y = [1, 1, -1, -1, *rng.choice([-1, 1], total - 4).tolist()]
    lam = [Fraction(1, 4)] * 4 + [Fraction(0)] * (total - 4)
    return tuple([v[i] for i in order] for v in (X, y, lam))


def draw_certificates(rng):
    """Return true certificates, and the same with a point or a label moved."""
    cases = []
    for d in (1, 2, 3):
        X, y, lam = meeting(rng, d)
        i = next(i for i, a in enumerate(lam) if a)
        cases.append((X, y, ("certificate", lam)))
        for k in range(d):
            moved = [list(x) for x in X]
            moved[i][k] += 1
            cases.append((moved, y, ("certificate", lam)))
        cases.append((X, flipped(y, i), ("certificate", lam)))
    a, b = (int(v) for v in rng.choice(range(1, 9), 2, replace=False))
    mean = Fraction(2 * a + b, 3)
    return [
        *cases,
        ([[a], [b], [mean]], [1, 1, -1], ("certificate", [THIRD, THIRD / 2, HALF])),
        ([[a], [b], [mean]], [1, 1, -1], ("certificate", [THIRD / 2, THIRD, HALF])),
        # the points cancel, the classes do not
        ([[0], [0]], [1, -1], ("certificate", [THIRD, 2 * THIRD])),
        ([[0, 0], [1, 0]], [1, 1], ("certificate", [1, 0])),
    ]


def odd_weights(rng):
    """Return weights that cancel and are no certificate, and some that are."""
    X, y, lam = meeting(rng, 2)
    k = int(rng.integers(2, 6))
    line = [[0], [k], [2 * k], [3 * k]]
    more = [meeting(rng, 1), meeting(rng, 3)]
    twice = [[k], [k]]
    labels = [-1, 1]
    return [
        (X, y, ("certificate", [2 * a for a in lam])),
        (X, y, ("certificate", [0 * a for a in lam])),
        (X, y, ("certificate", lam)),
        (X, y, ("certificate", [-a for a in lam])),
        ([], [], ("certificate", [])),
        (line, [1, 1, -1, -1], ("certificate", [-HALF, 1, HALF, 0])),
        *((twice, labels, ("certificate", [a, a])) for a in (HALF, 1, 0)),
        *((X, y, ("certificate", lam)) for X, y, lam in more),
    ]


# 2 on_the_line


def apart(rng):
    """Return separable numbers, positive on either side, also one apiece, close, in fractions."""
    cases = []
    for sign, (n, m) in product((1, -1), ((1, 1), (3, 4), (1, 3))):
        cut = int(rng.integers(-20, 20))
        above = [cut + Fraction(int(v), 2) for v in rng.integers(1, 9, n)]
        below = [cut - int(v) for v in rng.integers(0, 9, m)]
        cases.append(shuffle(rng, above + below, [sign] * n + [-sign] * m))
    close = int(rng.integers(-20, 20))
    return [
        *cases,
        ([close, close + 1], [1, -1]),
        ([close, close + 1], [-1, 1]),
        ([close, close + Fraction(1, 1000)], [-1, 1]),
    ]


def shuffle(rng, x, y):
    order = rng.permutation(len(x))
    return [x[i] for i in order], [y[i] for i in order]


def overlapping(rng):
    """Return numbers of which one class lies inside the other or the two overlap, each in turn."""
    cases = []
    for label in (1, -1):
        s, a, b, c = (int(v) for v in rng.integers(1, 9, 4))
        s = s - 20
        x = [s, s + a, s + a + b, s + a + b + c]
        for pattern in ([1, -1, -1, 1], [1, -1, 1, -1], [-1, 1, -1, 1]):
            cases.append(shuffle(rng, x, [label * p for p in pattern]))
        cases.append(
            shuffle(rng, [s, s + Fraction(a, 3), s + a], [label, -label, label])
        )
        several = [2 * v + 40 for v in x] + [2 * s + 41, 2 * s + 41]
        cases.append(
            shuffle(rng, several, [label, -label, label, label, -label, -label])
        )
    return cases


def touching(rng):
    """Return numbers with a value that both labels have: at an end, inside a class, or alone."""
    k = int(rng.integers(-9, 9))
    cases = [([k, k], [1, -1]), ([k, k, k], [-1, 1, -1])]
    for label in (1, -1):
        cases += [
            shuffle(rng, [k, k, k - 3], [label, -label, label]),
            shuffle(rng, [k, k, k + 2], [label, -label, label]),
            shuffle(rng, [k, k, k + 2, k - 5], [label, -label, label, -label]),
            shuffle(rng, [k, k, k, k], [label, -label, -label, -label]),
            shuffle(rng, [k, k, k - 1, k + 3], [-label, -label, label, label]),
        ]
    return cases


def one_label(rng):
    k = int(rng.integers(1, 9))
    return [
        ([], []),
        ([k], [1]),
        ([-k], [-1]),
        ([0, 0], [1, 1]),
        ([k, -k, 0], [-1] * 3),
        ([k, -k, 0], [1] * 3),
        ([k, k + 1], [-1, -1]),
        ([-k, -k], [1, 1]),
    ]


def is_true(got, want, args, given):
    """Tell whether a claim is true, and as good as it can be on the line."""
    x, y = args
    X = [[t] for t in x]
    if not isinstance(got, list) or not got or not isinstance(got[0], str):
        return False
    kind, *rest = got
    if kind == "separator" and len(rest) == 2:
        return is_separator(X, y, *rest) and is_in_the_middle(x, y, *rest)
    if kind != "certificate" or len(rest) != 1 or not is_certificate(X, y, *rest):
        return False
    shared = {t for t, label in zip(x, y) if label > 0} & {
        t for t, label in zip(x, y) if label < 0
    }
    return sum(a != 0 for a in rest[0]) == (2 if shared else 3)


def is_in_the_middle(x, y, w, b):
    """Tell whether the nearest numbers of the two labels have opposite scores."""
    scores = {
        label: [abs(w[0] * t - b) for t, s in zip(x, y) if s == label]
        for label in (1, -1)
    }
    return not all(scores.values()) or min(scores[1]) == min(scores[-1])


# 3 fit


def independent(P):
    """Tell whether the determinant of the differences from the first point is not 0."""
    rows = [[s - t for s, t in zip(p, P[0])] for p in P[1:]]
    return not rows or round(np.linalg.det(np.array(rows, float)), 6) != 0


def draw_fits(rng, *dimensions):
    """Draw d + 1 independent points and both labels, so that w and b are not all whole."""
    cases = []
    while len(cases) < len(dimensions):
        d = dimensions[len(cases)]
        P = whole(rng, -9, 9, d + 1, d)
        y = rng.choice([-1, 1], d + 1).tolist()
        volume = abs(np.linalg.det(np.array([[*p, 1] for p in P], float)))
        if len(set(y)) == 2 and independent(P) and volume > 4.5:
            cases.append((P, y))
    return cases


def other_fits(rng):
    k = int(rng.integers(2, 9))
    return [
        *draw_fits(rng, 1, 3, 4),
        ([[k, 0], [0, k], [0, 0]], [1, 1, 1]),
        ([[k], [-k]], [-1, -1]),
        ([[HALF, k], [THIRD, 0], [0, 1]], [1, -1, 1]),
    ]


def dependent(rng):
    a = whole(rng, -9, 9, 2)
    step = [1, int(rng.integers(2, 6))]
    row = [[a[k] + n * step[k] for k in (0, 1)] for n in (0, 3, 1)]
    flat = [[*p, p[0] + 2 * p[1]] for p in whole(rng, -9, 9, 4, 2)]
    return [
        (row, [1, -1, 1]),
        (row, [1, 1, 1]),
        ([[3], [3]], [1, -1]),
        ([[3], [3]], [1, 1]),
        (flat, [1, -1, -1, 1]),
        ([a, a, [0, 20]], [1, 1, -1]),
        ([a, [0, 20], a], [1, -1, 1]),
    ]


# 4 refuse


def quadrilateral(rng):
    a, k = whole(rng, -9, 9, 2), int(rng.integers(1, 5))
    corners = [[0, 0], [4 + k, 1], [5, 6 + k], [-1, 3]]
    return [[a[0] + s, a[1] + t] for s, t in (corners[i] for i in rng.permutation(4))]


def inside(rng):
    a, k = whole(rng, -9, 9, 2), int(rng.integers(1, 5))
    corners = [[0, 0], [9, k], [k, 9], [3, 4]]
    return [[a[0] + s, a[1] + t] for s, t in (corners[i] for i in rng.permutation(4))]


def other_sets(rng):
    return [
        ([[int(v)] for v in rng.choice(30, 3, replace=False)],),
        (whole(rng, -9, 9, 5, 3),),
        (whole(rng, -9, 9, 6, 4),),
        (whole(rng, -9, 9, 6, 2),),
        ([[HALF, 1], [2, THIRD], [5, 5], [-1, 0]],),
    ]


def unpleasant(rng):
    k = int(rng.integers(1, 9))
    row = [[n, k * n] for n in (0, 3, 1, 2)]
    return [
        (row,),
        ([[k, k]] * 4,),
        ([[0, 0], [k, 1], [0, 0], [2, 5]],),
        ([[k], [k], [0]],),
        ([[k], [0], [0]],),
        ([[0, 0], [2, 2], [k, -k], [1, 1]],),
        ([[0, 0, 0], [1, 1, 1], [2, 2, 2], [3, 3, 3], [0, k, 1]],),
    ]


def is_refused(got, want, args, given):
    [P] = args
    got = plain(got)
    if not isinstance(got, list) or len(got) != 2:
        return False
    y, weights = got
    if not is_exact_list(y, len(P)) or not set(y) <= {-1, 1}:
        return False
    return is_certificate(P, [int(label) for label in y], weights)


# 5 shortest


def crossing(rng, d):
    """Return d + 2 points of which no fewer are a proof, in any order, and one more, far away."""
    simplex = [[8 * (i == j) for j in range(d)] for i in range(-1, d)]
    P = [*simplex, [1] * d, [-9, *[-7] * (d - 1)]]
    y = [-1] * (d + 1) + [1, -1]
    sign = int(rng.choice([-1, 1]))
    shift = whole(rng, -5, 5, d)
    order = [*rng.permutation(d + 2), d + 2]
    return [add(P[i], shift) for i in order], [sign * y[i] for i in order]


def draw_proofs(rng):
    """Draw points of each dimension; on the line three equal labels stand before the proof."""
    k, sign = int(rng.integers(-9, 9)), int(rng.choice([-1, 1]))
    line = [[k], [k + 9], [k + 17], [k + 10]], [sign, sign, sign, -sign]
    return [line, *(crossing(rng, d) for d in (1, 2, 3)), meeting(rng, 2, 5)[:2]]


def shorter(rng, size):
    """Return points with proofs of every length from `size` on, the longest first in order."""
    cases = []
    for d in (2, 3):
        P, y = crossing(rng, d)
        k, sign = int(rng.integers(20, 30)), int(rng.choice([-1, 1]))
        start = [k + 7 * i for i in range(d)]
        step = [3, 2, 1]
        places = (0, 0) if size == 2 else (0, 1, 3, 2)
        ends = [[s + n * t for s, t in zip(start, step)] for n in places]
        labels = [
            *[sign] * (len(ends) - 1),
            -sign,
        ]  # three equal labels in a row are no proof
        cases.append(([*P[:5], *ends], [*y[:5], *labels]))
    return cases


def separable(rng):
    cases = [
        ([[3, 4]], [1]),
        ([[3], [3]], [-1, -1]),
        ([[0, 0], [1, 0], [2, 0], [3, 1]], [-1, -1, 1, 1]),
    ]
    for d in (1, 2, 3):
        w = rng.choice([-2, -1, 1, 2], d).tolist()
        X = whole(rng, -9, 9, 6, d)
        cases.append((X, [1 if 2 * inner(w, x) > 1 else -1 for x in X]))
    return cases


def proves(got, want, args, given):
    X, y = args
    return got is None if want is None else is_certificate(X, y, plain(got))


def proves_shortly(got, want, args, given):
    if not proves(got, want, args, given):
        return False
    return sum(a != 0 for a in plain(got)) <= sum(a != 0 for a in want)


# 6 my_blame


def blame(got):
    """Return who is out, w, b and the certificates, or four times nothing."""
    got = plain(got)
    return got if isinstance(got, list) and len(got) == 4 else [None] * 4


def takes_enough(got, want, args, given):
    X, y = given["X"], given["y"]
    out, w, b, _ = blame(got)
    if not isinstance(out, list) or any(
        type(i) is not int or not 0 <= i < len(X) for i in out
    ):
        return False
    left = [i for i in range(len(X)) if i not in out]
    if 2 * len(left) <= len(X):
        return False
    return is_separator([X[i] for i in left], [y[i] for i in left], w, b)


def shares_no_point(got, want, args, given):
    *_, certificates = blame(got)
    if not isinstance(certificates, list) or not certificates:
        return False
    if not all(
        is_certificate(given["X"], given["y"], weights) for weights in certificates
    ):
        return False
    used = [i for weights in certificates for i, a in enumerate(weights) if a]
    return len(used) == len(set(used))


def meets(got, want, args, given):
    if not takes_enough(got, want, args, given) or not shares_no_point(
        got, want, args, given
    ):
        return False
    out, _, _, certificates = blame(got)
    return len(set(out)) == len(certificates)


QUESTIONS = [
    Question(
        "q1",
        function="judge",
        points=3,
        behaviours=[
            Behaviour(
                "separators and their ties",
                1,
                lambda rng: draw_separators(rng) + ties(rng),
            ),
            Behaviour(
                "certificates: the weighted points of both classes cancel",
                1,
                draw_certificates,
            ),
            Behaviour(
                "certificates: no negative weight, and the sum is 1", 1, odd_weights
            ),
        ],
    ),
    Question(
        "q2",
        function="on_the_line",
        points=4,
        needs=("q1",),
        behaviours=[
            Behaviour(
                "separators of the largest margin, with the positive numbers on either side",
                2,
                apart,
                is_true,
            ),
            Behaviour(
                "short certificates where the classes overlap, touch, or numbers repeat",
                1,
                lambda rng: overlapping(rng) + touching(rng),
                is_true,
            ),
            Behaviour("one label only, or no numbers", 1, one_label, is_true),
        ],
    ),
    Question(
        "q3",
        function="fit",
        points=3,
        behaviours=[
            Behaviour(
                "three points of the plane, exactly",
                1,
                lambda rng: draw_fits(rng, 2, 2, 2),
            ),
            Behaviour(
                "other dimensions, fractions, and labels that are all equal",
                1,
                other_fits,
            ),
            Behaviour("None for points that depend on each other", 1, dependent),
        ],
    ),
    Question(
        "q4",
        function="refuse",
        points=2,
        needs=("q1",),
        behaviours=[
            Behaviour(
                "points of any dimension, more than needed, one inside or not",
                1,
                lambda rng: [(quadrilateral(rng),), (inside(rng),), *other_sets(rng)],
                is_refused,
            ),
            Behaviour("points in a row and equal points", 1, unpleasant, is_refused),
        ],
    ),
    Question(
        "q5",
        function="shortest",
        points=5,
        needs=("q1",),
        behaviours=[
            Behaviour("a certificate where there is one", 1, draw_proofs, proves),
            Behaviour(
                "a pair of equal points is the shortest proof",
                1,
                lambda rng: shorter(rng, 2),
                proves_shortly,
            ),
            Behaviour(
                "a point between two others is a shorter proof than four",
                2,
                lambda rng: shorter(rng, 3),
                proves_shortly,
            ),
            Behaviour("None where the points are separable", 1, separable, proves),
        ],
    ),
    Question(
        "q6",
        function="my_blame",
        points=4,
        needs=("q1", "q5"),
        behaviours=[
            Behaviour(
                "your w and b separate the points that are left, which are more than half",
                1,
                once,
                takes_enough,
            ),
            Behaviour(
                "your certificates are true and share no point",
                1,
                once,
                shares_no_point,
            ),
            Behaviour(
                "there are as many certificates as points taken away", 2, once, meets
            ),
        ],
    ),
]
