"""Decide what must run before a slide is shown, whatever was typed, left out, changed or failed.

`next_steps` sees all cells of a notebook, with what became of each since the kernel started, and
the places of those on the slide. It returns steps: `run` a cell as it stands, let the model's code
`stand in` for it unseen, or let it `wait` for a cell that is being typed. The browser (stage.js)
takes them one after the other and asks again, or when one has failed, until nothing is left.

- A typed cell is the lecturer's as long as its slide is shown. On later slides the model stands in,
  unless what was typed is right; the cell itself stays as it is.
- What calls a cell that is being typed, or was changed and fails, waits until that is right, or
  the slide is left.
- What fails shows its error, and the rest goes on. If something above was changed, on an earlier
  slide, by the room's wishes say, that is the suspect: the originals stand in, and it runs again.
- What a lecturer ran anew makes what depends on it run anew.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from coursekit.lecture.names import Names, links, names


class State(StrEnum):
    """What became of a cell since the kernel started."""

    NEW = "new"
    RAN = "ran"
    FAILED = "failed"
    STOOD_IN = "stood in"  # the model's code has run in its place
    LOST = "lost"  # and that failed too


DONE = (State.STOOD_IN, State.LOST)


class How(StrEnum):
    """What is to be done with a cell."""

    RUN = "run"
    STAND_IN = "stand in"
    WAIT = "wait"


@dataclass(frozen=True)
class Cell:
    """Hold a cell of a notebook and what became of it.

    `original` is its source as the course has it, if it is of the course; `typed` says that a
    lecturer types it, `right` that what stands there passes its check, `check` that it is a check.
    Of two cells that have run, the one with the larger `at` ran later.
    """

    source: str
    original: str | None = None
    code: bool = True
    typed: bool = False
    check: bool = False
    right: bool = False
    state: State = State.NEW
    at: int = 0
    by_hand: bool = False

    @property
    def model(self) -> str:
        """Return the code that can stand in for it."""
        return self.source if self.original is None else self.original

    @property
    def is_changed(self) -> bool:
        """Tell whether it is not as the course has it."""
        return self.source.strip() != self.model.strip()

    @property
    def names(self) -> Names | None:
        """Return the names that it defines and needs; of one that is typed, by the model's code."""
        if not self.code or self.check:
            return None
        return names(self.model if self.typed else self.source) or names(self.model)


@dataclass(frozen=True)
class Step:
    """Say what is to be done with the cell at a place."""

    place: int
    how: How


def next_steps(cells: Sequence[Cell], first: int, last: int) -> list[Step]:
    """Return what is to be done before the cells from first to last are shown."""
    above = links([cell.names for cell in cells])
    return [
        step
        for place, cell in enumerate(cells[: last + 1])
        if cell.code
        for step in _steps(cells, above, place, first)
    ]


def _steps(cells: Sequence[Cell], above: list[set[int]], place: int, first: int) -> Iterator[Step]:
    """Yield what is to be done with one cell."""
    cell, is_here = cells[place], place >= first
    if cell.check:
        if is_here and cell.state is State.NEW:
            yield Step(place, How.RUN)
    elif cell.typed:
        if cell.right and cell.state is State.NEW:
            yield Step(place, How.RUN)
        elif not is_here and cell.state not in DONE and not _is_settled(cell):
            yield Step(place, How.STAND_IN)
    elif is_here and any(
        other >= first and not _is_settled(cells[other]) for other in above[place]
    ):
        if cell.state in (State.NEW, State.FAILED):
            yield Step(place, How.WAIT)
    elif cell.state is State.NEW or _is_stale(cells, above, place):
        yield Step(place, How.RUN)
    elif cell.state is State.FAILED:
        yield from _mend(cells, above, place, first)


def _is_settled(cell: Cell) -> bool:
    """Tell whether others can use what a cell leaves: one that is typed must be right."""
    if cell.typed:
        return cell.right and cell.state is State.RAN
    return not (cell.is_changed and cell.state is State.FAILED)


def _is_stale(cells: Sequence[Cell], above: list[set[int]], place: int) -> bool:
    """Tell whether a cell ran before one that it depends on was run by hand."""
    cell = cells[place]
    return any(
        other.by_hand and not other.typed and other.state is State.RAN and other.at > cell.at
        for other in (cells[other] for other in above[place])
    )


def _mend(cells: Sequence[Cell], above: list[set[int]], place: int, first: int) -> Iterator[Step]:
    """Yield what may help a cell that failed; on its own slide, a changed cell keeps its error."""
    is_here = place >= first
    suspects = {
        other
        for other in above[place]
        if cells[other].is_changed
        and cells[other].state is State.RAN
        and (other < first or not is_here)
    }
    if suspects:
        for other in range(min(suspects), place):
            if cells[other].code and (other in suspects or above[other] & suspects):
                yield Step(other, How.STAND_IN)
    if not is_here:
        yield Step(place, How.STAND_IN)
    elif suspects:
        yield Step(place, How.RUN)


def read_cells(told: Any, originals: dict[str, str]) -> list[Cell]:
    """Return the cells that a browser tells of, each a dictionary; originals are found by id."""
    return [
        Cell(
            source=cell["source"],
            original=cell.get("solution") or originals.get(cell["id"]),
            code=cell["code"],
            typed="solution" in cell,
            check=cell["check"],
            right=cell["right"],
            state=State(cell["state"]),
            at=cell["at"],
            by_hand=cell["by_hand"],
        )
        for cell in told
    ]
