"""What the answers of homework 05 are tried on: ledgers, forged books, promises, bounds."""

from fractions import Fraction

from coursekit.homework.grading.drawing import add, draw, inner, once
from coursekit.homework.grading.judging import exact, is_exact, is_exact_list, passes
from coursekit.homework.grading.marking import Behaviour, Question
from halfspaces.certificates import verify_separator

# 1 ledger


def scores(Z, w_star, picks):
    """Return the score of every pick, mistake or not."""
    w = [0] * len(w_star)
    found = []
    for i in picks:
        score = inner(w, Z[i])
        found.append(score)
        if score <= 0:
            w = add(w, Z[i])
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

    def good(Z, w_star, picks):
        if len(picks) <= 3 or picks == sorted(picks) or not repeats(Z, w_star, picks):
            return False
        return all(s < 0 for s in scores(Z, w_star, picks)[1:])

    return draw(rng, make, good, 3)


def passed_over(rng):
    """Draw runs with picks that are right, a mistake after them, and no tie but the first."""

    def good(*case):
        found = scores(*case)
        right = [k for k, s in enumerate(found) if s > 0]
        if not right or found[right[0]] != 1 or 0 in found[1:]:
            return False
        return any(s < 0 for s in found[right[0] :]) and repeats(*case)

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
        Z = [
            z
            for z in rng.integers(-6, 7, (30, d)).tolist()
            if 3 <= inner(w_star, z) <= 9
        ]
        rows = mistakes_of_a_run(rng, Z, w_star)
        if 7 <= len(rows) <= 12:
            return rows, *numbers(Z, w_star, w_star)[:3]


def mistakes_of_a_run(rng, Z, w_star):
    """Return the rows of a run that picks its mistakes at random."""
    w = [0] * len(w_star)
    rows = []
    while True:
        wrong = [i for i, z in enumerate(Z) if inner(w, z) <= 0]
        if not wrong:
            return rows
        i = int(rng.choice(wrong))
        z = Z[i]
        score = inner(w, z)
        w = add(w, z)
        rows.append(
            (i, score, inner(w_star, z), inner(z, z), inner(w, w_star), inner(w, w))
        )


NAMES = ("i", "score", "gain", "size", "progress", "square")


def forge(rows, t, **changes):
    """Change entries of row t, counted from 1, and let its sums and the later ones follow."""
    rows = [dict(zip(NAMES, row)) for row in rows]
    row = rows[t - 1]
    more = {name: 0 for name in NAMES}
    for name, value in changes.items():
        if name in ("score", "gain", "size"):
            more[name] = value - row[name]
            row[name] = value
        else:
            more[name] = value
    for later in rows[t - 1 :]:
        later["progress"] += more["gain"] + more["progress"]
        later["square"] += 2 * more["score"] + more["size"] + more["square"]
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
            bad = forge(rows, t, **kind(margin, R2))
            if is_sound(bad, star2) and is_sound(rows, star2):
                break
        twice = forge(bad, t + 2, score=5)
        cases += [(bad, margin, R2, star2), (twice, margin, R2, star2)]
    return cases


def right_with_a_score(margin, R2):
    return {"score": 1}


def gains_too_little(margin, R2):
    return {"gain": margin - 1}


def is_too_large(margin, R2):
    return {"size": R2 + 1}


def broken_rows(rng):
    last, margin, R2, star2 = books(rng)
    worst = forge(last, len(last), score=1)
    broken = forged(rng, right_with_a_score, gains_too_little, is_too_large)
    return [*broken, (worst, margin, R2, star2)]


def sum_off(name, by):
    """Return a forgery that moves a sum, whatever margin and R² are."""
    return lambda margin, R2: {name: by}


def broken_sums(rng):
    first, margin, R2, star2 = books(rng)
    moves = [
        ("progress", 1),
        ("progress", -1),
        ("square", 1),
        ("square", 2),
        ("square", -1),
    ]
    return [
        *forged(rng, *(sum_off(name, by) for name, by in moves)),
        (forge(first, 1, square=1), margin, R2, star2),
        (forge(first, 1, progress=-1), margin, R2, star2),
    ]


def broken_lengths(rng):
    """Return books whose sums are right, and w too short for its progress, at once or later."""
    k = int(rng.integers(1, 5))
    fine = [(i, 0, 5 * k, 9, 5 * k * (i + 1), 9 * (i + 1)) for i in range(5)]
    cases = [([(0, 0, 7, 4, 7, 4)], 7, 4, 12)]
    for n, score in ((1, -9), (2, -10), (3, -13), (4, -13), (5, -12)):
        progress, square = 5 * k * (n + 1), 9 * (n + 1) + 2 * score
        short = [*fine[:n], (0, score, 5 * k, 9, progress, square)]
        after = (1, 0, 5 * k, 9, progress + 5 * k, square + 9)
        cases.append(([*short, after], k, 9, 25 * k * k))
    return cases


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
            plain = R2 * star2 // g**2
            t = 0
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
    """Return cases of equality, cases that floats get wrong, and fractions."""
    n = int(rng.integers(5, 12))
    unit = [[int(i == j) for j in range(n)] for i in range(n)]
    k = int(rng.integers(2, 30))
    third = Fraction(1, 3)
    tiny = Fraction(1, 10 ** int(rng.integers(20, 40)))
    return [
        (unit, [1] * n, [0] * n),
        (unit, [k] * n, [1, 1, *[0] * (n - 2)]),
        ([[1]], [1], [-k]),
        ([[1]], [k], [3]),
        ([[2, 1], [third, third]], [third, 1], [Fraction(-k, 7), third]),
        ([[10**9]], [10**9], [-k * 10**9]),
        ([[k, 0]], [1, 0], [0, 0]),
        ([[1, 0]], [1, 0], [0, 5]),
        ([[10**200]], [10**200], [-k * 10**200]),
        *(([[k]], [1], [Fraction(-n * k, 2) + off]) for off in (-tiny, 0, tiny)),
    ]


# 4 refute

SMALL = 10**6  # bounds numerators and denominators
MANY = 50  # points, and dimensions
MOST_MISTAKES = 1000


def is_small(v):
    return is_exact(v) and max(abs(v.numerator), v.denominator) <= SMALL


def as_data(got):
    """Return the points and w* of an answer if they are small enough to be tried, or nothing."""
    if not isinstance(got, (list, tuple)) or len(got) != 2:
        return None
    Z, w_star = got
    if not all(
        isinstance(part, (list, tuple)) and 1 <= len(part) <= MANY for part in got
    ):
        return None
    rows = [*Z, w_star]
    if not all(
        is_exact_list(row, len(w_star)) and all(map(is_small, row)) for row in rows
    ):
        return None
    return Z, w_star


def is_refutation(got, want, args, given):
    """Tell whether w* separates the points, and the perceptron makes more mistakes than claimed."""
    if want is None or got is None:
        return got is want
    data = as_data(got)
    if data is None:
        return False
    Z, w_star = data
    if not passes(verify_separator, exact(Z), exact([1] * len(Z)), exact(w_star)):
        return False
    g, R2, star2, *_ = numbers(Z, w_star, w_star)
    K, a, b, c = args
    # Squares, so that all is exact.
    value2 = (
        Fraction(K) ** 2
        * Fraction(R2) ** a
        * Fraction(star2) ** b
        / Fraction(g) ** (2 * c)
    )
    return more_mistakes(Z, value2)


def more_mistakes(Z, value2):
    """Tell whether sweeps of the perceptron make more mistakes than the root of a number."""
    w = [0] * len(Z[0])
    made = 0
    before = -1
    while before < made < MOST_MISTAKES and made**2 <= value2:
        before = made
        for z in Z:
            if inner(w, z) <= 0:
                w = add(w, z)
                made += 1
    return min(made, MOST_MISTAKES) ** 2 > value2


def factor(rng, low=2):
    return Fraction(int(rng.integers(5 * low, 31)), 5)


def wrong_units(rng):
    return [
        (K, a, c, c)
        for a, c in ((1, 2), (2, 1), (4, 2), (0, 3), (3, 2))
        for K in (factor(rng), 6)
    ]


def wrong_scale(rng):
    return [
        (K, c, b, c)
        for b, c in ((1, 2), (2, 1), (4, 2), (0, 3), (3, 2))
        for K in (factor(rng), 6)
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
    """Return the number of mistakes if every pick is one and none is left, or nothing."""
    Z = given["Z"]
    w = [0, 0]
    if not isinstance(got, (list, tuple)) or len(got) > 500:
        return None
    for i in got:
        if type(i) is not int or not 0 <= i < len(Z) or inner(w, Z[i]) > 0:
            return None
        w = add(w, Z[i])
    ended = passes(verify_separator, exact(Z), exact([1] * len(Z)), exact(w))
    return len(got) if ended else None


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
        points=5,
        behaviours=[
            Behaviour("the start 0", 1, from_zero),
            Behaviour(
                "starts that lean towards w* and starts that lean away",
                1,
                lambda rng: starts(1)(rng) + starts(-1)(rng),
            ),
            Behaviour(
                "equality still counts, and large numbers and fractions stay exact",
                2,
                exact_promises,
            ),
            Behaviour("None where w* does not separate", 1, no_promise),
        ],
    ),
    Question(
        "q4",
        function="refute",
        points=4,
        behaviours=[
            Behaviour(
                "None for true bounds, and data where only the factor is too small",
                1,
                lambda rng: true_bounds(rng) + small_factors(rng),
                is_refutation,
            ),
            Behaviour(
                "formulas that change with the unit of the points or the length of w*",
                1,
                lambda rng: wrong_units(rng) + wrong_scale(rng),
                is_refutation,
            ),
            Behaviour("powers that are too low", 2, too_weak, is_refutation),
        ],
    ),
    Question(
        "q5",
        function="my_picks",
        points=3,
        behaviours=[
            Behaviour(
                "every pick is a mistake, and none is left at the end", 1, once, is_run
            ),
            Behaviour(
                "no order makes more mistakes on your points", 2, once, is_longest
            ),
        ],
    ),
]
