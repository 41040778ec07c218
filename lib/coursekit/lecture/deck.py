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
KEYS = {"slide_type", "show", "minutes", "skip", *NOTES}  # of the metadata "slideshow"
TITLE = re.compile(r"^#+ (.+)$|^> \*\*(.+?)\*\*|^\*\*(.+?)\*\*", re.MULTILINE)


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

    @property
    def title(self) -> str:
        """Return its heading, or the first words of what is on it."""
        text = "\n".join(cell.source for cell in self.cells if cell.cell_type == "markdown")
        heading = TITLE.search(text)
        if heading:
            return next(filter(None, heading.groups())).rstrip(". ")
        if self.questions:
            return f"Question {self.questions[0].id}"
        if any(predicts(cell) for cell in self.cells):
            return "Your number"
        code = [cell.source for cell in self.cells if cell.cell_type == "code"]
        comment = re.match(r"# (.+)", code[0]) if code else None
        if comment:
            return comment[1]
        words = text.split()[:9]
        return f"{' '.join(words)} …" if words else "Picture"

    @property
    def questions(self) -> list[Question]:
        """Return the questions on it."""
        return [question for cell in self.cells for question in questions(cell)]


def about(cell: Any) -> dict[str, Any]:
    """Return what a cell says about its place in the deck; a hidden source is hidden here too."""
    said = cell.metadata.get("slideshow", {})
    hidden = cell.metadata.get("jupyter", {}).get("source_hidden")
    return {**said, "show": "output"} if hidden else said


def slides(book: Any) -> list[Slide]:
    """Return the slides of a notebook."""
    groups = group([about(cell).get("slide_type") for cell in book.cells])
    return [
        Slide(number, tuple(book.cells[place] for place in places))
        for number, places in enumerate(groups, 1)
    ]


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
