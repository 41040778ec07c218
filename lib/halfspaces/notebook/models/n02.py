"""What is expected in the exercises of notebook 2, and what is tempting but wrong."""

from typing import Any

import numpy as np

from ...boolean import DecisionList, cube
from ..exercises import Exercise, Trap

OFFICER = DecisionList([(1, True), (2, False), (3, True)], default=False, d=3)
CUSTOMERS = ("ten years", "an overdrawn account", "an income")
LARGEST = 2  # in size, of a weight that is accepted


def describe(x: np.ndarray) -> str:
    """Describe a customer in words."""
    has = [name for name, holds in zip(CUSTOMERS, x) if holds]
    return f"somebody with {', '.join(has) or 'nothing at all'}"


def computes_the_list(got: Any, _: Any) -> bool | str:
    """Tell whether small whole numbers compute the officer's list; name a customer if not."""
    if not isinstance(got, (tuple, list)) or len(got) != 2 or np.shape(got[0]) != (3,):
        return "a pair (w, b) with three weights is expected, such as ([1, 1, 1], 2)"
    weights, b = np.asarray(got[0], float), float(got[1])
    if not all(float(value).is_integer() for value in (*weights, b)):
        return "weights and threshold are to be whole numbers"
    for x, label in zip(cube(3), OFFICER(cube(3))):
        if (weights @ x >= b) != (label > 0):
            says, should = ("no", "yes") if label > 0 else ("yes", "no")
            return f"{describe(x)} gets a {says}, and the list says {should}"
    if np.abs(weights).max() > LARGEST:
        return f"every customer is served right, but a weight is larger than {LARGEST}"
    return True


def contradicts(got: Any, _: Any) -> bool | str:
    """Tell whether equally many true and false corners of the couples have the same sum."""
    true, false = (np.asarray(corners) for corners in got)
    for corners in (true, false):
        if corners.ndim != 2 or corners.shape[1] != 4 or not np.isin(corners, (0, 1)).all():
            return "corners are tuples of four numbers 0 or 1, in a list"
    for corners, wanted in ((true, True), (false, False)):
        for x in corners:
            if bool(x[0] * x[1] + x[2] * x[3]) != wanted:
                return f"the formula is not {str(wanted).lower()} at {tuple(x.tolist())}"
    if len(true) != len(false):
        return f"{len(true)} true corners and {len(false)} false ones: as many are needed"
    if (true.sum(axis=0) != false.sum(axis=0)).any():
        return "the two sums differ"
    return True


EXERCISES = {
    "2.1": Exercise(
        expected=([2, -1, 1], 1),
        inputs=None,
        same=computes_the_list,
        traps=[
            Trap(
                ([8, -4, 2], 1),
                "These are the doubling votes, right but large. Whom must the first rule beat?",
            ),
            Trap(([2, -1, 1], 0), "Without anything the sum is 0: that must not be enough."),
            Trap(
                ([1, -1, 1], 1),
                "Ten years and an overdrawn account sum to 0, and the list says yes.",
            ),
            Trap(
                ([2, -2, 1], 1),
                "An overdrawn account has to undo an income, not ten years.",
            ),
        ],
    ),
    "2.2": Exercise(
        expected=([(1, 1, 0, 0), (0, 0, 1, 1)], [(1, 0, 1, 0), (0, 1, 0, 1)]),
        inputs=None,
        same=contradicts,
        traps=[
            Trap(
                ([(1, 1, 0, 0)], [(1, 0, 0, 0), (0, 1, 0, 0)]),
                "The sums agree, but one true corner demands b once and two false ones "
                "exclude it twice: as many of each are needed.",
            ),
            Trap(
                ([(1, 1, 0, 0), (0, 0, 1, 1)], [(1, 0, 1, 0), (1, 0, 0, 1)]),
                "One person comes to both of the bad parties: the sums differ.",
            ),
            Trap(
                ([(1, 0, 1, 0), (0, 1, 0, 1)], [(1, 1, 0, 0), (0, 0, 1, 1)]),
                "The sums are right, but these are exchanged: a couple makes a good party.",
            ),
        ],
    ),
}
