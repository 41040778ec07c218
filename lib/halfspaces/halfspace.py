"""The object everything else speaks of: {x : ⟨w, x⟩ ≥ b}."""

from dataclasses import dataclass
from html import escape

import numpy as np

from .certificates import verify_separator
from .exact import inner, is_exact, largest, over_root, plain, tidy
from .results import Classifier, Result
from .validation import (
    ArrayLike,
    Number,
    NumberOrArray,
    as_array,
    as_number,
    as_points,
    as_real,
    as_sample,
    as_vector,
    to_float,
)


@dataclass(frozen=True, eq=False, repr=False)
class Halfspace(Classifier, Result):
    """The points with ⟨w, x⟩ ≥ b. Ints and Fractions stay exact, whatever their size."""

    w: np.ndarray
    b: Number = 0

    def __init__(self, w: ArrayLike, b: Number = 0) -> None:
        w, b = as_vector(w), as_number(b, "b")
        if is_exact(w) and not isinstance(b, float):
            w = tidy(w.tolist())
        else:
            w, b = np.array(to_float(w)), as_real(b, "b")
            w.setflags(write=False)
        object.__setattr__(self, "w", w)
        object.__setattr__(self, "b", b)

    @property
    def dimension(self) -> int:
        return len(self.w)

    def _scores(self, X: np.ndarray) -> np.ndarray:
        w = self.w
        small = is_exact(w) and largest(w) < 2**53 and all(isinstance(v, int) for v in w)
        if small and X.dtype == np.int64:
            w = w.astype(np.int64)
        scores = inner(X, w)
        if is_exact(scores) and not isinstance(self.b, float):
            fits = -(2**53) < self.b < 2**53
            return (scores if fits else scores.astype(object)) - self.b
        return to_float(scores) - as_real(self.b, "b")

    def __call__(self, X: ArrayLike) -> NumberOrArray:
        """Return +1 where ⟨w, x⟩ ≥ b and −1 elsewhere."""
        return self.predict(X)

    def margin(self, X: ArrayLike, y: ArrayLike) -> float:
        """Return min y(⟨w,x⟩ − b)/‖w‖: how far the nearest point is, negative on the wrong side."""
        X, y = as_sample(X, y)
        norm2 = self.w @ self.w
        if norm2 == 0:
            raise ValueError("w is zero, so it has no boundary and no margin; w ≠ 0 is expected")
        return over_root(plain((y * self.score(X)).min()), plain(norm2))

    def check(self, X: ArrayLike, y: ArrayLike) -> None:
        """Verify y(⟨w,x⟩ − b) > 0 for every point."""
        X, y = as_sample(X, y)
        as_points(X, self.dimension)
        verify_separator(X, y, self.w, self.b)

    def __repr__(self) -> str:
        return f"Halfspace(w=[{', '.join(map(brief, self.w))}], b={brief(self.b)})"

    def summary(self) -> str:
        return f"{{x : {_sum(self.w, 'x{}')} ≥ {brief(self.b)}}}".replace("-", "−")

    def _repr_html_(self) -> str:
        inequality = f"{_sum(self.w, 'x<sub>{}</sub>')} ≥ {escape(brief(self.b))}"
        return f"{{x : {inequality}}}".replace("-", "−")


def _sum(w: np.ndarray, variable: str) -> str:
    """Write Σ wᵢxᵢ without terms that are 0 and factors that are 1."""
    terms = []
    for i, v in enumerate(w, 1):
        if v != 0:
            factor = "" if abs(v) == 1 else brief(abs(v))
            terms.append(f"{'−' if v < 0 else '+'} {factor}{variable.format(i)}")
    return " ".join(terms).removeprefix("+ ") or "0"


def brief(value: Number) -> str:
    """Write a number with four digits if it is a float, and in full if it is exact."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def homogenise(X: ArrayLike, constant: Number = -1) -> np.ndarray:
    """Append a constant to each point (or to one): with −1, ⟨(w, b), (x, −1)⟩ = ⟨w, x⟩ − b."""
    if np.ndim(X) == 1:
        return homogenise([as_vector(X, name="X")], constant)[0]
    X, last = as_points(X), as_array(constant, "constant", 0)
    column = np.repeat(last.reshape(1, 1), len(X), axis=0)
    if is_exact(X, column) and object in (X.dtype, column.dtype):
        return np.hstack([X.astype(object), column.astype(object)])
    return np.hstack([X, column])  # int64 beside float64 is float64
