"""Run the claims of notebook 10 against what a reader takes for a counterexample.

    list_as_sum([0, 1, 0])
    two_separators([(0, 1)], [(1, 1)], [(-1, 0)])

Each function takes whole numbers and returns a verdict: the claim is broken, or it survives, or its
hypothesis does not hold and nothing was tested.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import wraps
from html import escape
from typing import Any

import numpy as np

from ..perceptron import run_perceptron
from ..separability import separate
from ..svm import solve_svm
from .palette import GREEN, GREY, ORANGE

LONGEST = 60  # corners have at most so many coordinates
SWEEPS = 100  # after which a loop that still changes something is taken to have no end
LARGEST = 10**6
UPDATES = 10**5
Points = Sequence[Sequence[int]]


class Fate(StrEnum):
    """What became of a claim."""

    BROKEN = "broken"
    SURVIVES = "survives"
    UNTESTED = "untested"


LOOKS = {  # a sign, a title and a colour
    Fate.BROKEN: ("✗", "Broken", ORANGE),
    Fate.SURVIVES: ("✓", "It survives", GREEN),
    Fate.UNTESTED: ("…", "Not tested", GREY),
}


@dataclass(frozen=True)
class Verdict:
    """Say what became of a claim, in words, a sign and a colour."""

    fate: Fate
    sentence: str

    def __repr__(self) -> str:
        sign, title, _ = LOOKS[self.fate]
        return f"{sign} {title}: {self.sentence}"

    def _repr_html_(self) -> str:
        sign, title, colour = LOOKS[self.fate]
        return (
            f'<div role="status" style="border-left:.4em solid {colour};padding:.3em .8em">'
            f"<strong>{sign} {title}:</strong> {escape(self.sentence)}</div>"
        )


def tells(claim: Callable[..., Verdict]) -> Callable[..., Verdict]:
    """Turn the complaint about what a reader wrote into a verdict: nothing was tested."""

    @wraps(claim)
    def told(*example: Any) -> Verdict:
        try:
            return claim(*example)
        except ValueError as error:
            return Verdict(Fate.UNTESTED, str(error))
        except TypeError:
            return Verdict(Fate.UNTESTED, "lists of whole numbers are expected.")

    return told


def judge(holds: bool, sentence: str) -> Verdict:
    """Return a verdict on a claim that was tested."""
    return Verdict(Fate.SURVIVES if holds else Fate.BROKEN, sentence)


@tells
def list_as_sum(x: Sequence[int]) -> Verdict:
    """Compare the list x₁ → 1, ¬x₂ → 0, …, ¬x_k → 0, else 1 with the sum that is claimed for it."""
    k = len(x)
    if not 3 <= k <= LONGEST or not set(x) <= {0, 1}:
        raise ValueError(f"a corner is expected: 3 to {LONGEST} numbers, each 0 or 1.")
    first, *others, last = (int(value) for value in x)
    middle = sum(2 ** (k - i) * (1 - value) for i, value in enumerate(others, 1))
    total = 2**k * first - middle + 2 * last + 1
    listed = bool(first or all(others) and last)
    sentence = f"the list says {int(listed)}; the sum is {total}, so it says {int(total >= 1)}."
    return judge(listed == (total >= 1), sentence)


@tells
def kernel_loop(X: Points, y: Sequence[int]) -> Verdict:
    """Run the loop with Σᵢ αⱼK(xⱼ,xᵢ) on separable points, with the linear kernel."""
    points, labels = labelled(X, y)
    need_separable(points, labels, "the points")
    K = (points @ points.T).tolist()
    alpha = [0] * len(K)
    for _ in range(SWEEPS):
        before = alpha[:]
        for j, row in enumerate(K):
            if labels[j] * sum(alpha[j] * value for value in row) <= 0:
                alpha[j] += int(labels[j])
        if alpha == before:
            break
    else:
        return judge(False, f"after {SWEEPS} sweeps it still changes α: it never ends.")
    scores = labels * (points @ points.T @ np.array(alpha))
    wrong = [i for i, score in enumerate(scores) if score <= 0]
    if wrong:
        return judge(
            False, f"it ends with α = {alpha}, and point {wrong[0]} is not on its right side."
        )
    return judge(True, f"it ends with α = {alpha}, and every point is right.")


@tells
def last_vector(X: Points, y: Sequence[int]) -> Verdict:
    """Put a run into the lines ⟨w_m,w*⟩ ≥ m and m ≤ R²‖w*‖², with w₁ = 0 and m corrections."""
    points, labels = labelled(X, y)
    w = need_separable(points, labels, "the points")
    least = min(labels * (points @ w))
    star = [Fraction(int(value)) / int(least) for value in w]
    run = run_perceptron(points, labels, max_updates=UPDATES)
    m = len(run.mistakes)
    before = sum(s * int(value) for s, value in zip(star, run.path()[m - 1]))
    bound = int((points**2).sum(axis=1).max()) * sum(s * s for s in star)
    line = f"m = {m}, and line 2 says ⟨w_m,w*⟩ = {before} ≥ {m}"
    conclusion = f"the conclusion says {m} ≤ {bound}, which is {'true' if m <= bound else 'false'}"
    return judge(before >= m, f"{line}; {conclusion}.")


@tells
def two_separators(A: Points, B: Points, C: Points) -> Verdict:
    """Look for a separator of A and B ∪ C, where A and B have one, and A and C."""
    a, b, c = whole(A), whole(B), whole(C)
    for other, name in ((b, "A and B"), (c, "A and C")):
        need_separable(np.vstack([a, other]), signs(a, other), name)
    rest = np.vstack([b, c])
    found = separate(np.vstack([a, rest]), signs(a, rest), bias=False)
    if found.halfspace is not None:
        return judge(True, f"w = {tuple(found.halfspace.w.tolist())} separates A from B and C.")
    weights = ", ".join(map(str, found.multiplicities()))
    return judge(False, f"with the weights {weights} the points of A and those of B, C agree.")


@tells
def one_more_feature(X: Points, y: Sequence[int], feature: Sequence[int]) -> Verdict:
    """Compare (R/γ)² with and without a further feature."""
    points, labels = labelled(X, y)
    need_separable(points, labels, "the points")
    if len(feature) != len(points):
        raise ValueError(f"{len(points)} points need as many values of the feature.")
    longer = np.hstack([points, whole([[value] for value in feature])])
    (before, few), (after, many) = (bound_and_mistakes(P, labels) for P in (points, longer))
    sentence = (
        f"the bound was {before:.4g} and is {after:.4g}; the perceptron made {few} and now makes "
        f"{many} mistakes."
    )
    return judge(after <= before * (1 + 1e-9), sentence)


def bound_and_mistakes(points: np.ndarray, labels: np.ndarray) -> tuple[float, int]:
    """Return (R/γ)² with the largest margin γ, and the mistakes of a run."""
    margin = solve_svm(points, labels, bias=False).margin
    run = run_perceptron(points, labels, max_updates=UPDATES)
    return float((points**2).sum(axis=1).max() / margin**2), len(run.mistakes)


@tells
def two_halves(A: Points, B: Points) -> Verdict:
    """Compare the street of two halves' support vectors with that of all points, labelled +."""
    halves = [whole(A), whole(B)]
    everything = np.vstack(halves)
    need_separable(everything, np.ones(len(everything)), "all points together")
    kept = np.vstack([half[street(half).support] for half in halves])
    merged, best = street(kept), street(everything)
    wrong = int((everything @ merged.w <= 0).sum())
    sentence = (
        f"{len(kept)} of {len(everything)} points are kept; their street is "
        f"{2 * merged.margin:.4g} wide and wrong on {wrong}, that of all points is "
        f"{2 * best.margin:.4g} wide."
    )
    return judge(abs(merged.margin / best.margin - 1) < 1e-6, sentence)


def street(points: np.ndarray) -> Any:
    """Return the widest street through the origin of points labelled +."""
    return solve_svm(points, np.ones(len(points)), bias=False)


@tells
def one_point_fewer(X: Points) -> Verdict:
    """Compare the mistakes on points labelled + with those when the first is left out."""
    points = whole(X)
    if len(points) < 2:
        raise ValueError("two points or more are expected, for one of them is left out.")
    labels = np.ones(len(points), dtype=np.int64)
    need_separable(points, labels, "the points")
    before, after = (
        len(run_perceptron(P, np.ones(len(P)), max_updates=UPDATES).mistakes)
        for P in (points, points[1:])
    )
    return judge(after <= before, f"{before} mistakes on all points, {after} without the first.")


def whole(X: Any) -> np.ndarray:
    """Return points as whole numbers, or say what is wrong with them."""
    if len({len(row) for row in X}) != 1:
        raise ValueError("points of one length are expected, and at least one.")
    points = np.array(X)
    if points.ndim != 2 or not points.size or points.dtype.kind not in "iu":
        raise ValueError("points are expected, a list of lists of whole numbers, all as long.")
    if np.abs(points).max() > LARGEST:
        raise ValueError(f"numbers up to {LARGEST:,} are expected.")
    return points.astype(np.int64)


def labelled(X: Any, y: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return points and labels, or say what is wrong with them."""
    points = whole(X)
    if len(y) != len(points) or any(label not in (-1, 1) for label in y):
        raise ValueError(f"{len(points)} points need as many labels, each 1 or −1.")
    return points, np.array(y, dtype=np.int64)


def signs(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return +1 for each point of a and −1 for each of b."""
    if a.shape[1] != b.shape[1]:
        raise ValueError("all points need the same number of coordinates.")
    return np.repeat(np.array([1, -1]), [len(a), len(b)])


def need_separable(points: np.ndarray, labels: np.ndarray, name: str) -> np.ndarray:
    """Return a separator through the origin, or complain that the claim is not about such data."""
    found = separate(points, labels, bias=False)
    if found.halfspace is None:
        raise ValueError(f"{name} cannot be separated through the origin, and the claim needs it.")
    return found.halfspace.w
