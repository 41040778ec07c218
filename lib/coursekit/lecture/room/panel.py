"""Ask a room: students vote from their phones, alone, then again after talking to each other.

    from coursekit.lecture.room.panel import Room
    Room(question)                  # on this computer only, to try it out
    Room(question, network=True)    # for phones in the same network

The first line of the panel says who can vote. Round one's votes are not shown before round two is
over, since a room that has seen them follows the majority. Run the cell again after the kernel has
restarted, and the vote goes on where it was: same address, same votes. Votes are kept in votes/,
without names; see `store`. What the room does not stop is said in `server`.
"""

import atexit
import os
import threading
import time
from pathlib import Path
from typing import Any

import ipywidgets as ui
from halfspaces.notebook.questions import Question

from coursekit import NoCourseError, find_course

from .html import fill
from .results import address_html, results_html, standing_html
from .server import Server
from .store import Stage, Store

STEPS = {  # by the stage that they lead to
    Stage.DISCUSSION: "Close round one",
    Stage.SECOND: "Open round two",
    Stage.CLOSED: "Close round two",
    Stage.SHOWN: "Show results",
}
BUTTON = {"layout": {"width": "auto", "height": "2.6em"}, "style": {"font_size": "1.15em"}}
ROW = {"flex_flow": "row wrap"}


class Hall:
    """Hold what all questions of a kernel share: one file, one server, and the panels."""

    def __init__(self) -> None:
        self.store = Store(_folder(), _name())
        self.rooms: dict[str, Room] = {}
        self.server: Server | None = None

    def serve(self, network: bool | str | None) -> None:
        """Start the server, or start it anew where it should be reached from elsewhere."""
        network = self.store.network if network is None else network
        if self.server and network != self.store.network:
            self.stop()
        self.server = self.server or Server(self.store, network, self.tick)

    def stop(self) -> None:
        """Stop the server."""
        if self.server:
            self.server.stop()
        self.server = None

    def tick(self) -> None:
        """Let the panels follow the votes; called by the server."""
        for room in list(self.rooms.values()):
            room.refresh()


class Room:
    """Lead one question through both rounds.

    `network` is True, or the name by which phones reach this machine, or False for this computer
    only; it stays as it was if nothing is said. A question that was asked before shows how that
    went, and can be asked again.
    """

    def __init__(self, question: Question, network: bool | str | None = None, minutes: float = 2):
        self.question = question
        self.minutes = minutes
        self.lock = threading.RLock()
        self.shown: tuple[Any, ...] = ()  # what the panel says now
        self.hall = hall()
        self.hall.serve(network)
        asked = [poll for poll in self.hall.store.polls if poll.question == question]
        self.poll = asked[-1] if asked else self.hall.store.ask(question)
        self.where = ui.HTML()
        self.standing = ui.HTML()
        self.results = ui.HTMLMath()
        self.buttons = {
            stage: ui.Button(description=text, **BUTTON) for stage, text in STEPS.items()
        }
        self.again = ui.Button(description="Ask again", icon="undo", **BUTTON)
        self.wide = ui.Button(**BUTTON)
        for stage, button in self.buttons.items():
            button.on_click(lambda _, stage=stage: self.step(stage))
        self.again.on_click(lambda _: self.ask_again())
        self.wide.on_click(lambda _: self.open_to(not self.hall.store.network))
        self.panel = ui.VBox(
            [
                ui.HBox([*self.buttons.values(), self.again, self.wide], layout=ROW),
                ui.HBox([self.where, self.standing], layout=ROW | {"align_items": "center"}),
                self.results,
            ]
        )
        self.panel.add_class("room-panel")
        self.hall.rooms[question.id] = self
        self.hall.tick()

    @property
    def address(self) -> str:
        """Return what phones open, or nothing when the room is closed."""
        return self.hall.server.address if self.hall.server else ""

    @property
    def counts(self) -> list[dict[str, int]]:
        """Count the votes of both rounds."""
        return [self.poll.counts(1), self.poll.counts(2)]

    def step(self, stage: Stage) -> None:
        """Go on to the next stage; anything else, as a second click on a button, does nothing."""
        with self.lock:
            if self._now() and stage == self.poll.stage.following:
                self.hall.store.step(stage)
        self.hall.tick()

    def ask_again(self) -> None:
        """Open round one anew, with no votes."""
        self.hall.serve(None)
        self.poll = self.hall.store.ask(self.question)
        self.hall.tick()

    def open_to(self, network: bool | str) -> None:
        """Let phones in, or keep the room to this computer."""
        try:
            self.hall.serve(network)
        except OSError as error:
            self.hall.serve(False)
            self.where.value = fill("no_network.html", reason=error.strerror)
        else:
            self.hall.tick()

    def close(self) -> None:
        """Close the room: the port, not the votes, which are on disk."""
        self.hall.stop()
        self.hall.tick()

    def refresh(self) -> None:
        """Show where the question stands, if anything has changed."""
        with self.lock:
            poll = self.poll
            phones = self.hall.server.phones if self.hall.server else 0
            left = 0.0
            if poll.stage == Stage.DISCUSSION:
                left = self.minutes * 60 - (time.time() - poll.since)
            place = (poll.state, self._now(), self.address)
            counts = (phones, int(left), *map(len, poll.votes.values()))
            before = self.shown
            self.shown = (place, counts)
            if self.shown == before:
                return
            self.standing.value = standing_html(poll, self._now(), phones, left)
            if not before or place != before[0]:
                self._arrange()

    def _now(self) -> bool:
        """Say whether this is the question that phones show."""
        return self.hall.server is not None and self.hall.store.poll is self.poll

    def _arrange(self) -> None:
        """Enable the one button that leads on, and show what belongs to the stage."""
        network = self.hall.store.network
        done = self.poll.stage == Stage.SHOWN
        for stage, button in self.buttons.items():
            button.disabled = not self._now() or stage != self.poll.stage.following
            button.button_style = "" if button.disabled else "primary"
            button.layout.display = "none" if done else None  # the results need the room
        self.again.layout.display = None if done or not self._now() else "none"
        self.wide.layout.display = None if self.address and not done else "none"
        self.wide.description = "Only this computer" if network else "Let phones in"
        self.where.value = ""
        if self._now() and not done:
            self.where.value = address_html(self.address, network, self.hall.store.code)
        self.results.value = results_html(self.poll) if done else ""

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """Display the question and its panel."""
        text = ui.HTMLMath(fill("question.html", question=self.question))
        box = ui.VBox([text, self.panel])
        return box._repr_mimebundle_(**options)


_HALL: list[Hall] = []


def hall() -> Hall:
    """Return the one of this kernel."""
    if not _HALL:
        _HALL.append(Hall())
        atexit.register(_HALL[0].stop)
    return _HALL[0]


def button(question: Question) -> ui.Box:
    """Offer to ask the room, below a ballot, in a kernel whose HALFSPACES_ROOM is this module."""
    ask = ui.Button(
        description="Ask the room", icon="users", **BUTTON, tooltip="Open a vote for phones"
    )
    box = ui.VBox([ask])

    def open_room(_: Any) -> None:
        box.children = [Room(question).panel]

    ask.on_click(open_room)
    if goes_on(question):
        open_room(ask)
    return box


def goes_on(question: Question) -> bool:
    """Tell whether the room is voting on a question: the kernel or the page may have begun anew."""
    if not _HALL and not any(_folder().glob(f"{_name()}.*.jsonl")):
        return False  # and no file is made
    poll = hall().store.poll
    return poll is not None and poll.question == question and poll.stage != Stage.SHOWN


def _folder() -> Path:
    """Return where votes are kept: where we are told to, in the course, or here."""
    if "HALFSPACES_VOTES" in os.environ:
        return Path(os.environ["HALFSPACES_VOTES"])
    try:
        return find_course() / "votes"
    except NoCourseError:
        return Path("votes").absolute()


def _name() -> str:
    """Name the room after the notebook, so that it is the same one after a restart."""
    session = os.environ.get("JPY_SESSION_NAME")
    if session:
        return Path(session).stem
    from ipykernel.kernelapp import IPKernelApp

    if IPKernelApp.initialized():
        return Path(IPKernelApp.instance().connection_file).stem
    return "room"
