"""The perceptron and its relatives.

A mistake is y⟨w,x⟩ ≤ 0, ties included, and the update is w ← w + ηyx. All is homogeneous: apply `homogenise`
first where a threshold is wanted. Every loop has a limit, and a run that meets it says `converged=False`.
"""

import math

import numpy as np

from .validation import as_count, as_number, as_points, as_real, as_sample, as_vector, to_float
from .exact import as_integers, is_exact, largest
from .kernels import Kernel, linear
from .runs import ConeRun, KernelRun, Run, directions, units

SMALL_BLOCK, LARGE_BLOCK = 512, 4096  # points scored at once: right after a mistake, and at most


def from_sets(good, bad) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y) for a set of good points (+1) and a set of bad points (−1)."""
    good, bad = as_points(good, name="good"), as_points(bad, name="bad")
    as_points(bad, good.shape[1], "bad")
    return np.vstack([good, bad]), np.repeat([1, -1], [len(good), len(bad)])


def run_perceptron(
    X,
    y,
    start=None,
    step=1,
    normalise: bool = False,
    max_passes: int = 100_000,
    max_updates: int = 100_000,
) -> Run:
    """Sweep over the points in order until a sweep without mistakes; `max_passes=1` is the online algorithm."""
    X, y = as_sample(X, y)
    start = (
        np.zeros(X.shape[1], X.dtype) if start is None else as_vector(start, X.shape[1], "start")
    )
    step = as_number(step, "step", low=0, strict=True)
    as_count(max_passes, "max_passes"), as_count(max_updates, "max_updates")
    points = y[:, None] * directions(X, y, normalise) if normalise else X
    if is_exact(points, start) and not isinstance(step, float):
        scan = _scan(
            *_as_whole_numbers(points, y, start, step, max_updates), max_passes, max_updates
        )
    else:
        scan = _scan(
            to_float(points), y, to_float(start), as_real(step, "step"), max_passes, max_updates
        )
    return Run(X, y, *scan, start, step, normalise)


def _as_whole_numbers(X: np.ndarray, y: np.ndarray, start: np.ndarray, step, max_updates: int):
    """Scale points, start and step to integers, in float64 if no sum can leave the range where that is exact."""
    X, c = as_integers(X)
    scaled = as_integers(np.append(start.astype(object) * c, step))[0]
    w, size = scaled[:-1], scaled[-1]
    if (largest(w) + size * max_updates * max(1, largest(X))) * max(1, largest(X)) * len(w) < 2**53:
        return X.astype(float), y, w.astype(float), float(size)
    return X, y.astype(object), w, size


def _scan(X: np.ndarray, y: np.ndarray, w: np.ndarray, step, max_passes: int, max_updates: int):
    """Run the textbook loop, a block of points at a time; return mistakes, visits, passes, converged.

    Floats are screened in single precision, which is half the memory to read: only a score too close to 0 for its
    sign to be certain is computed in full. How close follows from ‖w‖² ≤ ‖w₀‖² + tη²R², the lemma of the proof.
    """
    n, d = X.shape
    if X.dtype == object:
        screen, change, error, size2, growth = y[:, None] * X, step * y, 0, 0, 0
    else:
        scale = 2.0 ** math.frexp(largest(X))[1]  # a power of two: dividing by it rounds nothing
        unit = 2.0 ** max(
            0, math.frexp(max(step, largest(w)))[1] - 60
        )  # the run is the same in any unit of w
        w, step = w / unit, step / unit
        w, change, screen = w / scale, step / scale * y, np.empty(X.shape, np.float32)
        np.multiply(X, (y / scale)[:, None], out=screen, casting="same_kind")
        error, size2, growth = (d + 4) * 2.0**-24 * math.sqrt(d), float(w @ w), step**2 * d
    mistakes, visits, block = [], [], SMALL_BLOCK
    low, tie = w.astype(screen.dtype), error * math.sqrt(size2)
    for sweep in range(max_passes):
        before, i = len(mistakes), 0
        while i < n:
            scores = screen[i : i + block].dot(low)  # less overhead than @
            hit = int((scores <= tie).argmax())
            score = scores[hit]
            if score > tie:
                i, block = i + block, min(2 * block, LARGE_BLOCK)
                continue
            i, block = i + hit, max(SMALL_BLOCK, hit)
            if score < -tie or y[i] * X[i].dot(w) <= 0:
                if len(mistakes) == max_updates:
                    return np.array(mistakes), np.array(visits), sweep + 1, False
                mistakes.append(i)
                visits.append(sweep * n + i)
                w = w + change[i] * X[i]
                size2 += growth
                low, tie = w.astype(screen.dtype), error * math.sqrt(size2)
            i += 1
        if len(mistakes) == before:
            return np.array(mistakes, int), np.array(visits, int), sweep + 1, True
    return np.array(mistakes, int), np.array(visits, int), max_passes, False


def run_kernel_perceptron(
    X, y, kernel: Kernel = linear, max_passes: int = 100_000, max_updates: int = 100_000
) -> KernelRun:
    """Run the perceptron in the kernel's feature space, in integer counts; a column of K is made when first used."""
    X, y = as_sample(X, y)
    as_count(max_passes, "max_passes"), as_count(max_updates, "max_updates")
    columns, scores, mistakes = {}, 0 * y, []
    for sweep in range(max_passes):
        before, i = len(mistakes), 0
        while i < len(X):
            wrong = y[i:] * scores[i:] <= 0
            hit = int(wrong.argmax())
            if not wrong[hit]:
                break
            i += hit
            if len(mistakes) == max_updates:
                return KernelRun(X, y, kernel, np.array(mistakes), sweep + 1, False)
            if i not in columns:
                columns[i] = y[i] * kernel(X, X[i : i + 1])[:, 0]
            mistakes.append(i)
            scores, i = scores + columns[i], i + 1
        if len(mistakes) == before:
            return KernelRun(X, y, kernel, np.array(mistakes, int), sweep + 1, True)
    return KernelRun(X, y, kernel, np.array(mistakes, int), max_passes, False)


def run_modified_perceptron(
    X, y, sigma, rng: np.random.Generator | None = None, max_updates: int = 100_000
) -> ConeRun:
    """Find w that is right wherever |cos(w,x)| ≥ sigma (Blum, Frieze, Kannan and Vempala).

    From a random unit vector, w ← w − ⟨w,x̂⟩x̂ while some mistake has |cos(w,x)| ≥ sigma; a start that takes
    more than (ln d)/σ² updates is given up, and on separable data each succeeds with constant probability.
    """
    X, y = as_sample(X, y)
    sigma = as_real(sigma, "sigma", low=0, strict=True)
    if sigma > 1:
        raise ValueError(f"sigma is {sigma:g}; a cosine in (0, 1] is expected")
    signed, rng = units(X, y), rng or np.random.default_rng(1996)
    limit = max(1, math.ceil(math.log(X.shape[1]) / sigma**2))
    total, starts, done = 0, 0, False
    while not done and total < as_count(max_updates, "max_updates"):
        w, updates, done = _improve(signed, sigma, min(limit, max_updates - total), rng)
        total, starts = total + updates, starts + 1
    return ConeRun(X, y, sigma, w, total, starts, done)


def run_rescaled_perceptron(
    X, y, rng: np.random.Generator | None = None, max_updates: int = 100_000
) -> ConeRun:
    """Find a separating w by stretching space along good directions between runs (Dunagan and Vempala).

    Each phase tries 16d² plain updates; then finds a direction that no point opposes by a cosine of 1/(32d) or
    more, and doubles it, which on average widens a thin cone of solutions, by a factor 1 + Θ(1/d).
    """
    X, y = as_sample(X, y)
    signed, rng, d = units(X, y), rng or np.random.default_rng(2004), X.shape[1]
    if not signed.any(axis=1).all():
        raise ValueError(
            "X contains a zero vector, which is on no side; points that are not zero are expected"
        )
    stretch, total, phases = np.eye(d), 0, 0
    while total < as_count(max_updates, "max_updates"):
        rows = signed @ stretch
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        run = run_perceptron(rows, np.ones(len(rows), int), max_updates=16 * d * d)
        total, phases, w = total + len(run.mistakes), phases + 1, stretch @ run.w
        if run.converged and (signed @ w > 0).all():
            return ConeRun(X, y, 0.0, w, total, phases, True)
        limit = math.ceil(math.log(d + 1) * (32 * d) ** 2)
        direction, updates, done = _improve(
            rows, 1 / (32 * d), min(limit, max(1, max_updates - total)), rng
        )
        total += updates
        if done:
            stretch = stretch @ (np.eye(d) + np.outer(direction, direction))
    return ConeRun(X, y, 0.0, w, total, phases, False)


def _improve(signed: np.ndarray, sigma: float, limit: int, rng) -> tuple[np.ndarray, int, bool]:
    """From a random unit vector, remove the component along points that are wrong by a cosine of sigma or more."""
    w = rng.normal(size=signed.shape[1])
    for updates in range(limit + 1):
        w = w / np.linalg.norm(w)
        cosines = signed @ w
        worst = int(cosines.argmin())
        if cosines[worst] > -sigma:
            return w, updates, True
        w = w - cosines[worst] * signed[worst]
        if np.linalg.norm(w) < 1e-9:  # w pointed exactly away from a point: nothing is left of it
            break
    return signed[worst], max(1, updates), False
