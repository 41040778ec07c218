"""The mistake bound and its proof as a ledger with a row for each mistake.

Theorem (Novikoff). If ⟨w*, yx⟩ ≥ γ̂ > 0 and ‖x‖ ≤ R at every point, a run from w = 0 makes at most
R²‖w*‖²/γ̂² mistakes. For after t of them t·γ̂ ≤ ⟨w, w*⟩ ≤ ‖w‖‖w*‖ ≤ R√t·‖w*‖.
"""

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from .validation import CertificateError, as_vector
from .exact import dots, inner, is_exact, over_root, plain
from .halfspace import brief
from .runs import Run


@dataclass(frozen=True)
class Row:
    """The books after mistake t, made on the point `index`; `z` is what it added to w."""

    t: int
    index: int
    score: float  # ⟨w, z⟩ before the update: a mistake, so ≤ 0
    gain: float  # ⟨w*, z⟩: at least γ̂
    progress: float  # ⟨w, w*⟩ after it: at least its start + tγ̂
    norm2: float  # ‖w‖² after it: at most its start + tR²


@dataclass(frozen=True, eq=False)
class MistakeBound:
    """The ledger of a run, for a w* that is claimed to separate the data."""

    run: Run = field(repr=False)
    w_star: np.ndarray
    rows: tuple[Row, ...] = field(repr=False)
    gains: np.ndarray = field(repr=False)  # ⟨w*, z⟩ at every point
    star2: float  # ‖w*‖²
    R2: float  # the largest ‖z‖²

    @property
    def functional_margin(self):
        """γ̂ = min ⟨w*, z⟩: the margin before division by ‖w*‖."""
        return plain(self.gains.min())

    @property
    def gamma(self) -> float:
        """The geometric margin γ = γ̂/‖w*‖."""
        return over_root(self.functional_margin, self.star2)

    @property
    def R(self) -> float:
        return math.sqrt(self.R2)

    @property
    def mistakes(self) -> int:
        return len(self.rows)

    @property
    def bound(self):
        """(R/γ)² = R²‖w*‖²/γ̂², exact for exact data; infinite if w* does not separate.

        From a start w₀ ≠ 0 it is the t at which (p₀ + tγ̂)² = ‖w*‖²(‖w₀‖² + tR²), all in units of the step.
        """
        g, start, step = self.functional_margin, self.run.start, self.run.step
        if g <= 0:
            return math.inf
        if not start.any():
            return self.R2 * self.star2 / (Fraction(g) if is_exact(self.gains) else g) ** 2
        p, q = float(inner(start, self.w_star) / step), float(inner(start, start) / step**2)
        half = p * g - self.star2 * self.R2 / 2
        return (
            float(-half + math.sqrt(max(0.0, half**2 - g**2 * (p**2 - self.star2 * q))))
            / float(g) ** 2
        )

    def forms(self) -> dict[str, object]:
        """Return the bound as each of five conventions writes it; stated correctly, all are the same number.

        The keys say what is normalised; v = w*/γ̂ has functional margin 1, and the classes are δ = 2γ apart.
        """
        g2, R2, star2 = (
            Fraction(self.functional_margin) ** 2,
            Fraction(self.R2),
            Fraction(self.star2),
        )
        if self.functional_margin <= 0:
            raise ValueError("w* does not separate the data, so there is no bound to write down")
        gamma2, v2 = g2 / star2, star2 / g2
        forms = {
            "1/γ² (‖w*‖ = 1, points scaled to ‖x‖ ≤ 1)": 1 / (gamma2 / R2),
            "(RB)² (B = ‖v‖)": R2 * v2,
            "R²/γ² (‖w*‖ = 1)": R2 / gamma2,
            "R²‖v‖² (y⟨v,x⟩ ≥ 1)": R2 * v2,
            "4R²/δ² (δ = 2γ)": 4 * R2 / (4 * gamma2),
        }
        return (
            forms if is_exact(self.gains) else {name: float(value) for name, value in forms.items()}
        )

    def check(self) -> None:
        """Verify every line of the proof, and name the mistake at which one fails."""
        exact = is_exact(self.gains, self.run.start) and not isinstance(self.run.step, float)
        step, R2, g = self.run.step, self.R2, self.functional_margin
        p0, q0 = (
            plain(inner(self.run.start, self.w_star)),
            plain(inner(self.run.start, self.run.start)),
        )
        for row in self.rows:
            slack = 0 if exact else 1e-9 * (1 + abs(row.norm2) + abs(row.progress))
            where = f"mistake {row.t} (point {row.index})"
            if row.gain <= 0:
                raise CertificateError(
                    f"{where}: y⟨w*,x⟩ = {row.gain}, which is not > 0: w* is wrong there"
                )
            if row.score > slack:
                raise CertificateError(
                    f"{where}: y⟨w,x⟩ = {row.score} > 0 before the update: no mistake"
                )
            if row.progress < p0 + step * row.t * g - slack:
                raise CertificateError(
                    f"{where}: ⟨w,w*⟩ = {row.progress} is less than tγ̂ = {step * row.t * g}"
                )
            if row.norm2 > q0 + step**2 * row.t * R2 + slack:
                raise CertificateError(
                    f"{where}: ‖w‖² = {row.norm2} exceeds tR² = {step**2 * row.t * R2}"
                )
            if row.progress > 0 and row.progress**2 > row.norm2 * self.star2 * (
                1 if exact else 1 + 1e-9
            ):
                raise CertificateError(f"{where}: ⟨w,w*⟩ = {row.progress} exceeds ‖w‖‖w*‖")
        if g <= 0:
            raise CertificateError(
                f"point {int(self.gains.argmin())}: y⟨w*,x⟩ = {g}, which is not > 0: "
                "w* does not separate the data, and the theorem says nothing"
            )
        if self.mistakes > self.bound * (1 if exact else 1 + 1e-9):
            raise CertificateError(f"{self.mistakes} mistakes exceed the bound {self.bound}")

    def _repr_html_(self) -> str:
        head = "<tr><th>t<th>point<th>y⟨w,x⟩ ≤ 0<th>y⟨w*,x⟩ ≥ γ̂<th>⟨w,w*⟩ ≥ tγ̂<th>‖w‖² ≤ tR²</tr>"
        shown = self.rows if len(self.rows) <= 12 else (*self.rows[:6], None, *self.rows[-5:])
        body = "".join(
            "<tr>" + "".join(f"<td>{brief(v)}" for v in vars(row).values()) + "</tr>"
            if row
            else "<tr><td>⋮</tr>"
            for row in shown
        )
        return f"<table>{head}{body}</table>{self.mistakes} mistakes ≤ bound {brief(self.bound)}"


def prove_mistake_bound(run: Run, w_star) -> MistakeBound:
    """Write the ledger of a run for a separating w*, in exact arithmetic where the data are exact."""
    Z, path = run.directions, run.path()
    w_star = as_vector(w_star, Z.shape[1], "w_star")
    star2 = inner(w_star, w_star)
    if star2 == 0:
        raise ValueError(
            "w_star is zero, which separates nothing; a vector with y⟨w*,x⟩ > 0 is expected"
        )
    gains, made_on = inner(Z, w_star), Z[run.mistakes]
    after = path[1:]
    progress = inner(after, w_star) if len(after) else after[:, 0]
    columns = (
        run.mistakes,
        dots(path[:-1], made_on),
        gains[run.mistakes],
        progress,
        dots(after, after),
    )
    rows = tuple(Row(t, *(plain(v) for v in line)) for t, line in enumerate(zip(*columns), 1))
    return MistakeBound(run, w_star, rows, gains, plain(star2), plain(dots(Z, Z).max()))
