"""What the answers of homework 04 are tried on: logs of runs, sweeps, and cycles."""

from coursekit.homework.grading.drawing import add, inner, once
from coursekit.homework.grading.judging import exact, passes, plain
from coursekit.homework.grading.marking import Behaviour, Question
from halfspaces.certificates import verify_separator

# Signed points: no order of sweeps makes the fewest or the most updates that are possible.
FAMILIES = [
    [[3, 2], [3, 1], [-4, -4], [5, 1]],
    [[0, 5], [1, -3], [1, -4], [1, 1]],
    [[1, 2], [-2, 0], [5, 4], [-4, -2]],
    [[5, 1], [2, 0], [4, -4], [-5, -3]],
    [[-2, -5], [-1, -4], [-2, -3], [0, 3]],
    [[0, -2], [-1, -5], [3, 5], [2, -4]],
    [[2, 1], [-3, -4], [-1, -1], [0, -1]],
    [[-1, 2], [-2, 5], [5, -4], [-2, 3]],
    [[-2, 1], [-4, 5], [0, -1], [2, -4]],
]
# The period begins late and is longer than a sweep.
CYCLES = [
    [[-4, -3], [2, 4], [0, -1]],
    [[-4, -2], [-4, 3], [3, 2], [0, -2]],
    [[4, 3], [-4, 0], [2, 1], [1, 3], [-2, -3]],
    [[1, 0], [2, -3], [-4, 3], [-1, 1]],
    [[-3, 0], [-1, 2], [3, -4], [-4, 2], [2, -1]],
    [[0, 3, -3], [-2, -3, -1], [0, 1, 1], [2, 0, -4], [1, 0, 0]],
]
EARLY = [
    [[-1, -3], [0, 4], [3, 1]],
    [[3, 0], [-1, 1], [3, 1], [1, -3]],
    [[0, -1], [-3, 1], [1, 0]],
    [[1, 1], [-2, -4], [-1, 0]],
    [[-1, -4], [2, 4], [-2, 2]],
    [[0, -2], [-1, -3], [1, 0], [-2, 1]],
]
ENDING = [
    [[2, -4], [-3, 4], [-3, 1]],
    [[4, -1, -4], [-3, 2, 2], [-3, -1, -3]],
    [[-3, 0], [4, 1], [-2, 1], [-1, 4], [4, 4]],
    [[2, 1, 2], [-1, -2, -3], [-2, -2, -1], [-1, -4, 3]],
    [[4, 0], [-3, 1], [-1, 3]],
    [[-1, 2], [-3, -1], [0, -3]],
]


def turned(rng, Z):
    """Return data that run as the signed points Z do, with other axes, signs and labels."""
    d = len(Z[0])
    axes = rng.permutation(d)
    flips = rng.choice([-1, 1], d)
    y = [-1]
    if len(Z) > 1:
        y = rng.permutation([1, -1, *rng.choice([-1, 1], len(Z) - 2)]).tolist()
    X = [
        [int(label * flips[k] * z[axes[k]]) for k in range(d)] for z, label in zip(Z, y)
    ]
    return X, y


def some(rng, pool, n):
    return [turned(rng, pool[i]) for i in rng.choice(len(pool), n, replace=False)]


# 1 replay


def draw_log(rng, X, y, length):
    """Return a log of mistakes, picked at random, and the points that are right after it."""
    w = [0] * len(X[0])
    log = []
    while True:
        right = [i for i in range(len(X)) if y[i] * inner(w, X[i]) > 0]
        wrong = [i for i in range(len(X)) if i not in right]
        if not wrong or len(log) >= length and right:
            return log, right
        i = int(rng.choice(wrong))
        w = updated(w, X[i], y[i])
        log.append(i)


def updated(w, x, label):
    """Return w + yx."""
    return add(w, [label * a for a in x])


def right_logs(rng):
    return [
        (X, y, draw_log(rng, X, y, n)[0])
        for (X, y), n in zip(some(rng, FAMILIES, 4), (3, 5, 7, 30))
    ]


def forged_logs(rng):
    """Return logs with an update on a point that is right, and others after it."""
    cases = []
    for (X, y), n in zip(some(rng, FAMILIES, 4), (1, 2, 4, 30)):
        log, right = draw_log(rng, X, y, n)
        cases.append(
            (X, y, [*log, int(rng.choice(right)), *rng.permutation(4).tolist()])
        )
    return cases


def small_logs(rng):
    k = int(rng.integers(2, 9))
    return [
        ([[k, 1]], [1], []),
        ([[k]], [-1], [0]),
        ([[k]], [-1], [0, 0]),
        ([[1]], [1], [0, 0]),
        ([[k], [-k]], [1, 1], [0, 1, 1, 0, 0]),
        ([[k, 0, 0], [0, k, 0], [0, 0, 1]], [1, -1, 1], [2, 0, 1]),
        ([[0, 0], [k, k]], [1, -1], [0, 0, 1, 0, 1]),
    ]


# 2 sweep_log


def listed(rng):
    return [
        (X, y, list(range(len(X))), 100)
        for X, y in some(rng, FAMILIES, 2) + some(rng, ENDING, 2)
    ]


def reordered(rng):
    """Return orders that are not the listed one, nor undone by themselves."""
    orders = [[1, 2, 3, 0], [3, 0, 1, 2], [2, 0, 3, 1], [1, 3, 0, 2]]
    return [
        (X, y, orders[i], 100)
        for (X, y), i in zip(some(rng, FAMILIES, 4), rng.permutation(4))
    ]


def sweeps_to_the_end(X, y, order):
    """Return how many sweeps to and fro change w before one is clean."""
    w = [0] * len(X[0])
    for k in range(1000):
        before = w
        for i in order[:: (-1) ** k]:
            if y[i] * inner(w, X[i]) <= 0:
                w = updated(w, X[i], y[i])
        if w == before:
            return k
    raise ValueError("this run does not end")


def limited(rng):
    """Return limits before, at and just after the last update, and none at all."""
    cases = [
        (X, y, list(range(len(X))), n)
        for (X, y), n in zip(some(rng, CYCLES, 3), (1, 3, 8))
    ]
    X, y = turned(rng, ENDING[0])
    last = sweeps_to_the_end(X, y, [0, 1, 2])
    limits = (0, 2, last - 1, last, last + 1, last + 2)
    return [*cases, *((X, y, [0, 1, 2], n) for n in limits)]


def small_sweeps(rng):
    k = int(rng.integers(2, 9))
    return [
        ([[k]], [-1], [0], 5),
        ([[k], [k]], [1, 1], [1, 0], 5),
        ([[k, 0], [0, k]], [1, -1], [1, 0], 5),
        ([[0], [k]], [1, 1], [0, 1], 3),
        ([[k], [-k]], [1, 1], [0, 1], 3),
        ([[1, k], [k, -1]], [1, 1], [0, 1], 4),
    ]


# 3 fewest_and_most


def pair(got):
    """Return two whole numbers, or twice nothing."""
    got = plain(got)
    is_pair = (
        isinstance(got, list) and len(got) == 2 and all(type(v) is int for v in got)
    )
    return got if is_pair else [None, None]


def has_fewest(got, want, args, given):
    return pair(got)[0] == want[0]


def has_most(got, want, args, given):
    return pair(got)[1] == want[1]


def has_both(got, want, args, given):
    return pair(got) == list(want)


def one_way(rng):
    """Return data of one point, of equal points, of points at right angles and on the line."""
    k, n = int(rng.integers(2, 6)), int(rng.integers(4, 7))
    return [
        ([[k, -k]], [-1]),
        ([[k]] * 3, [1] * 3),
        ([[k, 0], [0, -1]], [-1, 1]),
        ([[1], [-n]], [1, -1]),
        ([[0, 0, k], [1, 0, 0], [0, -2, 0]], [1, -1, 1]),
        ([[k, 0, 0, 0], [0, 1, 0, 0], [0, 0, 3, 0], [0, 0, 0, 1]], [1, 1, -1, -1]),
        ([[k], [-3]], [-1, 1]),
    ]


def in_space(rng):
    """Return data in which the choice matters, and some of dimension 2 and 4."""
    return [
        turned(rng, [[1, 2, 1], [-2, 1, -2], [1, 1, 2], [-2, -1, -2]]),
        turned(rng, [[2, 2], [-1, 2], [-2, 0]]),
        turned(rng, [[-2, -1, 0], [2, 1, -1], [0, 1, 0], [1, -1, -2]]),
        turned(rng, [[1, 0], [-1, 1]]),
        turned(rng, [[1, 0, 1, 0], [-1, 1, 0, 0], [0, 0, -1, 1]]),
    ]


# 4 my_logs


def run_of(log, given):
    """Tell whether a log is that of a run on the student's points that ends without mistakes."""
    X, y = given["X"], given["y"]
    if not isinstance(log, list) or len(log) > 100:
        return False
    if any(type(i) is not int or not 0 <= i < len(X) for i in log):
        return False
    w = [0] * len(X[0])
    for i in log:
        if y[i] * inner(w, X[i]) > 0:
            return False
        w = updated(w, X[i], y[i])
    return passes(verify_separator, exact(X), exact(y), exact(w))


def logs(got):
    got = plain(got)
    return got if isinstance(got, list) and len(got) == 2 else [None, None]


def are_runs(got, want, args, given):
    return all(run_of(log, given) for log in logs(got))


def is_shortest(got, want, args, given):
    return run_of(logs(got)[0], given) and len(logs(got)[0]) == len(want[0])


def is_longest(got, want, args, given):
    return run_of(logs(got)[1], given) and len(logs(got)[1]) == len(want[1])


# 5 cycle


def standing(rng):
    """Return data whose period is one sweep with updates: points that cancel, and the point 0."""
    k = int(rng.integers(2, 6))
    return [
        ([[k], [k]], [1, -1]),
        ([[0, 0]], [-1]),
        ([[0, 0], [k, 1]], [1, 1]),
        ([[k, 0], [0, 0], [-1, 0]], [1, 1, -1]),
        turned(rng, [[0, 0, k], [0, 1, -k], [1, 0, -k], [-1, -1, k]]),
    ]


QUESTIONS = [
    Question(
        "q1",
        function="replay",
        points=3,
        behaviours=[
            Behaviour("logs in which all is in order", 1, right_logs),
            Behaviour("logs with an update on a point that is right", 1, forged_logs),
            Behaviour(
                "empty logs, one point, other dimensions, and the point 0",
                1,
                small_logs,
            ),
        ],
    ),
    Question(
        "q2",
        function="sweep_log",
        points=4,
        behaviours=[
            Behaviour("sweeps in the order of the list", 1, listed),
            Behaviour("sweeps in another order", 1, reordered),
            Behaviour(
                "the limit of sweeps, and whether a clean one was made", 1, limited
            ),
            Behaviour(
                "ties, equal points, the point 0, and one dimension", 1, small_sweeps
            ),
        ],
    ),
    Question(
        "q3",
        function="fewest_and_most",
        points=4,
        behaviours=[
            Behaviour(
                "the fewest updates for four points of the plane",
                1,
                lambda rng: some(rng, FAMILIES, 4),
                has_fewest,
            ),
            Behaviour(
                "the most updates for four points of the plane",
                1,
                lambda rng: some(rng, FAMILIES, 4),
                has_most,
            ),
            Behaviour(
                "data of one point, equal points, and points on the line",
                1,
                one_way,
                has_both,
            ),
            Behaviour("points of other dimensions", 1, in_space, has_both),
        ],
    ),
    Question(
        "q4",
        function="my_logs",
        points=5,
        needs=("q1", "q2", "q3"),
        behaviours=[
            Behaviour(
                "both logs are made on mistakes and end where none is left",
                1,
                once,
                are_runs,
            ),
            Behaviour("the first log is as short as possible", 2, once, is_shortest),
            Behaviour("the second log is as long as possible", 2, once, is_longest),
        ],
    ),
    Question(
        "q5",
        function="cycle",
        points=4,
        behaviours=[
            Behaviour(
                "data that can be separated", 1, lambda rng: some(rng, ENDING, 3)
            ),
            Behaviour(
                "periods that begin after the first sweep",
                1,
                lambda rng: some(rng, EARLY, 3),
            ),
            Behaviour("periods that begin late", 1, lambda rng: some(rng, CYCLES, 3)),
            Behaviour("a sweep that ends where it began, and the point 0", 1, standing),
        ],
    ),
]
