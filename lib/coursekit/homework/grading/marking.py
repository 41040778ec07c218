"""Mark an answer as a black box: call its function on inputs drawn for the student, and judge.

Inputs come in an order drawn for the student. Where one answer would be right for all inputs of a
behaviour, whoever the student, inputs of the other behaviours are mixed in for which it is wrong:
so neither a constant nor an answer that counts its calls earns anything.

How a function is called is the caller's affair: `questions.trusted` runs code in this process,
`session.Sandboxed` runs anybody's.
"""

import json
import warnings
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from halfspaces.notebook.comparison import (
    Mismatch,
    difference,
    has_changed,
    is_unfinished,
    misfit,
    plain,
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

ORDERS = 50  # so many at least, where the right answers are known before
FEW = 3  # inputs that are asked several times, if all have the same answer


@dataclass(frozen=True, eq=False)
class Behaviour:
    """One thing an answer does right or not: `says` in words, tried on what `inputs(rng)` draws."""

    says: str
    points: float
    inputs: Callable[[np.random.Generator], list[Args]]
    accept: Accept | None = None  # where many answers are right


@dataclass(frozen=True, eq=False)
class Question:
    """A function to write, by the grade_id of its answer cell, and what earns its points."""

    id: str
    function: str
    points: float
    behaviours: list[Behaviour]
    needs: tuple[str, ...] = ()  # the questions whose functions this one may call


@dataclass(frozen=True)
class Case:
    """An input of a behaviour, or one mixed in, and the model's result."""

    args: Args
    want: Any
    is_own: bool = True


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
    for behaviour, fault in try_all(question, call, homework, student, secret):
        if fault:
            lost = f"({behaviour.points:g} of {question.points:g} points lost)"
            reasons.append(f"{behaviour.says} {lost}: {fault}.")
        else:
            points += behaviour.points
    return Mark(points, question.points, tuple(reasons))


def try_all(
    question: Question, call: Call, homework: "Homework", student: str, secret: str
) -> Iterator[tuple[Behaviour, str]]:
    """Return each behaviour with what is wrong on the first input that shows it, or nothing."""
    for behaviour in question.behaviours:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd numbers in an answer
            trial = prepare(question, behaviour, homework, student, secret)
            fault = _try(trial, call)
        yield behaviour, fault


def _try(trial: "Trial", call: Call) -> str:
    """Return what is wrong on the first input that shows it, or nothing."""
    function = trial.question.function
    for case in trial.cases:
        shown = f"{function}({', '.join(map(shorten, case.args))})"
        got = call(function, case.args)
        if isinstance(got, Failure):
            if case.is_own or got.kind in NEVER_FORGIVEN:
                return f"{shown} {got.message}"
            continue
        fault = trial.fault(got, case)
        if fault:
            return f"{shown} {fault}"
    return ""


# On an input that is mixed in: a call counter that fails so has not given another answer.
NEVER_FORGIVEN = (FailureKind.MISSING, FailureKind.TIMEOUT, FailureKind.DIED)


class Trial:
    """A behaviour that is tried on one student's inputs."""

    def __init__(
        self,
        question: Question,
        behaviour: Behaviour,
        homework: "Homework",
        student: str,
        secret: str,
    ):
        self.question = question
        self.behaviour = behaviour
        self.where = f"{question.id}, {behaviour.says}"
        self.names = (secret, student, homework.name, question.id, behaviour.says)
        self.given = homework.model(student)
        rng = draw_for(*self.names)
        self.own = self._answered(behaviour.inputs(rng))
        mixed = self._mixed_in(rng)
        asked = self.own
        if mixed and len(asked) < FEW:
            asked = (asked * FEW)[:FEW]
        cases = asked + mixed
        self.cases = [cases[i] for i in rng.permutation(len(cases))]  # in the student's order

    def fault(self, got: Any, case: Case) -> str:
        """Return what is wrong with a value, in a clause that does not give the right one away.

        An input that is mixed in counts only against an answer that is right elsewhere: whoever
        goes wrong there in a way of their own loses the points of that behaviour, not of this one.
        """
        if not case.is_own:
            if self._is_right(got, case) or not any(self._is_right(got, own) for own in self.own):
                return ""
            return f"returns {quote(shorten(got))}, which is not right"
        if is_unfinished(got):
            return "is still missing"
        if got is None and case.want is not None:
            return "returns nothing"
        if self._is_right(got, case):
            return ""
        shown = quote(shorten(got))
        reason = misfit(got, case.want)
        if self.behaviour.accept is None:
            found = difference(got, case.want, exact=True)
            if found is not None and found.kind is Mismatch.TYPE:
                reason = found.reason
        return f"returns {shown}: {reason}" if reason else f"returns {shown}, which is not right"

    def _answered(self, inputs: list[Args]) -> list[Case]:
        model = self.given[self.question.function]
        return [Case(args, model(*deepcopy(args))) for args in inputs]

    def _is_right(self, got: Any, case: Case) -> bool:
        if self.behaviour.accept is None:
            return difference(got, case.want, exact=True) is None
        return self._accepts(got, case)

    def _accepts(self, got: Any, case: Case) -> bool:
        """Ask the homework's own judge, which need not foresee another type, nor infinities."""
        try:
            return self.behaviour.accept(
                plain(deepcopy(got)), deepcopy(case.want), deepcopy(case.args), self.given
            )
        except Exception as error:
            fault = difference(got, case.want, exact=True)
            is_of_the_type = fault is None or fault.kind is not Mismatch.TYPE
            if is_of_the_type and is_finite(got):
                text = f"{self.where}: accept fails on {shorten(got)} ({describe(error)})"
                raise CheckerError(text) from error
            return False

    def _mixed_in(self, rng: np.random.Generator) -> list[Case]:
        """Return inputs of other behaviours for which the one answer that fits all is wrong."""
        constant = self._constant()
        if constant is None:
            return []
        asked = max(len(self.own), FEW)
        count = next(n for n in range(1, ORDERS) if comb(asked + n, n) >= ORDERS)
        for other in self.question.behaviours:
            found = [
                Case(case.args, case.want, is_own=False)
                for case in self._answered(other.inputs(rng))
                if not self._is_right(constant.want, case)
            ]
            if found:  # of the first behaviour, and all of it, so that luck plays no part
                return found * -(-count // len(found))
        return []

    def _constant(self) -> Case | None:
        """Return a case whose answer is right for all inputs, and for those of a stranger too."""
        if self.own == [] or self.own[0].args == ():
            return None
        fitting = [case for case in self.own if self._fits(case, self.own)]
        if not fitting:
            return None
        stranger = self._answered(self.behaviour.inputs(draw_for(*self.names, "a stranger")))
        return next((case for case in fitting if self._fits(case, stranger)), None)

    def _fits(self, known: Case, cases: list[Case]) -> bool:
        return all(self._is_right(known.want, case) for case in cases)


@lru_cache(maxsize=32)  # for several answers to one question
def prepare(
    question: Question, behaviour: Behaviour, homework: "Homework", student: str, secret: str
) -> Trial:
    """Draw the inputs of a behaviour, and answer them; if that fails, nobody's answer is at fault.

    Nothing in what it returns is changed later: calls and judges get copies.
    """
    try:
        return Trial(question, behaviour, homework, student, secret)
    except CheckerError:
        raise
    except Exception as error:
        where = f"{question.id}, {behaviour.says}"
        raise CheckerError(f"{where}: the model answer fails ({describe(error)})") from error


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
