"""Write the instructor's guide, a page for each notebook, from the notes that its cells carry."""

import re
import sys
from pathlib import Path

from halfspaces.notebook.questions import Question

from coursekit import ROOT
from coursekit.contents import all_notebooks, number_of, read_notebook
from coursekit.files import write_if_changed
from coursekit.lecture.deck import LENGTHS, Slide, slides
from coursekit.lecture.typed import is_typed

FOLDER = ROOT / "docs" / "guide"
SHORT, LONG = LENGTHS
HOW_TO_READ = (
    f"Minutes count up in the lecture of {LONG}; slides marked {LONG} are left out in the lecture "
    f"of {SHORT}, slides marked + in both: keep them for those who ask."
)
HOW_TO_ASK = (
    "Solo vote, discussion in small groups, second vote, then the whole room; credit is for taking "
    "part. Show the first result only after the second vote."
)


def write_guide() -> None:
    """Write every page that has changed."""
    for path, text in pages().items():
        if write_if_changed(path, text):
            print(f"{path.relative_to(ROOT)} written", file=sys.stderr)


def pages() -> dict[Path, str]:
    """Return each page of the guide."""
    return {FOLDER / f"{path.stem}.md": page(path) for path in all_notebooks()}


def page(path: Path) -> str:
    """Return the page of one notebook."""
    book = read_notebook(path)
    deck = slides(book)
    title = book.cells[0].source.splitlines()[0].removeprefix("# ")
    number = number_of(path)
    parts = [
        [
            f"# {title}: for the lecturer",
            "",
            f"<!-- made from notebooks/{path.name}: python3 course.py guide -->",
            "",
            f"[The notebook](../../notebooks/{path.name}) · "
            "[how to lecture from the course](README.md) · "
            f"`python3 course.py slides {number}` · `python3 course.py live {number}`",
        ],
        lengths(deck),
        ["## Plan", "", HOW_TO_READ, "", *plan(deck)],
        ["## On the board", "", *noted(deck, "board")],
        ["## Questions to ask", "", HOW_TO_ASK, "", *asked(deck)],
        ["## What to expect", "", *noted(deck, "expect")],
        ["## Typed live", "", *typed(deck)],
        *([left_out(deck, length)] for length in LENGTHS),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def lengths(deck: list[Slide]) -> list[str]:
    """Say how many slides and minutes each lecture has."""
    rows = ["| lecture | slides | minutes |", "|---|---|---|"]
    for length in LENGTHS:
        shown = [slide for slide in deck if slide.belongs(length)]
        minutes = sum(slide.minutes for slide in shown)
        rows.append(f"| {length} minutes | {len(shown)} | {minutes:g} |")
    return rows


def plan(deck: list[Slide]) -> list[str]:
    """Lay out the slides, with the minute at which each begins."""
    rows = ["| slide | at | minutes | in | what | say |", "|---|---|---|---|---|---|"]
    minute = 0.0
    for slide in deck:
        lectures = ", ".join(str(length) for length in LENGTHS if slide.belongs(length)) or "+"
        begins = f"{minute:g}" if slide.belongs(LONG) else ""
        what = plain(slide.title)
        say = plain(slide.note("say") or "")
        rows.append(
            f"| {slide.number} | {begins} | {slide.minutes:g} | {lectures} | {what} | {say} |"
        )
        if slide.belongs(LONG):
            minute += slide.minutes
    return rows


def noted(deck: list[Slide], name: str) -> list[str]:
    """List the notes of one kind."""
    return [
        f"- Slide {slide.number}, {plain(slide.title)}: {slide.note(name)}"
        for slide in deck
        if slide.note(name)
    ]


def asked(deck: list[Slide]) -> list[str]:
    """Lay out the questions with their answers and what is behind the wrong ones."""
    lines = []
    for slide in deck:
        for question in slide.questions:
            lines += [
                f"**Slide {slide.number}.** {question.text}",
                "",
                *(f"- {choice(question, letter)}" for letter in question.letters),
                "",
                f"*Why {question.answer}:* {question.explanation}",
                "",
            ]
    return lines


def choice(question: Question, letter: str) -> str:
    """Write one choice, and why it is chosen."""
    text = f"**{letter}.** {question.choice(letter)}"
    if letter == question.answer:
        return f"{text} **(right)**"
    return f"{text} *Behind it:* {question.misconceptions[letter]}"


def typed(deck: list[Slide]) -> list[str]:
    """List the cells that are typed in front of the room."""
    lines = []
    for slide in deck:
        for cell in slide.cells:
            if is_typed(cell):
                heading, *body = cell.source.splitlines()
                lines.append(f"- Slide {slide.number}: `{heading}` ({len(body)} lines)")
    return lines or ["- Nothing on these slides."]


def left_out(deck: list[Slide], length: int) -> str:
    """Say which slides a lecture leaves out."""
    names = [
        f"{slide.number} ({plain(slide.title)})" for slide in deck if not slide.belongs(length)
    ]
    return f"**Left out in {length} minutes:** {'; '.join(names) or 'nothing'}."


def plain(text: str) -> str:
    """Make a text fit for a cell of a table."""
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))
