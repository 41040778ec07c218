"""Answers to homework 07: right ones, and wrong ones with the mark that each gets."""

WALK = """
def fewest_mistakes(x, y):
    order = sorted(range(len(x)), key=lambda i: x[i])
    if not order:
        return 0, 1, 0
    best = (len(y) + 1, 1, 0)
    below = {1: 0, -1: 0}
    total = {1: y.count(1), -1: y.count(-1)}
    for k in range(len(order) + 1):
        if 0 < k < len(order) and x[order[k]] == x[order[k - 1]]:
            below[y[order[k]]] += 1
            continue
        low = x[order[k - 1]] if k else x[order[0]] - 2
        high = x[order[k]] if k < len(order) else low + 2
        t = Fraction(low + high) / 2
        for s in (1, -1):
            wrong = below[s] + total[-s] - below[-s]
            if wrong < best[0]:
                best = (wrong, s, t)
        if k < len(order):
            below[y[order[k]]] += 1
    return best
"""

SLOPES = """
def slopes(z, w):
    left = right = 0
    for v in z:
        if v * w < 1:
            left, right = left - v, right - v
        elif v * w == 1 and v > 0:
            left -= v
        elif v * w == 1:
            right -= v
    return left, right
"""

REFUTE = """
def refute(z, w, g):
    def F(u):
        return sum(max(0, 1 - v * u) for v in z)
    step = min([abs(Fraction(1) / v - w) for v in z if v != 0 and v * w != 1], default=1)
    for u in (w + step, w - step):
        if F(u) < F(w) + g * (u - w):
            return u
"""

CORNER = """
def lowest_corner(Z):
    best = None
    for i in range(len(Z)):
        for j in range(i):
            (a, b), (c, d) = Z[i], Z[j]
            det = Fraction(a * d - b * c)
            if det == 0:
                continue
            w = [(d - b) / det, (a - c) / det]
            loss = sum(max(0, 1 - p * w[0] - q * w[1]) for p, q in Z)
            if best is None or loss < best[0]:
                best = loss, w
    return best and best[1]
"""

PROOF = """
def my_proof():
    w = [-1] * n
    for cover in combinations(range(n), 4):
        if all(i in cover or j in cover for i, j in edges):
            break
    for i in cover:
        w[i] = 5
    for some in combinations(edges, 4):
        if len(set(sum(some, ()))) == 8:
            return w, list(some)
"""

RIGHT = {
    "q1": [
        WALK,
        """
def fewest_mistakes(x, y):
    from itertools import groupby
    points = sorted(zip(x, y), key=lambda point: point[0])
    groups = groupby(points, key=lambda point: point[0])
    places = [(p, sum(label for _, label in group)) for p, group in groups]
    rules = []
    for s in (1, -1):
        wrong, t = sum(label == -s for label in y), (places[0][0] - 1 if places else 0)
        rules.append((wrong, s, t))
        for k, (p, votes) in enumerate(places):
            wrong += s * votes
            t = Fraction(p + places[k + 1][0], 2) if k + 1 < len(places) else p + 1
            rules.append((wrong, s, t))
    return min(rules, key=lambda rule: rule[0])
""",
    ],
    "q2": [
        PROOF,
        """
def my_proof():
    def matched(free):
        if not free:
            return []
        (i, j), *rest = free
        with_it = [(i, j), *matched([e for e in rest if not {i, j} & {*e}])]
        without = matched(rest)
        return max(with_it, without, key=len)

    far_apart = matched(edges)
    for some in combinations(range(n), len(far_apart)):
        w = [Fraction(3, 2) if i in some else Fraction(-1, 2) for i in range(n)]
        if all(w[i] + w[j] > 0 for i, j in edges):
            return w, far_apart
""",
    ],
    "q3": [
        SLOPES.replace("return left, right", "return [left, right]"),
        SLOPES,
        """
def slopes(z, w):
    def F(u):
        return sum(max(Fraction(0), 1 - v * u) for v in z)
    step = min([abs(Fraction(1) / v - w) for v in z if v and v * w != 1], default=Fraction(1))
    return Fraction(F(w) - F(w - step)) / step, Fraction(F(w + step) - F(w)) / step
""",
    ],
    "q4": [
        REFUTE,
        """
def refute(z, w, g):
    left, right = slopes(z, w)
    if left <= g <= right:
        return None
    def F(u):
        return sum(max(0, 1 - v * u) for v in z)
    step = Fraction(1) if g > right else Fraction(-1)
    while F(w + step) >= F(w) + g * step:
        step /= 2
    return w + step
""",
    ],
    "q5": [
        CORNER,
        """
import numpy as np

def lowest_corner(Z):
    Z = np.array([[Fraction(a), Fraction(b)] for a, b in Z], dtype=object).reshape(-1, 2)
    corners = []
    for i, j in combinations(range(len(Z)), 2):
        det = Z[i][0] * Z[j][1] - Z[i][1] * Z[j][0]
        if det:
            corners.append(np.array([Z[j][1] - Z[i][1], Z[i][0] - Z[j][0]]) / det)
    losses = [sum(max(0, 1 - s) for s in Z @ w) for w in corners]
    return list(corners[losses.index(min(losses))]) if corners else None
""",
    ],
    "q6": [
        """
def my_outlier():
    Z = [[label * a for a in x] for x, label in zip(X, y)]
    slopes = [(s, t) for s in range(-4, 5) for t in range(-4, 5) if s and t]
    for s, t in slopes:
        w = lowest_corner([*Z, [25 * s, 25 * t]])
        sides = [a * t - b * s for a, b in Z]
        wrong = sum(a * w[0] + b * w[1] <= 0 for a, b in Z)
        if wrong >= 4 and sum(v > 0 for v in sides) == sum(v < 0 for v in sides):
            return [-25 * s, -25 * t], -1
""",
        """
def my_outlier():
    return (22 * tilt[0], 22 * tilt[1]), -1
""",
    ],
}

WRONG = {
    "q1": {
        "knows one side only": (
            """
def fewest_mistakes(x, y):
    places = sorted(set(x))
    if not places:
        return 0, 1, 0
    votes = dict.fromkeys(places, 0)
    for p, label in zip(x, y):
        votes[p] += label
    wrong, t = y.count(-1), places[0] - 1
    best = wrong, 1, t
    for p, q in zip(places, places[1:] + [places[-1] + 2]):
        wrong += votes[p]
        best = min(best, (wrong, 1, Fraction(p + q, 2)))
    return best
""",
            1,
        ),
        "forgives ties: the threshold is one of the points": (
            WALK.replace("t = Fraction(low + high) / 2", "t = high"),
            0,
        ),
        "splits equal points": (WALK.replace("x[order[k]] == x[order[k - 1]]", "False"), 4),
        "no thresholds beyond the ends": (
            WALK.replace("for k in range(len(order) + 1):", "for k in range(len(order)):").replace(
                "        for s in (1, -1):", "        for s in (1, -1) if k else ():"
            ),
            3,
        ),
        "the side is the wrong way round": (
            WALK.replace("best = (wrong, s, t)", "best = (wrong, -s, t)"),
            0,
        ),
        "the threshold is a float": (
            WALK.replace("t = Fraction(low + high) / 2", "t = float(low + high) / 2"),
            0,
        ),
        "only the number": (WALK.replace("    return best\n", "    return best[0]\n"), 0),
        "sorts the input": ("def fewest_mistakes(x, y):\n    x.sort()\n    return 0, 1, 0\n", 0),
        "takes the points as sorted": (
            WALK.replace("sorted(range(len(x)), key=lambda i: x[i])", "range(len(x))").replace(
                "    if not order", "    order = list(order)\n    if not order"
            ),
            0,
        ),
        "always the majority": (
            """
def fewest_mistakes(x, y):
    return min((y.count(-1), 1, min(x, default=0) - 1), (y.count(1), -1, min(x, default=0) - 1))
""",
            1,
        ),
        "fails without points": (
            WALK.replace("    if not order:\n        return 0, 1, 0\n", ""),
            4,
        ),
        "one label only is forgotten": (
            WALK.replace("    if not order:", "    if not order or len(set(y)) < 2:"),
            4,
        ),
    },
    "q2": {
        "weights 1 and −1: edges with one end in the cover are ties": (
            PROOF.replace("w[i] = 5", "w[i] = 1"),
            0,
        ),
        "zeros outside the cover": (PROOF.replace("w = [-1] * n", "w = [0] * n"), 0),
        "right weights, no edges": (PROOF.replace("list(some)", "[]"), 1),
        "edges that share vertices": (PROOF.replace("== 8", "< 8"), 1),
        "pairs that are no edges": (
            PROOF.replace(
                "for some in combinations(edges, 4)",
                "for some in [((0, 0), (1, 1), (2, 2), (3, 3))]",
            ).replace("== 8", "== 4"),
            1,
        ),
        "one edge fewer than mistakes": (PROOF.replace("list(some)", "list(some)[1:]"), 1),
        "a cover that is not smallest": (PROOF.replace("range(n), 4)", "range(n), 5)"), 0),
        "the cover itself instead of weights": (
            PROOF.replace("return w,", "return list(cover),"),
            0,
        ),
        "w = 0": ("def my_proof():\n    return [0] * n, edges\n", 0),
        "all edges are right, all vertices wrong": (
            "def my_proof():\n    return [1] * n, edges[:4]\n",
            0,
        ),
    },
    "q3": {
        "a fixed step of 1e-4": (
            """
def slopes(z, w):
    def F(u):
        return sum(max(0, 1 - v * u) for v in z)
    h = Fraction(1, 10**4)
    return (F(w) - F(w - h)) / h, (F(w + h) - F(w)) / h
""",
            0,
        ),
        "a fixed step of 1e-9": (
            """
def slopes(z, w):
    def F(u):
        return sum(max(0, 1 - v * u) for v in z)
    h = Fraction(1, 10**9)
    return (F(w) - F(w - h)) / h, (F(w + h) - F(w)) / h
""",
            0,
        ),
        "a fixed step of 1e-15": (
            """
def slopes(z, w):
    def F(u):
        return sum(max(0, 1 - v * u) for v in z)
    h = Fraction(1, 10**15)
    return (F(w) - F(w - h)) / h, (F(w + h) - F(w)) / h
""",
            0,
        ),
        "one slope twice": (
            "def slopes(z, w):\n    g = -sum(v for v in z if v * w < 1)\n    return g, g\n",
            1,
        ),
        "left and right exchanged": (SLOPES.replace("return left, right", "return right, left"), 1),
        "the sign is wrong": (SLOPES.replace("return left, right", "return -left, -right"), 0),
        "kinks of negative z are the other way round": (SLOPES.replace("and v > 0", ""), 1),
        "slope of the loss at zero": (SLOPES.replace("< 1", "< 0").replace("== 1", "== 0"), 0),
        "numerically": (
            """
def slopes(z, w):
    def F(u):
        return sum(max(0, 1 - v * u) for v in z)
    return (F(w) - F(w - 1e-6)) / 1e-6, (F(w + 1e-6) - F(w)) / 1e-6
""",
            0,
        ),
        "the mean, not the sum": (
            SLOPES.replace(
                "return left, right", "n = len(z) or 1\n    return Fraction(left) / n, right / n"
            ),
            0,
        ),
        "paid up to the margin 1 included": (
            "def slopes(z, w):\n    g = -sum(v for v in z if v * w <= 1)\n    return g, g\n",
            1,
        ),
        "divides by z": (SLOPES.replace("if v * w < 1:", "if 1 / v > w:"), 0),
    },
    "q4": {
        "a fixed step of 1e-4": (
            """
def refute(z, w, g):
    def F(u):
        return sum(max(0, 1 - v * u) for v in z)
    h = Fraction(1, 10**4)
    for u in (w - h, w + h):
        if F(u) < F(w) + g * (u - w):
            return u
""",
            0,
        ),
        "a fixed step of 1e-6": (
            """
def refute(z, w, g):
    def F(u):
        return sum(max(0, 1 - v * u) for v in z)
    h = Fraction(1, 10**6)
    for u in (w - h, w + h):
        if F(u) < F(w) + g * (u - w):
            return u
""",
            0,
        ),
        "a fixed step of 1e-9": (
            """
def refute(z, w, g):
    def F(u):
        return sum(max(0, 1 - v * u) for v in z)
    h = Fraction(1, 10**9)
    for u in (w - h, w + h):
        if F(u) < F(w) + g * (u - w):
            return u
""",
            0,
        ),
        "a fixed step of 1e-15": (
            """
def refute(z, w, g):
    def F(u):
        return sum(max(0, 1 - v * u) for v in z)
    h = Fraction(1, 10**15)
    for u in (w - h, w + h):
        if F(u) < F(w) + g * (u - w):
            return u
""",
            0,
        ),
        "one step of 1": (
            """
def refute(z, w, g):
    left, right = slopes(z, w)
    return w + 1 if g > right else w - 1 if g < left else None
""",
            1,
        ),
        "one small step": (
            """
def refute(z, w, g):
    left, right = slopes(z, w)
    tiny = Fraction(1, 100)
    return w + tiny if g > right else w - tiny if g < left else None
""",
            1,
        ),
        "looks to the right only": (REFUTE.replace("(w + step, w - step)", "(w + step,)"), 2),
        "looks to the left only": (REFUTE.replace("(w + step, w - step)", "(w - step,)"), 1),
        "refutes the end slopes too": (REFUTE.replace("if F(u) < ", "if F(u) <= "), 3),
        "walks the wrong way": (
            REFUTE.replace("            return u", "            return 2 * w - u"),
            1,
        ),
        "compares with one slope": (
            """
def refute(z, w, g):
    g0 = slopes(z, w)[0]
    kinks = [Fraction(1) / v for v in z if v != 0]
    if g > g0:
        return min((k for k in kinks if k > w), default=w + 1)
    if g < g0:
        return max((k for k in kinks if k < w), default=w - 1)
""",
            3,
        ),
        "tells only whether": (
            REFUTE.replace("            return u", "            return True")
            + "    return False\n",
            0,
        ),
        "a grid of whole numbers": (
            """
def refute(z, w, g):
    def F(u):
        return sum(max(0, 1 - v * u) for v in z)
    return next((u for u in range(-50, 51) if F(u) < F(w) + g * (u - w)), None)
""",
            0,
        ),
        "always None": ("def refute(z, w, g):\n    return None\n", 0),
        "fails where there is no further kink": (REFUTE.replace(", default=1)", ")"), 1),
        "in floats": (REFUTE.replace("            return u", "            return float(u)"), 1),
    },
    "q5": {
        "the corner with the fewest mistakes": (
            CORNER.replace("max(0, 1 - p * w[0] - q * w[1])", "(p * w[0] + q * w[1] <= 0)"),
            1,
        ),
        "the loss at zero": (CORNER.replace("max(0, 1 - p", "max(0, 0 - p"), 1),
        "the highest corner": (CORNER.replace("loss < best[0]", "loss > best[0]"), 1),
        "the first corner": (CORNER.replace(" or loss < best[0]", ""), 1),
        "neighbours in the list only": (
            CORNER.replace("for j in range(i)", "for j in range(max(0, i - 1), i)"),
            1,
        ),
        "divides by zero": (
            CORNER.replace("            if det == 0:\n                continue\n", ""),
            2,
        ),
        "Cramer with a wrong sign": (CORNER.replace("(a - c) / det", "(c - a) / det"), 1),
        "fails where there is no corner": (
            CORNER.replace("return best and best[1]", "return best[1]"),
            3,
        ),
        "zero where there is no corner": (
            CORNER.replace("return best and best[1]", "return best[1] if best else [0, 0]"),
            3,
        ),
        "in floats": (CORNER.replace("Fraction(a * d - b * c)", "float(a * d - b * c)"), 1),
        "without the clipping at 0": (
            CORNER.replace("max(0, 1 - p * w[0] - q * w[1])", "1 - p * w[0] - q * w[1]"),
            1,
        ),
        "the loss too": (CORNER.replace("best and best[1]", "best"), 1),
    },
    "q6": {
        "the label is forgotten": (
            "def my_outlier():\n    return [25 * tilt[0], 25 * tilt[1]], 1\n",
            0,
        ),
        "too near to matter": ("def my_outlier():\n    return [0, 0], -1\n", 0),
        "outside the box": (
            "def my_outlier():\n    return [500 * tilt[0], 500 * tilt[1]], -1\n",
            0,
        ),
        "one of the points again": ("def my_outlier():\n    return X[0], y[0]\n", 0),
        "the point without its label": (
            "def my_outlier():\n    return [-25 * tilt[0], -25 * tilt[1]]\n",
            0,
        ),
        "label 0": ("def my_outlier():\n    return [-25 * tilt[0], -25 * tilt[1]], 0\n", 0),
        "floats": ("def my_outlier():\n    return [-25.0 * tilt[0], -25.0 * tilt[1]], 1\n", 0),
    },
}
