"""Answers to homework 09: right ones, and wrong ones with the mark that each gets."""

BRACKET = """
def bracket(Z, v, alpha):
    scores = [inner(v, z) for z in Z]
    u, total = mix(alpha, Z), sum(alpha)
    low, high = 0, None
    if min(scores) > 0:
        low = Fraction(min(scores) ** 2) / inner(v, v)
    if all(a >= 0 for a in alpha) and any(alpha):
        high = Fraction(inner(u, u)) / total ** 2
    return low, high
"""
FOOT = """
def foot(p, q):
    way = [b - a for a, b in zip(p, q)]
    size = inner(way, way)
    if size == 0:
        return 1, 0
    t = Fraction(-inner(p, way)) / size
    if t < 0:
        t = Fraction(0)
    if t > 1:
        t = Fraction(1)
    return 1 - t, t
"""
CHASE = """
def chase(Z, steps):
    n = len(Z)
    sizes = [inner(z, z) for z in Z]
    weights = [Fraction(0)] * n
    weights[sizes.index(min(sizes))] = Fraction(1)
    for step in range(steps):
        p = mix(weights, Z)
        products = [inner(p, z) for z in Z]
        j = products.index(min(products))
        stay, go = foot(p, Z[j])
        weights = [stay * w for w in weights]
        weights[j] += go
    return weights
"""
CLIMB = """
def my_climb():
    (a, b), (c, d), (e, f) = three
    way = [c * f - d * e, e * b - f * a, a * d - b * c]
    return [value * sum(way) for value in way]
"""
ANOTHER = """
def another(Z, alpha):
    n, v = len(Z), mix(alpha, Z)
    edge = [i for i in range(n) if inner(v, Z[i]) == 1]
    for k in range(1, len(edge) + 1):
        for S in combinations(edge, k):
            part = solve([[inner(Z[i], Z[j]) for j in S] for i in S], [1] * k)
            if part is None:
                continue
            if min(part) < 0:
                continue
            other = [Fraction(0)] * n
            for i, a in zip(S, part):
                other[i] = a
            if sum(other) != sum(alpha):
                continue
            if other != alpha:
                return other
"""
SQUARED = """
def squared(Z, C):
    n = len(Z)
    for k in range(1, n + 1):
        for S in combinations(range(n), k):
            G = [[inner(Z[i], Z[j]) + (1 / Fraction(C) if i == j else 0) for j in S] for i in S]
            part = solve(G, [1] * k)
            alpha = [Fraction(0)] * n
            for i, a in zip(S, part):
                alpha[i] = a
            v = mix(alpha, Z)
            if min(alpha) < 0:
                continue
            if all(inner(v, Z[i]) >= 1 for i in range(n) if i not in S):
                return alpha
"""


def change(code, *pairs):
    """Return the code with some of its text replaced."""
    for old, new in zip(pairs[::2], pairs[1::2]):
        assert old in code, old
        code = code.replace(old, new)
    return code


RIGHT = {
    "q1": [
        change(BRACKET, "return low, high", "return [low, high]"),
        BRACKET,
        """
def bracket(Z, v, alpha):
    worst = min(inner(v, z) for z in Z)
    scaled = [Fraction(c) / worst for c in v] if worst > 0 else []
    low = 1 / Fraction(inner(scaled, scaled)) if worst > 0 else Fraction(0)
    if min(alpha) < 0 or max(alpha) == 0:
        return low, None
    u = mix(alpha, Z)
    if not any(u):
        return low, 0
    t = Fraction(sum(alpha)) / inner(u, u)
    best = t * sum(alpha) - t * t * inner(u, u) / 2
    return low, 1 / (2 * best)
""",
        """
import numpy as np

def bracket(Z, v, alpha):
    Z, v, alpha = (np.array(a, dtype=object) for a in (Z, v, alpha))
    low = Fraction(max(0, min(Z @ v))) ** 2 / (v @ v or 1)
    if (alpha < 0).any() or not alpha.any():
        return low, None
    p = alpha @ Z * Fraction(1, 1) / alpha.sum()
    return low, p @ p
""",
    ],
    "q2": [
        FOOT,
        """
def foot(p, q):
    pp, pq, qq = inner(p, p), inner(p, q), inner(q, q)
    if pp <= pq:
        return Fraction(1), Fraction(0)
    if qq <= pq:
        return Fraction(0), Fraction(1)
    whole = Fraction(pp - 2 * pq + qq)
    return (qq - pq) / whole, (pp - pq) / whole
""",
        """
def foot(p, q):
    def size(t):
        x = [(1 - t) * a + t * b for a, b in zip(p, q)]
        return inner(x, x)
    bend = size(0) - 2 * size(Fraction(1, 2)) + size(1)
    tries = [Fraction(0), Fraction(1)]
    if bend:
        t = Fraction(1, 2) - Fraction(size(1) - size(0)) / (4 * bend)
        tries += [t] if 0 <= t <= 1 else []
    t = min(tries, key=size)
    return 1 - t, t
""",
    ],
    "q3": [
        CHASE,
        """
import numpy as np

def chase(Z, steps):
    A = np.array(Z, dtype=object)
    start = min(range(len(A)), key=lambda i: (A[i] @ A[i], i))
    weights, p = np.array([Fraction(0)] * len(A), dtype=object), A[start]
    weights[start] = Fraction(1)
    while steps:
        j = int(np.argmin(A @ p))
        if A[j] @ p >= p @ p:
            break
        t = min(Fraction(1), Fraction(p @ (p - A[j])) / ((p - A[j]) @ (p - A[j])))
        weights, p = (1 - t) * weights, (1 - t) * p + t * A[j]
        weights[j] += t
        steps -= 1
    return weights.tolist()
""",
    ],
    "q4": [
        CLIMB,
        """
def my_climb():
    (a, b), (c, d), (e, f) = three
    x = solve([[a, c], [b, d]], [-e, -f])
    way = [*x, 1]
    return way if sum(way) > 0 else [-value for value in way]
""",
        """
def my_climb():
    # what is left of (1, 1, 1) when the best v is taken away has a positive sum
    G = [[inner(s, t) for t in zip(*three)] for s in zip(*three)]
    v = solve(G, [sum(s) for s in zip(*three)])
    return tuple(1 - inner(v, z) for z in three)
""",
    ],
    "q5": [
        ANOTHER,
        """
def another(Z, alpha):
    v = mix(alpha, Z)
    edge = [i for i, z in enumerate(Z) if inner(v, z) == 1]
    for k in range(2, len(edge) + 1):
        for S in combinations(edge, k):
            for last in S:  # a dependence with 1 at one point and independent others
                rest = [i for i in S if i != last]
                G = [[inner(Z[i], Z[j]) for j in rest] for i in rest]
                c = solve(G, [-inner(Z[i], Z[last]) for i in rest])
                if c is None:
                    continue
                way = [0] * len(Z)
                way[last] = Fraction(1)
                for i, value in zip(rest, c):
                    way[i] = value
                if any(mix(way, Z)):
                    continue
                for sign in (1, -1):
                    steps = [Fraction(a) / (-sign * w) for a, w in zip(alpha, way) if sign * w < 0]
                    if min(steps) > 0:
                        return [a + sign * min(steps) / 2 * w for a, w in zip(alpha, way)]
    return None
""",
        """
def another(Z, alpha):
    n, v = len(Z), mix(alpha, Z)
    found = []
    for mask in range(1, 2 ** n):
        S = [i for i in range(n) if mask >> i & 1]
        part = solve([[inner(Z[i], Z[j]) for j in S] for i in S], [1 for _ in S])
        if part and all(a >= 0 for a in part):
            other = tuple(part[S.index(i)] if i in S else 0 for i in range(n))
            if mix(other, Z) == v and sum(other) == sum(alpha):
                found.append(other)
    found = [other for other in found if list(other) != list(alpha)]
    return found[-1] if found else None
""",
    ],
    "q6": [
        SQUARED,
        """
def squared(Z, C):
    # the hard dual of longer points, one coordinate after the other is not enough: so guess from
    # the largest set down
    n, C = len(Z), Fraction(C)
    for mask in range(2 ** n - 1, 0, -1):
        S = [i for i in range(n) if mask >> i & 1]
        G = [[inner(Z[i], Z[j]) for j in S] for i in S]
        for k in range(len(S)):
            G[k][k] += 1 / C
        part = dict(zip(S, solve(G, [1] * len(S))))
        if min(part.values()) <= 0:
            continue
        alpha = [part.get(i, 0) for i in range(n)]
        v = mix(alpha, Z)
        if all(inner(v, z) + a / C >= 1 for z, a in zip(Z, alpha)):
            return alpha
""",
        """
def squared(Z, C):
    # start from all points; throw out who is negative, take in who is inside the street
    n, S, seen = len(Z), set(range(len(Z))), []
    while S not in seen:
        seen.append(set(S))
        order = sorted(S)
        G = [[inner(Z[i], Z[j]) + Fraction(i == j) / C for j in order] for i in order]
        part = solve(G, [1] * len(order))
        alpha = [Fraction(0)] * n
        for i, a in zip(order, part):
            alpha[i] = a
        v = mix(alpha, Z)
        S = {i for i in range(n) if (alpha[i] > 0 if i in S else inner(v, Z[i]) < 1)}
    return alpha
""",
    ],
}

WRONG = {
    "q1": {
        "does not square the worst score": (change(BRACKET, "min(scores) ** 2", "min(scores)"), 3),
        "takes prices and direction as scaled": (
            """
def bracket(Z, v, alpha):
    u = mix(alpha, Z)
    g = sum(alpha) - Fraction(inner(u, u)) / 2
    low = Fraction(1, inner(v, v)) if min(inner(v, z) for z in Z) >= 1 else 0
    high = 1 / (2 * g) if min(alpha) >= 0 and g > 0 else None
    return low, high
""",
            0,
        ),
        "a tie separates": (
            change(
                BRACKET,
                "min(scores) > 0",
                "min(scores) >= 0 and any(v)",
                "min(scores) ** 2)",
                "min(scores) ** 2 or 1)",
            ),
            3,
        ),
        "squares a negative score": (change(BRACKET, "if min(scores) > 0:", "if any(v):"), 3),
        "negative prices are let pass": (
            change(BRACKET, "all(a >= 0 for a in alpha) and any(alpha)", "sum(alpha) > 0"),
            3,
        ),
        "prices must be positive": (change(BRACKET, "a >= 0", "a > 0"), 2),
        "the bound on γ, not on γ²": (change(BRACKET, "total ** 2", "total"), 3),
        "the first point for the worst": (
            change(BRACKET, "low = Fraction(min(scores) ** 2)", "low = Fraction(scores[0] ** 2)"),
            3,
        ),
        "floats": (
            change(BRACKET, "return low, high", "return float(low), high and float(high)"),
            1,
        ),
        "changes the prices": (
            change(BRACKET, "low, high = 0, None", "low, high = 0, None\n    alpha.append(0)"),
            0,
        ),
        "no bound where u = 0": (change(BRACKET, "and any(alpha)", "and any(u)"), 3),
        "the prices 0 divide by 0": (change(BRACKET, " and any(alpha)", ""), 3),
    },
    "q2": {
        "the foot on the whole line": (
            change(FOOT, "if t < 0:", "if False:", "if t > 1:", "if False:"),
            2,
        ),
        "not cut off at 1": (change(FOOT, "if t > 1:", "if False:"), 2),
        "not cut off at 0": (change(FOOT, "if t < 0:", "if False:"), 2),
        "weights the wrong way round": (change(FOOT, "return 1 - t, t", "return t, 1 - t"), 0),
        "divides by 0 where p = q": (change(FOOT, "if size == 0:", "if False:"), 2),
        "p = q gives q": (change(FOOT, "return 1, 0", "return 0, 1"), 2),
        "the midpoint or an end": (
            change(
                FOOT, "    if t < 0:", "    t = Fraction(1, 2) if 0 < t < 1 else t\n    if t < 0:"
            ),
            1,
        ),
        "the shorter of the two ends": (
            """
def foot(p, q):
    return (1, 0) if inner(p, p) <= inner(q, q) else (0, 1)
""",
            1,
        ),
        "sign error": (change(FOOT, "-inner(p, way)", "inner(p, way)"), 0),
        "floats": (change(FOOT, "return 1 - t, t", "return float(1 - t), float(t)"), 0),
        "the point and not the weights": (
            change(FOOT, "return 1 - t, t", "return [(1 - t) * a + t * b for a, b in zip(p, q)]"),
            0,
        ),
        "the plane only": (change(FOOT, "zip(p, q)]\n", "zip(p[:2], q[:2])]\n"), 1),
    },
    "q3": {
        "starts at the first point": (change(CHASE, "sizes.index(min(sizes))", "0"), 0),
        "starts at the last of the shortest": (
            change(CHASE, "sizes.index(min(sizes))", "n - 1 - sizes[::-1].index(min(sizes))"),
            2,
        ),
        "the last of the best": (
            change(
                CHASE,
                "j = products.index(min(products))",
                "j = n - 1 - products[::-1].index(min(products))",
            ),
            3,
        ),
        "runs to the largest product": (
            change(CHASE, "j = products.index(min(products))", "j = products.index(max(products))"),
            1,
        ),
        "the old weights are not scaled": (
            change(CHASE, "[stay * w for w in weights]", "list(weights)"),
            1,
        ),
        "always half way": (
            change(CHASE, "stay, go = foot(p, Z[j])", "stay = go = Fraction(1, 2)"),
            1,
        ),
        "steps of 1/(k + 2)": (
            change(CHASE, "stay, go = foot(p, Z[j])", "go = Fraction(1, step + 2); stay = 1 - go"),
            1,
        ),
        "one step too many": (change(CHASE, "range(steps)", "range(steps + 1)"), 1),
        "one step only": (change(CHASE, "range(steps)", "range(min(1, steps))"), 2),
        "the weight replaces the old one": (
            change(CHASE, "weights[j] += go", "weights[j] = go"),
            2,
        ),
        "the point and not the weights": (
            change(CHASE, "return weights", "return mix(weights, Z)"),
            0,
        ),
        "floats": (change(CHASE, "return weights", "return [float(w) for w in weights]"), 0),
        "the shortest by the sum of moduli": (
            change(CHASE, "inner(z, z) for z in Z", "sum(map(abs, z)) for z in Z"),
            3,
        ),
    },
    "q4": {
        "down instead of up": (change(CLIMB, "value * sum(way)", "-value * sum(way)"), 1),
        "the direction of the notebook": ("def my_climb():\n    return [2, -1, 0]", 0),
        "all prices up": ("def my_climb():\n    return [1, 1, 1]", 0),
        "no direction": ("def my_climb():\n    return [0, 0, 0]", 0),
        "floats": (change(CLIMB, "value * sum(way)", "float(value * sum(way))"), 0),
        "up at first only": ("def my_climb():\n    return [Fraction(1, 1000), 0, 0]", 0),
        "moves the first two only": (
            change(CLIMB, "[value * sum(way) for value in way]", "[*way[:2], 0]"),
            0,
        ),
        "a sign missed in the middle": (change(CLIMB, "e * b - f * a", "f * a - e * b"), 0),
        "a direction of v, not of α": ("def my_climb():\n    return mix([1, 1, 1], three)", 0),
    },
    "q5": {
        "never": ("def another(Z, alpha):\n    return None", 0),
        "the same again": ("def another(Z, alpha):\n    return list(alpha)", 0),
        "may be negative": (change(ANOTHER, "if min(part) < 0:", "if False:"), 1),
        "does not look at u": (change(ANOTHER, "if sum(other) != sum(alpha):", "if False:"), 0),
        "only among the support vectors": (
            change(ANOTHER, "if inner(v, Z[i]) == 1]", "if alpha[i] > 0]"),
            2,
        ),
        "twins only": (
            """
def another(Z, alpha):
    for i, j in combinations(range(len(Z)), 2):
        if Z[i] == Z[j] and alpha[i] + alpha[j] > 0:
            other = list(alpha)
            other[i], other[j] = (other[j], other[i]) if alpha[i] != alpha[j] else (2 * alpha[i], 0)
            return other
""",
            1,
        ),
        "more points on the edge than dimensions": (
            """
def another(Z, alpha):
    v = mix(alpha, Z)
    edge = [i for i, z in enumerate(Z) if inner(v, z) == 1]
    if len(edge) <= len(v):
        return None
    share = sum(alpha) / Fraction(len(edge))
    return [share if i in edge else Fraction(0) for i in range(len(Z))]
""",
            0,
        ),
        "one support vector only": (change(ANOTHER, "range(1, len(edge) + 1)", "range(1, 2)"), 0),
        "two support vectors only": (change(ANOTHER, "range(1, len(edge) + 1)", "range(2, 3)"), 3),
        "twice the prices": ("def another(Z, alpha):\n    return [2 * a for a in alpha]", 0),
        "floats": (change(ANOTHER, "return other", "return [float(a) for a in other]"), 1),
        "changes α in place": (
            change(
                ANOTHER,
                "    n, v = len(Z), mix(alpha, Z)",
                "    n, v = len(Z), mix(alpha, Z)\n    alpha[0] += 1",
            ),
            0,
        ),
    },
    "q6": {
        "all points pay, and what is negative is clipped": (
            """
def squared(Z, C):
    n = len(Z)
    G = [[inner(p, q) + Fraction(i == j) / C for j, q in enumerate(Z)] for i, p in enumerate(Z)]
    return [max(Fraction(0), a) for a in solve(G, [1] * n)]
""",
            1,
        ),
        "the largest set without a negative price, the others never checked": (
            """
def squared(Z, C):
    n = len(Z)
    for k in range(n, 0, -1):
        for S in combinations(range(n), k):
            G = [[inner(Z[i], Z[j]) + Fraction(i == j) / C for j in S] for i in S]
            part = solve(G, [1] * k)
            if min(part) >= 0:
                found = dict(zip(S, part))
                return [found.get(i, Fraction(0)) for i in range(n)]
""",
            1,
        ),
        "throws out who is negative and takes nobody in again": (
            """
def squared(Z, C):
    S = list(range(len(Z)))
    while True:
        G = [[inner(Z[i], Z[j]) + Fraction(i == j) / C for j in S] for i in S]
        found = dict(zip(S, solve(G, [1] * len(S))))
        if min(found.values()) >= 0:
            return [found.get(i, Fraction(0)) for i in range(len(Z))]
        S = [i for i in S if found[i] > 0]
""",
            2,
        ),
        "forgets 1/C": (change(SQUARED, "1 / Fraction(C) if i == j else 0", "0"), 0),
        "C for 1/C": (change(SQUARED, "1 / Fraction(C)", "Fraction(C)"), 0),
        "1/C everywhere": (
            change(SQUARED, "(1 / Fraction(C) if i == j else 0)", "1 / Fraction(C)"),
            0,
        ),
        "1/(2C)": (change(SQUARED, "1 / Fraction(C)", "1 / Fraction(2 * C)"), 0),
        "all points always": (
            change(
                SQUARED, "range(1, n + 1)", "range(n, n + 1)", "if min(alpha) < 0:", "if False:"
            ),
            1,
        ),
        "negative ones set to 0": (
            """
def squared(Z, C):
    n = len(Z)
    G = [[inner(Z[i], Z[j]) for j in range(n)] for i in range(n)]
    for i in range(n):
        G[i][i] += 1 / Fraction(C)
    return [max(Fraction(0), a) for a in solve(G, [1] * n)]
""",
            1,
        ),
        "does not look at the others": (change(SQUARED, ">= 1 for i", ">= 0 for i"), 0),
        "may be negative": (change(SQUARED, "if min(alpha) < 0:", "if False:"), 2),
        "the usual fee": (
            """
def squared(Z, C):
    return [min(Fraction(C), 1 / Fraction(inner(z, z))) if any(z) else Fraction(C) for z in Z]
""",
            0,
        ),
        "each point alone": (
            """
def squared(Z, C):
    return [1 / (inner(z, z) + 1 / Fraction(C)) for z in Z]
""",
            0,
        ),
        "floats": (change(SQUARED, "return alpha", "return [float(a) for a in alpha]"), 0),
        "ξ for α": (change(SQUARED, "return alpha", "return [a / C for a in alpha]"), 0),
        "one point or two": (change(SQUARED, "range(1, n + 1)", "range(1, min(n, 2) + 1)"), 2),
    },
}
