"""Check a reader's answer, in six rungs: missing, nothing, error, wrong type, wrong value, correct.

    check(distance, lambda w, b, x: abs(np.dot(w, x) - b) / norm(w), [((3, 4), 5, (0, 0))])
    check(distance, [1.0, 0.0], [((3, 4), 5, (0, 0)), ((1, 0), 2, (2, 7))])
    check(my_bound, 322)

What is expected of a function is another function, or the list of the results for the inputs, in
order. An input is a tuple of arguments; a single argument that is no tuple may stand alone. Exact
numbers are compared exactly, floats to nine digits; `comparison` says which types stand for each
other. Where many answers are right, `same(got, expected)` decides; a sentence that it returns says
what is wrong, and `like`, a value of the type that is expected, tells a wrong type from a wrong
value.

    check_exercise("5.1", exact_bound)

looks up what is expected in `models/n05.py`, so that no answer stands in the notebook. There an
`Exercise` has traps too: tempting wrong answers, with the reason that is told when an answer
behaves like one of them.
"""

import importlib
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from hashlib import sha256
from html import escape
from typing import Any, ParamSpec

import numpy as np

from . import memory
from .comparison import (
    OTHER_VALUE,
    Difference,
    Mismatch,
    difference,
    has_changed,
    is_unfinished,
    misfit,
    name_type,
    plain,
    shorten,
)
from .palette import GREEN, GREY, ORANGE

P = ParamSpec("P")
Same = Callable[[Any, Any], bool | str]


@dataclass(frozen=True)
class Comparison:
    """How results are compared: by whom if many are right, of which type, exactly or not."""

    same: Same | None = None
    like: Any = None
    exact: bool = False

    def __call__(self, got: Any, want: Any) -> Difference | None:
        """Return what differs, by the author's own judgement if there is one."""
        reason = misfit(got, self.like)
        if reason:
            return Difference(Mismatch.TYPE, reason)
        try:
            if self.same is None:
                return difference(got, want, self.exact)
            verdict = self.same(plain(got) if self.exact else got, want)
            if isinstance(verdict, str):
                return Difference(Mismatch.VALUE, verdict)
            return None if verdict else OTHER_VALUE
        except Exception as error:
            reason = f"it cannot be compared ({type(error).__name__}: {error})"
            return Difference(Mismatch.TYPE, reason)


class Rung(StrEnum):
    """How far an answer has come, from the lowest rung to the highest."""

    MISSING = "missing"
    NOTHING = "nothing"
    ERROR = "error"
    TYPE = "type"
    VALUE = "value"
    CORRECT = "correct"


LOOKS = {  # a sign, a title and a colour
    Rung.MISSING: ("…", "Still missing", GREY),
    Rung.NOTHING: ("✗", "Nothing returned", ORANGE),
    Rung.ERROR: ("✗", "It stops with an error", ORANGE),
    Rung.TYPE: ("✗", "Wrong type or shape", ORANGE),
    Rung.VALUE: ("✗", "Wrong value", ORANGE),
    Rung.CORRECT: ("✓", "Correct", GREEN),
}


@dataclass(frozen=True)
class Feedback:
    """Say which rung an answer has reached, in words, a sign and a colour."""

    rung: Rung
    message: str

    def __repr__(self) -> str:
        sign, title, _ = LOOKS[self.rung]
        return f"{sign} {title}: {self.message}"

    def _repr_html_(self) -> str:
        sign, title, colour = LOOKS[self.rung]
        return (
            f'<div role="status" style="border-left:.4em solid {colour};padding:.3em .8em">'
            f"<strong>{sign} {title}:</strong> {escape(self.message)}</div>"
        )


MISSING = Feedback(Rung.MISSING, "replace the … by your code.")


def heard_by_nbgrader(checking: Callable[P, Feedback]) -> Callable[P, Feedback]:
    """Let a check fail where `nbgrader validate` runs it, which counts the cells that do."""

    @wraps(checking)
    def check(*args: P.args, **options: P.kwargs) -> Feedback:
        found = checking(*args, **options)
        if found.rung is not Rung.CORRECT and os.environ.get("NBGRADER_EXECUTION") == "validate":
            raise AssertionError(repr(found))
        return found

    return check


@heard_by_nbgrader
def check(
    answer: Any,
    expected: Any,
    inputs: Iterable[Any] | None = None,
    same: Same | None = None,
    like: Any = None,
    exact: bool = False,
) -> Feedback:
    """Check a value, or a function on inputs, and report the lowest rung."""
    compare = Comparison(same, like, exact)
    if inputs is None:
        fault = _judge(answer, expected, "the answer", compare, "which is not right")
        return fault or Feedback(Rung.CORRECT, "well done.")
    if answer is not ... and not callable(answer):
        return Feedback(Rung.TYPE, f"a function is expected, and this is {name_type(answer)}.")
    cases = _cases(inputs)
    models = _models(expected, len(cases))
    order = list(Rung)
    lowest = Feedback(Rung.CORRECT, f"right on {len(cases)} input{'' if len(cases) == 1 else 's'}.")
    for case, model in zip(cases, models, strict=True):
        fault = _try(answer, model, case, compare)
        if fault is not None and order.index(fault.rung) < order.index(lowest.rung):
            lowest = fault
    return lowest


@dataclass(frozen=True)
class Trap:
    """Hold a tempting wrong answer, a function or a value, and the sentence that says why."""

    answer: Any
    reason: str


@dataclass(frozen=True)
class Exercise:
    """Hold what is expected of an answer, as `check` takes it, and tempting wrong answers."""

    expected: Any
    inputs: Sequence[Any] | None = None
    same: Same | None = None
    traps: Sequence[Trap] = ()


def check_exercise(number: str, answer: Any) -> Feedback:
    """Check the answer to an exercise of the notebooks, such as "5.1" or "5b.2"."""
    exercise = find_exercise(number)
    found = check(answer, exercise.expected, exercise.inputs, exercise.same)
    if found.rung is not Rung.MISSING:
        memory.change("exercises", number, lambda entry: _note(entry, found.rung))
    if found.rung in (Rung.MISSING, Rung.NOTHING, Rung.CORRECT):
        return found
    for trap in exercise.traps:
        if _is_caught(answer, exercise, trap):
            return Feedback(found.rung, f"{found.message} {trap.reason}")
    return found


def _note(entry: memory.Entry, rung: Rung) -> memory.Entry:
    """Return what is kept of an exercise: the tries it took until it was solved."""
    if entry.get("rung") == Rung.CORRECT:
        return entry
    return {"rung": str(rung), "tries": entry.get("tries", 0) + 1, "at": memory.now()}


def find_exercise(number: str) -> Exercise:
    """Return what is expected in an exercise, by its number."""
    parts = re.fullmatch(r"(\d+)(b?)\.\d+", number)
    if not parts:
        raise ValueError(f"{number!r} is no number of an exercise, such as '5.1' or '5b.2'")
    name = f"{__package__}.models.n{int(parts[1]):02}{parts[2]}"
    try:
        exercises = importlib.import_module(name).EXERCISES
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        exercises = {}
    if number not in exercises:
        known = ", ".join(exercises) or "none"
        raise ValueError(
            f"there is no exercise {number} to check: in this notebook there are {known}"
        )
    return exercises[number]


def _is_caught(answer: Any, exercise: Exercise, trap: Trap) -> bool:
    """Tell whether an answer behaves like a trap wherever it is wrong."""
    if exercise.inputs is None:
        return _is_like(answer, trap.answer)
    cases = _cases(exercise.inputs)
    models = _models(exercise.expected, len(cases))
    compare = Comparison(exercise.same)
    wrong = [
        case
        for case, model in zip(cases, models, strict=True)
        if _try(answer, model, case, compare) is not None
    ]
    return callable(answer) and all(
        _is_like(_behaviour(answer, case), _behaviour(trap.answer, case)) for case in wrong
    )


def _behaviour(function: Callable[..., Any], case: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what a call gives and leaves behind in its arguments, or the error that it raises."""
    args = deepcopy(case)
    try:
        return function(*args), args
    except Exception as error:
        return (type(error).__name__,)


def _is_like(got: Any, other: Any) -> bool:
    try:
        return difference(got, other) is None
    except Exception:
        return False


NOBODY = "your id"  # whose a homework is until somebody writes an id


def mine(student: str, homework: str) -> np.random.Generator:
    """Return a student's own random generator for a homework, the same on every machine."""
    if normal_form(student) == NOBODY:
        print(f'STUDENT is still "{NOBODY}": write your id there, or these data are nobody\'s.')
    names = [normal_form(name) for name in (student, homework)]
    digest = sha256("\n".join(names).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))


def normal_form(name: str) -> str:
    """Return a name such that letters, case and spaces typed in another way make no difference."""
    return " ".join(unicodedata.normalize("NFKC", str(name)).casefold().split())


def _cases(inputs: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return each input as a tuple of arguments."""
    return [case if isinstance(case, tuple) else (case,) for case in inputs]


def _models(expected: Any, count: int) -> list[Callable[..., Any]]:
    """Return a function for each input that gives what is expected of it."""
    if not isinstance(expected, list):
        return [expected] * count
    if len(expected) != count:
        raise ValueError(
            f"{len(expected)} results are expected of {count} inputs; one for each is needed"
        )
    return [_always(want) for want in expected]


def _always(value: Any) -> Callable[..., Any]:
    def constant(*args: Any) -> Any:
        return value

    return constant


def _try(
    answer: Any, model: Callable[..., Any], case: tuple[Any, ...], compare: Comparison
) -> Feedback | None:
    """Call the function on copies of the arguments, and judge what it returns and leaves behind."""
    call = f"{getattr(answer, '__name__', 'your function')}({', '.join(map(shorten, case))})"
    args = deepcopy(case)
    try:
        got = ... if answer is ... else answer(*args)
    except Exception as error:
        if isinstance(error, NotImplementedError) or "ellipsis" in str(error):
            return MISSING
        return Feedback(Rung.ERROR, f"{call} raises {type(error).__name__}: {error}")
    want = model(*deepcopy(case))
    hint = "which is not right" if compare.same else f"and {shorten(want)} is expected"
    return _judge(got, want, call, compare, hint) or _judge_arguments(case, args, call)


def _judge(got: Any, want: Any, what: str, compare: Comparison, hint: str) -> Feedback | None:
    """Return what is wrong with a result, if anything."""
    if is_unfinished(got):
        return MISSING
    if got is None and want is not None:
        return Feedback(Rung.NOTHING, f"{what} is None: is there a return?")
    fault = compare(got, want)
    if fault is None:
        return None
    if fault.kind is Mismatch.TYPE:
        return Feedback(Rung.TYPE, f"{what}: {fault.reason}.")
    if fault.reason:
        return Feedback(Rung.VALUE, f"{what} is {shorten(got)}. {fault.reason}")
    return Feedback(Rung.VALUE, f"{what} is {shorten(got)}, {hint}.")


def _judge_arguments(before: tuple[Any, ...], after: tuple[Any, ...], call: str) -> Feedback | None:
    """Return a complaint if the call has changed one of its arguments."""
    for old, new in zip(before, after, strict=True):
        if has_changed(old, new):
            message = f"{call} changes its input: {shorten(old)} has become {shorten(new)}."
            return Feedback(Rung.VALUE, message)
    return None
