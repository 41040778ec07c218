"""Answers to homework 02: right ones, and wrong ones with the mark that each gets."""

VALUE = """
def value(rules, default, x):
    for literal, output in rules:
        if x[abs(literal) - 1] == (literal > 0):
            return output
    return default

def score(w, x):
    return sum(a * t for a, t in zip(w, x))
"""

RIGHT = {
    "q1": [
        VALUE
        + """
def wrong_corners(w, b, rules, default):
    return [list(x) for x in corners(len(w)) if (score(w, x) >= b) != value(rules, default, x)]
""",
        """
from halfspaces import DecisionList, Halfspace, cube

def wrong_corners(w, b, rules, default):
    X = cube(len(w))
    f = DecisionList([(l, bool(o)) for l, o in rules], bool(default), len(w))
    return [tuple(x) for x in X[f(X) != Halfspace(w, b)(X)].tolist()]
""",
        """
def wrong_corners(w, b, rules, default):
    found = []
    for n in range(2 ** len(w)):
        x = tuple(int(c) for c in format(n, f"0{len(w)}b"))
        answer = default
        for literal, output in rules[::-1]:
            bit = x[literal - 1] if literal > 0 else 1 - x[-literal - 1]
            if bit:
                answer = output
        score = -b
        for i in range(len(w)):
            score += w[i] * x[i]
        if (score >= 0 and answer == 0) or (score < 0 and answer == 1):
            found.append(x)
    return found
""",
    ],
    "q2": [
        """
def encode(rules, default, d):
    outputs = [o for _, o in rules] + [default]
    weights = []
    for i in range(len(outputs) - 1, -1, -1):
        weights.insert(0, 1 + sum(a for a, o in zip(weights, outputs[i + 1:]) if o != outputs[i]))
    w, b = [0] * d, -weights[-1] if default else weights[-1]
    for (literal, output), a in zip(rules, weights):
        a = a if output else -a
        if literal > 0:
            w[literal - 1] += a
        else:
            w[-literal - 1] -= a
            b -= a
    return w, b
""",
        """
def encode(rules, default, d):
    # blocks of rules with one output have one vote each
    w, b, k = [0] * d, -1 if default else 1, len(rules)
    last, vote, behind = default, 1, {0: 1 - default, 1: default}
    for literal, output in rules[::-1]:
        if output != last:
            vote, last = behind[last] + 1, output
        behind[output] += vote
        signed = vote if output else -vote
        w[abs(literal) - 1] += signed if literal > 0 else -signed
        b -= signed if literal < 0 else 0
    return tuple(w), b
""",
    ],
    "q3": [
        """
def lightest(table):
    d = {2: 1, 4: 2, 8: 3}[len(table)]
    best = None
    for w in product((-2, -1, 0, 1, 2), repeat=d):
        for b in range(-7, 8):
            scores = [sum(w[i] * x[i] for i in range(d)) for x in corners(d)]
            if all(int(s >= b) == v for s, v in zip(scores, table)):
                if best is None or sum(map(abs, w)) < sum(map(abs, best[0])):
                    best = (list(w), b)
    return best
""",
        """
def lightest(table):
    d = len(table).bit_length() - 1
    X = np.array(corners(d))
    W = np.array(corners(d) if d == 0 else list(product(range(-3, 4), repeat=d)))
    W = W[np.argsort(np.abs(W).sum(axis=1), kind="stable")]
    T = np.array(table, dtype=bool)
    for w in W:
        s = X @ w
        high = s[~T].max() if (~T).any() else s.min() - 1
        if not T.any() or s[T].min() > high:
            return w.tolist(), int(high) + 1
    return None
""",
    ],
    "q4": [
        """
def contradiction(table):
    d = len(table).bit_length() - 1
    true = [x for x, v in zip(corners(d), table) if v]
    false = [x for x, v in zip(corners(d), table) if not v]
    sums = {}
    for p in true:
        for q in true:
            sums[tuple(a + b for a, b in zip(p, q))] = [p, q]
    for p in false:
        for q in false:
            s = tuple(a + b for a, b in zip(p, q))
            if s in sums:
                return sums[s], [p, q]
""",
        """
from halfspaces import cube, separate

def contradiction(table):
    d = len(table).bit_length() - 1
    y = np.where(np.array(table) > 0, 1, -1)
    answer = separate(cube(d), y)
    if answer:
        return None
    times = [int(n) for n in answer.multiplicities()]
    lists = {1: [], -1: []}
    for x, label, n in zip(corners(d), y.tolist(), times):
        lists[label] += [x] * n
    return lists[1], lists[-1]
""",
    ],
    "q5": [
        """
from halfspaces import cube, separate

def my_misprint():
    points = corners(4)
    for k in range(16):
        mended = TABLE.copy()
        mended[k] = 1 - mended[k]
        if separate(cube(4), np.where(np.array(mended) > 0, 1, -1)):
            break
    for w in product(range(-3, 4), repeat=4):
        scores = [sum(a * t for a, t in zip(w, x)) for x in points]
        inside = [s for s, v in zip(scores, mended) if v]
        if inside and all(s < min(inside) for s, v in zip(scores, mended) if not v):
            return points[k], list(w), min(inside)
""",
        """
def my_misprint():
    X = np.array(corners(4))
    for w in product(range(-3, 4), repeat=4):
        scores = (X @ w).tolist()
        for b in set(scores):
            off = [i for i in range(16) if (scores[i] >= b) != TABLE[i]]
            if len(off) == 1:
                return [list(X[off[0]].tolist()), [7 * a for a in w], 7 * b - 3]
""",
    ],
}


WRONG = {
    "q1": {
        "strictly above the threshold": (
            VALUE
            + """
def wrong_corners(w, b, rules, default):
    return [x for x in corners(len(w)) if (score(w, x) > b) != value(rules, default, x)]
""",
            2,
        ),
        "the last rule that holds": (
            VALUE
            + """
def wrong_corners(w, b, rules, default):
    return [x for x in corners(len(w)) if (score(w, x) >= b) != value(rules[::-1], default, x)]
""",
            0,
        ),
        "forgets negations": (
            VALUE
            + """
def wrong_corners(w, b, rules, default):
    rules = [(abs(literal), output) for literal, output in rules]
    return [x for x in corners(len(w)) if (score(w, x) >= b) != value(rules, default, x)]
""",
            1,
        ),
        "the corners where they agree": (
            VALUE
            + """
def wrong_corners(w, b, rules, default):
    return [x for x in corners(len(w)) if (score(w, x) >= b) == value(rules, default, x)]
""",
            0,
        ),
        "the default is always 0": (
            VALUE
            + """
def wrong_corners(w, b, rules, default):
    return [x for x in corners(len(w)) if (score(w, x) >= b) != value(rules, 0, x)]
""",
            0,
        ),
        "only the first corner": (
            VALUE
            + """
def wrong_corners(w, b, rules, default):
    return [x for x in corners(len(w)) if (score(w, x) >= b) != value(rules, default, x)][:1]
""",
            0,
        ),
        "in the opposite order": (
            VALUE
            + """
def wrong_corners(w, b, rules, default):
    return [x for x in corners(len(w))[::-1] if (score(w, x) >= b) != value(rules, default, x)]
""",
            0,
        ),
        "three variables only": (
            VALUE
            + """
def wrong_corners(w, b, rules, default):
    return [x for x in corners(3) if (score(w, x) >= b) != value(rules, default, x)]
""",
            0,
        ),
        "appends the default to the rules": (
            VALUE
            + """
def wrong_corners(w, b, rules, default):
    rules.append((1, default))
    rules.append((-1, default))
    return [x for x in corners(len(w)) if (score(w, x) >= b) != value(rules, default, x)]
""",
            0,
        ),
    },
    "q2": {
        "by the library": (
            """
from halfspaces import DecisionList

def encode(rules, default, d):
    h = DecisionList([(l, bool(o)) for l, o in rules], bool(default), d).halfspace()
    return [int(a) for a in h.w], int(h.b)
""",
            2,
        ),
        "a negated literal without its 1": (
            """
def encode(rules, default, d):
    w, b = [0] * d, -1 if default else 1
    for j, (literal, output) in enumerate(reversed(rules), 1):
        vote = 2**j if output else -(2**j)
        w[abs(literal) - 1] += vote if literal > 0 else -vote
    return w, b
""",
            0,
        ),
        "forgets negations": (
            """
def encode(rules, default, d):
    w, b = [0] * d, -1 if default else 1
    for j, (literal, output) in enumerate(reversed(rules), 1):
        w[abs(literal) - 1] += 2**j if output else -(2**j)
    return w, b
""",
            0,
        ),
        "the last rule is the heaviest": (
            """
def encode(rules, default, d):
    w, b = [0] * d, -1 if default else 1
    for j, (literal, output) in enumerate(rules, 1):
        vote = 2**j if output else -(2**j)
        w[abs(literal) - 1] += vote if literal > 0 else -vote
        b -= vote if literal < 0 else 0
    return w, b
""",
            0,
        ),
        "all votes weigh the same": (
            """
def encode(rules, default, d):
    w, b = [0] * d, -1 if default else 1
    for literal, output in rules:
        vote = 2 if output else -2
        w[abs(literal) - 1] += vote if literal > 0 else -vote
        b -= vote if literal < 0 else 0
    return w, b
""",
            1,
        ),
        "overwrites the weight of a variable": (
            """
def encode(rules, default, d):
    w, b, vote = [0] * d, -1 if default else 1, 2 ** len(rules)
    for literal, output in rules:
        signed = vote if output else -vote
        w[abs(literal) - 1] = signed if literal > 0 else -signed
        b -= signed if literal < 0 else 0
        vote //= 2
    return w, b
""",
            1,
        ),
        "forgets the default": (
            """
def encode(rules, default, d):
    w, b = [0] * d, 0
    for j, (literal, output) in enumerate(reversed(rules), 1):
        vote = 2**j if output else -(2**j)
        w[abs(literal) - 1] += vote if literal > 0 else -vote
        b -= vote if literal < 0 else 0
    return w, b
""",
            0,
        ),
        "the sign of the threshold": (
            """
def encode(rules, default, d):
    w, b = [0] * d, 1 if default else -1
    for j, (literal, output) in enumerate(reversed(rules), 1):
        vote = 2**j if output else -(2**j)
        w[abs(literal) - 1] += vote if literal > 0 else -vote
        b += vote if literal < 0 else 0
    return w, b
""",
            0,
        ),
        "floats": (
            """
def encode(rules, default, d):
    w, b = [0.0] * d, -1.0 if default else 1.0
    for j, (literal, output) in enumerate(reversed(rules), 1):
        vote = 2.0**j if output else -(2.0**j)
        w[abs(literal) - 1] += vote if literal > 0 else -vote
        b -= vote if literal < 0 else 0
    return w, b
""",
            0,
        ),
        "rounded from floats": (
            """
def encode(rules, default, d):
    w, b = [0.0] * d, -1.0 if default else 1.0
    for j, (literal, output) in enumerate(reversed(rules), 1):
        vote = 2.0**j if output else -(2.0**j)
        w[abs(literal) - 1] += vote if literal > 0 else -vote
        b -= vote if literal < 0 else 0
    return [int(a) for a in w], int(b)
""",
            2,
        ),
        "empties the list": (
            """
def encode(rules, default, d):
    w, b, vote = [0] * d, -1 if default else 1, 2
    while rules:
        literal, output = rules.pop()
        signed = vote if output else -vote
        w[abs(literal) - 1] += signed if literal > 0 else -signed
        b -= signed if literal < 0 else 0
        vote *= 2
    return w, b
""",
            0,
        ),
        "stops at an empty list": (
            """
def encode(rules, default, d):
    vote = 2 ** len(rules)
    w, b = [0] * d, (-1 if default else 1) * (1 + 0 * rules[0][0])
    for literal, output in rules:
        signed = vote if output else -vote
        w[abs(literal) - 1] += signed if literal > 0 else -signed
        b -= signed if literal < 0 else 0
        vote //= 2
    return w, b
""",
            1,
        ),
    },
    "q3": {
        "the first that is found": (
            """
def lightest(table):
    d = len(table).bit_length() - 1
    for w in product(range(-2, 3), repeat=d):
        scores = [sum(a * t for a, t in zip(w, x)) for x in corners(d)]
        b = min((s for s, v in zip(scores, table) if v), default=max(scores) + 1)
        if all((s >= b) == v for s, v in zip(scores, table)):
            return list(w), b
""",
            1,
        ),
        "weights up to 1 only": (
            """
def lightest(table):
    d = len(table).bit_length() - 1
    for w in sorted(product((-1, 0, 1), repeat=d), key=lambda w: sum(map(abs, w))):
        scores = [sum(a * t for a, t in zip(w, x)) for x in corners(d)]
        b = min((s for s, v in zip(scores, table) if v), default=max(scores) + 1)
        if all((s >= b) == v for s, v in zip(scores, table)):
            return list(w), b
""",
            2,
        ),
        "no negative weights": (
            """
def lightest(table):
    d = len(table).bit_length() - 1
    for w in sorted(product((0, 1, 2), repeat=d), key=sum):
        scores = [sum(a * t for a, t in zip(w, x)) for x in corners(d)]
        b = min((s for s, v in zip(scores, table) if v), default=max(scores) + 1)
        if all((s >= b) == v for s, v in zip(scores, table)):
            return list(w), b
""",
            0,
        ),
        "stops at the function that is never true": (
            """
def lightest(table):
    d = len(table).bit_length() - 1
    for w in sorted(product(range(-2, 3), repeat=d), key=lambda w: sum(map(abs, w))):
        scores = [sum(a * t for a, t in zip(w, x)) for x in corners(d)]
        b = min(s for s, v in zip(scores, table) if v)
        if all((s >= b) == v for s, v in zip(scores, table)):
            return list(w), b
""",
            3,
        ),
        "smallest sum of weights, signs included": (
            """
def lightest(table):
    d = len(table).bit_length() - 1
    for w in sorted(product(range(-2, 3), repeat=d), key=sum):
        scores = [sum(a * t for a, t in zip(w, x)) for x in corners(d)]
        b = min((s for s, v in zip(scores, table) if v), default=max(scores) + 1)
        if all((s >= b) == v for s, v in zip(scores, table)):
            return list(w), b
""",
            1,
        ),
        "only tests the true corners": (
            """
def lightest(table):
    d = len(table).bit_length() - 1
    for w in sorted(product(range(-2, 3), repeat=d), key=lambda w: sum(map(abs, w))):
        scores = [sum(a * t for a, t in zip(w, x)) for x in corners(d)]
        b = min((s for s, v in zip(scores, table) if v), default=max(scores) + 1)
        if all(s >= b for s, v in zip(scores, table) if v):
            return list(w), b
""",
            0,
        ),
        "strictly above the threshold": (
            """
def lightest(table):
    d = len(table).bit_length() - 1
    for w in sorted(product(range(-2, 3), repeat=d), key=lambda w: sum(map(abs, w))):
        scores = [sum(a * t for a, t in zip(w, x)) for x in corners(d)]
        b = max((s for s, v in zip(scores, table) if not v), default=min(scores) - 1)
        if all((s > b) == v for s, v in zip(scores, table)):
            return list(w), b
""",
            1,
        ),
        "three variables only": (
            """
def lightest(table):
    for w in sorted(product(range(-2, 3), repeat=3), key=lambda w: sum(map(abs, w))):
        scores = [sum(a * t for a, t in zip(w, x)) for x in corners(3)]
        b = min((s for s, v in zip(scores, table) if v), default=max(scores) + 1)
        if all((s >= b) == v for s, v in zip(scores, table)):
            return list(w), b
""",
            3,
        ),
        "says that there is none": ("def lightest(table): return None", 0),
    },
    "q4": {
        "opposite corners only": (
            """
def contradiction(table):
    points = corners(len(table).bit_length() - 1)
    pairs = {1: [], 0: []}
    for k in range(len(points) // 2):
        if table[k] == table[-1 - k]:
            pairs[table[k]].append([points[k], points[-1 - k]])
    return (pairs[1][0], pairs[0][0]) if pairs[1] and pairs[0] else None
""",
            0,
        ),
        "true and false exchanged": (
            """
def contradiction(table):
    points = corners(len(table).bit_length() - 1)
    true = [x for x, v in zip(points, table) if v]
    false = [x for x, v in zip(points, table) if not v]
    for p, q in combinations(true, 2):
        for r, s in combinations(false, 2):
            if all(a + b == c + e for a, b, c, e in zip(p, q, r, s)):
                return [r, s], [p, q]
""",
            1,
        ),
        "equal numbers of ones": (
            """
def contradiction(table):
    points = corners(len(table).bit_length() - 1)
    true = [x for x, v in zip(points, table) if v]
    false = [x for x, v in zip(points, table) if not v]
    for p, q in combinations(true, 2):
        for r, s in combinations(false, 2):
            if sum(p) + sum(q) == sum(r) + sum(s):
                return [p, q], [r, s]
""",
            0,
        ),
        "all true and all false corners": (
            """
def contradiction(table):
    points = corners(len(table).bit_length() - 1)
    true = [x for x, v in zip(points, table) if v]
    false = [x for x, v in zip(points, table) if not v]
    if [sum(c) for c in zip(*true)] == [sum(c) for c in zip(*false)]:
        return true, false
""",
            1,
        ),
        "lists of different length": (
            """
def contradiction(table):
    points = corners(len(table).bit_length() - 1)
    true = [x for x, v in zip(points, table) if v]
    false = [x for x, v in zip(points, table) if not v]
    for p, q in combinations(true, 2):
        for r in false:
            if all(a + b == c for a, b, c in zip(p, q, r)):
                return [p, q], [r]
""",
            0,
        ),
        "empty lists where there is none": (
            """
def contradiction(table):
    points = corners(len(table).bit_length() - 1)
    true = [x for x, v in zip(points, table) if v]
    false = [x for x, v in zip(points, table) if not v]
    for p, q in combinations(true, 2):
        for r, s in combinations(false, 2):
            if all(a + b == c + e for a, b, c, e in zip(p, q, r, s)):
                return [p, q], [r, s]
    return [], []
""",
            3,
        ),
        "indices, not corners": (
            """
def contradiction(table):
    points = list(enumerate(corners(len(table).bit_length() - 1)))
    true = [x for x, v in zip(points, table) if v]
    false = [x for x, v in zip(points, table) if not v]
    for (i, p), (j, q) in combinations(true, 2):
        for (k, r), (m, s) in combinations(false, 2):
            if all(a + b == c + e for a, b, c, e in zip(p, q, r, s)):
                return [i, j], [k, m]
""",
            1,
        ),
        "always the four points of XOR": (
            """
def contradiction(table):
    if table[:4] in ([0, 1, 1, 0], [1, 0, 0, 1]) and len(table) == 4:
        true, false = [(0, 1), (1, 0)], [(0, 0), (1, 1)]
        return (true, false) if table[1] else (false, true)
""",
            0,
        ),
    },
    "q5": {
        "weights, but another corner": (
            """
def my_misprint():
    W, points = np.array(list(product(range(-3, 4), repeat=4))), corners(4)
    scores = W @ np.array(points).T
    for b in range(-12, 13):
        wrong = (scores >= b) != np.array(TABLE, dtype=bool)
        for k in np.flatnonzero(wrong.sum(axis=1) == 1):
            return points[wrong[k].argmax() - 1], W[k].tolist(), b
""",
            2,
        ),
        "the corner from right to left": (
            """
def my_misprint():
    W, points = np.array(list(product(range(-3, 4), repeat=4))), corners(4)
    scores = W @ np.array(points).T
    for b in range(-12, 13):
        wrong = (scores >= b) != np.array(TABLE, dtype=bool)
        for k in np.flatnonzero(wrong.sum(axis=1) == 1):
            return int(wrong[k].argmax()), W[k].tolist(), b
""",
            2,
        ),
        "strictly above the threshold": (
            """
def my_misprint():
    W, points = np.array(list(product(range(-3, 4), repeat=4))), corners(4)
    scores = W @ np.array(points).T
    for b in range(-12, 13):
        wrong = (scores >= b) != np.array(TABLE, dtype=bool)
        for k in np.flatnonzero(wrong.sum(axis=1) == 1):
            return points[wrong[k].argmax()], W[k].tolist(), int(scores[k][scores[k] < b].max())
""",
            0,
        ),
        "the complement": (
            """
def my_misprint():
    W, points = np.array(list(product(range(-3, 4), repeat=4))), corners(4)
    scores = W @ np.array(points).T
    for b in range(-12, 13):
        wrong = (scores >= b) != np.array(TABLE, dtype=bool)
        for k in np.flatnonzero(wrong.sum(axis=1) == 1):
            return points[wrong[k].argmax()], (-W[k]).tolist(), 1 - b
""",
            0,
        ),
        "two corners off": (
            """
def my_misprint():
    W, points = np.array(list(product(range(-3, 4), repeat=4))), corners(4)
    scores = W @ np.array(points).T
    for b in range(-12, 13):
        wrong = (scores >= b) != np.array(TABLE, dtype=bool)
        for k in np.flatnonzero(wrong.sum(axis=1) == 2):
            return points[wrong[k].argmax()], W[k].tolist(), b
""",
            0,
        ),
        "floats": (
            """
def my_misprint():
    W, points = np.array(list(product(range(-3, 4), repeat=4))), corners(4)
    scores = W @ np.array(points).T
    for b in range(-12, 13):
        wrong = (scores >= b) != np.array(TABLE, dtype=bool)
        for k in np.flatnonzero(wrong.sum(axis=1) == 1):
            return points[wrong[k].argmax()], W[k].tolist(), b - 0.5
""",
            0,
        ),
        "the order w, b, x": (
            """
def my_misprint():
    W, points = np.array(list(product(range(-3, 4), repeat=4))), corners(4)
    scores = W @ np.array(points).T
    for b in range(-12, 13):
        wrong = (scores >= b) != np.array(TABLE, dtype=bool)
        for k in np.flatnonzero(wrong.sum(axis=1) == 1):
            return W[k].tolist(), b, points[wrong[k].argmax()]
""",
            0,
        ),
        "somebody else's table": (
            """
def my_misprint():
    return (0, 0, 0, 0), [0, 0, 0, 0], 1
""",
            0,
        ),
    },
}
