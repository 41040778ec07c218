"""Certificates of the library, honest and forged, for the verifiers that Coq has proved sound."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from halfspaces import (
    datasets,
    homogenise,
    prove_mistake_bound,
    radon_partition,
    run_perceptron,
    separate,
)

# Everything below is in plain Python integers; a point is (coordinates, label).
Sample = tuple[tuple[tuple[int, ...], int], ...]


@dataclass(frozen=True)
class Separator:
    """The halfspace ⟨w,x⟩ ≥ b separates the data."""

    data: Sample
    w: tuple[int, ...]
    b: int

    def holds(self) -> bool:
        """Tell whether it does, by the definition."""
        return all(y * (dot(self.w, x) - self.b) > 0 for x, y in self.data)

    def coq(self) -> str:
        return f"Separator {sample(self.data)} {vector(self.w)} {number(self.b)}"

    def forgeries(self) -> Iterator["Separator"]:
        """Change one field."""
        (x, y), *rest = self.data
        yield replace(self, data=((x, -y), *rest))
        yield replace(self, data=((tuple(-a for a in x), y), *rest))
        yield replace(self, w=tuple(-a for a in self.w))
        yield replace(self, w=(0,) * len(self.w))
        yield replace(self, b=self.b + 1000)
        yield replace(self, b=max(dot(self.w, x) for x, _ in self.data))


@dataclass(frozen=True)
class Weights:
    """No halfspace separates the data (without threshold: none through 0), for λ = l/n cancel."""

    threshold: bool
    data: Sample
    l: tuple[int, ...]
    n: int

    def holds(self) -> bool:
        """Tell whether they are weights that cancel, by the definition."""
        points = [(*x, -1) if self.threshold else x for x, _ in self.data]
        terms = [c * y for c, (_, y) in zip(self.l, self.data, strict=False)]
        sums = [sum(c * x[j] for c, x in zip(terms, points)) for j in range(len(points[0]))]
        whole = len(self.l) == len(self.data) and min(self.l) >= 0 and sum(self.l) == self.n > 0
        return whole and not any(sums)

    def coq(self) -> str:
        flag = "true" if self.threshold else "false"
        return f"Weights {flag} {sample(self.data)} {vector(self.l)} {number(self.n)}"

    def forgeries(self) -> Iterator["Weights"]:
        """Change one field."""
        k = next(i for i, c in enumerate(self.l) if c)
        more = tuple(c + (i == k) for i, c in enumerate(self.l))
        (x, y), *rest = self.data
        yield replace(self, l=more)
        yield replace(self, l=more, n=self.n + 1)
        yield replace(self, l=(0,) * len(self.l), n=1)
        yield replace(self, l=(0,) * len(self.l), n=0)
        yield replace(self, l=tuple(-c for c in self.l), n=-self.n)
        yield replace(self, l=self.l[:k] + self.l[k + 1 :])
        yield replace(self, data=((x, -y), *rest))
        yield replace(self, data=((tuple(a + 1 for a in x), y), *rest))


@dataclass(frozen=True)
class Ledger:
    """The books of a run, γ̂, R², the bound p/q; rows of index, score, gain, progress, ‖w‖²."""

    data: Sample
    w_star: tuple[int, ...]
    g: int
    R2: int
    p: int
    q: int
    rows: tuple[tuple[int, ...], ...]
    converged: bool

    def holds(self) -> bool:
        """Keep the books anew, by the definition."""
        Z = [tuple(y * a for a in x) for x, y in self.data]
        w, rows = (0,) * len(self.w_star), []
        for i, *_ in self.rows:
            if not 0 <= i < len(Z) or dot(w, Z[i]) > 0:
                return False
            after = tuple(a + c for a, c in zip(w, Z[i], strict=True))
            numbers = (
                dot(w, Z[i]),
                dot(self.w_star, Z[i]),
                dot(after, self.w_star),
                dot(after, after),
            )
            rows.append((i, *numbers))
            w = after
        right = (
            self.g == min(dot(self.w_star, z) for z in Z) > 0
            and self.R2 == max(dot(z, z) for z in Z)
            and self.q > 0
            and self.p * self.g**2 == self.R2 * dot(self.w_star, self.w_star) * self.q
        )
        done = all(dot(w, z) > 0 for z in Z)
        return right and tuple(rows) == self.rows and (done or not self.converged)

    def coq(self) -> str:
        rows = "; ".join(
            f"Row {i}%nat {' '.join(number(value) for value in rest)}" for i, *rest in self.rows
        )
        numbers = " ".join(map(number, (self.g, self.R2, self.p, self.q)))
        flag = "true" if self.converged else "false"
        return f"Ledger {sample(self.data)} {vector(self.w_star)} {numbers} [{rows}] {flag}"

    def forgeries(self) -> Iterator["Ledger"]:
        """Change one field."""
        yield replace(self, g=self.g + 1)
        yield replace(self, g=self.g - 1)
        yield replace(self, R2=self.R2 - 1)
        yield replace(self, p=self.p - 1)
        yield replace(self, q=-self.q, p=-self.p)
        yield replace(self, w_star=tuple(-a for a in self.w_star))
        yield replace(self, rows=self.rows[:-1], converged=True)
        yield replace(self, rows=self.rows + self.rows[-1:])
        yield replace(self, rows=self.rows[1:])
        middle = len(self.rows) // 2
        for k in range(5):
            row = list(self.rows[middle])
            row[k] += 1
            yield replace(self, rows=(*self.rows[:middle], tuple(row), *self.rows[middle + 1 :]))
        far = (len(self.data), *self.rows[0][1:])
        yield replace(self, rows=(far, *self.rows[1:]))


def dot(u, v) -> int:
    """Return ⟨u,v⟩."""
    return sum(a * b for a, b in zip(u, v, strict=True))


def number(value: int) -> str:
    return f"({value})"


def vector(values) -> str:
    return f"[{'; '.join(map(number, values))}]"


def sample(data: Sample) -> str:
    return f"[{'; '.join(f'({vector(x)}, {number(y)})' for x, y in data)}]"


def whole(values) -> tuple[list[int], int]:
    """Return integers c·values, and the smallest such c > 0."""
    fractions = [Fraction(value) for value in values]
    scale = math.lcm(*(value.denominator for value in fractions))
    return [int(value * scale) for value in fractions], scale


def as_sample(X, y) -> tuple[Sample, int]:
    """Return the points in units that make them whole, with their labels, and how many make 1."""
    flat, scale = whole(np.asarray(X, object).ravel().tolist())
    width = np.shape(X)[1]
    rows = [tuple(flat[k : k + width]) for k in range(0, len(flat), width)]
    return tuple(zip(rows, map(int, y), strict=True)), scale


def of_separation(found) -> Separator | Weights:
    """Write down what `separate` has found."""
    data, scale = as_sample(found.X, found.y)
    if found.separable:
        (*w, b), _ = whole([*found.halfspace.w.tolist(), Fraction(found.halfspace.b) * scale])
        return Separator(data, tuple(w), b)
    weights, n = whole(found.weights.tolist())
    return Weights(found.bias, data, tuple(weights), n)


def of_ledger(proof) -> Ledger:
    """Write down what `prove_mistake_bound` has found, in units that make all numbers whole."""
    run = proof.run
    data, s = as_sample(run.X, run.y)
    w_star, c = whole(proof.w_star.tolist())
    rows = tuple(
        (
            int(row.index),
            *(
                int(Fraction(value) * unit)
                for value, unit in (
                    (row.score, s * s),
                    (row.gain, s * c),
                    (row.progress, s * c),
                    (row.norm2, s * s),
                )
            ),
        )
        for row in proof.rows
    )
    bound = Fraction(proof.bound)
    g, R2 = int(Fraction(proof.functional_margin) * s * c), int(Fraction(proof.R2) * s * s)
    numbers = g, R2, bound.numerator, bound.denominator
    return Ledger(data, tuple(w_star), *numbers, rows, bool(run.converged))


def honest(rng: np.random.Generator) -> Iterator[Separator | Weights | Ledger]:
    """Yield what the library finds on the data of the notebooks, and on small random ones."""
    animals = datasets.animals()
    yield of_separation(separate(*animals))
    best = [Fraction(-3, 4), Fraction(5, 8), Fraction(5, 4)]
    yield of_ledger(prove_mistake_bound(run_perceptron(*animals), best))
    yield of_separation(separate(*datasets.xor()))
    rows, y = homogenise(animals[0]), animals[1]  # and what the uncle of notebook 03 says
    yield of_separation(separate(rows, y, bias=False))
    yield of_separation(separate(np.vstack([rows, [0, 1, 0, 0]]), [*y, -1], bias=False))
    five = [[2, -3], [0, 2], [0, -1], [2, 0], [-3, 2]], [-1, 1, -1, 1, 1]
    for w_star in ([1, 3], [2, 5]):
        yield of_ledger(prove_mistake_bound(run_perceptron(*five), w_star))
    for _ in range(70):
        n, d = rng.integers(2, 9), rng.integers(1, 5)
        X, y = rng.integers(-5, 6, (n, d)), rng.choice([-1, 1], n)
        for bias in (True, False):
            yield of_separation(separate(X, y, bias=bias))
    for _ in range(10):
        X = np.array([[Fraction(int(a), 6) for a in row] for row in rng.integers(-5, 6, (6, 2))])
        yield of_separation(separate(X, rng.choice([-1, 1], 6)))
    for d in (1, 2, 3, 4):
        for _ in range(8):
            found = radon_partition(rng.integers(-9, 10, (d + 2, d)))
            yield of_separation(found)
    made = 0
    while made < 60:
        n, d = rng.integers(2, 9), rng.integers(1, 5)
        X, w_star = rng.integers(-5, 6, (n, d)), rng.integers(-4, 5, d)
        scores = X @ w_star
        if scores.all():
            run = run_perceptron(X, np.sign(scores), max_updates=25)
            yield of_ledger(prove_mistake_bound(run, w_star))
            made += 1


def forged(certificates) -> Iterator[Separator | Weights | Ledger]:
    """Yield every change of one field that makes a certificate false."""
    for certificate in certificates:
        yield from (false for false in certificate.forgeries() if not false.holds())
