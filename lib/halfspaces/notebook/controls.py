"""What moves a live picture: a number, a choice among options, points to drag."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np


@dataclass(frozen=True)
class Slider:
    """Describe a number to move; log: steps in powers of ten; play: it can run by itself."""

    min: float
    max: float
    step: float = 1
    value: float | None = None
    label: str = ""
    unit: str = ""
    log: bool = False
    play: bool = False

    @cached_property
    def steps(self) -> list[Any]:
        """List the values it can take, free of rounding noise."""
        low, high = np.log10((self.min, self.max)).tolist() if self.log else (self.min, self.max)
        ticks = [low + k * self.step for k in range(round((high - low) / self.step) + 1)]
        return [float(f"{10**t:.6g}") if self.log else round(t, 10) for t in ticks]

    def nearest(self, value: float | None) -> Any:
        """Return the step nearest to the value (None: to where it starts)."""
        value = self.value if value is None else value
        scale = np.log if self.log else np.asarray
        return self.steps[0 if value is None else np.abs(scale(self.steps) - scale(value)).argmin()]

    @property
    def decimals(self) -> int:
        """Return how many decimals tell its steps apart."""
        return max(0, -int(Decimal(str(self.step)).as_tuple().exponent))

    def text(self, value: float) -> str:
        """Write a step as its readout shows it."""
        if self.log:
            written = f"{value:.3g}" if value < 1000 else f"{value:.0f}"
        else:
            written = f"{value:.{self.decimals}f}"
        return written.replace("-", "−")

    def at(self, place: Any) -> Any:
        """Return the step that a script names by its place."""
        return self.steps[_place(place, len(self.steps))]

    def describe(self, name: str) -> dict[str, Any]:
        """Tell a script all it needs to know."""
        label = self.label or name
        return {
            "kind": "slider",
            "label": f"{label} ({self.unit})" if self.unit else label,
            "steps": [self.text(value) for value in self.steps],
            "start": self.steps.index(self.nearest(None)),
            "play": self.play,
        }


@dataclass(frozen=True)
class Choice:
    """Describe a choice among named options."""

    options: Sequence[str]
    value: str | None = None
    label: str = ""

    @property
    def steps(self) -> list[str]:
        """List the options."""
        return list(self.options)

    def nearest(self, value: str | None) -> str:
        """Return the option, which must be one (None: where it starts)."""
        return self.steps[self.steps.index(value or self.value or self.steps[0])]

    def text(self, value: str) -> str:
        """Return the option's name."""
        return value

    def at(self, place: Any) -> str:
        """Return the option that a script names by its place."""
        return self.steps[_place(place, len(self.steps))]

    def describe(self, name: str) -> dict[str, Any]:
        """Tell a script all it needs to know."""
        return {
            "kind": "choice",
            "label": self.label or name,
            "steps": self.steps,
            "start": self.steps.index(self.nearest(None)),
        }


class Data(NamedTuple):
    """Hold points and their labels, as a view gets them."""

    X: np.ndarray
    y: np.ndarray


@dataclass(frozen=True, eq=False)
class Points:
    """Describe labelled points to move, add, remove and flip.

    With snap=1 they stay whole numbers, with snap=Fraction(1, 4) exact quarters.
    """

    X: Any
    y: Any
    snap: int | float | Fraction | None = None
    label: str = ""
    axes: int = 0
    least: int = 1
    most: int = 30

    def __post_init__(self) -> None:
        self.nearest((self.X, self.y))

    @property
    def steps(self) -> list[Data]:
        """List the points it starts with: no step leads from them to others."""
        return [self.nearest(None)]

    def nearest(self, value: Any) -> Data:
        """Return points as a view gets them (None: those it starts with); refuse what is none."""
        X, y = (self.X, self.y) if value is None else value
        X, y = np.asarray(X, dtype=float), np.asarray(y)
        if X.ndim != 2 or X.shape[1] != 2 or not np.isfinite(X).all():
            raise ValueError(f"points are rows of two finite numbers, not of shape {X.shape}")
        if y.shape != X.shape[:1] or not np.isin(y, (-1, 1)).all():
            raise ValueError(f"{len(X)} points need as many labels −1 or +1, not {y.tolist()}")
        if not self.least <= len(X) <= self.most:
            raise ValueError(
                f"{len(X)} points are not among the {self.least} to {self.most} allowed"
            )
        return Data(self._snapped(X), y.astype(np.int64))

    def _snapped(self, X: np.ndarray) -> np.ndarray:
        """Put points on the grid: as whole numbers or fractions, where the snap is one."""
        if self.snap is None:
            return X
        places = np.rint(X / float(self.snap)).astype(np.int64)
        if isinstance(self.snap, Fraction):
            return places.astype(object) * self.snap
        return places * self.snap

    def text(self, value: Data) -> str:
        """Say how many there are."""
        return f"{len(value.X)} points"

    def at(self, place: Any) -> Data:
        """Return the points that a script names, as rows of two coordinates and the label."""
        rows = np.array(place, dtype=float)
        if rows.ndim != 2 or rows.shape[1] != 3:
            raise ValueError("a point is two coordinates and a label")
        return self.nearest((rows[:, :2], rows[:, 2]))

    def describe(self, name: str) -> dict[str, Any]:
        """Tell a script all it needs to know."""
        X, y = self.nearest(None)
        return {
            "kind": "points",
            "label": self.label or name,
            "start": [[float(u), float(v), s] for (u, v), s in zip(X.tolist(), y.tolist())],
            "snap": None if self.snap is None else float(self.snap),
            "axes": self.axes,
            "least": self.least,
            "most": self.most,
        }


Control = Slider | Choice | Points


def _place(place: Any, steps: int) -> int:
    if not isinstance(place, int) or not 0 <= place < steps:
        raise ValueError(f"there is no step {place!r}: there are {steps}, from 0 on")
    return place
