"""Plain data as JSON, there and back: numbers, texts, collections, arrays, formulas.

Nothing is unpickled and no name is looked up. Depth, digits, dtypes and shapes are checked before
anything of their size is made.
"""

import base64
import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from halfspaces import AtLeast, Conjunction, DecisionList, Disjunction, Halfspace

from . import limits

DTYPES = {
    np.dtype(name).str
    for name in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c16")
}
PARTS = {
    Halfspace: ("w", "b"),
    Conjunction: ("literals", "d"),
    Disjunction: ("literals", "d"),
    AtLeast: ("literals", "d", "k"),
    DecisionList: ("rules", "default", "d"),
}
SEQUENCES = {tuple: "tuple", set: "set", frozenset: "frozenset"}


class Malformed(ValueError):
    """Data that are not plain, or larger than allowed; the message says which."""


def encode(value: Any, depth: int = 0) -> Any:
    """Return plain data as JSON can hold them; only exact types count: no subclass has a say."""
    kind = type(value)
    if depth > limits.DEPTH:
        raise Malformed("data nested too deeply")
    if value is None or kind in (bool, float, str):
        return value
    if kind is int:
        return _bounded(value)
    if kind is list:
        return [encode(v, depth + 1) for v in value]
    if kind in SEQUENCES:
        return {SEQUENCES[kind]: [encode(v, depth + 1) for v in value]}
    if kind is dict:
        return {"dict": [[encode(v, depth + 1) for v in pair] for pair in value.items()]}
    if kind is Fraction:
        return {"fraction": [_bounded(value.numerator), _bounded(value.denominator)]}
    if kind is complex:
        return {"complex": [value.real, value.imag]}
    if value is ...:
        return {"ellipsis": None}
    if kind.__module__ == "numpy" and isinstance(value, np.generic) and value.dtype.str in DTYPES:
        return encode(value.item())
    if kind is np.ndarray:
        return _encode_array(value, depth)
    if kind in PARTS:
        return {kind.__name__: [encode(getattr(value, name), depth + 1) for name in PARTS[kind]]}
    raise Malformed(f"an object of type {kind.__name__}")


def _encode_array(array: np.ndarray, depth: int) -> Any:
    if array.nbytes > limits.ARRAY_BYTES or array.ndim > limits.ARRAY_AXES:
        raise Malformed("an array that is too large")
    if array.dtype == object:
        items = [encode(v, depth + 1) for v in array.ravel().tolist()]
        return {"objects": [list(array.shape), items]}
    array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    if array.dtype.str not in DTYPES:
        raise Malformed(f"an array of {array.dtype}")
    text = base64.b64encode(array.tobytes()).decode()
    return {"array": [array.dtype.str, list(array.shape), text]}


def decode(data: Any, depth: int = 0) -> Any:
    """Return the plain data that JSON held; raise Malformed for anything else."""
    if depth > limits.DEPTH:
        raise Malformed("data nested too deeply")
    if data is None or isinstance(data, (bool, float, str)):
        return data
    if isinstance(data, int):
        return _bounded(data)
    if isinstance(data, list):
        return [decode(v, depth + 1) for v in data]
    if not isinstance(data, dict) or len(data) != 1:
        raise Malformed("an unknown kind of data")
    [(tag, body)] = data.items()
    if tag not in DECODERS:
        raise Malformed("an unknown kind of data")
    try:
        return DECODERS[tag](body, depth + 1)
    except (TypeError, ValueError, AttributeError, ArithmeticError) as error:
        if isinstance(error, Malformed):
            raise
        raise Malformed(f"a {tag} that is none") from None


def _bounded(value: int) -> int:
    if type(value) is not int or value.bit_length() > limits.INTEGER_BITS:
        raise Malformed("a number with too many digits")
    return value


def _items(body: Any, depth: int) -> list[Any]:
    if not isinstance(body, list):
        raise Malformed("a sequence that is none")
    return [decode(v, depth) for v in body]


def _keys(body: Any, depth: int) -> list[Any]:
    if len(body) > limits.KEYS:
        raise Malformed("a set of too many items")
    return _spread(_items(body, depth))


def _dict(body: Any, depth: int) -> dict[Any, Any]:
    if len(body) > limits.KEYS:
        raise Malformed("a dict of too many items")
    pairs = [(decode(key, depth), decode(value, depth)) for key, value in body]
    _spread([key for key, _ in pairs])
    return dict(pairs)


def _spread(keys: list[Any]) -> list[Any]:
    """Return keys of which only a few have the same hash, by accident."""
    if max(Counter(map(hash, keys)).values(), default=0) > limits.KEYS_ALIKE:
        raise Malformed("a set or dict whose keys are made to collide")
    return keys


def _fraction(body: Any, depth: int) -> Fraction:
    numerator, denominator = body
    return Fraction(_bounded(numerator), _bounded(denominator))


def _complex(body: Any, depth: int) -> complex:
    real, imaginary = body
    return complex(real, imaginary)


def _size(shape: Any) -> int:
    if not isinstance(shape, list) or len(shape) > limits.ARRAY_AXES:
        raise Malformed("an array of an odd shape")
    if not all(type(n) is int and n >= 0 for n in shape):
        raise Malformed("an array of an odd shape")
    if (
        math.prod(n or 1 for n in shape) > limits.ARRAY_BYTES
    ):  # (10**9, 0) has no item, and 10**9 rows
        raise Malformed("an array that is too large")
    return math.prod(shape)


def _array(body: Any, depth: int) -> np.ndarray:
    dtype, shape, text = body
    if dtype not in DTYPES:
        raise Malformed("an array of an odd dtype")
    raw = base64.b64decode(text, validate=True)
    if _size(shape) * np.dtype(dtype).itemsize != len(raw):
        raise Malformed("an array whose shape does not fit its bytes")
    return np.frombuffer(raw, dtype).reshape(shape).copy()


def _objects(body: Any, depth: int) -> np.ndarray:
    shape, items = body
    if not isinstance(items, list) or _size(shape) != len(items):
        raise Malformed("an array whose shape does not fit its items")
    array = np.empty(len(items), object)
    for i, item in enumerate(items):
        array[i] = decode(item, depth)
    return array.reshape(shape)


def _thing(kind: type) -> Callable[[Any, int], Any]:
    def make(body: Any, depth: int) -> Any:
        parts = dict(zip(PARTS[kind], _items(body, depth), strict=True))
        if "d" in parts and (type(parts["d"]) is not int or parts["d"] > limits.FORMULA_VARIABLES):
            raise Malformed("a formula of too many variables")
        return kind(**parts)

    return make


def _tuple(body: Any, depth: int) -> tuple[Any, ...]:
    return tuple(_items(body, depth))


def _set(body: Any, depth: int) -> set[Any]:
    return set(_keys(body, depth))


def _frozenset(body: Any, depth: int) -> frozenset[Any]:
    return frozenset(_keys(body, depth))


def _ellipsis(body: Any, depth: int) -> Any:
    return ...


DECODERS: dict[str, Callable[[Any, int], Any]] = {
    "tuple": _tuple,
    "set": _set,
    "frozenset": _frozenset,
    "dict": _dict,
    "fraction": _fraction,
    "complex": _complex,
    "ellipsis": _ellipsis,
    "array": _array,
    "objects": _objects,
    **{kind.__name__: _thing(kind) for kind in PARTS},
}
