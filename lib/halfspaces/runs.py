"""What a run of the perceptron leaves behind, and how it is verified."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from .validation import CertificateError, as_points, to_float
from .exact import dots, inner, is_exact, times, widen
from .halfspace import Halfspace, brief
from .kernels import Kernel


def directions(X: np.ndarray, y: np.ndarray, normalise: bool) -> np.ndarray:
    """Return what each point adds to w when it is a mistake: yx, or yx/‖x‖."""
    Z = y[:, None] * X
    if not normalise:
        return Z
    Z = to_float(Z)
    norms = np.sqrt((Z**2).sum(axis=1, keepdims=True))
    if not norms.all():
        raise ValueError(
            f"point {int(np.argmin(norms))} is zero and has no direction; the normalised update needs one"
        )
    return Z / norms


def units(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return yx/‖x‖ for each point, and 0 for 0."""
    Z = to_float(y[:, None] * X)
    norms = np.sqrt((Z**2).sum(axis=1, keepdims=True))
    return Z / np.where(norms, norms, 1)


@dataclass(frozen=True, eq=False)
class Run:
    """A run of the perceptron: which points were mistakes, in order. All else follows from that, when asked for."""

    X: np.ndarray = field(repr=False)
    y: np.ndarray = field(repr=False)
    mistakes: np.ndarray = field(repr=False)  # the index of the point at each update
    visits: np.ndarray = field(repr=False)  # how many points had been shown before it
    passes: int
    converged: bool
    start: np.ndarray = field(repr=False)
    step: float | int | Fraction
    normalised: bool

    @cached_property
    def directions(self) -> np.ndarray:
        """What each point adds to w when it is a mistake, before the step size: yx, or yx/‖x‖."""
        return directions(self.X, self.y, self.normalised)

    def w_after(self, t: int) -> np.ndarray:
        """Return w after t updates."""
        if not 0 <= t <= len(self.mistakes):
            raise ValueError(f"t is {t}; this run has 0 … {len(self.mistakes)} updates")
        counts = np.bincount(self.mistakes[:t], minlength=len(self.X))
        return self.start + times(self.step, inner(counts, self.directions))

    @cached_property
    def w(self) -> np.ndarray:
        return self.w_after(len(self.mistakes))

    def path(self) -> np.ndarray:
        """Return w before the first update and after each: an array of shape (mistakes + 1, d)."""
        updates = np.vstack([self.start, times(self.step, self.directions[self.mistakes])])
        return np.cumsum(widen(updates, len(updates)), axis=0)

    @property
    def halfspace(self) -> Halfspace:
        return Halfspace(self.w)

    def averaged(self) -> Halfspace:
        """Return the average of w over all points shown (Freund and Schapire's remedy for the last few mistakes)."""
        shown = self.passes * len(self.X)
        share = (shown - self.visits) / max(shown, 1)
        return Halfspace(
            to_float(self.start)
            + float(self.step) * (share @ to_float(self.directions[self.mistakes]))
        )

    def pocket(self) -> Halfspace:
        """Return the first w of the run that has the fewest mistakes on the data (Gallant's pocket)."""
        path = self.path()
        errors = np.concatenate(
            [
                (inner(self.directions, part.T) <= 0).sum(axis=0)
                for part in np.array_split(path, 1 + len(path) // 1000)
            ]
        )
        return Halfspace(path[errors.argmin()])

    def predict(self, X):
        """Label points by the last w."""
        return self.halfspace(X)

    def check(self) -> None:
        """Verify that each update was made on a mistake, and that a converged run leaves none."""
        path, made_on = self.path(), self.directions[self.mistakes]
        scores = dots(path[:-1], made_on)
        slack = 0 if is_exact(path, made_on) else 1e-12 * np.abs(path[:-1] * made_on).sum(axis=1)
        for t in np.flatnonzero(scores > slack):
            raise CertificateError(
                f"update {t + 1} was made on point {self.mistakes[t]}, where y⟨w,x⟩ > 0"
            )
        if self.converged:
            self.halfspace.check(self.X, self.y)

    def _repr_html_(self) -> str:
        end = "then none" if self.converged else "and not done"
        return f"{len(self.mistakes)} mistakes in {self.passes} passes, {end}: {self.halfspace._repr_html_()}"


@dataclass(frozen=True, eq=False)
class KernelRun:
    """A run of the kernel perceptron: w = Σ countsᵢ yᵢ φ(xᵢ), of which only the counts are kept."""

    X: np.ndarray = field(repr=False)
    y: np.ndarray = field(repr=False)
    kernel: Kernel
    mistakes: np.ndarray = field(repr=False)
    passes: int
    converged: bool

    @property
    def counts(self) -> np.ndarray:
        """How often each point was a mistake; the notes' α is counts · y."""
        return np.bincount(self.mistakes, minlength=len(self.X))

    def score(self, X) -> np.ndarray:
        """Return ⟨w, φ(x)⟩ = Σ countsᵢ yᵢ K(xᵢ, x)."""
        used = np.flatnonzero(self.counts)
        if not len(used):
            return np.zeros(len(as_points(X, self.X.shape[1])), int)
        return inner(self.kernel(X, self.X[used]), (self.counts * self.y)[used])

    def predict(self, X) -> np.ndarray:
        """Label points by the sign of the score, 0 counting as +1."""
        return np.where(self.score(X) >= 0, 1, -1)

    def check(self) -> None:
        """Verify that a converged run leaves no mistake."""
        scores = self.y * self.score(self.X)
        if self.converged and not (scores > 0).all():
            raise CertificateError(
                f"point {int(np.argmin(scores))} has y⟨w,φ(x)⟩ = {scores.min()}, which is not > 0"
            )

    def _repr_html_(self) -> str:
        end = "then none" if self.converged else "and not done"
        return f"{len(self.mistakes)} mistakes in {self.passes} passes, {end}: counts {self.counts.tolist()}"


@dataclass(frozen=True, eq=False)
class ConeRun:
    """A w that is right wherever |cos(w, x)| ≥ sigma, and what it took; with sigma = 0 it is right everywhere."""

    X: np.ndarray = field(repr=False)
    y: np.ndarray = field(repr=False)
    sigma: float
    w: np.ndarray
    updates: int
    rounds: int  # starts of the modified perceptron, phases of the rescaled one
    converged: bool

    def predict(self, X):
        """Label points by w."""
        return Halfspace(self.w)(X)

    def check(self) -> None:
        """Verify that no point outside the cone |cos(w, x)| < sigma is a mistake."""
        if not self.converged:
            return
        cosines = units(self.X, self.y) @ (self.w / np.linalg.norm(self.w))
        worst = int(cosines.argmin())
        if cosines[worst] <= -self.sigma:
            raise CertificateError(
                f"point {worst} is a mistake with |cos(w,x)| = {abs(cosines[worst]):.3g}"
            )

    def _repr_html_(self) -> str:
        where = f"wherever |cos(w, x)| ≥ {self.sigma:g}" if self.sigma else "everywhere"
        end = f"right {where}" if self.converged else "not done"
        return f"{self.updates} updates in {self.rounds} rounds, {end}: w = ({', '.join(map(brief, self.w.tolist()))})"
