"""Before a slide is shown it is decided what runs, what waits, and where the model stands in."""

from dataclasses import replace

import pytest
from coursekit.lecture.steps import Cell, How, State, Step, next_steps, read_cells

RUN, STAND_IN, WAIT = How.RUN, How.STAND_IN, How.WAIT
GIVEN = Cell("X = [1, 2]", "X = [1, 2]", state=State.RAN)
TYPED = Cell("# Sum", "# Sum\ntotal = sum(X)", typed=True)
CHECK = Cell("check()", check=True, state=State.RAN)
USES = Cell("print(total)", "print(total)")
OTHER = Cell("print(X)", "print(X)")
TEXT = Cell("# total", code=False)
BOOK = [GIVEN, TYPED, CHECK, USES, OTHER, TEXT]
RIGHT = replace(TYPED, source="# Sum\ntotal = X[0] + X[1]", right=True, state=State.RAN)
ROOM = replace(GIVEN, source="X = []", by_hand=True, at=1)


def steps(cells, first, last):
    return [(step.place, step.how) for step in next_steps(cells, first, last)]


def test_what_uses_a_typed_cell_waits_while_it_is_being_typed():
    assert steps(BOOK, 1, 5) == [(3, WAIT), (4, RUN)]
    wrong = replace(TYPED, source="# Sum\ntotal = 0", state=State.RAN)
    assert steps([GIVEN, wrong, CHECK, USES, OTHER], 1, 4) == [(3, WAIT), (4, RUN)]
    assert steps([GIVEN, RIGHT, CHECK, USES, OTHER], 1, 4) == [(3, RUN), (4, RUN)]


@pytest.mark.parametrize("state", [State.NEW, State.RAN, State.FAILED])
@pytest.mark.parametrize("source", ["# Sum", "# Sum\ntotal = 0", "# Sum\ntotal ="])
def test_the_model_stands_in_where_a_slide_was_left(source, state):
    left = replace(TYPED, source=source, state=state)
    assert steps([GIVEN, left, CHECK, USES, OTHER], 4, 4) == [(1, STAND_IN), (3, RUN), (4, RUN)]


def test_the_model_stands_in_once_and_for_nothing_that_is_right():
    for cell in (replace(TYPED, state=State.STOOD_IN), replace(TYPED, state=State.LOST), RIGHT):
        assert steps([GIVEN, cell, CHECK, replace(USES, state=State.RAN), OTHER], 4, 4) == [
            (4, RUN)
        ]


def test_after_a_restart_what_was_typed_right_runs_again():
    cells = [replace(GIVEN, state=State.NEW), replace(RIGHT, state=State.NEW), CHECK, USES]
    assert steps(cells, 3, 3) == [(0, RUN), (1, RUN), (3, RUN)]
    half = replace(TYPED, source="# Sum\nwhile True:")
    assert steps([GIVEN, half, CHECK, USES], 3, 3) == [(1, STAND_IN), (3, RUN)]


def test_after_a_failure_the_rest_goes_on():
    failed = replace(OTHER, state=State.FAILED)
    assert steps([GIVEN, failed, USES, OTHER], 1, 3) == [(2, RUN), (3, RUN)]


def test_a_changed_cell_that_fails_keeps_its_error_until_its_slide_is_left():
    cells = [replace(ROOM, state=State.FAILED), OTHER, OTHER]
    assert steps(cells, 0, 1) == [(1, WAIT)]
    assert steps(cells, 2, 2) == [(0, STAND_IN), (1, RUN), (2, RUN)]


def test_the_originals_stand_in_for_what_the_room_wished_if_a_later_slide_fails():
    middle = Cell("first = X", "first = X", state=State.RAN, at=2)
    last = Cell("first[0]", "first[0]", state=State.FAILED, at=3)
    cells = [ROOM, middle, CHECK, last, OTHER]
    assert steps(cells, 1, 3) == [(0, STAND_IN), (1, STAND_IN), (3, RUN)]
    assert steps(cells, 4, 4) == [(0, STAND_IN), (1, STAND_IN), (3, STAND_IN), (4, RUN)]
    assert steps(cells, 0, 3) == [], "the error is on the slide where the fault was made"
    stood = [replace(cell, state=State.STOOD_IN) for cell in (ROOM, middle)]
    assert steps([*stood, CHECK, last, OTHER], 1, 3) == [], "once, and no more"


def test_what_depends_on_a_cell_run_by_hand_runs_again():
    before = replace(OTHER, state=State.RAN)
    assert steps([ROOM, before, replace(before, at=2)], 0, 2) == [(1, RUN)]
    assert steps([replace(ROOM, by_hand=False), before], 0, 1) == []


def test_steps_follow_one_another_to_an_end():
    cells = [replace(cell, state=State.NEW) for cell in BOOK]
    for _ in range(20):
        taken = next_steps(cells, 5, 5)
        if not taken:
            break
        for step in taken:  # every run fails, and every stand-in too
            state = State.LOST if step.how is STAND_IN else State.FAILED
            cells[step.place] = replace(cells[step.place], state=state)
    assert not taken


def test_what_a_browser_tells_is_read():
    told = {"id": "sum", "source": "# Sum", "code": True, "check": False, "right": False}
    told |= {"state": "new", "at": 0, "by_hand": False}
    (given,) = read_cells([told], {"sum": "# Sum\ntotal = 3"})
    assert given.model == "# Sum\ntotal = 3" and not given.typed
    (typed,) = read_cells([told | {"solution": "# Sum\ntotal = 4"}], {})
    assert typed.model == "# Sum\ntotal = 4" and typed.typed
    assert read_cells([told], {})[0].model == "# Sum", "a notebook that is none of the course"
    with pytest.raises(ValueError, match="odd"):
        read_cells([told | {"state": "odd"}], {})
    assert next_steps([given], 1, 0) == [Step(0, RUN)]
