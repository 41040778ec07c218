"""A small simplex method in fractions: it decides what no floating-point solver can be sure of."""

from fractions import Fraction

import numpy as np

from .exact import as_fractions


def simplex(Z: np.ndarray) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return v with Zv > 0, or weights λ ≥ 0 with Zᵀλ = 0 and Σλ = 1; the other one is None.

    Phase one: minimise the sum of artificial variables a ≥ 0 in Zᵀλ + a = 0, Σλ + a′ = 1. If it
    comes down to 0, λ is found; if not, the multipliers of the equations are a separator. Bland's
    rule, the first column that helps and the first row that limits it, cannot go round in circles.
    """
    m, k = Z.shape
    equations = np.vstack([as_fractions(Z).T, np.ones(m, object)])
    artificial = np.eye(k + 1, dtype=np.int64).astype(object)
    right = artificial[:, -1:]
    table = np.hstack([equations, artificial, right]) * Fraction(1)
    cost = -table.sum(axis=0)
    cost[m:-1] += 1
    basis = list(range(m, m + k + 1))
    while True:
        helping = np.flatnonzero(cost[:m] < 0)
        if not len(helping):
            break
        enters = int(helping[0])
        leaves = _limiting_row(table, enters, basis)
        pivot = table[leaves] / table[leaves, enters]
        table = table - table[:, enters, None] * pivot
        table[leaves] = pivot
        cost = cost - cost[enters] * pivot
        basis[leaves] = enters
    if cost[-1] < 0:  # the artificial variables cannot all vanish
        return cost[m : m + k] - 1, None
    weights = np.zeros(m, object)
    for row, column in enumerate(basis):
        if column < m:
            weights[column] = table[row, -1]
    return None, weights


def _limiting_row(table: np.ndarray, enters: int, basis: list[int]) -> int:
    """Return the row whose basic variable reaches 0 first; among equals, that of least number."""
    rows = np.flatnonzero(table[:, enters] > 0)
    return min(rows.tolist(), key=lambda row: (table[row, -1] / table[row, enters], basis[row]))
