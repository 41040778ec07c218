"""What the answers of the trial homework are tried on."""

import math
from fractions import Fraction

from coursekit.homework.grading.drawing import inner, once
from coursekit.homework.grading.judging import is_exact_list
from coursekit.homework.grading.marking import Behaviour, Question


def draw_labels(rng):
    """Draw pairs of equally long lists of labels, with at least one mistake among them."""
    cases = []
    for n in (1, 4, 9):
        y = rng.choice([-1, 1], n).tolist()
        wrong = rng.permutation([True] + rng.choice([False, True], n - 1).tolist())
        cases.append((y, [-v if flip else v for v, flip in zip(y, wrong)]))
    return cases


def coordinates(got):
    """Return the two coordinates of a point, or nothing."""
    if not isinstance(got, list) or len(got) != 2:
        return None
    return got if all(type(v) in (int, float, Fraction) for v in got) else None


def is_exactly_on_line(got, want, args, given):
    return is_exact_list(got, 2) and inner(given["w"], got) == given["b"]


def is_on_line(got, want, args, given):
    x = coordinates(got)
    if x is None or any(abs(v) > 1e9 for v in x):
        return False
    return math.isclose(inner(given["w"], x), given["b"], rel_tol=1e-9)


QUESTIONS = [
    Question(
        "q1",
        function="count_mistakes",
        points=2,
        behaviours=[
            Behaviour("counts the labels that differ", 1, draw_labels),
            Behaviour(
                "finds no mistake where there is none",
                1,
                lambda rng: [([], []), ([1, -1], [1, -1])],
            ),
        ],
    ),
    Question(
        "q2",
        function="my_point",
        points=2,
        behaviours=[
            Behaviour("lies on your line, up to rounding", 1, once, is_on_line),
            Behaviour("lies on it exactly", 1, once, is_exactly_on_line),
        ],
    ),
]
