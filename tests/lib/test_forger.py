"""The forger: change an honest result, and whatever is no longer true must not pass.

Truth is told here by other means than those of `halfspaces.certificates`:
textbook loops, brute force, eigenvalues, and the optimum as a solver finds it for
the changed problem.
"""

import math
from dataclasses import fields, replace
from fractions import Fraction

import numpy as np
import pytest
from halfspaces import (
    SVM,
    BestHalfspace,
    CertificateError,
    ConeRun,
    Descent,
    Halfspace,
    KernelCheck,
    KernelRun,
    MistakeBound,
    NotSeparableError,
    RescaledRun,
    Run,
    Separation,
    linear,
    polynomial,
    separate,
    solve_svm,
)
from honest import results
from hypothesis import given, settings
from hypothesis import strategies as st

KINDS = sorted(name for name, result in results().items() if hasattr(result, "X") or fields(result))
SCALES = [10.0**k for k in (-60, -30, -10, 0, 10, 30, 60)]
LIES = ["negate", "nudge", "double", "zero", "swap", "drop", "repeat", "one more", "other", "none"]


def forge(value, lie: str, rng: np.random.Generator):
    """Return the value changed by a lie, or the value itself where the lie does not fit."""
    if isinstance(value, np.ndarray):
        return _forge_array(value, lie, rng)
    if isinstance(value, tuple) and value and isinstance(value[0], np.ndarray):
        i = int(rng.integers(len(value)))
        if lie == "drop":
            return value[:i] + value[i + 1 :]
        if lie == "repeat":
            return (*value, value[i])
        return (*value[:i], _forge_array(value[i], lie, rng), *value[i + 1 :])
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float, Fraction)):
        return {"negate": -value, "nudge": value + 1, "double": 2 * value, "zero": 0 * value}.get(
            lie, value
        )
    if isinstance(value, Halfspace):
        if lie in ("nudge", "double", "zero"):
            return Halfspace(value.w, forge(value.b, lie, rng))
        return Halfspace(_forge_array(value.w, lie, rng) if lie != "drop" else -value.w, value.b)
    if hasattr(value, "block"):
        return polynomial(2) if value == linear else linear
    return value


def _forge_array(array: np.ndarray, lie: str, rng: np.random.Generator) -> np.ndarray:
    if not array.size:
        return array
    new, i, j = array.copy(), *rng.integers(len(array), size=2)
    if lie == "drop":
        return np.delete(array, i, axis=0)
    if lie in ("repeat", "one more"):
        return np.concatenate([array, array[i : i + 1]])
    if lie == "swap":
        new[[i, j]] = new[[j, i]]
    elif lie == "negate":
        new[i] = -new[i]
    elif lie == "nudge":
        new[i] = new[i] + (1 if array.dtype.kind in "iO" else 0.01 * (new[i] + abs(array).max()))
    elif lie == "double":
        new[i] = 2 * new[i]
    elif lie == "zero":
        new[i] = 0 * new[i]
    elif lie == "other":
        new[i] = new[j]
    return new


def forged(result, names, lies, rng):
    """Return the result with these fields changed."""
    changed = {name: forge(getattr(result, name), lie, rng) for name, lie in zip(names, lies)}
    if "none" in lies and isinstance(result, (Separation, KernelCheck)):
        swap = (
            ("halfspace", "weights")
            if isinstance(result, Separation)
            else ("features", "direction")
        )
        changed |= dict.fromkeys(swap)
    return replace(result, **changed)


# Whether a result is true, each kind by another way than its verifier's


def dot(u, v):
    return sum(
        Fraction(a) * Fraction(b) for a, b in zip(np.asarray(u).tolist(), np.asarray(v).tolist())
    )


def score(halfspace: Halfspace, x) -> Fraction:
    return dot(halfspace.w, x) - Fraction(halfspace.b)


def is_true(result) -> bool:
    """Tell whether what the result says is so; malformed results are not."""
    try:
        return bool(TRUTH[type(result)](result))
    except (ValueError, IndexError, TypeError, ZeroDivisionError, NotSeparableError):
        return False


def separation_is_true(r) -> bool:
    if len(r.X) != len(r.y) or not set(r.y.tolist()) <= {-1, 1}:
        return False
    if r.halfspace is not None:
        through_0 = r.bias or r.halfspace.b == 0
        right = all(int(y) * score(r.halfspace, x) > 0 for x, y in zip(r.X, r.y))
        return right and through_0 and r.weights is None and r.kernel == linear
    return not separate(r.X, r.y, r.bias) and sum(r.weights) == 1 and r.kernel == linear


def textbook_mistakes(columns, n: int, shown: int) -> list[int]:
    """Run the perceptron over `shown` points; `columns(i)` is what a mistake at i
    adds to all scores.
    """
    mistakes, clean = [], 0
    for visit in range(shown):
        if visit % n == 0 and visit and clean == n:
            raise ValueError("a sweep was without mistakes, and the run goes on")
        clean = 0 if visit % n == 0 else clean
        if columns.wrong(visit % n):
            columns.update(visit % n)
            mistakes.append(visit % n)
        else:
            clean += 1
    return mistakes


class Plain:
    """Scores of the perceptron, by the book."""

    def __init__(self, Z, start, step):
        exact = Z.dtype != float and np.asarray(start).dtype != float
        self.Z = [[Fraction(v) if exact else float(v) for v in z] for z in Z.tolist()]
        self.w = [Fraction(v) if exact else float(v) for v in np.asarray(start).tolist()]
        self.step = step

    def wrong(self, i):
        return sum(a * b for a, b in zip(self.w, self.Z[i])) <= 0

    def update(self, i):
        self.w = [a + self.step * b for a, b in zip(self.w, self.Z[i])]


class Dual:
    """Scores of the kernel perceptron, by the book."""

    def __init__(self, r):
        self.K, self.y = r.kernel(r.X, r.X), r.y
        self.counts = [0] * len(r.y)

    def wrong(self, i):
        terms = [c * int(y) * k for c, y, k in zip(self.counts, self.y, self.K[i])]
        return int(self.y[i]) * sum(terms) <= 0

    def update(self, i):
        self.counts[i] += 1


def run_is_true(r) -> bool:
    if not set(r.y.tolist()) <= {-1, 1} or len(r.y) != len(r.X) or r.step <= 0 or r.shown < 0:
        return False
    mine = textbook_mistakes(Plain(r.directions, r.start, r.step), len(r.X), r.shown)
    return mine == r.mistakes.tolist()


def kernel_run_is_true(r) -> bool:
    if not set(r.y.tolist()) <= {-1, 1} or len(r.y) != len(r.X) or r.shown < 0:
        return False
    return textbook_mistakes(Dual(r), len(r.X), r.shown) == r.mistakes.tolist()


def bound_is_true(r) -> bool:
    separates = all(dot(r.w_star, z) > 0 for z in r.run.directions)
    return len(r.w_star) == r.run.dimension and separates and run_is_true(r.run)


def cone_run_is_true(r) -> bool:
    Z = r.y[:, None] * r.X
    U = Z / np.linalg.norm(Z, axis=1, keepdims=True)
    if not len(r.starts) == len(r.mistakes) >= 1 or len(r.w) != r.X.shape[1]:
        return False
    for start, indices in zip(r.starts, r.mistakes):
        v = start / np.linalg.norm(start)
        for i in indices.tolist():
            if i < 0 or U[i] @ v > -r.sigma:
                return False
            v = v - (U[i] @ v) * U[i]
            v = v / np.linalg.norm(v)
    return np.allclose(v, r.w, rtol=1e-6, atol=1e-6)


def kernel_check_is_true(r) -> bool:
    if (r.features is None) == (r.direction is None) or r.K.shape != r.K.T.shape:
        return False
    if r.features is not None:
        size = abs(r.K).max()
        return np.allclose(r.features @ r.features.T / size, r.K / size, rtol=0, atol=1e-9)
    return sum(dot(r.direction, row) * Fraction(c) for row, c in zip(r.K, r.direction.tolist())) < 0


def descent_is_true(r) -> bool:
    w = r.path[0]
    for t, after in enumerate(r.path[1:], 1):
        some = range(len(r.y)) if r.drawn is None else [r.drawn[t - 1]]
        if min(some) < 0 or r.drawn is not None and len(r.drawn) != len(r.path) - 1:
            return False
        slopes = [r.loss.slope(r.y[i] * (r.X[i] @ w)) * r.y[i] * r.X[i] for i in some]
        step = 1 / (r.penalty * t) if r.penalty else r.step_size / math.sqrt(t)
        w = w - step * (sum(slopes) / len(slopes) + r.penalty * w)
        w = w * min(1, r.radius / max(np.linalg.norm(w), 1e-300))
        if not np.allclose(after, w, rtol=1e-6, atol=1e-6 * abs(r.path).max()):
            return False
        w = after
    return True


def best_is_true(r) -> bool:
    if len(r.y) != len(r.X) or not set(r.y.tolist()) <= {-1, 1}:
        return False
    errors = sum(int(y) * score(r.halfspace, x) <= 0 for x, y in zip(r.X, r.y))
    n = len(r.y)
    fewer = [m for m in range(2**n) if bin(m).count("1") > n - errors]  # points that are right
    kept = ([i for i in range(n) if m >> i & 1] for m in fewer)
    beaten = any(bool(separate(r.X[some], r.y[some], r.bias)) for some in kept)
    return not beaten and (r.bias or r.halfspace.b == 0)


def svm_is_true(r) -> bool:
    if len(r.alpha) != len(r.y) or not set(r.y.tolist()) <= {-1, 1} or not r.C > 0:
        return False
    if r.w is not None and r.kernel != linear or not r.bias and r.b != 0:
        return False
    optimum = solve_svm(r.X, r.y, r.C, r.kernel, r.bias).primal
    K = np.asarray(r.kernel(r.X, r.X), float)
    c = r.alpha * r.y
    balanced = not r.bias or abs(c.sum()) <= 1e-9 * abs(c).sum()
    feasible = (r.alpha >= 0).all() and (r.alpha <= r.C).all() and balanced
    w2, scores = (c @ K @ c, K @ c) if r.w is None else (r.w @ r.w, r.X @ r.w)
    slack = np.maximum(0, 1 - r.y * (scores - r.b))
    primal = w2 / 2 + (r.C * slack.sum() if r.C < math.inf else 0)
    hard = r.C < math.inf or slack.max() <= 1e-7
    dual = r.alpha.sum() - c @ K @ c / 2
    near = primal <= optimum * (1 + 1e-7) and dual >= optimum * (1 - 1e-7)
    between = all(p >= optimum * (1 - 1e-7) and d <= optimum * (1 + 1e-7) for p, d in r.history)
    return feasible and hard and near and between


TRUTH = {
    Separation: separation_is_true,
    Run: run_is_true,
    KernelRun: kernel_run_is_true,
    MistakeBound: bound_is_true,
    ConeRun: cone_run_is_true,
    KernelCheck: kernel_check_is_true,
    Descent: descent_is_true,
    BestHalfspace: best_is_true,
    SVM: svm_is_true,
}
FORGED = sorted(name for name, result in results().items() if type(result) in TRUTH)
CACHE: dict = {}


def honest(name: str, scale: float):
    if scale not in CACHE:
        CACHE[scale] = results(scale)
    return CACHE[scale][name]


@pytest.mark.parametrize("scale", SCALES)
def test_honest_results_pass(scale):
    for name in results(scale):
        honest(name, scale).check()


@pytest.mark.parametrize("name", FORGED)
@settings(max_examples=60)
@given(st.data())
def test_what_is_not_true_does_not_pass(name, data):
    result = honest(name, data.draw(st.sampled_from(SCALES)))
    names = [f.name for f in fields(result)]
    chosen = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True))
    lies = [data.draw(st.sampled_from(LIES)) for _ in chosen]
    fake = forged(result, chosen, lies, np.random.default_rng(data.draw(st.integers(0, 10**6))))
    with np.errstate(all="ignore"):
        if not is_true(fake):
            with pytest.raises((CertificateError, ValueError)):
                fake.check()


def test_a_run_without_points_is_refused_by_a_sentence():
    run = honest("run without a mistake", 1.0)
    with pytest.raises(CertificateError, match="a run needs points"):
        replace(run, X=run.X[:0], y=run.y[:0]).check()


def test_every_kind_of_result_is_forged():
    left = {type(result) for result in results().values()} - set(TRUTH)
    formulas = {"Conjunction", "DecisionList"}  # their halfspace follows from them
    assert {kind.__name__ for kind in left} == formulas | {RescaledRun.__name__}


def test_a_rescaled_run_is_its_phases():
    run = honest("rescaled run", 1.0)
    assert run.rounds > 1 and run.updates == sum(
        len(p.mistakes) + len(p.removed) for p in run.phases
    )
    first, *rest = run.phases
    for phases in (
        (replace(first, mistakes=np.append(first.mistakes, first.mistakes[-1])), *rest),
        (replace(first, removed=first.removed[:-1]), *rest),
        (replace(first, start=-first.start), *rest),
        tuple(rest),
        run.phases[:-1],
    ):
        with pytest.raises(CertificateError):
            replace(run, phases=phases).check()
    with pytest.raises(CertificateError):
        replace(run, w=-run.w).check()
    with pytest.raises(CertificateError):
        replace(run, y=-run.y).check()


def test_the_forgeries_that_once_passed():
    xor = honest("best halfspace", 1.0)
    with pytest.raises(CertificateError, match="2 errors, and 1 can be reached"):
        replace(xor, halfspace=Halfspace([2, 0], 1)).check()
    kernel_run = honest("kernel run", 1.0)
    with pytest.raises(CertificateError):
        replace(kernel_run, mistakes=np.repeat(kernel_run.mistakes, 3)).check()
    animals = honest("separator", 1.0)
    weights = np.full(4, Fraction(1, 4), object)
    with pytest.raises(CertificateError):
        replace(animals, X=1e-10 * animals.X, halfspace=None, weights=weights).check()
    descent = honest("descent", 1.0)
    with pytest.raises(CertificateError):
        replace(descent, path=0 * descent.path + 1).check()
    assert {f.name for f in fields(MistakeBound)} == {"run", "w_star"}  # no R² and no rows to forge
