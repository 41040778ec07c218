"""The mistake bound and its proof as a ledger with a row for each mistake.

Theorem (Novikoff). If ⟨w*, yx⟩ ≥ γ̂ > 0 and ‖x‖ ≤ R at every point, a run from w = 0 makes at
most R²‖w*‖²/γ̂² mistakes. For after t of them t·γ̂ ≤ ⟨w, w*⟩ ≤ ‖w‖‖w*‖ ≤ R√t·‖w*‖.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from .certificates import verify_mistake_bound
from .exact import as_fractions, dots, inner, is_exact, over_root, plain
from .halfspace import brief
from .results import Result
from .runs import Run
from .validation import ArrayLike, Number, as_vector

MOST_ROWS = 12  # of a ledger, before its middle is left out


@dataclass(frozen=True)
class Row:
    """The books after mistake t, made on the point `index`; `z` is what it added to w."""

    t: int
    index: int
    score: Number  # ⟨w, z⟩ before the update: a mistake, so ≤ 0
    gain: Number  # ⟨w*, z⟩: at least γ̂
    progress: Number  # ⟨w, w*⟩ after it: at least its start + tγ̂
    norm2: Number  # ‖w‖² after it: at most its start + tR²


@dataclass(frozen=True, eq=False, repr=False)
class MistakeBound(Result):
    """A run and a w* that is claimed to separate its data; the ledger of the proof follows."""

    run: Run
    w_star: np.ndarray

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The ledger: a row for each mistake."""
        Z, path, mistakes = self.run.directions, self.run.path(), self.run.mistakes
        if not len(mistakes):
            return ()
        columns = (
            mistakes,
            dots(path[:-1], Z[mistakes]),
            self.gains[mistakes],
            inner(path[1:], self.w_star),
            dots(path[1:], path[1:]),
        )
        return tuple(Row(t, *map(plain, line)) for t, line in enumerate(zip(*columns), 1))

    @cached_property
    def gains(self) -> np.ndarray:
        """⟨w*, z⟩ at every point."""
        return inner(self.run.directions, self.w_star)

    @property
    def functional_margin(self) -> Number:
        """γ̂ = min ⟨w*, z⟩: the margin before division by ‖w*‖."""
        return plain(self.gains.min())

    @property
    def star2(self) -> Number:
        """‖w*‖²."""
        return plain(inner(self.w_star, self.w_star))

    @cached_property
    def R2(self) -> Number:
        """The largest ‖z‖²."""
        return plain(dots(self.run.directions, self.run.directions).max())

    @property
    def gamma(self) -> float:
        """The geometric margin γ = γ̂/‖w*‖."""
        return over_root(self.functional_margin, self.star2)

    @property
    def R(self) -> float:
        return math.sqrt(self.R2)

    @property
    def mistakes(self) -> int:
        return len(self.run.mistakes)

    @property
    def bound(self) -> Number:
        """(R/γ)² = R²‖w*‖²/γ̂², exact for exact data; infinite if w* does not separate.

        From a start w₀ ≠ 0 it is the last t with (p + tγ̂)² ≤ ‖w*‖²(q + tR²), where p = ⟨w₀, w*⟩
        and q = ‖w₀‖² in units of the step.
        """
        if self.functional_margin <= 0:
            return math.inf
        g, R2, star2 = self.functional_margin, self.R2, self.star2
        if is_exact(self.gains):
            g = Fraction(g)
        if not self.run.start.any():
            return R2 * star2 / g**2
        step = Fraction(self.run.step)
        p = Fraction(plain(inner(self.run.start, self.w_star))) / step
        q = Fraction(plain(inner(self.run.start, self.run.start))) / step**2
        g, R2, star2 = Fraction(g), Fraction(R2), Fraction(star2)
        half = star2 * R2 / 2 - p * g
        square = half**2 - g**2 * (p**2 - star2 * q)
        return _tidy((half + _root(max(Fraction(0), square))) / g**2)

    def forms(self) -> dict[str, Number]:
        """Return the bound as each of five conventions writes it, from data normalised its way.

        The keys say what is normalised; v = w*/γ̂ has functional margin 1, and the data and their
        mirror image are δ = 2γ apart. Lengths are kept as squares, so that exact data give exact
        numbers.
        """
        if self.functional_margin <= 0:
            raise ValueError("w* does not separate the data, so there is no bound to write down")
        Z, w = self.run.directions, self.w_star
        if is_exact(Z, w):
            Z, w = as_fractions(Z), as_fractions(w)
        norms2 = (Z * Z).sum(axis=1)
        distances2 = (Z @ w) ** 2 / (w @ w)  # of the points from the hyperplane
        in_the_ball2 = distances2 / norms2.max()  # the same when the points are scaled to ‖x‖ ≤ 1
        v = w / (Z @ w).min()
        B2 = ((w @ w) / (Z @ w) ** 2).max()  # so long must w be for y⟨w,x⟩ ≥ 1 at every point
        street2 = ((Z @ w).min() - (-Z @ w).max()) ** 2 / (w @ w)
        forms = {
            "1/γ² (‖w*‖ = 1, points scaled to ‖x‖ ≤ 1)": 1 / in_the_ball2.min(),
            "(RB)² (B = ‖v‖)": (norms2 * B2).max(),
            "R²/γ² (‖w*‖ = 1)": norms2.max() / distances2.min(),
            "R²‖v‖² (y⟨v,x⟩ ≥ 1)": norms2.max() * (v @ v),
            "4R²/δ² (δ = 2γ)": 4 * norms2.max() / street2,
        }
        return {name: plain(value) for name, value in forms.items()}

    def check(self) -> None:
        """Verify the run, every line of the proof, and the bound; name the mistake that fails."""
        run = self.run
        verify_mistake_bound(
            run.X,
            run.y,
            run.start,
            run.step,
            run.normalised,
            run.mistakes,
            run.shown,
            self.w_star,
        )

    def summary(self) -> str:
        return f"{self.mistakes} mistakes ≤ bound {brief(self.bound)}"

    def _repr_html_(self) -> str:
        names = ("t", "point", "y⟨w,x⟩ ≤ 0", "y⟨w*,x⟩ ≥ γ̂", "⟨w,w*⟩ ≥ tγ̂", "‖w‖² ≤ tR²")
        head = "".join(f"<th>{name}</th>" for name in names)
        lines = [
            "".join(f"<td>{brief(value)}</td>" for value in vars(row).values()) for row in self.rows
        ]
        if len(lines) > MOST_ROWS:
            lines[6:-5] = ["<td>⋮</td>"]
        body = "".join(f"<tr>{line}</tr>" for line in lines)
        return f"<table><tr>{head}</tr>{body}</table>{self.summary()}"


def prove_mistake_bound(run: Run, w_star: ArrayLike) -> MistakeBound:
    """Write the ledger of a run for a separating w*, exactly where the data are exact."""
    w_star = as_vector(w_star, run.dimension, "w_star")
    if not w_star.any():
        raise ValueError(
            "w_star is zero, which separates nothing; a vector with y⟨w*,x⟩ > 0 is expected"
        )
    return MistakeBound(run, w_star)


def _root(square: Fraction) -> Fraction:
    """Return the square root, exactly if it is a fraction, else to some thirty digits."""
    scale = 1 << 100
    product = square.numerator * square.denominator
    root = math.isqrt(product)
    if root * root == product:
        return Fraction(root, square.denominator)
    return Fraction(math.isqrt(product * scale * scale), square.denominator * scale)


def _tidy(value: Fraction) -> Number:
    """Return a whole number as an int, a short fraction as it is, and any other as a float."""
    if value.denominator == 1:
        return int(value)
    return value if value.denominator < 10**6 else float(value)
