"""Answers to homework 03: right ones, and wrong ones with the mark that each gets."""

JUDGE = """
def judge(X, y, claim):
    if claim[0] == "separator":
        scores = [sum(a * t for a, t in zip(claim[1], x)) - claim[2] for x in X]
        return sum(s * score <= 0 for s, score in zip(y, scores))
    lam = claim[1]
    columns = list(zip(*[[*x, 1] for x in X]))
    sums = [sum(a * s * t for a, s, t in zip(lam, y, c)) for c in columns]
    return sum(a < 0 for a in lam) + (sum(lam) != 1) + sum(v != 0 for v in sums)
"""


def change(code, *pairs):
    """Return the code with some of its text replaced."""
    for old, new in zip(pairs[::2], pairs[1::2]):
        assert old in code, old
        code = code.replace(old, new)
    return code


RIGHT = {
    "q1": [
        JUDGE,
        """
def judge(X, y, claim):
    faults = 0
    if claim[0] == "separator":
        for x, s in zip(X, y):
            score = -claim[2]
            for k in range(len(x)):
                score += claim[1][k] * x[k]
            if (s == 1 and score <= 0) or (s == -1 and score >= 0):
                faults += 1
        return faults
    lam = claim[1]
    faults = len([a for a in lam if a < 0])
    if sum(lam) != 1:
        faults += 1
    for k in range(len(X[0]) + 1 if X else 0):
        total = {1: 0, -1: 0}
        for a, x, s in zip(lam, X, y):
            total[s] += a * (x[k] if k < len(x) else 1)
        if total[1] != total[-1]:
            faults += 1
    return faults
""",
        """
import numpy as np

def judge(X, y, claim):
    if len(X) == 0:
        return int(claim[0] == "certificate")
    Z = np.array([[s * t for t in x] + [-s] for x, s in zip(X, y)], dtype=object)
    if claim[0] == "separator":
        return np.sum(Z @ np.array(list(claim[1]) + [claim[2]], dtype=object) <= 0)
    lam = np.array(claim[1], dtype=object)
    return np.sum(lam < 0) + int(sum(lam) != 1) + np.sum(lam @ Z != 0)
""",
    ],
    "q2": [
        """
def on_the_line(x, y):
    P, N = [t for t, s in zip(x, y) if s > 0], [t for t, s in zip(x, y) if s < 0]
    if not N:
        return ("separator", [0], -1)
    if not P:
        return ("separator", [0], 1)
    if min(P) > max(N):
        return ("separator", [1], Fraction(min(P) + max(N)) / 2)
    if max(P) < min(N):
        return ("separator", [-1], -Fraction(max(P) + min(N)) / 2)
    for i, p in enumerate(x):
        for j, q in enumerate(x):
            for k, r in enumerate(x):
                if y[j] == y[k] != y[i] and q <= p <= r:
                    lam = [Fraction(0)] * len(x)
                    lam[i] = Fraction(1, 2)
                    t = Fraction(1, 2) if q == r else Fraction(p - q) / (r - q)
                    lam[j] += (1 - t) / 2
                    lam[k] += t / 2
                    return ("certificate", lam)
""",
        """
def on_the_line(x, y):
    m = len(x)
    cuts = sorted(set(x))
    middle = [Fraction(a + b) / 2 for a, b in zip(cuts, cuts[1:])]
    for b in middle + [cuts[0] - 1 if cuts else 0]:
        for w in (1, -1):
            if judge([[t] for t in x], y, ("separator", [w], w * b)) == 0:
                return "separator", [w], w * b
    for i, j in combinations(range(m), 2):
        if x[i] == x[j] and y[i] != y[j]:
            return "certificate", [Fraction(int(k in (i, j)), 2) for k in range(m)]
    order = sorted(range(m), key=lambda i: x[i])
    for i, j, k in combinations(order, 3):
        if y[i] == y[k] != y[j]:
            lam = [0] * m
            lam[i], lam[j], lam[k] = x[k] - x[j], x[k] - x[i], x[j] - x[i]
            return "certificate", [Fraction(a) / sum(lam) for a in lam]
""",
    ],
    "q3": [
        """
def fit(P, y):
    d = len(P[0])
    if null_vector([[p[k] for p in P] for k in range(d)] + [[1] * (d + 1)]) is not None:
        return None
    v = null_vector([[-s, -1, *p] for p, s in zip(P, y)])
    v = [a / v[0] for a in v]
    return v[2:], v[1]
""",
        """
def fit(P, y):
    A = [[Fraction(t) for t in p] + [Fraction(-1), Fraction(s)] for p, s in zip(P, y)]
    n = len(A)
    for j in range(n):
        i = j
        while i < n and A[i][j] == 0:
            i += 1
        if i == n:
            return None
        A[j], A[i] = A[i], A[j]
        A[j] = [a / A[j][j] for a in A[j]]
        for k in range(n):
            if k != j:
                A[k] = [a - A[k][j] * b for a, b in zip(A[k], A[j])]
    return [row[-1] for row in A[:-1]], A[-1][-1]
""",
    ],
    "q4": [
        """
def refuse(P):
    d = len(P[0])
    c = null_vector([[*p, 1][k] for p in P[:d + 2]] for k in range(d + 1))
    plus = sum(a for a in c if a > 0)
    y = [1 if a >= 0 else -1 for a in c] + [1] * (len(P) - d - 2)
    return y, [abs(a) / plus / 2 for a in c] + [0] * (len(P) - d - 2)
""",
        """
def refuse(P):
    c = null_vector([[-1] * len(P)] + [[p[k] for p in P] for k in range(len(P[0]))])
    y, lam = [], []
    for a in c:
        y.append(-1 if a > 0 else 1)
        lam.append(a if a > 0 else -a)
    return y, [a / sum(lam) for a in lam]
""",
    ],
    "q5": [
        """
def shortest(X, y):
    m, d = len(X), len(X[0])
    for k in range(2, min(m, d + 2) + 1):
        for s in combinations(range(m), k):
            rows = [[y[i] * X[i][j] for i in s] for j in range(d)] + [[y[i] for i in s]]
            c = null_vector(rows)
            if c is not None and all(a > 0 for a in c):
                lam = [Fraction(0)] * m
                for i, a in zip(s, c):
                    lam[i] = a / sum(c)
                return lam
""",
        """
def shortest(X, y):
    best = None
    for bits in product((0, 1), repeat=len(X)):
        s = [i for i, bit in enumerate(bits) if bit]
        if 2 <= len(s) <= len(X[0]) + 2 and (best is None or len(s) < sum(a > 0 for a in best)):
            c = null_vector([[y[i] * [*X[i], 1][j] for i in s] for j in range(len(X[0]) + 1)])
            if c and all(a > 0 for a in c):
                best = [c[s.index(i)] / sum(c) if i in s else 0 for i in range(len(X))]
    return best
""",
    ],
    "q6": [
        """
def my_blame():
    def triples():
        for p, a, b in product(range(12), repeat=3):
            if a < b and y[a] == y[b] != y[p] and between(X[p], X[a], X[b]):
                k = 0 if X[a][0] != X[b][0] else 1
                t = Fraction(X[p][k] - X[a][k], X[b][k] - X[a][k])
                lam = [Fraction(0)] * 12
                lam[p], lam[a], lam[b] = Fraction(1, 2), (1 - t) / 2, t / 2
                yield lam
    proofs = list(triples())
    for out in combinations(range(12), len(proofs)):
        rest = [i for i in range(12) if i not in out]
        for a, b in ((3, 2), (2, 2), (1, 2), (2, 1), (2, 3)):
            for w in ([a, b], [-a, b], [a, -b], [-a, -b]):
                if not judge([X[i] for i in rest], [y[i] for i in rest], ("separator", w, 0)):
                    return list(out), w, 0, proofs
""",
        """
from halfspaces import separate

def my_blame():
    one = shortest(X, y)
    rest = [i for i in range(12) if one[i] == 0]
    short = shortest([X[i] for i in rest], [y[i] for i in rest])
    two = [0] * 12
    for i, a in zip(rest, short):
        two[i] = a
    for i in (k for k in range(12) if one[k]):
        for j in (k for k in range(12) if two[k]):
            keep = [k for k in range(12) if k not in (i, j)]
            found = separate([X[k] for k in keep], [y[k] for k in keep])
            if found.separable:
                h = found.halfspace
                return (i, j), [Fraction(a) for a in h.w], Fraction(h.b), (one, two)
""",
    ],
}

WRONG = {
    "q1": {
        "lets ties pass": (change(JUDGE, "s * score <= 0", "s * score < 0"), 2),
        "adds b": (change(JUDGE, "- claim[2]", "+ claim[2]"), 2),
        "forgets the appended -1": (change(JUDGE, "[*x, 1]", "x"), 2),
        "forgets the sum": (change(JUDGE, " + (sum(lam) != 1)", ""), 2),
        "forgets the signs of the weights": (change(JUDGE, "sum(a < 0 for a in lam)", "0"), 2),
        "forgets the labels in a certificate": (
            change(
                JUDGE,
                "sum(a * s * t for a, s, t in zip(lam, y, c))",
                "sum(a * t for a, t in zip(lam, c))",
            ),
            1,
        ),
        "tells whether, not how many": (
            change(
                JUDGE,
                "return sum(s * score <= 0",
                "return any(s * score <= 0",
                "return sum(a < 0 for a in lam) + (sum(lam) != 1) + sum(v != 0 for v in sums)",
                "return min(lam) < 0 or sum(lam) != 1 or any(sums)",
            ),
            0,
        ),
        "one fault for all sums": (
            change(JUDGE, "sum(v != 0 for v in sums)", "any(sums)"),
            2,
        ),
        "counts labels, forgets negative points": (
            change(
                JUDGE, "for s, score in zip(y, scores)", "for s, score in zip(y, scores) if s > 0"
            ),
            2,
        ),
        "writes the label into the points": (
            change(
                JUDGE,
                "    lam = claim[1]\n",
                "    lam = claim[1]\n    for x, s in zip(X, y):\n"
                "        x[:] = [s * t for t in x]\n",
            ),
            1,
        ),
        "believes everybody": ("def judge(X, y, claim):\n    return 0\n", 0),
        "by the verifiers of the library": (
            """
import numpy as np
from halfspaces.certificates import CertificateError, verify_no_separator, verify_separator

def judge(X, y, claim):
    X, y = np.array(X, object), np.array(y, object)
    try:
        if claim[0] == "separator":
            verify_separator(X, y, np.array(claim[1], object), claim[2])
        else:
            verify_no_separator(X, y, np.array(claim[1], object))
    except CertificateError:
        return 1
    return 0
""",
            0,
        ),
    },
    "q2": {
        "by the linear program of the library": (
            """
from halfspaces import separate

def on_the_line(x, y):
    if not x:
        return "separator", [0], 0
    found = separate([[t] for t in x], y)
    if found:
        return "separator", list(found.halfspace.w), found.halfspace.b
    return "certificate", list(found.weights)
""",
            2,
        ),
        "the positive numbers are always on the right": (
            """
def on_the_line(x, y):
    P, N = [t for t, s in zip(x, y) if s > 0], [t for t, s in zip(x, y) if s < 0]
    if not P or not N:
        return ("separator", [0], 1 if N else -1)
    if min(P) > max(N):
        return ("separator", [1], Fraction(min(P) + max(N)) / 2)
    a, b = (1, -1) if min(P) >= min(N) else (-1, 1)
    i = min((i for i in range(len(x)) if y[i] == a), key=lambda i: x[i])
    other = [j for j in range(len(x)) if y[j] == b]
    j, k = min(other, key=lambda j: x[j]), max(other, key=lambda j: x[j])
    lam = [Fraction(0)] * len(x)
    lam[i] = Fraction(1, 2)
    t = Fraction(x[i] - x[j]) / (x[k] - x[j]) if x[k] != x[j] else Fraction(0)
    lam[j] += (1 - t) / 2
    lam[k] += t / 2
    return ("certificate", lam)
""",
            2,
        ),
        "a threshold on a point": (
            """
def on_the_line(x, y):
    P, N = [t for t, s in zip(x, y) if s > 0], [t for t, s in zip(x, y) if s < 0]
    if not P or not N:
        return ("separator", [0], 1 if N else -1)
    if min(P) > max(N):
        return ("separator", [1], min(P))
    if max(P) < min(N):
        return ("separator", [-1], -max(P))
    for i, j, k in product(range(len(x)), repeat=3):
        if y[j] == y[k] != y[i] and x[j] <= x[i] <= x[k]:
            lam = [Fraction(0)] * len(x)
            t = Fraction(x[i] - x[j]) / (x[k] - x[j]) if x[k] != x[j] else Fraction(0)
            lam[i], lam[j], lam[k] = Fraction(1, 2), lam[j] + (1 - t) / 2, lam[k] + t / 2
            if j == k:
                lam[j] = Fraction(1, 2)
            return ("certificate", lam)
""",
            2,
        ),
        "equal weights on the three points": (
            """
def on_the_line(x, y):
    P, N = [t for t, s in zip(x, y) if s > 0], [t for t, s in zip(x, y) if s < 0]
    if not P or not N:
        return ("separator", [0], 1 if N else -1)
    if min(P) > max(N):
        return ("separator", [2], min(P) + max(N))
    if max(P) < min(N):
        return ("separator", [-2], -max(P) - min(N))
    for i, j, k in product(range(len(x)), repeat=3):
        if y[j] == y[k] != y[i] and x[j] <= x[i] <= x[k] and j != k:
            lam = [Fraction(int(n in (j, k)), 4) for n in range(len(x))]
            lam[i] += Fraction(1, 2)
            return ("certificate", lam)
    for i, j in product(range(len(x)), repeat=2):
        if x[i] == x[j] and y[i] != y[j]:
            return ("certificate", [Fraction(int(n in (i, j)), 2) for n in range(len(x))])
""",
            3,
        ),
        "forgets equal numbers": (
            """
def on_the_line(x, y):
    P, N = [t for t, s in zip(x, y) if s > 0], [t for t, s in zip(x, y) if s < 0]
    if not P or not N:
        return ("separator", [0], 1 if N else -1)
    if min(P) >= max(N):
        return ("separator", [2], min(P) + max(N))
    if max(P) <= min(N):
        return ("separator", [-2], -max(P) - min(N))
    for i, j, k in product(range(len(x)), repeat=3):
        if y[j] == y[k] != y[i] and x[j] < x[i] < x[k]:
            lam = [0] * len(x)
            lam[i], lam[j], lam[k] = x[k] - x[j], x[k] - x[i], x[i] - x[j]
            return ("certificate", [Fraction(a) / sum(lam) for a in lam])
""",
            3,
        ),
        "always has two labels": (
            """
def on_the_line(x, y):
    P, N = [t for t, s in zip(x, y) if s > 0], [t for t, s in zip(x, y) if s < 0]
    if min(P) > max(N):
        return ("separator", [2], min(P) + max(N))
    if max(P) < min(N):
        return ("separator", [-2], -max(P) - min(N))
    for i, j, k in product(range(len(x)), repeat=3):
        if y[j] == y[k] != y[i] and x[j] <= x[i] <= x[k]:
            lam = [Fraction(0)] * len(x)
            t = Fraction(x[i] - x[j]) / (x[k] - x[j]) if x[k] != x[j] else Fraction(0)
            lam[i] = Fraction(1, 2)
            lam[j] += (1 - t) / 2
            lam[k] += t / 2
            return ("certificate", lam)
""",
            3,
        ),
        "the right kind, in floats": (
            """
def on_the_line(x, y):
    P, N = [t for t, s in zip(x, y) if s > 0], [t for t, s in zip(x, y) if s < 0]
    if not P or not N:
        return ("separator", [0], 1 if N else -1)
    if min(P) > max(N):
        return ("separator", [1.0], float(min(P) + max(N)) / 2)
    if max(P) < min(N):
        return ("separator", [-1.0], -float(max(P) + min(N)) / 2)
    for i, j, k in product(range(len(x)), repeat=3):
        if y[j] == y[k] != y[i] and x[j] <= x[i] <= x[k]:
            lam = [0.0] * len(x)
            t = float(x[i] - x[j]) / float(x[k] - x[j]) if x[k] != x[j] else 0.0
            lam[i] = 0.5
            lam[j] += (1 - t) / 2
            lam[k] += t / 2
            return ("certificate", lam)
""",
            1,
        ),
        "weights whose sum is 2": (
            """
def on_the_line(x, y):
    P, N = [t for t, s in zip(x, y) if s > 0], [t for t, s in zip(x, y) if s < 0]
    if not P or not N:
        return ("separator", [0], 1 if N else -1)
    if min(P) > max(N):
        return ("separator", [2], min(P) + max(N))
    if max(P) < min(N):
        return ("separator", [-2], -max(P) - min(N))
    for i, j, k in product(range(len(x)), repeat=3):
        if y[j] == y[k] != y[i] and x[j] <= x[i] <= x[k]:
            lam = [Fraction(0)] * len(x)
            t = Fraction(x[i] - x[j]) / (x[k] - x[j]) if x[k] != x[j] else Fraction(0)
            lam[i] = Fraction(1)
            lam[j] += 1 - t
            lam[k] += t
            return ("certificate", lam)
""",
            3,
        ),
        "sorts its input": (
            """
def on_the_line(x, y):
    order = sorted(range(len(x)), key=lambda i: -x[i])
    x[:], y[:] = [x[i] for i in order], [y[i] for i in order]
    return ("separator", [0], 1 if -1 in y else -1)
""",
            0,
        ),
        "a table of the visible examples": (
            """
def on_the_line(x, y):
    if x == [0, 5, 2]:
        return ("separator", [-2], -7)
    if x == [0, 1, 3]:
        return ("certificate", [Fraction(1, 3), Fraction(1, 2), Fraction(1, 6)])
    return ("separator", [0], 1)
""",
            0,
        ),
    },
    "q3": {
        "b with the wrong sign": (
            """
def fit(P, y):
    *w, b, t = null_vector([[*x, 1, -s] for x, s in zip(P, y)])
    return (w, b) if t else None
""",
            1,
        ),
        "labels with the wrong sign": (
            """
def fit(P, y):
    *w, b, t = null_vector([[*x, -1, s] for x, s in zip(P, y)])
    return (w, b) if t else None
""",
            1,
        ),
        "forgets dependent points": (
            """
def fit(P, y):
    *w, b, t = null_vector([[*x, -1, -s] for x, s in zip(P, y)])
    return (w, b)
""",
            2,
        ),
        "the recipe for the corners": (
            """
def fit(P, y):
    return [s - y[0] for s in y[1:]], -y[0]
""",
            0,
        ),
        "floats": (
            """
import numpy as np

def fit(P, y):
    A = np.array([[*map(float, p), -1.0] for p in P])
    if abs(np.linalg.det(A)) < 1e-9:
        return None
    v = np.linalg.solve(A, np.array(y, float))
    return v[:-1].tolist(), float(v[-1])
""",
            1,
        ),
        "only in the plane": (
            """
def fit(P, y):
    (a, b), (c, d), (e, f) = P
    D = (c - a) * (f - b) - (e - a) * (d - b)
    if D == 0:
        return None
    u = Fraction((y[1] - y[0]) * (f - b) - (y[2] - y[0]) * (d - b)) / D
    v = Fraction((c - a) * (y[2] - y[0]) - (e - a) * (y[1] - y[0])) / D
    return [u, v], u * a + v * b - y[0]
""",
            1,
        ),
        "None only for equal points": (
            """
def fit(P, y):
    if any(p == q for p, q in combinations(P, 2)):
        return None
    *w, b, t = null_vector([[*x, -1, -s] for x, s in zip(P, y)])
    return (w, b)
""",
            2,
        ),
        "one list": (
            """
def fit(P, y):
    *v, t = null_vector([[*x, -1, -s] for x, s in zip(P, y)])
    return v if t else None
""",
            1,
        ),
    },
    "q4": {
        "forgets the sum": (
            """
def refuse(P):
    c = null_vector([*zip(*P)])
    total = sum(map(abs, c))
    return [1 if a > 0 else -1 for a in c], [abs(a) / total for a in c]
""",
            0,
        ),
        "does not normalise": (
            """
def refuse(P):
    c = null_vector([*zip(*P), [1] * len(P)])
    return [1 if a > 0 else -1 for a in c], [abs(a) for a in c]
""",
            0,
        ),
        "keeps the signs of the weights": (
            """
def refuse(P):
    c = null_vector([*zip(*P), [1] * len(P)])
    total = sum(map(abs, c))
    return [1 if a > 0 else -1 for a in c], [a / total for a in c]
""",
            0,
        ),
        "labels of 0": (
            """
def refuse(P):
    c = null_vector([*zip(*P), [1] * len(P)])
    total = sum(map(abs, c))
    return [(a > 0) - (a < 0) for a in c], [abs(a) / total for a in c]
""",
            0,
        ),
        "the diagonals of a quadrilateral, as listed": (
            """
def refuse(P):
    return [1, -1, 1, -1], [Fraction(1, 4)] * 4
""",
            0,
        ),
        "only in the plane, by areas": (
            """
def refuse(P):
    def area(i, j, k):
        (a, b), (c, d), (e, f) = P[i], P[j], P[k]
        return (c - a) * (f - b) - (e - a) * (d - b)
    c = [area(1, 2, 3), -area(0, 2, 3), area(0, 1, 3), -area(0, 1, 2)]
    total = sum(map(abs, c))
    return [1 if a > 0 else -1 for a in c], [Fraction(abs(a)) / total for a in c]
""",
            0,
        ),
        "a point inside is not foreseen": (
            """
def refuse(P):
    c = null_vector([*zip(*P), [1] * len(P)])
    if sorted(a > 0 for a in c) != [False, False, True, True]:
        return [1, 1, -1, -1], [Fraction(1, 4)] * 4
    total = sum(map(abs, c))
    return [1 if a > 0 else -1 for a in c], [abs(a) / total for a in c]
""",
            0,
        ),
        "only the first d + 2 points": (
            """
def refuse(P):
    P = P[:len(P[0]) + 2]
    c = null_vector([*zip(*P), [1] * len(P)])
    total = sum(map(abs, c))
    return [1 if a > 0 else -1 for a in c], [abs(a) / total for a in c]
""",
            1,
        ),
        "floats": (
            """
def refuse(P):
    c = [float(a) for a in null_vector([*zip(*P), [1] * len(P)])]
    total = sum(map(abs, c))
    return [1 if a > 0 else -1 for a in c], [abs(a) / total for a in c]
""",
            0,
        ),
    },
    "q5": {
        "any certificate, longest first": (
            """
def shortest(X, y):
    Z = [[s * t for t in (*x, -1)] for x, s in zip(X, y)]
    for size in range(len(X[0]) + 2, 1, -1):
        for chosen in combinations(range(len(X)), size):
            c = null_vector(zip(*(Z[i] for i in chosen)))
            if c and min(c) > 0:
                return [c[chosen.index(i)] / sum(c) if i in chosen else 0 for i in range(len(X))]
""",
            2,
        ),
        "stops one size too early": (
            """
def shortest(X, y):
    Z = [[s * t for t in (*x, -1)] for x, s in zip(X, y)]
    for size in range(2, len(X[0]) + 2):
        for chosen in combinations(range(len(X)), size):
            c = null_vector(zip(*(Z[i] for i in chosen)))
            if c and min(c) > 0:
                return [c[chosen.index(i)] / sum(c) if i in chosen else 0 for i in range(len(X))]
""",
            3,
        ),
        "starts with three": (
            """
def shortest(X, y):
    Z = [[s * t for t in (*x, -1)] for x, s in zip(X, y)]
    for size in range(3, len(X[0]) + 3):
        for chosen in combinations(range(len(X)), size):
            c = null_vector(zip(*(Z[i] for i in chosen)))
            if c and min(c) >= 0 and sum(c) > 0:
                lam = [Fraction(0)] * len(X)
                for i, a in zip(chosen, c):
                    lam[i] = a / sum(c)
                if all(lam[i] for i in chosen):
                    return lam
""",
            4,
        ),
        "forgets the labels": (
            """
def shortest(X, y):
    Z = [(*x, -1) for x in X]
    for size in range(2, len(X[0]) + 3):
        for chosen in combinations(range(len(X)), size):
            c = null_vector(zip(*(Z[i] for i in chosen)))
            if c:
                total = sum(map(abs, c))
                weights = dict(zip(chosen, c))
                return [abs(weights.get(i, 0)) / total for i in range(len(X))]
""",
            1,
        ),
        "forgets the signs": (
            """
def shortest(X, y):
    Z = [[s * t for t in (*x, -1)] for x, s in zip(X, y)]
    for size in range(2, len(X[0]) + 3):
        for chosen in combinations(range(len(X)), size):
            c = null_vector(zip(*(Z[i] for i in chosen)))
            if c and sum(c):
                return [c[chosen.index(i)] / sum(c) if i in chosen else 0 for i in range(len(X))]
""",
            1,
        ),
        "weights of the chosen points only": (
            """
def shortest(X, y):
    Z = [[s * t for t in (*x, -1)] for x, s in zip(X, y)]
    for size in range(2, len(X[0]) + 3):
        for chosen in combinations(range(len(X)), size):
            c = null_vector(zip(*(Z[i] for i in chosen)))
            if c and min(c) > 0:
                return [a / sum(c) for a in c]
""",
            1,
        ),
        "a list of zeros where separable": (
            """
def shortest(X, y):
    Z = [[s * t for t in (*x, -1)] for x, s in zip(X, y)]
    for size in range(2, len(X[0]) + 3):
        for chosen in combinations(range(len(X)), size):
            c = null_vector(zip(*(Z[i] for i in chosen)))
            if c and min(c) > 0:
                return [c[chosen.index(i)] / sum(c) if i in chosen else 0 for i in range(len(X))]
    return [0] * len(X)
""",
            4,
        ),
        "only in the plane": (
            """
def shortest(X, y):
    Z = [[s * t for t in (*x, -1)] for x, s in zip(X, y)]
    for size in (2, 3, 4):
        for chosen in combinations(range(len(X)), size):
            c = null_vector(zip(*(Z[i] for i in chosen)))
            if c and min(c) > 0:
                return [c[chosen.index(i)] / sum(c) if i in chosen else 0 for i in range(len(X))]
""",
            3,
        ),
        "only equal points": (
            """
def shortest(X, y):
    for i, j in combinations(range(len(X)), 2):
        if X[i] == X[j] and y[i] != y[j]:
            return [Fraction(int(k in (i, j)), 2) for k in range(len(X))]
""",
            1,
        ),
    },
    "q6": {
        "one certificate and two points": (
            """
def my_blame():
    lam = shortest(X, y)
    rest = [i for i in range(12) if lam[i] == 0]
    other = shortest([X[i] for i in rest], [y[i] for i in rest])
    for i in range(12):
        for j in (k for k, a in zip(rest, other) if a):
            keep = [k for k in range(12) if k not in (i, j)]
            for w in product(range(-5, 6), repeat=2):
                low = min(w[0] * X[k][0] + w[1] * X[k][1] for k in keep if y[k] > 0)
                high = max(w[0] * X[k][0] + w[1] * X[k][1] for k in keep if y[k] < 0)
                if low > high:
                    return [i, j], list(w), Fraction(low + high, 2), [lam]
""",
            2,
        ),
        "the same certificate twice": (
            """
def my_blame():
    lam = shortest(X, y)
    for i, j in combinations(range(12), 2):
        keep = [k for k in range(12) if k not in (i, j)]
        for w in product(range(-5, 6), repeat=2):
            low = min(w[0] * X[k][0] + w[1] * X[k][1] for k in keep if y[k] > 0)
            high = max(w[0] * X[k][0] + w[1] * X[k][1] for k in keep if y[k] < 0)
            if low > high:
                return [i, j], list(w), Fraction(low + high, 2), [lam, lam]
""",
            1,
        ),
        "takes all points of the certificates": (
            """
def my_blame():
    one = shortest(X, y)
    rest = [i for i in range(12) if one[i] == 0]
    short = dict(zip(rest, shortest([X[i] for i in rest], [y[i] for i in rest])))
    two = [short.get(i, 0) for i in range(12)]
    return [i for i in range(12) if one[i] or two[i]], [0, 0], 1, [one, two]
""",
            1,
        ),
        "takes a class away": (
            """
def my_blame():
    return [i for i in range(12) if y[i] > 0], [0, 0], 1, [shortest(X, y)]
""",
            1,
        ),
        "takes nothing away, proves nothing": (
            "def my_blame():\n    return [], [1, 0], 0, []\n",
            0,
        ),
        "only names the points": (
            """
def my_blame():
    return [i for i, a in enumerate(shortest(X, y)) if a]
""",
            0,
        ),
        "another student's answer": (
            """
def my_blame():
    half, third, sixth = Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)
    return [6, 4], [2, 1], Fraction(3, 2), [[0, 0, 0, third, 0, 0, sixth, 0, half, 0, 0, 0],
                                            [0, 0, 0, 0, third, 0, 0, 0, 0, 0, sixth, half]]
""",
            0,
        ),
        "floats": (
            """
def my_blame():
    lam = [float(a) for a in shortest(X, y)]
    return [i for i, a in enumerate(lam) if a], [1.0, 0.5], 0.5, [lam]
""",
            0,
        ),
    },
}
