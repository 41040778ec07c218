"""Answers to homework 01: right ones, and wrong ones with the mark that each gets."""

RIGHT = {
    "q1": [
        """
def mirror(w, b, x):
    n = sum(a * a for a in w)
    if n == 0:
        return None
    t = Fraction(2 * (sum(a * s for a, s in zip(w, x)) - b)) / n
    return tuple(s - t * a for a, s in zip(w, x))
""",
        """
import numpy as np

def mirror(w, b, x):
    w, x = np.array(w, dtype=object), np.array(x, dtype=object)
    if not (w @ w):
        return None
    nearest = x - Fraction(w @ x - b) / Fraction(w @ w) * w
    return list(2 * nearest - x)
""",
        """
def mirror(w, b, x):
    n = score = Fraction(0)
    for i in range(len(w)):
        n += w[i] ** 2
        score += w[i] * x[i]
    if n == 0:
        return
    t = (b - score) / n
    image = []
    for i in range(len(w)):
        image.append(x[i] + t * w[i] + t * w[i])
    return image
""",
    ],
    "q2": [
        """
def same_rule(v, c, u, e):
    def normal(v, c):
        w, b = [Fraction(a) for a in v[:-1]], Fraction(-v[-1] * c)
        size = sum(map(abs, w))
        if size == 0:
            return b <= 0
        return [a / size for a in w], b / size
    return normal(v, c) == normal(u, e)
""",
        """
def same_rule(v, c, u, e):
    p, q = list(v), list(u)
    p[-1], q[-1] = p[-1] * c, q[-1] * e
    if any(p[:-1]) != any(q[:-1]):
        return False
    if not any(p[:-1]):
        return (p[-1] < 0) == (q[-1] < 0)
    parallel = all(p[i] * q[j] == p[j] * q[i] for i in range(len(p)) for j in range(i))
    return parallel and sum(a * b for a, b in zip(p, q)) > 0
""",
    ],
    "q3": [
        """
def smallest_tie(w, b):
    for size in range(21):
        for s in range(-size, size + 1):
            for t in (size - abs(s), abs(s) - size):
                if w[0] * s + w[1] * t == b:
                    return [s, t]
    return None
""",
        """
import numpy as np

def smallest_tie(w, b):
    best = None
    for x in np.ndindex(61, 61):
        s, t = x[0] - 30, x[1] - 30
        if (w[0] * s + w[1] * t >= b) != (w[0] * s + w[1] * t > b):
            if best is None or abs(s) + abs(t) < abs(best[0]) + abs(best[1]):
                best = (s, t)
    return best and [best[0], best[1]]
""",
    ],
    "q4": [
        """
def street(X, y, w):
    low = high = None
    for x, label in zip(X, y):
        s = sum(w[k] * x[k] for k in range(len(w)))
        if label == 1 and (low is None or s < low):
            low = s
        if label == -1 and (high is None or s > high):
            high = s
    if low is None or high is None:
        return None
    return (high + Fraction(low - high) / 2, low - high)
""",
        """
import numpy as np

def street(X, y, w):
    if set(y) != {1, -1}:
        return None
    scores = np.array(X, dtype=object) @ np.array(w, dtype=object)
    y = np.array(y)
    p, q = min(scores[y > 0]), max(scores[y < 0])
    return Fraction(1, 2) * (p + q), p - q
""",
    ],
    "q5": [
        """
import numpy as np

def widest(X, y, size):
    X, y = np.array(X), np.array(y)
    best, direction = -np.inf, None
    for s in range(-size, size + 1):
        for t in range(-size, size + 1):
            if (s, t) != (0, 0):
                scores = X @ [s, t]
                margin = (scores[y > 0].min() - scores[y < 0].max()) / np.hypot(s, t)
                if margin > best + 1e-12:
                    best, direction = margin, [s, t]
    return direction
""",
        """
from math import gcd, sqrt

def widest(X, y, size):
    sizes = range(size, -size - 1, -1)
    grid = [(s, t) for s in sizes for t in sizes if gcd(s, t) == 1]

    def margin(w):
        return street(X, y, list(w))[1] / sqrt(w[0] ** 2 + w[1] ** 2)

    return list(sorted(grid, key=margin)[-1])
""",
    ],
    "q6": [
        """
def my_certificate():
    pairs = [(i, j) for i in range(12) for j in range(12) if y[i] == 1 and y[j] == -1]
    i, j = min(pairs, key=lambda p: (X[p[0]][0] - X[p[1]][0]) ** 2 + (X[p[0]][1] - X[p[1]][1]) ** 2)
    w = [X[i][0] - X[j][0], X[i][1] - X[j][1]]
    return w, Fraction(sum(w[k] * (X[i][k] + X[j][k]) for k in (0, 1)), 2), i, j
""",
        """
def my_certificate():
    for i in range(len(X)):
        for j in range(len(X)):
            if y[i] > y[j]:
                w = [Fraction(s - t, 7) for s, t in zip(X[i], X[j])]
                b, gap = street(X, y, w)
                if gap == sum(7 * a * a for a in w):
                    return [w, b, i, j]
""",
    ],
}

WRONG = {
    "q1": {
        "the nearest point, not the image": (
            """
def mirror(w, b, x):
    n = sum(a * a for a in w)
    if n == 0:
        return None
    t = Fraction(sum(a * s for a, s in zip(w, x)) - b) / n
    return [s - t * a for a, s in zip(w, x)]
""",
            1,
        ),
        "divides by the length, not its square": (
            """
def mirror(w, b, x):
    n = sum(a * a for a in w) ** 0.5
    if n == 0:
        return None
    t = 2 * (sum(a * s for a, s in zip(w, x)) - b) / n
    return [s - t * a for a, s in zip(w, x)]
""",
            1,
        ),
        "right, but in floats": (
            """
def mirror(w, b, x):
    n = sum(a * a for a in w)
    if n == 0:
        return None
    t = 2 * float(sum(a * s for a, s in zip(w, x)) - b) / n
    return [float(s - t * a) for a, s in zip(w, x)]
""",
            1,
        ),
        "adds the threshold": (
            """
def mirror(w, b, x):
    n = sum(a * a for a in w)
    if n == 0:
        return None
    t = Fraction(2 * (sum(a * s for a, s in zip(w, x)) + b)) / n
    return [s - t * a for a, s in zip(w, x)]
""",
            1,
        ),
        "forgets w = 0": (
            """
def mirror(w, b, x):
    t = Fraction(2 * (sum(a * s for a, s in zip(w, x)) - b)) / sum(a * a for a in w)
    return [s - t * a for a, s in zip(w, x)]
""",
            2,
        ),
        "returns the point itself where w = 0": (
            """
def mirror(w, b, x):
    n = sum(a * a for a in w) or 1
    t = Fraction(2 * (sum(a * s for a, s in zip(w, x)) - b)) / n
    return [s - t * a for a, s in zip(w, x)]
""",
            2,
        ),
        "only in the plane": (
            """
def mirror(w, b, x):
    if not any(w):
        return None
    t = Fraction(2 * (w[0] * x[0] + w[1] * x[1] - b), w[0] ** 2 + w[1] ** 2)
    return [x[0] - t * w[0], x[1] - t * w[1]]
""",
            2,
        ),
        "writes into x": (
            """
def mirror(w, b, x):
    n = sum(a * a for a in w)
    if n == 0:
        return None
    t = Fraction(2 * (sum(a * s for a, s in zip(w, x)) - b)) / n
    for i in range(len(x)):
        x[i] -= t * w[i]
    return x
""",
            1,
        ),
        "a table of the visible examples": (
            """
def mirror(w, b, x):
    return {3: [2, 5], 0: [0, 0], 4: [Fraction(8, 5), Fraction(16, 5)]}.get(b)
""",
            0,
        ),
    },
    "q2": {
        "compares the lists": (
            """
def same_rule(v, c, u, e):
    return v[:-1] == u[:-1] and v[-1] * c == u[-1] * e
""",
            0,
        ),
        "forgets the constants": (
            """
def same_rule(v, c, u, e):
    i = next((i for i, a in enumerate(v) if a), None)
    if i is None or not any(v[:-1]) or not any(u[:-1]):
        return not any(v[:-1]) and not any(u[:-1]) and (v[-1] * c >= 0) == (u[-1] * e >= 0)
    return v[i] * u[i] > 0 and all(v[i] * s == u[i] * t for t, s in zip(v, u))
""",
            3,
        ),
        "divides where it should multiply": (
            """
def same_rule(v, c, u, e):
    p, q = [*v[:-1], Fraction(v[-1]) / c], [*u[:-1], Fraction(u[-1]) / e]
    if not any(p[:-1]) or not any(q[:-1]):
        return any(p[:-1]) == any(q[:-1]) and (p[-1] >= 0) == (q[-1] >= 0)
    i = next(i for i, a in enumerate(p) if a)
    return p[i] * q[i] > 0 and all(p[i] * s == q[i] * t for t, s in zip(p, q))
""",
            3,
        ),
        "any factor will do": (
            """
def same_rule(v, c, u, e):
    p, q = [*v[:-1], v[-1] * c], [*u[:-1], u[-1] * e]
    if not any(p[:-1]) or not any(q[:-1]):
        return any(p[:-1]) == any(q[:-1]) and (p[-1] >= 0) == (q[-1] >= 0)
    i = next(i for i, a in enumerate(p) if a)
    return q[i] != 0 and all(p[i] * s == q[i] * t for t, s in zip(p, q))
""",
            3,
        ),
        "forgets rules without a boundary": (
            """
def same_rule(v, c, u, e):
    p, q = [*v[:-1], v[-1] * c], [*u[:-1], u[-1] * e]
    i = next((i for i, a in enumerate(p) if a), 0)
    return p[i] * q[i] > 0 and all(p[i] * s == q[i] * t for t, s in zip(p, q))
""",
            3,
        ),
        "takes the rule 0 ≥ 0 for empty": (
            """
def same_rule(v, c, u, e):
    p, q = [*v[:-1], v[-1] * c], [*u[:-1], u[-1] * e]
    if not any(p[:-1]) or not any(q[:-1]):
        return any(p[:-1]) == any(q[:-1]) and (p[-1] > 0) == (q[-1] > 0)
    i = next(i for i, a in enumerate(p) if a)
    return p[i] * q[i] > 0 and all(p[i] * s == q[i] * t for t, s in zip(p, q))
""",
            3,
        ),
        "divides by the first weight": (
            """
def same_rule(v, c, u, e):
    p, q = [*v[:-1], v[-1] * c], [*u[:-1], u[-1] * e]
    if not any(p[:-1]) or not any(q[:-1]):
        return any(p[:-1]) == any(q[:-1]) and (p[-1] >= 0) == (q[-1] >= 0)
    factor = Fraction(q[0]) / p[0]
    return factor > 0 and all(factor * t == s for t, s in zip(p, q))
""",
            3,
        ),
        "says yes": ("def same_rule(v, c, u, e): return True", 0),
        "says no": ("def same_rule(v, c, u, e): return False", 0),
        "returns 1 and 0": (
            """
def same_rule(v, c, u, e):
    p, q = [*v[:-1], v[-1] * c], [*u[:-1], u[-1] * e]
    i = next((i for i, a in enumerate(p) if a), 0)
    return int(p[i] * q[i] > 0 and all(p[i] * s == q[i] * t for t, s in zip(p, q)))
""",
            0,
        ),
        "writes into the weights": (
            """
def same_rule(v, c, u, e):
    v[-1], u[-1] = v[-1] * c, u[-1] * e
    if not any(v[:-1]) or not any(u[:-1]):
        return any(v[:-1]) == any(u[:-1]) and (v[-1] >= 0) == (u[-1] >= 0)
    i = next(i for i, a in enumerate(v) if a)
    return v[i] * u[i] > 0 and all(v[i] * s == u[i] * t for t, s in zip(v, u))
""",
            0,
        ),
    },
    "q3": {
        "the first tie of the box": (
            """
def smallest_tie(w, b):
    for s in range(-20, 21):
        for t in range(-20, 21):
            if w[0] * s + w[1] * t == b:
                return [s, t]
""",
            1,
        ),
        "only points without negative coordinates": (
            """
def smallest_tie(w, b):
    ties = [[s, t] for s in range(21) for t in range(21) if w[0] * s + w[1] * t == b]
    return min(ties, key=sum, default=None)
""",
            0,
        ),
        "the smallest largest coordinate": (
            """
def smallest_tie(w, b):
    span = range(-20, 21)
    ties = [[s, t] for s in span for t in span if w[0] * s + w[1] * t == b]
    return min(ties, key=lambda x: max(map(abs, x)), default=None)
""",
            1,
        ),
        "a box that is too small": (
            """
def smallest_tie(w, b):
    span = range(-5, 6)
    ties = [[s, t] for s in span for t in span if w[0] * s + w[1] * t == b]
    return min(ties, key=lambda x: abs(x[0]) + abs(x[1]), default=None)
""",
            0,
        ),
        "a box without its upper end": (
            """
def smallest_tie(w, b):
    span = range(-20, 20)
    ties = [[s, t] for s in span for t in span if w[0] * s + w[1] * t == b]
    return min(ties, key=lambda x: abs(x[0]) + abs(x[1]), default=None)
""",
            3,
        ),
        "the other sign of b": (
            """
def smallest_tie(w, b):
    span = range(-20, 21)
    ties = [[s, t] for s in span for t in span if w[0] * s + w[1] * t + b == 0]
    return min(ties, key=lambda x: abs(x[0]) + abs(x[1]), default=None)
""",
            1,
        ),
        "stops where there is no tie": (
            """
def smallest_tie(w, b):
    span = range(-20, 21)
    ties = [[s, t] for s in span for t in span if w[0] * s + w[1] * t == b]
    return min(ties, key=lambda x: abs(x[0]) + abs(x[1]))
""",
            3,
        ),
        "divides by the second weight": (
            """
def smallest_tie(w, b):
    ties = [[s, (b - w[0] * s) // w[1]] for s in range(-20, 21) if (b - w[0] * s) % w[1] == 0]
    return min(ties, key=lambda x: abs(x[0]) + abs(x[1]), default=None)
""",
            2,
        ),
        "a point of the line that is not whole": (
            """
def smallest_tie(w, b):
    return [b / w[0], 0]
""",
            0,
        ),
    },
    "q4": {
        "halfway between the means": (
            """
def street(X, y, w):
    scores = [sum(a * t for a, t in zip(w, x)) for x in X]
    above = [s for s, label in zip(scores, y) if label > 0]
    below = [s for s, label in zip(scores, y) if label < 0]
    if not above or not below:
        return None
    b = (Fraction(sum(above), len(above)) + Fraction(sum(below), len(below))) / 2
    return b, min(above) - max(below)
""",
            1,
        ),
        "the smallest value, not twice": (
            """
def street(X, y, w):
    scores = [sum(a * t for a, t in zip(w, x)) for x in X]
    above = [s for s, label in zip(scores, y) if label > 0]
    below = [s for s, label in zip(scores, y) if label < 0]
    if not above or not below:
        return None
    return Fraction(min(above) + max(below), 2), Fraction(min(above) - max(below), 2)
""",
            1,
        ),
        "no negative gap": (
            """
def street(X, y, w):
    scores = [sum(a * t for a, t in zip(w, x)) for x in X]
    above = [s for s, label in zip(scores, y) if label > 0]
    below = [s for s, label in zip(scores, y) if label < 0]
    if not above or not below:
        return None
    return Fraction(min(above) + max(below), 2), max(min(above) - max(below), 0)
""",
            3,
        ),
        "None where the direction does not separate": (
            """
def street(X, y, w):
    scores = [sum(a * t for a, t in zip(w, x)) for x in X]
    above = [s for s, label in zip(scores, y) if label > 0]
    below = [s for s, label in zip(scores, y) if label < 0]
    if not above or not below or min(above) < max(below):
        return None
    return Fraction(min(above) + max(below), 2), min(above) - max(below)
""",
            3,
        ),
        "the outermost points": (
            """
def street(X, y, w):
    scores = [sum(a * t for a, t in zip(w, x)) for x in X]
    above = [s for s, label in zip(scores, y) if label > 0]
    below = [s for s, label in zip(scores, y) if label < 0]
    if not above or not below:
        return None
    return Fraction(max(above) + min(below), 2), max(above) - min(below)
""",
            1,
        ),
        "rounds the threshold down": (
            """
def street(X, y, w):
    scores = [sum(a * t for a, t in zip(w, x)) for x in X]
    above = [s for s, label in zip(scores, y) if label > 0]
    below = [s for s, label in zip(scores, y) if label < 0]
    if not above or not below:
        return None
    return (min(above) + max(below)) // 2, min(above) - max(below)
""",
            1,
        ),
        "floats": (
            """
def street(X, y, w):
    scores = [sum(a * t for a, t in zip(w, x)) for x in X]
    above = [s for s, label in zip(scores, y) if label > 0]
    below = [s for s, label in zip(scores, y) if label < 0]
    if not above or not below:
        return None
    return float(min(above) + max(below)) / 2, min(above) - max(below)
""",
            1,
        ),
        "stops where a label is missing": (
            """
def street(X, y, w):
    scores = [sum(a * t for a, t in zip(w, x)) for x in X]
    low = min(s for s, label in zip(scores, y) if label > 0)
    high = max(s for s, label in zip(scores, y) if label < 0)
    return Fraction(low + high, 2), low - high
""",
            3,
        ),
        "a threshold anyway where a label is missing": (
            """
def street(X, y, w):
    scores = [sum(a * t for a, t in zip(w, x)) for x in X]
    low = min((s for s, label in zip(scores, y) if label > 0), default=0)
    high = max((s for s, label in zip(scores, y) if label < 0), default=0)
    return Fraction(low + high, 2), low - high
""",
            3,
        ),
        "only in the plane": (
            """
def street(X, y, w):
    scores = [w[0] * x[0] + w[1] * x[1] for x in X]
    above = [s for s, label in zip(scores, y) if label > 0]
    below = [s for s, label in zip(scores, y) if label < 0]
    if not above or not below:
        return None
    return Fraction(min(above) + max(below), 2), min(above) - max(below)
""",
            1,
        ),
        "sorts the points": (
            """
def street(X, y, w):
    X.sort(key=lambda x: -sum(a * t for a, t in zip(w, x)))
    scores = [sum(a * t for a, t in zip(w, x)) for x in X]
    above, below = scores[:y.count(1)], scores[y.count(1):]
    if not above or not below:
        return None
    return Fraction(min(above) + max(below), 2), min(above) - max(below)
""",
            0,
        ),
    },
    "q5": {
        "compares scores": (
            """
def widest(X, y, size):
    span = range(-size, size + 1)
    return max(([s, t] for s in span for t in span if s or t), key=lambda w: street(X, y, w)[1])
""",
            0,
        ),
        "divides by the sum of the weights": (
            """
def widest(X, y, size):
    span = range(-size, size + 1)
    return max(([s, t] for s in span for t in span if s or t),
               key=lambda w: Fraction(street(X, y, w)[1], abs(w[0]) + abs(w[1])))
""",
            0,
        ),
        "divides by the squared length": (
            """
def widest(X, y, size):
    span = range(-size, size + 1)
    return max(([s, t] for s in span for t in span if s or t),
               key=lambda w: Fraction(street(X, y, w)[1], w[0] ** 2 + w[1] ** 2))
""",
            0,
        ),
        "loses the sign in the square": (
            """
def widest(X, y, size):
    span = range(-size, size + 1)
    return max(([s, t] for s in span for t in span if s or t),
               key=lambda w: Fraction(street(X, y, w)[1] ** 2, w[0] ** 2 + w[1] ** 2))
""",
            0,
        ),
        "starts its search at margin 0": (
            """
def widest(X, y, size):
    best, direction = 0, [1, 0]
    for s in range(-size, size + 1):
        for t in range(-size, size + 1):
            if s or t:
                margin = street(X, y, [s, t])[1] / (s * s + t * t) ** 0.5
                if margin > best:
                    best, direction = margin, [s, t]
    return direction
""",
            3,
        ),
        "a grid without its upper end": (
            """
def widest(X, y, size):
    span = range(-size, size)
    return max(([s, t] for s in span for t in span if s or t),
               key=lambda w: street(X, y, w)[1] / (w[0] ** 2 + w[1] ** 2) ** 0.5)
""",
            3,
        ),
        "only directions without negative entries": (
            """
def widest(X, y, size):
    span = range(size + 1)
    return max(([s, t] for s in span for t in span if s or t),
               key=lambda w: street(X, y, w)[1] / (w[0] ** 2 + w[1] ** 2) ** 0.5)
""",
            0,
        ),
        "stops at w = 0": (
            """
def widest(X, y, size):
    span = range(-size, size + 1)
    return max(([s, t] for s in span for t in span),
               key=lambda w: street(X, y, w)[1] / (w[0] ** 2 + w[1] ** 2) ** 0.5)
""",
            0,
        ),
        "a direction of length 1": (
            """
def widest(X, y, size):
    span = range(-size, size + 1)
    w = max(([s, t] for s in span for t in span if s or t),
            key=lambda w: street(X, y, w)[1] / (w[0] ** 2 + w[1] ** 2) ** 0.5)
    n = (w[0] ** 2 + w[1] ** 2) ** 0.5
    return [w[0] / n, w[1] / n]
""",
            0,
        ),
    },
    "q6": {
        "the threshold of another line": (
            """
def my_certificate():
    pairs = [(i, j) for i in range(12) for j in range(12) if y[i] == 1 and y[j] == -1]
    i, j = min(pairs, key=lambda p: sum((s - t) ** 2 for s, t in zip(X[p[0]], X[p[1]])))
    return [s - t for s, t in zip(X[i], X[j])], 100, i, j
""",
            0,
        ),
        "a street that is not in the middle": (
            """
def my_certificate():
    pairs = [(i, j) for i in range(12) for j in range(12) if y[i] == 1 and y[j] == -1]
    i, j = min(pairs, key=lambda p: sum((s - t) ** 2 for s, t in zip(X[p[0]], X[p[1]])))
    w = [s - t for s, t in zip(X[i], X[j])]
    return w, street(X, y, w)[0] + Fraction(1, 3), i, j
""",
            1,
        ),
        "the pair in the wrong order": (
            """
def my_certificate():
    pairs = [(i, j) for i in range(12) for j in range(12) if y[i] == 1 and y[j] == -1]
    i, j = min(pairs, key=lambda p: sum((s - t) ** 2 for s, t in zip(X[p[0]], X[p[1]])))
    w = [s - t for s, t in zip(X[i], X[j])]
    return w, street(X, y, w)[0], j, i
""",
            1,
        ),
        "the pair that is farthest apart": (
            """
def my_certificate():
    pairs = [(i, j) for i in range(12) for j in range(12) if y[i] == 1 and y[j] == -1]
    i, j = max(pairs, key=lambda p: sum((s - t) ** 2 for s, t in zip(X[p[0]], X[p[1]])))
    w = widest(X, y, 4)
    return w, street(X, y, w)[0], i, j
""",
            1,
        ),
        "indices from 1": (
            """
def my_certificate():
    pairs = [(i, j) for i in range(12) for j in range(12) if y[i] == 1 and y[j] == -1]
    i, j = min(pairs, key=lambda p: sum((s - t) ** 2 for s, t in zip(X[p[0]], X[p[1]])))
    w = widest(X, y, 4)
    return w, street(X, y, w)[0], i + 1, j + 1
""",
            1,
        ),
        "floats": (
            """
def my_certificate():
    pairs = [(i, j) for i in range(12) for j in range(12) if y[i] == 1 and y[j] == -1]
    i, j = min(pairs, key=lambda p: sum((s - t) ** 2 for s, t in zip(X[p[0]], X[p[1]])))
    w = widest(X, y, 4)
    return w, float(street(X, y, w)[0]), i, j
""",
            0,
        ),
        "somebody else's points": (
            """
def my_certificate():
    return [1, 0], 20, 0, 1
""",
            0,
        ),
        "the points, not their indices": (
            """
def my_certificate():
    pairs = [(i, j) for i in range(12) for j in range(12) if y[i] == 1 and y[j] == -1]
    i, j = min(pairs, key=lambda p: sum((s - t) ** 2 for s, t in zip(X[p[0]], X[p[1]])))
    w = widest(X, y, 4)
    return w, street(X, y, w)[0], X[i], X[j]
""",
            0,
        ),
    },
}
