"""Arithmetic that stays exact while it can: products, whole numbers, elimination in fractions."""

import math
from collections.abc import Collection
from fractions import Fraction
from typing import Any

import numpy as np

from .validation import Number, to_float


def is_exact(*arrays: np.ndarray) -> bool:
    """Tell whether all arrays hold integers or fractions."""
    return all(a.dtype != float for a in arrays)


def inner(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Return A @ B, exactly when both are exact, and by BLAS when that is exact or all there is."""
    if not is_exact(A, B):
        return to_float(A) @ to_float(B)
    if A.dtype == B.dtype == np.int64 and largest(A) * largest(B) * len(B) < 2**53:
        exact_floats = A.astype(float) @ B.astype(float)  # and so is every partial sum
        return exact_floats.astype(np.int64)
    return A.astype(object) @ B.astype(object)


def largest(A: np.ndarray) -> Any:
    """Return the largest absolute value, 0 for none, as a Python number (which cannot overflow)."""
    return max(abs(plain(A.max())), abs(plain(A.min()))) if A.size else 0


def dots(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Return the inner product of each row of A with that row of B, exact when both are."""
    return (widen(A, largest(B) * max(1, A.shape[1])) * B).sum(axis=1)


def widen(A: np.ndarray, factor: Number) -> np.ndarray:
    """Return an array whose entries may grow by the factor: Python ints if int64 could overflow."""
    return A.astype(object) if A.dtype == np.int64 and largest(A) * factor >= 2**63 else A


def times(c: Number, A: np.ndarray) -> np.ndarray:
    """Return cA, in Python ints where int64 could overflow."""
    return c * (widen(A, abs(c)) if isinstance(c, int) else A)


def plain(value: Any) -> Any:
    """Return a numpy scalar as the Python number it stands for."""
    return value.item() if isinstance(value, np.generic) else value


def over_root(value: Number, square: Number) -> float:
    """Return value/√square, whatever the size of two exact numbers."""
    ratio = Fraction(value) ** 2 / Fraction(square)
    if ratio > 10**300:
        raise ValueError("a margin of more than 1e150 does not fit a float; rescale the data")
    return math.sqrt(ratio) * (1 if value >= 0 else -1)


def as_fractions(A: np.ndarray) -> np.ndarray:
    """Return the same numbers as Fractions: a float is a fraction too."""
    fractions = np.empty(A.shape, object)
    fractions.ravel()[:] = [Fraction(v) for v in A.ravel().tolist()]
    return fractions


def as_integers(A: np.ndarray) -> tuple[np.ndarray, int]:
    """Return (N, c) with A = N / c, N of Python ints and c > 0: a float is a fraction too."""
    fractions = [Fraction(v) for v in A.ravel().tolist()]
    c = math.lcm(*(f.denominator for f in fractions))
    return np.array([int(f * c) for f in fractions], object).reshape(A.shape), c


def tidy(values: Collection[Any]) -> np.ndarray:
    """Return exact numbers as a read-only object array of Python ints and Fractions."""
    array = np.empty(len(values), object)
    array[:] = [int(v) if v == int(v) else Fraction(v) for v in values]
    array.setflags(write=False)
    return array


def dependence(rows: np.ndarray) -> np.ndarray:
    """Return c ≠ 0 with cᵀ rows = 0, or 0 if the rows are independent: elimination in Fractions."""
    n, width = rows.shape
    work = np.hstack([rows, np.eye(n, dtype=int)]).astype(object) * Fraction(1)
    done = 0
    for j in range(width):
        below = np.flatnonzero(work[done:, j])
        if not len(below):
            continue
        work[[done, done + below[0]]] = work[[done + below[0], done]]
        work[done + 1 :] -= (work[done + 1 :, j] / work[done, j])[:, None] * work[done]
        done += 1
    return work[done, width:] if done < n else np.zeros(n, object)
