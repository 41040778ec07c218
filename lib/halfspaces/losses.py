"""Losses of the margin z = y⟨w,x⟩, their descent, and the best halfspace where no halfspace is perfect."""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from .validation import (
    CertificateError,
    as_array,
    as_count,
    as_real,
    as_sample,
    as_vector,
    to_float,
)
from .exact import as_integers, dependence, dots, inner, is_exact, largest
from .halfspace import Halfspace, homogenise

LARGEST_ENUMERATION = 20_000


@dataclass(frozen=True)
class Loss:
    """A function of the margin, and its slope (a subgradient where it has a kink)."""

    name: str
    value: Callable[[np.ndarray], np.ndarray] = field(repr=False)
    slope_at: Callable[[np.ndarray], np.ndarray] | None = field(default=None, repr=False)

    def __call__(self, z):
        """Return the loss at margin z, a number or an array."""
        return self.value(_as_margins(z))

    def slope(self, z):
        """Return a subgradient at margin z."""
        if self.slope_at is None:
            raise ValueError(
                f"{self.name} is flat wherever it has a slope; descent needs another loss"
            )
        return self.slope_at(_as_margins(z))

    def risk(self, w, X, y) -> float:
        """Return the mean loss of w on the data."""
        X, y = as_sample(X, y)
        return float(self(y * inner(X, as_vector(w, X.shape[1]))).mean())

    def subgradient(self, w, X, y) -> np.ndarray:
        """Return a subgradient of the risk at w."""
        X, y = as_sample(X, y)
        slopes = self.slope(y * inner(X, as_vector(w, X.shape[1])))
        return to_float(slopes * y) @ to_float(X) / len(y)


def _as_margins(z) -> np.ndarray:
    z = as_array(z, "z", np.ndim(z))
    return to_float(z, "z") if z.dtype == object else z


zero_one = Loss("zero-one", lambda z: np.where(z <= 0, 1, 0))  # a tie is a mistake
hinge_at_zero = Loss(
    "hinge at zero", lambda z: np.maximum(0, -z), lambda z: np.where(z <= 0, -1, 0)
)
hinge = Loss("hinge", lambda z: np.maximum(0, 1 - z), lambda z: np.where(z < 1, -1, 0))
squared_hinge = Loss(
    "squared hinge", lambda z: np.maximum(0, 1 - z) ** 2, lambda z: -2 * np.maximum(0, 1 - z)
)
logistic = Loss(
    "logistic",
    lambda z: np.logaddexp(0, -to_float(z)) / math.log(2),
    lambda z: -np.exp(-np.logaddexp(0, to_float(z))) / math.log(2),
)


@dataclass(frozen=True, eq=False)
class Descent:
    """The iterates of a descent on F(w) = risk(w) + penalty/2·‖w‖², and bounds on its minimum from both sides."""

    path: np.ndarray = field(repr=False)
    values: np.ndarray = field(repr=False)  # F at each iterate
    average: np.ndarray
    value: float  # F at the best of iterates and average: an upper bound on min F
    lower: float  # a lower bound on min F, from convexity alone
    w: np.ndarray  # where F takes that value

    def check(self) -> None:
        """Verify lower ≤ value, that is, that the bounds on the minimum do not cross."""
        if self.lower > self.value + 1e-9 * (1 + abs(self.value)):
            raise CertificateError(f"the lower bound {self.lower} exceeds the value {self.value}")

    def _repr_html_(self) -> str:
        return f"{len(self.path) - 1} steps: {self.lower:.4g} ≤ minimum ≤ {self.value:.4g}"


def descend(
    loss: Loss,
    X,
    y,
    penalty=0,
    radius=math.inf,
    steps: int = 1000,
    step_size=1,
    start=None,
    rng: np.random.Generator | None = None,
) -> Descent:
    """Minimise risk + penalty/2·‖w‖² over ‖w‖ ≤ radius by projected subgradient steps.

    The step is step_size/√t, or 1/(penalty·t) when there is a penalty. With `rng` each step looks at one random
    point: for the hinge loss with a penalty that is Pegasos. Without, each subgradient g at w bounds F below by
    F(w) + ⟨g, u − w⟩ + penalty/2·‖u − w‖², and the minimum over u of their average is `lower`.
    """
    X, y = as_sample(X, y)
    penalty, step_size = (
        as_real(penalty, "penalty", 0),
        as_real(step_size, "step_size", 0, strict=True),
    )
    radius = math.inf if radius is math.inf else as_real(radius, "radius", 0, strict=True)
    X = to_float(X)
    w = np.zeros(X.shape[1]) if start is None else to_float(as_vector(start, X.shape[1], "start"))

    def objective(w):
        return loss.risk(w, X, y) + penalty / 2 * (w @ w)

    path, slopes = [w], []
    for t in range(1, as_count(steps, "steps") + 1):
        seen = slice(None) if rng is None else [rng.integers(len(y))]
        slopes.append(loss.subgradient(w, X[seen], y[seen]) + penalty * w)
        w = w - slopes[-1] * (1 / (penalty * t) if penalty else step_size / math.sqrt(t))
        w = w * min(1.0, radius / max(np.linalg.norm(w), 1e-300))
        path.append(w)
    path, slopes = np.array(path), np.array(slopes)
    values = np.array([objective(w) for w in path])
    average = path[:-1].mean(axis=0)  # of the points whose subgradients were used
    w = min([average, path[values.argmin()]], key=objective)
    lower = (
        _lower_bound(path[:-1], values[:-1], slopes, penalty, radius) if rng is None else -math.inf
    )
    return Descent(path, values, average, objective(w), max(0.0, lower), w)


def _lower_bound(path, values, slopes, penalty: float, radius: float) -> float:
    constant = (values - dots(slopes, path) + penalty / 2 * dots(path, path)).mean()
    linear = (slopes - penalty * path).mean(axis=0)
    if penalty:
        return constant - linear @ linear / (2 * penalty)
    return constant - radius * np.linalg.norm(linear) if linear.any() else constant


@dataclass(frozen=True, eq=False)
class BestHalfspace:
    """A halfspace with the fewest errors, and how many hyperplanes were tried to be sure of it."""

    X: np.ndarray = field(repr=False)
    y: np.ndarray = field(repr=False)
    halfspace: Halfspace
    errors: int
    candidates: int

    def predict(self, X):
        """Label points by the best halfspace."""
        return self.halfspace(X)

    def check(self) -> None:
        """Verify the number of errors, and that the hinge loss lies above it."""
        margins = self.y * self.halfspace.score(self.X)
        if zero_one(margins).sum() != self.errors:
            raise CertificateError(
                f"{self.halfspace} makes {zero_one(margins).sum()} errors, not {self.errors}"
            )
        if hinge(margins).sum() < self.errors:
            raise CertificateError(
                f"the hinge loss {hinge(margins).sum()} is below the {self.errors} errors"
            )

    def _repr_html_(self) -> str:
        return f"{self.errors} errors, the fewest of {self.candidates} candidates: {self.halfspace._repr_html_()}"


def best_halfspace(X, y, bias: bool = True) -> BestHalfspace:
    """Find a halfspace with the fewest mistakes by trying every hyperplane that the points span, in exact arithmetic.

    Each cell of halfspaces that label the points alike has an extreme ray, a hyperplane through d points; off it
    the labels are those of the cell, and on it the best labels are found the same way, one dimension lower.
    """
    X, y = as_sample(X, y)
    P, _ = as_integers(homogenise(X) if bias else X)
    kept = list(range(P.shape[1]))
    while (
        c := dependence(P[:, kept].T)
    ).any():  # a column that depends on the others adds no halfspaces
        del kept[np.flatnonzero(c)[-1]]
    choices = math.comb(len(y), max(len(kept) - 1, 0))
    if choices > LARGEST_ENUMERATION:
        raise ValueError(
            f"{len(y)} points span {choices:,} hyperplanes; at most {LARGEST_ENUMERATION:,} are tried"
        )
    errors, part, candidates = _fewest_errors(P[:, kept], y, len(y) + 1)
    w = np.zeros(P.shape[1], object)
    w[kept] = part
    w = as_integers(w)[0] if is_exact(X) else to_float(w / (largest(w) or 1))
    return BestHalfspace(
        X, y, Halfspace(w[:-1], w[-1]) if bias else Halfspace(w), errors, candidates
    )


def _fewest_errors(P: np.ndarray, y: np.ndarray, limit: int) -> tuple[int, np.ndarray, int]:
    """Return (errors, w, candidates), or the limit if there is no w below it; the zero vector is always an error."""
    k = P.shape[1]
    if k == 0:
        return len(y), np.zeros(0, object), 0
    subsets = np.array(list(itertools.combinations(range(len(P)), k - 1)), int).reshape(
        math.comb(len(P), k - 1), k - 1
    )
    minors = [(-1) ** j * _determinants(np.delete(P[subsets], j, axis=2)) for j in range(k)]
    V = np.stack(minors, axis=1)  # orthogonal to the k − 1 points of its subset
    V = V[V.any(axis=1)]
    candidates, scores = 2 * len(V), inner(V, P.T) * y
    different = np.unique(scores == 0, axis=0, return_index=True)[
        1
    ]  # points in special position span one often
    V, scores = V[different], scores[different]
    off = np.stack([(scores < 0).sum(axis=1), (scores > 0).sum(axis=1)]).ravel()
    best, best_w = limit, np.zeros(k, object)
    for which in np.argsort(off, kind="stable"):
        if off[which] >= best:
            break
        v = V[which % len(V)] * (1 if which < len(V) else -1)
        on, j = scores[which % len(V)] == 0, np.flatnonzero(v)[0]
        errors, u, _ = _fewest_errors(np.delete(P[on], j, axis=1), y[on], best - off[which])
        if off[which] + errors < best:
            u = np.insert(u, j, 0)
            sway = abs(inner(P[~on], u.astype(object))) * Fraction(2) / abs(inner(P[~on], v))
            enough = max(sway, default=0) or Fraction(largest(u) or 1) / largest(
                v
            )  # leaves labels off it alone
            best, best_w = off[which] + errors, v * enough + u
    return int(best), best_w, candidates


def _determinants(A: np.ndarray) -> np.ndarray:
    """Return the determinants by expansion along the first row: exact for integers, and the matrices are small."""
    if A.shape[1] == 0:
        return np.ones(len(A), object)
    return sum(
        (-1) ** j * A[:, 0, j] * _determinants(np.delete(A[:, 1:], j, axis=2))
        for j in range(A.shape[2])
    )
