"""Kernels: inner products in a space that is never entered.

A kernel is a function of two blocks of points that returns the block of its values. Sums and products
of kernels are kernels; the ones with finitely many features know their feature map.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .validation import CertificateError, as_count, as_number, as_points, as_real, to_float
from .exact import inner, is_exact, largest, widen

LARGEST_DEGREE = 1000
Block = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Kernel:
    """K(A, B) for blocks of points, and φ with K(x, y) = ⟨φ(x), φ(y)⟩ where φ is finite."""

    name: str
    block: Block
    feature_map: Callable[[np.ndarray], np.ndarray] | None = None

    def __call__(self, A, B) -> np.ndarray:
        A = as_points(A, name="A")
        return self.block(A, as_points(B, A.shape[1], "B"))

    def features(self, X) -> np.ndarray:
        """Return φ(x) for each point."""
        if self.feature_map is None:
            raise ValueError(f"{self.name} has no finite feature map")
        return self.feature_map(as_points(X))

    def __add__(self, other: "Kernel") -> "Kernel":
        f, g = self.feature_map, other.feature_map
        side_by_side = (lambda X: np.hstack([f(X), g(X)])) if f and g else None
        return Kernel(
            f"({self.name} + {other.name})",
            lambda A, B: self.block(A, B) + other.block(A, B),
            side_by_side,
        )

    def __mul__(self, other: "Kernel") -> "Kernel":
        f, g = self.feature_map, other.feature_map
        all_products = (
            (lambda X: (f(X)[:, :, None] * g(X)[:, None, :]).reshape(len(X), -1))
            if f and g
            else None
        )
        return Kernel(
            f"{self.name} · {other.name}",
            lambda A, B: self.block(A, B) * other.block(A, B),
            all_products,
        )


linear = Kernel("linear", lambda A, B: inner(A, B.T), lambda X: X)


def polynomial(degree: int, offset=0) -> Kernel:
    """Return (⟨x, y⟩ + offset)^degree; offset 0 is the homogeneous kernel."""
    as_count(degree, "degree", high=LARGEST_DEGREE)
    offset = as_number(offset, "offset", low=0)

    def block(A, B):
        return power(_plus(inner(A, B.T), offset), degree)

    def features(X):
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

    return Kernel(f"polynomial({degree}, {offset})", block, features)


def geometric(degree: int) -> Kernel:
    """Return 1 + ⟨x,y⟩ + … + ⟨x,y⟩^degree, summed by Horner's rule: stable where the quotient is 0/0."""
    as_count(degree, "degree", low=0, high=LARGEST_DEGREE)

    def block(A, B):
        s = inner(A, B.T)
        s = widen(s, max(1, largest(s)) ** degree * (degree + 1))
        total = np.ones_like(s)
        for _ in range(degree):
            total = total * s + 1
        return total

    def features(X):
        if X.shape[1] == 1:  # the notes' map (1, x, …, x^degree), exact for exact x
            return np.hstack([power(X, k) for k in range(degree + 1)])
        return np.hstack(
            [np.ones((len(X), 1))] + [polynomial(k).feature_map(X) for k in range(1, degree + 1)]
        )

    return Kernel(f"geometric({degree})", block, features)


def rbf(gamma) -> Kernel:
    """Return exp(−gamma ‖x − y‖²)."""
    gamma = as_real(gamma, "gamma", low=0, strict=True)

    def block(A, B):
        A, B = to_float(A), to_float(B)
        squares = (A**2).sum(1)[:, None] + (B**2).sum(1) - 2 * (A @ B.T)
        return np.exp(-gamma * np.maximum(squares, 0))

    return Kernel(f"rbf({gamma:g})", block)


def monomials(n: int, degree: int) -> list[tuple[int, ...]]:
    """List the exponents of all monomials in n variables of degree at most `degree`: N(n, d) = C(n+d, d) of them."""
    as_count(n, "n"), as_count(degree, "degree", low=0)
    return [e for e in itertools.product(range(degree + 1), repeat=n) if sum(e) <= degree]


def power(S: np.ndarray, degree: int) -> np.ndarray:
    """Return S^degree entry by entry, in Python ints where int64 would overflow."""
    return widen(S, largest(S) ** max(0, degree - 1)) ** degree


def _plus(S: np.ndarray, offset) -> np.ndarray:
    if is_exact(S) and not isinstance(offset, float):
        return (S if isinstance(offset, int) and offset < 2**53 else S.astype(object)) + offset
    return to_float(S) + as_real(offset, "offset")


def gram(kernel: Kernel, X) -> np.ndarray:
    """Return the matrix of K(xᵢ, xⱼ), symmetric to the last bit."""
    K = kernel(X, X)
    return np.tril(K) + np.tril(K, -1).T


@dataclass(frozen=True, eq=False)
class KernelCheck:
    """Features Φ with K = ΦΦᵀ, or a vector c with cᵀKc < 0."""

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
        tolerance = _rounding(self.K)
        if self.is_kernel:
            error = np.abs(self.features @ self.features.T - self.K)
            if error.max() > tolerance:
                i, j = np.unravel_index(error.argmax(), error.shape)
                raise CertificateError(f"ΦΦᵀ differs from K at ({i}, {j}) by {error[i, j]:.3g}")
        elif not self.direction @ self.K @ self.direction < -tolerance:
            raise CertificateError(
                f"cᵀKc = {self.direction @ self.K @ self.direction:.3g} is not negative"
            )

    def _repr_html_(self) -> str:
        if self.is_kernel:
            return f"a Gram matrix: K = ΦΦᵀ with {self.features.shape[1]} features"
        c = ", ".join(f"{v:.3g}" for v in self.direction)
        return f"not a Gram matrix: cᵀKc = {self.direction @ self.K @ self.direction:.4g} &lt; 0 for c = ({c})"


def check_kernel(K) -> KernelCheck:
    """Decide whether a symmetric matrix is positive semidefinite, up to rounding."""
    K = to_float(as_points(K, name="K"))
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"K has shape {K.shape}; a square matrix is expected")
    if np.abs(K - K.T).max() > _rounding(K):
        i, j = np.unravel_index(np.abs(K - K.T).argmax(), K.shape)
        raise ValueError(
            f"K is not symmetric: K[{i}, {j}] = {K[i, j]:g} and K[{j}, {i}] = {K[j, i]:g}"
        )
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    if values[0] < -_rounding(K):
        return KernelCheck(K, None, vectors[:, 0])
    kept = values > 0
    return KernelCheck(K, vectors[:, kept] * np.sqrt(values[kept]), None)


def _rounding(K: np.ndarray) -> float:
    return 1e-13 * len(K) * max(np.abs(K).max(), 1e-300)
