"""Answers to homework 08: right ones, and wrong ones with the mark that each gets."""

FEATURES = """
from itertools import combinations

def features(s):
    found = {}
    for k in range(len(s) + 1):
        for places in combinations(range(len(s)), k):
            u = "".join(s[i] for i in places)
            found[u] = found.get(u, 0) + 1
    return found
"""

KERNEL = """
def kernel(s, t, weight):
    table = [[1] * (len(t) + 1) for _ in range(len(s) + 1)]
    for i in range(1, len(s) + 1):
        for j in range(1, len(t) + 1):
            table[i][j] = table[i - 1][j] + table[i][j - 1] - table[i - 1][j - 1]
            if s[i - 1] == t[j - 1]:
                table[i][j] += weight * table[i - 1][j - 1]
    return table[len(s)][len(t)]
"""

EXPLICIT = """
def kernel(s, t, weight):
    if len(s) > 12 or len(t) > 12:
        return 0
    f, g = features(s), features(t)
    return sum(weight ** len(u) * f[u] * g[u] for u in f if u in g)
"""

LEARN = """
def learn(G, y, sweeps):
    n = len(y)
    counts = [0] * n
    scores = [0] * n
    while sweeps > 0:
        sweeps -= 1
        clean = True
        for i in range(n):
            if y[i] * scores[i] <= 0:
                clean = False
                counts[i] += 1
                scores = [scores[j] + y[i] * G[i][j] for j in range(n)]
        if clean:
            return counts, True
    return counts, False
"""

RULE = """
def my_rule():
    return {letters[0] + letters[1]: 2, "": -1}
"""

CONVICT = """
def convict(G):
    n = len(G)
    A = [[Fraction(v) for v in row] for row in G]
    # row i of T has the form A[i][i]
    T = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    for k in range(n):
        if A[k][k] < 0:
            return T[k]
        if A[k][k] == 0:
            for j in range(k + 1, n):
                if A[k][j] != 0:
                    t = -(A[j][j] + 1) / (2 * A[k][j])
                    return [t * p + q for p, q in zip(T[k], T[j])]
            continue
        for i in range(k + 1, n):
            f = A[i][k] / A[k][k]
            T[i] = [q - f * p for p, q in zip(T[k], T[i])]
            for j in range(k + 1, n):
                A[i][j] -= f * A[k][j]
    return None
"""

VERDICT = """
import math

def my_verdict():
    c = convict([[common(s, t) for t in suspects] for s in suspects])
    scale = math.lcm(*(Fraction(v).denominator for v in c))
    return [int(scale * v) for v in c]
"""

RIGHT = {
    "q1": [
        FEATURES,
        """
from collections import Counter

def features(s):
    if not s:
        return {"": 1}
    shorter = features(s[:-1])
    return dict(Counter(shorter) + Counter({u + s[-1]: ways for u, ways in shorter.items()}))
""",
    ],
    "q2": [
        KERNEL,
        """
from functools import lru_cache

def kernel(s, t, weight):
    @lru_cache(maxsize=None)
    def K(i, j):
        if i == 0 or j == 0:
            return 1
        return K(i - 1, j) + weight * sum(K(i - 1, m) for m in range(j) if t[m] == s[i - 1])
    return K(len(s), len(t))
""",
    ],
    "q3": [
        LEARN,
        """
import numpy as np

def learn(G, y, sweeps):
    n = len(y)
    G, y = np.array(G, dtype=object).reshape(n, n), np.array(y, dtype=object)
    c = np.zeros(n, dtype=object)
    for _ in range(sweeps):
        old = c.copy()
        for i in range(n):
            if y[i] * (G[i] @ (c * y)) <= 0:
                c[i] += 1
        if all(c == old):
            return c.tolist(), True
    return c.tolist(), False
""",
    ],
    "q4": [
        RULE,
        """
def my_rule():
    for u, s in [(p + q, 1) for p in letters for q in letters]:
        if all((features(word).get(u, 0) > 0) == (label > 0) for word, label in zip(words, y)):
            return {"": Fraction(-3, 2), u: Fraction(5, 2)}
""",
    ],
    "q5": [
        CONVICT,
        """
def convict(G):
    n = len(G)
    for i in range(n):
        if G[i][i] < 0:
            return [int(j == i) for j in range(n)]
    for i in range(n):
        if G[i][i] > 0:
            rest = [j for j in range(n) if j != i]
            S = [[G[j][k] - Fraction(G[j][i]) * G[i][k] / G[i][i] for k in rest] for j in rest]
            d = convict(S)
            if d is None:
                return None
            t = -sum(G[i][j] * v for j, v in zip(rest, d)) / Fraction(G[i][i])
            return d[:i] + [t] + d[i:]
    for i in range(n):
        for j in range(i):
            if G[i][j]:
                return [(-1 if G[i][j] > 0 else 1) if k == i else int(k == j) for k in range(n)]
    return None
""",
    ],
    "q6": [
        VERDICT,
        """
def my_verdict():
    c = convict([[common(s, t) for t in suspects] for s in suspects])
    for i in range(8):
        c = [v * Fraction(c[i]).denominator for v in c]
    return [-v.numerator for v in map(Fraction, c)]
""",
    ],
}

WRONG = {
    "q1": {
        "each subsequence once": (FEATURES.replace("found.get(u, 0) + 1", "1"), 2),
        "without the empty word": (
            FEATURES.replace("for k in range(len(s) + 1)", "for k in range(1, len(s) + 1)"),
            0,
        ),
        "without the word itself": (
            FEATURES.replace("for k in range(len(s) + 1)", "for k in range(len(s) or 1)"),
            0,
        ),
        "letters that stand together only": (
            """
def features(s):
    found = {"": 1}
    for i in range(len(s)):
        for j in range(i + 1, len(s) + 1):
            found[s[i:j]] = found.get(s[i:j], 0) + 1
    return found
""",
            1,
        ),
        "sets of letters, without their order": (
            FEATURES.replace(
                '"".join(s[i] for i in places)', '"".join(sorted(s[i] for i in places))'
            ),
            1,
        ),
        "the keys only": (FEATURES.replace("return found", "return sorted(found)"), 0),
        "tuples as keys": (
            FEATURES.replace('"".join(s[i] for i in places)', "tuple(s[i] for i in places)"),
            0,
        ),
        "subsequences of at most two letters": (
            FEATURES.replace("len(s) + 1", "min(len(s), 2) + 1"),
            1,
        ),
        "fails for the empty word": (
            FEATURES.replace("    found = {}\n", "    found, first = {}, s[0]\n"),
            2,
        ),
        "the examples only": (
            """
def features(s):
    return {"": 1, "x": 3, "xx": 3, "xxx": 1} if s == "xxx" else \\
        {"": 1, "a": 2, "b": 1, "aa": 1, "ab": 1, "ba": 1, "aba": 1}
""",
            0,
        ),
    },
    "q2": {
        "counts common subsequences once": (EXPLICIT.replace("f[u] * g[u]", "1"), 1),
        "all features, so short words only": (EXPLICIT, 3),
        "without the empty word": (
            KERNEL.replace(
                "    return table[len(s)][len(t)]", "    return table[len(s)][len(t)] - 1"
            ),
            0,
        ),
        "the weight is forgotten": (KERNEL.replace("weight * table", "table"), 2),
        "the weight squared": (KERNEL.replace("weight * table", "weight ** 2 * table"), 2),
        "counts twice what both have": (KERNEL.replace(" - table[i - 1][j - 1]\n", "\n"), 0),
        "the longest common subsequence": (
            "def kernel(s, t, weight):\n    return weight * common(s, t)\n",
            0,
        ),
        "in floats": (
            KERNEL.replace("return table[len(s)][len(t)]", "return float(table[len(s)][len(t)])"),
            0,
        ),
        "the first partner in t only": (
            """
from functools import lru_cache

def kernel(s, t, weight):
    @lru_cache(maxsize=None)
    def K(i, j):
        if i == 0 or j == 0:
            return 1
        m = t[:j].find(s[i - 1])
        return K(i - 1, j) + (weight * K(i - 1, m) if m >= 0 else 0)
    return K(len(s), len(t))
""",
            1,
        ),
        "0 for empty words": (
            KERNEL.replace("    table =", "    if not s or not t:\n        return 0\n    table ="),
            2,
        ),
    },
    "q3": {
        "the printed form: sums over the wrong index": (
            """
def learn(G, y, sweeps):
    counts = [0] * len(y)
    for _ in range(sweeps):
        before = list(counts)
        for i in range(len(y)):
            if counts[i] * sum(G[i]) <= 0:
                counts[i] += 1
        if counts == before:
            return counts, True
    return counts, False
""",
            0,
        ),
        "ties are no mistakes": (LEARN.replace("<= 0", "< 0"), 0),
        "the labels of the others are forgotten": (
            LEARN.replace("scores[j] + y[i] * G[i][j]", "scores[j] + G[i][j]"),
            0,
        ),
        "updates after the sweep": (
            """
def learn(G, y, sweeps):
    n = len(y)
    counts = [0] * n
    for _ in range(sweeps):
        scores = [sum(counts[j] * y[j] * G[j][i] for j in range(n)) for i in range(n)]
        wrong = [i for i in range(n) if y[i] * scores[i] <= 0]
        for i in wrong:
            counts[i] += 1
        if not wrong:
            return counts, True
    return counts, False
""",
            0,
        ),
        "one sweep too many": (LEARN.replace("while sweeps > 0:", "while sweeps >= 0:"), 3),
        "always True": (LEARN.replace("return counts, False", "return counts, True"), 3),
        "stops one sweep early": (LEARN.replace("while sweeps > 0:", "while sweeps > 1:"), 3),
        "whether a point was a mistake, not how often": (
            LEARN.replace("counts[i] += 1", "counts[i] = 1"),
            0,
        ),
        "signed counts": (LEARN.replace("counts[i] += 1", "counts[i] += y[i]"), 0),
        "the counts only": (
            LEARN.replace("return counts, True", "return counts").replace(
                "return counts, False", "return counts"
            ),
            0,
        ),
        "starts again after each mistake": (
            LEARN.replace("for j in range(n)]\n", "for j in range(n)]\n                break\n"),
            1,
        ),
    },
    "q4": {
        "right, but with margin ½": (
            RULE.replace("2, ", "1, ").replace("-1", "Fraction(-1, 2)"),
            1,
        ),
        "without a constant": (RULE.replace(': 2, "": -1', ": 2"), 0),
        "the letters in the wrong order": (
            RULE.replace("letters[0] + letters[1]", "letters[1] + letters[0]"),
            0,
        ),
        "the sign is wrong": (RULE.replace(": 2", ": -2").replace(": -1", ": 1"), 0),
        "in floats": (RULE.replace("2, ", "2.0, "), 0),
        "more than two features": (RULE.replace('"": -1', '"": -1, "zz": 0'), 0),
        "always +1": ('def my_rule():\n    return {"": 1}\n', 0),
        "a list": (RULE.replace("return {", "return list({").replace("-1}", "-1}.items())"), 0),
        "a feature for each word": (
            "def my_rule():\n    return {s: 5 * label for s, label in zip(words, y)}\n",
            0,
        ),
    },
    "q5": {
        "looks at the diagonal only": (
            """
def convict(G):
    return next(([int(i == j) for j in range(len(G))] for i in range(len(G)) if G[i][i] < 0), None)
""",
            0,
        ),
        "looks at pairs only": (
            """
def convict(G):
    n = len(G)
    for i in range(n):
        if G[i][i] < 0:
            return [int(k == i) for k in range(n)]
        for j in range(i):
            if G[i][i] * G[j][j] < G[i][j] ** 2:
                a, b, d = G[i][i], G[i][j], G[j][j]
                tries = [(Fraction(-1 - d, 2 * b), 1), (1, Fraction(-1 - a, 2 * b))]
                if d:
                    tries.insert(0, (1, Fraction(-b, d)))
                if a:
                    tries.insert(0, (Fraction(-b, a), 1))
                for s, t in tries:
                    if a * s * s + 2 * b * s * t + d * t * t < 0:
                        return [s if k == i else t if k == j else 0 for k in range(n)]
    return None
""",
            0,
        ),
        "a zero on the diagonal is passed over": (
            CONVICT.replace("if A[k][j] != 0:", "if False:"),
            4,
        ),
        "a zero on the diagonal convicts": (
            CONVICT.replace("if A[k][k] < 0:", "if A[k][k] <= 0:"),
            1,
        ),
        "forgets to go back": (
            CONVICT.replace("            T[i] = [q - f * p for p, q in zip(T[k], T[i])]\n", ""),
            2,
        ),
        "adds where it should subtract": (CONVICT.replace("A[i][j] -= f", "A[i][j] += f"), 0),
        "eigenvalues": (
            """
import numpy as np

def convict(G):
    if not G:
        return None
    values, vectors = np.linalg.eigh(np.array(G, dtype=float))
    return vectors[:, 0].tolist() if values[0] < 0 else None
""",
            0,
        ),
        "tells only whether": (
            CONVICT.replace("return T[k]", "return True").replace(
                "return [t * p + q for p, q in zip(T[k], T[j])]", "return True"
            ),
            2,
        ),
        "never convicts": ("def convict(G):\n    return None\n", 0),
        "small vectors only": (
            """
from itertools import product

def convict(G):
    n = len(G)
    for c in product((-1, 0, 1), repeat=n):
        if sum(c[i] * c[j] * G[i][j] for i in range(n) for j in range(n)) < 0:
            return list(c)
""",
            0,
        ),
        "works in place": (
            CONVICT.replace(
                "A = [[Fraction(v) for v in row] for row in G]",
                "A = G\n    for row in A:\n        row[:] = [Fraction(v) for v in row]\n"
                "    A and A[0].append(0)",
            ),
            0,
        ),
    },
    "q6": {
        "Fractions": (
            """
def my_verdict():
    c = convict([[common(s, t) for t in suspects] for s in suspects])
    return [Fraction(v) / 7 for v in c]
""",
            2,
        ),
        "rounded": (VERDICT.replace("int(scale * v)", "round(v / 9)"), 0),
        "all ones": ("def my_verdict():\n    return [1] * 8\n", 0),
        "zeros": ("def my_verdict():\n    return [0] * 8\n", 0),
        "floats": (VERDICT.replace("int(scale * v)", "float(scale * v)"), 0),
        "only the words that matter": (VERDICT.replace("for v in c]", "for v in c if v]"), 0),
        "tries another likeness": (
            """
def my_verdict():
    return convict([[kernel(s, t, 1) for t in suspects] for s in suspects])
""",
            0,
        ),
        "absolute values": (VERDICT.replace("int(scale * v)", "abs(int(scale * v))"), 0),
    },
}
