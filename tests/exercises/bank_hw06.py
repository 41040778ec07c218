"""Answers to homework 06: right ones, and wrong ones with the mark that each gets."""

WEIGHTS = """
def list_weights(outputs):
    default = outputs[-1]
    weights = [default]
    against = {1: 0, -1: 0}
    for output in reversed(outputs[:-1]):
        size = 1 + against[output] - output * default
        weights.append(output * size)
        against[-output] += size
    return weights[::-1]
"""
MARGIN = """
def margin2(p, q):
    pp, pq, qq = (sum(a * b for a, b in zip(u, v)) for u, v in ((p, p), (p, q), (q, q)))
    if pp <= pq:
        square = pp
    elif qq <= pq:
        square = qq
    else:
        square = Fraction(pp * qq - pq**2) / (pp - 2 * pq + qq)
    return square if square > 0 else None
"""
JUMPS = """
def run_in_jumps(Z, limit):
    def inner(u, v):
        return sum(a * b for a, b in zip(u, v))
    w = [0] * len(Z[0]) if Z else []
    jumps = updates = 0
    while jumps < limit:
        wrong = [z for z in Z if inner(w, z) <= 0]
        if not wrong:
            break
        z = wrong[0]
        m = -inner(w, z) // inner(z, z) + 1
        w = [a + m * b for a, b in zip(w, z)]
        jumps, updates = jumps + 1, updates + m
    return jumps, updates, w
"""
SETTLE = """
def settle(Z, w, sigma2, limit):
    def inner(u, v):
        return sum(a * b for a, b in zip(u, v))
    updates = 0
    while updates < limit:
        wrong = [z for z in Z if inner(w, z) < 0]
        bad = [z for z in wrong if inner(w, z) ** 2 >= sigma2 * inner(w, w) * inner(z, z)]
        if not bad:
            break
        z = bad[0]
        part = Fraction(inner(w, z)) / inner(z, z)
        w = [a - part * b for a, b in zip(w, z)]
        updates += 1
    return updates, w
"""
RESCUE = """
def my_rescue():
    def det(s, t):
        return s[0] * t[1] - s[1] * t[0]
    p, q = next((p, q) for p in Z for q in Z
                if det(p, q) == 1 and all(det(p, z) >= 0 and det(z, q) >= 0 for z in Z))
    B = [[q[1], -p[1]], [-q[0], p[0]]]
    return B, [B[0][0] + B[0][1], B[1][0] + B[1][1]]
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
def list_weights(outputs):
    w = [0] * len(outputs)
    w[-1] = outputs[-1]
    for j in range(len(outputs) - 2, -1, -1):
        o = outputs[j]
        worst = w[-1] * o + sum(min(0, o * v) for v in w[j + 1:-1])
        w[j] = o * max(0, 1 - worst)
    return w
""",
        """
def list_weights(outputs):
    if len(outputs) == 1:
        return [outputs[0]]
    rest = list_weights(outputs[1:])
    opposed = sum(abs(v) for v in rest[:-1] if v * outputs[0] < 0)
    return [outputs[0] * (opposed + (0 if outputs[0] == outputs[-1] else 2))] + rest
""",
    ],
    "q2": [
        """
import numpy as np

def margin2(p, q):
    p, q = np.array(p, dtype=object), np.array(q, dtype=object)
    step = q - p
    share = Fraction(-(p @ step)) / (step @ step) if step @ step else 0
    nearest = p + min(max(share, 0), 1) * step
    return Fraction(nearest @ nearest) or None
""",
        """
def margin2(p, q):
    def dot(u, v):
        return sum((Fraction(a) * b for a, b in zip(u, v)), Fraction(0))
    ends = [dot(p, p), dot(q, q)]
    length = ends[0] + ends[1] - 2 * dot(p, q)
    if length > 0 and dot(p, q) < min(ends):
        ends.append((ends[0] * ends[1] - dot(p, q) ** 2) / length)
    best = min(ends)
    return None if best == 0 else best
""",
    ],
    "q3": [
        change(JUMPS, "return jumps, updates, w", "return jumps, updates, tuple(w)"),
        """
import numpy as np

def run_in_jumps(Z, limit):
    if len(Z) == 0:
        return 0, 0, []
    Z = np.array(Z, dtype=object)
    w, history = 0 * Z[0], []
    while len(history) < limit and any(Z @ w <= 0):
        z = Z[[s <= 0 for s in Z @ w].index(True)]
        history.append((abs(w @ z) + z @ z) // (z @ z))
        w = w + history[-1] * z
    return len(history), sum(history), list(w)
""",
        """
def run_in_jumps(Z, limit):
    w = [0 for _ in Z[0]] if Z else []
    jumps, updates, k = 0, 0, 0
    while k < len(Z) and jumps < limit:
        score = size = 0
        for a, b in zip(w, Z[k]):
            score, size = score + a * b, size + b * b
        if score > 0:
            k += 1
            continue
        m, rest = divmod(-score, size)
        m += 1
        w = [a + m * b for a, b in zip(w, Z[k])]
        jumps += 1
        updates += m
        k = 0
    return jumps, updates, w
""",
    ],
    "q4": [
        """
import numpy as np

def settle(Z, w, sigma2, limit):
    w = np.array(w, dtype=object)
    for made in range(limit):
        for z in Z:
            z = np.array(z, dtype=object)
            if z @ w < 0 and Fraction((z @ w) ** 2) / ((z @ z) * (w @ w)) >= sigma2:
                break
        else:
            return made, list(w)
        w = w - z * Fraction(w @ z) / Fraction(z @ z)
    return limit, list(w)
""",
        """
def settle(Z, w, sigma2, limit, made=0):
    def inner(u, v):
        return sum((Fraction(a) * b for a, b in zip(u, v)), Fraction(0))
    for z in Z:
        score = inner(w, z)
        if made < limit and score < 0 and score * score >= sigma2 * inner(w, w) * inner(z, z):
            after = [a - score * b / inner(z, z) for a, b in zip(w, z)]
            return settle(Z, after, sigma2, limit, made + 1)
    return made, list(w)
""",
    ],
    "q5": [
        """
import math

def my_rescue():
    # the points in order of their angle, from the widest gap on: the first and the last are p and q
    order = sorted(Z, key=lambda z: math.atan2(z[1], z[0]))
    for k in range(6):
        p, q = order[k], order[k - 1]
        if abs(p[0] * q[1] - p[1] * q[0]) == 1 and all(
                (p[0] * z[1] - p[1] * z[0]) * (p[0] * q[1] - p[1] * q[0]) >= 0 for z in Z):
            d = p[0] * q[1] - p[1] * q[0]
            B = [[d * q[1], -d * p[1]], [-d * q[0], d * p[0]]]
            w = [Fraction(2 * B[0][0] + 3 * B[0][1], 7), Fraction(2 * B[1][0] + 3 * B[1][1], 7)]
            if all(w[0] * z[0] + w[1] * z[1] > 0 for z in Z):
                return B, w
""",
        """
from halfspaces import separate

def my_rescue():
    w = [int(v) for v in separate(Z, [1] * 6, bias=False).halfspace.w]
    for p in Z:
        for q in Z:
            B = [[q[1], p[1]], [-q[0], -p[0]]]
            rows = [[z[0] * B[0][j] + z[1] * B[1][j] for j in (0, 1)] for z in Z]
            if q[0] * p[1] - q[1] * p[0] == -1 and all(a >= 0 >= b for a, b in rows):
                return B, w
""",
    ],
}

WRONG = {
    "q1": {
        "powers of two": (
            """
def list_weights(outputs):
    k = len(outputs) - 1
    return [outputs[j] * 2 ** (k - j) for j in range(k + 1)]
""",
            0,
        ),
        "all later weights count as opponents": (
            change(
                WEIGHTS,
                "against[-output] += size",
                "against = {o: against[o] + size for o in against}",
            ),
            0,
        ),
        "Fibonacci numbers for every list": (
            """
def list_weights(outputs):
    k = len(outputs) - 1
    fib = [1, 1]
    while len(fib) <= k:
        fib.append(fib[-1] + fib[-2])
    return [2 * outputs[j] * fib[k - 1 - j] for j in range(k)] + [outputs[-1]]
""",
            1,
        ),
        "the default is forgotten": (change(WEIGHTS, " - output * default", ""), 0),
        "the default always opposes": (change(WEIGHTS, " - output * default", " + 1"), 0),
        "a score of 0 is enough": (change(WEIGHTS, "size = 1 +", "size ="), 0),
        "no rule at all is forgotten": (
            change(
                WEIGHTS, "    weights = [default]\n", "    weights = [default]\n    outputs[-2]\n"
            ),
            3,
        ),
        "no weight may be 0": (
            change(WEIGHTS, "weights.append", "size = max(size, 1)\n        weights.append"),
            1,
        ),
        "sizes without signs": (change(WEIGHTS, "append(output * size)", "append(size)"), 0),
        "from back to front": (change(WEIGHTS, "weights[::-1]", "weights"), 0),
        "changes the outputs": (
            change(
                WEIGHTS,
                "return weights[::-1]",
                "outputs[:] = weights[::-1]\n    return weights[::-1]",
            ),
            0,
        ),
    },
    "q2": {
        "the distance of the line": (
            """
def margin2(p, q):
    pp, pq, qq = (sum(a * b for a, b in zip(u, v)) for u, v in ((p, p), (p, q), (q, q)))
    if pp - 2 * pq + qq == 0:
        return pp or None
    return Fraction(pp * qq - pq**2) / (pp - 2 * pq + qq) or None
""",
            2,
        ),
        "the nearer of the two": (
            """
def margin2(p, q):
    return min(sum(a * a for a in p), sum(a * a for a in q)) or None
""",
            1,
        ),
        "the distance, not its square": (
            change(MARGIN, "return square if", "return float(square) ** 0.5 if"),
            1,
        ),
        "0 instead of None": (change(MARGIN, "else None", "else 0"), 3),
        "forgets that p may be q": (
            change(MARGIN, "pp <= pq", "pp < pq", "qq <= pq", "qq < pq"),
            2,
        ),
        "only p can be the nearest": (change(MARGIN, "elif qq <= pq", "elif False"), 2),
        "the middle of the segment": (
            """
def margin2(p, q):
    return Fraction(sum((a + b) ** 2 for a, b in zip(p, q))) / 4 or None
""",
            0,
        ),
        "an obtuse angle is taken for inseparable": (
            change(
                MARGIN, "    if pp <= pq", "    if pq < 0:\n        return None\n    if pp <= pq"
            ),
            1,
        ),
        "floats": (change(MARGIN, "return square", "return float(square)"), 1),
        "only the plane": (change(MARGIN, "zip(u, v)", "zip(u[:2], v[:2])"), 1),
    },
    "q3": {
        "ties are no mistakes": (change(JUMPS, "<= 0]", "< 0]"), 0),
        "one update too few where the score is a multiple": (
            change(
                JUMPS,
                "m = -inner(w, z) // inner(z, z) + 1",
                "m = max(1, -(inner(w, z) // inner(z, z)))",
            ),
            1,
        ),
        "single updates": (change(JUMPS, "m = -inner(w, z) // inner(z, z) + 1", "m = 1"), 1),
        "the last mistake of the list": (change(JUMPS, "wrong[0]", "wrong[-1]"), 0),
        "jumps and updates mixed up": (
            change(JUMPS, "return jumps, updates", "return updates, jumps"),
            1,
        ),
        "the limit counts updates": (
            change(JUMPS, "while jumps < limit", "while updates < limit"),
            2,
        ),
        "one jump too many": (change(JUMPS, "while jumps < limit", "while jumps <= limit"), 1),
        "floats": (
            change(
                JUMPS,
                "m = -inner(w, z) // inner(z, z) + 1",
                "m = int(-inner(w, z) / inner(z, z)) + 1",
                "sum(a * b",
                "sum(float(a) * b",
            ),
            3,
        ),
        "no points": (change(JUMPS, " if Z else []", ""), 3),
        "the worst mistake": (
            change(JUMPS, "wrong[0]", "min(wrong, key=lambda z: inner(w, z))"),
            2,
        ),
    },
    "q4": {
        "takes away z, not its direction": (
            change(SETTLE, "Fraction(inner(w, z)) / inner(z, z)", "inner(w, z)"),
            0,
        ),
        "adds the point, as the perceptron does": (
            change(SETTLE, "Fraction(inner(w, z)) / inner(z, z)", "-1"),
            0,
        ),
        "doubles the step to the mirror image": (
            change(SETTLE, "Fraction(inner(w, z))", "Fraction(2 * inner(w, z))"),
            0,
        ),
        "no cone": (
            change(SETTLE, " if inner(w, z) ** 2 >= sigma2 * inner(w, w) * inner(z, z)", ""),
            1,
        ),
        "the length of w is forgotten": (
            change(SETTLE, "sigma2 * inner(w, w) * inner(z, z)", "sigma2 * inner(z, z)"),
            1,
        ),
        "σ² taken for σ": (
            change(SETTLE, "inner(w, z) ** 2 >= sigma2", "inner(w, z) ** 2 >= sigma2**2"),
            1,
        ),
        "right points outside the cone too": (
            change(SETTLE, "inner(w, z) < 0", "inner(w, z) != 0"),
            2,
        ),
        "σ itself is inside": (change(SETTLE, ">= sigma2", "> sigma2"), 3),
        "the worst mistake first": (
            change(SETTLE, "bad[0]", "min(bad, key=lambda z: inner(w, z))"),
            2,
        ),
        "one update only": (
            change(SETTLE, "while updates < limit", "while updates < min(limit, 1)"),
            3,
        ),
        "one update too many": (
            change(SETTLE, "while updates < limit", "while updates <= limit"),
            1,
        ),
        "changes its start": (change(SETTLE, "w = [a -", "w[:] = [a -"), 0),
        "floats": (change(SETTLE, "Fraction(inner(w, z))", "float(inner(w, z))"), 0),
    },
    "q5": {
        "the old coordinates": (change(RESCUE, "return B", "return [[1, 0], [0, 1]]"), 2),
        "the matrix of p and q, not its inverse": (change(RESCUE, "return B", "return [p, q]"), 2),
        "the transposed matrix": (
            change(RESCUE, "return B", "return [list(row) for row in zip(*B)]"),
            2,
        ),
        "a separator of the new points": (change(RESCUE, "return B, ", "return B, [1, 1] or "), 2),
        "blown up, with another determinant": (
            change(RESCUE, "return B", "return [[2 * v for v in row] for row in B]"),
            2,
        ),
        "flattened onto one axis": (
            change(
                RESCUE, "return B", "w = [sum(B[0]), sum(B[1])]\n    return [[w[0], 0], [w[1], 0]]"
            ),
            2,
        ),
        "floats": (change(RESCUE, "return B", "return [[float(v) for v in row] for row in B]"), 0),
        "only the matrix": (change(RESCUE, "return B, ", "return B\n    "), 0),
        "p itself as the separator": (change(RESCUE, "return B, ", "return B, p or "), 2),
    },
}
