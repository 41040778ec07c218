"""The perceptron and its relatives.

A mistake is y⟨w,x⟩ ≤ 0, ties included, and the update is w ← w + ηyx. All is homogeneous: apply
`homogenise` first where a threshold is wanted. Every loop has a limit, and a run that meets it says
`converged=False`.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .certificates import signed_points
from .exact import as_integers, is_exact, largest
from .kernels import Kernel, linear
from .runs import ConeRun, KernelRun, Phase, RescaledRun, Run, directions
from .validation import (
    ArrayLike,
    Number,
    Rng,
    as_count,
    as_kernel,
    as_number,
    as_points,
    as_real,
    as_rng,
    as_sample,
    as_vector,
    to_float,
)

SMALL_BLOCK, LARGE_BLOCK = 512, 4096  # points scored at once: right after a mistake, and at most


def from_sets(good: ArrayLike, bad: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y) for a set of good points (+1) and a set of bad points (−1)."""
    good, bad = as_points(good, name="good"), as_points(bad, name="bad")
    as_points(bad, good.shape[1], "bad")
    return np.vstack([good, bad]), np.repeat([1, -1], [len(good), len(bad)])


def run_perceptron(
    X: ArrayLike,
    y: ArrayLike,
    start: ArrayLike | None = None,
    step: Number = 1,
    normalise: bool = False,
    max_passes: int = 100_000,
    max_updates: int = 100_000,
) -> Run:
    """Sweep over the points in order until a sweep is without mistakes.

    With `max_passes=1` it is the online algorithm.
    """
    X, y = as_sample(X, y)
    start = (
        np.zeros(X.shape[1], X.dtype) if start is None else as_vector(start, X.shape[1], "start")
    )
    step = as_number(step, "step", low=0, strict=True)
    as_count(max_passes, "max_passes")
    as_count(max_updates, "max_updates")
    points = y[:, None] * directions(X, y, normalise) if normalise else X
    if is_exact(points, start) and not isinstance(step, float):
        problem = _as_whole_numbers(points, y, start, step, max_updates)
    else:
        problem = to_float(points), y, to_float(start), as_real(step, "step")
    mistakes, visits, passes, converged = _scan(*problem, max_passes, max_updates)
    cut_short = not converged and len(mistakes) == max_updates
    shown = int(visits[-1]) + 1 if cut_short else passes * len(X)
    return Run(X, y, start, step, bool(normalise), mistakes, shown)


def _as_whole_numbers(
    X: np.ndarray, y: np.ndarray, start: np.ndarray, step: Number, max_updates: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Scale points, start and step to integers, in float64 if every sum is exact there."""
    X, c = as_integers(X)
    scaled = as_integers(np.append(start.astype(object) * c, np.array(step, object)))[0]
    w, size = scaled[:-1], scaled[-1]
    if (largest(w) + size * max_updates * max(1, largest(X))) * max(1, largest(X)) * len(w) < 2**53:
        return X.astype(float), y, w.astype(float), float(size)
    return X, y.astype(object), w, size


class _Screen(NamedTuple):
    """A run in a unit where points have size 1, and the points times labels to find mistakes in.

    A score computed from `points` and a rounded w is off by at most `error`·‖w‖; by the lemma of
    the proof each mistake adds at most `growth` to ‖w‖².
    """

    points: np.ndarray
    w: np.ndarray
    change: np.ndarray  # what a mistake on each point adds to w, as a multiple of the point
    error: float
    growth: float


def _screen_exactly(X: np.ndarray, y: np.ndarray, w: np.ndarray, step: Any) -> _Screen:
    """Screen integers and fractions as they are."""
    return _Screen(y[:, None] * X, w, step * y, 0.0, 0.0)


def _screen_in_single_precision(
    X: np.ndarray, y: np.ndarray, w: np.ndarray, step: float
) -> _Screen:
    """Screen floats in half the memory; the scales are powers of two, which round nothing."""
    d = X.shape[1]
    scale = 2.0 ** math.frexp(largest(X))[1]
    unit = 2.0 ** max(0, math.frexp(max(step, largest(w)))[1] - 60)  # a large w would overflow
    points = np.empty(X.shape, np.float32)
    np.multiply(X, (y / scale)[:, None], out=points, casting="same_kind")
    error = (d + 4) * 2.0**-24 * math.sqrt(d)
    return _Screen(points, w / unit / scale, step / unit / scale * y, error, (step / unit) ** 2 * d)


@np.errstate(invalid="ignore")  # BLAS may compute with what lies beside the data in memory, too
def _scan(
    X: np.ndarray, y: np.ndarray, w: np.ndarray, step: Any, max_passes: int, max_updates: int
) -> tuple[np.ndarray, np.ndarray, int, bool]:
    """Run the textbook loop by blocks; return mistakes, visits, passes, converged.

    Only a score too close to 0 for its sign to be certain is computed in full.
    """
    screen = _screen_exactly if X.dtype == object else _screen_in_single_precision
    points, w, change, error, growth = screen(X, y, w, step)
    n, block = len(X), SMALL_BLOCK
    mistakes: list[int] = []
    visits: list[int] = []
    square = float(w @ w) if error else 0.0
    low, doubt = w.astype(points.dtype), error * math.sqrt(square)
    passes, converged, full = 0, False, False
    while passes < max_passes and not converged and not full:
        before, i = len(mistakes), 0
        while i < n:
            scores = points[i : i + block].dot(low)  # less overhead than @
            hit = int((scores <= doubt).argmax())
            score = scores[hit]
            if score > doubt:  # no mistake in this block
                i, block = i + block, min(2 * block, LARGE_BLOCK)
                continue
            i, block = i + hit, max(SMALL_BLOCK, hit)
            if score < -doubt or y[i] * X[i].dot(w) <= 0:
                full = len(mistakes) == max_updates
                if full:
                    break
                mistakes.append(i)
                visits.append(passes * n + i)
                w = w + change[i] * X[i]
                square += growth
                low, doubt = w.astype(points.dtype), error * math.sqrt(square)
            i += 1
        passes += 1
        converged = not full and len(mistakes) == before
    return np.array(mistakes, np.int64), np.array(visits, np.int64), passes, converged


def run_kernel_perceptron(
    X: ArrayLike,
    y: ArrayLike,
    kernel: Kernel = linear,
    max_passes: int = 100_000,
    max_updates: int = 100_000,
) -> KernelRun:
    """Run the perceptron in the kernel's feature space, in integer counts.

    A column of K is made when it is first used.
    """
    X, y = as_sample(X, y)
    as_kernel(kernel)
    end = as_count(max_passes, "max_passes") * len(X)
    as_count(max_updates, "max_updates")
    columns: dict[int, np.ndarray] = {}
    mistakes: list[int] = []
    scores = np.zeros(len(X), np.int64)
    shown, visit = 0, -1  # points shown so far, and before the last mistake
    while shown < end:
        i = shown % len(X)
        wrong = y[i:] * scores[i:] <= 0
        hit = int(wrong.argmax())
        if not wrong[hit]:
            shown += len(X) - i
            if shown - 1 - visit >= len(X):
                break  # a whole sweep without a mistake
            continue
        if len(mistakes) == max_updates:
            shown = visit + 1
            break
        i, visit = i + hit, shown + hit
        if i not in columns:
            columns[i] = y[i] * kernel(X, X[i : i + 1])[:, 0]
        mistakes.append(i)
        scores = scores + columns[i]
        shown = visit + 1
    return KernelRun(X, y, kernel, np.array(mistakes, np.int64), shown)


def run_modified_perceptron(
    X: ArrayLike,
    y: ArrayLike,
    sigma: Number,
    rng: Rng = 1996,
    max_updates: int = 100_000,
) -> ConeRun:
    """Find w that is right wherever |cos(w,x)| ≥ sigma (Blum, Frieze, Kannan and Vempala).

    From a random unit vector, w ← w − ⟨w,x̂⟩x̂ while some mistake has |cos(w,x)| ≥ sigma; a start
    that takes more than (ln d)/σ² updates is given up. On separable data each succeeds with
    constant probability.
    """
    X, y = as_sample(X, y)
    sigma = as_real(sigma, "sigma", low=0, strict=True)
    if sigma > 1:
        raise ValueError(f"sigma is {sigma:g}; a cosine in (0, 1] is expected")
    rng = as_rng(rng)
    left = as_count(max_updates, "max_updates")
    limit = max(1, math.ceil(math.log(X.shape[1]) / sigma**2))
    starts, mistakes = [], []
    done = False
    while not done and left > 0:
        start, met, w, done = _improve(signed_points(X, y, unit=True), sigma, min(limit, left), rng)
        starts.append(start)
        mistakes.append(met)
        left -= max(1, len(met))  # a start costs something too, or a loop could be endless
    return ConeRun(X, y, sigma, np.array(starts), tuple(mistakes), w)


def run_rescaled_perceptron(
    X: ArrayLike, y: ArrayLike, rng: Rng = 2004, max_updates: int = 100_000
) -> RescaledRun:
    """Find a separating w by stretching space between runs (Dunagan and Vempala).

    Each phase tries 16d² plain updates; then finds a good direction, one that no point opposes by
    a cosine of 1/(32d) or more, and doubles it, which on average widens a thin cone of solutions,
    by a factor 1 + Θ(1/d).
    """
    X, y = as_sample(X, y)
    signed, rng, d = signed_points(X, y, unit=True), as_rng(rng), X.shape[1]
    if not signed.any(axis=1).all():
        raise ValueError(
            "X contains a zero vector, which is on no side; points that are not zero are expected"
        )
    left = as_count(max_updates, "max_updates")
    steps = math.ceil(math.log(d + 1) * (32 * d) ** 2)  # for the search of a direction
    stretch, phases = np.eye(d), []
    while left > 0:
        rows = signed @ stretch
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        run = run_perceptron(rows, np.ones(len(rows), np.int64), max_updates=16 * d * d)
        w = stretch @ run.path()[-1]
        left -= len(run.mistakes)
        if run.converged and (signed @ w > 0).all():
            phases.append(Phase(run.mistakes, None, np.zeros(0, np.int64)))
            break
        start, met, direction, done = _improve(rows, 1 / (32 * d), min(steps, max(1, left)), rng)
        phases.append(Phase(run.mistakes, start, met))
        left -= max(1, len(met))
        if done:
            stretch = stretch @ (np.eye(d) + np.outer(direction, direction))
    return RescaledRun(X, y, tuple(phases), w)


def _improve(
    signed: np.ndarray, sigma: float, limit: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray, bool]:
    """From a random unit vector, remove the component along points that are too wrong.

    That is, by a cosine of sigma or more. Return the start, the points that were met, where that
    leads, and whether none is left.
    """
    start = rng.normal(size=(signed.shape[1],))
    w = start / np.linalg.norm(start)
    met: list[int] = []
    for _ in range(limit + 1):
        cosines = signed @ w
        worst = int(cosines.argmin())
        if cosines[worst] > -sigma:
            return start, np.array(met, np.int64), w, True
        rest = w - cosines[worst] * signed[worst]
        if len(met) == limit or np.linalg.norm(rest) < 1e-9:  # w pointed exactly away from a point
            break
        met.append(worst)
        w = rest / np.linalg.norm(rest)
    return start, np.array(met, np.int64), w, False
