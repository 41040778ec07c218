"""What the answers of homework 08 are tried on: words, their kernel, and what is none."""

from fractions import Fraction

from coursekit.homework.grading.drawing import inner, once
from coursekit.homework.grading.judging import exact, is_exact, is_exact_list, passes
from coursekit.homework.grading.marking import Behaviour, Question
from halfspaces.certificates import verify_not_gram, verify_separator


def letters(rng, n):
    """Draw n different letters."""
    return [chr(97 + k) for k in rng.permutation(26)[:n].tolist()]


def word(rng, alphabet, n):
    return "".join(alphabet[k] for k in rng.integers(0, len(alphabet), n).tolist())


# 1 features


def plain_words(rng):
    """Draw words without a repeated letter."""
    return [("".join(letters(rng, n)),) for n in (2, 3, 5, 1)]


def repeating_words(rng):
    a, b, c = letters(rng, 3)
    return [
        (a + b + a + b,),
        (a + a + b + b + a,),
        (a * 4,),
        (a + b + c + a + b + c,),
        (a + word(rng, [a, b], 6) + a + b,),
    ]


# 2 kernel


def short_pairs(rng):
    """Draw short words without repeated letters, which share some in order and some not."""
    a, b, c, d = letters(rng, 4)
    return [
        (a + b + c, a + c + d, 1),
        (a + b + c, c + b + a, 1),
        (a + b + c + d, a + b + c + d, 1),
        (a, b, 1),
        (d, c + d, 1),
        (a + b + c + d, b + d, 1),
    ]


def repeated_pairs(rng):
    a, b, c = letters(rng, 3)
    return [
        ("", "", 1),
        ("", a + b, 1),
        (b + b, "", 1),
        (a + a, a, 1),
        (a, a + a + a, 1),
        (a + a + b, a + b + b, 1),
        (a + b + a + b, b + a + b + a, 1),
        (a + b + word(rng, [a, b, c], 6), a + a + b + word(rng, [a, b, c], 7), 1),
    ]


def weighted_pairs(rng):
    a, b, c = letters(rng, 3)
    half = Fraction(1, int(rng.integers(2, 6)))
    k = int(rng.integers(2, 6))
    s = a + b + c + word(rng, [a, b, c], 4)
    t = a + b + a + c + word(rng, [a, b, c], 3)
    return [
        (s, t, half),
        (s, t, k),
        (s, t, -1),
        (s, t, -half),
        (s, t, 0),
        ("", t, k),
        (a, a, half),
        (a + b, a + b, k),
    ]


def long_pairs(rng):
    a, b, c, d = letters(rng, 4)
    return [
        (word(rng, [a, b, c, d], 100), word(rng, [a, b, c, d], 100), 1),
        (a * 100, a * 100, 1),
        (word(rng, [a, b], 100), word(rng, [b, a], 60), Fraction(1, 3)),
        (a * 100, b * 100, 5),
    ]


# 3 learn


def table(points):
    return [[inner(p, q) for q in points] for p in points]


def trace(G, y, sweeps, batch=False, restart=False):
    """Return the counts of Algorithm 8.3, or of one that updates late or starts again too often."""
    counts = [0] * len(y)
    for _ in range(sweeps):
        before = list(counts)
        for i in range(len(y)):
            signed = [c * v for c, v in zip(before if batch else counts, y)]
            if y[i] * inner(signed, G[i]) <= 0:
                counts[i] += 1
            if restart and before != counts:
                break
        if before == counts:
            break
    return counts


def draw_separable(rng):
    """Draw points with repeated mistakes, where updates in batches make a difference."""
    cases = []
    while len(cases) < 3:
        points = rng.integers(-6, 7, (7, 3)).tolist()
        w = rng.integers(-4, 5, 3).tolist()
        y = [1 if inner(w, p) > 0 else -1 for p in points]
        if len(set(y)) < 2 or not all(inner(w, p) for p in points):
            continue
        G = table(points)
        counts = trace(G, y, 200)
        if max(counts) < 3 or sum(counts) >= 60 or 0 not in counts:
            continue
        if counts not in (trace(G, y, 200, batch=True), trace(G, y, 200, restart=True)):
            cases.append((G, y, 200))
    return cases


def tied(rng):
    """Return tables with ties that come up after the first update too."""
    k = int(rng.integers(2, 6))
    return [
        ([[1, 0], [0, k]], [1, -1], 9),
        ([[k, 0, 0], [0, 1, 0], [0, 0, 2]], [1, 1, -1], 4),
        ([[k, k], [k, 2 * k]], [1, -1], 9),
        ([[4, 2, 2], [2, 5, 1], [2, 1, 9]], [1, -1, 1], 50),
        ([[Fraction(1, k), 0], [0, 1]], [-1, -1], 3),
    ]


def unfinished(rng):
    """Return tables that nothing separates, and sweeps that end just in time or too early."""
    k = int(rng.integers(2, 6))
    twins = [[k, k], [k, k]]
    G = [[4, 2], [2, 2]]
    return [
        (twins, [1, -1], 1),
        (twins, [1, -1], 7),
        (twins, [-1, 1], 4),
        (G, [1, -1], 1),
        (G, [1, -1], 2),
        (G, [1, -1], 3),
        (G, [1, -1], 4),
        ([[0, 0], [0, 1]], [1, 1], 5),
        ([[1]], [1], 1),
        ([[1]], [-1], 2),
        (twins, [1, 1], 2),
    ]


def no_sweeps(rng):
    return [
        ([], [], 1),
        ([], [], 0),
        ([[3]], [1], 0),
        ([[1, 0], [0, 1]], [1, -1], 0),
        ([], [], 5),
        ([[2]], [-1], 3),
    ]


# 4 my_rule


def ways(u, s):
    """Return in how many ways u is a subsequence of s."""
    row = [1] + [0] * len(u)
    for letter in s:
        for k in range(len(u), 0, -1):
            row[k] += row[k - 1] if u[k - 1] == letter else 0
    return row[-1]


def is_rule(got):
    """Tell whether an answer gives exact weights to one or two words."""
    if not isinstance(got, dict) or not 1 <= len(got) <= 2:
        return False
    return all(
        isinstance(u, str) and len(u) < 50 and is_exact(v) for u, v in got.items()
    )


def counts(rule, given):
    """Return the features that a rule uses, of each word of the student."""
    return [[ways(u, s) for u in rule] for s in given["words"]]


def is_right(got, want, args, given):
    if not is_rule(got):
        return False
    weights = exact(list(got.values()))
    return passes(
        verify_separator, exact(counts(got, given)), exact(given["y"]), weights
    )


def has_margin(got, want, args, given):
    if not is_rule(got):
        return False
    scores = [inner(got.values(), row) for row in counts(got, given)]
    return min(label * score for label, score in zip(given["y"], scores)) >= 1


# 5 convict


def convicts(got, want, args, given):
    if want is None or got is None:
        return got is want
    [G] = args
    return is_exact_list(got, len(G)) and passes(verify_not_gram, exact(G), exact(got))


def moved(rng, G):
    """Return the matrix of the same form in other coordinates c = Tc′, T triangular."""
    n = len(G)
    T = [
        [int(i == j) if i >= j else int(rng.integers(-2, 3)) for j in range(n)]
        for i in range(n)
    ]
    columns = list(zip(*T))
    return [
        [
            sum(u[i] * G[i][j] * v[j] for i in range(n) for j in range(n))
            for v in columns
        ]
        for u in columns
    ]


def diagonal(*values):
    return [
        [v if i == j else 0 for j in range(len(values))] for i, v in enumerate(values)
    ]


def negative(rng):
    """Return matrices whose diagonals are positive where they can be, and which fail late."""
    k = int(rng.integers(2, 7))
    tiny = Fraction(1, 10 ** int(rng.integers(25, 50)))
    return [
        ([[1, 1], [1, 1 - tiny]],),
        ([[k, 1, 0], [1, Fraction(1, k), 0], [0, 0, -tiny]],),
        ([[1, k], [k, 1]],),
        ([[k, 0, 0], [0, 1, 2], [0, 2, 1]],),
        ([[9, 15], [15, 24]],),
        (moved(rng, diagonal(1, 2, k, -1)),),
        (moved(rng, diagonal(k, 1, -Fraction(1, 9), 5, 1)),),
        ([[1, Fraction(1, 2), -1], [Fraction(1, 2), 1, 1], [-1, 1, 1]],),
    ]


def corners(rng):
    """Return matrices with a negative or zero entry on the diagonal, at once or after a step."""
    k = int(rng.integers(2, 7))
    late = [[9, 3, 3, 3], [3, 2, 2, 1], [3, 2, 2, 2], [3, 1, 2, 1]]
    return [
        ([[1, 1, 0], [1, 1, k], [0, k, 50]],),
        (late,),
        ([[1, 1, 1], [1, 1, 0], [1, 0, 90]],),
        ([[-1]],),
        ([[k, 0], [0, -1]],),
        ([[-1, 5], [5, 100]],),
        ([[0, k], [k, 0]],),
        ([[0, 1], [1, 100 * k]],),
        ([[0, 0, -k], [0, 1, 0], [-k, 0, 9]],),
        ([[0, 0, 0], [0, 1, k], [0, k, 1]],),
        ([[1, 1], [1, 0]],),
        ([[0, Fraction(-1, 7)], [Fraction(-1, 7), 3]],),
        ([[0, -3, 1], [-3, 2, 1], [1, 1, 1]],),
        ([[0, 0], [0, -k]],),
    ]


def definite(rng):
    """Return Gram matrices of independent vectors, with entries of both signs."""
    cases = [
        (moved(rng, diagonal(*values)),)
        for values in ((1, 2, 3), (5, 1, 1, 2), (Fraction(1, 5), 7))
    ]
    tiny = Fraction(1, 10 ** int(rng.integers(25, 50)))
    return [
        *cases,
        ([[1, 1], [1, 1 + tiny]],),
        ([[3]],),
        ([[2, -1], [-1, 2]],),
        ([[4, 2, 1], [2, 4, 2], [1, 2, 4]],),
    ]


def semidefinite(rng):
    """Return Gram matrices of dependent vectors: some cᵀGc are 0, and no one is negative."""
    points = rng.integers(-4, 5, (5, 2)).tolist()
    return [
        ([],),
        ([[0]],),
        ([[0, 0], [0, 0]],),
        ([[1, 1], [1, 1]],),
        (table(points),),
        ([[0, 0, 0], [0, 4, 2], [0, 2, 1]],),
        ([[1, -2], [-2, 4]],),
        (moved(rng, diagonal(2, 0, 1, 0)),),
        ([[1, 1, 1], [1, 1, 1], [1, 1, 2]],),
    ]


# 6 my_verdict


def is_verdict(got, want, args, given):
    words = given["suspects"]
    if not is_exact_list(got, len(words)):
        return False
    G = [[given["common"](s, t) for t in words] for s in words]
    return passes(verify_not_gram, exact(G), exact(got))


def is_whole_verdict(got, want, args, given):
    return is_verdict(got, want, args, given) and all(type(v) is int for v in got)


QUESTIONS = [
    Question(
        "q1",
        function="features",
        points=3,
        behaviours=[
            Behaviour("words without a repeated letter", 1, plain_words),
            Behaviour(
                "letters that repeat: counts the ways, not the words",
                1,
                repeating_words,
            ),
            Behaviour("the empty word", 1, lambda rng: [("",)]),
        ],
    ),
    Question(
        "q2",
        function="kernel",
        points=4,
        behaviours=[
            Behaviour("short words, weight 1", 1, short_pairs),
            Behaviour("repeated letters, and the empty word", 1, repeated_pairs),
            Behaviour("other weights: fractions, 0, negative ones", 1, weighted_pairs),
            Behaviour("words of 100 letters", 1, long_pairs),
        ],
    ),
    Question(
        "q3",
        function="learn",
        points=4,
        behaviours=[
            Behaviour(
                "the counts, where the labels can be separated", 2, draw_separable
            ),
            Behaviour("ties are mistakes", 1, tied),
            Behaviour(
                "says whether a sweep passed, and keeps to the number of sweeps, 0 included",
                1,
                lambda rng: unfinished(rng) + no_sweeps(rng),
            ),
        ],
    ),
    Question(
        "q4",
        function="my_rule",
        points=2,
        needs=("q1",),
        behaviours=[
            Behaviour("two features that label all your words", 1, once, is_right),
            Behaviour("with margin 1", 1, once, has_margin),
        ],
    ),
    Question(
        "q5",
        function="convict",
        points=5,
        behaviours=[
            Behaviour(
                "convicts where the diagonal does not show it", 2, negative, convicts
            ),
            Behaviour(
                "zeros and negative numbers on the diagonal, at once or after a step",
                1,
                corners,
                convicts,
            ),
            Behaviour("lets positive definite matrices pass", 1, definite, convicts),
            Behaviour(
                "lets matrices pass in which some cᵀGc are 0", 1, semidefinite, convicts
            ),
        ],
    ),
    Question(
        "q6",
        function="my_verdict",
        points=3,
        needs=("q5",),
        behaviours=[
            Behaviour("a vector that convicts", 2, once, is_verdict),
            Behaviour("in whole numbers", 1, once, is_whole_verdict),
        ],
    ),
]
