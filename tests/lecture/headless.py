"""Give a lecture without a browser: the steps that stage.js takes, taken in a kernel from here."""

import gc
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from coursekit.lecture.deck import Slide, slides
from coursekit.lecture.extension import originals
from coursekit.lecture.steps import How, State, next_steps, read_cells
from coursekit.lecture.typed import check_id, is_typed
from jupyter_client.manager import KernelManager

SECONDS = 300  # for one cell, on a machine that has much else to do


@dataclass
class Told:
    """Hold what became of a cell, as a widget of the page does."""

    state: State = State.NEW
    at: int = 0
    by_hand: bool = False
    outputs: list[Any] = field(default_factory=list)
    waits: bool = False

    @property
    def errors(self) -> list[str]:
        return [output["evalue"] for output in self.outputs if output["output_type"] == "error"]

    @property
    def text(self) -> str:
        return "".join(
            output.get("text") or output.get("data", {}).get("text/plain", "")
            for output in self.outputs
        )


class Lecture:
    """Show the slides of an edition in a kernel."""

    def __init__(self, book: Any, name: str, manager: KernelManager):
        self.cells = book.cells
        self.name = name
        self.places = {cell.id: place for place, cell in enumerate(book.cells)}
        self.deck = slides(book)
        self.manager = manager
        self.client = manager.client()
        self.client.start_channels()
        self.right: dict[str, str] = {}
        self.runs = 0
        self.begin()

    def begin(self) -> None:
        """Begin with a kernel that knows nothing."""
        self.client.wait_for_ready(SECONDS)
        self.told = [Told() for _ in self.cells]
        code = f"from coursekit.lecture.stage import begin as _begin; _begin({[*self.places]})"
        assert self.execute(code)[0] == "ok"

    def restart(self) -> None:
        """Lose everything in the kernel."""
        self.manager.restart_kernel(now=True)
        self.begin()

    def slide(self, number: int) -> Slide:
        return self.deck[number - 1]

    def on(self, slide: Slide) -> Iterator[tuple[Any, Told]]:
        """Yield the code cells of a slide and what became of them."""
        for cell in slide.cells:
            if cell.cell_type == "code":
                yield cell, self.told[self.places[cell.id]]

    def show(self, slide: Slide) -> None:
        """Bring what a slide needs."""
        first = self.places[slide.cells[0].id]
        last = self.places[slide.cells[-1].id]
        for _ in range(2 * len(self.cells)):
            cells = read_cells(map(self.describe, self.cells), originals(self.name))
            steps = next_steps(cells, first, last)
            for step in steps:
                told = self.told[step.place]
                told.waits = step.how is How.WAIT
                if step.how is How.WAIT:
                    told.outputs = []
                elif not self.take(step.place, step.how, cells[step.place].model):
                    break
            if all(step.how is How.WAIT for step in steps):
                self.call("show", self.cells[last].id)
                return
        raise AssertionError("the steps of a slide do not end")

    def describe(self, cell: Any) -> dict[str, Any]:
        told = self.told[self.places[cell.id]]
        solution = cell.metadata.get("solution")
        return {
            "id": cell.id,
            "source": cell.source,
            "code": cell.cell_type == "code",
            "check": "checks" in cell.metadata,
            "right": solution is not None
            and cell.source.strip() in (solution.strip(), self.right.get(cell.id)),
            "state": str(told.state),
            "at": told.at,
            "by_hand": told.by_hand,
        } | ({} if solution is None else {"solution": solution})

    def take(self, place: int, how: How, model: str) -> bool:
        """Take a step, and say whether it went well."""
        cell = self.cells[place]
        if how is How.STAND_IN:
            status = self.call("stand_in", cell.id, model)
            self.mark(place, State.STOOD_IN if status == "ok" else State.LOST)
            return status == "ok"
        return self.run(place, by_hand=False)

    def run(self, place: int, by_hand: bool = True) -> bool:
        """Run a cell as it stands; one that is typed is checked."""
        cell = self.cells[place]
        status, self.told[place].outputs = self.execute(cell.source, cell.id)
        self.mark(place, State.RAN if status == "ok" else State.FAILED, by_hand)
        if by_hand and is_typed(cell):
            below = self.places[check_id(cell.id)]
            self.run(below, by_hand=False)
            if self.told[below].text.startswith("✓"):
                self.right[cell.id] = cell.source.strip()
            else:
                self.right.pop(cell.id, None)
        return status == "ok"

    def type(self, cell: Any, source: str) -> None:
        """Put something into a cell and run it, then let the slide follow, as the page does."""
        cell.source = source
        self.run(self.places[cell.id])
        self.show(next(slide for slide in self.deck if cell in slide.cells))

    def check(self, cell_id: str) -> str:
        """Return what the check below a typed cell says."""
        return self.told[self.places[check_id(cell_id)]].text

    def mark(self, place: int, state: State, by_hand: bool = False) -> None:
        self.runs += 1
        self.told[place].state, self.told[place].at = state, self.runs
        self.told[place].by_hand = by_hand

    def call(self, method: str, *texts: str) -> str:
        """Call a method of the stage in the kernel, and return how it ended."""
        told = ", ".join(map(repr, texts))
        return self.execute(
            f"from coursekit.lecture.stage import stage as _stage; _stage().{method}({told})"
        )[0]

    def execute(self, code: str, cell_id: str = "") -> tuple[str, list[Any]]:
        """Run code, silently unless it is a cell's; return how it ended and what it shows."""
        content = {"code": code, "silent": not cell_id, "store_history": bool(cell_id)}
        content |= {"user_expressions": {}, "allow_stdin": False, "stop_on_error": False}
        message = self.client.session.msg("execute_request", content)
        message["metadata"] = {"cellId": cell_id} if cell_id else {}
        self.client.shell_channel.send(message)
        outputs = []
        while True:
            found = self.client.get_iopub_msg(timeout=SECONDS)
            if found["parent_header"].get("msg_id") != message["header"]["msg_id"]:
                continue
            kind, told = found["msg_type"], found["content"]
            if kind == "status" and told["execution_state"] == "idle":
                break
            if kind in ("stream", "execute_result", "display_data", "error"):
                outputs.append({"output_type": kind, **told})
        while True:
            reply = self.client.get_shell_msg(timeout=SECONDS)
            if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                return reply["content"]["status"], outputs


def said(outputs: list[Any]) -> list[str]:
    """Return the text of outputs, streams joined."""
    text = "".join(
        "".join(output["text"]) for output in outputs if output["output_type"] == "stream"
    )
    shown = [output["data"] for output in outputs if "text/plain" in output.get("data", {})]
    return [text, *("".join(data["text/plain"]) for data in shown)]


@contextmanager
def lecture(book: Any, name: str, folder: Path) -> Iterator[Lecture]:
    """Give a lecture in a kernel of its own, in a folder."""
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(cwd=str(folder))
    try:
        held = Lecture(book, name, manager)
        try:
            yield held
        finally:
            held.client.stop_channels()
    finally:
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()
        del manager
        with warnings.catch_warnings():  # jupyter_client leaves sockets to the garbage collector
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()
