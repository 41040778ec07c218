"""What the answers of homework 09 are tried on: brackets, feet, chases, climbs, other prices."""

from fractions import Fraction

from coursekit.homework.grading.drawing import draw, inner, once
from coursekit.homework.grading.judging import is_exact, is_exact_list
from coursekit.homework.grading.marking import Behaviour, Question


def mix(weights, Z):
    return [inner(weights, column) for column in zip(*Z)]


def turned(rng, Z):
    """Permute and flip axes, and shuffle the points: what is true of Z stays true."""
    axes = rng.permutation(len(Z[0])).tolist()
    signs = rng.choice([-1, 1], len(Z[0])).tolist()
    order = rng.permutation(len(Z)).tolist()
    return [[signs[k] * Z[i][k] for k in axes] for i in order], order


# 1 bracket


def part(k):
    """Return the judge of one end of the bracket, so that each end is marked alone."""

    def accept(got, want, args, given):
        if not isinstance(got, list) or len(got) != 2:
            return False
        if want[k] is None:
            return got[k] is None
        return is_exact(got[k]) and got[k] == want[k]

    return accept


def two_lists(rng):
    d, n = rng.integers(2, 5, 2).tolist()
    alpha = [int(rng.integers(1, 5)), *rng.integers(0, 5, n - 1).tolist()]
    return rng.integers(-3, 7, (n, d)).tolist(), rng.integers(-2, 6, d).tolist(), alpha


def separating(rng):
    """Draw directions that separate, not scaled to 1 and not with the first point as the worst."""

    def good(Z, v, alpha):
        scores = [inner(v, z) for z in Z]
        low = min(scores)
        return low > 1 and scores[0] > low and scores[-1] > low and inner(v, v) > 3

    fractions = (
        [[Fraction(7, 2), 1], [Fraction(1, 3), Fraction(1, 2)]],
        [Fraction(1, 2), 1],
        [1, 2],
    )
    return draw(rng, two_lists, good, 3) + [fractions]


def not_separating(rng):
    def good(Z, v, alpha):
        return min(inner(v, z) for z in Z) < -1 and max(inner(v, z) for z in Z) > 0

    k = int(rng.integers(2, 9))
    return draw(rng, two_lists, good, 2) + [
        ([[1, k], [k, -1]], [1, k], [1, 1]),
        ([[k, 1]], [0, 0], [1]),
        ([[k], [3]], [-2], [1, 1]),
        ([[0, 0], [k, k]], [1, 1], [1, 2]),
        ([[k]], [-1], [1]),
    ]


def priced(rng):
    """Draw prices, some of them 0, that are not scaled well already."""

    def good(Z, v, alpha):
        if 0 not in alpha or sum(alpha) <= 2:
            return False
        u = mix(alpha, Z)
        return any(u) and inner(u, u) not in (sum(alpha), sum(alpha) ** 2)

    third = Fraction(1, 3)
    return draw(rng, two_lists, good, 3) + [
        ([[1, 2], [3, 1]], [0, 0], [third, Fraction(1, 7)]),
        ([[4]], [-1], [third]),
        ([[1, 0], [0, 1]], [1, 1], [0, third]),
    ]


def not_priced(rng):
    k = int(rng.integers(2, 9))
    return [
        ([[1, 0], [0, 1]], [1, 1], [k, -1]),
        ([[1, 0], [0, 1]], [1, 1], [0, 0]),
        ([[k]], [1], [0]),
        ([[1, k], [-1, -k]], [1, 1], [k, k]),
        ([[0, 0], [1, k]], [1, 1], [k, 0]),
        ([[1], [2]], [1], [-k, -1]),
        ([[1, 0], [0, 1], [1, 1]], [1, 2], [-k, 1, k + 3]),
    ]


# 2 foot


def segment(rng, d=None):
    return tuple(rng.integers(-9, 10, (2, d or int(rng.integers(2, 5)))).tolist())


def along(p, q):
    """Return ⟨p, p − q⟩ and ‖p − q‖²."""
    way = [a - b for a, b in zip(p, q)]
    return inner(p, way), inner(way, way)


def inside(rng):
    def good(p, q):
        a, b = along(p, q)
        flat = along(p[:2], q[:2])
        return 0 < a < b != 2 * a and (len(p) == 2 or flat[0] * b != a * flat[1])

    return draw(rng, segment, good, 2) + draw(rng, lambda rng: segment(rng, 3), good, 2)


def at_ends(rng):
    def in_space(rng):
        return segment(rng, 3)

    def at_p(p, q):
        return along(p, q)[0] < 0

    def at_q(p, q):
        a, b = along(p, q)
        return a > b > 0

    def at_p_but_not_in_the_plane(p, q):
        return at_p(p, q) and along(p[:2], q[:2])[0] > 0

    def at_q_but_not_in_the_plane(p, q):
        a, b = along(p[:2], q[:2])
        return at_q(p, q) and a < b

    return [
        *draw(rng, segment, at_p, 3),
        *draw(rng, segment, at_q, 3),
        *draw(rng, in_space, at_p_but_not_in_the_plane),
        *draw(rng, in_space, at_q_but_not_in_the_plane),
    ]


def odd_segments(rng):
    k, third = int(rng.integers(2, 9)), Fraction(1, 3)
    return [
        ([k, 1], [k, 1]),
        ([0, 0, 0], [0, 0, 0]),
        ([-k], [3 * k + 1]),
        ([k, 0], [0, 0]),
        ([0, 0], [k, 1]),
        ([third, 1], [1, -Fraction(k, 7)]),
        ([10**20 + k, 1], [-(10**20), k]),
        ([third], [third]),
        ([1, 0], [1, k]),
    ]


# 3 chase


def hull(rng, n=5, d=3):
    return rng.integers(-3, 8, (n, d)).tolist()


def walk(Z, steps):
    """Return, for each step, p, the two smallest products with a point, the point, and how far."""
    p = min(Z, key=lambda z: inner(z, z))
    found = []
    for _ in range(steps):
        products = [inner(p, z) for z in Z]
        j = products.index(min(products))
        a, b = along(p, Z[j])
        t = Fraction(0)
        if b:
            t = min(Fraction(1), max(Fraction(0), Fraction(a) / b))
        found.append((p, sorted(products)[:2], j, t))
        p = [(1 - t) * s + t * r for s, r in zip(p, Z[j])]
    return found


def moves(Z, steps):
    """Tell whether the start is clear, and each step goes to one best point, another each time."""
    way = walk(Z, steps)
    sizes = [inner(z, z) for z in Z]
    moduli = [sum(map(abs, z)) for z in Z]
    if sizes.count(min(sizes)) > 1 or moduli.index(min(moduli)) != sizes.index(
        min(sizes)
    ):
        return False
    clear = all(0 < t < 1 and low < high for _, (low, high), _, t in way)
    return clear and all(a[2] != b[2] for a, b in zip(way, way[1:]))


def starts(rng):
    k = int(rng.integers(2, 6))
    tied = [[5, k], [1, k], [-k, 1], [k, 1], [6, 6]]
    # the sum of the moduli misleads: (3, 3) is shorter than (0, 5)
    lists = [
        tied,
        [[0, 5], [3, 3], [4, 4]],
        [[k, 9], [0, 0], [-1, 0]],
        [[-k], [k], [9]],
        [[1, 1], [-1, 1], [1, -1], [k, 0]],
    ]
    return [([Z[i] for i in rng.permutation(len(Z))], 0) for Z in lists]


def first_steps(rng):
    """Draw single steps; in the last cases two points are equally good."""

    def good(Z, steps):
        [(_, _, goal, _)] = walk(Z, 1)
        shortest = sorted(range(len(Z)), key=lambda i: inner(Z[i], Z[i]))
        return (
            moves(Z, 1) and shortest[0] != 0 and goal not in (shortest[1], len(Z) - 1)
        )

    k = int(rng.integers(3, 8))
    return draw(rng, lambda rng: (hull(rng), 1), good, 3) + [
        ([[0, 2], [k, 1], [-k, 1]], 1),
        ([[-k, 1], [k, 1], [0, 2]], 1),
    ]


def long_chases(rng):
    def comes_back(Z, steps):
        visits = [j for *_, j, _ in walk(Z, steps)]
        return moves(Z, steps) and len(set(visits)) < len(visits)

    return [
        *draw(rng, lambda rng: (hull(rng, 5, 2), 2), moves),
        *draw(rng, lambda rng: (hull(rng), 3), moves),
        *draw(rng, lambda rng: (hull(rng, 5, 2), 4), comes_back),
    ]


def arrivals(rng):
    """Return chases that arrive and stay."""
    k = int(rng.integers(2, 9))
    return [
        ([[k, 1]], 9),
        ([[k, 0], [0, 3]], 9),
        ([[-k], [2 * k + 1], [9 * k]], 9),
        ([[0, 0], [k, -1], [2, 2]], 5),
        ([[k, k], [1, 1], [k, 1], [1, k]], 12),
        ([[9, 1], [-1, 3], [1, 3], [5, 2 + k]], 8),
        ([[2, k], [2, k]], 4),
        ([[Fraction(1, 3), k], [Fraction(1, 2), 0], [0, Fraction(1, 2)]], 6),
        (turned(rng, [[1, 0], [-5, 6], [-2, -2]])[0], 4),
    ]


# 4 my_climb


def is_flat(got, want, args, given):
    return is_exact_list(got, 3) and any(got) and not any(mix(got, given["three"]))


def is_climb(got, want, args, given):
    """Tell whether the dual without α ≥ 0 climbs: entries may be negative."""
    return is_flat(got, want, args, given) and sum(got) > 0


# 5 another


def is_other(got, want, args, given):
    """Tell whether the list is another solution: α ≥ 0 with the same u and the same sum, ‖u‖²."""
    if want is None or got is None:
        return got is want
    Z, alpha = args
    if not is_exact_list(got, len(Z)) or min(got) < 0 or list(got) == alpha:
        return False
    return mix(got, Z) == mix(alpha, Z) and sum(got) == sum(alpha)


def shown(rng, Z, *alphas):
    """Return a turned copy of the points with each of some solutions."""
    Z, order = turned(rng, Z)
    return [(Z, [alpha[i] for i in order]) for alpha in alphas]


half = Fraction(1, 2)
third = Fraction(1, 3)
quarter = Fraction(1, 4)


def only_ones(rng):
    """Return solutions that are the only ones, with idle points on the edge and points beyond."""
    k = int(rng.integers(2, 7))
    return [
        *shown(rng, [[1, 0], [1, k]], [1, 0]),
        *shown(rng, [[1, 1], [1, -1], [k + 1, 0]], [half, half, 0]),
        *shown(rng, [[1, 0], [1, 1], [1, k], [2, -k]], [1, 0, 0, 0]),
        ([[k]], [Fraction(1, k * k)]),
        *shown(
            rng,
            [[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1], [1, k, 2]],
            [1, 0, 0, 0, 0],
        ),
        *shown(rng, [[1, 1], [1, -2], [k, 5], [k, -5]], [Fraction(2, 3), third, 0, 0]),
        *shown(rng, [[k, 0], [0, 1]], [Fraction(1, k * k), 1]),
    ]


def exchanges(rng):
    """Return solutions with more support vectors than needed."""
    k = int(rng.integers(1, 4))
    return [
        *shown(rng, [[1, 0], [1, k], [1, -k]], [third] * 3),
        (
            [[1, 1], [1, 2], [1, -1], [1, -2], [k + 2, 9]],
            [quarter, quarter, quarter, quarter, 0],
        ),
        *shown(rng, [[2, 0], [2, k], [2, -k], [3, 1]], [Fraction(1, 12)] * 3 + [0]),
    ]


def raised(rng):
    """Return solutions in which a point on the edge has to be raised from 0."""
    k = int(rng.integers(1, 4))
    return [
        *shown(rng, [[1, 0], [1, k], [1, -k]], [1, 0, 0], [0, half, half]),
        ([[1, 1], [1, 3], [1, -1], [7, k]], [half, 0, half, 0]),
        *shown(rng, [[1, 1], [1, -1], [1, 3], [7, k]], [0, Fraction(3, 4), quarter, 0]),
        *shown(rng, [[half, 0], [half, k], [half, -2 * k]], [4, 0, 0]),
    ]


def twins(rng):
    k = int(rng.integers(2, 7))
    return [
        *shown(rng, [[1, 0], [1, 0], [2, k]], [1, 0, 0], [half, half, 0]),
        ([[k], [k]], [0, Fraction(1, k * k)]),
        *shown(rng, [[1, 1], [1, -1], [1, -1]], [half, third, Fraction(1, 6)]),
    ]


def in_space(rng):
    """Return a square on the edge, in space, with points beyond, and two triangles around one."""
    k = int(rng.integers(2, 6))
    square = [[1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [k, 1, 1], [1, 5, 1]]
    triangles = [[1, 2, 1], [1, 1, 3], [1, 2, -1], [1, -1, 1], [1, -1, -2], [1, -3, -2]]
    return [
        (triangles, [third, 0, 0, third, third, 0]),
        *shown(
            rng,
            square,
            [half, half, 0, 0, 0, 0],
            [quarter] * 4 + [0, 0],
            [0, 0, half, half, 0, 0],
        ),
        *shown(
            rng,
            [[1, 1, 1], [1, -1, 1], [1, 1, -1], [1, -1, -1], [k, 0, 0]],
            [half, 0, 0, half, 0],
        ),
    ]


# 6 squared


def one_point(rng):
    k = int(rng.integers(2, 9))
    return [
        ([[k, 1]], 3),
        ([[0, 0]], k),
        ([[-k]], Fraction(1, k)),
        ([[1, 2, k]], Fraction(k, 7)),
    ]


def all_pay(rng):
    k = int(rng.integers(2, 9))
    return [
        ([[k, 1], [1, 2]], Fraction(1, 200)),
        ([[k, 0], [0, 1]], 5),
        ([[1, 0, 0], [0, 2, 0], [1, 0, 3]], Fraction(1, k)),
        ([[1, 2], [2, -1], [-1, 1]], Fraction(1, 3 * k)),
    ]


def some_go_free(rng):
    """Return points that lie beyond the edge, anywhere in the list, and one exactly on it."""
    k = int(rng.integers(3, 9))
    return [
        ([[1, 0], [k, 1]], 50),
        ([[k, 1], [0, 1], [1, k]], 20),
        ([[k, 0], [k, k], [1, 1], [1, -1]], 30),
        ([[1], [2]], 1),
        ([[9, 9], [1, 0], [0, 2], [k, 3], [-1, 5]], 100),
        ([[2], [1], [k]], k),
        ([[4, 4], [2, 0], [2, -1]], 2),
        ([[1, 0], [4, 4], [1, -3]], 10),
    ]


def never_separable(rng):
    k = int(rng.integers(2, 9))
    return [
        ([[1, 0], [-1, 0]], k),
        ([[k], [-1]], 1),
        ([[1, 1], [1, 1], [-2, 1]], Fraction(1, 2)),
        ([[1, 0], [0, 1], [-1, -1]], k),
        ([[0, 0], [1, k], [-1, -2]], 2),
        ([[k, 1], [k, 1]], 10),
        ([[1, 0], [-1, 1], [k, 9], [1, -1]], 6),
        ([[k, k], [1, 0], [-1, 0], [9, 8], [0, 1]], 20),
    ]


QUESTIONS = [
    Question(
        "q1",
        function="bracket",
        points=4,
        behaviours=[
            Behaviour("low: the margin of a v that separates", 1, separating, part(0)),
            Behaviour("low: 0 where v does not separate", 1, not_separating, part(0)),
            Behaviour(
                "high: the best bound from prices, however scaled", 1, priced, part(1)
            ),
            Behaviour(
                "high: None where the prices prove nothing, 0 where u = 0",
                1,
                not_priced,
                part(1),
            ),
        ],
    ),
    Question(
        "q2",
        function="foot",
        points=3,
        behaviours=[
            Behaviour("feet inside the segment", 1, inside),
            Behaviour("feet at either end", 1, at_ends),
            Behaviour(
                "p = q, the point 0, the line, fractions and large numbers",
                1,
                odd_segments,
            ),
        ],
    ),
    Question(
        "q3",
        function="chase",
        points=4,
        needs=("q2",),
        behaviours=[
            Behaviour(
                "starts at the shortest point, of several at the first", 1, starts
            ),
            Behaviour("one step, to the first of the best points", 1, first_steps),
            Behaviour("several steps", 1, long_chases),
            Behaviour("stays where it has arrived", 1, arrivals),
        ],
    ),
    Question(
        "q4",
        function="my_climb",
        points=2,
        behaviours=[
            Behaviour("a direction in which Σαz does not move", 1, once, is_flat),
            Behaviour(
                "the dual of your points climbs along it for ever", 1, once, is_climb
            ),
        ],
    ),
    Question(
        "q5",
        function="another",
        points=5,
        behaviours=[
            Behaviour("None where α is the only solution", 1, only_ones, is_other),
            Behaviour(
                "solutions with more support vectors than needed",
                1,
                exchanges,
                is_other,
            ),
            Behaviour(
                "solutions in which a point on the edge has α = 0", 1, raised, is_other
            ),
            Behaviour("points that occur twice", 1, twins, is_other),
            Behaviour("points in space", 1, in_space, is_other),
        ],
    ),
    Question(
        "q6",
        function="squared",
        points=4,
        behaviours=[
            Behaviour(
                "points that all pay", 1, lambda rng: one_point(rng) + all_pay(rng)
            ),
            Behaviour("points beyond the edge have α = 0", 2, some_go_free),
            Behaviour(
                "data that nothing separates, and points that occur twice",
                1,
                never_separable,
            ),
        ],
    ),
]
