"""The largest margin, and the proof that it is the largest.

    primal   min ½‖w‖² + C Σ ξᵢ             yᵢ(⟨w, φ(xᵢ)⟩ − b) ≥ 1 − ξᵢ,  ξ ≥ 0
    dual     max Σ αᵢ − ½‖Σ αᵢyᵢφ(xᵢ)‖²     0 ≤ α ≤ C,  Σ αᵢyᵢ = 0

A hard margin is C = ∞, where ξ = 0. Without bias b = 0, and there is no condition on Σ αᵢyᵢ.

No dual value exceeds a primal one: two feasible points of equal value prove each other optimal.
"""

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice
from typing import Any

import numpy as np

from .certificates import GAP, ROUNDING, CertificateError, verify_svm
from .coarse import solve_coarsely, solve_roughly
from .halfspace import Halfspace
from .interior_point import UNBOUNDED, factor, factor_if_few, newton_steps, polish
from .kernels import Kernel, linear
from .results import Classifier, Result
from .separability import Separation, separate
from .smo import ALL, LIGHT, ROUNDS, Factor, Memory, Problem, balance, begin, drift, solve_dual
from .twins import find_twins
from .validation import ArrayLike, as_kernel, as_real, as_sample, need_both_classes, to_float

STEPS = 100
SOME = 30  # rounds of steps before it is asked whether there are few features
FEW = 60  # features
QUICK = 6  # rounds of steps where features are few
MANY = 400  # points, for which a coarse kernel pays
WHOLE = 1500  # points, up to which all of it may be made in single precision
SMALL = 600  # points, up to which a start from elsewhere is followed by steps alone
KNOWN = 1000  # the same where the kernel is that of the start: its rows are kept

# The C library of Linux gives back what is freed, but for arrays up to the largest that it has met.
# To fetch them anew for each solution, page by page, would take half as long as solving 360 points.
np.empty(2**20)


class NotSeparableError(ValueError):
    """There is no hard margin; `certificate` holds the weights that prove it."""

    def __init__(self, certificate: Separation):
        super().__init__(
            "no halfspace separates these points, so there is no hard margin: give a finite C"
        )
        self.certificate = certificate


@dataclass(frozen=True, eq=False, repr=False)
class SVM(Classifier, Result):
    """Solutions (w, b) of the primal and α of the dual; all else is computed from them."""

    X: np.ndarray
    y: np.ndarray
    C: float
    kernel: Kernel
    bias: bool
    alpha: np.ndarray
    b: float = 0.0
    w: np.ndarray | None = None  # None where features are not written out: then w is Σ αᵢyᵢφ(xᵢ)
    history: tuple[tuple[float, float], ...] = ()  # (primal, dual) at each step

    @property
    def dimension(self) -> int:
        return self.X.shape[1]

    @cached_property
    def memory(self) -> Memory:
        """What the search knew of K: one that starts from here goes on with it."""
        return Memory()

    def _scores(self, X: np.ndarray) -> np.ndarray:
        X = to_float(X)
        if self.w is not None:
            return X @ self.w - self.b
        used = np.flatnonzero(self.alpha)
        weights = (self.alpha * self.y)[used]
        blocks = np.array_split(X, len(X) * len(used) // 10**6 + 1)
        scores = [self.kernel.block(block, self.X[used]) @ weights for block in blocks]
        return np.concatenate(scores) - self.b

    @property
    def halfspace(self) -> Halfspace:
        if self.w is None:
            raise ValueError(
                f"the halfspace is in the feature space of {self.kernel.name}: "
                "use score and predict"
            )
        return Halfspace(self.w, self.b)

    @cached_property
    def squares(self) -> tuple[float, float]:
        """‖w‖² and ‖Σ αᵢyᵢφ(xᵢ)‖²: equal at the optimum."""
        if self.w is None:
            square = max(0.0, float(self.alpha @ (self.margins + self.y * self.b)))
            return square, square
        return float(self.w @ self.w), float(((self.X.T @ (self.alpha * self.y)) ** 2).sum())

    @cached_property
    def margins(self) -> np.ndarray:
        """The functional margins y(⟨w, φ(x)⟩ − b): 1 is the edge of the street."""
        return self.y * self._scores(self.X)

    @cached_property
    def slack(self) -> np.ndarray:
        """ξ: by how much each point falls short of the edge of the street."""
        return np.maximum(0, 1 - self.margins)

    @property
    def primal(self) -> float:
        """½‖w‖² + C Σξ, or infinity for a hard margin that a point is inside of."""
        if self.C == math.inf:
            return self.squares[0] / 2 if self.slack.max() <= GAP else math.inf
        return self.squares[0] / 2 + self.C * float(self.slack.sum())

    @property
    def dual(self) -> float:
        """Σα − ½‖Σ αᵢyᵢφ(xᵢ)‖²."""
        return float(self.alpha.sum()) - self.squares[1] / 2

    @property
    def gap(self) -> float:
        """Primal less dual value: neither is further than that from the optimum."""
        return self.primal - self.dual

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the primal value, or what rounding leaves of b Σ αy if it is more.

        A gap below 0 is rounding too, and weighs as much as one above.
        """
        if not 0 < self.primal < math.inf:
            return math.inf
        balance = float((self.alpha * self.y).sum()) if self.bias else 0.0
        furthest = float(abs(self.y * self.margins + self.b).max())
        return max(abs(self.gap), abs(balance) * (1 + furthest)) / self.primal

    @property
    def converged(self) -> bool:
        """Whether the gap is closed."""
        return self.relative_gap <= GAP

    @property
    def margin(self) -> float:
        """The geometric margin 1/‖w‖: half the width of the street."""
        return 1 / math.sqrt(self.squares[0]) if self.squares[0] else math.inf

    @property
    def support(self) -> np.ndarray:
        """The indices of the support vectors, where α > 0."""
        return np.flatnonzero(self.alpha > 1e-9 * self.alpha.max())

    def kkt(self) -> dict[str, float]:
        """Return by how much each condition of Karush, Kuhn and Tucker fails, relatively."""
        a, hard = self.alpha, self.C == math.inf
        total = self.alpha.sum() or 1.0
        outside = np.maximum(0, np.maximum(-a, a - self.C))
        drift = np.zeros(1) if self.w is None else self.w - self.X.T @ (a * self.y)
        waste = a * np.maximum(0, self.margins - 1)
        if not hard:
            waste = waste + (self.C - a) * self.slack
        value = self.squares[0] / 2 + (0 if hard else self.C * self.slack.sum())
        radius = np.linalg.norm(self.X, axis=1).max()
        return {
            "dual feasibility": float(outside.max() / total),
            "equality": float(abs(a @ self.y / total if self.bias else self.b)),
            "stationarity": float(abs(drift).max() / (total * radius or 1.0)),
            "primal feasibility": float(self.slack.max()) if hard else 0.0,
            "complementary slackness": float(abs(waste).max() / (value or 1.0)),
        }

    def check(self) -> None:
        """Verify that both solutions are feasible and that their values meet."""
        verify_svm(
            self.X,
            self.y,
            self.C,
            self.kernel,
            self.bias,
            self.alpha,
            self.b,
            self.w,
            self.history,
        )

    def summary(self) -> str:
        return (
            f"margin {self.margin:.4g}, {len(self.support)} support vectors, "
            f"relative gap {self.relative_gap:.1e}"
        )

    def _repr_html_(self) -> str:
        values = {
            "primal": self.primal,
            "dual": self.dual,
            "relative gap": self.relative_gap,
            "margin": self.margin,
            "b": self.b,
            "support vectors": len(self.support),
            "steps": len(self.history),
            **self.kkt(),
        }
        rows = "".join(
            f'<tr><th scope="row">{name}</th><td>{value:.6g}</td></tr>'
            for name, value in values.items()
        )
        return f"<table>{rows}</table>"


def solve_svm(
    X: ArrayLike,
    y: ArrayLike,
    C: float = math.inf,
    kernel: Kernel = linear,
    bias: bool = True,
    start: SVM | None = None,
) -> SVM:
    """Maximise the margin: a hard one, or one where a unit of slack costs C.

    `start` is a solution for as many points, with another C or kernel, or for other points: the
    closer it is, the sooner the search is over. The answer does not depend on it.
    """
    if isinstance(start, SVM) and start.memory.is_about(X, y):
        X, y = np.asarray(X), np.array(y, np.int64)
    else:
        X, y = as_sample(X, y)
    as_kernel(kernel)
    bias = bool(bias)
    if bias:
        need_both_classes(y)
    if not (isinstance(C, float) and C == math.inf):
        C = as_real(C, "C", low=0, strict=True)
    if start is not None and not (isinstance(start, SVM) and len(start.alpha) == len(y)):
        raise ValueError(f"start must be an SVM of {len(y)} points, as solve_svm returns it")
    points = to_float(X, "X")
    with one_thread(len(points)):
        if kernel != linear or start is not None and len(points) <= SMALL:
            return _by_steps_if_possible(X, points, y, C, kernel, bias, start)
        return _by_interior_point(X, points, points, y, C, kernel, bias)


@np.errstate(invalid="ignore")  # BLAS may compute with what lies beside the data in memory, too
def _by_steps_if_possible(
    X: np.ndarray,
    points: np.ndarray,
    y: np.ndarray,
    C: float,
    kernel: Kernel,
    bias: bool,
    start: SVM | None,
) -> SVM:
    """Look for the solution by steps; where they are many, in the features, if these are few."""
    few = FEW if len(points) > SMALL else FEW // 6
    finite = kernel != linear and kernel.feature_map is not None
    features = factor_if_few(kernel, points, few) if finite else None
    if features is not None:
        if C < math.inf:
            found, closed = _by_steps(points, y, C, kernel, bias, start, QUICK, features)
            if closed:
                return found
        return _by_interior_point(X, points, features, y, C, kernel, bias)
    found, closed = _by_steps(points, y, C, kernel, bias, start, SOME)
    if closed:
        return found
    features = points if kernel == linear else factor_if_few(kernel, points, FEW)
    if features is None:
        between = np.count_nonzero((found.alpha > 0) & (found.alpha < C))
        times = (1 if len(points) <= SMALL else 4) + (between / LIGHT) ** 3  # as long is a round
        found, closed = _by_steps(
            points, y, C, kernel, bias, found, max(2 * SOME, int(ROUNDS / times))
        )
        if closed:
            return found
        features = factor(kernel, points)
    svm = _by_interior_point(X, points, features, y, C, kernel, bias)
    return min(svm, found, key=lambda svm: svm.relative_gap)


def _by_steps(
    points: np.ndarray,
    y: np.ndarray,
    C: float,
    kernel: Kernel,
    bias: bool,
    start: SVM | None,
    rounds: int,
    features: np.ndarray | None = None,
) -> tuple[SVM, bool]:
    """Solve the dual by steps of two variables and of Newton; tell whether that closed the gap."""
    shift = points.mean(axis=0) if kernel == linear and bias else 0.0  # b absorbs the shift
    scale = float(kernel.diagonal(points[:: len(points) // 64 + 1] - shift).max())
    if not 0 < scale < math.inf:
        scale = 1.0
    X, labels, caps = points - shift, y.astype(float), np.full(len(y), C * scale)
    if start is None or not start.memory.holds(X, y, bias):
        known = Memory(X, labels, bias, find_twins(X, labels))
    elif start.kernel == kernel:
        known = start.memory
        known.reused = True
    elif kernel.common is not None and start.kernel.common == kernel.common:
        known = start.memory.of_another_kernel()
    else:
        known = Memory(X, labels, bias, start.memory.twins)
    guess = None if start is None else _resume(start, labels, C * scale, scale, bias)
    twins = known.twins
    if twins is not None:
        X, labels, caps = X[twins.first], labels[twins.first], twins.count * (C * scale)
        guess = None if guess is None else twins.shared(guess, C * scale)
        features = None if features is None else features[twins.first]
    problem = Problem(kernel, X, labels, caps, bias, scale, known)
    n = len(labels)
    found, goal, begun = None, GAP / 100, None
    if features is None and start is None and n > MANY:
        begun = begin(problem)
    by_rows = begun is not None and begun.few and (n <= ALL or not begun.beta.any())
    alone = MANY if start is None else KNOWN if known.reused else SMALL
    if features is not None or n > alone and not by_rows:
        factor = None if features is None else _exactly(features, problem)
        found = solve_coarsely(problem, goal, guess, begun, factor)
        if found is None and begun is not None and begun.many and n <= WHOLE and kernel.rough:
            found = solve_roughly(problem, goal, begun.within(problem))
    exact = found is None or not found[1]
    if found is None:
        first = guess if begun is None else begun.within(problem)
        found = solve_dual(problem, goal, first, rounds, near=start is not None)
    elif exact:
        found = solve_dual(problem, goal, found[0].beta[:n], rounds)
    dual, history = found
    size = np.abs(dual.beta[:n])
    each = size / scale if twins is None else size / scale / twins.count
    alpha = np.where(size >= caps, C, np.minimum(each, C))
    if twins is not None:
        alpha = alpha[twins.lot]
    b = problem.threshold(dual)
    primal, value = history[-1] if exact else dual.values(b)
    if C == math.inf:
        edge = 1 - float((dual.y * (dual.e + b)).max())
        alpha, b = (alpha / edge, b / edge) if edge > 0 else (alpha, b)
    if bias:
        alpha = _balanced(alpha, y, C)
    w = None
    if kernel == linear:
        w = points.T @ (alpha * y)
        b = b + float((w * shift).sum()) if bias else 0.0
    values = tuple((primal / scale, value / scale) for primal, value in history)
    svm = SVM(points, y, C, kernel, bias, alpha, b, w, values)
    closed = primal < math.inf and primal - value <= GAP / 100 * primal
    excess, error = abs(float(dual.beta.sum())), 2.0**-53  # of margins of 1
    rounding = drift(dual, len(history)) + excess * float(np.abs(dual.e).max())
    if twins is not None:  # many have the same, and so the same error
        error = max(error, excess, error * float(size.sum()))
    if C < math.inf:
        rounding += error * len(y) * C * scale
    if rounding > GAP / 100 * value:  # too much to take the gap on trust
        svm = _on_the_right_sides(min(svm, _stretched(svm), key=lambda svm: svm.relative_gap))
        closed = closed and svm.relative_gap <= GAP / 10
    known.rest()
    vars(svm)["memory"] = known
    return svm, closed


def _exactly(features: np.ndarray, problem: Problem) -> Factor:
    """Return features that are all there are as a factor of K, and what rounding has left."""
    rows = features.T / math.sqrt(problem.scale)
    left = problem.kernel.diagonal(problem.X) / problem.scale - (rows**2).sum(axis=0)
    return rows, np.sqrt(np.maximum(left, 0.0))


def _stretched(svm: SVM) -> SVM:
    """Widen all margins in the last digits: a margin of 1 that rounding leaves below costs C."""
    short = float(svm.slack[svm.alpha < svm.C].max(initial=0.0))
    t = 1 + 4 * ROUNDING + (short if short < GAP / 10 else 0.0)
    w = None if svm.w is None else t * svm.w
    return replace(svm, alpha=np.minimum(t * svm.alpha, svm.C), b=t * svm.b, w=w)


def _resume(start: SVM, y: np.ndarray, cap: float, scale: float, bias: bool) -> np.ndarray:
    """Return signed multipliers to start from: those found before, in proportion to C."""
    ratio = cap / start.C if max(cap, start.C) < math.inf else scale
    if ratio == 1:
        beta = y * start.alpha
    else:
        beta = y * np.where(start.alpha >= start.C, cap, np.minimum(start.alpha * ratio, cap))
    if not bias or abs(float(beta.sum())) <= ROUNDING * float(np.abs(beta).sum()):
        return beta
    return balance(beta, np.abs(beta))


def _by_interior_point(
    X: np.ndarray,
    points: np.ndarray,
    features: np.ndarray,
    y: np.ndarray,
    C: float,
    kernel: Kernel,
    bias: bool,
) -> SVM:
    """Solve primal and dual in features of radius 1; then settle each point, on the edge or off."""
    if bias:
        features = features - features.mean(axis=0)  # b absorbs the shift
    n, d = features.shape
    basis = np.eye(d) if d <= n else np.linalg.qr(features.T)[0]
    radius = math.sqrt((features**2).sum(axis=1).max()) or 1.0
    scaled = SVM(features @ basis / radius, y, C * radius**2, linear, bias, np.zeros(n))
    best, last, history = _follow_newton(scaled)
    if C == math.inf and (last.dual > UNBOUNDED or best.primal == math.inf):
        _refuse_inseparable(X, y, kernel, bias, last.alpha)
    polished = _settle(
        replace(best, alpha=polish(best.X, y, best.C, bias, best.alpha, best.margins))
    )
    values = tuple((primal / radius**2, dual / radius**2) for primal, dual in history)
    finals = []
    for svm in (_tied(polished), _tied(best), best):
        w = basis @ svm.w / radius if kernel == linear and svm.w is not None else None
        finals.append(
            _settle(SVM(points, y, C, kernel, bias, svm.alpha / radius**2, 0.0, w, values))
        )
        if finals[-1].relative_gap <= GAP / 1000:
            break
    return _on_the_right_sides(min(finals, key=lambda svm: svm.relative_gap))


def _on_the_right_sides(svm: SVM) -> SVM:
    """Leave out of the history what rounding has put on the wrong side of the optimum."""
    above, below = svm.primal * (1 + GAP / 2), svm.dual * (1 - GAP / 2)
    sides = tuple(step for step in svm.history if step[1] <= above and step[0] >= below)
    return svm if len(sides) == len(svm.history) else replace(svm, history=sides)


def _follow_newton(scaled: SVM) -> tuple[SVM, SVM, list[tuple[float, float]]]:
    """Take Newton's steps until the gap is closed or grows again.

    Return the best and the last solution, and the values on the way.
    """
    best = last = scaled
    history: list[tuple[float, float]] = []
    gaps: list[float] = []
    for alpha, w in islice(newton_steps(scaled.X, scaled.y, scaled.C, scaled.bias), STEPS):
        last = _settle(replace(scaled, alpha=alpha, w=w))
        history.append((last.primal, last.dual))
        gaps.append(last.relative_gap)
        if gaps[-1] == min(gaps):
            best = last
        grows_again = min(gaps[-3:]) > min(gaps) <= GAP
        unbounded = scaled.C == math.inf and last.dual > UNBOUNDED
        if min(gaps) <= GAP / 1000 or grows_again or unbounded:
            break
    return best, last, history


def _refuse_inseparable(
    X: np.ndarray, y: np.ndarray, kernel: Kernel, bias: bool, alpha: np.ndarray
) -> None:
    """Raise the proof that there is no hard margin, if it is one: α that grow without bound."""
    if kernel == linear:
        found = separate(X, y, bias)
        if not found.separable:
            raise NotSeparableError(found)
        return
    weights = np.where(alpha > ROUNDING * alpha.max(), alpha / alpha.sum(), 0.0)
    found = Separation(X, y, bias, None, weights, kernel)
    try:
        found.check()
    except CertificateError:
        return
    raise NotSeparableError(found)


def _tied(svm: SVM) -> SVM:
    """Take for w the sum Σ αᵢyᵢxᵢ that it is at the optimum."""
    return replace(svm, w=svm.X.T @ (svm.alpha * svm.y))


def _settle(svm: SVM) -> SVM:
    """Make both solutions feasible: balance α, take the best b, stretch a hard margin to 1."""
    alpha = np.clip(svm.alpha, 0, svm.C)
    if svm.bias:
        alpha = _balanced(alpha, svm.y, svm.C)
    svm = replace(svm, alpha=alpha, b=0.0)
    b = _best_threshold(svm) if svm.bias else 0.0
    if svm.C < math.inf:
        return replace(svm, b=b)
    edge, total = (svm.margins - svm.y * b).min(), alpha.sum()
    t = float(1 / edge if edge > 0 else total / max(svm.squares[1], 1e-30 * total**2, 1e-300))
    return replace(svm, alpha=t * alpha, b=t * b, w=None if svm.w is None else t * svm.w)


def _balanced(alpha: np.ndarray, y: np.ndarray, C: float) -> np.ndarray:
    """Shrink the α of the heavier class so that Σ αy = 0: those below C, if they suffice."""
    excess = float(alpha @ y)
    heavy = alpha * (y * excess > 0)
    pool = heavy * (alpha < C)
    total = float(np.add.reduce(pool))
    if not total > abs(excess):
        pool, total = heavy, float(np.add.reduce(heavy))
    return alpha - pool * (abs(excess) / (total or 1.0))


def _best_threshold(svm: SVM) -> float:
    """Return the b with the least Σξ, or the middle of the street where there is no slack.

    Σξ is piecewise linear in b, with slope: how many (scores − y) are below b, less how many y < 0.
    """
    scores = svm.y * svm.margins
    if svm.C == math.inf:
        return float(scores[svm.y > 0].min() + scores[svm.y < 0].max()) / 2
    k = int((svm.y < 0).sum())
    return float(np.partition(scores - svm.y, [k - 1, k])[k - 1 : k + 1].mean())


@cache
def _blas(scipy_too: bool) -> list[Any]:
    """List the libraries of BLAS: that of scipy is loaded late. None where none can be limited."""
    try:
        from threadpoolctl import ThreadpoolController
    except ModuleNotFoundError:
        return []  # numpy and scipy are enough; it is only slower on a busy machine
    return ThreadpoolController().select(user_api="blas").lib_controllers


@contextmanager
def one_thread(n: int = 0) -> Iterator[None]:
    """Keep BLAS to one thread for up to 20,000 points: more wait for each other, not work."""
    limited = []
    try:
        for library in _blas("scipy.linalg" in sys.modules) if n <= 20_000 else []:
            threads = library.get_num_threads()
            if threads != 1:
                limited.append((library, threads))
                library.set_num_threads(1)
        yield
    finally:
        for library, threads in limited:
            library.set_num_threads(threads)
