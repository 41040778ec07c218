"""The object everything else speaks of: {x : ⟨w, x⟩ ≥ b}."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .validation import (
    CertificateError,
    as_array,
    as_number,
    as_points,
    as_real,
    as_sample,
    as_vector,
    to_float,
)
from .exact import inner, is_exact, largest, over_root, plain, tidy


@dataclass(frozen=True, eq=False, repr=False)
class Halfspace:
    """The points with ⟨w, x⟩ ≥ b. Weights that are ints or Fractions stay exact, whatever their size."""

    w: np.ndarray
    b: float | int | Fraction = 0

    def __post_init__(self):
        w, b = as_vector(self.w), as_number(self.b, "b")
        if is_exact(w) and not isinstance(b, float):
            w = tidy(w.tolist())
        else:
            w, b = np.array(to_float(w)), as_real(b, "b")
            w.setflags(write=False)
        object.__setattr__(self, "w", w)
        object.__setattr__(self, "b", b)

    def score(self, X):
        """Return ⟨w, x⟩ − b: a number for one point, an array for (n, d) points."""
        one = np.ndim(X) == 1 and as_vector(X, len(self.w), "x")
        points = as_points([one] if one is not False else X, len(self.w))
        w = self.w
        if (
            points.dtype == np.int64
            and is_exact(w)
            and largest(w) < 2**53
            and all(isinstance(v, int) for v in w)
        ):
            w = w.astype(np.int64)
        scores = inner(points, w)
        if is_exact(scores) and not isinstance(self.b, float):
            scores = (scores.astype(object) if abs(self.b) >= 2**53 else scores) - self.b
        else:
            scores = to_float(scores) - as_real(self.b, "b")
        return scores[0] if one is not False else scores

    def __call__(self, X):
        """Return +1 where ⟨w, x⟩ ≥ b and −1 elsewhere."""
        labels = np.where(self.score(X) >= 0, 1, -1)
        return int(labels) if labels.ndim == 0 else labels

    predict = __call__

    def margin(self, X, y) -> float:
        """Return min y(⟨w,x⟩ − b)/‖w‖: the distance of the nearest point, negative if one is on the wrong side."""
        X, y = as_sample(X, y)
        norm2 = self.w @ self.w
        if norm2 == 0:
            raise ValueError(
                "w is zero, so it has no boundary and no margin; a non-zero w is expected"
            )
        return over_root(plain((y * self.score(X)).min()), plain(norm2))

    def check(self, X, y) -> None:
        """Verify y(⟨w,x⟩ − b) > 0 for every point."""
        X, y = as_sample(X, y)
        scores = y * self.score(X)
        if not (scores > 0).all():
            i = int(np.argmin(scores))
            raise CertificateError(
                f"point {i} with label {y[i]:+d} has y(⟨w,x⟩ − b) = {scores[i]}, which is not > 0"
            )

    def __repr__(self) -> str:
        return f"Halfspace(w=[{', '.join(map(brief, self.w))}], b={brief(self.b)})"

    def _repr_html_(self) -> str:
        terms = [
            f"{'−' if v < 0 else '+'} {'' if abs(v) == 1 else brief(abs(v))}x<sub>{i}</sub>"
            for i, v in enumerate(self.w, 1)
            if v != 0
        ]
        left = " ".join(terms).removeprefix("+ ") or "0"
        return f"{{x : {left} ≥ {brief(self.b)}}}".replace("-", "−")


def brief(value) -> str:
    """Write a number with four digits if it is a float, and in full if it is exact."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def homogenise(X, constant=-1) -> np.ndarray:
    """Append a constant to each point: with −1, ⟨(w, b), (x, −1)⟩ = ⟨w, x⟩ − b and the threshold is a weight."""
    X, constant = as_points(X), as_array(constant, "constant", 0)
    column = np.repeat(constant.reshape(1, 1), len(X), axis=0)
    if is_exact(X, constant) and object in (X.dtype, constant.dtype):
        return np.hstack([X.astype(object), column.astype(object)])
    return np.hstack([X, column])  # int64 beside float64 is float64
