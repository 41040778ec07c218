"""A good guess at the multipliers of many points: Newton's method, with the hinge rounded off.

The dual less ‖α − a‖²/2σ has its maximum where, for some w and b,

    α = clip(a + σ(1 − y(⟨w,x⟩ − b)), 0, C)        w = Σ αᵢyᵢxᵢ        Σ αᵢyᵢ = 0

These are equations for w and b alone, linear but for the clipping: Newton's method solves them, and
only points with 0 < α < C enter its system. With a ← α and a larger σ they lead to the optimum.
"""

import math

import numpy as np

GROWTH = 6.0  # of σ
FEW = 80  # points between their bounds besides one for each feature; while more are, it goes on
FINEST = 1e-3  # share of the goal at which it ends nevertheless
LITTLE = 0.3  # share of the first gain along a line, or of the proximal term, that may be left
STEPS = 200


def guess_multipliers(
    features: np.ndarray, y: np.ndarray, C: float, bias: bool, goal: float, highest: float
) -> np.ndarray:
    """Return α near the optimum, in the precision of the features; `highest` is a guess at max α.

    A feature of all points is a row; the columns of Z are (−1, x) times y, and v is (b, w). A third
    of the features will do at first.
    """
    kind = features.dtype
    Z = np.concatenate([-np.ones((int(bias), len(y)), kind), features])
    Z *= y.astype(kind)
    v, sigma, some = np.zeros(len(Z), kind), highest / 4, 1 + len(features) // 3
    _, v[:some], sigma = _maximise(Z[:some], C, bias, v[:some], sigma, 1000 * goal)
    alpha = _maximise(Z, C, bias, v, sigma, goal)[0]
    return np.where(alpha < kind.type(C), alpha.astype(float), C)


def _maximise(
    Z: np.ndarray, C: float, bias: bool, v: np.ndarray, sigma: float, goal: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return α, v and σ where the proximal term is a share of the primal value, as small as that.

    It will be smaller where that leaves many points between their bounds.
    """
    from scipy.linalg.lapack import dposv, sposv  # take longer to import than all the rest

    solve, tiny = (sposv, 1e-7) if Z.dtype == np.float32 else (dposv, 1e-12)
    norm = np.ones_like(v)
    if bias:
        norm[0] = tiny  # b is free of charge, but for rounding
    short = 1 - v @ Z
    anchor = _clip(min(C / 2, 2 * sigma) + sigma * short, C)
    target = anchor + sigma * short
    for _ in range(STEPS):
        alpha = _clip(target, C)
        free = Z[:, alpha == target]
        system = free @ free.T
        system *= sigma
        system.flat[:: len(v) + 1] += norm
        if bias and not free.size:  # nothing holds b: move it as if one point were free
            system[0, 0] += sigma
        slope = Z @ alpha - norm * v
        step = solve(system.T, slope, overwrite_a=1)[1]
        pull, gain = step @ Z, float(slope @ step)
        level, bend = (norm * v) @ step, (norm * step) @ step
        t = _length(target, sigma * pull, pull, C, gain, float(level), float(bend))
        v = v + t * step
        short -= t * pull
        target = anchor + sigma * short
        alpha = _clip(target, C)
        move = alpha - anchor
        proximal = move @ move / sigma
        value = norm @ v**2 / 2 + C * np.maximum(short, 0).sum()
        if t == 1 and gain <= LITTLE * proximal or not gain > tiny * value:
            few = free.shape[1] <= len(v) + FEW or not proximal > FINEST * goal * value
            if not proximal > goal * value and few:
                break
            anchor = alpha
            sigma *= GROWTH
            target = anchor + sigma * short
    return alpha, v, sigma


def _clip(values: np.ndarray, C: float) -> np.ndarray:
    return np.maximum(np.minimum(values, C), 0)


def _length(
    target: np.ndarray,
    fall: np.ndarray,
    pull: np.ndarray,
    C: float,
    first: float,
    level: float,
    bend: float,
) -> float:
    """Return how far to go along a line until little is gained by going on: 1 if that will do."""
    low, high, t = (0.0, first), (math.inf, 0.0), 1.0
    for _ in range(20):
        gain = pull @ _clip(target - t * fall, C) - level - t * bend
        if not abs(gain) > LITTLE * first:
            break
        low, high = ((t, gain), high) if gain > 0 else (low, (t, gain))
        share = min(0.9, max(0.1, low[1] / (low[1] - high[1])))
        t = 2 * t if high[0] == math.inf else low[0] + share * (high[0] - low[0])
    return t
