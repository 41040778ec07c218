"""Read a notebook as a deck: its slides, and the lecturer's notes on them."""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from halfspaces.notebook import reading
from halfspaces.notebook.questions import Predict, Question

LENGTHS = (50, 80)  # minutes of a lecture
NOTES = ("say", "board", "expect")
KEYS = {
    "slide_type",
    "show",
    "title",
    "minutes",
    "skip",
    "late",
    *NOTES,
}  # of the metadata "slideshow"
THINGS = "cell|code|point|picture|figure|plot|table|list|slider|button|question|function|check"
DONE = "see|shown|seen|drawn|defined|given|written|stated|printed|computed|run"
POINTS = re.compile(  # at what stands elsewhere in a notebook, and nowhere on a slide
    rf"\b(?:(?:this|next|previous|following) cells?|(?:{THINGS})s? (?:below|above)"
    rf"|(?:{DONE}) (?:below|above))\b",
    re.IGNORECASE,
)
ALONE = re.compile(
    r"<details|^#+ (?:Solution|Hint)", re.MULTILINE
)  # for those who read by themselves
CHECKS = ("check_exercise", "review", "show_map")  # what they work with
TITLE = re.compile(r"^#+ (.+)$|^> \*\*(.+?)\*\*|^\*\*(.+?)\*\*", re.MULTILINE)
SECTION = re.compile(r"^##? (.+)$", re.MULTILINE)


class SlideType(StrEnum):
    """Say what a cell does to the slides; one that says nothing continues the slide before it."""

    SLIDE = "slide"
    SUBSLIDE = "subslide"
    FRAGMENT = "fragment"  # comes with a key of its own
    SKIP = "skip"


BEGIN = {SlideType.SLIDE, SlideType.SUBSLIDE}


def group(types: Sequence[str | None]) -> list[list[int]]:
    """Group cells, given by their types and named by their places, into slides.

    >>> group([None, "fragment", "skip", "slide", None, "subslide"])
    [[0, 1], [3, 4], [5]]
    """
    slides: list[list[int]] = []
    for place, kind in enumerate(types):
        if kind == SlideType.SKIP:
            continue
        if not slides or kind in BEGIN:
            slides.append([])
        slides[-1].append(place)
    return slides


@dataclass(frozen=True)
class Slide:
    """Hold the cells of one slide; its notes stand in the first."""

    number: int
    cells: tuple[Any, ...]
    section: str = ""  # the last heading before it

    def note(self, name: str) -> Any:
        """Return a note, or nothing."""
        return about(self.cells[0]).get(name)

    @property
    def minutes(self) -> float:
        """Return the time it takes."""
        return self.note("minutes") or 0

    def belongs(self, length: int) -> bool:
        """Tell whether it is shown in a lecture of so many minutes."""
        return int(self.note("skip") or 0) < length

    def goes_when_late(self, length: int) -> bool:
        """Tell whether it is dropped first: what a shorter lecture lacks too, or what says so."""
        return bool(self.note("late")) or not all(
            map(self.belongs, LENGTHS[: LENGTHS.index(length)])
        )

    @property
    def heading(self) -> str:
        """Return the heading that is seen on it, or nothing."""
        text = "\n".join(cell.source for cell in self.cells if cell.cell_type == "markdown")
        found = TITLE.search(text)
        return next(filter(None, found.groups())).rstrip(".: ,") if found else ""

    @property
    def title(self) -> str:
        """Return its heading, or that of its section and what it adds to it."""
        if self.note("title") or self.heading:
            return self.note("title") or self.heading
        if self.votes:
            return f"{self.section} · question"
        code = [cell.source for cell in self.cells if cell.cell_type == "code"]
        comment = re.match(r"# (.+)", code[0]) if code else None
        return comment[1] if comment else f"{self.section} · picture"

    @property
    def questions(self) -> list[Question]:
        """Return the questions on it."""
        return [question for cell in self.cells for question in questions(cell)]

    @property
    def votes(self) -> bool:
        """Tell whether the room can vote on it."""
        return any(asks(cell) or predicts(cell) for cell in self.cells)

    @property
    def words(self) -> str:
        """Return what the room is first told on it, below its title: a question, or a paragraph."""
        if self.questions:
            return self.questions[0].text
        texts = [cell.source for cell in self.cells if cell.cell_type == "markdown"]
        for paragraph in re.split(r"\n\s*\n", "\n\n".join(texts)):
            plain = re.sub(r"^(> ?|[-*] )", "", unlinked(paragraph), flags=re.MULTILINE)
            told = (
                plain.removeprefix(f"**{self.title}.**").removeprefix(f"**{self.title}**").strip()
            )
            if told and told[0] not in "#<|!":
                return told
        return ""


@dataclass(frozen=True)
class Plan:
    """Hold which slides a lecture shows, what they are called in it, and when each has its turn.

    A slide outside of the plan is numbered after the one before it, and has no time.
    """

    minutes: int | None  # of the lecture; None shows everything
    slides: tuple[int, ...]  # the places of those that are shown
    labels: tuple[str, ...]  # of every slide, as the ones below
    begins: tuple[float, ...]
    ends: tuple[float, ...]


def plan(deck: Sequence[Slide], length: int | None) -> Plan:
    """Lay out a lecture of so many minutes, or of everything."""
    shown: list[int] = []
    labels: list[str] = []
    begins: list[float] = []
    ends: list[float] = []
    now = 0.0
    beside = 0
    for place, slide in enumerate(deck):
        begins.append(now)
        if length is None or slide.belongs(length):
            shown.append(place)
            labels.append(str(len(shown)))
            now += slide.minutes
            beside = 0
        else:
            beside += 1
            labels.append(f"{len(shown)}.{beside}")
        ends.append(now)
    return Plan(length, tuple(shown), tuple(labels), tuple(begins), tuple(ends))


def faults(slide: Slide) -> list[str]:
    """Say what on a slide is meant for readers and not for a room."""
    texts = [cell.source for cell in slide.cells if cell.cell_type == "markdown"]
    texts += [question.text for question in slide.questions]
    found = []
    for text in texts:
        found += [f"it points elsewhere: {match[0]}" for match in POINTS.finditer(text)]
        found += [f"it is for readers: {match[0]}" for match in ALONE.finditer(text)]
    called = (name for cell in slide.cells for name in CHECKS if calls(cell, name))
    return found + [f"it is for readers: {name}" for name in called]


def unlinked(text: str) -> str:
    """Return Markdown whose links are words.

    >>> unlinked("See [the map](00-start-here.ipynb).")
    'See the map.'
    """
    return re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)


def about(cell: Any) -> dict[str, Any]:
    """Return what a cell says about its place in the deck; a hidden source is hidden here too."""
    said = cell.metadata.get("slideshow", {})
    hidden = cell.metadata.get("jupyter", {}).get("source_hidden")
    return {**said, "show": "output"} if hidden else said


def slides(book: Any) -> list[Slide]:
    """Return the slides of a notebook."""
    return slides_of(book.cells)


def slides_of(cells: Sequence[Any]) -> list[Slide]:
    """Return the slides that cells make."""
    groups = group([about(cell).get("slide_type") for cell in cells])
    deck: list[Slide] = []
    for number, places in enumerate(groups, 1):
        headings = [section(cell) for cell in cells[: places[0] + 1]]
        last = next(filter(None, reversed(headings)), "")
        deck.append(Slide(number, tuple(cells[place] for place in places), last))
    return deck


def section(cell: Any) -> str:
    """Return the heading of the section that a cell begins, or nothing."""
    found = SECTION.match(cell.source) if cell.cell_type == "markdown" else None
    return found[1] if found else ""


def questions(cell: Any) -> list[Question]:
    """Return the questions that a cell asks, read from its text: nothing is run."""
    return reading.questions(cell.source) if cell.cell_type == "code" else []


def asks(cell: Any) -> bool:
    """Tell whether a cell asks a question."""
    return bool(calls(cell, Question.__name__))


def predicts(cell: Any) -> bool:
    """Tell whether a cell asks for a prediction."""
    return bool(calls(cell, Predict.__name__))


def calls(cell: Any, name: str) -> list[ast.Call]:
    """Return the calls of a function, and no method, in a cell; none if it is not Python."""
    return reading.calls(cell.source, name) if cell.cell_type == "code" else []
