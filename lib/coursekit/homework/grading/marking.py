"""Mark an answer as a black box: call its function on inputs drawn for the student, and judge what comes back.

How a function is called is the caller's affair: `questions.trusted` runs code in this process, `sandbox` anybody's.
"""

import json
import warnings
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from halfspaces.notebook.exercises import _brief, _changed, _differ, _unfinished

LONGEST = 200  # letters of a sentence that quotes an answer
Args = tuple[Any, ...]
Accept = Callable[
    [Any, Any, Args, dict[str, Any]], bool
]  # of what came back, the model's result, the input, the given


@dataclass(frozen=True)
class Behaviour:
    """One thing an answer does right or not: `says` in words, tried on the inputs that `inputs(rng)` draws."""

    says: str
    points: float
    inputs: Callable[[np.random.Generator], list[Args]]
    accept: Accept | None = None  # where many answers are right


@dataclass(frozen=True)
class Question:
    """A function to write, by the grade_id of its answer cell, and the behaviours that earn its points."""

    id: str
    function: str
    points: float
    behaviours: list[Behaviour]
    needs: tuple[str, ...] = ()  # the questions whose functions this one may call


@dataclass(frozen=True)
class Failure:
    """A call that gave no value, and a clause that says why: missing, error, data, changed, timeout, died."""

    kind: str
    message: str


@dataclass(frozen=True)
class Result:
    """The points of a question, and a sentence for each behaviour that was not right."""

    points: float
    of: float
    reasons: tuple[str, ...] = ()


Call = Callable[
    [str, Args], Any
]  # of a function's name and arguments; what it returns, or a Failure


class CheckerError(Exception):
    """Our own code failed, so that a person must look: no answer is to blame."""


def mark(question: Question, call: Call, homework: Any, student: str, secret: str) -> Result:
    """Try every behaviour; one earns its points if it is right on all its inputs."""
    points, reasons = 0.0, []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of odd numbers in an answer
        for behaviour in question.behaviours:
            if fault := _try(question, behaviour, call, homework, student, secret):
                lost = f"({behaviour.points:g} of {question.points:g} points lost)"
                reasons.append(f"{behaviour.says} {lost}: {fault}.")
            else:
                points += behaviour.points
    return Result(points, question.points, tuple(reasons))


def _try(
    question: Question, behaviour: Behaviour, call: Call, homework: Any, student: str, secret: str
) -> str:
    """Return what is wrong on the first input that shows it, or nothing."""
    rng = draw_for(secret, student, homework.name, question.id, behaviour.says)
    try:
        given = homework.model(student)
        cases = behaviour.inputs(rng)
        wants = [given[question.function](*deepcopy(args)) for args in cases]
    except Exception as error:
        raise CheckerError(
            f"{question.id}, {behaviour.says}: the model answer fails ({describe(error)})"
        ) from error
    for args, want in zip(cases, wants):
        shown = f"{question.function}({', '.join(map(_brief, args))})"
        got = call(question.function, args)
        if isinstance(got, Failure):
            return f"{shown} {got.message}"
        if fault := _judge(got, want, args, behaviour, given, question.id):
            return f"{shown} {fault}"
    return ""


def _judge(
    got: Any, want: Any, args: Args, behaviour: Behaviour, given: dict[str, Any], id: str
) -> str:
    """Return what is wrong with a value, in a clause that does not give the right one away."""
    if _unfinished(got):
        return "is still missing"
    if got is None and want is not None:
        return "returns nothing"
    try:
        fault = _differ(got, want)
    except OverflowError:  # an int beyond all floats, where a float is expected
        fault = "value", ""
    if behaviour.accept is None:
        right = fault is None
    else:
        try:
            right = behaviour.accept(deepcopy(got), deepcopy(want), deepcopy(args), given)
        except Exception as error:
            if (fault is None or fault[0] != "type") and is_finite(got):
                where = f"{id}, {behaviour.says}: accept fails on {_brief(got)}"
                raise CheckerError(f"{where} ({describe(error)})") from error
            right = False  # an answer that is not even of the model's type, or not finite, need not be foreseen
    if right:
        return ""
    if fault and fault[0] == "type" and behaviour.accept is None:
        return f"returns {quote(_brief(got))}: {fault[1]}"
    return f"returns {quote(_brief(got))}, which is not right"


def call_with(function: Any, args: Args, copies: Args) -> Any:
    """Call a function with copies of the arguments; a Failure tells of an exception or of a changed argument."""
    if not callable(function):
        return Failure("missing", "is not to be found: no function of this name is defined")
    try:
        got = function(*copies)
    except Exception as error:
        return Failure("error", f"raises {describe(error)}")
    return changed(args, copies) or got


def changed(args: Args, after: Args) -> Failure | None:
    """Return a Failure if a call has changed its arguments."""
    pairs = [(old, new) for old, new in zip(args, after, strict=True) if _changed(old, new)]
    if not pairs:
        return None
    old, new = map(_brief, pairs[0])
    return Failure("changed", quote(f"changes its input: {old} has become {new}"))


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
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
