"""What the answers of homework 07 are tried on: fewest mistakes, slopes, corners, outliers."""

from fractions import Fraction
from itertools import combinations

from coursekit.homework.grading.drawing import draw, once
from coursekit.homework.grading.judging import is_exact, is_exact_list, is_whole_list
from coursekit.homework.grading.marking import Behaviour, Question

# 1 fewest_mistakes


def mistakes(x, y, s, t):
    return sum(label * s * (point - t) <= 0 for point, label in zip(x, y))


def fewest(x, y, s):
    """Return the fewest mistakes with side s, by trying all thresholds between points."""
    places = sorted(set(x))
    ends = [
        places[0] - 1,
        *(Fraction(p + q, 2) for p, q in zip(places, places[1:])),
        places[-1] + 1,
    ]
    return min(mistakes(x, y, s, t) for t in ends)


def draw_line(rng, s, n=9):
    """Draw distinct points: side s is strictly best, the ends are not, a mistake is left."""

    def make(rng):
        x = rng.choice(41, n, replace=False) - 20
        t = int(rng.integers(-12, 12))
        y = [s if p > t else -s for p in x.tolist()]
        for i in rng.choice(n, 2, replace=False):
            y[i] = -y[i]
        return x.tolist(), y

    def good(x, y):
        least = fewest(x, y, s)
        constant = min(y.count(1), y.count(-1))
        return 0 < least < min(fewest(x, y, -s), constant) and x != sorted(x)

    return draw(rng, make, good, 2)


def draw_lines(rng):
    halves = [([Fraction(p, 2) for p in x], y) for x, y in draw_line(rng, 1)[:1]]
    close = Fraction(1, int(rng.integers(1000, 2000)))
    return [
        *draw_line(rng, 1),
        *draw_line(rng, -1),
        *halves,
        ([0, close, 2 * close, 3 * close], [1, 1, -1, -1]),
    ]


def draw_copies(rng):
    """Draw points that coincide: a split between them would make too few mistakes."""
    a, b, c = sorted(rng.choice(30, 3, replace=False).tolist())
    cases = []
    for s in (1, -1):
        cases += [
            ([b, a, b, b, c], [-s, -s, s, s, s]),
            ([a, b, b, c, a, c], [-s, s, -s, s, -s, s]),
            ([b, b], [s, -s]),
            ([c, a, c, a], [s, -s, s, -s]),
            ([a, a, a, b, b, b], [s, s, -s, s, -s, -s]),
        ]
    return cases


def draw_ends(rng):
    k = int(rng.integers(2, 9))
    return [
        ([], []),
        ([k], [1]),
        ([-k], [-1]),
        ([0], [1]),
        ([k, 0, -k], [1, 1, 1]),
        ([k, 0, -k], [-1, -1, -1]),
        ([k, k], [-1, -1]),
        ([1, 2, 3, 4, 5], [1, -1, 1, -1, 1]),
        ([1, 2, 3, 4, 5], [-1, 1, -1, 1, -1]),
    ]


def draw_many(rng):
    """Draw many distinct points, small ones mostly +1, with a fifth of the labels turned."""
    x = rng.permutation(100_000)[:10_000]
    y = 1 - 2 * (x > rng.integers(30_000, 70_000))
    y[rng.random(len(x)) < 0.2] *= -1
    return [(x.tolist(), y.tolist())]


def as_rule(got):
    """Return m, s, t if they are of the right kind, or nothing."""
    if not is_exact_list(got, 3):
        return None
    m, s, t = got
    return got if type(m) is int and s in (-1, 1) else None


def is_best_rule(got, want, args, given):
    rule = as_rule(got)
    if rule is None:
        return False
    m, s, t = rule
    return m == want[0] == mistakes(*args, s, t)


# 2 my_proof


def graph_mistakes(w, given):
    return sum(a >= 0 for a in w) + sum(w[i] + w[j] <= 0 for i, j in given["edges"])


def is_best_weight(got, want, args, given):
    if not isinstance(got, (list, tuple)) or len(got) != 2:
        return False
    w, _ = got
    return is_exact_list(w, given["n"]) and graph_mistakes(w, given) == len(want[1])


def is_graph_proof(got, want, args, given):
    if not is_best_weight(got, want, args, given):
        return False
    _, pairs = got
    if not isinstance(pairs, (list, tuple)) or len(pairs) != len(want[1]):
        return False
    if not all(is_whole_list(pair, 2) for pair in pairs):
        return False
    known = {frozenset(edge) for edge in given["edges"]}
    ends = [i for pair in pairs for i in pair]
    return len(set(ends)) == len(ends) and all(
        frozenset(pair) in known for pair in pairs
    )


# 3 slopes


def nearby(rng, w):
    """Return numbers whose kinks lie on both sides of w, nearer than any step that is fixed."""
    tiny = Fraction(1, 10 ** int(rng.integers(20, 60)))
    return [1 / (w + tiny), 1 / (w - tiny)]


def smooth(rng):
    """Draw places without a kink, where some points pay and some do not."""
    p, q, r = rng.permutation(range(2, 8))[:3].tolist()
    return [
        ([p, 1, *nearby(rng, Fraction(3, 4))], Fraction(3, 4)),
        ([-q, *nearby(rng, Fraction(-1, 9))], Fraction(-1, 9)),
        ([p, q, -r, 1], Fraction(3, 4)),
        ([-p, -q, r, 2, 1], Fraction(-2, 3)),
        ([p, 1, -q], Fraction(5, 2)),
        ([Fraction(1, p), q], p - 1),
        ([-p, q, r], Fraction(-1, 9)),
        ([p, -q], -3),
    ]


def kinks(rng):
    p, q, r = rng.permutation(range(2, 8))[:3].tolist()
    return [
        ([p, 1, *nearby(rng, Fraction(1, p))], Fraction(1, p)),
        ([r, -q, *nearby(rng, Fraction(-1, q))], Fraction(-1, q)),
        ([p, p, 1, -q], Fraction(1, p)),
        ([-q, p, -q, -1], Fraction(-1, q)),
        ([r, 2 * r, 3 * r, -1], Fraction(1, r)),
        ([Fraction(1, q), Fraction(1, q), 1, Fraction(1, q + 1)], q),
        ([-1, -r, -r - 1, 1], -1),
        ([r], Fraction(1, r)),
        ([Fraction(-1, q), 1, Fraction(1, q), -2], -q),
    ]


def special(rng):
    p, q = rng.choice(range(2, 9), 2, replace=False).tolist()
    return [
        ([], 3),
        ([], 0),
        ([0, 0], p),
        ([0, p, -q], 0),
        ([p, q], 0),
        ([0, 1, p], 1),
        ([0, -1, -p], -1),
        ([p - q], 0),
        ([10**40, -p, -(10**60)], 0),
    ]


# 4 refute


def total(z, w):
    return sum(max(0, 1 - v * w) for v in z)


def both(z, w):
    """Return the two slopes, from the function itself."""
    others = [abs(Fraction(1) / v - w) for v in z if v and v * w != 1]
    step = min(others, default=Fraction(1)) / 2
    return (total(z, w) - total(z, w - step)) / step, (
        total(z, w + step) - total(z, w)
    ) / step


def crowded(rng):
    """Draw a list with kinks around 1/5, some very near, and places at a kink and between two."""
    near = rng.permutation(range(6, 10))[:2].tolist()
    far = int(rng.integers(40, 60))
    z = [5, 5, *near, 4, -3, -4, far, Fraction(500, 101), Fraction(500, 99), -far]
    for w in (Fraction(1, 5), Fraction(-1, 3)):
        z += nearby(rng, w)
    return z, [
        Fraction(1, 5),
        Fraction(1, 5) + Fraction(1, 2000),
        Fraction(-1, 3),
        Fraction(-1, far),
        0,
    ]


def too_steep(rng):
    z, places = crowded(rng)
    lists = [
        *((z, w) for w in places),
        ([2, -3], 1),
        ([], 2),
        ([0], -1),
        ([3], Fraction(1, 3)),
        ([-3], 0),
    ]
    return [
        (z, w, both(z, w)[1] + Fraction(1, int(rng.integers(2, 9)))) for z, w in lists
    ]


def too_flat(rng):
    z, places = crowded(rng)
    third = Fraction(1, 3)
    lists = [
        *((z, w) for w in places),
        ([2, -3], -1),
        ([], 2),
        ([0], -1),
        ([3], third),
        ([-3], -third),
    ]
    return [
        (z, w, both(z, w)[0] - Fraction(1, int(rng.integers(2, 9)))) for z, w in lists
    ]


def hardly_wrong(rng):
    """Draw slopes that are wrong by very little, where the next kink is far off or very near."""
    z, _ = crowded(rng)
    tiny = Fraction(1, int(rng.integers(10**6, 10**7)))
    lists = [
        (z, Fraction(1, 5)),
        ([Fraction(1, 1000), 3], Fraction(1, 3)),
        ([1, Fraction(1000, 1001)], 1),
        ([1, Fraction(1000, 999)], 1),
        ([-1, Fraction(-1000, 1001), Fraction(-1000, 999)], -1),
    ]
    return [
        (z, w, g)
        for z, w in lists
        for g in (both(z, w)[0] - tiny, both(z, w)[1] + tiny)
    ]


def true_slopes(rng):
    z, places = crowded(rng)
    cases = []
    for w in places:
        left, right = both(z, w)
        cases += [(z, w, left), (z, w, right), (z, w, (left + right) / 2)]
    return cases + [
        ([], 5, 0),
        ([0, 0], 1, 0),
        ([2], Fraction(1, 2), -1),
        ([1, 2], 7, 0),
    ]


def is_refutation(got, want, args, given):
    """Tell whether the loss lies below the line that a subgradient g at w would hold it above."""
    if want is None or got is None:
        return got is want
    z, w, g = args
    return is_exact(got) and total(z, got) < total(z, w) + g * (got - w)


# 5 lowest_corner


def corners(Z):
    """Return the corners and the total hinge loss at each."""
    found = {}
    for (a, b), (c, d) in combinations(Z, 2):
        det = a * d - b * c
        if det:
            u, v = Fraction(d - b, det), Fraction(a - c, det)
            found[u, v] = sum(max(0, 1 - p * u - q * v) for p, q in Z)
    return found


def lowest(Z):
    found = corners(Z)
    least = min(found.values())
    return [w for w, value in found.items() if value == least]


def right_at(Z, w):
    return sum(a * w[0] + b * w[1] > 0 for a, b in Z)


def draw_planes(rng, separable):
    """Draw points whose lowest corner is not the first, nor that of the usual slips."""

    def make(rng):
        Z = rng.integers(-7, 8, (7, 2)).tolist()
        w = rng.integers(-3, 4, 2).tolist()
        if separable:
            Z = [z if z[0] * w[0] + z[1] * w[1] > 0 else [-z[0], -z[1]] for z in Z]
        return (Z,)

    def good(Z):
        found = corners(Z)
        if len(found) < 10 or separable != (min(found.values()) == 0):
            return False
        low = lowest(Z)
        unclipped = min(found, key=lambda w: sum(1 - a * w[0] - b * w[1] for a, b in Z))
        if unclipped in low or next(iter(found)) in low:
            return False
        if separable:
            return len(set(found.values())) > 3
        if len(low) > 1 or not all(low[0]):
            return False
        if any(a * d == b * c for (a, b), (c, d) in combinations(Z, 2)):
            return False
        margin_only = min(
            found, key=lambda w: sum(max(0, -a * w[0] - b * w[1]) for a, b in Z)
        )
        if margin_only == low[0]:
            return False
        return right_at(Z, low[0]) < max(right_at(Z, w) for w in found)

    return draw(rng, make, good, 3)


def odd_planes(rng):
    p, q = rng.choice(range(2, 8), 2, replace=False).tolist()
    f = Fraction(1, p)
    return [
        ([[0, 0], [p, 1], [0, 0], [1, q]],),
        ([[p, 1], [p, 1], [-p, -1], [1, q]],),
        ([[f, 0], [f, 0], [0, -q], [f, 1]],),
        ([[p, q], [2 * p, 2 * q], [q, -p], [-q, -p]],),
        ([[0, p], [q, 0]],),
        ([[p, p], [-p, q]],),
    ]


def no_corner(rng):
    p, q = rng.choice(range(2, 8), 2, replace=False).tolist()
    return [
        ([],),
        ([[p, q]],),
        ([[p, q], [-p, -q], [2 * p, 2 * q]],),
        ([[0, 0], [0, 0]],),
        ([[0, q], [0, p], [0, 0]],),
    ]


def is_lowest(got, want, args, given):
    if want is None or got is None:
        return got is want
    if not isinstance(got, list) or not is_exact_list(got, 2):
        return False
    return tuple(map(Fraction, got)) in lowest(*args)


# 6 my_outlier


def outlier(got):
    """Return the folded point, or nothing if it is not of the right kind."""
    if not isinstance(got, (list, tuple)) or len(got) != 2:
        return None
    p, label = got
    if not is_whole_list(p, 2) or any(abs(v) > 100 for v in p):
        return None
    if type(label) is not int or abs(label) != 1:
        return None
    return [label * v for v in p]


def costs(least):
    """Return the judge of a point that spoils so many answers of the lowest corner."""

    def accept(got, want, args, given):
        z = outlier(got)
        if z is None:
            return False
        Z = [[label * a for a in x] for x, label in zip(given["X"], given["y"])]
        return all(8 - right_at(Z, w) >= least for w in lowest([*Z, z]))

    return accept


QUESTIONS = [
    Question(
        "q1",
        function="fewest_mistakes",
        points=5,
        behaviours=[
            Behaviour(
                "a side and a threshold that make so few", 1, draw_lines, is_best_rule
            ),
            Behaviour(
                "points that coincide, with equal and different labels",
                1,
                draw_copies,
                is_best_rule,
            ),
            Behaviour(
                "one label only, one point, or none; thresholds beyond the ends",
                1,
                draw_ends,
                is_best_rule,
            ),
            Behaviour("10,000 points, in time", 2, draw_many, is_best_rule),
        ],
    ),
    Question(
        "q2",
        function="my_proof",
        points=3,
        behaviours=[
            Behaviour("your weights make the fewest mistakes", 1, once, is_best_weight),
            Behaviour("your edges prove it", 2, once, is_graph_proof),
        ],
    ),
    Question(
        "q3",
        function="slopes",
        points=3,
        behaviours=[
            Behaviour("where there is no kink", 1, smooth),
            Behaviour("at a kink", 1, kinks),
            Behaviour("at w = 0, with zeros, and for an empty list", 1, special),
        ],
    ),
    Question(
        "q4",
        function="refute",
        points=4,
        needs=("q3",),
        behaviours=[
            Behaviour("slopes that are too large", 1, too_steep, is_refutation),
            Behaviour("slopes that are too small", 1, too_flat, is_refutation),
            Behaviour(
                "slopes that are wrong by very little", 1, hardly_wrong, is_refutation
            ),
            Behaviour(
                "None for every subgradient, the two slopes included",
                1,
                true_slopes,
                is_refutation,
            ),
        ],
    ),
    Question(
        "q5",
        function="lowest_corner",
        points=4,
        behaviours=[
            Behaviour(
                "points that cannot be separated",
                2,
                lambda rng: draw_planes(rng, False),
                is_lowest,
            ),
            Behaviour(
                "points that can be separated, dependent points, copies, zeros and fractions",
                1,
                lambda rng: draw_planes(rng, True) + odd_planes(rng),
                is_lowest,
            ),
            Behaviour("None where there is no corner", 1, no_corner, is_lowest),
        ],
    ),
    Question(
        "q6",
        function="my_outlier",
        points=3,
        needs=("q5",),
        behaviours=[
            Behaviour("your point costs at least one of your eight", 1, once, costs(1)),
            Behaviour(
                "your point costs at least four of your eight", 2, once, costs(4)
            ),
        ],
    ),
]
