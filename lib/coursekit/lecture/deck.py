"""Read a notebook as a deck: its slides, and the lecturer's notes on them."""

import re
from dataclasses import dataclass
from typing import Any

from halfspaces.notebook.questions import Question

NOTES = ("say", "board", "expect")
KEYS = {"slide_type", "show", "minutes", "skip", *NOTES}
TYPES = {"slide", "subslide", "fragment", "skip"}


@dataclass(frozen=True)
class Slide:
    """Hold the cells of one slide; its notes stand in the first."""

    number: int
    cells: tuple[Any, ...]

    def note(self, name: str) -> Any:
        """Return a note, or nothing."""
        return self.cells[0].metadata.get("slideshow", {}).get(name)

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
        heading = re.search(r"^#+ (.+)$|^> \*\*(.+?)\*\*|^\*\*(.+?)\*\*", text, re.MULTILINE)
        if heading:
            return next(filter(None, heading.groups())).rstrip(". ")
        if self.questions:
            return f"Question {self.questions[0].id}"
        code = [cell.source for cell in self.cells if cell.cell_type == "code"]
        comment = re.match(r"# (.+)", code[0]) if code else None
        return (
            comment[1]
            if comment
            else " ".join(text.split()[:9]) + " …"
            if text.split()
            else "Picture"
        )

    @property
    def questions(self) -> list[Question]:
        """Return the questions on it."""
        return [
            question(cell)
            for cell in self.cells
            if cell.cell_type == "code" and "Question(" in cell.source
        ]


def slides(book: Any) -> list[Slide]:
    """Group the cells of a notebook into slides, as the deck in the browser does."""
    groups: list[list[Any]] = []
    for cell in book.cells:
        kind = cell.metadata.get("slideshow", {}).get("slide_type")
        if kind == "skip":
            continue
        if not groups or kind in ("slide", "subslide"):
            groups.append([])
        groups[-1].append(cell)
    return [Slide(number, tuple(cells)) for number, cells in enumerate(groups, 1)]


def question(cell: Any) -> Question:
    """Return the question that a cell asks."""
    return eval(cell.source[cell.source.index("Question(") :], {"Question": Question})
