"""Sequential minimal optimisation, and Newton's method on the points between their bounds.

With signed multipliers βᵢ = αᵢyᵢ the dual of a support vector machine is

    max  Σ yᵢβᵢ − ½ βᵀKβ        lowᵢ ≤ βᵢ ≤ highᵢ,  Σβᵢ = 0        gradient  e = y − Kβ

One bound is 0, the other is ±C. β is optimal just where no point that can rise has a larger e than
a point that can fall; then −b lies between the two. Steps of two variables find out which points
stay at a bound, and are slow to balance the others; Newton's method balances those at once. Neither
lets the dual value fall. Where points are many, rows of K are made when a step asks for them.
Without bias there is no sum: that is the same as one more point, at 0 and without bounds, which
takes up the rest.
"""

import math
from dataclasses import dataclass, field, replace

import numpy as np

from .homotopy import NO_BOUND, follow
from .interior_point import UNBOUNDED, not_a_kernel, solve_linear
from .kernels import Kernel
from .twins import Twins

SMALL = 400  # points whose Gram matrix is made as a whole
STEPS = 15  # of two variables, between two of Newton's, at most
NEAR_STEPS = 12  # the same from a start: less is left to find out
FIRST_STEPS = 4000  # the same before the first of Newton's
ALL = 3000  # points, up to which the first steps are taken over all
SOME = 250  # points that tell how many of all will matter
MISPLACED = ((12, 1.0), (12, 0.35), (24, 0.05))  # after so many steps, at most this share
SHORT = 0.5  # of a margin
MANY = 0.99  # share of the other points that are so short of it after the first steps
FULL = 60  # of all points at the bound C, at the most
FAR = 0.1  # of a margin
NEARBY = 0.5  # of a margin: from further away there is too much to meet on the way to the optimum
LITTLE = 0.03  # share of the largest difference brought to 0 below which the steps end
LIGHT = 200  # points between their bounds, up to which a step of Newton's is quick
MORE_STEPS = 5  # for each point between its bounds beyond these
LESS = 0.003  # the same share where there are such points
NEAR_LITTLE = 0.1  # the same from a start
PINS = 40  # free points that one call of Newton's method sends to a bound
ROUNDS = 1000
DEAR = 1500  # points between their bounds, with which a round counts twice
STRIP = 64  # rows of the Gram matrix made at a time where it is symmetric
TILE = 2**16  # entries of the Gram matrix made at a time: they fit the cache
KEPT = 2**22  # entries of the Gram matrix that are kept
LASTING = 2**20  # as many are kept when the solution is found: there may be many solutions
TINY = 1e-14  # of a margin
WORK = 2**21  # entries of its system that one call of Newton's method goes over
SLIP = 1e-8  # of the diagonal by which rounding may make a matrix no Gram matrix
RIDGE = 1e-13  # added to the diagonal: points that coincide make the matrix singular


@dataclass
class Dual:
    """Signed multipliers between their bounds and the gradient there; changed in place."""

    y: np.ndarray
    low: np.ndarray
    high: np.ndarray
    beta: np.ndarray
    e: np.ndarray

    def part(self, chosen: np.ndarray) -> "Dual":
        """Copy what belongs to some of the points."""
        return Dual(*(values[chosen] for values in vars(self).values()))

    def free(self) -> np.ndarray:
        """List the points between their bounds."""
        return np.flatnonzero((self.low < self.beta) & (self.beta < self.high))

    def rising(self) -> np.ndarray:
        """Return e where β can rise, −∞ elsewhere."""
        return np.where(self.beta < self.high, self.e, -math.inf)

    def falling(self) -> np.ndarray:
        """Return e where β can fall, ∞ elsewhere."""
        return np.where(self.beta > self.low, self.e, math.inf)

    def candidates(self, half: int) -> np.ndarray:
        """List the free points, and those at a bound most eager to leave it, so many at each."""
        low, high = self.beta == self.low, self.beta == self.high
        chosen = ~(low | high)
        for e in (np.where(low, -self.e, math.inf), np.where(high, self.e, math.inf)):
            chosen[np.argpartition(e, half)[:half] if half < len(e) else slice(None)] = True
        return np.flatnonzero(chosen)

    def highest(self) -> float:
        """Return the largest e where β can rise."""
        return float(np.maximum.reduce(self.e, where=self.beta < self.high, initial=-math.inf))

    def lowest(self) -> float:
        """Return the least e where β can fall."""
        return float(np.minimum.reduce(self.e, where=self.beta > self.low, initial=math.inf))

    def violation(self) -> float:
        """Return by how much e is larger at a point that can rise than at one that can fall."""
        return self.highest() - self.lowest()

    def threshold(self) -> float:
        """Return b, halfway between the points that can rise and those that can fall."""
        return -(self.highest() + self.lowest()) / 2

    def values(self, b: float) -> tuple[float, float]:
        """Return primal and dual value; stretch a hard margin first."""
        alpha, short = self.beta * self.y, self.short(b)
        total = float(np.add.reduce(alpha))
        square = total - float(self.beta @ self.e)
        if self.high[0] - self.low[0] == math.inf:  # stretch w until feasible, α until best
            edge = 1 - float(short.max())
            primal = square / edge**2 / 2 if edge > 0 else math.inf
            return primal, total**2 / square / 2 if square > 0 else 0.0
        dual = total - square / 2
        return dual + self._gap(alpha, short), dual

    def gap(self, b: float) -> float:
        """Return primal less dual value where there are bounds: what each point adds to it."""
        return self._gap(self.beta * self.y, self.short(b))

    def short(self, b: float) -> np.ndarray:
        """Return by how much each point is short of a margin of 1."""
        return self.y * (self.e + b)

    def _gap(self, alpha: np.ndarray, short: np.ndarray) -> float:
        room = self.high - self.low - alpha
        return float(np.where(short > 0, room, -alpha) @ short)


def two_variable_step(dual: Dual, i: int, j: int, slope: float, curvature: float) -> float:
    """Raise βᵢ and lower βⱼ by the same t, the best that their bounds allow; return t.

    With slope eᵢ − eⱼ and curvature Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ the gain is slope·t − ½ curvature·t², and
    e becomes e − t(Kᵢ − Kⱼ).
    """
    beta = dual.beta
    above, below = dual.high[i] - beta[i], beta[j] - dual.low[j]
    t = min(slope / curvature, above, below)
    beta[i] = dual.high[i] if t == above else beta[i] + t
    beta[j] = dual.low[j] if t == below else beta[j] - t
    return t


def two_variable_steps(
    dual: Dual,
    K: "np.ndarray | Rows",
    closeness: "np.ndarray | Closeness",
    steps: int,
    share: float = 0.0,
) -> None:
    """Take the point that gains most by rising and the one that gains most with it, many times.

    Stop where eᵢ − eⱼ is so small a share of the largest that was brought to 0 before.

    The closeness is √2 over the distances √(Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ). But for bounds the gain of a pair is
    a quarter of the square of (eᵢ − eⱼ) times that; the pair with the largest product gains most.
    """
    rising, falling = dual.rising(), dual.falling()
    enough = TINY
    for _ in range(steps):
        i = int(rising.argmax())
        gain, near = rising[i] - falling, closeness[i]
        gain *= near
        j = int(gain.argmax())
        slope = rising[i] - falling[j]
        if not slope > enough:
            break
        curvature = 2 / near[j] ** 2
        t = float(two_variable_step(dual, i, j, slope, curvature))
        if t == slope / curvature:  # as far as it would go
            enough = max(enough, share * slope)
        falling[i], rising[j] = rising[i], falling[j]
        change = K[i] - K[j]
        change *= t
        rising -= change
        falling -= change
        if dual.beta[i] == dual.high[i]:
            rising[i] = -math.inf
        if dual.beta[j] == dual.low[j]:
            falling[j] = math.inf
    dual.e[:] = np.where(dual.beta < dual.high, rising, falling)


def newton_step(dual: Dual, K: "np.ndarray | Rows") -> None:
    """Go to the optimum over the free points; a point that meets its bound stays there.

    The optimum is δ away, where Kδ + c = e and Σδ = 0 for some c. A point at its bound is pinned:
    its row and column of the system become those of the identity.
    """
    free = dual.free()
    size = count = len(free)
    if size < 2:
        return
    rows = K[free]
    system = rows[:, free]
    system.flat[:: size + 1] += RIDGE
    beta, e, low, high = dual.beta[free], dual.e[free], dual.low[free], dual.high[free]
    loose = np.ones(size)
    for _ in range(min(PINS, size - 1, 1 + WORK // size**2)):
        step = _solve_balanced(system, e, loose, count)
        pull = system @ step
        slope, curvature = step @ e, step @ pull
        if not slope > 0:
            break
        room = np.abs((np.where(step > 0, high, low) - beta) / step)
        k = int(room.argmin())
        t = min(room[k], 1.0, slope / curvature if curvature > 0 else 1.0)
        beta += t * step
        if t < room[k]:
            break
        beta[k] = high[k] if step[k] > 0 else low[k]
        low[k], high[k] = -math.inf, math.inf  # it does not move, so it has room
        loose[k] = 0.0
        count -= 1
        e -= t * pull
        e[k] = 0.0
        system[k], system[:, k] = 0.0, 0.0
        system[k, k] = 1.0
    beta = np.minimum(np.maximum(beta, dual.low[free]), dual.high[free])  # but for rounding
    change = beta - dual.beta[free]
    dual.beta[free] = beta
    dual.e -= change @ rows


def _solve_balanced(K: np.ndarray, e: np.ndarray, loose: np.ndarray, count: int) -> np.ndarray:
    """Solve Kδ + c = e with Σδ = 0 for δ; c is for the loose points alone, δ = 0 for the others."""
    from scipy.linalg.lapack import dposv  # takes longer to import than all the rest

    right = np.array([e - loose * (np.add.reduce(e) / count), loose])
    _, found, failed = dposv(K.T, right.T, lower=1)
    if not failed:
        level, ones = found.T
        step = level - ones * (np.add.reduce(level) / np.add.reduce(ones))
    else:
        system = np.append(np.append(K, [loose], axis=0), np.append(loose, 0.0)[:, None], axis=1)
        step = solve_linear(system, np.append(e, 0.0))[:-1]
        step *= loose
    return step - loose * (np.add.reduce(step) / count)  # to the last digit, or Σβ drifts away


Factor = tuple[np.ndarray, np.ndarray]  # Φᵀ and √ of the diagonal of K − ΦΦᵀ


class Rows:
    """Rows of K, made when they are asked for and kept while there is room; index it by points.

    Without bias there is one more point, at 0.
    """

    def __init__(self, problem: "Problem"):
        self.problem = problem
        self.lengths = problem.lengths()
        self.same = float(self.lengths[0]) if np.ptp(self.lengths) == 0 else 0.0
        self.values = problem.kernel.against(problem.X)
        self.kept: dict[int, np.ndarray] = {}
        self.near: dict[int, np.ndarray] = {}

    def __getitem__(self, asked: int | np.ndarray) -> np.ndarray:
        if isinstance(asked, np.ndarray):
            points = asked.tolist()
            new = [point for point in points if point not in self.kept]
            self._make_room(len(new), points)
            for tile in tiles(len(new), len(self.lengths)):
                self.kept.update(zip(new[tile], self._work_out(np.array(new[tile]))))
            return np.array([self.kept[point] for point in points])
        row = self.kept.get(asked)
        if row is None:
            self._make_room(1, [])
            row = self.kept[asked] = self._work_out(slice(asked, asked + 1))[0]
        return row

    def _make_room(self, new: int, wanted: list[int]) -> None:
        """Forget the rows that nobody wants where there is no room for new ones besides."""
        if (len(self.kept) + len(self.near) + new) * len(self.lengths) > KEPT:
            self.kept = {point: self.kept[point] for point in wanted if point in self.kept}
            self.near = {}

    def _work_out(self, points: np.ndarray | slice) -> np.ndarray:
        X, scale = self.problem.X, self.problem.scale
        if self.problem.bias:
            rows = self.values(X[points])
        else:
            places = np.arange(len(X) + 1)[points]
            rows = np.zeros((len(places), len(X) + 1))
            rows[places < len(X), :-1] = self.values(X[places[places < len(X)]])
        return rows if scale == 1 else rows / scale

    def product(self, beta: np.ndarray) -> np.ndarray:
        """Return Kβ for a sparse β."""
        used = np.flatnonzero(beta)
        total = np.zeros(len(self.lengths))
        for tile in tiles(len(used), len(self.lengths)):
            total += beta[used[tile]] @ self[used[tile]]
        return total


@dataclass(frozen=True)
class Closeness:
    """The closeness of a point to all points, made and kept as rows are; index it by the point."""

    rows: Rows

    def __getitem__(self, point: int) -> np.ndarray:
        near = self.rows.near.get(point)
        if near is None:
            lengths = self.rows.lengths
            means = self.rows.same or (lengths + lengths[point]) / 2
            near = closeness(self.rows[point], means, self.rows.problem.kernel)
            self.rows.near[point] = near
        return near


@dataclass
class Memory:
    """What is known of K: it depends on points and kernel alone, so another C can go on with it."""

    X: np.ndarray | None = None
    y: np.ndarray | None = None
    bias: bool = True
    twins: Twins | None = None
    rows: Rows | None = None
    whole: np.ndarray | None = None
    closeness: np.ndarray | None = None
    factor: Factor | None = None  # of few columns
    reused: bool = False  # so that it may be once more
    common: np.ndarray | None = None  # what this kernel and others are made of
    shared: bool = False  # with another kernel, so that it may be with one more

    def holds(self, X: np.ndarray, y: np.ndarray, bias: bool) -> bool:
        """Tell whether it is about these points; they may have changed since.

        Other labels matter only where they make twins of points.
        """
        if self.X is None or self.bias != bias or not np.array_equal(self.X, X):
            return False
        return self.twins is None or self.y is not None and np.array_equal(self.y, y)

    def is_about(self, X: object, y: object) -> bool:
        """Tell whether these arrays are its points and labels, and so were checked before."""
        if not (type(X) is type(y) is np.ndarray and X.dtype == float and y.dtype.kind == "i"):
            return False
        if self.X is None or self.y is None:
            return False
        return np.array_equal(self.X, X) and np.array_equal(self.y, y)

    def of_another_kernel(self) -> "Memory":
        """Return what is known of a kernel that is made of the same."""
        return Memory(self.X, self.y, self.bias, self.twins, common=self.common, shared=True)

    def keep(self, factor: Factor | None) -> Factor | None:
        """Keep a factor, unless it is too large; return it."""
        self.factor = factor if factor and factor[0].size <= KEPT else None
        return factor

    def rest(self) -> None:
        """Keep only what another problem would need, and not too much."""
        if self.rows is not None:
            self.rows.near = {}
            if len(self.rows.kept) * len(self.rows.lengths) > LASTING:
                self.rows.kept = {}


@dataclass(frozen=True)
class Problem:
    """Points of a feature space that a kernel knows, labels ±1.0, and how large each α may be."""

    kernel: Kernel
    X: np.ndarray
    y: np.ndarray
    caps: np.ndarray
    bias: bool
    scale: float = 1.0  # by which K is divided, so that it is of a size near 1
    memory: Memory = field(default_factory=Memory)

    def block(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """Return K between two lists of points."""
        K = self.kernel.block(A, B)
        return K if self.scale == 1 else K / self.scale

    def lengths(self) -> np.ndarray:
        """Return the diagonal of K; without bias also for a point at 0."""
        lengths = self.kernel.diagonal(self.X) / self.scale
        return lengths if self.bias else np.append(lengths, 0.0)

    def threshold(self, dual: Dual) -> float:
        """Return b, which is 0 without bias."""
        return dual.threshold() if self.bias else 0.0

    def gram(self, chosen: np.ndarray) -> np.ndarray:
        """Return K for the chosen points, half of it mirrored; without bias also for one at 0."""
        n, X = len(chosen), self.X[chosen]
        K = np.zeros((n + (not self.bias),) * 2)
        for start in range(0, n, STRIP):
            end = min(start + STRIP, n)
            K[start:end, start:n] = self.block(X[start:end], X[start:])
            K[end:n, start:end] = K[start:end, end:n].T
        return K

    def whole(self) -> np.ndarray:
        """Return K for all points; keep it."""
        if self.memory.whole is None:
            common = self.common()
            if common is None or common.dtype != float or self.kernel.shape is None:
                self.memory.whole = self.gram(np.arange(len(self.X)))
            else:
                K = self.kernel.shape(common, None)
                if self.scale != 1:
                    K /= self.scale
                self.memory.whole = K if self.bias else np.pad(K, (0, 1))
        return self.memory.whole

    def common(self) -> np.ndarray | None:
        """Return what K is made of, for all points, where it is of use again; keep it.

        In single precision where it is too much for a Gram matrix to be made as a whole.
        """
        memory, n = self.memory, len(self.X)
        if memory.common is None and memory.shared and self.kernel.common and n**2 <= LASTING:
            values = self.kernel.common(self.X)
            memory.common = np.empty((n, n), float if n <= SMALL else np.float32)
            for tile in tiles(n, n):
                memory.common[tile] = values(self.X[tile])
        return memory.common

    def part(self, chosen: np.ndarray, heavier: float) -> "Problem":
        """Return the problem of some points, each so many times as heavy."""
        caps = heavier * self.caps[chosen]
        return replace(self, X=self.X[chosen], y=self.y[chosen], caps=caps, memory=Memory())

    def roughly(self) -> np.ndarray:
        """Return K for all points, in single precision where that is quicker."""
        if self.kernel.rough is None or not self.bias:
            return self.whole()
        return self.kernel.rough(self.X)[0](self.X)

    def closeness(self) -> np.ndarray:
        """Return the closeness of all points; keep it."""
        if self.memory.closeness is None:
            K = self.whole()
            self.memory.closeness = closeness(K, mean_lengths(K), self.kernel)
        return self.memory.closeness

    def product(self, chosen: np.ndarray, weights: np.ndarray, places: np.ndarray) -> np.ndarray:
        """Return Kβ at some places; β is `weights` at the chosen points, 0 elsewhere."""
        total = np.zeros(len(places))
        for tile in tiles(len(chosen), len(places)):
            total += weights[tile] @ self.block(self.X[chosen[tile]], self.X[places])
        return total

    def rows(self) -> Rows:
        """Return the rows of K; keep those that are made."""
        if self.memory.rows is None:
            self.memory.rows = Rows(self)
        return self.memory.rows

    def dual_at(self, beta: np.ndarray, product: np.ndarray | None = None) -> Dual:
        """Return the state at the multipliers β of the points; Kβ may be known."""
        bound = self.y * self.caps
        y, low, high = self.y, np.minimum(bound, 0), np.maximum(bound, 0)
        if not self.bias:
            y, low, high = np.append(y, 0.0), np.append(low, -NO_BOUND), np.append(high, NO_BOUND)
            beta = np.append(beta, -beta.sum())
        if product is None:
            product = self.rows().product(beta)
        return Dual(y, low, high, beta, y - product)


def tiles(rows: int, columns: int) -> list[slice]:
    """Cut rows into pieces that fit the cache."""
    size = max(1, TILE // max(1, columns))
    return [slice(start, min(start + size, rows)) for start in range(0, rows, size)]


def solve_dual(
    problem: Problem,
    goal: float,
    beta: np.ndarray | None = None,
    rounds: int = ROUNDS,
    near: bool = True,
) -> tuple[Dual, list[tuple[float, float]]]:
    """Maximise the dual until the relative gap is at most `goal` or nothing moves.

    Return the state and the primal and dual values met on the way. β may be near the solution: then
    Newton's method alone may find it. Fewer rounds are taken where many points are free.
    """
    near = near and beta is not None
    n = len(problem.y)
    beta = np.zeros(n) if beta is None else beta
    dual = problem.dual_at(beta, problem.whole()[:, :n] @ beta if n <= SMALL else None)
    history: list[tuple[float, float]] = []
    best, stale, anew, there, spent = math.inf, 0, False, near, 0.0
    with np.errstate(all="ignore"):
        for turn in range(rounds):
            if not anew:
                there = _improve(problem, dual, turn, near, there)
            primal, value = dual.values(problem.threshold(dual))
            gap = (primal - value) / primal if primal < math.inf else math.inf
            history.append((primal, value))
            grows = turn == 0 or value > history[-2][1]
            stale = 0 if gap < best / 2 or grows and best > 100 * goal else stale + 1
            best = min(best, gap)
            over = gap <= goal or stale >= 5 or not value < UNBOUNDED
            if over and (anew or drift(dual, turn + 1) <= goal * value):
                break
            if over:  # e carries the rounding errors of all steps: work it out again
                dual.e = problem.dual_at(dual.beta[:n]).e
            anew = over
            spent += 1 + (len(dual.free()) / DEAR) ** 3
            if spent >= rounds and not anew:
                break
    return dual, history


@dataclass(frozen=True)
class Beginning:
    """What some points tell of all: multipliers as if each stood for many, b, how many matter.

    `many` will be at the bound C: few steps have changed hardly anything.
    """

    beta: np.ndarray
    b: float
    few: bool
    many: bool

    def within(self, problem: Problem) -> np.ndarray:
        """Return β within its bounds."""
        beta = np.clip(self.beta, -problem.caps, problem.caps)
        return balance(beta, np.abs(beta)) if problem.bias else beta


def begin(problem: Problem) -> Beginning:
    """Take some steps, and see whether few points will matter; where there are many, for some.

    Some points stand for all if each may weigh as much more as they are fewer.
    """
    n = len(problem.y)
    some, part = np.arange(n), problem
    K: np.ndarray | Rows
    near: np.ndarray | Closeness
    if n <= ALL:
        K = problem.rows()
        near = Closeness(K)
    else:
        by_label = np.argsort(problem.y, kind="stable")  # so that there are some of each
        some = by_label[:: n // SOME + 1]
        part = problem.part(some, n / len(some))
        K = part.roughly()
        near = closeness(K, mean_lengths(K), problem.kernel)
    dual = part.dual_at(np.zeros(len(some)), np.zeros(1))
    few = many = True
    with np.errstate(all="ignore"):
        for steps, share in MISPLACED:
            two_variable_steps(dual, K, near, steps, LITTLE)
            e = dual.e + part.threshold(dual)
            wrong = np.where(e > 0, dual.beta == dual.low, dual.beta == dual.high)
            misplaced = float((wrong & (np.abs(e) > FAR)).mean())
            short = int(np.count_nonzero(wrong & (np.abs(e) > SHORT)))
            many = many and short >= MANY * int(np.count_nonzero(dual.beta == 0)) > 0
            full = int(np.count_nonzero(np.abs(dual.beta[: len(some)]) == part.caps))
            between = len(dual.free()) - (not problem.bias)
            few = misplaced <= share and full * n <= FULL * len(some) and (between > 0 or not full)
            if not few:
                break
    beta = np.zeros(n)
    beta[some] = dual.beta[: len(some)]
    return Beginning(beta, part.threshold(dual), few, many)


def _improve(problem: Problem, dual: Dual, turn: int, near: bool, there: bool) -> bool:
    """Take steps of two variables, unless it is there but for rounding, and one of Newton's.

    From nearby go all the way to the optimum instead; tell whether that has succeeded.
    """
    small = len(problem.y) <= SMALL
    K = problem.whole() if small else problem.rows()
    if not there:
        steps, share = (STEPS if turn else FIRST_STEPS), LITTLE
        heavy = len(dual.free()) - LIGHT
        if small and near:
            steps, share = NEAR_STEPS, NEAR_LITTLE
        elif heavy > 0:  # a step of Newton's is dear
            steps, share = max(steps, MORE_STEPS * heavy), LESS
        closeness = problem.closeness() if small else Closeness(problem.rows())
        two_variable_steps(dual, K, closeness, steps, share)
    nearby = there if near and turn == 0 else small and dual.violation() <= NEARBY
    if nearby and follow(dual, K):
        return True
    newton_step(dual, K)
    return False


def drift(dual: Dual, turns: int) -> float:
    """Return how much rounding in e can have changed the values."""
    return 2.0**-53 * turns * float(np.abs(dual.beta).sum()) ** 2


def mean_lengths(K: np.ndarray) -> np.ndarray | float:
    """Return the means of Kᵢᵢ and Kⱼⱼ, one for all pairs if they are the same."""
    half = K.diagonal() / 2
    return 2 * float(half[0]) if (half == half[0]).all() else np.add.outer(half, half)


def closeness(K: np.ndarray, means: np.ndarray | float, kernel: Kernel) -> np.ndarray:
    """Return √2 over the distances of points, none quite 0; refuse what is no Gram matrix.

    The means of Kᵢᵢ and Kⱼⱼ, or one for all pairs, less Kᵢⱼ are half the squares of the distances.
    """
    squares = np.subtract(means, K, out=np.empty(K.shape, np.float32), casting="same_kind")
    if kernel.common is None:  # the others are known to be kernels
        top = np.max(means) * (1 + SLIP)
        slip = top - np.max(means)
        if not (min(np.min(means), squares.min()) >= -slip and -K.min() <= top < math.inf):
            raise not_a_kernel(kernel)
    np.maximum(squares, RIDGE, out=squares)
    np.sqrt(squares, out=squares)
    return np.divide(1, squares, out=squares)


def balance(beta: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Send multipliers of the heavier class to 0, in the given order, until Σβ = 0."""
    excess = float(np.add.reduce(beta))
    heavy = np.flatnonzero(beta * excess > 0)
    heavy = heavy[np.argsort(order[heavy])]
    left = np.cumsum(np.abs(beta[heavy]))
    cut = min(int(np.searchsorted(left, abs(excess))), len(heavy) - 1)
    balanced = beta.copy()
    balanced[heavy[:cut]] = 0.0
    if len(heavy):
        k = heavy[cut]
        balanced[k] = math.copysign(left[cut] - abs(excess), excess)
        rest = balanced[k] - float(np.add.reduce(balanced))  # what rounding of large sums has left
        if 0 <= rest * beta[k] <= beta[k] ** 2:
            balanced[k] = rest
    return balanced
