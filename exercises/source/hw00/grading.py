"""What the answers of the trial homework are tried on."""

import math
from fractions import Fraction

from coursekit.homework.grading.drawing import inner, once
from coursekit.homework.grading.judging import plain
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
    values = plain(got)
    if not isinstance(values, list) or len(values) != 2:
        return None
    return values if all(type(v) in (int, float, Fraction) for v in values) else None


def is_point(got, want, args, given):
    return coordinates(got) is not None


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
            Behaviour("has two coordinates", 1, once, is_point),
            Behaviour("lies on your line", 1, once, is_on_line),
        ],
    ),
]
