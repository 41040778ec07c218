"""Kernels: inner products in a space that is never entered.

A kernel is a function of two blocks of points that returns the block of its values. Sums and
products of kernels are kernels; the ones with finitely many features know their feature map.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from .certificates import CertificateError, require, verify_gram, verify_not_gram
from .exact import dots, inner, is_exact, largest, widen
from .results import Result
from .validation import (
    ArrayLike,
    Number,
    NumberOrArray,
    as_count,
    as_kernel,
    as_number,
    as_points,
    as_real,
    as_vector,
    to_float,
)

LARGEST_DEGREE = 1000
LARGEST_EXPONENT = 308  # of 10, as a float
SINGLE = 2.0**-24  # by which rounding to single precision changes a number at most
PLAIN = 3  # coordinates, up to which differences are as quick as products, and more exact
Block = Callable[[np.ndarray, np.ndarray], np.ndarray]
FeatureMap = Callable[[np.ndarray], np.ndarray]
Prepared = Callable[[np.ndarray], FeatureMap]
Shape = Callable[[np.ndarray, np.ndarray | None], np.ndarray]
Rough = Callable[[np.ndarray], tuple[FeatureMap, float]]


@dataclass(frozen=True)
class Kernel:
    """K(A, B) for blocks of points, and φ with K(x, y) = ⟨φ(x), φ(y)⟩ where φ is finite."""

    name: str
    block: Block = field(repr=False)
    feature_map: FeatureMap | None = field(default=None, repr=False)
    lengths: FeatureMap | None = field(default=None, repr=False)  # ‖φ(x)‖², if quickly told
    common: Prepared | None = field(default=None, repr=False)  # what K is made of: B ↦ (A ↦ …)
    shape: Shape | None = field(default=None, repr=False)  # makes K of it, in place if asked
    rough: Rough | None = field(default=None, repr=False)  # what `roughly` returns, if it is quick

    def __call__(self, A: ArrayLike, B: ArrayLike) -> NumberOrArray:
        """Return K(a, b) for all points a of A and b of B; one in place of many drops its axis."""
        one_a, one_b = np.ndim(A) == 1, np.ndim(B) == 1
        A = as_points([as_vector(A, name="A")] if one_a else A, name="A")
        B = as_points([as_vector(B, name="B")] if one_b else B, A.shape[1], "B")
        values = self.block(A, B)
        if one_b:
            values = values[:, 0]
        return values[0] if one_a else values

    def features(self, X: ArrayLike) -> np.ndarray:
        """Return φ(x) for each point, or for one."""
        if self.feature_map is None:
            raise ValueError(f"{self.name} has no finite feature map")
        if np.ndim(X) == 1:
            return self.feature_map(as_points([as_vector(X, name="X")]))[0]
        return self.feature_map(as_points(X))

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        """Return K(x, x) for each point, as floats."""
        if self.lengths is not None:
            return self.lengths(X)
        parts = np.array_split(X, len(X) // 32 + 1)
        return to_float(np.concatenate([self.block(part, part).diagonal() for part in parts]))

    def against(self, B: np.ndarray) -> FeatureMap:
        """Return the function A ↦ K(A, B), for many A."""
        if self.common is None or self.shape is None:
            return lambda A: self.block(A, B)
        shape, values = self.shape, self.common(B)
        return lambda A: shape(made := values(A), made)

    def roughly(self, B: np.ndarray) -> tuple[FeatureMap, float]:
        """Return A ↦ K(A, B) in single precision, for many A among B, and by how much it is wrong.

        That is a bound for all values, as a share of the largest.
        """
        if self.rough:
            return self.rough(B)
        return lambda A: self.block(A, B).astype(np.float32), SINGLE

    def __add__(self, other: "Kernel") -> "Kernel":
        return _sum(self, other)

    def __mul__(self, other: "Kernel") -> "Kernel":
        return _product(self, other)


# Remembered, so that a kernel made twice is the same kernel, and equal to itself.
@lru_cache(maxsize=1000)
def _sum(first: Kernel, second: Kernel) -> Kernel:
    as_kernel(second)
    name = f"({first.name} + {second.name})"
    f, g = first.feature_map, second.feature_map

    def block(A: np.ndarray, B: np.ndarray) -> np.ndarray:
        return first.block(A, B) + second.block(A, B)

    if f is None or g is None:
        return Kernel(name, block)

    def side_by_side(X: np.ndarray) -> np.ndarray:
        return np.hstack([f(X), g(X)])

    return Kernel(name, block, side_by_side)


@lru_cache(maxsize=1000)
def _product(first: Kernel, second: Kernel) -> Kernel:
    as_kernel(second)
    name = f"{first.name} · {second.name}"
    f, g = first.feature_map, second.feature_map

    def block(A: np.ndarray, B: np.ndarray) -> np.ndarray:
        return first.block(A, B) * second.block(A, B)

    if f is None or g is None:
        return Kernel(name, block)

    def all_products(X: np.ndarray) -> np.ndarray:
        return (f(X)[:, :, None] * g(X)[:, None, :]).reshape(len(X), -1)

    return Kernel(name, block, all_products)


linear = Kernel("linear", lambda A, B: inner(A, B.T), lambda X: X)


def polynomial(degree: int, offset: Number = 0) -> Kernel:
    """Return (⟨x, y⟩ + offset)^degree; offset 0 is the homogeneous kernel."""
    as_count(degree, "degree", high=LARGEST_DEGREE)
    return _polynomial(degree, as_number(offset, "offset", low=0))


@lru_cache(maxsize=1000, typed=True)
def _polynomial(degree: int, offset: Number) -> Kernel:
    def block(A: np.ndarray, B: np.ndarray) -> np.ndarray:
        return power(_plus(inner(A, B.T), offset), degree)

    def features(X: np.ndarray) -> np.ndarray:
        X = to_float(X)
        if offset:
            X = np.hstack([X, np.full((len(X), 1), math.sqrt(offset))])
        exponents = [
            np.bincount(c, minlength=X.shape[1])
            for c in itertools.combinations_with_replacement(range(X.shape[1]), degree)
        ]
        multinomial = [
            math.factorial(degree) / math.prod(map(math.factorial, e.tolist())) for e in exponents
        ]
        return np.stack(
            [math.sqrt(c) * (X**e).prod(1) for c, e in zip(multinomial, exponents)], axis=1
        )

    def lengths(X: np.ndarray) -> np.ndarray:
        return to_float(power(_plus(dots(X, X), offset), degree))

    return Kernel(f"polynomial({degree}, {offset})", block, features, lengths)


def geometric(degree: int) -> Kernel:
    """Return 1 + ⟨x,y⟩ + … + ⟨x,y⟩^degree by Horner's rule: stable where the quotient is 0/0."""
    as_count(degree, "degree", low=0, high=LARGEST_DEGREE)
    return _geometric(degree)


@lru_cache(maxsize=1000)
def _geometric(degree: int) -> Kernel:
    def block(A: np.ndarray, B: np.ndarray) -> np.ndarray:
        s = inner(A, B.T)
        s = with_room(s, degree + 1)
        total = np.ones_like(s)
        for _ in range(degree):
            total = total * s + 1
        return total

    def features(X: np.ndarray) -> np.ndarray:
        if X.shape[1] == 1:  # the notes' map (1, x, …, x^degree), exact for exact x
            return np.hstack([power(X, k) for k in range(degree + 1)])
        powers = [polynomial(k).features(X) for k in range(1, degree + 1)]
        return np.hstack([np.ones((len(X), 1)), *powers])

    return Kernel(f"geometric({degree})", block, features)


def rbf(gamma: Number) -> Kernel:
    """Return exp(−gamma ‖x − y‖²)."""
    return _rbf(as_real(gamma, "gamma", low=0, strict=True))


@lru_cache(maxsize=1000)
def _rbf(gamma: float) -> Kernel:
    def shape(distances: np.ndarray, out: np.ndarray | None) -> np.ndarray:
        K = np.multiply(distances, -gamma, out=out)  # an SVM spends its time here
        return np.exp(K, out=K)

    def rough(B: np.ndarray) -> tuple[FeatureMap, float]:
        centre, root = B.mean(axis=0), math.sqrt(gamma)
        columns = np.ascontiguousarray((root * (B - centre)).T, np.float32)
        squares = (columns**2).sum(0)
        d, radius = len(columns), math.sqrt(squares.max())
        # Coordinates are wrong by SINGLE · radius, the exponent s by 4√s times that, and √s/eˢ < ½.
        error = 2 * (radius + 2) if 0 < d <= PLAIN else 4 * math.sqrt(d) * (radius**2 + 2)

        def values(A: np.ndarray) -> np.ndarray:
            A = (root * (A - centre)).astype(np.float32)
            if 0 < len(columns) <= PLAIN:
                distances = _squared_distances(A.T, columns)
            else:
                distances = A @ columns
                distances *= -2
                distances += squares
                distances += (A**2).sum(1)[:, None]
                np.maximum(distances, 0, out=distances)
            np.negative(distances, out=distances)
            return np.exp(distances, out=distances)

        return values, error * SINGLE

    return Kernel(
        f"rbf({gamma:g})",
        lambda A, B: shape(made := _distances_to(B)(A), made),
        lengths=lambda X: np.ones(len(X)),
        common=_distances_to,
        shape=shape,
        rough=rough,
    )


def _distances_to(B: np.ndarray) -> FeatureMap:
    """Return the function A ↦ ‖a − b‖², for many A: what Gaussian kernels have in common."""
    B = to_float(B)
    plain = 0 < B.shape[1] <= PLAIN or not len(B)
    centre = 0.0 if plain else B.mean(axis=0)  # far from 0 squares would lose their digits
    columns = np.ascontiguousarray((B if plain else B - centre).T)
    squares = (columns**2).sum(0)

    def values(A: np.ndarray) -> np.ndarray:
        A = to_float(A)
        if plain:
            return _squared_distances(A.T, columns)
        A = A - centre
        distances = np.add.outer((A**2).sum(1), squares)
        distances -= 2 * (A @ columns)
        return np.maximum(distances, 0, out=distances)

    return values


def _squared_distances(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Return ‖a − b‖² for points whose coordinates are rows, without cancellation."""
    total = A[0][:, None] - B[0]
    total *= total
    for a, b in zip(A[1:], B[1:]):
        difference = a[:, None] - b
        difference *= difference
        total += difference
    return total


def monomials(n: int, degree: int) -> list[tuple[int, ...]]:
    """List the exponents of all C(n + degree, degree) monomials in n variables up to `degree`."""
    as_count(n, "n")
    as_count(degree, "degree", low=0)
    return [e for e in itertools.product(range(degree + 1), repeat=n) if sum(e) <= degree]


def power(S: np.ndarray, degree: int) -> np.ndarray:
    """Return S^degree entry by entry, in Python ints where int64 would overflow."""
    return with_room(S, degree) ** degree


def with_room(S: np.ndarray, degree: int) -> np.ndarray:
    """Return S, in Python ints where S^degree overflows int64; refuse floats that overflow."""
    size = max(2, largest(S))
    if S.dtype == np.int64:
        return widen(S, size ** max(0, degree - 1))
    if S.dtype == float and degree * math.log10(size) > LARGEST_EXPONENT:
        raise ValueError(
            f"a product of {size:.0e} to the power {degree} overflows; rescale the points"
        )
    return S


def _plus(S: np.ndarray, offset: Number) -> np.ndarray:
    small = isinstance(offset, int) and offset < 2**53
    if is_exact(S) and not isinstance(offset, float):
        return (S if small else S.astype(object)) + offset
    return to_float(S) + (offset if small else as_real(offset, "offset"))


def gram(kernel: Kernel, X: ArrayLike) -> np.ndarray:
    """Return the matrix of K(xᵢ, xⱼ), symmetric to the last bit."""
    as_kernel(kernel)
    X = as_points(X)
    K = kernel(X, X)
    return np.tril(K) + np.tril(K, -1).T


@dataclass(frozen=True, eq=False, repr=False)
class KernelCheck(Result):
    """Features Φ with K = ΦΦᵀ, or a vector c with cᵀKc < 0; the other one is None."""

    K: np.ndarray
    features: np.ndarray | None
    direction: np.ndarray | None

    @property
    def is_kernel(self) -> bool:
        return self.features is not None

    def __bool__(self) -> bool:
        return self.is_kernel

    def check(self) -> None:
        """Verify K = ΦΦᵀ to rounding, or cᵀKc < 0."""
        both = (self.features is None) == (self.direction is None)
        require(not both, "features or a direction are expected, one of them and not both")
        if self.features is not None:
            verify_gram(self.K, self.features)
        if self.direction is not None:
            verify_not_gram(self.K, self.direction)

    def summary(self) -> str:
        if self.features is not None:
            return f"a Gram matrix: K = ΦΦᵀ with {self.features.shape[1]} features"
        if self.direction is None:
            return "neither features nor a direction"
        value = self.direction @ self.K @ self.direction
        entries = ", ".join(f"{v:.3g}" for v in self.direction)
        return f"not a Gram matrix: cᵀKc = {value:.4g} < 0 for c = ({entries})"


def check_kernel(K: ArrayLike) -> KernelCheck:
    """Decide whether a symmetric matrix is positive semidefinite, up to rounding."""
    K = to_float(as_points(K, name="K"))
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"K has shape {K.shape}; a square matrix is expected")
    lengths = np.sqrt(abs(K.diagonal()))
    scale = np.where(lengths > 0, lengths, max(lengths.max(), np.sqrt(np.abs(K).max())) or 1.0)
    scaled = K / scale[:, None] / scale  # entries of size 1, whatever the lengths of the features
    uneven = abs(scaled - scaled.T)
    if uneven.max() > 1e-12:
        i, j = np.unravel_index(uneven.argmax(), K.shape)
        raise ValueError(
            f"K is not symmetric: K[{i}, {j}] = {K[i, j]:g} and K[{j}, {i}] = {K[j, i]:g}"
        )
    values, vectors = np.linalg.eigh((scaled + scaled.T) / 2)
    kept = values > 0
    features = vectors[:, kept] * np.sqrt(values[kept]) * lengths[:, None]
    try:
        verify_gram(K, features)
    except CertificateError:
        return KernelCheck(K, None, vectors[:, 0] / (scale / scale.max()))
    return KernelCheck(K, features, None)
