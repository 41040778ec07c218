"""Newton's method inside the constraints of a support vector machine, and a last step onto them.

Features come as rows of X, of a size near 1; a kernel is turned into features by `factor`.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .kernels import Kernel

UNBOUNDED = 1e18  # a dual value that leaves no margin above 1e-9 of the radius of the data
NEAR = 1e-10  # α need not be unique: stay near the one there is


@dataclass
class InteriorPoint:
    """A point inside all constraints: v = (w, b) and pairs S, T of positive numbers.

    The rows of S are the multipliers α and C − α, those of T what they multiply: the surplus
    y(⟨w,x⟩ − b) − 1 + ξ and the slack ξ (a hard margin has only the first). At the optimum S·T = 0.
    The rows of Z are y(x, −1), so that Zv is y(⟨w,x⟩ − b); ‖w‖² is vᵀ norm v: b is free of charge.
    """

    Z: np.ndarray
    norm: np.ndarray
    sign: np.ndarray  # of α in the rows of S
    v: np.ndarray
    S: np.ndarray
    T: np.ndarray

    def inside(self) -> bool:
        """Tell whether all is finite and positive that should be."""
        return bool(np.isfinite(self.v).all() and min(self.S.min(), self.T.min()) > 0)

    def advance(self) -> None:
        """Take one step of Mehrotra's method: a first direction tells how far to aim, and corrects.

        With all but v eliminated the equations have as many unknowns as there are features: a step
        costs n·d².
        """
        S, T = self.S, self.T
        scale, mu = 1 / (T / S).sum(axis=0), (S * T).mean()
        root = self.Z * np.sqrt(scale)[:, None]
        system = self.norm + root.T @ root
        _, dS, dT = self._direction(-S * T, scale, system)
        t = 1 / max(1.0, (-dS / S).max(), (-dT / T).max())
        aim = mu * (((S + t * dS) * (T + t * dT)).mean() / mu) ** 3
        dv, dS, dT = self._direction(aim - S * T - dS * dT, scale, system)
        t = 1 / max(1.0, (-dS / S).max() / 0.995, (-dT / T).max() / 0.995)
        self.v, self.S, self.T = self.v + t * dv, S + t * dS, T + t * dT

    def _direction(
        self, change: np.ndarray, scale: np.ndarray, system: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the step that adds `change` to S·T, to first order, and solves what is linear."""
        right = 1 + (self.sign * (self.T + change / self.S)).sum(axis=0) - self.Z @ self.v
        total = self.Z.T @ (self.S[0] + scale * right) - self.norm @ self.v
        dv = solve_linear(system, total)
        dS = self.sign * (scale * (right - self.Z @ dv))
        return dv, dS, (change - self.T * dS) / self.S


def newton_steps(
    X: np.ndarray, y: np.ndarray, C: float, bias: bool
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (α, w) before each step of an interior-point method."""
    n, d = X.shape
    Z = y[:, None] * np.column_stack([X, -np.ones((n, int(bias)))])
    norm = np.diag(np.arange(Z.shape[1]) < d).astype(float)
    kinds = 1 if C == math.inf else 2
    alpha = min(C / 2, 1e3)
    S = np.full((2, n), [[alpha], [C - alpha]])[:kinds]
    sign = np.array([[1.0], [-1.0]])[:kinds]
    point = InteriorPoint(Z, norm, sign, np.zeros(Z.shape[1]), S, np.ones_like(S))
    while point.inside():
        yield point.S[0], point.v[:d]
        with np.errstate(all="ignore"):
            point.advance()


def polish(
    X: np.ndarray, y: np.ndarray, C: float, bias: bool, alpha: np.ndarray, margins: np.ndarray
) -> np.ndarray:
    """Guess where each point ends, at 0, at C or on the edge; solve for that; guess again."""
    before: np.ndarray | None = None
    for _ in range(10):
        end = _guess_ends(alpha, margins, C)
        edge = np.flatnonzero(np.isnan(end))
        alpha = np.where(np.isnan(end), alpha, end)
        if not 0 < len(edge) <= 2000:
            break
        step, b = _solve_edge(X, y, bias, alpha, edge)
        alpha[edge] += step
        if before is not None and np.array_equal(end, before, equal_nan=True):
            break  # solved for the same guess twice: that has undone the effect of NEAR
        margins, before = y * (X @ (X.T @ (alpha * y)) - b), end
    return alpha


def _guess_ends(alpha: np.ndarray, margins: np.ndarray, C: float) -> np.ndarray:
    """Return 0 or C for points off the edge of the street, NaN for those on it.

    A multiplier ends where the margin pulls it; a tie goes to the nearer end.
    """
    pull = np.abs(alpha).max() * (margins - 1 + NEAR * np.sign(C / 2 - alpha))
    return np.select([alpha < pull, C - alpha < -pull], [0.0, C], np.nan)


def _solve_edge(
    X: np.ndarray, y: np.ndarray, bias: bool, alpha: np.ndarray, edge: np.ndarray
) -> tuple[np.ndarray, float]:
    """Return how the α of points on the edge must change for all to have margin 1, and b."""
    Z, side = y[edge, None] * X[edge], -y[edge, None] * bias
    block = Z @ Z.T + NEAR * np.eye(len(edge))
    system = np.block([[block, side], [side.T, np.array([[bias - 1]])]])
    right = np.append(1 - Z @ (X.T @ (alpha * y)), alpha @ y * bias)
    solution = solve_linear(system, right)
    return solution[:-1], float(solution[-1] * bias)


def factor(kernel: Kernel, X: np.ndarray) -> np.ndarray:
    """Return Φ with ΦΦᵀ the Gram matrix, to rounding."""
    features = factor_if_few(kernel, X, len(X))
    assert features is not None  # there never are more columns than points
    return features


def factor_if_few(kernel: Kernel, X: np.ndarray, limit: int) -> np.ndarray | None:
    """Return Φ with ΦΦᵀ the Gram matrix, to rounding, or None if it has more than `limit` columns.

    Cholesky's method, the largest remainder first.
    """
    X, places = np.unique(X, axis=0, return_inverse=True)
    left = kernel.diagonal(X)
    top, total, rows = left.max(), left.sum(), np.zeros((32, len(X)))
    k = 0
    while True:
        if not -1e-8 * top <= left.min() <= left.max() < 1e200:
            raise not_a_kernel(kernel)
        if k == len(X) or left.clip(0).sum() <= 1e-15 * total:
            return rows[: max(k, 1), places.ravel()].T
        if k == limit:
            return None
        p = int(left.argmax())
        if k == len(rows):
            rows = np.concatenate([rows, np.zeros_like(rows)])
        rows[k] = (kernel.block(X[p : p + 1], X)[0] - rows[:k, p] @ rows[:k]) / math.sqrt(left[p])
        left = left - rows[k] ** 2
        left[p] = 0.0
        k += 1


def solve_linear(system: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Solve a square system, by least squares where it is singular to the last bit."""
    try:
        solution = np.linalg.solve(system, right)
    except np.linalg.LinAlgError:
        solution = np.full(right.shape, np.nan)
    if np.isfinite(solution).all():  # some builds of LAPACK return NaN and do not raise
        return solution
    return np.linalg.lstsq(system, right)[0]


def not_a_kernel(kernel: Kernel) -> ValueError:
    """Return the refusal of a function whose values are no inner products."""
    return ValueError(
        f"{kernel.name} is not a kernel on these points, or overflows: see check_kernel"
    )
