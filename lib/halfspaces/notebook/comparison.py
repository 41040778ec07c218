"""Compare what an answer gives with what is expected: exact numbers exactly, floats to nine digits.

Types must fit before any value is looked at, so that no `==` of a reader's own class has a say.
"""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np

RELATIVE, ABSOLUTE = 1e-9, 1e-12  # what floats may differ by
LONGEST = 80  # letters of a value that is quoted
TYPE_NAMES = {int: "an int", str: "a string", np.ndarray: "an array", type(None): "None"}


class Mismatch(StrEnum):
    """What two results differ in: their type or shape, or only their value."""

    TYPE = "type"
    VALUE = "value"


@dataclass(frozen=True)
class Difference:
    """What two results differ in, and where there is more to say, how."""

    kind: Mismatch
    reason: str = ""


OTHER_VALUE = Difference(Mismatch.VALUE)


def difference(got: Any, want: Any) -> Difference | None:
    """Return what a result differs in from the one that is expected, or None if they agree."""
    got, want = _without_numpy(got), _without_numpy(want)
    if type(got) not in _fitting_types(want):
        reason = f"{name_type(want)} is expected, and this is {name_type(got)}"
        return Difference(Mismatch.TYPE, reason)
    if isinstance(want, np.ndarray):
        return _difference_of_arrays(got, want)
    if isinstance(want, (list, tuple)):
        return _difference_of_sequences(got, want)
    if isinstance(want, dict):
        return _difference_in_any_order(list(got.items()), list(want.items()))
    if isinstance(want, (set, frozenset)):
        return _difference_in_any_order(list(got), list(want))
    if is_dataclass(want) and not isinstance(want, type):
        names = [field.name for field in fields(want)]
        return _first(difference(getattr(got, name), getattr(want, name)) for name in names)
    if isinstance(want, float) and _is_close(got, want):
        return None
    return None if got == want else OTHER_VALUE


def has_changed(old: Any, new: Any) -> bool:
    """Tell whether an argument has changed in a call.

    What differs from its own copy, as NaN and random generators do, is not held against anybody.
    """
    return difference(deepcopy(old), old) is None and difference(new, old) is not None


def is_unfinished(value: Any) -> bool:
    """Tell whether a result is, or holds, the … that stands for code to be written."""
    if isinstance(value, (list, tuple)):
        return any(map(is_unfinished, value))
    return value is ...


def name_type(value: Any) -> str:
    """Name the type of a value, with its article."""
    return TYPE_NAMES.get(type(value), f"a {type(value).__name__}")


def shorten(value: Any) -> str:
    """Write a value on one line, not too long and without addresses."""
    if isinstance(value, np.generic):
        value = value.item()
    text = getattr(value, "__name__", None) or " ".join(repr(value).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "…"


def _without_numpy(value: Any) -> Any:
    """Return a number of numpy as Python's own; a subclass of the reader's stays what it is."""
    if type(value).__module__ == "numpy" and isinstance(value, np.generic):
        return value.item()
    return value


def _fitting_types(want: Any) -> set[type]:
    """Return the types that fit: exact numbers stand for each other, and for floats."""
    kind = type(want)
    if kind is bool or not isinstance(want, Real):
        return {kind}
    if kind in (int, float):
        return {int, Fraction, float}
    return {int, Fraction}


def _difference_of_arrays(got: np.ndarray, want: np.ndarray) -> Difference | None:
    if got.shape != want.shape:
        reason = f"an array of shape {want.shape} is expected, and this has shape {got.shape}"
        return Difference(Mismatch.TYPE, reason)
    if object in (got.dtype, want.dtype):
        return _first(map(difference, got.ravel().tolist(), want.ravel().tolist()))
    if (got.dtype.kind in "iuf") != (want.dtype.kind in "iuf"):
        reason = f"an array of {want.dtype} is expected, and this is one of {got.dtype}"
        return Difference(Mismatch.TYPE, reason)
    if want.dtype.kind == "f" and np.allclose(got, want, rtol=RELATIVE, atol=ABSOLUTE):
        return None
    return None if np.array_equal(got, want) else OTHER_VALUE


def _difference_of_sequences(got: Any, want: Any) -> Difference | None:
    if len(got) != len(want):
        reason = f"{len(want)} items are expected, and this has {len(got)}"
        return Difference(Mismatch.TYPE, reason)
    return _first(map(difference, got, want))


def _difference_in_any_order(got: list[Any], want: list[Any]) -> Difference | None:
    if len(got) != len(want):
        return OTHER_VALUE
    for expected in want:
        if all(difference(item, expected) is not None for item in got):
            return OTHER_VALUE
    return None


def _is_close(got: Any, want: float) -> bool:
    try:
        return bool(np.isclose(float(got), want, rtol=RELATIVE, atol=ABSOLUTE))
    except OverflowError:  # an int beyond all floats
        return False


def _first(differences: Iterable[Difference | None]) -> Difference | None:
    return next((found for found in differences if found is not None), None)
