"""Data: the examples of the notes, worst cases, and samples with a margin you choose.

Each function returns (X, y), points and labels ±1; integers where the example is made of
integers.
"""

from importlib.resources import files

import numpy as np

from .boolean import DecisionList, Disjunction, cube
from .halfspace import homogenise
from .validation import ArrayLike, Rng, as_count, as_real, as_rng

Sample = tuple[np.ndarray, np.ndarray]
ANIMALS = ("tiger", "spider", "shark", "snake")
ANIMAL_FEATURES = ("eyes", "legs", "fins")


def _whole(points: ArrayLike, labels: ArrayLike) -> Sample:
    """Return points and labels as int64, which not every machine takes for the default."""
    return np.array(points, np.int64), np.array(labels, np.int64)


def animals() -> Sample:
    """Return eyes, legs and fins of tiger, spider, shark and snake; +1 if its babies are cute."""
    return _whole([[2, 4, 0], [8, 8, 0], [2, 0, 2], [2, 0, 0]], [1, -1, 1, -1])


def xor() -> Sample:
    """Return {0,1}² with +1 where exactly one coordinate is 1: no halfspace has these labels."""
    return _whole(cube(2), [-1, 1, 1, -1])


def xor_lifted() -> Sample:
    """Return XOR with the product x₁x₂ as a third coordinate, which makes it separable."""
    X, y = xor()
    return np.column_stack([X, X.prod(axis=1)]), y


def any_of(d: int) -> Sample:
    """Return {0,1}^d with +1 where Σx ≥ 1."""
    return cube(d), Disjunction(range(1, d + 1), d)(cube(d))


def corners(d: int) -> np.ndarray:
    """Return 0, e₁, …, e_d: d + 1 points that halfspaces shatter."""
    return np.vstack([np.zeros((1, as_count(d, "d")), np.int64), np.eye(d, dtype=np.int64)])


def three_points() -> Sample:
    """Return (1,1)+, (−1,1)+, (0,−1)−: the perceptron makes 2 mistakes, as many as the bound.

    The bound is 2 in every convention.
    """
    return _whole([[1, 1], [-1, 1], [0, -1]], [1, 1, -1])


def one_error_to_two() -> Sample:
    """Return three points on which an update of the perceptron leads from 1 error to 2."""
    return _whole([[-2, -2], [-2, -1], [1, 2]], [1, 1, 1])


def unit_stream(n: int) -> Sample:
    """Return e₁, …, e_n, all +1: n mistakes, and the bound is n."""
    return np.eye(as_count(n, "n"), dtype=np.int64), np.ones(n, np.int64)


def two_slow_points(t: int) -> Sample:
    """Return (t,1)+ and (1,0)−, on which the perceptron takes (t+1)² + 1 updates."""
    return _whole([[as_count(t, "t"), 1], [1, 0]], [1, -1])


def alternating_list(k: int) -> DecisionList:
    """Return x₁→1, x₂→0, x₃→1, …, default opposite to the last.

    Its margin on the cube falls like φ^(−k).
    """
    rules = [(i, i % 2 == 1) for i in range(1, as_count(k, "k") + 1)]
    return DecisionList(rules, default=k % 2 == 0, d=k)


def nested_or(k: int) -> Sample:
    """Return {0,1}^k labelled by x₁ ∨ (x₂ ∧ … ∧ x_k), whose margin is only polynomially small."""
    X = cube(as_count(k, "k", low=2))
    return _whole(X, np.where((X[:, 0] == 1) | X[:, 1:].all(axis=1), 1, -1))


def alternating_line(n: int) -> Sample:
    """Return 0, 1, …, n−1 with alternating labels: a polynomial of degree n−1 is needed."""
    x = np.arange(as_count(n, "n"))
    return _whole(x[:, None], 1 - 2 * (x % 2))


def loss_at_zero_misleads() -> Sample:
    """Return x = 1, 1, 3 with labels +, +, −: more mistakes go with less loss at zero."""
    return _whole([[1], [1], [3]], [1, 1, -1])


def digits() -> Sample:
    """Return 357 handwritten digits, +1 for a 3 and −1 for an 8, as 64 grey values 0 to 16 each.

    E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning
    Repository, 1998, doi:10.24432/C50P49, CC BY 4.0.
    """
    text = files(__package__).joinpath("data", "digits.csv").read_text("utf-8")
    rows = np.array([line.split(",") for line in text.split()], np.int64)
    return _whole(rows[:, :-1], np.where(rows[:, -1] == 3, 1, -1))


def separable(n: int, d: int, margin: float, rng: Rng = None) -> Sample:
    """Return n points of the unit ball whose largest margin is `margin`, to rounding.

    It is so with or without a threshold. Evenly drawn points are moved away from the boundary of a
    random w* by the margin. Two of them, ±margin·w* shifted along the boundary by the same vector,
    then allow no larger one.
    """
    as_count(n, "n", low=2)
    as_count(d, "d")
    rng = as_rng(rng)
    margin = as_real(margin, "margin", low=0, strict=True)
    if margin > 1:
        raise ValueError(f"margin is {margin:g}; points of the unit ball have margins in (0, 1]")
    points = rng.normal(size=(n, d))
    points *= (rng.random((n, 1)) ** (1 / d)) / np.linalg.norm(points, axis=1, keepdims=True)
    y = _alternating(n)
    along = margin + (1 - margin) * np.abs(points[:, 0])
    along[:2] = margin
    across = points[:, 1:] * np.sqrt((1 - along**2) / (1 - points[:, 0] ** 2))[:, None]
    across[1] = across[0]
    rotation, _ = np.linalg.qr(rng.normal(size=(d, d)))
    order = rng.permutation(n)
    return (np.column_stack([y * along, across]) @ rotation.T)[order], y[order]


def noisy(n: int, d: int, flips: float, rng: Rng = None) -> Sample:
    """Return Gaussian points labelled by a halfspace through 0, a share `flips` turned over."""
    rng = as_rng(rng)
    X = rng.normal(size=(as_count(n, "n"), as_count(d, "d")))
    w = rng.normal(size=d)
    share = as_real(flips, "flips", low=0)
    if share > 1:
        raise ValueError(f"flips is {share:g}; a share between 0 and 1 is expected")
    flipped = rng.random(n) < share
    return X, np.where((X @ w >= 0) != flipped, 1, -1).astype(np.int64)


def circles(n: int, rng: Rng = None, radius: float = 1.0, gap: float = 0.2) -> Sample:
    """Return points inside a circle (+1) and outside (−1), a gap between: linear after lifting."""
    rng, y = as_rng(rng), _alternating(as_count(n, "n"))
    radius = as_real(radius, "radius", 0, strict=True)
    gap = as_real(gap, "gap", 0)
    inside = (radius - gap / 2) * np.sqrt(rng.random(n))
    distance = np.where(y > 0, inside, radius + gap / 2 + radius / 2 * rng.random(n))
    angle = 2 * np.pi * rng.random(n)
    return distance[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), y


def with_bias(sample: Sample) -> Sample:
    """Return the sample with −1 appended to each point."""
    return homogenise(sample[0]), sample[1]


def _alternating(n: int) -> np.ndarray:
    """Return the labels +1, −1, +1, …"""
    return np.where(np.arange(n) % 2 == 0, 1, -1).astype(np.int64)
