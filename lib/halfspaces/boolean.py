"""Formulas over {0,1}^d and the halfspaces that encode them, in integers of any size.

A literal is a signed index, as in DIMACS: 3 is x₃ and −3 is ¬x₃. A formula labels true as +1 and
false as −1.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from .certificates import verify_labels
from .halfspace import Halfspace, homogenise
from .validation import ArrayLike, Number, NumberOrArray, as_count, as_points, as_vector

LARGEST_CUBE = 20


def cube(d: int) -> np.ndarray:
    """Return the 2^d points of {0,1}^d in lexicographic order."""
    if as_count(d, "d") > LARGEST_CUBE:
        raise ValueError(
            f"the cube of dimension {d} has 2^{d} points; at most d = {LARGEST_CUBE} is enumerated"
        )
    return np.array(list(product((0, 1), repeat=d)), np.int64)


class Formula:
    """A Boolean function that knows its truth value and its halfspace."""

    d: int

    def _truth(self, X: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def halfspace(self) -> Halfspace:
        """Return the halfspace that encodes the formula."""
        raise NotImplementedError

    def __call__(self, X: ArrayLike) -> NumberOrArray:
        """Return +1 where the formula is true and −1 where it is false, for one point or many."""
        if np.ndim(X) == 1:
            return int(self([as_vector(X, self.d, "x")])[0])
        X = as_points(X, self.d)
        if not np.isin(X, (0, 1)).all():
            raise ValueError("a formula is evaluated on points with coordinates 0 and 1")
        return np.where(self._truth(X.astype(bool)), 1, -1).astype(np.int64)

    def check(self) -> None:
        """Verify that formula and halfspace agree on all 2^d points, in exact integers."""
        X, halfspace = cube(self.d), self.halfspace()
        verify_labels(X, self(X), halfspace.w, halfspace.b)


@dataclass(frozen=True)
class AtLeast(Formula):
    """True where at least k of the literals hold; conjunctions and disjunctions are the ends."""

    literals: Sequence[int]  # kept as a tuple
    d: int
    k: int

    def __post_init__(self) -> None:
        literals = tuple(dict.fromkeys(_as_literals(self.literals, self.d)))
        clash = next((v for v in literals if -v in literals), None)
        if clash is not None:
            raise ValueError(
                f"both x{abs(clash)} and ¬x{abs(clash)} are listed, which cancel; "
                "give each variable once"
            )
        object.__setattr__(self, "literals", literals)
        as_count(self.k, "k", low=0)

    def _truth(self, X: np.ndarray) -> np.ndarray:
        number = sum((_holds(v, X).astype(int) for v in self.literals), np.zeros(len(X), int))
        return number >= self.k

    def _repr_html_(self) -> str:
        if type(self) is AtLeast:
            return f"at least {self.k} of {', '.join(map(_symbol, self.literals))}"
        sign, empty = (" ∧ ", "true") if isinstance(self, Conjunction) else (" ∨ ", "false")
        return sign.join(map(_symbol, self.literals)) or empty

    def halfspace(self) -> Halfspace:
        """Return Σ x − Σ x̄ ≥ k − r, where r literals are negated: each ¬x is 1 − x."""
        w = [0] * self.d
        for v in self.literals:
            w[abs(v) - 1] = 1 if v > 0 else -1
        return Halfspace(w, self.k - sum(v < 0 for v in self.literals))

    def __repr__(self) -> str:
        k = f", k={self.k}" if type(self) is AtLeast else ""
        return f"{type(self).__name__}({list(self.literals)}, d={self.d}{k})"


class Conjunction(AtLeast):
    """All literals hold; the empty conjunction is true."""

    def __init__(self, literals: Iterable[int], d: int) -> None:
        literals = _as_literals(literals, d)
        super().__init__(literals, d, len(set(literals)))


class Disjunction(AtLeast):
    """Some literal holds; the empty disjunction is false."""

    def __init__(self, literals: Iterable[int], d: int) -> None:
        super().__init__(_as_literals(literals, d), d, 1)


@dataclass(frozen=True)
class DecisionList(Formula):
    """The output of the first rule whose literal holds, or the default."""

    rules: Sequence[tuple[int, bool]]  # kept as a tuple
    default: bool
    d: int

    def __post_init__(self) -> None:
        try:
            rules = tuple((literal, output) for literal, output in self.rules)
        except (TypeError, ValueError):
            raise ValueError(
                "rules must be pairs (literal, output), such as [(1, True), (-2, False)]"
            ) from None
        _as_literals([literal for literal, _ in rules], self.d)
        if not all(output in (False, True) for output in (*(o for _, o in rules), self.default)):
            raise ValueError("the outputs and the default of a decision list are True or False")
        object.__setattr__(self, "rules", rules)

    def _truth(self, X: np.ndarray) -> np.ndarray:
        answer = np.full(len(X), bool(self.default))
        for literal, output in reversed(self.rules):
            answer = np.where(_holds(literal, X), bool(output), answer)
        return answer

    def _repr_html_(self) -> str:
        rules = "".join(
            f"if {_symbol(literal)} then {int(output)}, else " for literal, output in self.rules
        )
        return f"{rules}{int(self.default)}"

    def halfspace(self, base: Number = 2) -> Halfspace:
        """Return the sum of ±baseʲ over the rules that hold, ±1 for the default, as a halfspace.

        With base 2 the first rule that holds outweighs all after it: 2^j > 2^(j−1) + … + 2 + 1.
        """
        w: list[Number] = [0] * self.d
        constant: Number = _sign(self.default)
        for j, (literal, output) in enumerate(reversed(self.rules), 1):
            vote = _sign(output) * base**j
            w[abs(literal) - 1] += vote if literal > 0 else -vote
            constant += vote if literal < 0 else 0
        return Halfspace(w, -constant)


def _symbol(literal: int) -> str:
    return f"{'¬' if literal < 0 else ''}x<sub>{abs(literal)}</sub>"


def _sign(output: bool) -> int:
    return 1 if output else -1


def _holds(literal: int, X: np.ndarray) -> np.ndarray:
    column = X[:, abs(literal) - 1]
    return column if literal > 0 else ~column


def _as_literals(literals: Iterable[int], d: int) -> list[int]:
    as_count(d, "d")
    if not isinstance(literals, Iterable) or isinstance(literals, str):
        raise ValueError(
            f"literals are {literals!r}; a list of signed indices such as [1, -3] is expected"
        )
    found = list(literals)
    for v in found:
        whole = isinstance(v, (int, np.integer)) and not isinstance(v, bool)
        if not whole or v == 0 or not -d <= v <= d:  # abs of the least int64 is no int64
            raise ValueError(f"literal {v!r} is out of range; ±1 … ±{d} are expected (−3 is ¬x3)")
    return [int(v) for v in found]


def count_threshold_functions(d: int) -> int:
    """Count the Boolean functions of d variables that are halfspaces (OEIS A000609).

    Each point x of the cube is a hyperplane ⟨w,x⟩ = b in the space of (w, b), and the halfspaces
    are the regions between these 2^d hyperplanes.
    """
    if as_count(d, "d") > 5:
        raise ValueError(
            f"d = {d} would need the flats among 2^{d} points; at most d = 5 is counted"
        )
    return count_regions(homogenise(cube(d)))


def count_regions(normals: np.ndarray) -> int:
    """Count the regions between hyperplanes through 0, at most 64, with whole numbers as normals.

    By Zaslavsky's theorem there are Σ|μ(F)| of them, over all flats F (sets of normals that contain
    every normal in their span), μ being the Möbius function of the flats.
    """
    levels = [{0: normals}]
    while levels[-1]:
        levels.append({F: Q for quotient in levels[-1].items() for F, Q in _flats_above(*quotient)})
    flats = np.array([F for level in levels for F in level], np.uint64)
    mobius = np.zeros(len(flats), np.int64)
    for i, F in enumerate(flats):
        below = flats[:i] & ~F == 0
        mobius[i] = 1 if i == 0 else -mobius[:i][below].sum()
    return int(np.abs(mobius).sum())


def _flats_above(flat: int, points: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the flats that cover this one, each with the points projected along it.

    Projected points are kept as primitive integers.
    """
    outside = [i for i in range(len(points)) if not flat >> i & 1]
    while outside:
        p = points[outside[0]]
        j = np.flatnonzero(p)[0]
        projected = np.delete(p[j] * points - points[:, j, None] * p, j, axis=1)
        inside = ~projected.any(axis=1)
        divisor = np.gcd.reduce(projected, axis=1)[:, None] if projected.shape[1] else 1
        covering = sum(1 << i for i in np.flatnonzero(inside).tolist())
        yield covering, projected // np.maximum(divisor, 1)
        outside = [i for i in outside if not inside[i]]
