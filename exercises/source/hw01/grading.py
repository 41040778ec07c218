"""What the answers of homework 01 are tried on: mirrors, rules, ties, streets."""

from fractions import Fraction

from coursekit.homework.grading.drawing import draw, inner, once
from coursekit.homework.grading.judging import (
    exact,
    is_exact,
    is_exact_list,
    is_whole_list,
    passes,
)
from coursekit.homework.grading.marking import Behaviour, Question
from halfspaces.certificates import verify_separator


def whole(rng, low, high, n):
    return rng.integers(low, high + 1, n).tolist()


# 1 mirror


def is_telling(w, b, x):
    """Tell whether the image is no whole point, so that every slip shows."""
    square = inner(w, w)
    score = inner(w, x) - b
    return square > 2 and all(w) and score % square and 2 * score % square


def draw_mirrors(rng, d, n):
    def make(rng):
        return whole(rng, -5, 5, d), int(rng.integers(1, 9)), whole(rng, -9, 9, d)

    return draw(rng, make, is_telling, n)


def other_dimensions(rng):
    on_it = ([2, -1, 3, 0], 5, [1, 0, 1, 7])
    halves = ([Fraction(1, 2), Fraction(-1, 3)], Fraction(3, 4), [Fraction(5, 2), 1])
    return [
        ([3], 5, [4]),
        ([-2], int(rng.integers(1, 5)), [7]),
        on_it,
        halves,
        *draw_mirrors(rng, 4, 2),
    ]


# 2 same_rule


def fraction(rng):
    return Fraction(int(rng.integers(2, 9)), int(rng.choice([1, 3, 5, 7])))


def weights(rng, d):
    """Draw d weights and a last entry, none of them 0."""
    return [int(a) for a in rng.integers(1, 9, d + 1) * rng.choice([-1, 1], d + 1)]


def scale(v, factor):
    return [factor * a for a in v]


def one_convention(rng):
    cases = []
    for d in (1, 2, 4):
        v = weights(rng, d)
        c = int(rng.choice([-2, -1, 1, 3]))
        other = [v[0] + 9, *v[1:]]
        last = [*v[:-1], v[-1] + 10]
        cases += [
            (v, c, scale(v, fraction(rng)), c),
            (v, c, last, c),
            (v, c, scale(other, 2) if d > 1 else last, c),
        ]
    gaps = [0, *weights(rng, 2)]
    return [
        *cases,
        (gaps, 1, scale(gaps, 3), 1),
        (gaps, 1, [gaps[1], 0, *gaps[2:]], 1),
        (gaps, 1, [1, *gaps[1:]], 1),
        ([1, *gaps[1:]], 1, gaps, 1),
        ([1, 2, 3], 1, [1, 2, 3], 1),
    ]


def two_conventions(rng):
    cases = []
    for c, e in ((-1, 1), (2, -3), (Fraction(1, 2), 5), (1, 3)):
        v = weights(rng, 3)
        u = [*v[:-1], Fraction(v[-1] * c, 1) / e]
        cases += [
            (v, c, scale(u, fraction(rng)), e),
            (v, c, scale(v, 2), e),
            (v, c, [*v[:-1], v[-1] * c * e + 1], e),
        ]
    return [
        (v, c, u, e)
        for v, c, u, e in cases
        if v[-1] * c * e + 1 != Fraction(v[-1] * c, 1) / e
    ]


def negative_factors(rng):
    v, w = weights(rng, 2), weights(rng, 1)
    through_0 = [*weights(rng, 2)[:2], 0]
    return [
        (v, 1, scale(v, -1), 1),
        (v, 1, v, 1),
        (w, 2, scale(w, -3), 2),
        (through_0, 1, scale(through_0, -2), 1),
        (v, 1, [-a for a in v[:-1]] + v[-1:], -1),
        (through_0, 1, scale(through_0, 2), -1),
        (w, 2, scale(w, 3), 2),
        ([1, 2, 3], 1, [2, 4, 6], 1),
        ([1, 2, 3], 1, scale([1, 2, 3], Fraction(-1, 2)), 1),
    ]


def no_boundary(rng):
    b, f = map(int, rng.integers(2, 9, 2))
    return [
        ([0, 0, b], 1, [0, 0, f], 1),
        ([0, 0, b], 1, [0, 0, -f], 1),
        ([0, 0, b], 1, [0, 0, -f], -2),
        ([0, 0, b], -1, [0, 0, -f], 1),
        ([0, 0], 1, [0, b], 1),
        ([0, 0], 3, [0, -b], 1),
        ([0, b], 1, [1, b], 1),
        ([f, b, 1], 1, [0, 0, 1], 1),
        ([0, 0, -b], 1, [0, 0, 0], 1),
        ([0, 0, 0], 1, [0, 0, 0], -1),
        ([0, 0, -b], 1, [1, 0, -b], 1),
        ([0, 0, -1], 1, [0, 0, b], 1),
        ([0, 0, b], 1, [0, 0, -1], 1),
        ([0, 0, 1], 1, [0, f, 1], 1),
        ([0, f, 1], 1, [0, 0, 1], 1),
        ([0, 0, 0], 1, [f, b, 1], 1),
    ]


# 3 smallest_tie

# The first tie in order, the first without negative numbers and all ties of size up to 5 miss the
# smallest one.
TRICKY = [
    ([2, -3], 19),
    ([3, -1], -20),
    ([1, -2], -19),
    ([-3, -1], 17),
    ([-1, -7], 18),
    ([7, 8], -18),
    ([5, 9], 7),
    ([8, 9], -5),
    ([-9, -7], 10),
    ([9, -7], 17),
    ([-9, -8], 13),
    ([-7, -6], -10),
    ([-8, 9], -12),
    ([-7, 1], 18),
]
# The ties in the smallest box around 0 are not those with the smallest sum.
BOXES = [
    ([3, -2], 12),
    ([2, -1], 19),
    ([8, -3], 15),
    ([2, -1], 9),
    ([4, -1], 15),
    ([5, -2], 6),
    ([7, -4], 20),
]
# No tie has both coordinates up to 5.
FAR = [([1, -2], -19), ([2, -1], -17), ([-2, 1], 17), ([-1, 2], 19)]


def draw_ties(rng):
    return [
        pool[i]
        for pool, n in ((TRICKY, 4), (BOXES, 1), (FAR, 1))
        for i in rng.choice(len(pool), n, replace=False)
    ]


def zero_weights(rng):
    k = int(rng.integers(2, 6))
    return [
        ([0, 3], 3 * k),
        ([k, 0], -2 * k),
        ([1, 0], 20),
        ([0, -1], 20),
        ([0, 1], 20),
        ([-1, 0], 20),
        ([0, 0], 0),
        ([5, 7], 0),
    ]


def no_ties(rng):
    k = int(rng.integers(2, 5))
    return [
        ([2 * k, -4], 2 * int(rng.integers(-5, 5)) + 1),
        ([6, 9], 3 * int(rng.integers(0, 5)) + 2),
        ([0, 0], int(rng.integers(1, 9))),
        ([0, 7], 8),
    ]


def is_smallest_tie(got, want, args, given):
    if want is None or got is None:
        return got is want
    if not is_whole_list(got, 2):
        return False
    w, b = args
    return inner(w, got) == b and abs(got[0]) + abs(got[1]) == abs(want[0]) + abs(
        want[1]
    )


# 4 street


def sides(X, y, w):
    """Return the scores of the positive points and those of the negative ones."""
    scores = [inner(w, x) for x in X]
    above = [s for s, label in zip(scores, y) if label > 0]
    below = [s for s, label in zip(scores, y) if label < 0]
    return above, below


def is_uneven(X, y, w):
    """Tell whether the best threshold, a half, is not the middle of the means or the outermost."""
    above, below = sides(X, y, w)
    if len(above) < 2 or len(below) < 2:
        return False
    twice = min(above) + max(below)
    means = Fraction(sum(above), len(above)) + Fraction(sum(below), len(below))
    return twice % 2 and twice not in (means, max(above) + min(below)) and twice < 0


def is_street(gap):
    return gap > 0


def is_overlap(gap):
    return gap < 0


def draw_streets(rng, gap_is_right, d=3, n=3):
    def make(rng):
        X = rng.integers(-9, 10, (7, d)).tolist()
        w = whole(rng, -5, 5, d)
        b = int(rng.integers(-8, 0))
        y = [1 if inner(w, x) >= b else -1 for x in X]
        if not gap_is_right(1):
            y[0], y[-1] = -y[0], -y[-1]
        return X, y, w

    def good(X, y, w):
        if not is_uneven(X, y, w):
            return False
        above, below = sides(X, y, w)
        return gap_is_right(min(above) - max(below))

    return draw(rng, make, good, n)


def other_streets(rng):
    k = int(rng.integers(2, 9))
    return [
        ([[0], [k], [-k]], [-1, 1, -1], [3]),
        ([[0], [k]], [1, -1], [-1]),
        ([[1, 2], [3, k]], [1, -1], [0, 0]),
        ([[k, 1], [k, 1]], [1, -1], [1, 1]),
        ([[Fraction(1, 2)], [Fraction(k, 3)]], [-1, 1], [Fraction(1, 5)]),
        *draw_streets(rng, is_street, 5, 1),
    ]


def one_label(rng):
    s, t = whole(rng, -9, 9, 2)
    points = [[s, t], [s + 5, t + 5], [s - 1, t]]
    return [
        (points, [1, 1, 1], [1, 2]),
        (points, [-1, -1, -1], [1, 2]),
        ([], [], [1, 2]),
        (points[:1], [-1], [0, 0]),
    ]


# 5 widest


def signed_square(X, y, w):
    """Return the margin of a direction, squared, with its sign, times 4."""
    above, below = sides(X, y, w)
    gap = min(above) - max(below)
    return Fraction(gap * abs(gap), inner(w, w))


# In these, scores, scores over |w1| + |w2| or over the squared length, and directions without
# negative entries all lead astray. A shift changes no gap, so that each makes many.
SEPARABLE = [
    [
        (6, -7, 1),
        (-4, -5, 1),
        (1, -6, 1),
        (-5, -9, 1),
        (9, -5, 1),
        (-6, 2, -1),
        (-7, 7, -1),
        (5, -3, 1),
        (-2, -3, 1),
    ],
    [
        (-8, -3, 1),
        (-5, 6, -1),
        (7, -2, -1),
        (-2, 5, -1),
        (-7, -9, 1),
        (-6, 9, -1),
        (-1, 9, -1),
        (-9, 3, 1),
    ],
    [
        (-6, -8, 1),
        (8, -5, 1),
        (-2, -9, 1),
        (-4, -6, 1),
        (6, -8, 1),
        (-6, -7, 1),
        (9, -8, 1),
        (9, -1, -1),
        (-1, 6, -1),
    ],
    [
        (2, 7, 1),
        (-9, -9, -1),
        (-6, 9, 1),
        (3, 5, 1),
        (-7, 7, 1),
        (7, 0, -1),
        (6, 6, 1),
        (5, 8, 1),
        (3, 8, 1),
    ],
]
INSEPARABLE = [
    [
        (8, -5, -1),
        (-5, -2, 1),
        (-8, 7, -1),
        (2, -5, 1),
        (8, -1, -1),
        (-3, -8, -1),
        (8, -2, -1),
        (-5, -8, -1),
    ],
    [
        (7, -2, -1),
        (-3, -3, -1),
        (6, -8, 1),
        (0, 3, 1),
        (4, 6, -1),
        (-1, 3, 1),
        (4, -4, -1),
        (6, 4, -1),
    ],
    [
        (3, 4, -1),
        (3, -4, 1),
        (6, 4, 1),
        (2, 1, 1),
        (8, 0, 1),
        (2, -2, 1),
        (8, -1, -1),
        (4, -2, -1),
    ],
    [
        (-3, -9, 1),
        (-7, 5, -1),
        (-7, -9, 1),
        (8, 5, -1),
        (5, -8, -1),
        (-6, 3, 1),
        (1, -2, 1),
        (3, 9, 1),
    ],
    [
        (9, -4, 1),
        (8, 8, -1),
        (1, -7, -1),
        (5, -7, 1),
        (1, -2, 1),
        (-7, 9, -1),
        (-4, 1, 1),
        (6, -8, -1),
    ],
]


def shifted(rng, pool, size):
    """Draw two of the samples, shifted and in another order."""
    cases = []
    for k in rng.choice(len(pool), 2, replace=False):
        dx, dy = whole(rng, -9, 9, 2)
        sample = [pool[k][i] for i in rng.permutation(len(pool[k]))]
        X = [[s + dx, t + dy] for s, t, _ in sample]
        y = [label for _, _, label in sample]
        cases.append((X, y, size))
    return cases


def whole_grid(rng):
    """Return pairs whose best directions are ends and corners of the grid, or outside it."""
    k = int(rng.integers(2, 5))
    return [
        ([[0, 0], [k * s, k * t]], [-1, 1], size)
        for s, t, size in (
            (1, 1, 1),
            (-1, 1, 1),
            (1, -1, 1),
            (-1, -1, 1),
            (0, 1, 1),
            (-1, 0, 1),
            (5, 4, 5),
            (-4, 5, 5),
            (3, 1, 3),
            (3, 2, 2),
            (-3, -2, 2),
        )
    ]


def is_widest(got, want, args, given):
    if not is_whole_list(got, 2):
        return False
    X, y, size = args
    return (
        any(got)
        and max(map(abs, got)) <= size
        and signed_square(X, y, got) == signed_square(X, y, want)
    )


# 6 my_certificate


def parts(got):
    """Return w, b, i, j if they are of the right kind, or nothing."""
    if not isinstance(got, (list, tuple)) or len(got) != 4:
        return None
    w, b, i, j = got
    if not is_exact_list(w, 2) or not any(w) or not is_exact(b):
        return None
    return (w, b, i, j) if type(i) is type(j) is int else None


def separates(got, want, args, given):
    found = parts(got)
    if found is None:
        return False
    w, b, _, _ = found
    return passes(verify_separator, exact(given["X"]), exact(given["y"]), exact(w), b)


def meets(got, want, args, given):
    if not separates(got, want, args, given):
        return False
    w, b, i, j = parts(got)
    X, y = given["X"], given["y"]
    if not (0 <= i < len(X) and 0 <= j < len(X)):
        return False
    if (y[i], y[j]) != (1, -1):
        return False
    least = min(label * (inner(w, x) - b) for x, label in zip(X, y))
    across = [s - t for s, t in zip(X[i], X[j])]
    return 4 * least**2 == inner(across, across) * inner(w, w)


QUESTIONS = [
    Question(
        "q1",
        function="mirror",
        points=3,
        behaviours=[
            Behaviour(
                "points of the plane, exactly", 1, lambda rng: draw_mirrors(rng, 2, 3)
            ),
            Behaviour(
                "other dimensions, fractions, and points on the mirror",
                1,
                other_dimensions,
            ),
            Behaviour(
                "no mirror where w = 0",
                1,
                lambda rng: [
                    ([0, 0], 3, [1, 2]),
                    ([0], 0, [5]),
                    ([0, 0, 0], -1, [1, 1, 1]),
                ],
            ),
        ],
    ),
    Question(
        "q2",
        function="same_rule",
        points=4,
        behaviours=[
            Behaviour("the same constant on both sides", 1, one_convention),
            Behaviour("two different constants", 1, two_conventions),
            Behaviour("a negative factor keeps the other side", 1, negative_factors),
            Behaviour("rules that say +1 to everything or to nothing", 1, no_boundary),
        ],
    ),
    Question(
        "q3",
        function="smallest_tie",
        points=4,
        behaviours=[
            Behaviour(
                "the smallest tie, wherever it lies", 2, draw_ties, is_smallest_tie
            ),
            Behaviour(
                "weights that are 0, and the threshold 0",
                1,
                zero_weights,
                is_smallest_tie,
            ),
            Behaviour(
                "None where no whole-number point is a tie", 1, no_ties, is_smallest_tie
            ),
        ],
    ),
    Question(
        "q4",
        function="street",
        points=4,
        behaviours=[
            Behaviour(
                "directions that separate the points",
                1,
                lambda rng: draw_streets(rng, is_street),
            ),
            Behaviour(
                "directions that do not separate them",
                1,
                lambda rng: draw_streets(rng, is_overlap),
            ),
            Behaviour("other dimensions, w = 0, and a gap of 0", 1, other_streets),
            Behaviour("None where a label does not occur", 1, one_label),
        ],
    ),
    Question(
        "q5",
        function="widest",
        points=4,
        needs=("q4",),
        behaviours=[
            Behaviour(
                "distances, not scores, for points that can be separated",
                2,
                lambda rng: shifted(rng, SEPARABLE, 4),
                is_widest,
            ),
            Behaviour(
                "points that no direction separates",
                1,
                lambda rng: shifted(rng, INSEPARABLE, 3),
                is_widest,
            ),
            Behaviour(
                "the whole grid, its ends and both signs", 1, whole_grid, is_widest
            ),
        ],
    ),
    Question(
        "q6",
        function="my_certificate",
        points=3,
        needs=("q4", "q5"),
        behaviours=[
            Behaviour("your street separates your points", 1, once, separates),
            Behaviour("your street and your pair of points meet", 2, once, meets),
        ],
    ),
]
