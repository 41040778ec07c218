"""Change the verifiers in one small place at a time:
some honest result or some forgery must notice.

A change that nothing notices is a line that proves nothing, or a forgery that nobody thought of.
The ones listed as harmless cannot change a verdict; the reason stands beside each.
"""

import ast
import math
import types
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import fields, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from halfspaces import (
    Kernel,
    best_halfspace,
    boolean,
    certificates,
    cube,
    halfspace,
    hinge,
    kernels,
    linear,
    losses,
    mistake_bound,
    runs,
    separability,
    svm,
)
from honest import results
from mutants import changes
from test_forger import LIES, forged

ROOMS = [boolean, halfspace, kernels, losses, mistake_bound, runs, separability, svm]
SOURCE = Path(certificates.__file__).read_text("utf-8")
MODULE = ast.parse(SOURCE)
FUNCTIONS = {node.name: node for node in MODULE.body if isinstance(node, ast.FunctionDef)}
FORGERIES = 30  # tried of each result
# What changes no verdict: the function, a part of the change, and why.
HARMLESS = [
    ("signed_points", "norms, 2)", "0 divided by anything is 0"),
    ("signs", "-> 0", "as_fractions refuses infinities too, with less of a sentence"),
    ("signs", " or math.isfinite", "as above"),
    ("signs", "-> doubt =", "where there is more doubt, fractions decide more often"),
    ("signs", ">= doubt", "at the very edge of doubt the sign is right"),
    ("verify_no_separator_in_features", "len(weights)", "numpy refuses to multiply them"),
    ("verify_fewest_errors", "+np.ones", "the threshold changes its sign, and nothing else"),
    ("fewest_errors", "tried.add", "the same hyperplane is tried again"),
    ("fewest_errors", "errors <= best", "an equal number is tried again"),
    ("verify_run", "a run needs points", "without points a division by 0 refuses it"),
    ("verify_run", "start.shape", "numpy refuses to add them"),
    ("verify_run", "enumerate", "the number of an update in a sentence"),
    ("verify_run", "widen(w, 3)", "Python's integers instead of int64 a little earlier"),
    ("_are_indices", "i <= n", "numpy refuses the index n"),
    ("_require_no_mistake", "> -slack", "the very edge of what rounding can do"),
    ("_doubt", "len(z) + 3", "a term more or less is within the same allowance"),
    ("verify_mistake_bound", "w_star.shape", "numpy refuses to multiply them"),
    ("verify_mistake_bound", "", "for a run and a separator its lines are a theorem: see below"),
    ("_at_most", "", "as above"),
    ("verify_kernel_run", "+ sizes if exact", "sizes are not added up for exact kernels"),
    ("verify_kernel_run", "1 * sizes if exact", "as above"),
    ("verify_kernel_run", "len(mistakes) + 3", "a term more or less is within the allowance"),
    ("verify_kernel_run", "i:i + 2", "only the first column is used"),
    ("_cone_steps", "< -sigma + DRIFT", "the very edge of the allowance"),
    ("_cone_steps", "-sigma - DRIFT", "no run has a cosine so close to −σ"),
    ("verify_rescaled_run", "unit=False", "the rows are made units after they are stretched"),
    ("verify_rescaled_run", ">= -1 / (32 * d)", "the very edge of the cone"),
    ("verify_rescaled_run", "< DRIFT", "the very edge of the allowance"),
    ("verify_rescaled_run", "(32 + d)", "a search that fails is far from its cone"),
    ("verify_rescaled_run", "-2 / (32 * d)", "as above"),
    ("verify_rescaled_run", "1 / (33 * d)", "no update is so close to its cone"),
    ("verify_right_outside_cone", "w.any", "0/0 is NaN, which is refused too"),
    ("verify_descent", "signed_points", "the loss refuses such data too, with less of a sentence"),
    ("verify_descent", "< DRIFT * size", "the very edge of the allowance"),
    ("verify_svm", "len(alpha)", "numpy refuses to multiply them"),
    ("verify_svm", "len(used)", "a kernel refuses an empty block too"),
    ("verify_svm", "< tolerance", "the very edge of the tolerance"),
    ("verify_svm", "enumerate(history, 2)", "the number of a step in a sentence"),
    ("verify_svm", "(2 + float", "a bound on b that is a little larger bounds it too"),
    ("verify_svm", "below < primal", "the very edge of the tolerance"),
    ("verify_svm", "above > dual", "the very edge of the tolerance"),
]
Call = tuple[str, tuple[Any, ...], dict[str, Any], Any]  # verifier, arguments, what it says


def outcome(call: Callable[..., Any], *args: Any, **settings: Any) -> Any:
    """Return what a verifier says: a number, or whether it accepts;
    whatever it raises is a refusal.
    """
    try:
        with np.errstate(all="ignore"):
            value = call(*args, **settings)
    except Exception:
        return False
    return float(f"{value:.9e}") if isinstance(value, float) else True


@cache
def calls() -> list[Call]:
    """Return what the verifiers are asked when honest and forged results are checked,
    and what they say.
    """
    found: list[Call] = []

    def recorded(name: str, verify: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*args: Any, **settings: Any) -> Any:
            found.append((name, args, settings, outcome(verify, *args, **settings)))
            return verify(*args, **settings)

        return wrapper

    def record(patch: pytest.MonkeyPatch) -> None:
        for room in ROOMS:
            for name in [name for name in vars(room) if name.startswith(("verify_", "lower_"))]:
                patch.setattr(room, name, recorded(name, getattr(certificates, name)))

    with pytest.MonkeyPatch.context() as patch:
        record(patch)
        rng = np.random.default_rng(12)
        for scale in (1.0, 1e-30, 1e30):
            for result in results(scale).values():
                outcome(result.check)
                for name in ("lower", "converged"):
                    outcome(getattr, result, name, None)
                for fake in fakes(result, rng, FORGERIES if scale == 1 else 5):
                    outcome(fake.check)
    for fake in special_fakes():
        with pytest.MonkeyPatch.context() as patch:
            record(patch)
            outcome(fake.check)
    for name, *args in special_cases():
        found.append((name, tuple(args), {}, outcome(getattr(certificates, name), *args)))
    return found


def special_fakes() -> Iterator[Any]:
    """Yield forgeries that only one line of a verifier can refuse."""
    honest = results()
    descent = honest["perceptron as descent"]
    yield replace(descent, drawn=np.append(descent.drawn, 0))
    yield replace(descent, drawn=descent.drawn - len(descent.y))
    yield replace(descent, path=(1 + 1e-5) * descent.path)
    for name in ("cone run", "cone run of one start"):
        run = honest[name]
        yield replace(run, mistakes=tuple(some - len(run.y) for some in run.mistakes))
        yield replace(run, starts=-run.starts)
    run = honest["rescaled run"]
    first, *rest = run.phases
    for phase in (
        replace(first, mistakes=first.mistakes - len(run.y)),
        replace(first, mistakes=np.append(first.mistakes, first.mistakes[:1])),
        replace(first, removed=first.removed - len(run.y)),
        replace(first, removed=first.removed[:-1]),
    ):
        yield replace(run, phases=(phase, *rest))
    yield replace(run, phases=tuple(reversed(run.phases)))
    # The answer without a threshold, for the problem with one, and the other way round.
    for name in ("hard margin", "soft margin", "soft margin through 0"):
        svm = honest[name]
        yield replace(svm, bias=not svm.bias)
        yield replace(svm, C=svm.C / 10)
        yield replace(svm, w=1e200 * svm.w)
        yield replace(svm, history=((svm.primal / 2, svm.dual),))
        yield replace(svm, history=((svm.primal, 2 * svm.dual),))
        yield replace(svm, history=((svm.primal + 1.5, svm.dual),))
        yield replace(svm, history=((svm.primal, svm.dual + 0.5),))
        yield replace(svm, alpha=svm.alpha[:-1])
        yield replace(svm, y=2 * svm.y)
        yield replace(svm, w=svm.w * (1 + 1e-3))
    kernel = honest["soft kernel margin"]
    yield replace(kernel, alpha=0 * kernel.alpha)
    yield replace(kernel, y=-kernel.y)


def special_cases() -> Iterator[tuple[Any, ...]]:
    """Yield calls at the edges of what is true:
    ties, zeros, one thing missing, a little too much.
    """
    # Far from 0 the last digits of α hide a street that is too narrow, or a dual above its primal.
    far, pair = np.array([[2.0**40], [2.0**40 + 2]]), np.array([-1, 1])
    for share in (0, -(2.0**-50), -(2.0**-51), 2.0**-50):
        for w in (1, 1 + 2.0**-10, 1 + 2.0**-11, 1 + 2.0**-11 + 2.0**-23):
            alpha, b = np.array([0.5, 0.5 + share]), w * (2.0**40 + 1)
            yield "verify_svm", far, pair, math.inf, linear, True, alpha, b, np.array([w])
    # All scores are 0, and with b = 1 two of three points would be right.
    same, uneven = np.zeros((3, 1)), np.array([1, 1, -1])
    yield "verify_svm", same, uneven, 1.0, linear, True, np.ones(3), 0.0, np.zeros(1)
    corners, parity = cube(2), np.array([-1, 1, 1, -1])
    either = np.array([-1, 1, 1, 1])
    for b in (0, 1, 2, -1, 0.5, 1.0, 1.5, 2**60, Fraction(1, 2), math.nan, math.inf):
        for w in (np.array([1, 1]), np.array([1.0, 1.0]), np.array([2**60, 2**60], object)):
            yield "verify_labels", corners, either, w, b
            yield "verify_separator", corners, either, w, b
            yield "verify_fewest_errors", corners, parity, w, b
            yield "verify_fewest_errors", corners, parity, w, b, False
    for X, y in ((corners, either), (corners - 0.5, -either), (1.0 * corners, parity)):
        for w in (np.array([1, 1]), np.array([2.0, 2.0])):
            yield "verify_labels", X, y, w
            yield "verify_separator", X, y, w
            yield "verify_fewest_errors", X, y, w
            for sigma in (0.0, 0.5, 1.0):
                yield "verify_right_outside_cone", X, y, sigma, w
                yield "verify_right_outside_cone", X[1:3], 2 * y[1:3], sigma, w
                yield "verify_right_outside_cone", X[1:3], -y[1:3], sigma, w
                yield "verify_right_outside_cone", X[1:3], y[1:3], sigma, 0 * w
    twice, both = np.array([[0, 0], [0, 0], [1, 0], [0, 1]]), np.array([1, -1, 1, 1])
    for b in (Fraction(-1, 2), Fraction(1, 2), 2, 0):
        yield "verify_fewest_errors", twice, both, np.array([1, 1]), b
        yield "verify_fewest_errors", twice[1:], both[1:], np.array([1, 1]), b
    for b in (Fraction(1, 2), Fraction(-1, 2), 0, 2):
        for y in (np.array([1, -1, 1]), np.array([-1, -1, 1]), np.array([1, 1, 1])):
            yield "verify_fewest_errors", np.array([[0], [0], [1]]), y, np.array([1]), b
            yield "verify_fewest_errors", np.array([[0], [1], [2]]), y, np.array([1]), b
            yield "verify_fewest_errors", np.array([[-1], [0], [1]]), y, np.array([1]), 0, False
    rng = np.random.default_rng(7)
    for _ in range(15):
        X, y = rng.integers(-2, 3, (5, 2)), rng.choice([-1, 1], 5)
        best = best_halfspace(X, y).halfspace
        yield "verify_fewest_errors", X, y, best.w, best.b
        yield "verify_fewest_errors", X, y, rng.integers(-2, 3, 2), Fraction(1, 2)
    # Sums whose sign is not that of the rounded sum, with and without a threshold.
    for x, w, b in (
        ((0.1, 0.2), (1.0, 1.0), 0.1 + 0.2),
        ((0.1, 0.2, -0.3), (1.0, 1.0, 1.0), 0.0),
        ((0.1, 0.7, -0.8), (1.0, 1.0, 1.0), 0.0),
        ((0.3, 0.1), (0.1, -0.3), 0.0),
        ((0.1, 0.7), (1.0, 1.0), 0.8),
        ((1e16, 1.0), (1.0, 1.0), 1e16),
        ((1e16, 1.0, 1.0), (1.0, 1.0, 1.0), 1e16 + 2),
    ):
        points = np.array([x])
        for label in (1, -1):
            y = np.array([label])
            yield "verify_separator", points, y, np.array(w), b
            for mistakes in ([], [0]):
                for shown in (0, 1, 2):
                    some = np.array(mistakes, np.int64)
                    yield "verify_run", points, y, np.array(w), 1.0, False, some, shown
    tiny = np.array([[0.1, 0.2], [0.3, -0.7]])
    for w in (np.array([0.2, -0.1]), np.array([0.2, np.nextafter(-0.1, 0)]), np.array([np.inf, 0])):
        yield "verify_separator", tiny, np.array([1, 1]), w
        yield "verify_separator", tiny, np.array([1, 1]), w, 0.0
    for y in (either, either[:3], 2 * either, np.array([[1], [1], [1], [-1]])):
        yield "verify_labels", corners, y, np.array([1, 1]), 1
    quarter = np.full(4, Fraction(1, 4), object)
    doubled = np.array([[1, 1], [1, 1], [2, 2], [3, 3]])
    half = np.array([Fraction(1, 2), Fraction(1, 2), 0, 0], object)
    uneven = np.array([Fraction(2, 3), Fraction(1, 3), 0, 0], object)
    line = np.array([[1, 1], [2, 2], [3, 3], [4, 4]])
    minus = np.array([Fraction(3, 4), Fraction(3, 4), Fraction(-1, 4), Fraction(-1, 4)], object)
    yield "verify_no_separator", line, -parity, uneven
    yield "verify_no_separator_in_features", linear, line, -parity, uneven
    yield "verify_no_separator_in_features", linear, corners, 2 * parity, quarter / 2
    tenths, between = np.array([[0.1], [0.2], [0.3]]), np.array([0.25, 0.5, 0.25])
    yield "verify_no_separator_in_features", linear, tenths, np.array([1, -1, 1]), between
    opposite = np.array([[-1.0, 0.0]])
    yield "verify_right_outside_cone", opposite, np.array([1]), 1.0, np.array([1.0, 0.0])
    for bias in (True, False):
        yield "verify_no_separator", corners, parity, quarter, bias
        yield "verify_no_separator", doubled, parity, half, bias
        yield "verify_no_separator", line, -parity, uneven, bias
        yield "verify_no_separator", corners, parity, 2 * quarter, bias
        yield "verify_no_separator", corners, parity, quarter[:3], bias
        yield "verify_no_separator", corners, parity, 0 * quarter, bias
        yield "verify_no_separator", np.zeros((4, 2), np.int64), parity, minus, bias
        for weights in (quarter, half, uneven, 0 * half, -half, quarter[:3], minus):
            for X in (corners, doubled, line, 0.5 * doubled, 1e-9 * corners):
                for data in (weights, np.asarray(weights, float)):
                    yield "verify_no_separator_in_features", linear, X, parity, data, bias
        close = np.array([0.5, 0.5 - 1e-12, 0, 0])
        yield "verify_no_separator_in_features", linear, 1.0 * doubled, parity, close, bias
        yield "verify_no_separator_in_features", linear, 1.0 * line, parity, close, bias
    table = np.array([[1, -1, -1, 0.1], [-1, 1, -1, 0.2], [-1, -1, 1, -0.3], [0.1, 0.2, -0.3, 1]])
    whole = (10 * table).round().astype(np.int64)
    thin = table.copy()
    thin[2, :2] = thin[:2, 2] = 0.1 + 0.2, -0.3
    large = whole.copy()
    large[3, :3] = large[:3, 3] = 2**60, 1, -(2**60)
    for entries in (table, whole, -table, 1000 * whole, thin, large):
        looked_up = Kernel("table", lambda A, B, entries=entries: entries[A[:, 0]][:, B[:, 0]])
        for mistakes in ([], [0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 2], [1]):
            for shown in (0, 1, 2, 3, 4, 5, 8):
                some, X = np.array(mistakes, np.int64), np.arange(4)[:, None]
                yield "verify_kernel_run", looked_up, X, np.ones(4, np.int64), some, shown
                yield "verify_kernel_run", looked_up, X, np.full(4, 2), some, shown
    for stream in ([], [0], [0, 0], [0, 1], [1], [-1], [2], [0.5], [[0]]):
        for shown in (0, 1, 2, 3, 4, 5, 6, -1):
            for points in (np.array([[1], [1]]), np.array([[1.0], [0.0]]), np.array([[1], [-1]])):
                start, mistakes = (
                    np.zeros(1, points.dtype),
                    np.array(stream, np.int64 if not stream else None),
                )
                y = np.array([1, 1])
                for step in (1, 0, -1):
                    yield "verify_run", points, y, start, step, False, mistakes, shown
                yield "verify_kernel_run", linear, points, y, mistakes, shown
                yield "verify_mistake_bound", points, y, start, 1, False, mistakes, shown, start + 1
    K = np.array([[1.0, 2.0], [2.0, 1.0]])
    for c in (np.array([1.0, -1.0]), np.array([1.0, 1.0]), np.array([1.0, -1.0, 0]), np.zeros(2)):
        yield "verify_not_gram", K, c
        yield "verify_not_gram", np.ones((2, 2)), c
    for slip in (0, 1e-13, 1e-11, 1e-5):
        yield "verify_gram", np.eye(2), np.eye(2) + slip
        yield "verify_gram", np.diag([1.0, 1e-20]), np.diag([1.0, 1e-10 * (1 + slip)])
    yield "verify_gram", np.eye(2), np.eye(3)[:, :2]
    yield "verify_gram", np.full((2, 2), 2.0), np.ones(2)
    yield "verify_gram", np.diag([1.0, 0.0]), np.diag([1.0, 0.0])
    yield "verify_not_gram", np.array([[1.0, -5.0], [-5.0, 1.0]]), np.array([1.0])
    little = Fraction(1, 10**60)  # which floats do not see
    for corner in (1 - little, 1, 1 + little):
        yield "verify_not_gram", np.array([[1, 1], [1, corner]], object), np.array([1, -1])
    for penalty in (0.0, 0.5):
        for radius in (math.inf, 0.1):
            for path in ([[10.0]], [[0.0]], [[0.5], [-1.0]]):
                data = (np.array([[1.0]]), np.array([1]), penalty, radius, np.array(path))
                yield "lower_bound", hinge, *data


def fakes(result: Any, rng: np.random.Generator, number: int) -> Iterator[Any]:
    """Yield forgeries of a result, of one field or two."""
    names = [field.name for field in fields(result)]
    for _ in range(number):
        chosen = rng.choice(names, size=int(rng.integers(1, 3)), replace=False).tolist()
        try:
            yield forged(result, chosen, rng.choice(LIES, size=len(chosen)).tolist(), rng)
        except (ValueError, TypeError):
            continue  # refused before there was anything to verify


@cache
def reached(name: str) -> set[str]:
    """Return the functions that a function calls, directly or not, itself included."""
    seen, todo = set(), [name]
    while todo:
        function = todo.pop()
        seen.add(function)
        called = {n.id for n in ast.walk(FUNCTIONS[function]) if isinstance(n, ast.Name)}
        todo += (called & FUNCTIONS.keys()) - seen
    return seen


def mutants_of(name: str) -> Iterator[tuple[str, ast.Module]]:
    """Yield each changed line of a function with the whole changed module."""
    before = ast.unparse(FUNCTIONS[name]).splitlines()
    spoken = {
        id(part)
        for text in ast.walk(FUNCTIONS[name])
        if isinstance(text, ast.JoinedStr)
        for part in ast.walk(text)
    }
    for number, node in enumerate(ast.walk(FUNCTIONS[name])):
        if id(node) in spoken:
            continue  # sentences are not what decides
        for kind in range(len(all_changes(node))):
            function = deepcopy(FUNCTIONS[name])
            all_changes(list(ast.walk(function))[number])[kind]()
            after = ast.unparse(ast.fix_missing_locations(function)).splitlines()
            changed = [f"{a.strip()} -> {b.strip()}" for a, b in zip(before, after) if a != b]
            body = [function if node is FUNCTIONS[name] else node for node in MODULE.body]
            yield " / ".join(changed), ast.Module(body, [])


def all_changes(node: ast.AST) -> list[Callable[[], Any]]:
    """Return the changes of a node; a demand can also be dropped, and sentences do not count."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        pass_ = ast.Constant(0)
        return [lambda: setattr(node, "value", pass_)]
    return changes(node)


def survives(source: str | ast.Module, asked: list[Call]) -> bool:
    """Tell whether a changed module gives the same verdicts.

    The call that tells them apart goes to the front: it often tells of the next change too.
    """
    module = types.ModuleType("halfspaces.mutant")
    module.__package__ = "halfspaces"
    try:
        exec(compile(source, "mutant", "exec"), vars(module))
    except Exception:
        return False
    for place, (name, args, settings, verdict) in enumerate(asked):
        if outcome(getattr(module, name), *args, **settings) != verdict:
            asked.insert(0, asked.pop(place))
            return False
    return True


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_change_is_noticed(name):
    relevant = [call for call in calls() if name in reached(call[0])]
    assert len({verdict for *_, verdict in relevant}) > 1
    relevant.sort(key=lambda call: call[0] != name)  # the nearest first
    harmful = [(line, mutant) for line, mutant in mutants_of(name) if not is_harmless(name, line)]
    assert [line for line, mutant in harmful if survives(mutant, relevant)] == []


def is_harmless(name: str, change: str) -> bool:
    """Tell whether a change is one of those that cannot matter."""
    return any(name == function and part in change for function, part, _ in HARMLESS)


@pytest.mark.parametrize("line", ["low", "high", "progress", "norm2", "bounded"])
def test_the_lines_of_the_proof_are_looked_at(line):
    """No forgery of a run reaches them: they follow from what was verified before.
    So they are forged here.
    """
    broken = {
        "low": ("t * step * gain,", "t * step * (gain + 1),"),
        "high": ("q + t * step**2 * R2", "q + t * step**2 * R2 / 9"),
        "progress": ("plain(inner(w, w_star)), plain", "-plain(inner(w, w_star)), plain"),
        "norm2": ("plain(inner(w_star, w_star))", "plain(inner(w_star, w_star)) / 9"),
        "bounded": ("R2 = max(", "R2 = min("),
    }[line]
    assert broken[0] in SOURCE
    proofs = [call for call in calls() if call[0] == "verify_mistake_bound"]
    assert not survives(SOURCE.replace(*broken), proofs)


@pytest.mark.parametrize("name", ["ROUNDING", "DRIFT", "GRAM", "GAP"])
def test_a_looser_tolerance_is_noticed(name):
    loose = SOURCE.replace(f"\n{name} = ", f"\n{name} = 1e6 * ", 1)
    assert loose != SOURCE and not survives(loose, [*calls()])
