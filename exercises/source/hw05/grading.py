"""What the answers of homework 05 are tried on: ledgers, forged books, promises, misprinted bounds, adversaries."""

from fractions import Fraction

from coursekit.homework.grading.drawing import add, draw, inner
from coursekit.homework.grading.marking import Behaviour, Question


# 1 ledger


def scores(Z, w_star, picks):
    """Return the score of every pick, mistake or not."""
    w, found = [0] * len(w_star), []
    for i in picks:
        found.append(inner(w, Z[i]))
        w = add(w, Z[i]) if found[-1] <= 0 else w
    return found


def repeats(Z, w_star, picks):
    """Tell whether some point is a mistake more than once."""
    wrong = [i for i, s in zip(picks, scores(Z, w_star, picks)) if s <= 0]
    return len(set(wrong)) < len(wrong)


def some_picks(rng, d=3, n=9):
    Z = rng.integers(-4, 5, (5, d)).tolist()
    return Z, rng.integers(-4, 5, d).tolist(), rng.integers(0, 5, n).tolist()


def only_mistakes(rng):
    """Draw runs in which every pick is a mistake, and none after the first a tie."""

    def make(rng):
        Z, w_star, picks = some_picks(rng)
        return Z, w_star, [i for i, s in zip(picks, scores(Z, w_star, picks)) if s <= 0]

    return draw(
        rng,
        make,
        lambda *case: (
            len(case[2]) > 3
            and case[2] != sorted(case[2])
            and repeats(*case)
            and all(s < 0 for s in scores(*case)[1:])
        ),
        3,
    )


def passed_over(rng):
    """Draw runs with picks that are right, a mistake after them, and no tie but the first."""

    def good(*case):
        found = scores(*case)
        right = [k for k, s in enumerate(found) if s > 0]
        return (
            right
            and found[right[0]] == 1
            and 0 not in found[1:]
            and any(s < 0 for s in found[right[0] :])
            and repeats(*case)
        )

    return draw(rng, lambda rng: some_picks(rng, 2), good, 3)


def later_ties(rng):
    """Draw runs with a tie at a w that is not 0."""

    def good(*case):
        Z, w_star, picks = case
        found = scores(*case)
        ties = [i for s, i in zip(found[1:], picks[1:]) if s == 0 and any(Z[i])]
        return ties and sum(s <= 0 for s in found) > 3 and repeats(*case)

    return draw(rng, lambda rng: some_picks(rng, 2), good, 3)


def odd_books(rng):
    k = int(rng.integers(2, 9))
    third, half = Fraction(1, 3), Fraction(-k, 2)
    return [
        ([[k], [-1]], [2], [0, 0, 1, 1, 0]),
        ([[0, 0], [1, k]], [1, 1], [0, 1, 0, 0]),
        ([[1, k]], [1, 1], []),
        ([[half, third], [1, 1]], [third, k], [0, 1, 0, 1]),
        ([[1, 0, 0, k], [0, 0, 0, 0]], [0] * 4, [0, 0, 1]),
    ]


# 2 audit


def books(rng, d=3):
    """Keep honest books of a run of seven mistakes or more; return rows, margin, R2, star2."""
    while True:
        w_star = rng.integers(1, 6, d).tolist()
        Z = [z for z in rng.integers(-6, 7, (30, d)).tolist() if 3 <= inner(w_star, z) <= 9]
        w, rows = [0] * d, []
        while wrong := [i for i, z in enumerate(Z) if inner(w, z) <= 0]:
            i = int(rng.choice(wrong))
            score, w = inner(w, Z[i]), add(w, Z[i])
            rows.append(
                (i, score, inner(w_star, Z[i]), inner(Z[i], Z[i]), inner(w, w_star), inner(w, w))
            )
        if 7 <= len(rows) <= 12:
            return (
                rows,
                min(inner(w_star, z) for z in Z),
                max(inner(z, z) for z in Z),
                inner(w_star, w_star),
            )


NAMES = ("i", "score", "gain", "size", "progress", "square")


def forge(rows, t, **changes):
    """Change entries of row t, counted from 1, and let the sums of this row and the later ones follow."""
    rows = [dict(zip(NAMES, row)) for row in rows]
    row = rows[t - 1]
    up = {
        "progress": changes.get("gain", row["gain"]) - row["gain"] + changes.get("progress", 0),
        "square": 2 * (changes.get("score", row["score"]) - row["score"])
        + changes.get("size", row["size"])
        - row["size"]
        + changes.get("square", 0),
    }
    row.update(
        {name: value for name, value in changes.items() if name in ("score", "gain", "size")}
    )
    for later in rows[t - 1 :]:
        later["progress"] += up["progress"]
        later["square"] += up["square"]
    return [tuple(row.values()) for row in rows]


def is_sound(rows, star2):
    """Tell whether Cauchy–Schwarz holds throughout, so that nothing but the forgery shows."""
    return all(p * p <= q * star2 for *_, p, q in rows)


def forged(rng, *kinds):
    """Forge honest books, one row of each kind, and some twice."""
    cases = []
    for kind in kinds:
        while True:
            rows, margin, R2, star2 = books(rng)
            t = int(rng.integers(3, len(rows) - 1))
            changes = kind(rows[t - 1], margin, R2)
            bad = forge(rows, t, **changes)
            if is_sound(bad, star2) and is_sound(rows, star2):
                break
        twice = forge(bad, t + 2, score=5)
        cases += [(bad, margin, R2, star2), (twice, margin, R2, star2)]
    return cases


def broken_rows(rng):
    last, margin, R2, star2 = books(rng)
    worst = forge(last, len(last), score=1)
    return forged(
        rng,
        lambda row, margin, R2: {"score": 1},
        lambda row, margin, R2: {"gain": margin - 1},
        lambda row, margin, R2: {"size": R2 + 1},
    ) + [(worst, margin, R2, star2)]


def broken_sums(rng):
    first, margin, R2, star2 = books(rng)
    return forged(
        rng,
        *(
            lambda row, margin, R2, c=c: c
            for c in (
                {"progress": 1},
                {"progress": -1},
                {"square": 1},
                {"square": 2},
                {"square": -1},
            )
        ),
    ) + [
        (forge(first, 1, square=1), margin, R2, star2),
        (forge(first, 1, progress=-1), margin, R2, star2),
    ]


def broken_lengths(rng):
    """Return books in which all sums are right, and w is too short for its progress at row 1 or at a later one."""
    k = int(rng.integers(1, 5))
    fine = [(0, 0, 5 * k, 9, 5 * k, 9), (1, 0, 5 * k, 9, 10 * k, 18), (2, 0, 5 * k, 9, 15 * k, 27)]
    short = [*fine, (0, -13, 5 * k, 9, 20 * k, 10), (1, 0, 5 * k, 9, 25 * k, 19)]
    return [
        (short, k, 9, 25 * k * k),
        ([(0, 0, 7, 4, 7, 4)], 7, 4, 12),
        ([*fine[:1], (0, -9, 5 * k, 9, 10 * k, 0)], k, 9, 25 * k * k),
    ]


def honest_books(rng):
    """Return books in order, with equality wherever it is possible."""
    k = int(rng.integers(1, 9))
    equal = [(0, 0, k, 1, k, 1), (1, 0, k, 1, 2 * k, 2), (2, 0, k, 1, 3 * k, 3)]
    return [
        books(rng),
        books(rng, 2),
        ([], k, 1, 1),
        (equal, k, 1, 3 * k * k),
        ([(0, 0, k, k, k, k)], k, k, k),
        ([(0, 0, 7, 4, 7, 4)], 7, 4, 13),
        (
            [(0, 0, Fraction(k, 3), Fraction(1, 9), Fraction(k, 3), Fraction(1, 9))],
            Fraction(k, 3),
            1,
            k * k,
        ),
    ]


# 3 promise


def situation(rng, d=3):
    Z = rng.integers(-6, 7, (5, d)).tolist()
    return Z, rng.integers(-5, 6, d).tolist(), rng.integers(-9, 10, d).tolist()


def numbers(Z, w_star, w):
    """Return margin, R², ‖w*‖², progress and square."""
    return (
        min(inner(w_star, z) for z in Z),
        max(inner(z, z) for z in Z),
        inner(w_star, w_star),
        inner(w_star, w),
        inner(w, w),
    )


def from_zero(rng):
    def good(Z, w_star, w):
        g, R2, star2, *_ = numbers(Z, w_star, w)
        return g > 1 and 9 < R2 * star2 / g**2 < 400 and R2 * star2 % g**2

    return [(Z, w_star, [0] * len(w)) for Z, w_star, w in draw(rng, situation, good, 3)]


def starts(sign):
    """Draw starts with the product with w* on one side, where the simple formulas are wrong."""

    def inputs(rng):
        def good(Z, w_star, w):
            g, R2, star2, p, q = numbers(Z, w_star, w)
            if g <= 1 or R2 * star2 / g**2 > 300 or p * sign <= 3 * g:
                return False
            loose = int(R2 * star2 / g**2 + 2 * (q * star2) ** 0.5 / g)
            t, plain = 0, R2 * star2 // g**2
            while (p + (t + 1) * g) ** 2 <= star2 * (q + (t + 1) * R2):
                t += 1
            return t not in (loose, plain, plain - p // g, plain - p // g - 1) and t > 3

        return draw(rng, situation, good, 3)

    return inputs


def no_promise(rng):
    Z, w_star, w = draw(rng, situation, lambda *case: numbers(*case)[0] < 0)[0]
    tie = [[1, 2], [2, -1]]
    return [
        (Z, w_star, w),
        ([[1, 1], [0, 0]], [1, 1], [0, 0]),
        (tie, [1, 2], w[:2]),
        ([[3]], [-1], [5]),
        ([[1, 2]], [0, 0], [1, 1]),
        ([[5, 1], [-1, 1]], [1, 0], [3, 3]),
    ]


def exact_promises(rng):
    """Return cases in which the inequality is an equality, or which floats get wrong, and fractions."""
    n = int(rng.integers(5, 12))
    unit = [[int(i == j) for j in range(n)] for i in range(n)]
    k = int(rng.integers(2, 30))
    third = Fraction(1, 3)
    return [
        (unit, [1] * n, [0] * n),
        (unit, [k] * n, [1, 1, *[0] * (n - 2)]),
        ([[1]], [1], [-k]),
        ([[1]], [k], [3]),
        ([[2, 1], [third, third]], [third, 1], [Fraction(-k, 7), third]),
        ([[10**9]], [10**9], [-k * 10**9]),
        ([[k, 0]], [1, 0], [0, 0]),
        ([[1, 0]], [1, 0], [0, 5]),
    ]


# 4 refute

SMALL = 10**6


def is_exact(v):
    return type(v) in (int, Fraction) and max(abs(v.numerator), v.denominator) <= SMALL


def is_refutation(got, want, args, given):
    """Run the perceptron on the data and compare the squares, which are exact."""
    if want is None or got is None:
        return got is None and want is None
    if (
        not isinstance(got, (list, tuple))
        or len(got) != 2
        or not all(isinstance(part, (list, tuple)) for part in got)
    ):
        return False
    Z, w_star = got
    d = len(w_star)
    if not (
        1 <= len(Z) <= 50
        and 1 <= d <= 50
        and all(isinstance(z, (list, tuple)) and len(z) == d for z in Z)
    ):
        return False
    if not all(is_exact(v) for row in [*Z, w_star] for v in row):
        return False
    g, R2, star2, *_ = numbers(Z, w_star, w_star)
    if g <= 0:
        return False
    K, a, b, c = args
    value2 = Fraction(K) ** 2 * Fraction(R2) ** a * Fraction(star2) ** b / Fraction(g) ** (2 * c)
    w, made, before = [0] * d, 0, -1
    while before < made < 1000 and made**2 <= value2:
        before = made
        for z in Z:
            if inner(w, z) <= 0:
                w, made = add(w, z), made + 1
    return min(made, 1000) ** 2 > value2


def factor(rng, low=2):
    return Fraction(int(rng.integers(5 * low, 31)), 5)


def wrong_units(rng):
    return [
        (K, a, c, c) for a, c in ((1, 2), (2, 1), (4, 2), (0, 3), (3, 2)) for K in (factor(rng), 6)
    ]


def wrong_scale(rng):
    return [
        (K, c, b, c) for b, c in ((1, 2), (2, 1), (4, 2), (0, 3), (3, 2)) for K in (factor(rng), 6)
    ]


def too_weak(rng):
    return [(K, k, k, k) for k in (0, 1) for K in (1, 2, factor(rng), 5, 6)]


def small_factors(rng):
    return [(Fraction(1, int(rng.integers(2, 9))), k, k, k) for k in (2, 3, 4)] + [
        (Fraction(99, 100), 2, 2, 2)
    ]


def true_bounds(rng):
    return [
        (1, 2, 2, 2),
        (1, 3, 3, 3),
        (factor(rng), 2, 2, 2),
        (6, 4, 4, 4),
        (Fraction(101, 100), 2, 2, 2),
    ]


# 5 my_picks


def length_of_run(got, given):
    """Return the number of mistakes if every pick is one and none is left at the end, or nothing."""
    Z, w = given["Z"], [0, 0]
    if not isinstance(got, (list, tuple)) or len(got) > 500:
        return None
    for i in got:
        if type(i) is not int or not 0 <= i < len(Z) or inner(w, Z[i]) > 0:
            return None
        w = add(w, Z[i])
    return len(got) if all(inner(w, z) > 0 for z in Z) else None


def is_run(got, want, args, given):
    return length_of_run(got, given) is not None


def is_longest(got, want, args, given):
    return length_of_run(got, given) == len(want)


QUESTIONS = [
    Question(
        "q1",
        function="ledger",
        points=4,
        behaviours=[
            Behaviour("picks that are all mistakes", 1, only_mistakes),
            Behaviour("picks that are right are passed over", 1, passed_over),
            Behaviour("a tie is a mistake, at the start and later", 1, later_ties),
            Behaviour("the line, points that are 0, fractions, no picks", 1, odd_books),
        ],
    ),
    Question(
        "q2",
        function="audit",
        points=4,
        behaviours=[
            Behaviour("a score, gain or size that cannot be", 1, broken_rows),
            Behaviour("sums that do not add up", 1, broken_sums),
            Behaviour("a w that is too short for its progress", 1, broken_lengths),
            Behaviour("honest books, with equalities, and empty ones", 1, honest_books),
        ],
    ),
    Question(
        "q3",
        function="promise",
        points=4,
        behaviours=[
            Behaviour("the start 0", 1, from_zero),
            Behaviour(
                "starts that lean towards w* and starts that lean away",
                1,
                lambda rng: starts(1)(rng) + starts(-1)(rng),
            ),
            Behaviour(
                "equality still counts, and large numbers and fractions stay exact",
                1,
                exact_promises,
            ),
            Behaviour("None where w* does not separate", 1, no_promise),
        ],
    ),
    Question(
        "q4",
        function="refute",
        points=5,
        behaviours=[
            Behaviour(
                "formulas that change with the unit of the points", 1, wrong_units, is_refutation
            ),
            Behaviour("formulas that change with the length of w*", 1, wrong_scale, is_refutation),
            Behaviour("powers that are too low", 1, too_weak, is_refutation),
            Behaviour("factors that are too small", 1, small_factors, is_refutation),
            Behaviour("None for true bounds", 1, true_bounds, is_refutation),
        ],
    ),
    Question(
        "q5",
        function="my_picks",
        points=3,
        behaviours=[
            Behaviour(
                "every pick is a mistake, and none is left at the end", 1, lambda rng: [()], is_run
            ),
            Behaviour(
                "no order makes more mistakes on your points", 2, lambda rng: [()], is_longest
            ),
        ],
    ),
]
