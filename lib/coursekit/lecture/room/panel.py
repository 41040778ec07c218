"""Ask a room: students vote from their phones, alone, then again after talking to each other.

    from coursekit.lecture.room.panel import Room
    Room(question)                  # on this computer only, to try it out
    Room(question, network=True)    # for phones in the same network

Before phones are let in, the panel says what to press, and shows no address. Round one's votes are
not shown before round two is over or skipped, since a room that has seen them follows the majority;
the lecturer's own window has them (`desk`). Run the cell again after the kernel has
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
from halfspaces.notebook.questions import Predict

from coursekit import NoCourseError, find_course

from . import follow
from .html import fill
from .results import address_html, chart, results_html, sentences_html, standing_html
from .server import Server
from .store import Asked, Stage, Store, recent_file

STEPS = {  # by the stage that they lead to
    Stage.DISCUSSION: "Close round one",
    Stage.SECOND: "Open round two",
    Stage.CLOSED: "Close round two",
    Stage.SHOWN: "Show results",
}
STEPS_OF_NUMBERS = {Stage.CLOSED: "Close", Stage.SHOWN: "Show the numbers"}
SKIP = "Skip round two, show results"
BUTTON = {"layout": {"width": "auto", "height": "2.6em"}, "style": {"font_size": "1.15em"}}
ROW = {"flex_flow": "row wrap"}
ASIDE = {"flex": "0 0 36%", "max_width": "36%"}  # where the QR code is


class Hall:
    """Hold what all questions of a kernel share: one file, one server, and the panels."""

    def __init__(self) -> None:
        self.store = Store(_folder(), _name())
        self.rooms: dict[str, Room] = {}
        self.server: Server | None = None
        follow.STORES[:] = [self.store]
        follow.deliver()
        if self.store.network and self.store.followed:
            self.serve(None)  # a kernel that has begun anew: phones have the page open

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

    def open_to(self, network: bool | str) -> str:
        """Let phones in, or keep the room to this computer; say what stands against it."""
        try:
            self.serve(network)
        except OSError as error:
            self.serve(False)
            return error.strerror
        return ""

    def let_follow(self, wanted: bool) -> None:
        """Let phones follow the slides, or no longer."""
        self.store.follow(wanted)
        follow.deliver()
        self.tick()

    def tick(self) -> None:
        """Let the panels follow the votes; called by the server."""
        for room in list(self.rooms.values()):
            room.refresh()


class Room:
    """Lead one question through both rounds, or collect the numbers of one that asks for a number.

    `network` is True, or the name by which phones reach this machine, or False for this computer
    only; it stays as it was if nothing is said. A question that was asked before shows how that
    went, and can be asked again.
    """

    def __init__(self, question: Asked, network: bool | str | None = None, minutes: float = 2):
        self.question = question
        self.minutes = minutes
        self.lock = threading.RLock()
        self.shown: tuple[Any, ...] = ()  # what the panel says now
        self.hall = hall()
        self.hall.serve(network)
        asked = [poll for poll in self.hall.store.polls if poll.question == question]
        self.poll = asked[-1] if asked else self.hall.store.ask(question)
        self.text = ui.HTMLMath(fill("question.html", question=question))
        self.where = ui.HTML()
        self.aside = ui.HTML(layout=ASIDE)
        self.standing = ui.HTML()
        self.results = ui.HTMLMath()
        self.sentences = ui.HTML()
        steps = STEPS_OF_NUMBERS if self.poll.asks_number else STEPS
        self.buttons = {
            stage: ui.Button(description=text, **BUTTON) for stage, text in steps.items()
        }
        self.wide = ui.Button(**BUTTON)
        self.again = ui.Button(description="Ask again", icon="undo", **BUTTON)
        self.why = ui.Button(**BUTTON)
        self.follow = ui.Button(**BUTTON)
        self.desk = ui.HTML()
        for stage, button in self.buttons.items():
            button.on_click(lambda _, stage=stage: self.step(stage))
        self.again.on_click(lambda _: self.ask_again())
        self.wide.on_click(lambda _: self.open_to(not self.hall.store.network))
        self.why.on_click(lambda _: self.ask_why())
        self.follow.on_click(lambda _: self.let_follow())
        leading = [self.wide, *self.buttons.values(), self.why, self.again]
        tools = [*leading, self.follow, self.desk]
        left = ui.VBox(
            [self.text, self.where, self.standing, self.sentences], layout={"flex": "1 1 0%"}
        )
        self.panel = ui.VBox(
            [
                ui.HBox(tools, layout=ROW | {"align_items": "center"}),
                ui.HBox([left, self.aside], layout={"align_items": "flex-start"}),
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
            if self._now() and stage in self.poll.following:
                self.hall.store.step(stage)
        self.hall.tick()

    def ask_again(self) -> None:
        """Open round one anew, with no votes."""
        self.hall.serve(None)
        self.poll = self.hall.store.ask(self.question)
        self.hall.tick()

    def ask_why(self) -> None:
        """Ask phones for one sentence, or no longer."""
        if self._now():
            self.hall.store.ask_why(not self.poll.why)
        self.hall.tick()

    def let_follow(self) -> None:
        """Let phones follow the slides, or no longer."""
        self.hall.let_follow(not self.hall.store.followed)

    def open_to(self, network: bool | str) -> None:
        """Let phones in, or keep the room to this computer."""
        reason = self.hall.open_to(network)
        if reason:
            self.where.value = fill("no_network.html", reason=reason)
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
            truth = (poll.truth, poll.bound)
            place = (
                self.hall.store.followed,
                poll.state,
                self._now(),
                self.address,
                poll.why,
                *truth,
                *poll.chosen,
            )
            counts = (phones, int(left), len(poll.sentences), *map(len, poll.votes.values()))
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
        """Enable the buttons that lead on, and show what belongs to the stage."""
        network = self.hall.store.network
        poll, now = self.poll, self._now()
        done = poll.stage == Stage.SHOWN
        for stage, button in self.buttons.items():
            button.disabled = not now or stage not in poll.following
            usual = not button.disabled and stage == poll.following[0]
            button.button_style = "primary" if usual and network else ""
            button.layout.display = "none" if done else None  # the results need the room
        skips = poll.stage == Stage.DISCUSSION
        texts = STEPS_OF_NUMBERS if poll.asks_number else STEPS
        self.buttons[Stage.SHOWN].description = SKIP if skips else texts[Stage.SHOWN]
        self.again.layout.display = None if done or not now else "none"
        self.why.layout.display = None if now and not poll.round else "none"
        self.why.description = "Stop asking why" if poll.why else "Ask why"
        self.wide.layout.display = None if self.address and not done else "none"
        self.wide.description = "Only this computer" if network else "Let phones in"
        self.wide.button_style = "" if network else "primary"
        self.follow.layout.display = None if now and network else "none"
        followed = self.hall.store.followed
        self.follow.description = "Slides off phones" if followed else "Slides on phones"
        self.desk.value = fill("desk_link.html", address=self.hall.server.desk) if now else ""
        where = ""
        if now and (poll.round or not network):  # while neighbours talk, the question has the room
            where = address_html(self.address, network, self.hall.store.code)
        self.aside.value = where if network else ""
        self.aside.layout.display = None if self.aside.value else "none"
        self.where.value = "" if network else where
        self.text.layout.display = "none" if done and not poll.asks_number else None
        self.sentences.value = sentences_html(poll)
        self.results.value = results_html(poll) if done else ""

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """Display the panel, which has the question."""
        return self.panel._repr_mimebundle_(**options)


_HALL: list[Hall] = []


def hall() -> Hall:
    """Return the one of this kernel."""
    if not _HALL:
        _HALL.append(Hall())
        atexit.register(_HALL[0].stop)
    return _HALL[0]


def offer(question: Asked, box: ui.Box) -> None:
    """Offer to ask the room, below a ballot, in a kernel whose HALFSPACES_ROOM is this module.

    The panel takes the place of the ballot: it has the question, too, and needs the slide.
    """
    ask = ui.Button(
        description="Ask the room", icon="users", **BUTTON, tooltip="Open a vote for phones"
    )
    box.children += (ask,)

    def open_room(_: Any) -> None:
        box.children = [Room(question).panel]

    ask.on_click(open_room)
    if goes_on(question):
        open_room(ask)


def reveal(question: Predict, truth: str, bound: str) -> str:
    """Return the room's numbers beside the truth, as HTML; its round is over, if it was not."""
    asked = [poll for poll in _HALL[0].store.polls if poll.question == question] if _HALL else []
    if not asked:
        return ""
    poll = asked[-1]
    store = _HALL[0].store
    if poll.round and poll is store.poll:
        store.step(Stage.CLOSED)
    store.reveal(poll, truth, bound)
    _HALL[0].tick()
    return chart(poll)


def resume() -> None:
    """Take up the lecture that a kernel was giving before it began anew: phones may follow it."""
    if recent_file(_folder(), _name()):
        hall()


def goes_on(question: Asked) -> bool:
    """Tell whether the room is voting on a question: the kernel or the page may have begun anew."""
    if not _HALL and not recent_file(_folder(), _name()):
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
