"""Can these data be separated? Either way the answer is a proof.

By the theorem of the alternative exactly one of these exists: a halfspace with y(⟨w,x⟩ − b) > 0 at
every point, or weights λ ≥ 0, Σλ = 1, with Σ λᵢyᵢ(xᵢ, −1) = 0, that is, a point in both convex
hulls. Floats are fractions, so both are decided exactly for the numbers as they are given.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from html import escape

import numpy as np

from .certificates import (
    require,
    signs,
    verify_no_separator,
    verify_no_separator_in_features,
    verify_separator,
)
from .exact import as_integers, dependence, inner, is_exact, tidy
from .halfspace import Halfspace, homogenise
from .kernels import Kernel, linear
from .results import Classifier, Result
from .simplex import simplex
from .validation import ArrayLike, as_points, as_sample, to_float

OPTIMAL = 0  # scipy's code
ACTIVE = 500  # points that a linear program starts with, and takes in at a time
LARGEST_EXACT = 20_000  # entries; beyond, the exact simplex would take minutes
DENOMINATORS = (1, 10, 100, 10**4, 10**8, 10**16)  # of the simplest weights, tried in this order


@dataclass(frozen=True, eq=False, repr=False)
class Separation(Classifier, Result):
    """A halfspace that separates, or weights that prove there is none; the other one is None."""

    X: np.ndarray
    y: np.ndarray
    bias: bool
    halfspace: Halfspace | None
    weights: np.ndarray | None
    kernel: Kernel = linear  # of the space where there is no separator

    @property
    def dimension(self) -> int:
        return self.X.shape[1]

    @property
    def separable(self) -> bool:
        return self.halfspace is not None

    def __bool__(self) -> bool:
        return self.separable

    def _scores(self, X: np.ndarray) -> np.ndarray:
        if self.halfspace is None:
            raise ValueError("these data have no separator to predict with")
        return self.halfspace.decision_function(X)

    def common_point(self) -> np.ndarray:
        """Return the point that lies in the convex hulls of both classes."""
        if self.weights is None or not self.bias or self.kernel != linear:
            raise ValueError(
                "only hulls of data without a separating halfspace (with threshold) must meet"
            )
        positive = np.where(self.y > 0, self.weights, 0 * self.weights)
        return inner(positive, self.X) / positive.sum()

    def multiplicities(self) -> np.ndarray:
        """Return λ as the smallest whole numbers.

        Take each point as often as that, and the sums of the two classes contradict each other.
        """
        if self.weights is None:
            raise ValueError("these data are separable: no sums contradict each other")
        whole, _ = as_integers(self.weights)
        return whole // math.gcd(*whole)

    def check(self) -> None:
        """Verify the certificate, exactly."""
        both = (self.halfspace is None) == (self.weights is None)
        require(not both, "a separator or weights are expected, one of them and not both")
        if self.halfspace is not None:
            require(self.kernel == linear, "a separator is expected in the space of the points")
            require(self.bias or self.halfspace.b == 0, "without bias the threshold is 0")
            verify_separator(self.X, self.y, self.halfspace.w, self.halfspace.b)
        if self.weights is not None and self.kernel == linear:
            verify_no_separator(self.X, self.y, self.weights, self.bias)
        elif self.weights is not None:
            verify_no_separator_in_features(self.kernel, self.X, self.y, self.weights, self.bias)

    def summary(self) -> str:
        if self.halfspace is not None:
            return f"separable: {self.halfspace.summary()}"
        if self.weights is None:
            return "neither a separator nor weights"
        used = np.flatnonzero(self.weights)
        terms = [f"{self.weights[i]} · point {i} ({self.y[i]:+d})" for i in used]
        return f"not separable: the weights {', '.join(terms)} cancel"

    def _repr_html_(self) -> str:
        if self.halfspace is not None:
            return f"separable: {self.halfspace._repr_html_()}"
        return escape(self.summary())


def separate(X: ArrayLike, y: ArrayLike, bias: bool = True) -> Separation:
    """Find a separating halfspace, or the weights that prove there is none.

    Without bias the halfspace goes through the origin.
    """
    X, y = as_sample(X, y)
    bias = bool(bias)
    if bias and abs(y.sum()) == len(y):  # one class: everything, or nothing
        return Separation(X, y, bias, Halfspace([0] * X.shape[1], -int(y[0])), None)
    Z = y[:, None] * (homogenise(X) if bias else X)
    active = np.unique(np.linspace(0, len(Z) - 1, ACTIVE).astype(np.int64))  # most never matter
    while True:
        v, weights = _decide(Z[active])
        if v is None:
            everywhere = np.zeros(len(Z), object)
            everywhere[active] = weights
            return Separation(X, y, bias, None, tidy(everywhere))
        found = signs(Z, v)
        wrong = np.setdiff1d(np.flatnonzero(found <= 0), active)
        if not len(wrong):
            halfspace = Halfspace(v[:-1], v[-1]) if bias else Halfspace(v)
            return Separation(X, y, bias, halfspace, None)
        scores = inner(Z[wrong], v)
        active = np.append(active, wrong[np.argsort(scores)[:ACTIVE]])


def _decide(Z: np.ndarray) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return v with Zv > 0, or λ ≥ 0 with Zᵀλ = 0 and Σλ = 1."""
    v, hint = _by_linear_program(Z)
    return (v, None) if v is not None else _exactly(Z, hint)


def _by_linear_program(Z: np.ndarray) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return v with Zv > 0, verified; or the points that λ needs, as HiGHS sees it; or neither."""
    from scipy.optimize import linprog  # takes longer to import than all the rest

    A = to_float(Z)
    columns = np.abs(A).max(axis=0)
    A = A / np.where(columns, columns, 1)
    rows = np.abs(A).max(axis=1)
    A = A / np.where(rows, rows, 1)[:, None]
    n, k = A.shape
    # max Σλ with |Aᵀλ| ≤ 1 is the dual of min ‖v‖₁ with Av ≥ 1: few rows, v are its multipliers
    bounded = {"A_ub": np.vstack([A.T, -A.T]), "b_ub": np.ones(2 * k)}
    first = linprog(-np.ones(n), **bounded, method="highs")
    if first.status == OPTIMAL:
        plus, minus = np.split(-first.ineqlin.marginals, 2)
        v = _verified((plus - minus) / np.where(columns, columns, 1), Z)
        if v is not None:
            return v, None
    balanced = {"A_eq": np.vstack([A.T, np.ones(n)]), "b_eq": np.append(np.zeros(k), 1)}
    second = linprog(np.zeros(n), **balanced, method="highs")
    return None, np.flatnonzero(second.x > 0) if second.status == OPTIMAL else None


def _verified(v: np.ndarray, Z: np.ndarray) -> np.ndarray | None:
    """Return v if Zv > 0; for exact data, the simplest integers near a multiple of v with that."""
    if not is_exact(Z):
        return v if v.any() and signs(Z, v).min() > 0 else None
    for size in DENOMINATORS:
        near = [Fraction(value).limit_denominator(size) for value in v.tolist()]
        whole, _ = as_integers(np.array(near, object))
        if any(whole) and signs(Z, whole).min() > 0:
            return tidy(whole // math.gcd(*whole))
    return None


def _exactly(
    Z: np.ndarray, chosen: np.ndarray | None
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return v or λ in exact arithmetic: from the chosen points if they settle it, else from all.

    Those that HiGHS used are few.
    """
    if chosen is not None and len(chosen) < len(Z):
        _, part = simplex(as_integers(Z[chosen])[0])
        if part is not None:
            everywhere = np.zeros(len(Z), object)
            everywhere[chosen] = part
            return None, everywhere
    if Z.size > LARGEST_EXACT:
        raise ValueError(
            f"the margin is too thin to decide {len(Z)} points in floating point; "
            "fewer points are expected, or coarser ones"
        )
    v, weights = simplex(as_integers(Z)[0])
    return (None if v is None else tidy(as_integers(v)[0])), weights


def radon_partition(X: ArrayLike) -> Separation | None:
    """Return a labelling that no halfspace has, with its proof, or None for independent points.

    Radon's theorem: unless the points are affinely independent, Σcᵢxᵢ = 0 and Σcᵢ = 0 for some
    c ≠ 0, and the points with cᵢ > 0 have a hull that meets the hull of the others.
    """
    X = as_points(X)
    first = X[: X.shape[1] + 2]  # more are dependent anyway
    c = dependence(as_integers(homogenise(first))[0])
    if not c.any():
        return None
    c = np.append(c, [0] * (len(X) - len(first)))
    y = np.where(c > 0, 1, -1).astype(np.int64)
    return Separation(X, y, True, None, tidy(abs(c) / sum(abs(c))))


def shatters(X: ArrayLike) -> bool:
    """Tell whether every labelling of the points is that of a halfspace.

    If not, `radon_partition` shows one that is not.
    """
    return radon_partition(X) is None
