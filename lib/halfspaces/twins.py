"""Points that coincide, labels and all, are one point whose α may be as many times as large.

The data of the world are rounded, and bootstraps draw points twice. The fewer points a solver has
to look at, the better; and points that coincide make its systems singular.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

MANY = 0.2  # share of the points that are another one again, for which it pays to look


@dataclass(frozen=True)
class Twins:
    """The first of each lot of points that coincide, the lot of each point, and how large it is."""

    first: np.ndarray
    lot: np.ndarray
    count: np.ndarray

    def shared(self, beta: np.ndarray, cap: float) -> np.ndarray:
        """Return the sum of each lot, to the last digit where all of it are at their bound."""
        total, caps = np.bincount(self.lot, beta), self.count * cap
        full = np.bincount(self.lot, np.abs(beta) >= cap) == self.count
        return np.where(full, np.copysign(caps, total), np.clip(total, -caps, caps))


def find_twins(X: np.ndarray, y: np.ndarray) -> Twins | None:
    """Find points that coincide; None if they are few.

    Equal points have equal keys, to the last bit, for a column is added at a time.
    """
    weights = _weights(X.shape[1] + 1)
    keys = y * weights[-1]
    for column, weight in zip(X.T, weights):
        keys += column * weight
    ordered = np.sort(keys)
    if np.count_nonzero(ordered[1:] == ordered[:-1]) < MANY * len(y):
        return None
    order = np.lexsort((y, keys))
    new = np.ones(len(y), bool)
    after, before = order[1:], order[:-1]
    new[1:] = (X[after] != X[before]).any(axis=1) | (y[after] != y[before])
    lot = np.empty(len(y), int)
    lot[order] = np.cumsum(new) - 1
    return Twins(order[new], lot, np.bincount(lot).astype(float))


@lru_cache(maxsize=100)
def _weights(size: int) -> np.ndarray:
    """Return weights that no data have in mind."""
    return np.random.default_rng(0).uniform(1, 2, size)
