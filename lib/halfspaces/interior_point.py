"""What solves a support vector machine: Newton's method inside the constraints, and a last step onto them.

Features come as rows of X, of a size near 1; a kernel is turned into features by `factor`.
"""

import math
from collections.abc import Iterator

import numpy as np

from .kernels import Kernel

UNBOUNDED = 1e18  # a dual value that leaves no margin above 1e-9 of the radius of the data


def newton_steps(
    X: np.ndarray, y: np.ndarray, C: float, bias: bool
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (α, w) before each step of Mehrotra's predictor–corrector method.

    The rows of S are the multipliers α and C − α, those of T what they multiply: the surplus y(⟨w,x⟩ − b) − 1 + ξ
    and the slack ξ. Newton's method drives S·T to 0. With all but v = (w, b) eliminated, a step costs n·d².
    """
    Z = y[:, None] * np.column_stack([X, -np.ones((len(X), int(bias)))])
    d, v = X.shape[1], np.zeros(Z.shape[1])
    norm = np.diag(np.arange(len(v)) < d).astype(float)  # ‖w‖² = vᵀ norm v: b is free of charge
    sign, start = np.array([[1.0], [-1.0]])[: 1 if C == math.inf else 2], min(C / 2, 1e3)
    S = np.full((2, len(Z)), [[start], [C - start]])[: len(sign)]
    T = np.ones_like(S)

    def direction(change: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the step that adds `change` to S·T, to first order, and satisfies all linear equations."""
        right = 1 + (sign * (T + change / S)).sum(axis=0) - Z @ v
        total = Z.T @ (S[0] + scale * right) - norm @ v
        dv = solve_linear(system, total)
        dS = sign * (scale * (right - Z @ dv))
        return dv, dS, (change - T * dS) / S

    while np.isfinite(v).all() and min(S.min(), T.min()) > 0:
        yield S[0], v[:d]
        with np.errstate(all="ignore"):
            scale, mu = 1 / (T / S).sum(axis=0), (S * T).mean()
            root = Z * np.sqrt(scale)[:, None]
            system = norm + root.T @ root
            _, dS, dT = direction(-S * T)
            t = 1 / max(1.0, (-dS / S).max(), (-dT / T).max())
            aim = mu * (((S + t * dS) * (T + t * dT)).mean() / mu) ** 3
            dv, dS, dT = direction(aim - S * T - dS * dT)
            t = 1 / max(1.0, (-dS / S).max() / 0.995, (-dT / T).max() / 0.995)
            v, S, T = v + t * dv, S + t * dS, T + t * dT


def polish(
    X: np.ndarray, y: np.ndarray, C: float, bias: bool, alpha: np.ndarray, margins: np.ndarray
) -> np.ndarray:
    """Guess from α and the margins where each point ends, at 0, at C or on the edge; solve for that; guess again."""
    before = None
    for _ in range(10):
        pull = np.abs(alpha).max() * (
            margins - 1 + 1e-10 * np.sign(C / 2 - alpha)
        )  # a tie goes to the nearer end
        end = np.select([alpha < pull, C - alpha < -pull], [0.0, C], np.nan)
        edge = np.flatnonzero(np.isnan(end))
        alpha = np.where(np.isnan(end), alpha, end)
        if not 0 < len(edge) <= 2000:
            break
        Z, side = y[edge, None] * X[edge], -y[edge, None] * bias
        near = 1e-10 * np.eye(len(edge))  # α need not be unique: stay near the one we have
        system = np.block([[Z @ Z.T + near, side], [side.T, np.array([[bias - 1]])]])
        step = np.linalg.solve(system, np.append(1 - Z @ (X.T @ (alpha * y)), alpha @ y * bias))
        alpha[edge] += step[:-1]
        if np.array_equal(end, before, equal_nan=True):
            break  # solved for the same guess twice: that has undone the effect of `near`
        margins, before = y * (X @ (X.T @ (alpha * y)) - step[-1] * bias), end
    return alpha


def factor(kernel: Kernel, X: np.ndarray, limit: float = math.inf) -> np.ndarray | None:
    """Return Φ with ΦΦᵀ the Gram matrix to rounding, or None if it has more than `limit` columns.

    Cholesky's method, the largest remainder first.
    """
    X, places = np.unique(X, axis=0, return_inverse=True)
    left = np.concatenate(
        [kernel.block(B, B).diagonal() for B in np.array_split(X, len(X) // 64 + 1)]
    ).astype(float)
    top, total, rows = left.max(), left.sum(), np.zeros((32, len(X)))
    for k in range(len(X) + 1):
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


def solve_linear(system: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Solve a square system; where it is singular to the last bit, any least-squares solution will do."""
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
