"""The largest margin, and the proof that it is the largest.

    primal   min ½‖w‖² + C Σ ξᵢ             yᵢ(⟨w, φ(xᵢ)⟩ − b) ≥ 1 − ξᵢ,  ξ ≥ 0    (hard margin, C = ∞: ξ = 0)
    dual     max Σ αᵢ − ½‖Σ αᵢyᵢφ(xᵢ)‖²     0 ≤ α ≤ C,  Σ αᵢyᵢ = 0                (without bias: b = 0, no sum)

No dual value exceeds a primal one: two feasible points of equal value prove each other optimal.
"""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from .validation import CertificateError, as_points, as_real, as_sample, need_both_classes, to_float
from .halfspace import Halfspace
from .interior_point import factor, newton_steps, polish
from .kernels import Kernel, linear
from .separability import Separation, separate

GAP = 1e-8  # relative; the solver aims a thousand times lower
STEPS = 100
UNBOUNDED = 1e18  # a dual value that leaves no margin above 1e-9 of the radius of the data


class NotSeparableError(ValueError):
    """There is no hard margin; `certificate` holds the weights that prove it."""

    def __init__(self, certificate: Separation):
        super().__init__(
            "no halfspace separates these points, so there is no hard margin: give a finite C"
        )
        self.certificate = certificate


@dataclass(frozen=True, eq=False)
class SVM:
    """Solutions (w, b) of the primal and α of the dual; all else is computed from them, from scratch."""

    X: np.ndarray = field(repr=False)
    y: np.ndarray = field(repr=False)
    C: float
    kernel: Kernel
    bias: bool
    alpha: np.ndarray
    b: float = 0.0
    w: np.ndarray | None = None  # None where features are not written out: then w is Σ αᵢyᵢφ(xᵢ)
    history: tuple[tuple[float, float], ...] = field(
        default=(), repr=False
    )  # (primal, dual) at each step

    def score(self, X) -> np.ndarray:
        """Return ⟨w, φ(x)⟩ − b for each point."""
        X = X if X is self.X else to_float(as_points(X, self.X.shape[1]))
        if self.w is not None:
            return X @ self.w - self.b
        used, weights = self.X[self.alpha != 0], (self.alpha * self.y)[self.alpha != 0]
        blocks = np.array_split(X, len(X) * len(used) // 10**6 + 1)
        return np.concatenate([self.kernel.block(B, used) @ weights for B in blocks]) - self.b

    def predict(self, X) -> np.ndarray:
        """Return the labels; the boundary belongs to +1."""
        return np.where(self.score(X) >= 0, 1, -1)

    @property
    def halfspace(self) -> Halfspace:
        if self.w is None:
            raise ValueError(
                f"the halfspace is in the feature space of {self.kernel.name}: use score and predict"
            )
        return Halfspace(self.w, self.b)

    @cached_property
    def squares(self) -> tuple[float, float]:
        """‖w‖² and ‖Σ αᵢyᵢφ(xᵢ)‖²: equal at the optimum."""
        if self.w is None:
            return (max(0.0, float(self.alpha @ (self.margins + self.y * self.b))),) * 2
        return float(self.w @ self.w), float(((self.X.T @ (self.alpha * self.y)) ** 2).sum())

    @property
    def primal(self) -> float:
        if self.C == math.inf:
            return self.squares[0] / 2 if self.slack.max() <= GAP else math.inf
        return self.squares[0] / 2 + self.C * float(self.slack.sum())

    dual = property(lambda self: float(self.alpha.sum()) - self.squares[1] / 2)
    gap = property(lambda self: self.primal - self.dual)
    relative_gap = property(
        lambda self: self.gap / self.primal if 0 < self.primal < math.inf else math.inf
    )
    converged = property(lambda self: self.relative_gap <= GAP)
    margin = property(
        lambda self: 1 / math.sqrt(self.squares[0]) if self.squares[0] else math.inf
    )  # geometric
    margins = cached_property(
        lambda self: self.y * self.score(self.X)
    )  # functional: 1 is the edge of the street
    slack = cached_property(lambda self: np.maximum(0, 1 - self.margins))
    support = property(lambda self: np.flatnonzero(self.alpha > 1e-9 * self.alpha.max()))

    def kkt(self, each: bool = False) -> dict:
        """Return how far each condition of Karush, Kuhn and Tucker fails, relative to its terms; at most, or each."""
        a, total, hard = self.alpha, self.alpha.sum() or 1.0, self.C == math.inf
        drift = np.zeros(1) if self.w is None else self.w - self.X.T @ (a * self.y)
        waste = a * np.maximum(0, self.margins - 1) + (0 if hard else (self.C - a) * self.slack)
        value = self.squares[0] / 2 + (0 if hard else self.C * self.slack.sum())
        found = {
            "dual feasibility": np.maximum(0, np.maximum(-a, a - self.C)) / total,
            "equality": np.abs([a @ self.y / total if self.bias else self.b]),
            "stationarity": np.abs(drift) / (total * np.linalg.norm(self.X, axis=1).max() or 1.0),
            "primal feasibility": self.slack * hard,
            "complementary slackness": np.abs(waste) / (value or 1.0),
        }
        return (
            found if each else {name: float(residuals.max()) for name, residuals in found.items()}
        )

    def check(self, tolerance: float = 1e-8) -> None:
        """Verify the optimality conditions and the gap; name the one that fails, and where."""
        for name, residuals in self.kkt(each=True).items():
            i = int(residuals.argmax())
            if not residuals[i] <= tolerance:
                where = {"stationarity": f" in coordinate {i}", "equality": ""}.get(
                    name,
                    f" at point {i}, where α = {self.alpha[i]:.6g} and y(⟨w,x⟩ − b) = {self.margins[i]:.6g}",
                )
                raise CertificateError(f"{name} fails{where}: off by {residuals[i]:.3g}")
        if not self.relative_gap <= tolerance:
            raise CertificateError(f"primal {self.primal:.9g} and dual {self.dual:.9g} do not meet")

    def _repr_html_(self) -> str:
        rows = {
            "primal": self.primal,
            "dual": self.dual,
            "relative gap": self.relative_gap,
            "margin": self.margin,
            "b": self.b,
            "support vectors": len(self.support),
            "steps": len(self.history),
            **self.kkt(),
        }
        return (
            "<table>"
            + "".join(f"<tr><td>{k}</td><td>{v:.6g}</td></tr>" for k, v in rows.items())
            + "</table>"
        )


def solve_svm(X, y, C: float = math.inf, kernel: Kernel = linear, bias: bool = True) -> SVM:
    """Maximise the margin: a hard one, or one where a unit of slack costs C."""
    X, y = as_sample(X, y)
    if bias := bool(bias):
        need_both_classes(y)
    if not (isinstance(C, float) and C == math.inf):
        C = as_real(C, "C", low=0, strict=True)
    points = to_float(X, "X")
    features = points if kernel == linear else factor(kernel, points)
    features = features - features.mean(axis=0) * bias  # b absorbs the shift
    n, d = features.shape
    basis = np.eye(d) if d <= n else np.linalg.qr(features.T)[0]
    radius = math.sqrt((features**2).sum(axis=1).max()) or 1.0
    scaled, gaps, history = (
        SVM(features @ basis / radius, y, C * radius**2, linear, bias, np.zeros(n)),
        [],
        [],
    )
    for _, (alpha, w) in zip(range(STEPS), newton_steps(scaled.X, y, scaled.C, bias)):
        now = _settle(replace(scaled, alpha=alpha, w=w))
        history.append((now.primal / radius**2, now.dual / radius**2))
        gaps.append(now.relative_gap)
        if gaps[-1] == min(gaps):
            best = now
        if (
            min(gaps) <= GAP / 1000
            or min(gaps[-3:]) > min(gaps) <= GAP
            or C == math.inf
            and now.dual > UNBOUNDED
        ):
            break
    if C == math.inf and (now.dual > UNBOUNDED or best.primal == math.inf):
        answer = separate(X if kernel == linear else scaled.X, y, bias=bias)
        if not answer.separable:
            raise NotSeparableError(answer)
    polished = _settle(
        replace(best, alpha=polish(best.X, y, best.C, bias, best.alpha, best.margins))
    )
    finals = []
    for svm in (_tied(polished), _tied(best), best):
        w = basis @ svm.w / radius if kernel == linear else None
        finals.append(
            _settle(SVM(points, y, C, kernel, bias, svm.alpha / radius**2, 0.0, w, tuple(history)))
        )
        if finals[-1].relative_gap <= GAP / 1000:
            break
    return min(finals, key=lambda svm: svm.relative_gap)


def _tied(svm: SVM) -> SVM:
    """Take for w the sum Σ αᵢyᵢxᵢ that it is at the optimum."""
    return replace(svm, w=svm.X.T @ (svm.alpha * svm.y))


def _settle(svm: SVM) -> SVM:
    """Make both solutions feasible: balance α, take the best b for this w, stretch a hard margin to 1."""
    y, alpha, k = svm.y, np.clip(svm.alpha, 0, svm.C), int((svm.y < 0).sum())
    if svm.bias:
        excess = alpha @ y
        heavy = alpha * (y * excess > 0)
        free = heavy * (alpha < svm.C)
        pool = free if free.sum() > abs(excess) else heavy
        alpha = alpha - pool * (abs(excess) / (pool.sum() or 1.0))
    svm, b = replace(svm, alpha=alpha, b=0.0), 0.0
    scores = y * svm.margins
    if svm.bias and svm.C == math.inf:
        b = float(scores[y > 0].min() + scores[y < 0].max()) / 2
    elif (
        svm.bias
    ):  # Σξ is piecewise linear in b; its slope is the number of (scores − y) below b, less k
        b = float(np.partition(scores - y, [k - 1, k])[k - 1 : k + 1].mean())
    if svm.C < math.inf:
        return replace(svm, b=b)
    edge, total = (y * (scores - b)).min(), alpha.sum()
    t = float(1 / edge if edge > 0 else total / max(svm.squares[1], 1e-30 * total**2, 1e-300))
    return replace(svm, alpha=t * alpha, b=t * b, w=None if svm.w is None else t * svm.w)
