"""Answers to homework 05: right ones, and wrong ones with the mark that each gets."""

LEDGER = """
def ledger(Z, w_star, picks):
    def inner(u, v):
        return sum(a * b for a, b in zip(u, v))
    w, rows = [0] * len(w_star), []
    for n, i in enumerate(picks):
        z = Z[i]
        score = inner(w, z)
        if score <= 0:
            w = [a + b for a, b in zip(w, z)]
            rows.append((i, score, inner(w_star, z), inner(z, z), inner(w, w_star), inner(w, w)))
    return rows
"""
AUDIT = """
def audit(rows, margin, R2, star2):
    before, length = 0, 0
    for t, (i, score, gain, size, progress, square) in enumerate(rows, 1):
        if score > 0 or gain < margin or size > R2:
            return t
        if progress != before + gain or square != length + 2 * score + size:
            return t
        if progress**2 > square * star2:
            return t
        before, length = progress, square
"""
PROMISE = """
def promise(Z, w_star, w):
    def inner(u, v):
        return sum(a * b for a, b in zip(u, v))
    g = min(inner(w_star, z) for z in Z)
    if g <= 0:
        return None
    R2, s = max(inner(z, z) for z in Z), inner(w_star, w_star)
    p, q = inner(w, w_star), inner(w, w)
    t = 0
    while (p + (t + 1) * g) ** 2 <= s * (q + (t + 1) * R2):
        t += 1
    return t
"""
REFUTE = """
def refute(K, a, b, c):
    if a != c:
        return [[Fraction(1, 10) if a > c else 10]], [1]
    if b != c:
        return [[1]], [Fraction(1, 10) if b > c else 10]
    if K < 1:
        return [[1]], [1]
    if a < 2:
        return [[int(i == j) for j in range(40)] for i in range(40)], [1] * 40
    return None
"""
PICKS = """
def my_picks():
    w, picks = [0, 0], []
    while True:
        wrong = [i for i, z in enumerate(Z) if w[0] * z[0] + w[1] * z[1] <= 0]
        if not wrong:
            return picks
        i = CHOICE
        picks.append(i)
        w = [w[0] + Z[i][0], w[1] + Z[i][1]]
"""


def change(code, *pairs):
    """Return the code with some of its text replaced."""
    for old, new in zip(pairs[::2], pairs[1::2]):
        assert old in code, old
        code = code.replace(old, new)
    return code


RIGHT = {
    "q1": [
        """
import numpy as np

def ledger(Z, w_star, picks):
    Z, s = np.array(Z, dtype=object), np.array(w_star, dtype=object)
    w, rows = 0 * s, []
    for i in picks:
        z, score = Z[i], w @ Z[i]
        if not score > 0:
            w = w + z
            rows += [(i, score, s @ z, z @ z, w @ s, w @ w)]
    return rows
""",
        """
def ledger(Z, w_star, picks):
    rows, w, progress, square = [], [0 for _ in w_star], 0, 0
    for i in picks:
        score = gain = size = 0
        for k, v in enumerate(Z[i]):
            score, gain, size = score + w[k] * v, gain + w_star[k] * v, size + v * v
        if score > 0:
            continue
        progress += gain
        square += 2 * score + size
        for k, v in enumerate(Z[i]):
            w[k] += v
        rows.append((i, score, gain, size, progress, square))
    return rows
""",
    ],
    "q2": [
        """
def audit(rows, margin, R2, star2):
    p = q = t = 0
    for _, score, gain, size, progress, square in rows:
        t += 1
        p, q = p + gain, q + 2 * score + size
        row = score <= 0 and margin <= gain and size <= R2
        if not (row and (p, q) == (progress, square) and p * p <= q * star2):
            return t
    return None
""",
        """
def audit(rows, margin, R2, star2):
    table = [(0, 0, margin, 0, 0, 0)] + list(rows)
    faults = []
    for t in range(1, len(table)):
        _, score, gain, size, progress, square = table[t]
        fine = [0 >= score, gain - margin >= 0, R2 - size >= 0, progress - table[t - 1][4] == gain,
                square - table[t - 1][5] - size == 2 * score,
                square * star2 - progress * progress >= 0]
        if not all(fine):
            faults.append(t)
    return min(faults) if faults else None
""",
    ],
    "q3": [
        """
def promise(Z, w_star, w):
    def inner(u, v):
        return sum((a * b for a, b in zip(u, v)), Fraction(0))
    g = min(inner(w_star, z) for z in Z)
    if g <= 0:
        return None
    R2, s = max(inner(z, z) for z in Z), inner(w_star, w_star)
    p, q = inner(w, w_star), inner(w, w)
    def fits(t):
        return (p + t * g) ** 2 <= s * (q + t * R2)
    low, high = 0, 1
    while fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
""",
        """
import numpy as np

def promise(Z, w_star, w):
    Z, v, w = (np.array(a, dtype=object) for a in (Z, w_star, w))
    g = min(Z @ v)
    if not g > 0:
        return None
    R2, t = max((Z * Z).sum(axis=1)), 1
    while (w @ v + t * g) ** 2 - (v @ v) * (w @ w + t * R2) <= 0:
        t += 1
    return t - 1
""",
    ],
    "q4": [
        """
def refute(K, a, b, c):
    if a == b == c >= 2 and K >= 1:
        return None
    tries = [([[s]], [r]) for s in (1, Fraction(1, 9), 9) for r in (1, Fraction(1, 9), 9)]
    for [[s]], [r] in tries:
        if K * Fraction(s) ** (a - c) * Fraction(r) ** (b - c) < 1:
            return [[s]], [r]
    n = 1
    while K * K * n ** a >= n * n:
        n += 1
    return [[0] * i + [1] + [0] * (n - 1 - i) for i in range(n)], [1] * n
""",
        """
def refute(K, a, b, c):
    if (a, b) != (c, c):
        s = r = Fraction(1)
        while K * s ** (a - c) * r ** (b - c) >= 1:
            if a != c:
                s = s / 2 if a > c else s * 2
            else:
                r = r / 2 if b > c else r * 2
        return ([[-s]], [-r])
    if K < 1:
        return ([[0, 2]], [0, 5])
    if c <= 1:
        return ([tuple(5 if i == j else 0 for j in range(50)) for i in range(50)], (2,) * 50)
""",
    ],
    "q5": [
        """
def my_picks():
    layer, done = {(0, 0): []}, []
    while layer:
        after = {}
        for w, picks in layer.items():
            wrong = [i for i in range(4) if w[0] * Z[i][0] + w[1] * Z[i][1] <= 0]
            if not wrong:
                done = picks
            for i in wrong:
                after[w[0] + Z[i][0], w[1] + Z[i][1]] = picks + [i]
        layer = after
    return done
""",
        """
from functools import lru_cache

@lru_cache(maxsize=None)
def most(x, y):
    return max((1 + most(x + s, y + t) for s, t in Z if x * s + y * t <= 0), default=0)

def my_picks():
    x, y, picks = 0, 0, []
    while most(x, y):
        wrong = [i for i, (s, t) in enumerate(Z) if x * s + y * t <= 0]
        i = next(i for i in wrong if 1 + most(x + Z[i][0], y + Z[i][1]) == most(x, y))
        picks.append(i)
        x, y = x + Z[i][0], y + Z[i][1]
    return picks
""",
    ],
}

WRONG = {
    "q1": {
        "a tie is no mistake, so that nothing ever happens": (
            change(LEDGER, "score <= 0", "score < 0"),
            0,
        ),
        "only the first tie counts": (change(LEDGER, "score <= 0", "score < 0 or not rows"), 2),
        "updates on every pick": (change(LEDGER, "score <= 0", "True"), 1),
        "the score after the update": (change(LEDGER, "(i, score,", "(i, inner(w, z),"), 0),
        "the position among the picks instead of the index": (
            change(LEDGER, "(i, score,", "(n, score,"),
            0,
        ),
        "progress and length before the update": (
            change(
                LEDGER,
                "            w = [a + b for a, b in zip(w, z)]\n",
                "",
                "inner(w, w)))",
                "inner(w, w)))\n            w = [a + b for a, b in zip(w, z)]",
            ),
            0,
        ),
        "w grows inside Z": (
            change(
                LEDGER,
                "w = [a + b for a, b in zip(w, z)]",
                "z[:] = w = [a + b for a, b in zip(w, z)]",
            ),
            0,
        ),
        "floats": (
            change(LEDGER, "[0] * len(w_star)", "[0.0] * len(w_star)", "sum(", "sum(1.0 * "),
            0,
        ),
        "the length instead of its square": (
            change(LEDGER, "inner(w, w))", "inner(w, w) ** 0.5)"),
            0,
        ),
        "every pick once": (
            change(LEDGER, "enumerate(picks)", "enumerate(dict.fromkeys(picks))"),
            0,
        ),
    },
    "q2": {
        "counts from 0": (change(AUDIT, "enumerate(rows, 1)", "enumerate(rows)"), 1),
        "no Cauchy–Schwarz": (change(AUDIT, "progress**2 > square * star2", "False"), 3),
        "Cauchy–Schwarz without the length of w*": (change(AUDIT, "square * star2", "square"), 0),
        "only the lemmas: progress at least t margin, square at most t R2": (
            """
def audit(rows, margin, R2, star2):
    for t, (i, score, gain, size, progress, square) in enumerate(rows, 1):
        if progress < t * margin or square > t * R2 or progress**2 > square * star2:
            return t
""",
            1,
        ),
        "strict inequalities": (
            change(
                AUDIT,
                "score > 0 or gain < margin or size > R2",
                "score >= 0 or gain <= margin or size >= R2",
            ),
            0,
        ),
        "the last fault": (
            change(
                AUDIT,
                "before, length = 0, 0",
                "before, length, found = 0, 0, None",
                "return t",
                "found = t",
                "before, length = progress, square",
                "before, length = progress, square\n    return found",
            ),
            1,
        ),
        "once the score instead of twice": (change(AUDIT, "2 * score", "score"), 1),
        "does not look at the score": (change(AUDIT, "score > 0 or ", ""), 2),
        "0 for honest books": (AUDIT + "    return 0\n", 3),
        "tells whether, not where": (change(AUDIT, "return t", "return True"), 1),
    },
    "q3": {
        "by the root, in floats": (
            """
def promise(Z, w_star, w):
    def inner(u, v):
        return sum(a * b for a, b in zip(u, v))
    g = min(inner(w_star, z) for z in Z)
    if g <= 0:
        return None
    R2, s = max(inner(z, z) for z in Z), inner(w_star, w_star)
    p, q = inner(w, w_star), inner(w, w)
    half = (s * R2 - 2 * p * g) / (2 * g * g)
    return int(half + (half**2 + (s * q - p * p) / (g * g)) ** 0.5 + 1e-12)
""",
            3,
        ),
        "by the root, in floats of the exact discriminant": (
            """
from math import floor, sqrt

def promise(Z, w_star, w):
    def inner(u, v):
        return sum(a * b for a, b in zip(u, v))
    g = min(inner(w_star, z) for z in Z)
    if g <= 0:
        return None
    R2, s = max(inner(z, z) for z in Z), inner(w_star, w_star)
    p, q = inner(w, w_star), inner(w, w)
    half = Fraction(s * R2 - 2 * p * g) / (2 * g * g)
    return floor(float(half) + sqrt(half**2 + Fraction(s * q - p * p) / (g * g)))
""",
            3,
        ),
        "always the bound of the start 0": (
            change(PROMISE, "p, q = inner(w, w_star), inner(w, w)", "p, q = 0, 0"),
            2,
        ),
        "the cruder bound of Proposition 5.7": (
            change(
                PROMISE,
                "    t = 0\n",
                "    return int(R2 * s / g**2 + 2 * (q * s) ** 0.5 / g)\n    t = 0\n",
            ),
            2,
        ),
        "equality does not count": (change(PROMISE, "<= s *", "< s *"), 3),
        "one too many": (change(PROMISE, "return t", "return t + 1"), 1),
        "a margin of 0 promises nothing, and 0 is returned": (
            change(PROMISE, "if g <= 0", "if g == 0:\n        return 0\n    if g < 0"),
            4,
        ),
        "one mistake is not looked at": (change(PROMISE, "(t + 1)", "t"), 1),
        "the margin of the first point": (
            change(PROMISE, "min(inner(w_star, z) for z in Z)", "inner(w_star, Z[0])"),
            0,
        ),
        "the bound as a fraction, not rounded down": (
            change(
                PROMISE,
                "    t = 0\n",
                "    if q == 0:\n        return Fraction(R2 * s, 1) / g**2\n    t = 0\n",
            ),
            4,
        ),
        "0 instead of None": (change(PROMISE, "return None", "return 0"), 4),
        "a string": (change(PROMISE, "return t", "return str(t)"), 1),
    },
    "q4": {
        "without the stream": (
            """
def refute(K, a, b, c):
    if a == b == c and K >= 1:
        return None
    large = Fraction(int(K) + 1)
    return [[large ** (c - a)]], [large ** (c - b)]
""",
            2,
        ),
        "believes every formula": ("def refute(K, a, b, c):\n    return None", 0),
        "believes none": (change(REFUTE, "return None", "return [[1]], [1]"), 3),
        "ignores the length of w*": (change(REFUTE, "if b != c", "if False"), 3),
        "scales the wrong way": (change(REFUTE, "a > c", "a < c", "b > c", "b < c"), 3),
        "small factors are overlooked": (change(REFUTE, "if K < 1", "if False"), 3),
        "as many mistakes as the formula says, not more": (
            change(REFUTE, "40", "int(K * K) if a else int(K)"),
            2,
        ),
        "too few axes": (change(REFUTE, "40", "20"), 2),
        "data, but no w*": (change(REFUTE, "return [[1]], [1]\n", "return [[1]]\n"), 3),
        "a w* that does not separate": (change(REFUTE, "[1] * 40", "[1] * 39 + [0]"), 2),
        "floats": (change(REFUTE, "Fraction(1, 10)", "0.1"), 3),
        "only Novikoff's own formula is true": (
            change(
                REFUTE,
                "return None",
                """if (K, a) == (1, 2):
        return None
    return [[1]], [1]""",
            ),
            3,
        ),
    },
    "q5": {
        "always the first mistake": (change(PICKS, "CHOICE", "wrong[0]"), 1),
        "always the worst mistake": (
            change(PICKS, "CHOICE", "min(wrong, key=lambda i: w[0] * Z[i][0] + w[1] * Z[i][1])"),
            1,
        ),
        "sweeps": (
            change(
                PICKS, "CHOICE", "min(wrong, key=lambda i: (i - picks[-1] - 1) % 4 if picks else i)"
            ),
            1,
        ),
        "picks that are right count as well": ("def my_picks():\n    return [0, 1, 2, 3] * 8", 0),
        "stops before the end": (change(PICKS, "if not wrong:", "if len(picks) == 1:"), 0),
        "points instead of indices": (
            change(PICKS, "CHOICE", "wrong[0]", "return picks", "return [Z[i] for i in picks]"),
            0,
        ),
        "the number of mistakes": (
            change(PICKS, "CHOICE", "wrong[0]", "return picks", "return len(picks)"),
            0,
        ),
        "counts from 1": (
            change(PICKS, "CHOICE", "wrong[0]", "return picks", "return [i + 1 for i in picks]"),
            0,
        ),
    },
}
