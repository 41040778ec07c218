"""The exercises of the notebooks refuse what is tempting and wrong, each time with its reason."""

import importlib
import pkgutil

import pytest
from coursekit.contents import NOTEBOOKS
from halfspaces.notebook import models
from halfspaces.notebook.exercises import check, check_exercise, find_exercise
from notebook_rules import Book, calls

FEWEST_TRAPS = 2
NUMBERS = [
    number
    for module in pkgutil.iter_modules(models.__path__)
    for number in importlib.import_module(f"{models.__name__}.{module.name}").EXERCISES
]


@pytest.mark.parametrize("number", NUMBERS)
def test_traps_are_refused_with_their_sentence(number):
    traps = find_exercise(number).traps
    assert len(traps) >= FEWEST_TRAPS
    assert len({trap.reason for trap in traps}) == len(traps), "each has a reason of its own"
    for trap in traps:
        said = check_exercise(number, trap.answer)
        assert said.rung != "correct" and said.message.endswith(trap.reason), said


@pytest.mark.parametrize("number", NUMBERS)
def test_what_is_expected_is_accepted(number):
    exercise = find_exercise(number)
    if exercise.same is not None:
        return  # what the judge needs to know may be no answer; solutions are tried elsewhere
    if exercise.inputs is None:
        assert check(exercise.expected, exercise.expected).rung == "correct"
    elif callable(exercise.expected):
        assert check_exercise(number, exercise.expected).rung == "correct"


def test_every_exercise_is_asked_in_the_notebook_of_its_number():
    asked = [
        call.args[0].value
        for path in sorted(NOTEBOOKS.glob("*.ipynb"))
        for cell in Book(path).code
        for call in calls(cell, "check_exercise")
    ]
    assert sorted(asked) == sorted(NUMBERS)
