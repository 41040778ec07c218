"""Mark an answer as a black box: call its function on inputs drawn for the student, and judge.

How a function is called is the caller's affair: `questions.trusted` runs code in this process,
`session.Sandboxed` runs anybody's.
"""

import json
import warnings
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
from halfspaces.notebook.comparison import (
    Difference,
    Mismatch,
    difference,
    has_changed,
    is_unfinished,
    shorten,
)

from .inside.limits import SENTENCE_LETTERS
from .records import Mark

if TYPE_CHECKING:
    from .questions import Homework

Args = tuple[Any, ...]
Accept = Callable[[Any, Any, Args, dict[str, Any]], bool]
"""Judge what came back, beside the model's result, the input and the given names."""

Call = Callable[[str, Args], Any]
"""Call a function by its name with arguments; return its value, or a Failure."""


@dataclass(frozen=True)
class Behaviour:
    """One thing an answer does right or not: `says` in words, tried on what `inputs(rng)` draws."""

    says: str
    points: float
    inputs: Callable[[np.random.Generator], list[Args]]
    accept: Accept | None = None  # where many answers are right


@dataclass(frozen=True)
class Question:
    """A function to write, by the grade_id of its answer cell, and what earns its points."""

    id: str
    function: str
    points: float
    behaviours: list[Behaviour]
    needs: tuple[str, ...] = ()  # the questions whose functions this one may call


class FailureKind(StrEnum):
    """Why a call gave no value."""

    MISSING = "missing"
    ERROR = "error"
    DATA = "data"
    CHANGED = "changed"
    TIMEOUT = "timeout"
    DIED = "died"


@dataclass(frozen=True)
class Failure:
    """A call that gave no value, and a clause that says why."""

    kind: FailureKind
    message: str


NOT_DEFINED = Failure(
    FailureKind.MISSING, "is not to be found: no function of this name is defined"
)


class CheckerError(Exception):
    """Our own code failed, so that a person must look: no answer is to blame."""


def mark(question: Question, call: Call, homework: "Homework", student: str, secret: str) -> Mark:
    """Try every behaviour; one earns its points if it is right on all its inputs."""
    points = 0.0
    reasons = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of odd numbers in an answer
        for behaviour in question.behaviours:
            fault = _try(question, behaviour, call, homework, student, secret)
            if fault:
                lost = f"({behaviour.points:g} of {question.points:g} points lost)"
                reasons.append(f"{behaviour.says} {lost}: {fault}.")
            else:
                points += behaviour.points
    return Mark(points, question.points, tuple(reasons))


def _try(
    question: Question,
    behaviour: Behaviour,
    call: Call,
    homework: "Homework",
    student: str,
    secret: str,
) -> str:
    """Return what is wrong on the first input that shows it, or nothing."""
    where = f"{question.id}, {behaviour.says}"
    rng = draw_for(secret, student, homework.name, question.id, behaviour.says)
    try:
        given = homework.model(student)
        cases = behaviour.inputs(rng)
        wants = [given[question.function](*deepcopy(args)) for args in cases]
    except Exception as error:
        raise CheckerError(f"{where}: the model answer fails ({describe(error)})") from error
    for args, want in zip(cases, wants, strict=True):
        shown = f"{question.function}({', '.join(map(shorten, args))})"
        got = call(question.function, args)
        if isinstance(got, Failure):
            return f"{shown} {got.message}"
        fault = _judge(got, want, args, behaviour, given, where)
        if fault:
            return f"{shown} {fault}"
    return ""


def _judge(
    got: Any, want: Any, args: Args, behaviour: Behaviour, given: dict[str, Any], where: str
) -> str:
    """Return what is wrong with a value, in a clause that does not give the right one away."""
    if is_unfinished(got):
        return "is still missing"
    if got is None and want is not None:
        return "returns nothing"
    fault = difference(got, want)
    shown = quote(shorten(got))
    if behaviour.accept is not None:
        right = _accepts(behaviour.accept, got, want, args, given, fault, where)
    else:
        right = fault is None
        if fault is not None and fault.kind is Mismatch.TYPE:
            return f"returns {shown}: {fault.reason}"
    return "" if right else f"returns {shown}, which is not right"


def _accepts(
    accept: Accept,
    got: Any,
    want: Any,
    args: Args,
    given: dict[str, Any],
    fault: Difference | None,
    where: str,
) -> bool:
    """Ask the homework's own judge, which need not foresee another type, nor infinite numbers."""
    try:
        return accept(deepcopy(got), deepcopy(want), deepcopy(args), given)
    except Exception as error:
        is_of_the_type = fault is None or fault.kind is not Mismatch.TYPE
        if is_of_the_type and is_finite(got):
            text = f"{where}: accept fails on {shorten(got)} ({describe(error)})"
            raise CheckerError(text) from error
        return False


def call_with(function: Any, args: Args, copies: Args) -> Any:
    """Call a function with copies of the arguments; a Failure tells what went wrong."""
    if not callable(function):
        return NOT_DEFINED
    try:
        got = function(*copies)
    except Exception as error:
        return Failure(FailureKind.ERROR, f"raises {describe(error)}")
    return changed(args, copies) or got


def changed(args: Args, after: Args) -> Failure | None:
    """Return a Failure if a call has changed its arguments."""
    for old, new in zip(args, after, strict=True):
        if has_changed(old, new):
            text = f"changes its input: {shorten(old)} has become {shorten(new)}"
            return Failure(FailureKind.CHANGED, quote(text))
    return None


def draw_for(*names: str) -> np.random.Generator:
    """Return the random generator that belongs to some names."""
    digest = sha256(json.dumps(names).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))


def is_finite(value: Any) -> bool:
    """Tell whether no number in plain data is infinite or NaN."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind not in "fc" or bool(np.isfinite(value).all())
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(map(is_finite, value))
    if isinstance(value, dict):
        return all(map(is_finite, value.values()))
    return not isinstance(value, (float, complex)) or value - value == 0


def describe(error: BaseException) -> str:
    """Write an exception on one line."""
    return quote(f"{type(error).__name__}: {error}".rstrip(": "))


def quote(text: str) -> str:
    """Make a text of unknown origin one line of printable letters, not too long."""
    line = "".join(c if c.isprintable() else "�" for c in " ".join(str(text).split()))
    return line if len(line) <= SENTENCE_LETTERS else line[: SENTENCE_LETTERS - 1] + "…"
