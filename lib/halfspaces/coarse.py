"""Many points: a coarse kernel tells which of them matter, the exact one is asked about those.

A factor Φ with few columns leaves an error E = K − ΦΦᵀ, which is positive semidefinite: by Cauchy
and Schwarz |Eβ|ᵢ ≤ √Eᵢᵢ Σⱼ |βⱼ|√Eⱼⱼ. A point further than that from the edge of the street is at
the right bound, whatever the exact kernel says, and adds nothing to the gap. The others are few.
What single precision may be wrong by is added to the diagonal of E; then it is precise enough.
"""

import math
from dataclasses import dataclass

import numpy as np

from .proximal import guess_multipliers
from .smo import (
    KEPT,
    Beginning,
    Dual,
    Factor,
    Problem,
    balance,
    closeness,
    mean_lengths,
    newton_step,
    two_variable_steps,
)

SAMPLE = 64  # points of which those that differ most become columns of the factor
ALIKE = 0.1  # share of the mean error below which a point brings nothing new
ROUGH = 2.0**-21  # by which single precision makes sums of products wrong
HUGE = 1e30  # a number whose square is none in single precision
ERROR = 1.0  # of C·K, summed over the diagonal
LEEWAY = 0.2  # of a margin, by which a coarse kernel may be wrong
SINGLE = 1e6  # nC, up to which single precision is enough for a guess
OUTSIDE = 2.0  # margin of a point, beyond which it is left out at first
ALMOST_ALL = 0.7  # share of the points
LAX = 4.0  # times as large an error is no reason for another factor
LARGE = 1e5  # a bound beyond which rounding is no less than the error of a coarse kernel
FULL = 60  # points of a sample, all of which differ: there are many features
SHARE = 6  # times as many points as columns, or the factor is not worth it
NARROW = 128  # columns that always are
NEAR = 1e-3  # gap of the first guess
MOST = 600  # points to ask the exact kernel about
EAGER = 40  # points at a bound that are looked at besides the free ones
ROUNDS = 20
STEPS = 20  # of two variables, between two of Newton's


def solve_coarsely(
    problem: Problem,
    goal: float,
    beta: np.ndarray | None = None,
    begun: Beginning | None = None,
    factor: Factor | None = None,
) -> tuple[Dual, list[tuple[float, float]]] | None:
    """Return multipliers and values around the optimum; none if the gap is not closed to `goal`.

    Return None where C is too large, or no coarse kernel has few features. β may be known from a
    problem like this one, or some of it, and all features.
    """
    if problem.caps[0] > LARGE:
        return None
    factor = factor or _remembered_factor(problem, _leeway(problem, beta, begun))
    if factor is None:
        return None
    features, errors = factor
    if beta is None:
        beta = _guess(problem, begun, features)
    if not problem.bias:  # the point at 0
        features, errors = np.pad(features, ((0, 0), (0, 1))), np.append(errors, 0.0)
    used = np.flatnonzero(beta)
    w = features[:, used].astype(float) @ beta[used]
    dual = problem.dual_at(beta, (w.astype(features.dtype) @ features).astype(float))
    search = CoarseSearch(problem, features, errors, dual, errors * (errors @ np.abs(dual.beta)))
    with np.errstate(all="ignore"):
        for _ in range(ROUNDS):
            near = dual.candidates(EAGER)
            if len(near) > MOST:
                break
            search.ask(near)
            closed = search.improve(near, goal)
            if closed and search.settled(near):
                doubt = float(np.abs(dual.beta) @ errors) ** 2 / 2
                primal, value = dual.values(problem.threshold(dual))
                return dual, [(primal + doubt, value - doubt)]
    return dual, []


def _leeway(problem: Problem, beta: np.ndarray | None, begun: Beginning | None) -> float:
    """Return by how much a coarse kernel may be wrong, summed over the diagonal.

    If all points are wrong by the same, a score is wrong by that times Σ|β|.
    """
    if beta is None and begun is not None and begun.few:
        beta = begun.beta
    if beta is None or not beta.any():
        return ERROR / float(problem.caps[0])
    return LEEWAY * len(beta) / float(np.abs(beta).sum())


def _guess(problem: Problem, begun: Beginning | None, features: np.ndarray) -> np.ndarray:
    """Return β near the optimum for a coarse kernel; leave out points that seem far off."""
    y, C = problem.y, float(problem.caps[0])
    near, highest = np.arange(len(y)), C
    if begun is not None and begun.few:
        some = np.flatnonzero(begun.beta)
        w = features[:, some] @ begun.beta[some].astype(features.dtype)
        inside = np.flatnonzero(y * (w @ features - begun.b) < OUTSIDE)
        if 0 < len(inside) < ALMOST_ALL * len(y):
            near = inside
            features = features[:, near]
        highest = min(C, float(np.abs(begun.beta).max()))
    if C * len(y) <= SINGLE:
        features = features.astype(np.float32, copy=False)
    alpha = guess_multipliers(features, y[near], C, problem.bias, NEAR, highest)
    beta = np.zeros(len(y))
    beta[near] = alpha * y[near]
    return balance(beta, np.abs(beta)) if problem.bias else beta


@dataclass
class CoarseSearch:
    """Multipliers with their gradient, and by how much it may be wrong at each point."""

    problem: Problem
    features: np.ndarray
    errors: np.ndarray
    dual: Dual
    doubt: np.ndarray

    def ask(self, near: np.ndarray) -> None:
        """Ask the exact kernel about these points, and about all that may be on either side."""
        n = len(self.problem.X)
        asked = np.abs(self.dual.e + self.problem.threshold(self.dual)) <= self.doubt
        asked[near] = True
        asked &= self.doubt > 0  # the others are known
        points = np.flatnonzero(asked[:n])
        used = np.flatnonzero(self.dual.beta[:n])
        product = self.problem.product(used, self.dual.beta[used], points)
        self.dual.e[points] = self.dual.y[points] - product
        self.doubt[points] = 0.0

    def improve(self, near: np.ndarray, goal: float) -> bool:
        """Solve for these points with the exact kernel; tell whether their gap is closed."""
        K = self.problem.gram(near[near < len(self.problem.X)])
        part, close = self.dual.part(near), closeness(K, mean_lengths(K), self.problem.kernel)
        value = self.dual.values(self.problem.threshold(self.dual))[1]
        closed = False
        for _ in range(ROUNDS):
            newton_step(part, K)
            closed = part.gap(self.problem.threshold(part)) <= goal * value
            if closed:
                break
            two_variable_steps(part, K, close, STEPS)
        change = part.beta - self.dual.beta[near]
        self.dual.beta[near] = part.beta
        self.dual.e -= (self.features[:, near] @ change.astype(self.features.dtype)) @ self.features
        self.dual.e[near] = part.e
        self.doubt += self.errors * (self.errors[near] @ np.abs(change))
        self.doubt[near] = 0.0
        return closed

    def settled(self, near: np.ndarray) -> bool:
        """Tell whether all other points are at the right bound, whatever is wrong with them."""
        short = self.dual.y * (self.dual.e + self.problem.threshold(self.dual))
        right = np.where(self.dual.beta == 0, short < -self.doubt, short > self.doubt)
        right[near] = True
        return bool(right.all())


def _remembered_factor(problem: Problem, error: float) -> Factor | None:
    """Return a factor, the one from last time if it is good enough; keep it."""
    last = problem.memory.factor
    if last is None or float((last[1] ** 2).sum()) > LAX * error:
        last = coarse_factor(problem, error, max(NARROW, len(problem.y) // SHARE))
        problem.memory.factor = last if last and last[0].size <= KEPT else None
    return last


def coarse_factor(problem: Problem, error: float, limit: int) -> Factor | None:
    """Return a factor that leaves so small an error, summed over the diagonal; None if too wide.

    Cholesky's method for many columns at a time, drawn where the error is large.
    """
    from scipy.linalg.lapack import dpstrf  # takes longer to import than all the rest

    X, n, k = problem.X, len(problem.X), 0
    left = problem.kernel.diagonal(X) / problem.scale
    whole = left.sum()
    error = min(error, whole / SAMPLE)
    values, wrong = problem.kernel.roughly(X)
    wrong = (ROUGH + 2 * wrong) * float(left.max())
    single = 4 * n * wrong <= error and problem.scale * left.max() < HUGE
    if not single:
        values = problem.kernel.against(X)
    rows = np.empty((limit, n), np.float32 if single else float)
    while (total := np.cumsum(left))[-1] > error:
        if k and k * math.log(error / whole) < limit * math.log(total[-1] / whole):
            return None  # it would take more columns
        places = np.searchsorted(total, (np.arange(SAMPLE) + 0.5) * (total[-1] / SAMPLE))
        drawn = np.unique(places)
        known = rows[:k, drawn]
        block = problem.block(X[drawn], X[drawn]) - known.T @ known
        L, order, rank, _ = dpstrf(block, lower=1)
        size = int((L.diagonal()[:rank] ** 2 > ALIKE * total[-1] / n).sum())
        if not 0 < size <= min(limit - k, FULL):
            return None
        order = order[:size] - 1
        new = values(X[drawn[order]])
        if problem.scale != 1:
            new /= problem.scale
        new -= known[:, order].T @ rows[:k]
        inverse = np.linalg.inv(np.tril(L[:size, :size])).astype(rows.dtype)
        np.matmul(inverse, new, out=rows[k : k + size])
        left = np.maximum(left - np.einsum("ij,ij->j", rows[k : k + size], rows[k : k + size]), 0.0)
        left[drawn[order]] = 0.0
        k += size
    return rows[:k], np.sqrt(left + wrong * single)
