"""What it takes to believe an answer: one verifier for each kind, in plain textbook code.

Nothing here searches, and nothing here trusts whoever did. A verifier is given the problem, the
answer and its witness, works out everything else again, and raises `CertificateError` at the
first line that fails. Each one's docstring is the claim that it proves.

Integers and fractions are compared exactly, and so is the sign of a single sum of floats, for a
float is a fraction too. Where the answer itself comes out of many rounded steps, it is allowed
the errors of those steps and no more: the four numbers below, each relative to the sizes of the
terms that were added up, so that no unit of measurement matters.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from .exact import as_fractions, as_integers, dependence, inner, is_exact, plain, times, widen
from .validation import Number

if TYPE_CHECKING:  # they import this module
    from .kernels import Kernel
    from .losses import Loss
    from .runs import Phase

ROUNDING = 2.0**-50  # for each term of a sum: a product and an addition err by 2⁻⁵³ each
DRIFT = 1e-9  # of what a run adds up: even a million additions err by less
GRAM = 1e-12  # of √(KᵢᵢKⱼⱼ), for an entry of a Gram matrix: eigenvectors carry errors of 1e-15 n
GAP = 1e-8  # between primal and dual value: that is where a solver may stop


class CertificateError(AssertionError):
    """A certificate that does not prove what it claims; the message names the row that fails."""


def require(holds: object, sentence: str) -> None:
    """Raise the sentence unless `holds`; a comparison with NaN does not hold."""
    if not holds:
        raise CertificateError(sentence)


def signed_points(X: np.ndarray, y: np.ndarray, unit: bool = False) -> np.ndarray:
    """Return z = yx for each point, or yx/‖x‖ (and 0 for 0); there is a label ±1 for each."""
    require(X.ndim == 2 and y.shape == (len(X),), f"{len(y)} labels for {len(X)} points")
    require((abs(y) == 1).all(), "labels are −1 and +1")
    Z = y[:, None] * X
    if not unit:
        return Z
    Z = Z.astype(float)
    norms = np.sqrt((Z**2).sum(axis=1, keepdims=True))
    return Z / np.where(norms, norms, 1)


def signs(X: np.ndarray, w: np.ndarray, b: Number = 0) -> np.ndarray:
    """Return the sign of ⟨w, x⟩ − b at each point, without any error of rounding."""
    if is_exact(X, w) and not isinstance(b, float):
        scores = inner(X, w)
        return (scores > b).astype(int) - (scores < b).astype(int)
    A, v, c = X.astype(float), w.astype(float), float(b)
    require(np.isfinite(v).all() and math.isfinite(c), "w and b must be finite")
    scores = A @ v - c
    doubt = (len(v) + 3) * ROUNDING * (abs(A) @ abs(v) + abs(c))
    found = np.sign(scores).astype(int)
    for i in np.flatnonzero(~(abs(scores) > doubt)):
        score = sum(as_fractions(X[i]) * as_fractions(w)) - Fraction(b)
        found[i] = (score > 0) - (score < 0)
    return found


# Halfspaces that label the data as they should


def verify_separator(X: np.ndarray, y: np.ndarray, w: np.ndarray, b: Number = 0) -> None:
    """Every point is strictly on its side: y(⟨w, x⟩ − b) > 0."""
    signed_points(X, y)
    right = y * signs(X, w, b) > 0
    i = int(right.argmin())
    require(right[i], f"point {i} with label {y[i]:+d} has y(⟨w,x⟩ − b) ≤ 0")


def verify_labels(X: np.ndarray, y: np.ndarray, w: np.ndarray, b: Number = 0) -> None:
    """The halfspace {x : ⟨w, x⟩ ≥ b} labels every point as y does; its boundary counts as +1."""
    right = np.where(signs(X, w, b) >= 0, 1, -1) == y
    i = int(right.argmin())
    require(right[i], f"the halfspace does not give x = {tuple(X[i].tolist())} the label {y[i]:+d}")


def verify_no_separator(
    X: np.ndarray, y: np.ndarray, weights: np.ndarray, bias: bool = True
) -> None:
    """No halfspace separates the points (none through the origin, without bias).

    For if weights λ ≥ 0, Σλ = 1, cancel, Σ λᵢyᵢ(xᵢ, −1) = 0, then Σ λᵢ · yᵢ(⟨w, xᵢ⟩ − b) = 0 for
    every w and b, and not all of these yᵢ(⟨w, xᵢ⟩ − b) can be positive.
    """
    Z = signed_points(X, y)
    require(len(weights) == len(y), f"{len(weights)} weights for {len(y)} points")
    used = np.flatnonzero(weights)
    i = int(weights.argmin())
    require(weights[i] >= 0, f"the weight of point {i} is {weights[i]}, which is negative")
    total = sum(as_fractions(weights[used]))
    require(total == 1, f"the weights sum to {total}, not to 1")
    for j, sum_ in enumerate(as_fractions(weights[used]) @ as_fractions(Z[used])):
        require(sum_ == 0, f"coordinate {j} of Σ λᵢyᵢxᵢ is {float(sum_):.3g}, not 0")
    balance = sum(as_fractions(weights[used]) * y[used])
    require(not bias or balance == 0, f"Σ λᵢyᵢ is {float(balance):.3g}, not 0")


def verify_no_separator_in_features(
    kernel: "Kernel", X: np.ndarray, y: np.ndarray, weights: np.ndarray, bias: bool = True
) -> None:
    """No halfspace separates the points in the kernel's feature space, to rounding.

    The weights are as above, and the length of Σ λᵢyᵢφ(xᵢ) is known from the kernel alone.
    """
    signed_points(X, y)
    require(len(weights) == len(y), f"{len(weights)} weights for {len(y)} points")
    used = np.flatnonzero(weights)
    c, K = (weights * y)[used], kernel(X[used], X[used])
    slack = 0 if is_exact(K, c) else len(used) * ROUNDING
    require((weights >= 0).all(), f"the weight of point {weights.argmin()} is negative")
    require(abs(abs(c).sum() - 1) <= slack, f"the weights sum to {abs(c).sum()}, not to 1")
    require(not bias or abs(c.sum()) <= slack, f"Σ λᵢyᵢ is {c.sum()}, not 0")
    square = c @ K @ c
    require(square <= slack * K.diagonal().max(), f"‖Σ λᵢyᵢφ(xᵢ)‖² is {square}, not 0")


def verify_fewest_errors(
    X: np.ndarray, y: np.ndarray, w: np.ndarray, b: Number = 0, bias: bool = True
) -> None:
    """No halfspace makes fewer errors than this one; a point on the boundary is an error."""
    points = np.hstack([as_fractions(X), -np.ones((len(X), int(bias)), object)])
    Z = signed_points(as_integers(points)[0], y)
    errors = int((y * signs(X, w, b) <= 0).sum())
    fewest = fewest_errors(Z)
    require(errors <= fewest, f"this halfspace makes {errors} errors, and {fewest} can be reached")
    require(bias or b == 0, f"without bias the threshold is 0, and this one is {b}")


def fewest_errors(Z: np.ndarray) -> int:
    """Return the least number of rows with ⟨w, z⟩ ≤ 0 that any w has.

    Turn a best w without turning over a row until it is orthogonal to as many independent rows
    as possible: but for its sign, those rows determine it. On all other rows it is as good as
    before, and how well the rows on its hyperplane can do is the same question again.
    """
    Z = Z[:, independent(Z.T)]
    n, k = Z.shape
    best, tried = n, set()
    for rows in combinations(range(n), k - 1) if k else ():
        scores = Z @ dependence(Z[np.array(rows, np.int64)].T)
        on = scores == 0
        if on.tobytes() in tried:
            continue
        tried.add(on.tobytes())
        for errors in sorted((int((scores < 0).sum()), int((scores > 0).sum()))):
            if errors < best:
                best = min(best, errors + fewest_errors(Z[on]))
    return best


def independent(rows: np.ndarray) -> list[int]:
    """Return the indices of rows that span all of them and are independent."""
    kept: list[int] = []
    for i in range(len(rows)):
        if not dependence(rows[[*kept, i]]).any():
            kept.append(i)
    return kept


# Runs of the perceptron and its relatives


def visits(mistakes: np.ndarray, n: int) -> np.ndarray:
    """Return how many points had been shown before each mistake, in sweeps over n points.

    Between two mistakes w stands still, so the next is the first point of that number to come.
    """
    steps = (np.diff(mistakes, prepend=-1) - 1) % n + 1
    return np.cumsum(steps) - 1


def verify_run(
    X: np.ndarray,
    y: np.ndarray,
    start: np.ndarray,
    step: Number,
    unit: bool,
    mistakes: np.ndarray,
    shown: int,
) -> np.ndarray:
    """The perceptron, sweeping in order over z = yx, is wrong exactly at these of `shown` points.

    A mistake is ⟨w, z⟩ ≤ 0 and is followed by w ← w + step·z; with `unit`, z = yx/‖x‖. Where
    rounding hides the sign of a float, either is right. Return z for each point.
    """
    Z = signed_points(X, y, unit)
    require(len(Z), "a run needs points")
    require(start.shape == (X.shape[1],), f"the start needs {X.shape[1]} coordinates")
    require(step > 0, f"the step is {step}, which is not > 0")
    require(_are_indices(mistakes, len(Z)), f"mistakes are numbers of points, 0 … {len(Z) - 1}")
    when = visits(mistakes, len(Z))
    require(not len(when) or when[-1] < shown, f"the last mistake is beyond the {shown} points")
    w, seen = start, 0
    for t, (i, visit) in enumerate(zip(mistakes.tolist(), when.tolist()), 1):
        _require_no_mistake(Z, w, seen, visit)
        score = plain(inner(Z[i], w))
        require(score <= _doubt(Z[i], w), f"update {t} was made on point {i}, where y⟨w,x⟩ > 0")
        w = widen(w, 2) + times(step, Z[i])
        seen = visit + 1
    _require_end(shown, seen, len(Z))
    _require_no_mistake(Z, w, seen, shown)
    return Z


def _are_indices(values: np.ndarray, n: int) -> bool:
    return values.ndim == 1 and all(isinstance(i, int) and 0 <= i < n for i in values.tolist())


def _require_end(shown: int, seen: int, n: int) -> None:
    """A run goes on to the end of its first sweep without a mistake, and no further."""
    last = (math.ceil(seen / n) + 1) * n
    require(
        0 <= shown <= last, f"{shown} points were shown, and by {last} a sweep was without mistake"
    )


def _require_no_mistake(Z: np.ndarray, w: np.ndarray, first: int, end: int) -> None:
    passed = np.arange(first, end) % len(Z)
    for i in passed[inner(Z[passed], w) <= 0] if len(passed) else ():
        slack = _doubt(Z[i], w)
        require(slack and inner(Z[i], w) >= -slack, f"point {i} was passed over, a mistake")


def _doubt(z: np.ndarray, w: np.ndarray) -> float:
    """Return how far rounding can move ⟨w, z⟩: 0 for exact numbers."""
    if is_exact(z, w):
        return 0
    return float((len(z) + 2) * ROUNDING * (abs(z.astype(float)) @ abs(w.astype(float))))


def verify_mistake_bound(
    X: np.ndarray,
    y: np.ndarray,
    start: np.ndarray,
    step: Number,
    unit: bool,
    mistakes: np.ndarray,
    shown: int,
    w_star: np.ndarray,
) -> None:
    """Novikoff's proof holds for this run and this w*, line by line, and so does its bound.

    With γ̂ = min ⟨w*, z⟩ > 0, p = ⟨w₀, w*⟩ and q = ‖w₀‖², after t mistakes with step η
    p + tηγ̂ ≤ ⟨w, w*⟩ ≤ ‖w‖‖w*‖ and ‖w‖² ≤ q + tη²R², hence (p + tηγ̂)² ≤ ‖w*‖²(q + tη²R²).
    """
    Z = verify_run(X, y, start, step, unit, mistakes, shown)
    require(w_star.shape == start.shape, f"w* needs {len(start)} coordinates")
    verify_separator(Z, np.ones(len(Z), np.int64), w_star)
    star2 = plain(inner(w_star, w_star))
    gain = plain(inner(Z, w_star).min())
    R2 = max(plain(inner(z, z)) for z in Z)
    p, q = plain(inner(start, w_star)), plain(inner(start, start))
    exact = is_exact(Z, start, w_star) and not isinstance(step, float)
    w = start
    for t, i in enumerate(mistakes.tolist(), 1):
        w = widen(w, 2) + times(step, Z[i])
        progress, norm2 = plain(inner(w, w_star)), plain(inner(w, w))
        low, high = p + t * step * gain, q + t * step**2 * R2
        slack = 0 if exact else DRIFT * (abs(p) + t * step * math.sqrt(R2 * star2))
        where = f"mistake {t} (point {i})"
        require(low <= progress + slack, f"{where}: ⟨w,w*⟩ = {progress} < {low}")
        require(_at_most(norm2, high), f"{where}: ‖w‖² = {norm2} > {high}")
        bounded = progress <= 0 or _at_most(progress**2, norm2 * star2)
        require(bounded, f"{where}: ⟨w,w*⟩ = {progress} exceeds ‖w‖‖w*‖")
        require(low <= 0 or _at_most(low**2, star2 * high), f"{where} is one beyond the bound")


def _at_most(a: Number, b: Number) -> bool:
    return a <= ((1 + DRIFT) * b if isinstance(a, float) or isinstance(b, float) else b)


def verify_kernel_run(
    kernel: "Kernel", X: np.ndarray, y: np.ndarray, mistakes: np.ndarray, shown: int
) -> None:
    """The kernel perceptron is wrong exactly at these of `shown` points: yΣⱼyⱼK(xⱼ, x) ≤ 0."""
    signed_points(X, y)
    require(_are_indices(mistakes, len(X)), f"mistakes are numbers of points, 0 … {len(X) - 1}")
    when = visits(mistakes, len(X))
    require(not len(when) or when[-1] < shown, f"the last mistake is beyond the {shown} points")
    columns = {i: y[i] * kernel(X, X[i : i + 1])[:, 0] for i in sorted(set(mistakes.tolist()))}
    exact = is_exact(*columns.values())
    scores, sizes, seen = np.zeros(len(X), object if exact else float), np.zeros(len(X)), 0
    for i, visit in [*zip(mistakes.tolist(), when.tolist()), (None, shown)]:
        slack = 0 * sizes if exact else (len(mistakes) + 2) * ROUNDING * sizes
        passed = np.arange(seen, visit) % len(X)
        wrong = passed[~((y * scores)[passed] > -slack[passed])]
        require(not len(wrong), f"point {wrong[:1]} was passed over, a mistake")
        if i is not None:
            update = int(y[i]) * scores[i] <= slack[i]
            require(update, f"an update was made on point {i}, where y⟨w,φ(x)⟩ > 0")
            scores, seen = scores + columns[i], visit + 1
            sizes = sizes if exact else sizes + abs(columns[i])
    _require_end(shown, seen, len(X))


def verify_cone_run(
    X: np.ndarray,
    y: np.ndarray,
    sigma: float,
    starts: Sequence[np.ndarray] | np.ndarray,
    mistakes: Sequence[np.ndarray],
    w: np.ndarray,
) -> None:
    """From these starts the updates w ← w − ⟨w, u⟩u lead to w, each made where cos(w, u) ≤ −σ.

    Here u = yx/‖x‖, and the last start is the one that leads to w.
    """
    U = signed_points(X, y, unit=True)
    require(len(starts) == len(mistakes) >= 1, "each start needs its list of mistakes")
    ends = [_cone_steps(U, sigma, start, some) for start, some in zip(starts, mistakes)]
    require(np.allclose(ends[-1], w, rtol=DRIFT, atol=DRIFT), "the last start leads elsewhere")


def _cone_steps(U: np.ndarray, sigma: float, start: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """Return where the updates lead from the start, having seen that each was on a mistake."""
    require(_are_indices(indices, len(U)), f"mistakes are numbers of points, 0 … {len(U) - 1}")
    v = start / np.linalg.norm(start)
    for i in indices.tolist():
        cosine = U[i] @ v
        require(cosine <= -sigma + DRIFT, f"point {i} has cos(w, yx) = {cosine:.3g} > −{sigma:g}")
        v = v - cosine * U[i]
        v = v / np.linalg.norm(v)
    return v


def verify_rescaled_run(
    X: np.ndarray, y: np.ndarray, phases: Sequence["Phase"], w: np.ndarray
) -> None:
    """Perceptron runs from 0 in spaces stretched along good directions lead to w.

    Each update was made on a mistake; a direction that no point opposes by a cosine of 1/(32d)
    or more doubles its length for the phases after it.
    """
    U, d = signed_points(X, y, unit=True), X.shape[1]
    stretch, v = np.eye(d), np.zeros(d)
    for phase in phases:
        rows = U @ stretch
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        require(_are_indices(phase.mistakes, len(U)), "a mistake that is no point")
        v = np.zeros(d)
        for i in phase.mistakes.tolist():
            require(rows[i] @ v <= DRIFT, f"an update was made on point {i}, where y⟨w,x⟩ > 0")
            v = v + rows[i]
        v = stretch @ v
        if phase.start is not None:
            direction = _cone_steps(rows, 1 / (32 * d), phase.start, phase.removed)
            if (rows @ direction).min() > -1 / (32 * d):
                stretch = stretch @ (np.eye(d) + np.outer(direction, direction))
    length = np.linalg.norm(v)
    require((abs(v - w) <= DRIFT * length).all(), "the phases do not lead to w")


def verify_right_outside_cone(X: np.ndarray, y: np.ndarray, sigma: float, w: np.ndarray) -> None:
    """No point with |cos(w, x)| ≥ σ is a mistake; with σ = 0, no point is."""
    U = signed_points(X, y, unit=True)
    require(w.any(), "w is 0, which is right nowhere")
    cosines = U @ (w / np.linalg.norm(w))
    i = int(cosines.argmin())
    right = cosines[i] > -sigma if sigma else signs(U, w).min() > 0
    require(right, f"point {i} is a mistake with |cos(w, x)| = {abs(cosines[i]):.3g}")


# Kernels


def verify_gram(K: np.ndarray, features: np.ndarray) -> None:
    """K is a Gram matrix: K = ΦΦᵀ, to rounding."""
    require(features.ndim == 2 and len(features) == len(K), "Φ needs a row for each point")
    lengths = np.sqrt(abs(K.diagonal()))
    right = abs(features @ features.T - K) <= GRAM * np.outer(lengths, lengths)
    i, j = np.unravel_index(right.argmin(), right.shape)
    require(right[i, j], f"ΦΦᵀ differs from K at ({i}, {j})")


def verify_not_gram(K: np.ndarray, direction: np.ndarray) -> None:
    """K is no Gram matrix: cᵀKc < 0, which ‖Σ cᵢφ(xᵢ)‖² cannot be."""
    require(direction.shape == (len(K),), "c needs an entry for each point")
    if is_exact(K, direction):
        c = as_fractions(direction)
        require(c @ as_fractions(K) @ c < 0, "cᵀKc is not negative")
        return
    terms = direction[:, None] * K * direction
    value = math.fsum(terms.ravel())
    require(value < -ROUNDING * abs(terms).sum(), f"cᵀKc = {value:.3g} is not negative")


# Losses


def verify_descent(
    loss: "Loss",
    X: np.ndarray,
    y: np.ndarray,
    penalty: float,
    radius: float,
    step_size: float,
    path: np.ndarray,
    drawn: np.ndarray | None,
) -> None:
    """Every step of the path is the projected subgradient step of this loss on these data.

    Step t goes from w along −(g + penalty·w), g a subgradient of the mean loss (of one drawn
    point, in stochastic descent), by step_size/√t, or by 1/(penalty·t) if there is a penalty.
    """
    signed_points(X, y)
    require(drawn is None or len(drawn) == len(path) - 1, "one point is drawn for each step")
    require(drawn is None or _are_indices(drawn, len(X)), "a point was drawn that is not there")
    for t, (w, after) in enumerate(zip(path[:-1], path[1:]), 1):
        some = slice(None) if drawn is None else [drawn[t - 1]]
        slope = loss.subgradient(w, X[some], y[some]) + penalty * w
        length = 1 / (penalty * t) if penalty else step_size / math.sqrt(t)
        goal = w - length * slope
        shrunk = min(1.0, radius / max(float(np.linalg.norm(goal)), 1e-300))
        size = shrunk * (abs(w).max() + length * abs(slope).max())
        require(
            (abs(after - shrunk * goal) <= DRIFT * size).all(),
            f"step {t} is not the step of this loss",
        )


def lower_bound(
    loss: "Loss",
    X: np.ndarray,
    y: np.ndarray,
    penalty: float,
    radius: float,
    path: np.ndarray,
) -> float:
    """Return a lower bound on F = mean loss + penalty/2·‖u‖² over all u with ‖u‖ ≤ radius.

    The loss is convex: at any w the mean loss at u is at least that at w plus ⟨g, u − w⟩. The
    mean of this over the w of the path is constant + ⟨slope, u⟩, whose minimum with the penalty
    lies on the ray along −slope.
    """
    margins = y * (path @ X.T)
    slopes = loss.slope_at(margins)
    constant = float((loss.value(margins) - slopes * margins).mean())
    length = float(np.linalg.norm((slopes.mean(axis=0) * y) @ X / len(y)))
    if length == 0:
        return constant
    furthest = min(radius, length / penalty if penalty else math.inf)
    return constant - length * furthest + (penalty / 2 * furthest**2 if penalty else 0.0)


# Support vector machines


def verify_svm(
    X: np.ndarray,
    y: np.ndarray,
    C: float,
    kernel: "Kernel",
    bias: bool,
    alpha: np.ndarray,
    b: float,
    w: np.ndarray | None,
    history: Sequence[tuple[float, float]] = (),
    tolerance: float = GAP,
) -> None:
    """(w, b) is a widest street for these data, and α the proof: their values meet.

    For every feasible α and every feasible (w, b), Σα − ½‖Σ αᵢyᵢφ(xᵢ)‖² ≤ ½‖w‖² + C Σξ. So where
    the two are equal, neither can be improved. `w` is None where it is Σ αᵢyᵢφ(xᵢ), known through
    the kernel alone; `history` holds values that must lie on both sides of the optimum.
    """
    signed_points(X, y)
    require(len(alpha) == len(y), f"{len(alpha)} multipliers for {len(y)} points")
    inside = (alpha >= 0) & (alpha <= C)
    i = int(inside.argmin())
    require(inside[i], f"dual feasibility fails at point {i}: α = {alpha[i]} is not in [0, {C}]")
    require(bias or b == 0, f"equality fails: without bias b is 0, not {b}")
    if w is None:
        used = np.flatnonzero(alpha)
        require(len(used), "α is 0, and so is the street")
        scores = kernel(X, X[used]) @ (alpha * y)[used]
        primal2 = dual2 = float((alpha * y) @ scores)
    else:
        features = kernel.features(X)
        scores = features @ w
        primal2, dual2 = float(w @ w), float((((alpha * y) @ features) ** 2).sum())
    margins = y * (scores - b)
    slack = np.maximum(0, 1 - margins)
    worst = int(slack.argmax())
    street = C < math.inf or slack[worst] <= tolerance
    require(
        street, f"primal feasibility fails at point {worst}, inside the street: {margins[worst]}"
    )
    primal = primal2 / 2 + (C * float(slack.sum()) if C < math.inf else 0.0)
    dual = float(alpha.sum()) - dual2 / 2
    balance = float((alpha * y).sum()) if bias else 0.0
    hidden = abs(balance) * (1 + float(abs(scores).max()))  # b Σ αy: no best b is further out
    require(hidden <= tolerance * primal, f"equality fails: Σ αy is {balance}, not 0")
    met = primal < math.inf and abs(primal - dual) <= tolerance * primal
    require(met, f"primal {primal:.9g} and dual {dual:.9g} do not meet")
    for step, (above, below) in enumerate(history, 1):
        around = below <= primal * (1 + tolerance) and above >= dual * (1 - tolerance)
        require(around, f"step {step} of the history is on the wrong side of the optimum")
