"""Compare what an answer gives with what is expected: exact numbers exactly, floats to nine digits.

One rule for types. A list, a tuple and an array stand for each other, item by item; so do an int,
a Fraction and a number of numpy with the same value. A float stands for an exact number only where
nothing exact is asked for, and a bool for no number. Types must fit before any value is looked at,
so that no `==` of a reader's own class has a say.
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
SEQUENCES = (list, tuple, np.ndarray)


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


def difference(got: Any, want: Any, exact: bool = False) -> Difference | None:
    """Return what a result differs in from the one that is expected, or None if they agree."""
    got, want = _without_numpy(got), _without_numpy(want)
    if type(got) not in _fitting_types(want, exact):
        return Difference(Mismatch.TYPE, _other_type(got, want))
    if isinstance(got, np.ndarray) and isinstance(want, np.ndarray):
        return _difference_of_arrays(got, want, exact)
    if isinstance(want, SEQUENCES):
        return _difference_of_sequences(got, want, exact)
    if isinstance(want, dict):
        return _difference_in_any_order(list(got.items()), list(want.items()), exact)
    if isinstance(want, (set, frozenset)):
        return _difference_in_any_order(list(got), list(want), exact)
    if is_dataclass(want) and not isinstance(want, type):
        names = [field.name for field in fields(want)]
        return _first(difference(getattr(got, name), getattr(want, name), exact) for name in names)
    if isinstance(want, float) and _is_close(got, want):
        return None
    return None if got == want else OTHER_VALUE


def plain(value: Any) -> Any:
    """Return a value as the rule for types sees it: lists, and ints where numbers are whole."""
    value = _without_numpy(value)
    if type(value) is np.ndarray:
        value = value.tolist()
    if type(value) in (list, tuple):
        return list(map(plain, value))
    if type(value) is dict:
        return {key: plain(item) for key, item in value.items()}
    if type(value) is Fraction and value.denominator == 1:
        return value.numerator
    return value


def misfit(got: Any, like: Any) -> str:
    """Say in a clause which type does not fit that of an example, whatever the values; or nothing.

    Lists may have other lengths, None may stand for anything, and an exact example asks for exact
    numbers.
    """
    got, like = plain(got), plain(like)
    if got is None or like is None:
        return ""
    if type(got) not in _fitting_types(like, exact=True):
        return _other_type(got, like)
    if isinstance(like, dict):
        pairs = ((item, some) for item in got.values() for some in like.values())
        return next(filter(None, (misfit(*pair) for pair in pairs)), "")
    if not isinstance(like, list):
        return ""
    if len(got) == len(like):
        return next(filter(None, map(misfit, got, like)), "")
    if len({_kind(item) for item in like}) == 1:  # items of one kind, so many or more
        return next(filter(None, (misfit(item, like[0]) for item in got)), "")
    return ""


def has_changed(old: Any, new: Any) -> bool:
    """Tell whether an argument has changed in a call.

    What differs from its own copy, as NaN and random generators do, is not held against anybody.
    """
    if difference(deepcopy(old), old) is not None:
        return False
    return difference(new, old, exact=True) is not None


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
    is_number = type(value).__module__ == "numpy" and isinstance(value, np.generic)
    if is_number or type(value) is np.ndarray and value.ndim == 0:
        return value.item()
    return value


def _fitting_types(want: Any, exact: bool) -> set[type]:
    """Return the types that fit: sequences stand for each other, and exact numbers, for floats too.

    A float stands for an int unless exact numbers are asked for, and never for a Fraction.
    """
    kind = type(want)
    if kind in SEQUENCES:
        return set(SEQUENCES)
    if kind is bool or not isinstance(want, Real):
        return {kind}
    if kind is float or kind is int and not exact:
        return {int, Fraction, float}
    return {int, Fraction}


def _other_type(got: Any, want: Any) -> str:
    """Say that a type does not fit."""
    expected = name_type(want)
    if type(got) is float and type(want) in (int, Fraction):
        expected = "an exact number, an int or a Fraction,"
    return f"{expected} is expected, and this is {name_type(got)}"


def _kind(value: Any) -> type:
    return Fraction if type(value) is int else type(value)


def _difference_of_arrays(got: np.ndarray, want: np.ndarray, exact: bool) -> Difference | None:
    if got.shape != want.shape:
        reason = f"an array of shape {want.shape} is expected, and this has shape {got.shape}"
        return Difference(Mismatch.TYPE, reason)
    if object in (got.dtype, want.dtype):
        return _of_each(got.ravel().tolist(), want.ravel().tolist(), exact)
    numbers = "iu" if exact and want.dtype.kind in "iu" else "iuf"
    if (got.dtype.kind in numbers) != (want.dtype.kind in numbers):
        reason = f"an array of {want.dtype} is expected, and this is one of {got.dtype}"
        return Difference(Mismatch.TYPE, reason)
    if want.dtype.kind == "f" and np.allclose(got, want, rtol=RELATIVE, atol=ABSOLUTE):
        return None
    return None if np.array_equal(got, want) else OTHER_VALUE


def _difference_of_sequences(got: Any, want: Any, exact: bool) -> Difference | None:
    if len(got) != len(want):
        reason = f"{len(want)} items are expected, and this has {len(got)}"
        return Difference(Mismatch.TYPE, reason)
    return _of_each(got, want, exact)


def _of_each(got: Iterable[Any], want: Iterable[Any], exact: bool) -> Difference | None:
    return _first(difference(item, expected, exact) for item, expected in zip(got, want))


def _difference_in_any_order(got: list[Any], want: list[Any], exact: bool) -> Difference | None:
    if len(got) != len(want):
        return OTHER_VALUE
    for expected in want:
        if all(difference(item, expected, exact) is not None for item in got):
            return OTHER_VALUE
    return None


def _is_close(got: Any, want: float) -> bool:
    try:
        return bool(np.isclose(float(got), want, rtol=RELATIVE, atol=ABSOLUTE))
    except OverflowError:  # an int beyond all floats
        return False


def _first(differences: Iterable[Difference | None]) -> Difference | None:
    return next((found for found in differences if found is not None), None)
