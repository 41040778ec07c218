"""A good guess at the multipliers of many points: Newton's method, with the hinge rounded off.

The dual less ‖α − a‖²/2σ has its maximum where, for some w and b,

    α = clip(a + σ(1 − y(⟨w,x⟩ − b)), 0, C)        w = Σ αᵢyᵢxᵢ        Σ αᵢyᵢ = 0

These are equations for w and b alone, linear but for the clipping: Newton's method solves them, and
only points with 0 < α < C enter its system. With a ← α and a larger σ they lead to the optimum.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

GROWTH = 3.0  # of σ
FEW = 30  # points between their bounds besides one for three features; while more are, it goes on
FINEST = 1e-2  # share of the goal at which it ends nevertheless
LITTLE = 0.3  # share of the first gain along a line, or of the proximal term, that may be left
MANY = 100  # features, beyond which half of them make a guess before: at first many points are free
STEPS = 200


@dataclass(frozen=True)
class Guess:
    """Multipliers near the optimum, v = (b, w), and the σ that led there."""

    alpha: np.ndarray
    v: np.ndarray
    sigma: float

    def margins(self, features: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return y(⟨w,x⟩ − b) for these or other points."""
        return self.v @ _signed(features, y, len(self.v) > len(features))


def guess_multipliers(
    features: np.ndarray, y: np.ndarray, C: float | np.ndarray, bias: bool, highest: float
) -> Guess:
    """Return a first guess, in the precision of the features; `highest` is a guess at max α.

    A feature of all points is a row. Some of the features will do, whatever that leaves between the
    bounds. C may differ from point to point.
    """
    Z = _signed(features, y, bias)
    sizes = [len(Z)]
    while sizes[-1] > MANY:
        sizes.append(sizes[-1] // 2)
    sigma = highest / 2
    guess = Guess(np.full(len(y), sigma, Z.dtype), np.zeros(0, Z.dtype), sigma)
    for size in reversed(sizes):
        guess = _maximise(Z[:size], C, bias, guess, 1.0, len(y))
    return guess


def better_multipliers(
    guess: Guess,
    features: np.ndarray,
    y: np.ndarray,
    C: float | np.ndarray,
    bias: bool,
    goal: float,
) -> np.ndarray:
    """Return α closer to the optimum, from a guess by the first of these features."""
    Z = _signed(features, y, bias)
    start = replace(guess, alpha=guess.alpha.astype(Z.dtype), sigma=GROWTH * guess.sigma)
    alpha = _maximise(Z, C, bias, start, goal, FEW + len(Z) // 3).alpha
    return np.where(alpha < np.asarray(C, Z.dtype), alpha.astype(float), C)


def _signed(features: np.ndarray, y: np.ndarray, bias: bool) -> np.ndarray:
    """Return Z, whose columns are (−1, x) times y: then vZ is y(⟨w,x⟩ − b)."""
    Z = np.concatenate([-np.ones((int(bias), len(y)), features.dtype), features])
    Z *= y.astype(features.dtype)
    return Z


def _maximise(
    Z: np.ndarray, C: float | np.ndarray, bias: bool, start: Guess, goal: float, most: int
) -> Guess:
    """Go on until the proximal term is a share of the primal value, as small as the goal.

    It will be smaller where that leaves more than so many points between their bounds. The start
    may know the first features alone.
    """
    from scipy.linalg.lapack import dposv, sposv  # take longer to import than all the rest

    solve, tiny = (sposv, 1e-7) if Z.dtype == np.float32 else (dposv, 1e-12)
    C, anchor, sigma = np.asarray(C, Z.dtype), start.alpha, start.sigma
    v = np.zeros(len(Z), Z.dtype)
    v[: len(start.v)] = start.v
    norm = np.ones_like(v)
    if bias:
        norm[0] = tiny  # b is free of charge, but for rounding
    short = 1 - v @ Z
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
        value = norm @ v**2 / 2 + (C * np.maximum(short, 0)).sum()
        if t == 1 and gain <= LITTLE * proximal or not gain > tiny * value:
            share, between = proximal / value, free.shape[1]
            enough = between <= most or share <= FINEST * goal and between <= len(v) + FEW
            if share <= goal and enough or not share > tiny:
                break
            anchor = alpha
            sigma *= GROWTH
            target = anchor + sigma * short
    return Guess(alpha, v, sigma)


def _clip(values: np.ndarray, C: np.ndarray) -> np.ndarray:
    return np.maximum(np.minimum(values, C), 0)


def _length(
    target: np.ndarray,
    fall: np.ndarray,
    pull: np.ndarray,
    C: np.ndarray,
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
