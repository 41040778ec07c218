"""Can these data be separated? Either way the answer is a proof.

By the theorem of the alternative exactly one of these exists: a halfspace with y(⟨w,x⟩ − b) > 0 at every
point, or weights λ ≥ 0, Σλ = 1, with Σ λᵢyᵢ(xᵢ, −1) = 0, that is, a point in both convex hulls.
"""

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from .validation import CertificateError, as_points, as_sample, to_float
from .exact import as_integers, dependence, inner, is_exact, largest, simplex, tidy
from .halfspace import Halfspace, homogenise

OPTIMAL = 0  # scipy's code
ACTIVE = 500  # points that a linear program starts with, and takes in at a time
LARGEST_EXACT = 20_000  # entries; beyond, the exact simplex would take minutes


@dataclass(frozen=True, eq=False)
class Separation:
    """A halfspace that separates, or convex weights that prove there is none; the other one is None."""

    X: np.ndarray = field(repr=False)
    y: np.ndarray = field(repr=False)
    bias: bool
    halfspace: Halfspace | None
    weights: np.ndarray | None

    @property
    def separable(self) -> bool:
        return self.halfspace is not None

    def __bool__(self) -> bool:
        return self.separable

    def predict(self, X):
        """Label points by the separator."""
        if not self.separable:
            raise ValueError("these data have no separator to predict with")
        return self.halfspace(X)

    def common_point(self) -> np.ndarray:
        """Return the point that lies in the convex hulls of both classes."""
        if self.separable or not self.bias:
            raise ValueError(
                "only hulls of data without a separating halfspace (with threshold) must meet"
            )
        positive = np.where(self.y > 0, self.weights, 0 * self.weights)
        return inner(positive, self.X) / positive.sum()

    def multiplicities(self) -> np.ndarray:
        """Return λ as the smallest whole numbers: how often to take each point, for the sums to contradict."""
        whole, _ = as_integers(self.weights)
        return whole // math.gcd(*whole)

    def check(self) -> None:
        """Verify the certificate: exactly for integers and fractions, to rounding for floats."""
        if self.separable:
            return self.halfspace.check(self.X, self.y)
        for i in np.flatnonzero(self.weights < 0):
            raise CertificateError(
                f"the weight of point {i} is {self.weights[i]}, which is negative"
            )
        total, used = self.weights.sum(), np.flatnonzero(self.weights)
        tolerance = 0 if is_exact(self.X, self.weights) else 1e-9
        if abs(total - 1) > tolerance:
            raise CertificateError(f"the weights sum to {total}, not to 1")
        points = homogenise(self.X[used]) if self.bias else self.X[used]
        sums = inner((self.weights * self.y)[used], points)
        for j in np.flatnonzero(abs(sums) > tolerance * max(1, largest(self.X))):
            raise CertificateError(f"coordinate {j} of Σ λᵢyᵢ(xᵢ, −1) is {sums[j]}, not 0")

    def _repr_html_(self) -> str:
        if self.separable:
            return f"separable: {self.halfspace._repr_html_()}"
        used = ", ".join(
            f"{self.weights[i]} · point {i} ({self.y[i]:+d})" for i in np.flatnonzero(self.weights)
        )
        return f"not separable: the weights {used} cancel"


def separate(X, y, bias: bool = True) -> Separation:
    """Find a separating halfspace (through the origin if not `bias`), or the weights that prove there is none."""
    X, y = as_sample(X, y)
    if bias and abs(y.sum()) == len(y):  # one class: everything, or nothing
        return Separation(X, y, bias, Halfspace([0] * X.shape[1], -int(y[0])), None)
    Z = y[:, None] * (homogenise(X) if bias else X)
    active = np.unique(np.linspace(0, len(Z) - 1, ACTIVE).astype(int))  # most points never matter
    while True:
        v, weights = _decide(Z[active])
        if v is None:
            everywhere = np.zeros(len(Z), weights.dtype)
            everywhere[active] = weights
            return Separation(X, y, bias, None, everywhere)
        scores = inner(Z, v)
        wrong = np.setdiff1d(np.flatnonzero(scores <= 0), active)
        if not len(wrong):
            return Separation(X, y, bias, Halfspace(v[:-1], v[-1]) if bias else Halfspace(v), None)
        active = np.append(active, wrong[np.argsort(scores[wrong])[:ACTIVE]])


def _decide(Z: np.ndarray) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return v with Zv > 0, or λ ≥ 0 with Zᵀλ = 0 and Σλ = 1."""
    v, weights = _by_linear_program(Z)
    return (v, None) if v is not None else _exactly(Z, weights)


def _by_linear_program(Z: np.ndarray) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return v with Zv > 0, verified; or λ with Zᵀλ ≈ 0, Σλ = 1, as HiGHS sees it; or neither."""
    A = to_float(Z)
    columns = np.abs(A).max(axis=0)
    A = A / np.where(columns, columns, 1)
    rows = np.abs(A).max(axis=1)
    A = A / np.where(rows, rows, 1)[:, None]
    # max Σλ with |Aᵀλ| ≤ 1 is the dual of min ‖v‖₁ with Av ≥ 1: few rows, and v comes out as the multipliers
    first = linprog(
        -np.ones(len(A)), A_ub=np.vstack([A.T, -A.T]), b_ub=np.ones(2 * A.shape[1]), method="highs"
    )
    if first.status == OPTIMAL:
        p, q = np.split(-first.ineqlin.marginals, 2)
        v = _verified((p - q) / np.where(columns, columns, 1), Z)
        if v is not None:
            return v, None
    second = linprog(
        np.zeros(len(A)),
        A_eq=np.vstack([A.T, np.ones(len(A))]),
        b_eq=np.append(np.zeros(A.shape[1]), 1),
        method="highs",
    )
    if second.status != OPTIMAL:
        return None, None
    weights = np.maximum(second.x, 0) / np.where(rows, rows, 1)
    return None, weights / weights.sum()


def _verified(v: np.ndarray, Z: np.ndarray) -> np.ndarray | None:
    """Return v if Zv > 0; for exact data, the simplest integers near a multiple of v for which that is so."""
    if not is_exact(Z):
        return v if (Z @ v > 0).all() else None
    for size in (1, 10, 100, 10**4, 10**8, 10**16):
        whole, _ = as_integers(
            np.array([Fraction(value).limit_denominator(size) for value in v.tolist()], object)
        )
        if any(whole) and (inner(Z, whole) > 0).all():
            return tidy(whole // math.gcd(*whole))
    return None


def _exactly(Z: np.ndarray, hint: np.ndarray | None) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return v or λ in exact arithmetic, from the few points that HiGHS used if they settle it, or else from all."""
    chosen = np.arange(len(Z)) if hint is None else np.flatnonzero(hint)
    if not is_exact(Z):  # polished weights will do, if they cancel to the last digits
        goal = np.append(np.zeros(Z.shape[1]), 1)
        part = np.linalg.lstsq(np.vstack([Z[chosen].T, np.ones(len(chosen))]), goal)[0]
        if (
            (part >= 0).all()
            and part.any()
            and np.abs(part @ Z[chosen]).max() <= 1e-14 * part.sum() * largest(Z)
        ):
            weights = np.zeros(len(Z))
            weights[chosen] = part / part.sum()
            return None, weights
    v, part = simplex(as_integers(Z[chosen])[0])
    if v is not None and len(chosen) < len(Z):
        if Z.size > LARGEST_EXACT:
            raise ValueError(
                f"the margin is too thin to decide {len(Z)} points in floating point; rescale the data"
            )
        chosen = np.arange(len(Z))
        v, part = simplex(as_integers(Z)[0])
    if v is not None:
        if is_exact(Z):
            return tidy(as_integers(v)[0]), None
        v = to_float(v / max(abs(v)))
        if (Z @ v > 0).all():
            return v, None
        if hint is None or np.abs(hint @ Z).max() > 1e-12 * largest(Z):
            raise ValueError(
                "the margin of these data is below rounding; rescale them or give them as Fractions"
            )
        return None, hint  # not separable, to rounding
    weights = np.zeros(len(Z), object)
    weights[chosen] = part
    return None, tidy(weights) if is_exact(Z) else to_float(weights)


def radon_partition(X) -> Separation | None:
    """Return a labelling that no halfspace has, with its proof, or None if the points are affinely independent.

    Radon's theorem: Σcᵢxᵢ = 0 and Σcᵢ = 0 for some c ≠ 0, and the points with cᵢ > 0 have a hull that meets
    the hull of the others.
    """
    X = as_points(X)
    first = X[: X.shape[1] + 2]  # more are dependent anyway
    c = np.append(dependence(as_integers(homogenise(first))[0]), [0] * (len(X) - len(first)))
    if not any(c):
        return None
    weights = abs(c) / sum(abs(c))
    y = np.where(c > 0, 1, -1)
    return Separation(X, y, True, None, tidy(weights) if is_exact(X) else to_float(weights))


def shatters(X) -> bool:
    """Tell whether every labelling of the points is that of a halfspace; `radon_partition` shows one that is not."""
    return radon_partition(X) is None
