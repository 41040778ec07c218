"""In the kernel of a lecture: every cell finds the names that the cells above it have left.

Lecturers go back, type what they had left out, change points and run again; the model's code runs
in place of what was not typed. So that nothing of this spoils what comes later, what each cell
leaves behind is kept apart, and before a cell runs its namespace is put together from those above
it, in the order of the notebook. What is changed in place, as by `append`, stays changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.utils.capture import capture_output

NOTHING = object()


@dataclass(frozen=True)
class Run:
    """Hold how the last run of a cell ended, and the names that it left."""

    source: str
    error: BaseException | None
    left: dict[str, Any]


class Stage:
    """Hold what each cell has left in a namespace."""

    def __init__(self, names: dict[str, Any]):
        self.names = names
        self.order: list[str] = []
        self.left: dict[str, dict[str, Any]] = {}
        self.runs: dict[str, Run] = {}  # of cells as they stood, no model's code among them
        self.at = ""  # the cell that runs, or ran last
        self.before = dict(names)

    def above(self, cell: str) -> dict[str, Any]:
        """Return what the cells above one have left."""
        found: dict[str, Any] = {}
        for other in self.order[: self.order.index(cell)]:
            found |= self.left.get(other, {})
        return found

    def enter(self, cell: str) -> None:
        """Put together what a cell finds; what no cell has left is not touched."""
        if cell in self.order:
            self._put(self.above(cell))
            self.at = cell
        self.before = dict(self.names)

    def show(self, cell: str) -> None:
        """Put together what stands below a cell: what is drawn there may look for its names."""
        self._put(self.above(cell) | self.left.get(cell, {}))

    def _put(self, found: dict[str, Any]) -> None:
        for name in set().union(*self.left.values()) - found.keys():
            self.names.pop(name, None)
        self.names.update(found)

    def leave(self) -> dict[str, Any]:
        """Return what the cell has left: names that are new, or something else than before."""
        return {
            name: value
            for name, value in self.names.items()
            if not name.startswith("_") and self.before.get(name, NOTHING) is not value
        }

    def stand_in(self, cell: str, source: str) -> None:
        """Run the model's code in place of a cell, unseen."""
        self.enter(cell)
        with capture_output():
            exec(compile(source, f"<model of {cell}>", "exec"), self.names)
        self.left[cell] = self.leave()

    def enter_cell(self, info: Any) -> None:
        """Follow IPython, which is about to run a cell."""
        self.enter(info.cell_id)

    def leave_cell(self, result: Any) -> None:
        """Follow IPython, which has run a cell."""
        left = self.leave()
        if result.info.cell_id in self.order:
            self.left[result.info.cell_id] = left
            error = result.error_before_exec or result.error_in_exec
            self.runs[result.info.cell_id] = Run(result.info.raw_cell, error, left)
        else:  # a cell that is new to the notebook adds to the one that ran before it
            self.left.setdefault(self.at, {}).update(left)


_STAGE: list[Stage] = []


def stage() -> Stage | None:
    """Return the one of this kernel, if a lecture is given in it."""
    return _STAGE[0] if _STAGE else None


def begin(order: Sequence[str]) -> Stage:
    """Follow the cells of a notebook, given by their ids in order."""
    if not _STAGE:
        shell = get_ipython()
        _STAGE.append(Stage(shell.user_ns))
        shell.events.register("pre_run_cell", _STAGE[0].enter_cell)
        shell.events.register("post_run_cell", _STAGE[0].leave_cell)
    _STAGE[0].order = list(order)
    return _STAGE[0]
