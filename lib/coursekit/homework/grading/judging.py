"""What many homeworks need to judge answers: types first, then the library's own verifiers.

An answer comes as `plain` data by the one rule for types: lists for all sequences, ints for all
whole numbers, Fractions for other exact ones. Whoever judges it first sees to shapes and types, and
then hands it on as exact arrays.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from halfspaces import CertificateError
from halfspaces.notebook.comparison import plain

__all__ = ["exact", "is_exact", "is_exact_list", "is_whole_list", "passes", "plain"]


def is_exact(value: Any) -> bool:
    """Tell whether a value is a whole number or a fraction, and no bool."""
    return type(value) in (int, Fraction)


def is_exact_list(value: Any, length: int) -> bool:
    """Tell whether a value is a list of so many exact numbers."""
    return isinstance(value, (list, tuple)) and len(value) == length and all(map(is_exact, value))


def is_whole_list(value: Any, length: int) -> bool:
    """Tell whether a value is a list of so many ints."""
    return is_exact_list(value, length) and all(type(item) is int for item in value)


def exact(values: Any) -> np.ndarray:
    """Return exact numbers as an array that keeps them as they are."""
    return np.array(values, dtype=object)


def passes(verify: Callable[..., None], *claim: Any) -> bool:
    """Tell whether a verifier of the library accepts a claim."""
    try:
        verify(*claim)
    except (CertificateError, OverflowError):  # of a float, in a sentence on a huge number
        return False
    except ValueError as error:
        if "integer string conversion" in str(error):  # more digits than a sentence can hold
            return False
        raise
    return True
