"""Check a reader's answer, in five rungs: missing, nothing returned, wrong type or shape, wrong value, correct.

    check(distance, lambda w, b, x: abs(np.dot(w, x) - b) / np.linalg.norm(w), [((3, 4), 5, (0, 0))])
    check(distance, [1.0, 0.0], [((3, 4), 5, (0, 0)), ((1, 0), 2, (2, 7))])
    check(my_bound, 322)

What is expected of a function is another function, or the list of the results for the inputs, in order. An input is
a tuple of arguments; a single argument that is no tuple may stand alone. Exact numbers are compared exactly, floats
to nine digits. Where many answers are right, `same(got, expected)` decides.
"""

import unicodedata
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from hashlib import sha256
from html import escape
from numbers import Real
from typing import Any

import numpy as np

from .palette import GREEN, GREY, ORANGE

RUNGS = {
    "missing": ("…", "Still missing", GREY),
    "nothing": ("✗", "Nothing returned", ORANGE),
    "error": ("✗", "It stops with an error", ORANGE),
    "type": ("✗", "Wrong type or shape", ORANGE),
    "value": ("✗", "Wrong value", ORANGE),
    "correct": ("✓", "Correct", GREEN),
}
NAMES = {int: "an int", str: "a string", np.ndarray: "an array", type(None): "None"}
TOLERANCE = {"rtol": 1e-9, "atol": 1e-12}
Same = Callable[[Any, Any], bool]
Fault = tuple[str, str]  # a rung and the reason
WRONG = ("value", "")


@dataclass(frozen=True)
class Feedback:
    """Say which rung an answer has reached, in words, a sign and a colour."""

    rung: str
    message: str

    def __repr__(self) -> str:
        sign, title, _ = RUNGS[self.rung]
        return f"{sign} {title}: {self.message}"

    def _repr_html_(self) -> str:
        sign, title, colour = RUNGS[self.rung]
        return (
            f'<div role="status" style="border-left:.4em solid {colour};padding:.3em .8em">'
            f"<strong>{sign} {title}:</strong> {escape(self.message)}</div>"
        )


MISSING = Feedback("missing", "replace the … by your code.")


def check(
    answer: Any, expected: Any, inputs: Iterable[Any] | None = None, same: Same | None = None
) -> Feedback:
    """Check a value, or a function on inputs, and report the lowest rung."""
    if inputs is None:
        return _judge(answer, expected, "the answer", same, "which is not right") or Feedback(
            "correct", "well done."
        )
    if answer is not ... and not callable(answer):
        return Feedback("type", f"a function is expected, and this is {_kind(answer)}.")
    cases = [case if isinstance(case, tuple) else (case,) for case in inputs]
    if isinstance(expected, list) and len(expected) != len(cases):
        raise ValueError(
            f"{len(expected)} results are expected of {len(cases)} inputs; one for each is needed"
        )
    listed = isinstance(expected, list)
    models = (
        [lambda *_, want=want: want for want in expected] if listed else [expected] * len(cases)
    )
    found = list(
        filter(None, (_try(answer, model, case, same) for model, case in zip(models, cases)))
    )
    order = list(RUNGS)
    return min(
        found,
        key=lambda feedback: order.index(feedback.rung),
        default=Feedback("correct", f"right on {len(cases)} input{'s' * (len(cases) > 1)}."),
    )


def mine(student: str, homework: str) -> np.random.Generator:
    """Return the random generator that is a student's own for a homework: the same on every machine."""
    names = [
        " ".join(unicodedata.normalize("NFKC", str(name)).casefold().split())
        for name in (student, homework)
    ]
    return np.random.default_rng(int.from_bytes(sha256("\n".join(names).encode()).digest(), "big"))


def _try(
    answer: Callable[..., Any], expected: Callable[..., Any], case: tuple, same: Same | None
) -> Feedback | None:
    """Call the function on copies of the arguments, and judge what it returns and what it leaves behind."""
    call = f"{getattr(answer, '__name__', 'your function')}({', '.join(map(_brief, case))})"
    args = deepcopy(case)
    try:
        got = ... if answer is ... else answer(*args)
    except Exception as error:
        missing = isinstance(error, NotImplementedError) or "ellipsis" in str(error)
        return (
            MISSING
            if missing
            else Feedback("error", f"{call} raises {type(error).__name__}: {error}")
        )
    want = expected(*deepcopy(case))
    hint = "which is not right" if same else f"and {_brief(want)} is expected"
    return _judge(got, want, call, same, hint) or next(
        (
            Feedback("value", f"{call} changes its input: {_brief(old)} has become {_brief(new)}.")
            for old, new in zip(case, args)
            if _changed(old, new)
        ),
        None,
    )


def _judge(got: Any, want: Any, what: str, same: Same | None, hint: str) -> Feedback | None:
    """Return what is wrong with a result, if anything."""
    if _unfinished(got):
        return MISSING
    if got is None and want is not None:
        return Feedback("nothing", f"{what} is None: is there a return?")
    try:
        fault = _differ(got, want) if same is None else None if same(got, want) else WRONG
    except Exception as error:
        fault = "type", f"it cannot be compared ({type(error).__name__}: {error})"
    if not fault:
        return None
    return Feedback(
        fault[0],
        f"{what}: {fault[1]}." if fault[0] == "type" else f"{what} is {_brief(got)}, {hint}.",
    )


def _differ(got: Any, want: Any) -> Fault | None:
    """Return the rung and the reason if two results differ; the types must fit, so no `==` of the reader's counts."""
    got, want = (
        v.item() if type(v).__module__ == "numpy" and isinstance(v, np.generic) else v
        for v in (got, want)
    )
    kind, fits = type(want), {type(want)}
    if isinstance(want, Real) and kind is not bool:
        fits = {int, Fraction} | ({float} if kind in (int, float) else set())
    if type(got) not in fits:
        return "type", f"{_kind(want)} is expected, and this is {_kind(got)}"
    if kind is np.ndarray:
        return _differ_as_arrays(got, want)
    if kind in (list, tuple) and len(got) != len(want):
        return "type", f"{len(want)} items are expected, and this has {len(got)}"
    if kind in (list, tuple):
        return next(filter(None, map(_differ, got, want)), None)
    if kind in (set, frozenset, dict):
        mine, theirs = (list(v.items() if kind is dict else v) for v in (got, want))
        found = (any(_differ(m, t) is None for m in mine) for t in theirs)
        return None if len(mine) == len(theirs) and all(found) else WRONG
    if is_dataclass(want):
        return next(
            filter(
                None, (_differ(getattr(got, f.name), getattr(want, f.name)) for f in fields(want))
            ),
            None,
        )
    close = isinstance(want, float) and np.isclose(float(got), want, **TOLERANCE)
    return None if close or got == want else WRONG


def _differ_as_arrays(got: np.ndarray, want: np.ndarray) -> Fault | None:
    if got.shape != want.shape:
        return "type", f"an array of shape {want.shape} is expected, and this has shape {got.shape}"
    if object in (got.dtype, want.dtype):
        return next(filter(None, map(_differ, got.ravel().tolist(), want.ravel().tolist())), None)
    if (got.dtype.kind in "iuf") != (want.dtype.kind in "iuf"):
        return "type", f"an array of {want.dtype} is expected, and this is one of {got.dtype}"
    close = want.dtype.kind == "f" and np.allclose(got, want, **TOLERANCE)
    return None if close or np.array_equal(got, want) else WRONG


def _changed(old: Any, new: Any) -> bool:
    """Tell whether an argument has changed, unless it differs from its own copy, as NaN and random generators do."""
    return _differ(deepcopy(old), old) is None and _differ(new, old) is not None


def _unfinished(value: Any) -> bool:
    return value is ... or isinstance(value, (list, tuple)) and any(map(_unfinished, value))


def _kind(value: Any) -> str:
    return NAMES.get(type(value), f"a {type(value).__name__}")


def _brief(value: Any) -> str:
    """Write a value on one line, shortened, without addresses."""
    value = value.item() if isinstance(value, np.generic) else value
    text = getattr(value, "__name__", None) or " ".join(repr(value).split())
    return text if len(text) <= 80 else text[:77] + "…"
