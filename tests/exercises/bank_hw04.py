"""Answers to homework 04: right ones, and wrong ones with the mark that each gets."""

RIGHT = {
    "q1": [
        """
import numpy as np

def replay(X, y, log):
    Z = np.array(X) * np.array(y)[:, None]
    w = 0 * Z[0]
    for t in range(len(log)):
        if Z[log[t]] @ w > 0:
            return t, w.tolist()
        w = w + Z[log[t]]
    return len(log), w.tolist()
""",
        """
def replay(X, y, log):
    done = []
    for i in log:
        score = sum(y[j] * sum(a * b for a, b in zip(X[j], X[i])) for j in done)
        if score * y[i] > 0:
            break
        done.append(i)
    return len(done), [sum(y[j] * X[j][k] for j in done) for k in range(len(X[0]))]
""",
    ],
    "q2": [
        """
import numpy as np

def sweep_log(X, y, order, sweeps):
    Z = np.array(X) * np.array(y)[:, None]
    w, log, clean, n = np.zeros(len(X[0]), int), [], False, 1
    while sweeps > 0 and not clean:
        clean, sweeps, n = True, sweeps - 1, n + 1
        for i in order[:: (-1) ** n]:
            if Z[i] @ w <= 0:
                w, clean = w + Z[i], False
                log.append(i)
    return log, clean
""",
        """
def sweep_log(X, y, order, sweeps):
    Z = [[s * a for a in x] for x, s in zip(X, y)]
    inner = [[sum(a * b for a, b in zip(p, q)) for q in Z] for p in Z]
    counts, log = [0] * len(X), []
    for k in range(sweeps):
        new = []
        for i in order[:: (-1) ** k]:
            if sum(c * g for c, g in zip(counts, inner[i])) <= 0:
                counts[i] += 1
                new.append(i)
        log += new
        if new == []:
            return log, True
    return log, False
""",
    ],
    "q3": [
        """
from functools import lru_cache

def fewest_and_most(X, y):
    @lru_cache(None)
    def best(w):
        wrong = [(x, s) for x, s in zip(X, y) if s * sum(a * b for a, b in zip(w, x)) <= 0]
        if not wrong:
            return 0, 0
        results = [best(tuple(a + s * b for a, b in zip(w, x))) for x, s in wrong]
        return 1 + min(r[0] for r in results), 1 + max(r[1] for r in results)
    return best((0,) * len(X[0]))
""",
        """
import numpy as np

def fewest_and_most(X, y):
    Z, d = np.array(X) * np.array(y)[:, None], len(X[0])
    now, fewest = np.zeros((1, d), int), None
    for t in range(100):
        wrong = now @ Z.T <= 0
        if fewest is None and not wrong.any(axis=1).all():
            fewest = t
        if not wrong.any():
            return fewest, t
        rows, points = np.nonzero(wrong)
        now = np.unique(now[rows] + Z[points], axis=0)
""",
    ],
    "q4": [
        """
def my_logs():
    known = {}
    def best(w):
        if w not in known:
            wrong = [i for i in range(4) if y[i] * (w[0] * X[i][0] + w[1] * X[i][1]) <= 0]
            tails = [(i, best((w[0] + y[i] * X[i][0], w[1] + y[i] * X[i][1]))) for i in wrong]
            short = min(([i] + t[0] for i, t in tails), key=len, default=[])
            long = max(([i] + t[1] for i, t in tails), key=len, default=[])
            known[w] = short, long
        return known[w]
    return best((0, 0))
""",
        """
def my_logs():
    few, many = fewest_and_most(X, y)
    def search(length):
        stack, dead = [((0, 0), [])], set()
        while stack:
            w, log = stack.pop()
            wrong = [i for i in range(4) if y[i] * (w[0] * X[i][0] + w[1] * X[i][1]) <= 0]
            if not wrong and len(log) == length:
                return log
            if len(log) < length and (w, len(log)) not in dead:
                dead.add((w, len(log)))
                for i in wrong:
                    after = (w[0] + y[i] * X[i][0], w[1] + y[i] * X[i][1])
                    stack.append((after, log + [i]))
    return [search(few), search(many)]
""",
    ],
    "q5": [
        """
def cycle(X, y):
    history, counts, w = [[0] * len(X[0])], [], [0] * len(X[0])
    while True:
        log, _ = sweep_from(w, X, y)
        w = [a + sum(y[i] * X[i][k] for i in log) for k, a in enumerate(w)]
        counts.append(len(log))
        if w in history:
            s = history.index(w)
            return s, len(history) - s, sum(counts[s:])
        history.append(w)

def sweep_from(w, X, y):
    log, w = [], list(w)
    for i in range(len(X)):
        if y[i] * sum(a * b for a, b in zip(w, X[i])) <= 0:
            w = [a + y[i] * b for a, b in zip(w, X[i])]
            log.append(i)
    return log, w
""",
        """
def cycle(X, y):
    # sweep from the start again for each k
    def after(k):
        w, made = [0] * len(X[0]), 0
        for x, s in [pair for _ in range(k) for pair in zip(X, y)]:
            if s * sum(a * b for a, b in zip(w, x)) <= 0:
                w, made = [a + s * b for a, b in zip(w, x)], made + 1
        return w, made
    states, k = [], 0
    while True:
        w, made = after(k)
        for s, (v, before) in enumerate(states):
            if v == w:
                return s, k - s, made - before
        states.append((w, made))
        k += 1
""",
    ],
}

WRONG = {
    "q1": {
        "a tie is no mistake": (
            """
def replay(X, y, log):
    w = [0] * len(X[0])
    for t, i in enumerate(log):
        if y[i] * sum(a * b for a, b in zip(w, X[i])) >= 0:
            return t, w
        w = [a + y[i] * b for a, b in zip(w, X[i])]
    return len(log), w
""",
            0,
        ),
        "believes the log": (
            """
def replay(X, y, log):
    w = [0] * len(X[0])
    for i in log:
        w = [a + y[i] * b for a, b in zip(w, X[i])]
    return len(log), w
""",
            1,
        ),
        "makes the false update too": (
            """
def replay(X, y, log):
    w = [0] * len(X[0])
    for t, i in enumerate(log):
        right = y[i] * sum(a * b for a, b in zip(w, X[i])) > 0
        w = [a + y[i] * b for a, b in zip(w, X[i])]
        if right:
            return t, w
    return len(log), w
""",
            1,
        ),
        "skips false updates and goes on": (
            """
def replay(X, y, log):
    w, t = [0] * len(X[0]), 0
    for i in log:
        if y[i] * sum(a * b for a, b in zip(w, X[i])) <= 0:
            w = [a + y[i] * b for a, b in zip(w, X[i])]
            t += 1
    return t, w
""",
            2,
        ),
        "counts the false one": (
            """
def replay(X, y, log):
    w = [0] * len(X[0])
    for t, i in enumerate(log):
        if y[i] * sum(a * b for a, b in zip(w, X[i])) > 0:
            return t + 1, w
        w = [a + y[i] * b for a, b in zip(w, X[i])]
    return len(log), w
""",
            1,
        ),
        "forgets the label in the update": (
            """
def replay(X, y, log):
    w = [0] * len(X[0])
    for t, i in enumerate(log):
        if y[i] * sum(a * b for a, b in zip(w, X[i])) > 0:
            return t, w
        w = [a + b for a, b in zip(w, X[i])]
    return len(log), w
""",
            0,
        ),
        "forgets the label in the test": (
            """
def replay(X, y, log):
    w = [0] * len(X[0])
    for t, i in enumerate(log):
        if sum(a * b for a, b in zip(w, X[i])) > 0:
            return t, w
        w = [a + y[i] * b for a, b in zip(w, X[i])]
    return len(log), w
""",
            0,
        ),
        "only in the plane": (
            """
def replay(X, y, log):
    u = v = 0
    for t, i in enumerate(log):
        if y[i] * (u * X[i][0] + v * X[i][1]) > 0:
            return t, [u, v]
        u, v = u + y[i] * X[i][0], v + y[i] * X[i][1]
    return len(log), [u, v]
""",
            2,
        ),
        "an array of floats": (
            """
import numpy as np

def replay(X, y, log):
    w = np.zeros(len(X[0]))
    for t, i in enumerate(log):
        if y[i] * (w @ X[i]) > 0:
            return t, w
        w = w + y[i] * np.array(X[i])
    return len(log), w
""",
            0,
        ),
        "empties the log": (
            """
def replay(X, y, log):
    w, t = [0] * len(X[0]), 0
    while log:
        i = log.pop(0)
        if y[i] * sum(a * b for a, b in zip(w, X[i])) > 0:
            break
        w, t = [a + y[i] * b for a, b in zip(w, X[i])], t + 1
    return t, w
""",
            0,
        ),
        "a table of the visible examples": (
            """
def replay(X, y, log):
    shown = {5: (5, [1, 2]), 4: (2, [0, 1]), 3: (1, [1, 0])}
    return shown.get(len(log), (len(log), [0] * len(X[0])))
""",
            0,
        ),
    },
    "q2": {
        "never turns round": (
            """
def sweep_log(X, y, order, sweeps):
    w, log = [0] * len(X[0]), []
    for _ in range(sweeps):
        before = len(log)
        for i in order:
            if y[i] * sum(a * b for a, b in zip(w, X[i])) <= 0:
                w = [a + y[i] * b for a, b in zip(w, X[i])]
                log.append(i)
        if len(log) == before:
            return log, True
    return log, False
""",
            0,
        ),
        "a tie is no mistake": (
            """
def sweep_log(X, y, order, sweeps):
    w, log = [0] * len(X[0]), []
    for n in range(sweeps):
        before = len(log)
        for i in order[:: (-1) ** n]:
            if y[i] * sum(a * b for a, b in zip(w, X[i])) < 0:
                w = [a + y[i] * b for a, b in zip(w, X[i])]
                log.append(i)
        if len(log) == before:
            return log, True
    return log, False
""",
            0,
        ),
        "sgn 0 is +1": (
            """
def sweep_log(X, y, order, sweeps):
    w, log = [0] * len(X[0]), []
    for n in range(sweeps):
        before = len(log)
        for i in order[:: (-1) ** n]:
            if (1 if sum(a * b for a, b in zip(w, X[i])) >= 0 else -1) != y[i]:
                w = [a + y[i] * b for a, b in zip(w, X[i])]
                log.append(i)
        if len(log) == before:
            return log, True
    return log, False
""",
            0,
        ),
        "forgets the order": (
            """
def sweep_log(X, y, order, sweeps):
    w, log = [0] * len(X[0]), []
    for n in range(sweeps):
        before = len(log)
        for i in range(len(X))[:: (-1) ** n]:
            if y[i] * sum(a * b for a, b in zip(w, X[i])) <= 0:
                w = [a + y[i] * b for a, b in zip(w, X[i])]
                log.append(i)
        if len(log) == before:
            return log, True
    return log, False
""",
            2,
        ),
        "positions instead of indices": (
            """
def sweep_log(X, y, order, sweeps):
    w, log = [0] * len(X[0]), []
    for n in range(sweeps):
        before = len(log)
        for t, i in enumerate(order[:: (-1) ** n]):
            if y[i] * sum(a * b for a, b in zip(w, X[i])) <= 0:
                w = [a + y[i] * b for a, b in zip(w, X[i])]
                log.append(t)
        if len(log) == before:
            return log, True
    return log, False
""",
            0,
        ),
        "all mistakes at once": (
            """
def sweep_log(X, y, order, sweeps):
    w, log = [0] * len(X[0]), []
    for n in range(sweeps):
        wrong = [i for i in order[:: (-1) ** n] if y[i] * sum(a * b for a, b in zip(w, X[i])) <= 0]
        if not wrong:
            return log, True
        for i in wrong:
            w = [a + y[i] * b for a, b in zip(w, X[i])]
        log += wrong
    return log, False
""",
            0,
        ),
        "starts again after each update": (
            """
def sweep_log(X, y, order, sweeps):
    w, log = [0] * len(X[0]), []
    for n in range(sweeps):
        wrong = [i for i in order if y[i] * sum(a * b for a, b in zip(w, X[i])) <= 0]
        i = wrong[-(n % 2)] if wrong else None
        if i is None:
            return log, True
        w = [a + y[i] * b for a, b in zip(w, X[i])]
        log.append(i)
    return log, False
""",
            0,
        ),
        "clean means that no mistake is left": (
            """
def sweep_log(X, y, order, sweeps):
    w, log = [0] * len(X[0]), []
    for n in range(sweeps):
        for i in order[:: (-1) ** n]:
            if y[i] * sum(a * b for a, b in zip(w, X[i])) <= 0:
                w = [a + y[i] * b for a, b in zip(w, X[i])]
                log.append(i)
    return log, all(s * sum(a * b for a, b in zip(w, x)) > 0 for x, s in zip(X, y))
""",
            3,
        ),
        "one sweep too many": (
            """
def sweep_log(X, y, order, sweeps):
    w, log = [0] * len(X[0]), []
    for n in range(sweeps + 1):
        before = len(log)
        for i in order[:: (-1) ** n]:
            if y[i] * sum(a * b for a, b in zip(w, X[i])) <= 0:
                w = [a + y[i] * b for a, b in zip(w, X[i])]
                log.append(i)
        if len(log) == before:
            return log, True
    return log, False
""",
            2,
        ),
        "ignores the limit": (
            """
def sweep_log(X, y, order, sweeps):
    w, log = [0] * len(X[0]), []
    for n in range(1000):
        before = len(log)
        for i in order[:: (-1) ** n]:
            if y[i] * sum(a * b for a, b in zip(w, X[i])) <= 0:
                w = [a + y[i] * b for a, b in zip(w, X[i])]
                log.append(i)
        if len(log) == before:
            return log, True
    return log, False
""",
            2,
        ),
        "returns the log alone": (
            """
def sweep_log(X, y, order, sweeps):
    w, log = [0] * len(X[0]), []
    for n in range(sweeps):
        for i in order[:: (-1) ** n]:
            if y[i] * sum(a * b for a, b in zip(w, X[i])) <= 0:
                w = [a + y[i] * b for a, b in zip(w, X[i])]
                log.append(i)
    return log
""",
            0,
        ),
    },
    "q3": {
        "the best and the worst order of sweeps": (
            """
from itertools import permutations

def fewest_and_most(X, y):
    sizes = [len(sweep_log(X, y, order, 500)[0]) for order in permutations(range(len(X)))]
    return min(sizes), max(sizes)
""",
            1,
        ),
        "always the most wrong point": (
            """
def fewest_and_most(X, y):
    w, t = [0] * len(X[0]), 0
    while True:
        scores = [s * sum(a * b for a, b in zip(w, x)) for x, s in zip(X, y)]
        i = scores.index(min(scores))
        if scores[i] > 0:
            return t, t
        w, t = [a + y[i] * b for a, b in zip(w, X[i])], t + 1
""",
            1,
        ),
        "one update too many": (
            """
def fewest_and_most(X, y):
    now, t, ends = {(0,) * len(X[0])}, 0, []
    while now:
        t, after = t + 1, set()
        for w in now:
            wrong = [(x, s) for x, s in zip(X, y) if s * sum(a * b for a, b in zip(w, x)) <= 0]
            after |= {tuple(a + s * b for a, b in zip(w, x)) for x, s in wrong}
            ends += [] if wrong else [t]
        now = after
    return min(ends), max(ends)
""",
            0,
        ),
        "the most is off by one": (
            """
def fewest_and_most(X, y):
    now, t, ends = {(0,) * len(X[0])}, 0, []
    while now:
        after = set()
        for w in now:
            wrong = [(x, s) for x, s in zip(X, y) if s * sum(a * b for a, b in zip(w, x)) <= 0]
            after |= {tuple(a + s * b for a, b in zip(w, x)) for x, s in wrong}
            ends += [] if wrong else [t]
        now, t = after, t + 1
    return min(ends), t
""",
            1,
        ),
        "stops at the first end": (
            """
def fewest_and_most(X, y):
    now, t = {(0,) * len(X[0])}, 0
    while True:
        after = set()
        for w in now:
            wrong = [(x, s) for x, s in zip(X, y) if s * sum(a * b for a, b in zip(w, x)) <= 0]
            if not wrong:
                return t, t
            after |= {tuple(a + s * b for a, b in zip(w, x)) for x, s in wrong}
        now, t = after, t + 1
""",
            2,
        ),
        "the most first": (
            """
def fewest_and_most(X, y):
    now, t, ends = {(0,) * len(X[0])}, 0, []
    while now:
        after = set()
        for w in now:
            wrong = [(x, s) for x, s in zip(X, y) if s * sum(a * b for a, b in zip(w, x)) <= 0]
            after |= {tuple(a + s * b for a, b in zip(w, x)) for x, s in wrong}
            ends += [] if wrong else [t]
        now, t = after, t + 1
    return max(ends), min(ends)
""",
            1,
        ),
        "each weight vector once": (
            """
def fewest_and_most(X, y):
    now, t, ends, seen = {(0,) * len(X[0])}, 0, [], set()
    while now:
        after = set()
        for w in now:
            wrong = [(x, s) for x, s in zip(X, y) if s * sum(a * b for a, b in zip(w, x)) <= 0]
            after |= {tuple(a + s * b for a, b in zip(w, x)) for x, s in wrong}
            ends += [] if wrong else [t]
        seen |= now
        now, t = after - seen, t + 1
    return min(ends), ends[0] + 1
""",
            1,
        ),
        "a tie is no mistake": (
            """
def fewest_and_most(X, y):
    now, t, ends = {(0,) * len(X[0])}, 0, []
    while now:
        after = set()
        for w in now:
            wrong = [(x, s) for x, s in zip(X, y) if s * sum(a * b for a, b in zip(w, x)) < 0]
            after |= {tuple(a + s * b for a, b in zip(w, x)) for x, s in wrong}
            ends += [] if wrong else [t]
        now, t = after, t + 1
    return min(ends), max(ends)
""",
            0,
        ),
        "only in the plane": (
            """
def fewest_and_most(X, y):
    now, t, ends = {(0, 0)}, 0, []
    while now:
        after = set()
        for u, v in now:
            wrong = [(x, s) for x, s in zip(X, y) if s * (u * x[0] + v * x[1]) <= 0]
            after |= {(u + s * x[0], v + s * x[1]) for x, s in wrong}
            ends += [] if wrong else [t]
        now, t = after, t + 1
        if t > 60:
            return None
    return min(ends), max(ends)
""",
            2,
        ),
    },
    "q4": {
        "sweeps, forwards and backwards": (
            """
def my_logs():
    return sweep_log(X, y, [0, 1, 2, 3], 100)[0], sweep_log(X, y, [3, 2, 1, 0], 100)[0]
""",
            1,
        ),
        "the best and the worst order of sweeps": (
            """
from itertools import permutations

def forward(order):
    w, log, before = [0, 0], [], None
    while log != before:
        before = list(log)
        for i in order:
            if y[i] * (w[0] * X[i][0] + w[1] * X[i][1]) <= 0:
                w = [w[0] + y[i] * X[i][0], w[1] + y[i] * X[i][1]]
                log.append(i)
    return log

def my_logs():
    logs = sorted((forward(order) for order in permutations(range(4))), key=len)
    return logs[0], logs[-1]
""",
            1,
        ),
        "the longest first": (
            """
def my_logs():
    now, ends = {(0, 0): []}, []
    while now:
        after = {}
        for w, log in now.items():
            wrong = [i for i in range(4) if y[i] * (w[0] * X[i][0] + w[1] * X[i][1]) <= 0]
            for i in wrong:
                after[w[0] + y[i] * X[i][0], w[1] + y[i] * X[i][1]] = log + [i]
            if not wrong:
                ends.append(log)
        now = after
    return ends[-1], ends[0]
""",
            1,
        ),
        "the shortest twice": (
            """
def my_logs():
    now = {(0, 0): []}
    while True:
        after = {}
        for w, log in now.items():
            wrong = [i for i in range(4) if y[i] * (w[0] * X[i][0] + w[1] * X[i][1]) <= 0]
            for i in wrong:
                after[w[0] + y[i] * X[i][0], w[1] + y[i] * X[i][1]] = log + [i]
            if not wrong:
                return log, log
        now = after
""",
            3,
        ),
        "pads the long log with updates on points that are right": (
            """
def my_logs():
    log = sweep_log(X, y, [0, 1, 2, 3], 100)[0]
    return log, log + [0] * (fewest_and_most(X, y)[1] - len(log))
""",
            0,
        ),
        "leaves out the last update": (
            """
def my_logs():
    now, ends = {(0, 0): []}, []
    while now:
        after = {}
        for w, log in now.items():
            wrong = [i for i in range(4) if y[i] * (w[0] * X[i][0] + w[1] * X[i][1]) <= 0]
            for i in wrong:
                after[w[0] + y[i] * X[i][0], w[1] + y[i] * X[i][1]] = log + [i]
            if not wrong:
                ends.append(log)
        now = after
    return ends[0][:-1], ends[-1][:-1]
""",
            0,
        ),
        "the numbers, not the logs": ("def my_logs():\n    return fewest_and_most(X, y)\n", 0),
        "counts from 1": (
            """
def my_logs():
    now, ends = {(0, 0): []}, []
    while now:
        after = {}
        for w, log in now.items():
            wrong = [i for i in range(4) if y[i] * (w[0] * X[i][0] + w[1] * X[i][1]) <= 0]
            for i in wrong:
                after[w[0] + y[i] * X[i][0], w[1] + y[i] * X[i][1]] = log + [i]
            if not wrong:
                ends.append(log)
        now = after
    return [i + 1 for i in ends[0]], [i + 1 for i in ends[-1]]
""",
            0,
        ),
        "right for other points": (
            """
def my_logs():
    long = [3, 0, 1, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 2, 0, 2, 0, 2]
    return [2, 0, 1, 0, 2, 0, 2, 0, 1], long
""",
            0,
        ),
    },
    "q5": {
        "forgets that the start counts": (
            """
def cycle(X, y):
    w, seen, updates, k = (0,) * len(X[0]), {}, 0, 0
    while True:
        for x, s in zip(X, y):
            if s * sum(a * b for a, b in zip(w, x)) <= 0:
                w, updates = tuple(a + s * b for a, b in zip(w, x)), updates + 1
        k += 1
        if w in seen:
            return seen[w][0], k - seen[w][0], updates - seen[w][1]
        seen[w] = k, updates
""",
            3,
        ),
        "counts sweeps from 1": (
            """
def cycle(X, y):
    w, seen, updates, k = (0,) * len(X[0]), {}, 0, 1
    while w not in seen:
        seen[w] = k, updates
        for x, s in zip(X, y):
            if s * sum(a * b for a, b in zip(w, x)) <= 0:
                w, updates = tuple(a + s * b for a, b in zip(w, x)), updates + 1
        k += 1
    return seen[w][0], k - seen[w][0], updates - seen[w][1]
""",
            0,
        ),
        "all updates, not those of the period": (
            """
def cycle(X, y):
    w, seen, updates, k = (0,) * len(X[0]), {}, 0, 0
    while w not in seen:
        seen[w] = k
        for x, s in zip(X, y):
            if s * sum(a * b for a, b in zip(w, x)) <= 0:
                w, updates = tuple(a + s * b for a, b in zip(w, x)), updates + 1
        k += 1
    return seen[w], k - seen[w], updates
""",
            0,
        ),
        "the end of the period, not its length": (
            """
def cycle(X, y):
    w, seen, updates, k = (0,) * len(X[0]), {}, 0, 0
    while w not in seen:
        seen[w] = k, updates
        for x, s in zip(X, y):
            if s * sum(a * b for a, b in zip(w, x)) <= 0:
                w, updates = tuple(a + s * b for a, b in zip(w, x)), updates + 1
        k += 1
    return seen[w][0], k, updates - seen[w][1]
""",
            0,
        ),
        "looks for a repeated w after each update": (
            """
def cycle(X, y):
    w, seen, k = (0,) * len(X[0]), {}, 0
    for sweep in range(300):
        before = k
        for x, s in zip(X, y):
            if s * sum(a * b for a, b in zip(w, x)) <= 0:
                seen.setdefault(w, (sweep, k))
                w, k = tuple(a + s * b for a, b in zip(w, x)), k + 1
                if w in seen:
                    return seen[w][0], max(1, sweep - seen[w][0]), k - seen[w][1]
        if k == before:
            return sweep, 1, 0
""",
            1,
        ),
        "a tie is no mistake": (
            """
def cycle(X, y):
    w, seen, updates, k = (0,) * len(X[0]), {}, 0, 0
    while w not in seen:
        seen[w] = k, updates
        for x, s in zip(X, y):
            if s * sum(a * b for a, b in zip(w, x)) < 0:
                w, updates = tuple(a + s * b for a, b in zip(w, x)), updates + 1
        k += 1
    return seen[w][0], k - seen[w][0], updates - seen[w][1]
""",
            0,
        ),
        "compares with the sweep before only": (
            """
def cycle(X, y):
    w, updates = (0,) * len(X[0]), 0
    for k in range(250):
        old, before = w, updates
        for x, s in zip(X, y):
            if s * sum(a * b for a, b in zip(w, x)) <= 0:
                w, updates = tuple(a + s * b for a, b in zip(w, x)), updates + 1
        if w == old:
            return k, 1, updates - before
    return None
""",
            2,
        ),
        "compares with the start only": (
            """
def cycle(X, y):
    w, updates = (0,) * len(X[0]), 0
    for k in range(1, 250):
        before = updates
        for x, s in zip(X, y):
            if s * sum(a * b for a, b in zip(w, x)) <= 0:
                w, updates = tuple(a + s * b for a, b in zip(w, x)), updates + 1
        if not any(w):
            return 0, k, updates
        if updates == before:
            return k - 1, 1, 0
    return None
""",
            1,
        ),
        "updates on the point 0 do not count": (
            """
def cycle(X, y):
    w, seen, updates, k = (0,) * len(X[0]), {}, 0, 0
    while w not in seen:
        seen[w] = k, updates
        for x, s in zip(X, y):
            if any(x) and s * sum(a * b for a, b in zip(w, x)) <= 0:
                w, updates = tuple(a + s * b for a, b in zip(w, x)), updates + 1
        k += 1
    return seen[w][0], k - seen[w][0], updates - seen[w][1]
""",
            3,
        ),
        "None where there is a separator": (
            """
def cycle(X, y):
    w, seen, updates, k = (0,) * len(X[0]), {}, 0, 0
    while w not in seen:
        seen[w] = k, updates
        for x, s in zip(X, y):
            if s * sum(a * b for a, b in zip(w, x)) <= 0:
                w, updates = tuple(a + s * b for a, b in zip(w, x)), updates + 1
        k += 1
    if updates == seen[w][1]:
        return None
    return seen[w][0], k - seen[w][0], updates - seen[w][1]
""",
            3,
        ),
    },
}
