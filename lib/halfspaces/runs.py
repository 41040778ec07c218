"""What a run of the perceptron leaves behind: which points were mistakes, and what follows."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .certificates import (
    CertificateError,
    signed_points,
    verify_cone_run,
    verify_kernel_run,
    verify_rescaled_run,
    verify_right_outside_cone,
    verify_run,
    visits,
)
from .exact import inner, times, widen
from .halfspace import Halfspace, brief
from .kernels import Kernel
from .results import Classifier, Result
from .validation import Number, to_float


def directions(X: np.ndarray, y: np.ndarray, normalise: bool) -> np.ndarray:
    """Return what each point adds to w when it is a mistake: yx, or yx/‖x‖."""
    if not normalise:
        return signed_points(X, y)
    Z = signed_points(X, y, unit=True)
    zero = np.flatnonzero(~Z.any(axis=1))
    if len(zero):
        raise ValueError(
            f"point {zero[0]} is zero and has no direction; the normalised update needs one"
        )
    return Z


class Sweeps:
    """What runs know that sweep over n points in order: `mistakes`, and how many were `shown`."""

    X: np.ndarray
    mistakes: np.ndarray
    shown: int

    @property
    def dimension(self) -> int:
        return self.X.shape[1]

    @property
    def visits(self) -> np.ndarray:
        """How many points had been shown before each mistake."""
        return visits(self.mistakes, len(self.X))

    @property
    def passes(self) -> int:
        """How many sweeps were begun."""
        return math.ceil(self.shown / len(self.X))

    @property
    def converged(self) -> bool:
        """Whether the last sweep was without a mistake."""
        right_at_last = self.shown - (self.visits[-1] + 1 if len(self.mistakes) else 0)
        return bool(right_at_last >= len(self.X))

    def _so_far(self) -> str:
        end = "then none" if self.converged else "and not done"
        return f"{len(self.mistakes)} mistakes in {self.passes} passes, {end}"


@dataclass(frozen=True, eq=False, repr=False)
class Run(Sweeps, Classifier, Result):
    """A run of the perceptron: from `start`, w ← w + step·yx (or step·yx/‖x‖) at each mistake."""

    X: np.ndarray
    y: np.ndarray
    start: np.ndarray
    step: Number
    normalised: bool
    mistakes: np.ndarray  # the index of the point at each update
    shown: int  # how many points were looked at, over all sweeps

    @cached_property
    def directions(self) -> np.ndarray:
        """What each point adds to w when it is a mistake, before the step size: yx, or yx/‖x‖."""
        return directions(self.X, self.y, self.normalised)

    def w_after(self, t: int) -> np.ndarray:
        """Return w after t updates."""
        if not 0 <= t <= len(self.mistakes):
            raise ValueError(f"t is {t}; this run has 0 … {len(self.mistakes)} updates")
        counts = np.bincount(self.mistakes[:t], minlength=len(self.X)).astype(np.int64)
        return self.start + times(self.step, inner(counts, self.directions))

    @cached_property
    def w(self) -> np.ndarray:
        """The weights at the end."""
        return self.w_after(len(self.mistakes))

    def path(self) -> np.ndarray:
        """Return w before the first update and after each: an array of shape (mistakes + 1, d)."""
        updates = np.vstack([self.start, times(self.step, self.directions[self.mistakes])])
        return np.cumsum(widen(updates, len(updates)), axis=0)

    @property
    def halfspace(self) -> Halfspace:
        return Halfspace(self.w)

    def _scores(self, X: np.ndarray) -> np.ndarray:
        return self.halfspace.decision_function(X)

    def averaged(self) -> Halfspace:
        """Return the average of w over all points shown.

        It is Freund and Schapire's remedy for the last few mistakes.
        """
        share = (self.shown - self.visits) / max(self.shown, 1)
        sum_ = share @ to_float(self.directions[self.mistakes])
        return Halfspace(to_float(self.start) + float(self.step) * sum_)

    def pocket(self) -> Halfspace:
        """Return the first w of the run with the fewest mistakes on the data (Gallant's pocket)."""
        path = self.path()
        parts = np.array_split(path, 1 + len(path) // 1000)
        errors = [(inner(self.directions, part.T) <= 0).sum(axis=0) for part in parts]
        return Halfspace(path[np.concatenate(errors).argmin()])

    def check(self) -> None:
        """Verify that the algorithm, on these data, is wrong at these mistakes and nowhere else."""
        verify_run(
            self.X, self.y, self.start, self.step, self.normalised, self.mistakes, self.shown
        )

    def summary(self) -> str:
        return f"{self._so_far()}: {self.halfspace.summary()}"

    def _repr_html_(self) -> str:
        return f"{self._so_far()}: {self.halfspace._repr_html_()}"


@dataclass(frozen=True, eq=False, repr=False)
class KernelRun(Sweeps, Classifier, Result):
    """A run of the kernel perceptron: w = Σ countsᵢ yᵢ φ(xᵢ), and only the counts are needed."""

    X: np.ndarray
    y: np.ndarray
    kernel: Kernel
    mistakes: np.ndarray
    shown: int

    @property
    def counts(self) -> np.ndarray:
        """How often each point was a mistake; counts · y is often called α."""
        return np.bincount(self.mistakes, minlength=len(self.X)).astype(np.int64)

    def _scores(self, X: np.ndarray) -> np.ndarray:
        """Return ⟨w, φ(x)⟩ = Σ countsᵢ yᵢ K(xᵢ, x)."""
        used = np.flatnonzero(self.counts)
        if not len(used):
            return np.zeros(len(X), np.int64)
        return inner(self.kernel(X, self.X[used]), (self.counts * self.y)[used])

    def check(self) -> None:
        """Verify that the algorithm, on these data, is wrong at these mistakes and nowhere else."""
        verify_kernel_run(self.kernel, self.X, self.y, self.mistakes, self.shown)

    def summary(self) -> str:
        return f"{self._so_far()}: counts {self.counts.tolist()}"


class SearchedDirection(Classifier):
    """A w through the origin, found by updates; a subclass says how, and where it is right."""

    X: np.ndarray
    y: np.ndarray
    w: np.ndarray
    sigma: float

    @property
    def dimension(self) -> int:
        return len(self.w)

    def _scores(self, X: np.ndarray) -> np.ndarray:
        return Halfspace(self.w).decision_function(X)

    @property
    def converged(self) -> bool:
        """Whether no point with |cos(w, x)| ≥ sigma is a mistake."""
        try:
            verify_right_outside_cone(self.X, self.y, self.sigma, self.w)
        except CertificateError:
            return False
        return True


@dataclass(frozen=True, eq=False, repr=False)
class ConeRun(SearchedDirection, Result):
    """A run of the modified perceptron: its w is right wherever |cos(w, x)| ≥ sigma."""

    X: np.ndarray
    y: np.ndarray
    sigma: float
    starts: np.ndarray  # the random vector that each round began with
    mistakes: tuple[np.ndarray, ...]  # for each round, the index of the point at each update
    w: np.ndarray

    @property
    def updates(self) -> int:
        """How many updates were made, over all rounds."""
        return sum(map(len, self.mistakes))

    @property
    def rounds(self) -> int:
        """How many starts it took."""
        return len(self.starts)

    def check(self) -> None:
        """Verify that each update was made on a mistake outside the cone, and leads to w."""
        verify_cone_run(self.X, self.y, self.sigma, self.starts, self.mistakes, self.w)

    def summary(self) -> str:
        end = f"right wherever |cos(w, x)| ≥ {self.sigma:g}" if self.converged else "not done"
        return f"{self.updates} updates in {self.rounds} rounds, {end}: w = {_vector(self.w)}"


@dataclass(frozen=True, eq=False, repr=False)
class Phase(Result):
    """A phase of the rescaled perceptron: a run; if it failed, the search for where to stretch."""

    mistakes: np.ndarray
    start: np.ndarray | None  # of the search; None if the run succeeded
    removed: np.ndarray  # the points that the search met, outside its cone

    def summary(self) -> str:
        return f"{len(self.mistakes)} mistakes, {len(self.removed)} steps to a direction"


@dataclass(frozen=True, eq=False, repr=False)
class RescaledRun(SearchedDirection, Result):
    """A run of the rescaled perceptron: its w separates the data."""

    X: np.ndarray
    y: np.ndarray
    phases: tuple[Phase, ...]
    w: np.ndarray

    sigma = 0.0  # no cone: it is right everywhere

    @property
    def updates(self) -> int:
        """How many updates were made, those of the searches for a direction included."""
        return sum(len(phase.mistakes) + len(phase.removed) for phase in self.phases)

    @property
    def rounds(self) -> int:
        """How many phases it took."""
        return len(self.phases)

    def check(self) -> None:
        """Verify that each update was made on a mistake, and that the phases lead to w."""
        verify_rescaled_run(self.X, self.y, self.phases, self.w)

    def summary(self) -> str:
        end = "right everywhere" if self.converged else "not done"
        return f"{self.updates} updates in {self.rounds} phases, {end}: w = {_vector(self.w)}"


def _vector(w: np.ndarray) -> str:
    return f"({', '.join(map(brief, w.tolist()))})"
