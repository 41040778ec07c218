"""What the answers of homework 06 are tried on: lists, margins, jumps, cones, and a rescue."""

from fractions import Fraction

from coursekit.homework.grading.drawing import add, draw, inner, once, vector
from coursekit.homework.grading.judging import (
    exact,
    is_exact_list,
    is_whole_list,
    passes,
)
from coursekit.homework.grading.marking import Behaviour, Question
from halfspaces.certificates import verify_separator

# 1 list_weights


def alternating(k, first=1):
    return [first * (-1) ** j for j in range(k + 1)]


def alternating_lists(rng):
    k = int(rng.integers(5, 12))
    return [(alternating(n, s),) for n in (2, 3, 4, k) for s in (1, -1)]


def mixed_lists(rng):
    """Draw lists with blocks of equal outputs; the last two rules share or oppose the default."""

    def ending(*end):
        def make(rng):
            return (rng.choice([-1, 1], int(rng.integers(5, 10))).tolist() + list(end),)

        return make

    def good(outputs):
        return (
            3 <= sum(a != b for a, b in zip(outputs, outputs[1:])) <= len(outputs) - 3
        )

    cases = []
    for rule in (-1, 1):
        for default in (-1, 1):
            cases += draw(rng, ending(rule, rule, default), good)
    return cases


def short_lists(rng):
    k = int(rng.integers(2, 6))
    return [
        ([1],),
        ([-1],),
        ([1] * k,),
        ([-1] * k,),
        ([1] * k + [-1],),
        ([-1, 1, 1],),
        ([1, -1],),
        ([1, -1, -1],),
    ]


def long_lists(rng):
    return [
        (alternating(100, int(rng.choice([-1, 1]))),),
        ([*rng.choice([-1, 1], 98).tolist(), 1, 1, 1],),
    ]


# 2 margin2


def corners(p, q):
    return inner(p, p), inner(p, q), inner(q, q)


def pairs(d):
    """Return what draws two points of a dimension."""

    def make(rng):
        return vector(rng, d, 6), vector(rng, d, 6)

    return make


def inside(rng):
    """Draw pairs whose nearest point lies between them: obtuse in the plane, acute in space."""

    def good(p, q):
        a, b, c = corners(p, q)
        if b >= min(a, c) or a * c == b * b or a == c:
            return False
        return b < 0 if len(p) == 2 else b > 0 and p[2] * q[2] != 0

    return draw(rng, pairs(2), good, 3) + draw(rng, pairs(3), good, 3)


def at_an_end(rng):
    """Draw pairs whose nearest point is an end, each of the two, and not that of the line."""

    def good(p, q):
        a, b, c = corners(p, q)
        return a < b and a < c and a * c > b * b and p[2] * q[2] != 0

    at_p = draw(rng, pairs(3), good, 2)
    at_q = [(q, p) for p, q in draw(rng, pairs(3), good, 2)]
    return at_p + at_q


def no_margin(rng):
    p = [int(rng.integers(1, 6)), *vector(rng, 2, 6)]
    k = int(rng.integers(2, 5))
    return [
        (p, [-k * v for v in p]),
        (p, [-v for v in p]),
        (p, [0, 0, 0]),
        ([0, 0, 0], p),
        ([0], [0]),
        ([k], [-1]),
    ]


def odd_pairs(rng):
    """Return pairs that coincide, lie on a ray or the line, at right angles, or hold fractions."""
    p = [*vector(rng, 2, 6), int(rng.integers(2, 6))]
    k = int(rng.integers(2, 7))
    return [
        (p, p),
        (p, [k * v for v in p]),
        ([k * v for v in p], p),
        ([k], [k + 3]),
        ([-k - 1], [-k]),
        ([Fraction(k, 3), 1], [Fraction(-1, 2), Fraction(1, 5)]),
        ([k, 0], [0, 1]),
        ([1, 0], [0, 1]),
        ([1, 0], [1, k]),
        ([1, k], [1, 0]),
    ]


# 3 run_in_jumps


def separable(rng, d, n):
    """Draw points that some vector separates, none of them 0."""
    while True:
        star = vector(rng, d, 4)
        points = dict.fromkeys(map(tuple, rng.integers(-5, 6, (40, d)).tolist()))
        Z = [list(z) for z in points if 0 < inner(star, z) < 5][:n]
        if len(Z) == n:
            return Z


def first(wrong, w):
    return wrong[0]


def last(wrong, w):
    return wrong[-1]


def worst(wrong, w):
    return min(wrong, key=lambda z: inner(w, z))


def trace(Z, limit=100, choose=first):
    """Return the list of (z, m, score) of the jumps and the final w."""
    w = [0] * len(Z[0])
    found = []
    while len(found) < limit:
        wrong = [z for z in Z if inner(w, z) <= 0]
        if not wrong:
            break
        z = choose(wrong, w)
        score = inner(w, z)
        m = -score // inner(z, z) + 1
        w = [a + m * b for a, b in zip(w, z)]
        found.append((z, m, score))
    return found, w


def depends_on_choice(Z, limit):
    """Tell whether it matters which mistake is taken."""
    return trace(Z, limit)[1] not in (
        trace(Z, limit, last)[1],
        trace(Z, limit, worst)[1],
    )


def whole_runs(rng):
    """Draw runs with jumps of several updates, several mistakes to choose from, and a late tie."""

    def good(Z, limit):
        jumps, _ = trace(Z)
        if not 4 < len(jumps) < 50 or not any(m > 1 for _, m, _ in jumps):
            return False
        has_tie = any(score == 0 for _, _, score in jumps[1:])
        lands_on_0 = any(score and score % inner(z, z) == 0 for z, _, score in jumps)
        return has_tie and lands_on_0 and depends_on_choice(Z, limit)

    def plane(rng):
        return separable(rng, 2, 5), 100

    def space(rng):
        return separable(rng, 3, 5), 100

    return draw(rng, plane, good, 2) + draw(rng, space, good, 2)


def stopped_runs(rng):
    def good(Z, limit):
        return len(trace(Z)[0]) > 5 and depends_on_choice(Z, 3)

    runs = [Z for Z, _ in draw(rng, lambda rng: (separable(rng, 3, 5), 0), good, 2)]
    return [(Z, n) for Z in runs for n in (1, 3, 4)] + [
        ([[1, 1], [-1, -1]], 7),
        ([[2], [-1]], 6),
    ]


def giants(rng):
    t = int(rng.integers(10**11, 10**12))
    return [
        ([[t, 1], [-1, 0]], 7),
        ([[-1, 0], [t, 1]], 6),
        ([[t, t + 1], [-1, 0], [0, 3]], 9),
        ([[t, 1], [-t, 1]], 5),
    ]


def small_runs(rng):
    Z = separable(rng, 2, 3)
    k = int(rng.integers(2, 9))
    return [
        ([], 0),
        ([], 5),
        (Z, 0),
        ([[k]], 9),
        ([[-k], [-1]], 9),
        ([[k, 0, 0, 1]], 1),
        ([[k, 0], [0, 1]], 9),
    ]


# 4 settle


def is_outside(w, z, sigma2):
    return inner(w, z) < 0 and inner(w, z) ** 2 >= sigma2 * inner(w, w) * inner(z, z)


def one_step(rng):
    """Draw single points, not of length 1, that are wrong and outside the cone."""

    def make(rng):
        return [vector(rng, 3, 6)], vector(rng, 3, 6), Fraction(1, 50), 5

    def good(Z, w, sigma2, limit):
        [z] = Z
        return (
            is_outside(w, z, 2 * sigma2)
            and inner(z, z) > 2
            and inner(w, z) % inner(z, z)
        )

    return draw(rng, make, good, 4)


def cones(rng):
    """Draw starts with points that are right, wrong in the cone, and wrong outside of it."""

    def make(rng):
        return (
            rng.integers(-5, 6, (6, 3)).tolist(),
            vector(rng, 3, 6),
            Fraction(1, 4),
            1,
        )

    def good(Z, w, sigma2, limit):
        return all(map(any, Z)) and is_telling(Z, w, sigma2, limit)

    return draw(rng, make, good, 2)


def modified(Z, w, outside, choose, limit):
    """Return how many updates the modified perceptron makes, and the final w, in any variant."""
    made = 0
    while made < limit:
        bad = [z for z in Z if outside(w, z)]
        if not bad:
            break
        z = choose(bad, w)
        part = Fraction(inner(w, z)) / inner(z, z)
        w = [a - part * b for a, b in zip(w, z)]
        made += 1
    return made, w


def is_telling(Z, w, sigma2, limit):
    """Tell whether none of the usual slips leads to the same end, and equality plays no part."""

    def square(w, z):
        return inner(w, z) ** 2

    def lengths(w, z):
        return inner(w, w) * inner(z, z)

    def outside(w, z):
        return is_outside(w, z, sigma2)

    def strictly_outside(w, z):
        return inner(w, z) < 0 and square(w, z) > sigma2 * lengths(w, z)

    def without_cone(w, z):
        return inner(w, z) < 0

    def squared_twice(w, z):
        return inner(w, z) < 0 and square(w, z) >= sigma2**2 * lengths(w, z)

    def without_length_of_w(w, z):
        return inner(w, z) < 0 and square(w, z) >= sigma2 * inner(z, z)

    def on_either_side(w, z):
        return inner(w, z) != 0 and square(w, z) >= sigma2 * lengths(w, z)

    right = modified(Z, w, outside, first, limit)
    if right != modified(Z, w, strictly_outside, first, limit):
        return False
    if any(right == modified(Z, w, outside, choose, limit) for choose in (last, worst)):
        return False
    slips = (without_cone, squared_twice, without_length_of_w, on_either_side)
    return all(right != modified(Z, w, slip, first, limit) for slip in slips)


def whole_settlings(rng):
    """Draw runs that end by themselves after some updates, and the same cut short."""

    def make(rng):
        Z = [z for z in rng.integers(-4, 5, (7, 3)).tolist() if any(z)]
        return Z, vector(rng, 3, 6), Fraction(1, 16), 12

    def good(Z, w, sigma2, limit):
        made, _ = modified(Z, w, lambda w, z: is_outside(w, z, sigma2), first, limit)
        return 3 <= made <= 8 and is_telling(Z, w, sigma2, limit)

    runs = draw(rng, make, good, 2)
    return runs + [(Z, w, sigma2, 2) for Z, w, sigma2, _ in runs]


def odd_settlings(rng):
    """Return a cosine of exactly σ, ties, a start at 0, a w that becomes 0, no points or steps."""
    k = int(rng.integers(2, 9))
    third = Fraction(1, 3)
    return [
        ([[k, 0]], [-3, 4], Fraction(9, 25), 5),
        ([[k, 0]], [-3, 4], Fraction(37, 100), 5),
        ([[0, k]], [3, 0], third, 5),
        ([[k, 1]], [0, 0], third, 5),
        ([[1, 0]], [-third, third**2], third, 3),
        ([[k, 0], [0, 1]], [-1, 0], Fraction(1), 5),
        ([[-k]], [2], Fraction(1), 3),
        ([], [k, 1], third, 5),
        ([[k, 0]], [-3, 4], third, 0),
        ([[third, k]], [third, -2], Fraction(1, 9), 3),
    ]


# 5 my_rescue


def parts(got):
    """Return B and w if they are of the right kind, or nothing."""
    if not isinstance(got, (list, tuple)) or len(got) != 2:
        return None
    B, w = got
    if not isinstance(B, list) or len(B) != 2 or not is_exact_list(w, 2):
        return None
    if not all(is_whole_list(row, 2) for row in B):
        return None
    return B, w


def separates(got, want, args, given):
    found = parts(got)
    if found is None:
        return False
    _, w = found
    Z = given["Z"]
    return passes(verify_separator, exact(Z), exact([1] * len(Z)), exact(w))


def is_easy(got, want, args, given):
    """Tell whether the determinant is ±1 and sweeps make at most 10 mistakes."""
    found = parts(got)
    if found is None:
        return False
    B, _ = found
    if abs(B[0][0] * B[1][1] - B[0][1] * B[1][0]) != 1:
        return False
    rows = [[inner(z, column) for column in zip(*B)] for z in given["Z"]]
    w = [0, 0]
    made = 0
    before = -1
    while before < made <= 10:
        before = made
        for z in rows:
            if inner(w, z) <= 0:
                w = add(w, z)
                made += 1
    return made <= 10


QUESTIONS = [
    Question(
        "q1",
        function="list_weights",
        points=4,
        behaviours=[
            Behaviour("lists that alternate", 1, alternating_lists),
            Behaviour("lists in any pattern", 1, mixed_lists),
            Behaviour(
                "one output only, short lists, and no rule at all", 1, short_lists
            ),
            Behaviour("lists of 100 rules", 1, long_lists),
        ],
    ),
    Question(
        "q2",
        function="margin2",
        points=4,
        behaviours=[
            Behaviour("the nearest point lies between p and q", 1, inside),
            Behaviour("the nearest point is p or q", 1, at_an_end),
            Behaviour(
                "the line, one ray, p = q, right angles, fractions", 1, odd_pairs
            ),
            Behaviour("None where nothing separates", 1, no_margin),
        ],
    ),
    Question(
        "q3",
        function="run_in_jumps",
        points=4,
        behaviours=[
            Behaviour("runs to the end, with ties and repeated updates", 1, whole_runs),
            Behaviour("runs that the limit stops", 1, stopped_runs),
            Behaviour("jumps of many millions of updates", 1, giants),
            Behaviour("no points, no jumps, one point", 1, small_runs),
        ],
    ),
    Question(
        "q4",
        function="settle",
        points=4,
        behaviours=[
            Behaviour("a single step, for points of any length", 1, one_step),
            Behaviour("the first mistake outside the cone", 1, cones),
            Behaviour(
                "several updates, to the end or to the limit", 1, whole_settlings
            ),
            Behaviour(
                "a cosine of exactly σ, ties, w = 0, no points", 1, odd_settlings
            ),
        ],
    ),
    Question(
        "q5",
        function="my_rescue",
        points=4,
        behaviours=[
            Behaviour(
                "your points are easy after your change of coordinates",
                2,
                once,
                is_easy,
            ),
            Behaviour("your w separates your points as they were", 2, once, separates),
        ],
    ),
]
