"""Losses of the margin z = y⟨w,x⟩, their descent, and the best halfspace where none is perfect."""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from .certificates import (
    independent,
    lower_bound,
    signs,
    verify_descent,
    verify_fewest_errors,
)
from .exact import as_fractions, as_integers, inner, is_exact, largest
from .halfspace import Halfspace, homogenise
from .results import Classifier, Result
from .validation import (
    ArrayLike,
    Number,
    NumberOrArray,
    Rng,
    as_array,
    as_count,
    as_real,
    as_rng,
    as_sample,
    as_vector,
    to_float,
)

LARGEST_ENUMERATION = 20_000
Function = Callable[[np.ndarray], np.ndarray]


def _no_slope(z: np.ndarray) -> np.ndarray:
    """Refuse to go down where there is no slope."""
    raise ValueError(
        "this loss has no slope to follow (zero-one is flat wherever it has one); "
        "descent needs another loss"
    )


@dataclass(frozen=True)
class Loss:
    """A function of the margin, and its slope (a subgradient where it has a kink)."""

    name: str
    value: Function = field(repr=False)
    slope_at: Function = field(default=_no_slope, repr=False)

    def __call__(self, z: NumberOrArray) -> NumberOrArray:
        """Return the loss at margin z, a number or an array."""
        return self.value(_as_margins(z))

    def slope(self, z: NumberOrArray) -> NumberOrArray:
        """Return a subgradient at margin z."""
        return self.slope_at(_as_margins(z))

    def risk(self, w: ArrayLike, X: ArrayLike, y: ArrayLike) -> float:
        """Return the mean loss of w on the data."""
        X, y = as_sample(X, y)
        return float(self(y * inner(X, as_vector(w, X.shape[1]))).mean())

    def subgradient(self, w: ArrayLike, X: ArrayLike, y: ArrayLike) -> np.ndarray:
        """Return a subgradient of the risk at w."""
        X, y = as_sample(X, y)
        slopes = self.slope(y * inner(X, as_vector(w, X.shape[1])))
        return to_float(slopes * y) @ to_float(X) / len(y)


def _as_margins(z: NumberOrArray) -> np.ndarray:
    margins = as_array(z, "z", np.ndim(z))
    return to_float(margins, "z") if margins.dtype == object else margins


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


@dataclass(frozen=True, eq=False, repr=False)
class Descent(Result):
    """The iterates of a descent on F(w) = risk(w) + penalty/2·‖w‖² over ‖w‖ ≤ radius.

    They bound the minimum from both sides: F is its upper bound wherever it is evaluated, and the
    subgradients at the iterates give a lower one.
    """

    loss: Loss
    X: np.ndarray
    y: np.ndarray
    penalty: float
    radius: float
    step_size: float
    path: np.ndarray
    drawn: np.ndarray | None  # the point that each step looked at; None if each looked at all

    def objective(self, w: np.ndarray) -> float:
        """Return F(w)."""
        return self.loss.risk(w, self.X, self.y) + self.penalty / 2 * float(w @ w)

    @cached_property
    def values(self) -> np.ndarray:
        """F at each iterate."""
        return np.array([self.objective(w) for w in self.path])

    @property
    def average(self) -> np.ndarray:
        """The mean of the points whose subgradients were used."""
        return self.path[:-1].mean(axis=0)

    @property
    def w(self) -> np.ndarray:
        """The best of the iterates and their average."""
        return min([self.average, self.path[self.values.argmin()]], key=self.objective)

    @property
    def value(self) -> float:
        """F at w: an upper bound on the minimum."""
        return self.objective(self.w)

    @cached_property
    def lower(self) -> float:
        """A lower bound on the minimum: losses are at least 0, and convex."""
        path = self.path[:-1]
        bound = lower_bound(self.loss, self.X, self.y, self.penalty, self.radius, path)
        return max(0.0, bound)

    def check(self) -> None:
        """Verify each step: that it is the one of this loss on these data, with these settings."""
        verify_descent(
            self.loss,
            self.X,
            self.y,
            self.penalty,
            self.radius,
            self.step_size,
            self.path,
            self.drawn,
        )

    def summary(self) -> str:
        return f"{len(self.path) - 1} steps: {self.lower:.4g} ≤ minimum ≤ {self.value:.4g}"


def descend(
    loss: Loss,
    X: ArrayLike,
    y: ArrayLike,
    penalty: Number = 0,
    radius: Number = math.inf,
    steps: int = 1000,
    step_size: Number = 1,
    start: ArrayLike | None = None,
    rng: Rng = None,
) -> Descent:
    """Minimise risk + penalty/2·‖w‖² over ‖w‖ ≤ radius by projected subgradient steps.

    The step is step_size/√t, or 1/(penalty·t) when there is a penalty. With `rng` each step looks
    at one random point: for the hinge loss with a penalty that is Pegasos.
    """
    X, y = as_sample(X, y)
    X = to_float(X)
    penalty = as_real(penalty, "penalty", 0)
    step_size = as_real(step_size, "step_size", 0, strict=True)
    radius = math.inf if _is_infinity(radius) else as_real(radius, "radius", 0, strict=True)
    w = np.zeros(X.shape[1])
    if start is not None:
        w = to_float(as_vector(start, X.shape[1], "start"))
    as_count(steps, "steps")
    drawn = None
    if rng is not None:
        rng = as_rng(rng)
        drawn = np.array([rng.integers(len(y)) for _ in range(steps)], np.int64)
    path = [w]
    for t in range(1, steps + 1):
        seen = slice(None) if drawn is None else [drawn[t - 1]]
        slope = loss.subgradient(w, X[seen], y[seen]) + penalty * w
        w = w - slope * (1 / (penalty * t) if penalty else step_size / math.sqrt(t))
        w = w * min(1.0, radius / max(float(np.linalg.norm(w)), 1e-300))
        path.append(w)
    return Descent(loss, X, y, penalty, radius, step_size, np.array(path), drawn)


def _is_infinity(value: object) -> bool:
    return isinstance(value, (float, np.floating)) and value == math.inf


@dataclass(frozen=True, eq=False, repr=False)
class BestHalfspace(Classifier, Result):
    """A halfspace with the fewest errors, a point on its boundary being one."""

    X: np.ndarray
    y: np.ndarray
    bias: bool
    halfspace: Halfspace

    @property
    def dimension(self) -> int:
        return self.halfspace.dimension

    def _scores(self, X: np.ndarray) -> np.ndarray:
        return self.halfspace.decision_function(X)

    @cached_property
    def errors(self) -> int:
        """How many points are not strictly on their side."""
        return _count_errors(self.X, self.y, self.halfspace)

    @property
    def candidates(self) -> int:
        """How many halfspaces have as many points on their boundary as determine it."""
        P = _whole_points(self.X, self.bias)
        return 2 * math.comb(len(P), max(len(independent(P.T)) - 1, 0))

    def check(self) -> None:
        """Verify that no halfspace makes fewer errors, by trying all that matter."""
        verify_fewest_errors(self.X, self.y, self.halfspace.w, self.halfspace.b, self.bias)

    def summary(self) -> str:
        return (
            f"{self.errors} errors, the fewest of {self.candidates} candidates: "
            f"{self.halfspace.summary()}"
        )


def best_halfspace(X: ArrayLike, y: ArrayLike, bias: bool = True) -> BestHalfspace:
    """Find a halfspace with the fewest mistakes by trying every hyperplane that the points span.

    Each cell of halfspaces that label the points alike has an extreme ray, a hyperplane through as
    many independent points as determine it. Off it the labels are those of the cell; on it the best
    labels are found the same way, one dimension lower. All in exact arithmetic.
    """
    X, y = as_sample(X, y)
    bias = bool(bias)
    P = _whole_points(X, bias)
    kept = independent(P.T)  # a column that depends on the others adds no halfspaces
    choices = math.comb(len(y), max(len(kept) - 1, 0))
    if choices > LARGEST_ENUMERATION:
        raise ValueError(
            f"{len(y)} points span {choices:,} hyperplanes; "
            f"at most {LARGEST_ENUMERATION:,} are tried"
        )
    errors, part = _fewest_errors(y[:, None] * P[:, kept], len(y) + 1)
    w = np.zeros(P.shape[1], object)
    w[kept] = part
    whole = _as_halfspace(as_integers(w)[0], bias)
    if is_exact(X):
        return BestHalfspace(X, y, bias, whole)
    rounded = _as_halfspace(to_float(w / (largest(w) or 1)), bias)
    return BestHalfspace(X, y, bias, rounded if _count_errors(X, y, rounded) == errors else whole)


def _whole_points(X: np.ndarray, bias: bool) -> np.ndarray:
    return as_integers(homogenise(X) if bias else X)[0]


def _as_halfspace(v: np.ndarray, bias: bool) -> Halfspace:
    return Halfspace(v[:-1], v[-1]) if bias else Halfspace(v)


def _count_errors(X: np.ndarray, y: np.ndarray, halfspace: Halfspace) -> int:
    return int((y * signs(X, halfspace.w, halfspace.b) <= 0).sum())


def _fewest_errors(Z: np.ndarray, limit: int) -> tuple[int, np.ndarray]:
    """Return the fewest rows with ⟨w, z⟩ ≤ 0 and a w that has them, or the limit if not below."""
    n, k = Z.shape
    if k == 0:
        return n, np.zeros(0, object)
    normals = _spanned_normals(Z)
    scores = inner(normals, Z.T)
    _, different = np.unique(scores == 0, axis=0, return_index=True)
    normals, scores = normals[different], scores[different]  # special positions span one often
    normals, scores = np.vstack([normals, -normals]), np.vstack([scores, -scores])
    wrong = (scores < 0).sum(axis=1)
    best, best_w = limit, np.zeros(k, object)
    for which in np.argsort(wrong, kind="stable"):
        if wrong[which] >= best:
            break
        v, on = normals[which], scores[which] == 0
        j = np.flatnonzero(v)[0]  # on the hyperplane, this coordinate follows from the others
        errors, u = _fewest_errors(np.delete(Z[on], j, axis=1), best - int(wrong[which]))
        if wrong[which] + errors < best:
            best = int(wrong[which] + errors)
            best_w = _tilt(v, np.insert(u, j, 0), Z[~on])
    return best, best_w


def _spanned_normals(Z: np.ndarray) -> np.ndarray:
    """Return a vector orthogonal to each choice of k − 1 independent rows, k being their length."""
    n, k = Z.shape
    choices = list(itertools.combinations(range(n), k - 1))
    rows = Z[np.array(choices, np.int64).reshape(len(choices), k - 1)]
    minors = [(-1) ** j * _determinants(np.delete(rows, j, axis=2)) for j in range(k)]
    normals = np.stack(minors, axis=1)
    return normals[normals.any(axis=1)]


def _tilt(v: np.ndarray, u: np.ndarray, off: np.ndarray) -> np.ndarray:
    """Return u plus so large a multiple of v that no row off its hyperplane changes sides."""
    sway = 2 * as_fractions(abs(inner(off, u.astype(object)))) / abs(inner(off, v))
    enough = max(sway, default=0) or Fraction(largest(u) or 1) / largest(v)
    return v * enough + u


def _determinants(A: np.ndarray) -> np.ndarray:
    """Return the determinants by expansion along the first row: exact; the matrices are small."""
    if A.shape[1] == 0:
        return np.ones(len(A), object)
    return sum(
        (-1) ** j * A[:, 0, j] * _determinants(np.delete(A[:, 1:], j, axis=2))
        for j in range(A.shape[2])
    )
