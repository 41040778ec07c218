"""What every other room needs: checked input, and arithmetic that stays exact while it can.

Arrays come in three kinds: float64; int64, below 2^53; and object, which holds Python
ints and `Fraction`s. The last two are called exact, and `inner` keeps them so.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any

import numpy as np
import numpy.typing as npt

Number = int | float | Fraction
ArrayLike = npt.ArrayLike | Sequence[Any]  # numpy's own leaves out lists of Fractions
NumberOrArray = Any  # one for one point, the other for many: no type can tell which
Rng = np.random.Generator | int | None
PART = 2**14  # numbers that fit the cache
LARGEST, SMALLEST = 1e75, 1e-75  # so that (R/γ)² neither overflows nor vanishes


def as_array(values: ArrayLike | Number, name: str, ndim: int) -> np.ndarray:
    """Return a float64, int64 or object (exact) array of finite reals with `ndim` axes."""
    raw = np.asarray(values) if hasattr(values, "__array__") else _from_nested(values, name)
    if raw.ndim != ndim:
        shape = {0: "one number", 1: "a vector of shape (d,)", 2: "an array of shape (n, d)"}[ndim]
        raise ValueError(
            f"{name} must be {shape}; it has shape {raw.shape}"
            f"{' (are its rows of one length?)' if raw.dtype == object else ''}"
        )
    if raw.size == 0 and ndim:
        raise ValueError(f"{name} is empty: shape {raw.shape}")
    array = _to_kind(raw, name)
    if array.dtype == float:
        flat = array.ravel()
        for start in range(0, flat.size, PART):
            part = flat[start : start + PART]
            size = np.abs(part)
            if size.max() <= LARGEST and size.min() >= SMALLEST:
                continue
            if not ((size <= LARGEST) & ((size >= SMALLEST) | (size == 0))).all():
                what = (
                    "a number outside 1e-75 … 1e75 (rescale it)"
                    if np.isfinite(part).all()
                    else "NaN or infinity"
                )
                raise ValueError(
                    f"{name} contains {what}; finite numbers of moderate size are expected"
                )
    return array


def _from_nested(values: ArrayLike | Number, name: str) -> np.ndarray:
    try:
        return np.array(values, dtype=object)  # via object, so that 2**63 and Fractions survive
    except ValueError:
        raise ValueError(f"{name} is ragged: all its rows must have the same length") from None


def _to_kind(raw: np.ndarray, name: str) -> np.ndarray:
    if raw.dtype.kind == "f":
        return raw.astype(float, copy=False)
    if raw.dtype.kind in "biu" and (
        raw.dtype.itemsize < 8 or np.abs(raw.astype(float)).max(initial=0) < 2**53
    ):
        return raw.astype(np.int64)
    flat = raw.ravel().tolist()
    if all(isinstance(v, Integral) for v in flat):
        kind = np.int64 if all(abs(v) < 2**53 for v in flat) else object
        return np.array([int(v) for v in flat], kind).reshape(raw.shape)
    if all(isinstance(v, Rational) for v in flat):
        return np.array([Fraction(v) for v in flat], object).reshape(raw.shape)
    if all(isinstance(v, Real) for v in flat):
        return to_float(raw, name)
    odd = next(v for v in flat if not isinstance(v, Real))
    hint = ": are its rows of one length?" if isinstance(odd, (list, tuple, np.ndarray)) else ""
    raise ValueError(f"{name} must hold real numbers; it holds a {type(odd).__name__}{hint}")


def to_float(array: np.ndarray, name: str = "the data") -> np.ndarray:
    """Return the array in float64, or say that it does not fit."""
    try:
        return np.asarray(array).astype(float, copy=False)
    except OverflowError:
        raise ValueError(
            f"{name} holds integers too large for floating point; rescale them"
        ) from None


def as_points(X: ArrayLike, d: int | None = None, name: str = "X") -> np.ndarray:
    """Return the points as an (n, d) array."""
    points = as_array(X, name, 2)
    if d is not None and points.shape[1] != d:
        raise ValueError(f"{name} has points of dimension {points.shape[1]}; {d} is expected")
    return points


def as_vector(w: ArrayLike, d: int | None = None, name: str = "w") -> np.ndarray:
    """Return the vector as a (d,) array."""
    vector = as_array(w, name, 1)
    if d is not None and len(vector) != d:
        raise ValueError(f"{name} has {len(vector)} entries; {d} are expected")
    return vector


def as_number(value: Number, name: str, low: float = -math.inf, strict: bool = False) -> Number:
    """Return the number as a Python int, Fraction or float, above `low` (strictly if asked)."""
    plain = isinstance(value, float) and SMALLEST <= abs(value) <= LARGEST  # as most are
    number = float(value) if plain else as_array(value, name, 0).item()
    if number < low or strict and number == low:
        raise ValueError(
            f"{name} is {_brief(number)}; a number {'>' if strict else '≥'} {low} is expected"
        )
    return number


def as_real(value: Number, name: str, low: float = -math.inf, strict: bool = False) -> float:
    """Return the number as a float above `low` (strictly if asked)."""
    number = as_number(value, name, low, strict)
    return number if isinstance(number, float) else float(to_float(as_array(number, name, 0), name))


def as_count(value: int, name: str, low: int = 1, high: int = 10**9) -> int:
    """Return the value as an int between `low` and `high`."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or not low <= value <= high:
        raise ValueError(
            f"{name} is {_brief(value)}; a whole number from {low} to {high:,} is expected"
        )
    return int(value)


def _brief(value: object) -> str:
    if isinstance(value, int) and abs(value) > 10**30:
        return f"about 10^{value.bit_length() * 3 // 10}"
    return repr(value)[:40]


def as_sample(X: ArrayLike, y: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return points and their labels −1 or +1, one for each."""
    points, labels = as_points(X), as_array(y, "y", 1)
    if len(labels) != len(points):
        raise ValueError(
            f"X has {len(points)} points and y has {len(labels)} labels; "
            "one label a point is expected"
        )
    wrong = labels[abs(labels) != 1]
    if len(wrong):
        raise ValueError(f"labels must be -1 or +1; y contains {wrong[0]}")
    return points, labels.astype(np.int64)


def need_both_classes(y: np.ndarray) -> None:
    """Refuse labels that are all alike."""
    if abs(y.sum()) == len(y):
        raise ValueError(f"all labels are {y[0]:+d}; at least one point of each class is expected")


def as_rng(rng: Rng) -> np.random.Generator:
    """Return the generator: the one given, one made from a seed, or for None a fresh one."""
    if isinstance(rng, np.random.Generator):
        return rng
    seed = isinstance(rng, Integral) and not isinstance(rng, bool) and rng >= 0
    if rng is None or seed:
        return np.random.default_rng(rng)
    raise ValueError(f"rng is {_brief(rng)}; a random generator, a seed ≥ 0 or None is expected")


def as_kernel(kernel: object) -> None:
    """Refuse what is not a kernel, such as its name."""
    if not (callable(kernel) and hasattr(kernel, "block")):
        raise ValueError(f"kernel is {_brief(kernel)}; a Kernel such as rbf(1.0) is expected")
