"""Nothing blanks a lecture: every notebook is given in a kernel, by both plans, with mistakes."""

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from coursekit import ROOT
from coursekit.lecture.deck import Slide, about, asks, questions
from coursekit.lecture.room import panel
from coursekit.lecture.slides import ROOM
from coursekit.lecture.steps import State
from coursekit.lecture.typed import edition, is_typed
from headless import Lecture, lecture, said
from ipywidgets import Box

PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
WIDGET = "application/vnd.jupyter.widget-view+json"
NOT_SEPARABLE = (
    "\nX, y = [*X, X[0]], [*y, -y[0]]\nimport numpy as np\nX, y = np.array(X), np.array(y)"
)


@pytest.fixture
def hall(tmp_path, monkeypatch) -> Path:
    """Make a folder that looks like a course, where a room can be asked."""
    (tmp_path / "course.py").touch()
    (tmp_path / "notebooks").symlink_to(ROOT / "notebooks")
    monkeypatch.setenv("HALFSPACES_ROOM", ROOM)
    monkeypatch.setenv("HALFSPACES_VOTES", str(tmp_path / "votes"))
    monkeypatch.setenv("HALFSPACES_PROGRESS", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "lib")]))
    return tmp_path


def faults(held: Lecture, slide: Slide, shown: dict[str, Any]) -> list[str]:
    """Say what a room would miss on a slide."""
    found = []
    typed = any(map(is_typed, slide.cells))
    for cell, told in held.on(slide):
        name = f"slide {slide.number}, {cell.id}"
        found += [f"{name} fails: {error}" for error in told.errors]
        waits = is_typed(cell) or (typed and told.waits)
        if shown.get(cell.id) and not told.outputs and not waits:
            found.append(f"{name} shows nothing")
        if asks(cell) and not any(WIDGET in output.get("data", {}) for output in told.outputs):
            found.append(f"{name} cannot be voted on")
    return found


def fix_at_the_end(held: Lecture, slide: Slide, shown: dict[str, Any]) -> list[str]:
    """Go back to a slide, type what belongs there, and say what is wrong then."""
    held.show(slide)
    for cell, _ in held.on(slide):
        if is_typed(cell):
            held.type(cell, cell.metadata["solution"])
    held.show(slide)
    wrong = [
        f"slide {slide.number}: {held.check(cell.id)}"
        for cell, _ in held.on(slide)
        if is_typed(cell) and not held.check(cell.id).startswith("✓")
    ]
    return wrong + faults(held, slide, shown)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_nothing_blanks_a_lecture(path, hall):
    shown = {
        cell.id: cell.outputs for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"
    }
    with lecture(edition(path), path.name, hall) as held:
        untyped(held, shown)
        held.restart()
        with_mistakes(held, shown)


def untyped(held: Lecture, shown: dict[str, Any]) -> None:
    """Give 50 minutes, nothing typed, the kernel restarted in the middle; all is as it was."""
    plan = [slide for slide in held.deck if slide.belongs(50)]
    for slide in plan:
        if slide is plan[len(plan) // 2]:
            held.restart()
        held.show(slide)
        assert not faults(held, slide, shown)
    for cell, told in zip(held.cells, held.told, strict=True):
        if told.state is State.RAN and cell.id in shown:
            assert said(told.outputs) == said(shown[cell.id]), cell.id
    assert not any(told.waits for told in held.told[: held.places[plan[-1].cells[0].id]])


def with_mistakes(held: Lecture, shown: dict[str, Any]) -> None:
    """Give 80 minutes, every typed cell wrong, points of the room that nothing separates."""
    plan = [slide for slide in held.deck if slide.belongs(80)]
    spoilt = False
    for slide in plan:
        held.show(slide)
        assert not faults(held, slide, shown)
        for cell, told in held.on(slide):
            if is_typed(cell):
                mistype(held, cell)
            elif can_be_changed(cell) and "\nX, y = " in f"\n{cell.source}":
                held.type(cell, cell.source + NOT_SEPARABLE)
            elif can_be_changed(cell) and not spoilt and told.state is State.RAN:
                spoilt = True
                held.type(cell, f"{cell.source}\nraise ValueError('as somebody wished')")
                assert told.errors == ["as somebody wished"]
        held.show(slide)
    for slide in plan:
        held.show(slide)
        if any(map(is_typed, slide.cells)):
            assert not fix_at_the_end(held, slide, shown)


def can_be_changed(cell: Any) -> bool:
    """Tell whether a room sees the code of a cell, and nobody is to type it."""
    return about(cell).get("show") != "output" and not is_typed(cell) and not asks(cell)


def mistype(held: Lecture, cell: Any) -> None:
    """Make every mistake in a typed cell, and leave it half typed."""
    heading, *body = cell.metadata["solution"].splitlines()
    held.type(cell, f"{heading}\nthis is no Python")
    assert "line 2 of the cell is not Python" in held.check(cell.id)
    held.type(cell, f"{cell.metadata['solution']}\n1 / 0")
    assert "did not run through: ZeroDivisionError" in held.check(cell.id)
    held.type(cell, heading)
    assert "is not there yet" in held.check(cell.id), "what the last run left is not judged"
    cell.source = "\n".join([heading, *body[: len(body) // 2]])  # never run


def test_a_vote_goes_on_when_the_kernel_has_begun_anew(hall):
    cells = nbformat.read(PATHS[8], 4).cells
    first, second = [question for cell in cells for question in questions(cell)][:2]
    assert not panel.goes_on(first) and not (hall / "votes").exists(), "nobody has voted here"
    room = panel.Room(first)
    room.step(panel.Stage.DISCUSSION)
    address = room.address
    try:
        begin_anew()
        assert panel.goes_on(first) and not panel.goes_on(second)
        box = Box()
        panel.offer(first, box)
        resumed = panel.hall().rooms[first.id]
        assert box.children == (resumed.panel,), "its panel is open"
        assert resumed.poll.stage == panel.Stage.DISCUSSION and resumed.address == address
        for stage in (panel.Stage.SECOND, panel.Stage.CLOSED, panel.Stage.SHOWN):
            resumed.step(stage)
        begin_anew()
        assert not panel.goes_on(first), "it is over"
    finally:
        begin_anew()


def begin_anew() -> None:
    """Forget everything, as a new kernel does."""
    for hall in panel._HALL:
        hall.stop()
        hall.store.close()
    panel._HALL.clear()
