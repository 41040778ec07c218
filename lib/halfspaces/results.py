"""What all answers share: they are compared by value, shown in a line, and label points."""

from dataclasses import dataclass, fields
from html import escape
from typing import Any

import numpy as np

from .validation import ArrayLike, NumberOrArray, as_points, as_vector


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """An answer with its problem and its witness; everything else is worked out when asked for."""

    def summary(self) -> str:
        """Say in a line what matters."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.summary()})"

    def _repr_html_(self) -> str:
        return escape(self.summary())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(_same(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))

    def __hash__(self) -> int:
        return hash((type(self), *(_hashable(getattr(self, f.name)) for f in fields(self))))


def _same(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.shape == b.shape and bool((a == b).all())
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    return not isinstance(a, np.ndarray) and not isinstance(b, np.ndarray) and bool(a == b)


def _hashable(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return (value.shape, *value.ravel().tolist())
    if isinstance(value, tuple):
        return tuple(map(_hashable, value))
    return value


class Classifier:
    """What labels points by the sign of a score; it has the names that scikit-learn has."""

    def _scores(self, X: np.ndarray) -> np.ndarray:
        """Return the score of each row."""
        raise NotImplementedError

    @property
    def dimension(self) -> int:
        """How many coordinates a point has."""
        raise NotImplementedError

    def decision_function(self, X: ArrayLike) -> NumberOrArray:
        """Return the score ⟨w, x⟩ − b: a number for one point, an array for (n, d) points."""
        if np.ndim(X) == 1:
            return self._scores(as_vector(X, self.dimension, "x")[None])[0]
        return self._scores(as_points(X, self.dimension))

    score = decision_function  # the course's word, and shorter; scikit-learn's `score` is accuracy

    def predict(self, X: ArrayLike) -> NumberOrArray:
        """Return +1 where the score is ≥ 0 and −1 elsewhere."""
        labels = np.where(self.decision_function(X) >= 0, 1, -1).astype(np.int64)
        return int(labels) if labels.ndim == 0 else labels
