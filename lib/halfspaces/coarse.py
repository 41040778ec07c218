"""Many points: a coarse kernel tells which of them matter, the exact one is asked about those.

A factor Φ with few columns leaves an error E = K − ΦΦᵀ, which is positive semidefinite: by Cauchy
and Schwarz |Eβ|ᵢ ≤ √Eᵢᵢ Σⱼ |βⱼ|√Eⱼⱼ. A point further than that from the edge of the street is on
the same side by the exact kernel: at the right bound it adds nothing to the gap, at the wrong one
less than twice what it seems to. The exact kernel is asked about the others, which are few.
What single precision may be wrong by is added to the diagonal of E; then it is precise enough.
Near a solution few rows of K may do instead of a factor: these are wrong by that alone. Where
points are not that many, and nearly all of them matter, all of K is made in this way.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from .homotopy import follow
from .kernels import SINGLE
from .proximal import Guess, better_multipliers, guess_multipliers
from .smo import (
    ALL,
    Beginning,
    Dual,
    Factor,
    Memory,
    Problem,
    Rows,
    balance,
    closeness,
    mean_lengths,
    newton_step,
    solve_dual,
    tiles,
    two_variable_steps,
)

ROUGHLY = 1e-5  # gap of a solution for a kernel in single precision
RIDGE = 1e-6  # added to the diagonal of such a kernel, so that it is one
SAMPLE = 64  # points of which those that differ most become columns of the factor
ALIKE = 0.1  # share of the mean error below which a point brings nothing new
ROUGH = 2.0**-21  # by which single precision makes sums of products wrong
HUGE = 1e30  # a number whose square is none in single precision
COARSEST = 1 / 400  # share of the diagonal that may be wrong, however small C is
CRUDE = 1 / 32  # the same for a guess, where less would be too much
ERROR = 1.0  # of C·K, summed over the diagonal, where nothing else is known
LEEWAY = 0.2  # of a margin, by which a coarse kernel may be wrong if all points matter
FURTHEST = 0.25  # the same if few of them do
PRECISE = 1e7  # nC, up to which single precision is enough for a guess
OUTSIDE = 2.0  # margin of a point, beyond which it is left out at first
BEYOND = 1.5  # the same later
ALMOST_ALL = 0.7  # share of the points
LAX = 4.0  # times as large an error is no reason for another factor
LARGE = 1e5  # a bound beyond which rounding is no less than the error of a coarse kernel
FULL = 60  # points of a sample, all of which differ: there are many features
SHARE = 6  # times as many points as columns, or the factor is not worth it
NARROW = 128  # columns that always are
NEAR = 1e-4  # gap of the first guess
MOST = 600  # points to ask the exact kernel about
EAGER = 45  # points at a bound that are looked at besides the free ones, at least
MOST_EAGER = 200  # the same at most: as many as were at the wrong bound
QUICK = 4e5  # entries of a kernel met for the first time, for which no factor is worth it
ROUNDS = 20
NEARBY = 0.02  # of a margin: from further away steps are quicker
STEPS = 20  # of two variables, between two of Newton's


def solve_coarsely(
    problem: Problem,
    goal: float,
    beta: np.ndarray | None = None,
    begun: Beginning | None = None,
    factor: Factor | None = None,
) -> tuple[Dual, list[tuple[float, float]]] | None:
    """Return multipliers and values around the optimum; none if the gap is not closed to `goal`.

    Return None where C is too large, or where β is not known and no coarse kernel has few features.
    β may be known from a problem like this one, or some of it, and all features.
    """
    if problem.caps.max() > LARGE:
        return None
    nearby = NEARBY if beta is None else math.inf  # a start has few events ahead
    coarse: CoarseKernel
    if beta is None:
        found = _guess(problem, begun, factor)
        if found is None:
            return None
        beta, factor = found
        coarse = RoughRows(problem) if factor is None else Features(problem, factor)
    elif factor is None and problem.kernel.rough is not None:
        coarse = _coarse_kernel(problem, beta)
    else:
        factor = factor or _remembered_factor(problem, _leeway(problem, beta))
        if factor is None:
            return None
        coarse = Features(problem, factor)
    return _search(problem, goal, coarse, beta, nearby)


def solve_roughly(
    problem: Problem, goal: float, beta: np.ndarray
) -> tuple[Dual, list[tuple[float, float]]]:
    """Do the same with all of the kernel in single precision, which is solved for first.

    So many rows at once take a third of the time that they take one by one.
    """
    rough = RoughGram(problem)
    y = problem.y.astype(np.float32)  # then the gradient is in single precision, too
    alike = replace(problem, y=y, memory=Memory(rows=rough))
    dual, _ = solve_dual(alike, ROUGHLY, beta, near=False)
    return _search(problem, goal, rough, dual.beta[: len(y)], math.inf)


def _search(
    problem: Problem, goal: float, coarse: "CoarseKernel", beta: np.ndarray, nearby: float
) -> tuple[Dual, list[tuple[float, float]]]:
    """Improve β where the exact kernel is asked, until the gap is closed or that is too much."""
    dual = problem.dual_at(beta, coarse.product(beta))
    search = CoarseSearch(problem, coarse, dual, coarse.doubt(dual.beta), nearby)
    eager = EAGER
    with np.errstate(all="ignore"):
        for _ in range(ROUNDS):
            near = dual.candidates(eager)
            if len(near) > MOST:
                break
            search.ask(near)
            search.improve(near, goal)
            while len(asked := search.in_doubt()):  # what they answer may move the edge
                search.ask(asked)
            primal, value = dual.values(problem.threshold(dual))
            if primal - value <= goal * primal:
                doubt = float(np.abs(dual.beta) @ coarse.errors) ** 2 / 2
                return dual, [(primal + doubt, value - doubt)]
            eager = min(max(EAGER, search.count_wrong(near)), MOST_EAGER)
    return dual, []


def _leeway(problem: Problem, beta: np.ndarray) -> float:
    """Return by how much a coarse kernel may be wrong, summed over the diagonal.

    If all points are wrong by the same, a score is wrong by that times Σ|β|. The fewer support
    vectors there are, the cheaper it is to ask about points whose score is in doubt.
    """
    n, total = len(problem.y), float(np.abs(beta).sum())
    coarsest = COARSEST * _trace(problem)
    if not total:
        return coarsest
    margin = min(FURTHEST, LEEWAY / math.sqrt(np.count_nonzero(beta) / n))
    return min(coarsest, margin * n / total)


def _limit(problem: Problem) -> int:
    return max(NARROW, len(problem.y) // SHARE)


def _trace(problem: Problem) -> float:
    return float(problem.kernel.diagonal(problem.X).sum()) / problem.scale


def _guess(
    problem: Problem, begun: Beginning | None, factor: Factor | None
) -> tuple[np.ndarray, Factor | None] | None:
    """Return β near the optimum for a coarse kernel, and its factor; None if that is too wide.

    Half of the features will do at first. Where points are many, these tell how large Σ|β| is, and
    so how coarse the kernel may be; if that is too wide, they are enough for β.
    """
    exact = factor is not None
    y, caps, limit = problem.y, problem.caps, _limit(problem)
    if begun is not None and not begun.few:
        begun = None
    if begun is None:
        error = min(ERROR / float(caps.max()), COARSEST * _trace(problem))
    else:  # few rows of the kernel will do instead of a wide factor
        error, limit = _leeway(problem, begun.beta), NARROW
    if factor is None and begun is None and len(y) > ALL:
        trace = _trace(problem)
        known = coarse_factor(problem, math.sqrt(error * trace), limit // 2)
        known = known or coarse_factor(problem, CRUDE * trace, limit // 2)
        if known is None:
            return None
        guess, margins = _first_guess(problem, begun, known[0])
        error = _leeway(problem, guess.alpha)
        factor = problem.memory.keep(coarse_factor(problem, error, limit, known))
        if factor is None and problem.kernel.rough is None:
            return None
        features = (factor or known)[0]
    else:
        factor = factor or problem.memory.keep(coarse_factor(problem, error, limit))
        if factor is None:
            return None
        features = factor[0]
        half = features if exact else features[: (1 + len(features)) // 2]
        guess, margins = _first_guess(problem, begun, half)
    near = _few((margins < BEYOND) | (guess.alpha > 0))
    guess = replace(guess, alpha=guess.alpha[near])
    features = _chosen(features, near, caps)
    beta = np.zeros(len(y))
    alpha = better_multipliers(guess, features, y[near], caps[near], problem.bias, NEAR)
    beta[near] = y[near] * alpha
    return (balance(beta, np.abs(beta)) if problem.bias else beta), factor


def _first_guess(
    problem: Problem, begun: Beginning | None, features: np.ndarray
) -> tuple[Guess, np.ndarray]:
    """Return a guess by these features, and margins; leave out what seemed far off at first."""
    y, caps = problem.y, problem.caps
    near, highest = np.arange(len(y)), float(caps.max())
    if begun is not None:
        some = np.flatnonzero(begun.beta)
        w = features[:, some] @ begun.beta[some].astype(features.dtype)
        near = _few(y * (w @ features - begun.b) < OUTSIDE)
        highest = min(highest, float(np.abs(begun.beta).max()))
    chosen = _chosen(features, near, caps)
    guess = guess_multipliers(chosen, y[near], caps[near], problem.bias, highest)
    margins = guess.margins(features, y)
    if np.count_nonzero(margins < 1) - np.count_nonzero(margins[near] < 1) > EAGER:
        return _first_guess(problem, None, features)  # more points matter than it had seemed
    alpha = np.zeros(len(y), guess.alpha.dtype)
    alpha[near] = guess.alpha
    return replace(guess, alpha=alpha), margins


def _few(chosen: np.ndarray) -> np.ndarray:
    """List the points that are chosen, or all if that would spare little."""
    few = np.flatnonzero(chosen)
    return few if 0 < len(few) < ALMOST_ALL * len(chosen) else np.arange(len(chosen))


def _chosen(features: np.ndarray, near: np.ndarray, caps: np.ndarray) -> np.ndarray:
    """Return the features of these points, in single precision if that is enough for a guess."""
    n = features.shape[1]
    if len(near) < n:
        features = features[:, near]
    return features.astype(np.float32, copy=False) if caps.max() * n <= PRECISE else features


class CoarseKernel:
    """A kernel that is wrong by at most √Eᵢᵢ√Eⱼⱼ between two points; `errors` are these roots.

    Without bias there is one more point, at 0.
    """

    def __init__(self, problem: Problem, errors: np.ndarray):
        self.errors = errors if problem.bias else np.append(errors, 0.0)

    def product(self, beta: np.ndarray) -> np.ndarray:
        """Return Kβ for a sparse β."""
        raise NotImplementedError

    def doubt(self, beta: np.ndarray) -> np.ndarray:
        """Return by how much the product may be wrong at each point."""
        return self.errors * float(self.errors @ np.abs(beta))


class Features(CoarseKernel):
    """A coarse kernel with few features."""

    def __init__(self, problem: Problem, factor: Factor):
        super().__init__(problem, factor[1])
        self.features = factor[0] if problem.bias else np.pad(factor[0], ((0, 0), (0, 1)))

    def product(self, beta: np.ndarray) -> np.ndarray:
        """Return Kβ for a sparse β."""
        used = np.flatnonzero(beta)
        w = self.features[:, used].astype(float) @ beta[used]
        return (w.astype(self.features.dtype) @ self.features).astype(float)


class RoughRows(CoarseKernel):
    """Rows of the kernel in single precision: coarse only in that."""

    def __init__(self, problem: Problem):
        self.problem, self.common = problem, problem.common()
        wrong = 4 * SINGLE  # by rounding what is known, scaling it, and shaping it
        if self.common is None:
            self.values, wrong = problem.kernel.roughly(problem.X)
        largest = float(problem.kernel.diagonal(problem.X).max()) / problem.scale
        super().__init__(problem, np.full(len(problem.X), math.sqrt((ROUGH + 2 * wrong) * largest)))

    def product(self, beta: np.ndarray) -> np.ndarray:
        """Return Kβ for a sparse β."""
        n = len(self.problem.X)
        used = np.flatnonzero(beta[:n])
        total = np.zeros(len(self.errors))
        for tile in tiles(len(used), n):
            weights = beta[used[tile]] / self.problem.scale
            total[:n] += weights.astype(np.float32) @ self._rows(used[tile])
        return total

    def _rows(self, points: np.ndarray) -> np.ndarray:
        if self.common is None or self.problem.kernel.shape is None:
            return self.values(self.problem.X[points])
        chosen = self.common[points]
        return self.problem.kernel.shape(chosen, chosen)


class RoughGram(CoarseKernel, Rows):
    """All rows of the kernel in single precision, with a ridge."""

    def __init__(self, problem: Problem):
        Rows.__init__(self, problem)
        n, (values, wrong) = len(problem.X), problem.kernel.roughly(problem.X)
        largest = float(self.lengths.max())
        wrong = math.sqrt((ROUGH + RIDGE + 2 * wrong) * largest)
        CoarseKernel.__init__(self, problem, np.full(n, wrong))
        self.K = np.zeros((len(self.lengths),) * 2, np.float32)
        for tile in tiles(n, n):
            self.K[tile, :n] = values(problem.X[tile])
        if problem.scale != 1:
            self.K /= problem.scale
        each = np.arange(n)
        self.K[each, each] += RIDGE * largest

    def __getitem__(self, asked: int | np.ndarray) -> np.ndarray:
        return self.K[asked]

    def product(self, beta: np.ndarray) -> np.ndarray:
        """Return Kβ."""
        return beta.astype(np.float32) @ self.K[: len(beta)]


@dataclass(frozen=True)
class Change:
    """What was added to the multipliers last; the gradient before, and where it was known."""

    beta: np.ndarray
    e: np.ndarray
    known: np.ndarray


@dataclass
class CoarseSearch:
    """Multipliers with their gradient, and by how much it may be wrong at each point."""

    problem: Problem
    coarse: CoarseKernel
    dual: Dual
    doubt: np.ndarray
    nearby: float = NEARBY
    last: Change | None = None

    def ask(self, points: np.ndarray) -> None:
        """Ask the exact kernel about these points, or about what was added where it was known."""
        dual, last = self.dual, self.last
        points = points[self.doubt[points] > 0]
        if last is not None:
            known = last.known[points]
            old, points = points[known], points[~known]
            dual.e[old] = last.e[old] - self._product(last.beta, old)
            self.doubt[old] = 0.0
        dual.e[points] = dual.y[points] - self._product(dual.beta, points)
        self.doubt[points] = 0.0

    def _product(self, beta: np.ndarray, places: np.ndarray) -> np.ndarray:
        used = np.flatnonzero(beta[: len(self.problem.X)])
        return self.problem.product(used, beta[used], places)

    def in_doubt(self) -> np.ndarray:
        """List the points that may be on either side of the edge of the street."""
        from_edge = np.abs(self.dual.e + self.problem.threshold(self.dual))
        return np.flatnonzero((from_edge <= self.doubt) & (self.doubt > 0))

    def improve(self, near: np.ndarray, goal: float) -> None:
        """Solve for these points with the exact kernel."""
        K = self.problem.gram(near[near < len(self.problem.X)])
        part = self.dual.part(near)
        enough = goal * self.dual.values(self.problem.threshold(self.dual))[1]
        there = part.violation() <= self.nearby and follow(part, K)
        if not (there and part.gap(self.problem.threshold(part)) <= enough):
            self._take_steps(part, K, enough)
        change = np.zeros_like(self.dual.beta)
        change[near] = part.beta - self.dual.beta[near]
        self.last = Change(change, self.dual.e.copy(), self.doubt == 0)
        self.dual.beta[near] = part.beta
        self.dual.e -= self.coarse.product(change)
        self.dual.e[near] = part.e
        self.doubt += self.coarse.doubt(change)
        self.doubt[near] = 0.0

    def _take_steps(self, part: Dual, K: np.ndarray, enough: float) -> None:
        near = None
        for _ in range(ROUNDS):
            newton_step(part, K)
            if part.gap(self.problem.threshold(part)) <= enough:
                break
            if near is None:
                near = closeness(K, mean_lengths(K), self.problem.kernel)
            two_variable_steps(part, K, near, STEPS)

    def count_wrong(self, near: np.ndarray) -> int:
        """Count the other points that are at the wrong bound."""
        short = self.dual.y * (self.dual.e + self.problem.threshold(self.dual))
        wrong = np.where(self.dual.beta == 0, short > 0, short < 0)
        wrong[near] = False
        return int(np.count_nonzero(wrong))


def _coarse_kernel(problem: Problem, beta: np.ndarray) -> CoarseKernel:
    """Return rows where no factor is narrow, or where few are needed and K is not known yet."""
    few = np.count_nonzero(beta) * len(beta) <= QUICK
    factor = None
    if problem.memory.reused or not few:
        factor = _remembered_factor(problem, _leeway(problem, beta))
    return RoughRows(problem) if factor is None else Features(problem, factor)


def _remembered_factor(problem: Problem, error: float) -> Factor | None:
    """Return a factor, the one from last time if it is good enough; keep it."""
    last = problem.memory.factor
    if last is None or float((last[1] ** 2).sum()) > LAX * error:
        last = problem.memory.keep(coarse_factor(problem, error, _limit(problem)))
    return last


def coarse_factor(
    problem: Problem, error: float, limit: int, known: Factor | None = None
) -> Factor | None:
    """Return a factor that leaves so small an error, summed over the diagonal; None if too wide.

    Cholesky's method for many columns at a time, drawn where the error is large. It may go on with
    a factor that is known.
    """
    from scipy.linalg.lapack import dpstrf, dtrtri  # take longer to import than all the rest

    X, n, k = problem.X, len(problem.X), 0
    left = problem.kernel.diagonal(X) / problem.scale
    whole = left.sum()
    values, wrong = problem.kernel.roughly(X)
    wrong = (ROUGH + 2 * wrong) * float(left.max())
    single = n * wrong <= error and problem.scale * left.max() < HUGE
    if not single:
        values = problem.kernel.against(X)
    rows = np.empty((limit, n), np.float32 if single else float)
    if known is not None and known[0].dtype == rows.dtype:
        if (known[1] ** 2).sum() <= error + n * wrong * single:
            return known
        k = len(known[0])
        rows[:k] = known[0]
        left = np.maximum(known[1] ** 2 - wrong * single, 0.0)
    while (total := np.cumsum(left))[-1] > error:
        if k and k * math.log(error / whole) < limit * math.log(total[-1] / whole):
            return None  # it would take more columns
        places = np.searchsorted(total, (np.arange(SAMPLE) + 0.5) * (total[-1] / SAMPLE))
        drawn = places[np.diff(places, prepend=-1) > 0]
        before = rows[:k, drawn]
        block = problem.block(X[drawn], X[drawn]) - before.T @ before
        L, order, rank, _ = dpstrf(block, lower=1)
        size = int((L.diagonal()[:rank] ** 2 > ALIKE * total[-1] / n).sum())
        if not 0 < size <= min(limit - k, FULL):
            return None
        order = order[:size] - 1
        new = values(X[drawn[order]])
        if problem.scale != 1:
            new /= problem.scale
        new -= before[:, order].T @ rows[:k]
        inverse = np.tril(dtrtri(L[:size, :size], lower=1)[0]).astype(rows.dtype)
        np.matmul(inverse, new, out=rows[k : k + size])
        left = np.maximum(left - np.einsum("ij,ij->j", rows[k : k + size], rows[k : k + size]), 0.0)
        left[drawn[order]] = 0.0
        k += size
    return rows[:k], np.sqrt(left + wrong * single)
