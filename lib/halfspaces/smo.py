"""Sequential minimal optimisation, and Newton's method on the points between their bounds.

With signed multipliers βᵢ = αᵢyᵢ the dual of a support vector machine is

    max  Σ yᵢβᵢ − ½ βᵀKβ        lowᵢ ≤ βᵢ ≤ highᵢ,  Σβᵢ = 0        gradient  e = y − Kβ

One bound is 0, the other is ±C. β is optimal just where no point that can rise has a larger e than
a point that can fall; then −b lies between the two. Steps of two variables find out which points
stay at a bound, and are slow to balance the others; Newton's method balances those at once. Neither
lets the dual value fall. Without bias there is no sum: that is the same as one more point, at 0 and
without bounds, which takes up the rest.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from .interior_point import UNBOUNDED, not_a_kernel, solve_linear
from .kernels import Kernel

SMALL = 600  # points whose Gram matrix is kept as a whole
CANDIDATES = 160  # points beside the free ones that a round looks at, where there are more
STEPS = 30  # of two variables, between two of Newton's, at most
LITTLE = 0.03  # share of the largest difference brought to 0 below which the steps end
PART_STEPS = 60  # as STEPS, where only a part of the points is looked at
PINS = 40  # free points that one call of Newton's method sends to a bound
ROUNDS = 1000
PATIENCE = 8  # rounds after which twice as many points are looked at
MANY = 4 * CANDIDATES  # the most that are; then all, if there are not more than
LARGE = 3000
TILE = 2**16  # entries of the Gram matrix made at a time: they fit the cache
KEPT = 2**20  # entries of the Gram matrix that are kept
TINY = 1e-14  # of a margin
WORK = 2**21  # entries of its system that one call of Newton's method goes over
RIDGE = 1e-13  # added to the diagonal: points that coincide make the matrix singular
SHARE = 4  # one in so many points is solved for first, where there are many
ROUGH = 1e-2  # gap at which a part of the points has told what it can


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
        """List the free points and those most eager to leave their bounds, so many of each."""
        if half >= len(self.y):
            return np.arange(len(self.y))
        eager = [
            np.argpartition(-self.rising(), half)[:half],
            np.argpartition(self.falling(), half)[:half],
        ]
        return np.unique(np.concatenate([self.free(), *eager]))

    def threshold(self) -> float:
        """Return b, halfway between the points that can rise and those that can fall."""
        return -float(self.rising().max() + self.falling().min()) / 2

    def values(self, b: float) -> tuple[float, float]:
        """Return primal and dual value; stretch a hard margin first."""
        alpha, short = self.beta * self.y, self.y * (self.e + b)  # short = 1 − y(⟨w,x⟩ − b)
        total, square = alpha.sum(), alpha.sum() - self.beta @ self.e
        if self.high.max() == math.inf:  # a hard margin: stretch w until feasible, α until best
            edge = 1 - short.max()
            primal = square / edge**2 / 2 if edge > 0 else math.inf
            return float(primal), float(total**2 / square / 2 if square > 0 else 0.0)
        dual = total - square / 2
        return float(dual) + self.gap(b), float(dual)

    def gap(self, b: float) -> float:
        """Return primal less dual value where there are bounds: what each point adds to it."""
        alpha, short = self.beta * self.y, self.y * (self.e + b)
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
    dual: Dual, K: np.ndarray, near: np.ndarray, steps: int, share: float = 0.0
) -> None:
    """Take the point that gains most by rising and the one that gains most with it, many times.

    Stop where eᵢ − eⱼ is so small a share of the largest that was brought to 0 before.

    `near` is 1 over the distances √(Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ). But for bounds the gain of a pair is half
    the square of (eᵢ − eⱼ) times that; the pair with the largest product gains most.
    """
    rising, falling = dual.rising(), dual.falling()
    enough = TINY
    for _ in range(steps):
        i = int(rising.argmax())
        gain = rising[i] - falling
        gain *= near[i]
        j = int(gain.argmax())
        slope = rising[i] - falling[j]
        if not slope > enough:
            break
        curvature = 1 / near[i, j] ** 2
        t = two_variable_step(dual, i, j, slope, curvature)
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


def newton_step(dual: Dual, K: np.ndarray) -> None:
    """Go to the optimum over the free points; a point that meets its bound stays there.

    The optimum is δ away, where Kδ + c = e and Σδ = 0 for some c. A point at its bound is pinned:
    its row and column leave the system, and its column of the inverse tells how that changes.
    """
    free = dual.free()
    size = len(free)
    if size < 2:
        return
    rows = K[free]
    block = rows[:, free]
    system = np.ones((size + 1, size + 1))
    system[:size, :size] = block
    system.flat[: -1 : size + 2] += RIDGE
    system[size, size] = 0.0
    beta, low, high = dual.beta[free], dual.low[free], dual.high[free]
    right = np.append(dual.e[free], 0.0)
    loose, count, inverse = np.ones(size), size, None
    for _ in range(min(PINS, size - 1, 1 + WORK // size**2)):
        step = (solve_linear(system, right) if inverse is None else inverse @ right)[:size]
        step *= loose
        step -= loose * (step.sum() / count)  # to the last digit, or Σβ drifts away
        pull = block @ step
        slope, curvature = step @ right[:size], step @ pull
        if inverse is not None and not 0.9 * curvature < slope < 1.1 * curvature:
            inverse = None  # rounding has spoilt it
            continue
        if not slope > 0:
            break
        room = np.abs((np.where(step > 0, high, low) - beta) / step)
        k = int(room.argmin())
        t = min(room[k], 1.0, slope / curvature if curvature > 0 else 1.0)
        beta = np.minimum(np.maximum(beta + t * step, low), high)
        if t < room[k]:
            break
        beta[k] = high[k] if step[k] > 0 else low[k]
        low[k], high[k] = -math.inf, math.inf  # it does not move, so it has room
        loose[k] = 0.0
        count -= 1
        right[:size] -= t * pull
        right[:size] *= loose
        system[k], system[:, k] = 0.0, 0.0
        system[k, k] = 1.0
        if inverse is None:
            inverse = solve_linear(system, np.eye(size + 1))
        else:
            inverse -= inverse[:, k, None] * (inverse[k] / inverse[k, k])
        inverse[k], inverse[:, k] = 0.0, 0.0
    change = beta - dual.beta[free]
    dual.beta[free] = beta
    dual.e -= change @ rows


Factor = tuple[np.ndarray, np.ndarray]  # Φᵀ and √ of the diagonal of K − ΦΦᵀ


@dataclass
class Memory:
    """What is known of K: it depends on points and kernel alone, so another C can go on with it."""

    X: np.ndarray | None = None
    bias: bool = True
    rows: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)  # points, rows of K
    whole: np.ndarray | None = None
    closeness: np.ndarray | None = None
    factor: Factor | None = None  # of few columns

    def holds(self, X: np.ndarray, bias: bool) -> bool:
        """Tell whether it is about these points; they may have changed since."""
        return self.X is not None and self.bias == bias and np.array_equal(self.X, X)


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

    def threshold(self, dual: Dual) -> float:
        """Return b, which is 0 without bias."""
        return dual.threshold() if self.bias else 0.0

    def gram(self, chosen: np.ndarray) -> np.ndarray:
        """Return K for the chosen points, in tiles; without bias also for the point at 0."""
        K = np.zeros((len(chosen) + (not self.bias),) * 2)
        for tile in _tiles(len(chosen), len(chosen)):
            K[tile, : len(chosen)] = self.block(self.X[chosen[tile]], self.X[chosen])
        return K

    def whole(self) -> np.ndarray:
        """Return K for all points; keep it."""
        if self.memory.whole is None:
            self.memory.whole = self.gram(np.arange(len(self.X)))
        return self.memory.whole

    def closeness(self) -> np.ndarray:
        """Return the closeness of all points; keep it."""
        if self.memory.closeness is None:
            self.memory.closeness = closeness(self.whole(), self.kernel)
        return self.memory.closeness

    def product(
        self, chosen: np.ndarray, weights: np.ndarray, places: np.ndarray | None = None
    ) -> np.ndarray:
        """Return Kβ, at some places or at all; β is `weights` at the chosen points, 0 elsewhere."""
        X = self.X if places is None else self.X[places]
        total = np.zeros(len(X) + (not self.bias))
        for tile in _tiles(len(chosen), len(X)):
            total[: len(X)] += weights[tile] @ self.block(self.X[chosen[tile]], X)
        return total

    def product_again(self, change: np.ndarray) -> np.ndarray:
        """Return Kβ for a sparse β; keep the rows of K while there is room, for the next time."""
        moved = np.flatnonzero(change)
        known = np.zeros(len(change), bool)
        for points, _ in self.memory.rows:
            known[points] = True
        new = moved[~known[moved]]
        if (known.sum() + len(new)) * len(self.X) > KEPT:
            return self.product(moved, change[moved])
        for tile in _tiles(len(new), len(self.X)):
            self.memory.rows.append((new[tile], self.block(self.X[new[tile]], self.X)))
        total = np.zeros(len(self.X) + (not self.bias))
        for points, K in self.memory.rows:
            if change[points].any():
                total[: len(self.X)] += change[points] @ K
        return total

    def dual_at(self, beta: np.ndarray, product: np.ndarray | None = None) -> Dual:
        """Return the state at the multipliers β of the points; Kβ may be known."""
        bound = self.y * self.caps
        used = np.flatnonzero(beta)
        y, low, high = self.y, np.minimum(bound, 0), np.maximum(bound, 0)
        if not self.bias:
            y, low, high = np.append(y, 0.0), np.append(low, -1e300), np.append(high, 1e300)
            beta = np.append(beta, -beta.sum())
        if product is None:
            product = self.product(used, beta[used])
        return Dual(y, low, high, beta, y - product)


def _tiles(rows: int, columns: int) -> list[slice]:
    size = max(1, TILE // max(1, columns))
    return [slice(start, min(start + size, rows)) for start in range(0, rows, size)]


def solve_dual(
    problem: Problem, goal: float, beta: np.ndarray | None = None, rounds: int = ROUNDS
) -> tuple[Dual, list[tuple[float, float]]]:
    """Maximise the dual until the relative gap is at most `goal` or nothing moves.

    Return the state and the primal and dual values met on the way.
    """
    if beta is None:
        beta = np.zeros(len(problem.y))
        if len(beta) > SMALL:
            beta = _guess_from_part(problem)
    history: list[tuple[float, float]] = []
    if len(beta) <= SMALL:
        product, search = problem.whole()[:, : len(beta)] @ beta, Search(problem, len(beta))
    else:
        product, search = problem.product_again(beta), Search(problem, CANDIDATES)
    dual = problem.dual_at(beta, product)
    best, stale, exact = math.inf, 0, True
    with np.errstate(all="ignore"):
        for turn in range(rounds):
            primal, value = dual.values(problem.threshold(dual))
            gap = (primal - value) / primal if primal < math.inf else math.inf
            history.append((primal, value))
            grows = turn == 0 or value > history[-2][1]
            stale = 0 if gap < best / 2 or grows and best > 100 * goal else stale + 1
            best = min(best, gap)
            over = gap <= goal or stale >= 5 or not value < UNBOUNDED
            if over and (exact or drift(dual, turn) <= goal * value):
                break
            if over:  # e carries the rounding errors of all steps: work it out again
                dual.e = problem.dual_at(dual.beta[: len(beta)]).e
            else:
                search.improve(dual, turn)
            exact = over
    return dual, history


def drift(dual: Dual, turns: int) -> float:
    """Return how much rounding in e can have changed the values."""
    return 2.0**-53 * turns * float(np.abs(dual.beta).sum()) ** 2


@dataclass
class Search:
    """Where to look for improvements: at all points, or at those that promise most."""

    problem: Problem
    size: int

    def improve(self, dual: Dual, turn: int) -> None:
        """Take steps of two variables and one of Newton's; now and then look at more points."""
        n = len(self.problem.y)
        if self.size < n and turn % PATIENCE == PATIENCE - 1:
            self.size = min(2 * self.size, MANY) if self.size < MANY or n > LARGE else n
        if self.size < n:
            return _improve_part(self.problem, dual, self.size)
        K = self.problem.whole()
        if turn == 0 and len(dual.free()) > 1:  # a start from elsewhere: that may be all it takes
            return newton_step(dual, K)
        two_variable_steps(dual, K, self.problem.closeness(), STEPS, LITTLE)
        newton_step(dual, K)


def _improve_part(problem: Problem, dual: Dual, size: int) -> None:
    """Improve the free points and those most eager to leave their bounds; then tell all others."""
    n = len(problem.X)
    chosen = dual.candidates(size // 2)
    chosen = chosen[chosen < n]
    K = problem.gram(chosen)
    places = chosen if problem.bias else np.append(chosen, n)
    part = dual.part(places)
    near = closeness(K, problem.kernel)
    for _ in range(size // CANDIDATES):
        two_variable_steps(part, K, near, PART_STEPS)
        newton_step(part, K)
    change = np.zeros(n)
    change[chosen] = (part.beta - dual.beta[places])[: len(chosen)]
    dual.beta[places] = part.beta
    dual.e -= problem.product_again(change)


def closeness(K: np.ndarray, kernel: Kernel) -> np.ndarray:
    """Return 1 over the distances of the points, none quite 0; refuse what is no Gram matrix."""
    diagonal = K.diagonal()
    squares = K * -2
    squares += diagonal[:, None]
    squares += diagonal
    slip = 1e-8 * diagonal.max()
    ordered = diagonal.min() >= -slip and squares.min() >= -slip
    if not (ordered and max(K.max(), -K.min()) <= diagonal.max() + slip < math.inf):
        raise not_a_kernel(kernel)
    np.maximum(squares, RIDGE, out=squares)
    np.sqrt(squares, out=squares)
    return np.divide(1, squares, out=squares)


def _guess_from_part(problem: Problem) -> np.ndarray:
    """Solve for a quarter of the points, each standing for four; guess β everywhere from that."""
    y, caps, rng = problem.y, problem.caps, np.random.default_rng(0)
    beta, weight = np.zeros(len(y)), np.zeros(len(y))
    for sign in (-1, 1):
        members = np.flatnonzero(y == sign)
        kept = rng.permutation(members)[: max(20, len(members) // SHARE)]
        weight[kept] = len(members) / max(1, len(kept))
    part = np.flatnonzero(weight)
    small = Problem(
        problem.kernel,
        problem.X[part],
        y[part],
        caps[part] * weight[part],
        problem.bias,
        problem.scale,
    )
    dual, _ = solve_dual(small, ROUGH)
    found = dual.beta[: len(part)]
    beta[part] = np.clip(found, -caps[part], caps[part])
    if np.array_equal(beta[part], found):  # no bound matters: the others start at 0
        return beta
    used = np.flatnonzero(found)
    e = y - problem.product(part[used], found[used])[: len(y)]
    short = y * (e + problem.threshold(dual))
    new = (weight == 0) & (short > 0)
    beta[new] = (y * caps)[new]
    return balance(beta, short) if problem.bias else beta


def balance(beta: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Send multipliers of the heavier class to 0, in the given order, until Σβ = 0."""
    excess = beta.sum()
    heavy = np.flatnonzero(beta * excess > 0)
    heavy = heavy[np.argsort(order[heavy])]
    left = np.cumsum(np.abs(beta[heavy]))
    cut = min(int(np.searchsorted(left, abs(excess))), len(heavy) - 1)
    balanced = beta.copy()
    balanced[heavy[:cut]] = 0.0
    if len(heavy):
        balanced[heavy[cut]] = math.copysign(left[cut] - abs(excess), excess)
    return balanced
