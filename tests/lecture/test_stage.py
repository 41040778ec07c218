"""In a lecture a cell finds what the cells above it have left, in whatever order they ran."""

from types import SimpleNamespace
from typing import Any

import pytest
from coursekit.lecture.extension import originals
from coursekit.lecture.stage import Stage


@pytest.fixture
def held() -> Stage:
    """Make a stage of three cells."""
    stage = Stage({"__name__": "__main__", "kept": 1})
    stage.order = ["data", "model", "digits"]
    return stage


def run(stage: Stage, cell: str, source: str) -> None:
    """Run a cell as IPython does."""
    info = SimpleNamespace(cell_id=cell, raw_cell=source)
    error = None
    stage.enter_cell(info)
    try:
        exec(source, stage.names)
    except Exception as raised:
        error = raised
    stage.leave_cell(SimpleNamespace(info=info, error_before_exec=None, error_in_exec=error))


def of(stage: Stage, *names: str) -> list[Any]:
    return [stage.names.get(name) for name in names]


def test_going_back_finds_what_was_there_and_going_on_is_not_spoilt(held):
    run(held, "data", "X = 2; y = 3")
    run(held, "model", "w = X * y")
    run(held, "digits", "X = 64")
    run(held, "model", "w = X + y")
    assert of(held, "X", "w") == [2, 5], "not the X that comes later"
    run(held, "digits", "seen = X, w; X = 64")
    assert of(held, "seen", "X") == [(2, 5), 64]
    held.show("data")
    assert of(held, "X", "y", "w", "seen", "kept") == [2, 3, None, None, 1]


def test_the_model_stands_in_unseen_and_what_was_typed_is_kept_apart(held, capsys):
    run(held, "data", "X = 2")
    run(held, "model", "w = 'typed'")
    held.stand_in("model", "print('model'); w = X")
    assert capsys.readouterr().out == "" and held.names["w"] == 2
    assert held.runs["model"].left == {"w": "typed"}
    run(held, "model", "v = 3")
    assert of(held, "w", "v") == [None, 3], "what the model left is gone"


def test_a_failure_is_known_and_what_it_left_is_there(held):
    run(held, "data", "X = 2\n1 / 0")
    assert isinstance(held.runs["data"].error, ZeroDivisionError) and held.names["X"] == 2
    with pytest.raises(ZeroDivisionError):
        held.stand_in("model", "1 / 0")


def test_a_cell_that_is_new_to_the_notebook_adds_to_the_one_before_it(held):
    run(held, "data", "X = 2")
    run(held, "of the lecturer", "extra = X + 1")
    run(held, "model", "w = extra")
    assert held.names["w"] == 3


def test_originals_are_those_of_the_notebook_that_was_copied():
    found = originals("live/05-mistake-bound-2.ipynb")
    assert found == originals("05-mistake-bound.ipynb") and "books" in found
    assert originals("of-my-own.ipynb") == {}
