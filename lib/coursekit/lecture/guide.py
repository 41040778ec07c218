"""Write the instructor's guide, a page for each notebook, from the notes that its cells carry."""

import re
import sys
from pathlib import Path
from typing import Any

import nbformat

from coursekit import ROOT
from coursekit.files import write_if_changed
from coursekit.lecture.deck import Slide, slides
from coursekit.lecture.typed import is_live

FOLDER = ROOT / "docs" / "guide"
LENGTHS = (50, 80)
HOW_TO_READ = (
    "Minutes count up in the lecture of 80; slides marked 80 are left out in the lecture of 50, slides "
    "marked + in both: keep them for those who ask."
)
HOW_TO_ASK = (
    "Solo vote, discussion in small groups, second vote, then the whole room; credit is for taking part. "
    "Show the first result only after the second vote."
)


def main(argv: list[str]) -> int:
    """Write every page that has changed."""
    for path, text in pages().items():
        if write_if_changed(path, text):
            print(f"{path.relative_to(ROOT)} written", file=sys.stderr)
    return 0


def pages() -> dict[Path, str]:
    """Return each page of the guide."""
    paths = sorted((ROOT / "notebooks").glob("*.ipynb"))
    return {
        FOLDER / f"{path.stem}.md": page(path, nbformat.read(path, as_version=4)) for path in paths
    }


def page(path: Path, book: Any) -> str:
    """Return the page of one notebook."""
    deck, title = slides(book), book.cells[0].source.splitlines()[0].removeprefix("# ")
    lines = [
        f"# {title}: for the lecturer",
        "",
        f"<!-- made from notebooks/{path.name}: python3 course.py guide -->",
        "",
        f"[The notebook](../../notebooks/{path.name}) · [how to lecture from the course](README.md) · "
        f"`python3 course.py slides {path.name[:2]}` · `python3 course.py live {path.name[:2]}`",
        "",
        "| lecture | slides | minutes |",
        "|---|---|---|",
    ]
    for length in LENGTHS:
        shown = [slide for slide in deck if slide.belongs(length)]
        lines.append(
            f"| {length} minutes | {len(shown)} | {sum(slide.minutes for slide in shown):g} |"
        )
    lines += [
        "",
        "## Plan",
        "",
        HOW_TO_READ,
        "",
        "| slide | at | minutes | in | what | say |",
        "|---|---|---|---|---|---|",
        *plan(deck),
    ]
    lines += ["", "## On the board", "", *noted(deck, "board")]
    lines += ["", "## Questions to ask", "", HOW_TO_ASK, "", *asked(deck)]
    lines += ["", "## What to expect", "", *noted(deck, "expect")]
    typed = [
        f"- Slide {slide.number}: `{cell.source.splitlines()[0]}` ({len(cell.source.splitlines()) - 1} lines)"
        for slide in deck
        for cell in slide.cells
        if is_live(cell)
    ]
    lines += ["", "## Typed live", "", *(typed or ["- Nothing on these slides."])]
    for length in LENGTHS:
        left_out = [
            f"{slide.number} ({plain(slide.title)})" for slide in deck if not slide.belongs(length)
        ]
        lines += ["", f"**Left out in {length} minutes:** {'; '.join(left_out) or 'nothing'}."]
    return "\n".join(lines) + "\n"


def plan(deck: list[Slide]) -> list[str]:
    """Lay out the slides, with the minute at which each begins."""
    rows, minute = [], 0.0
    for slide in deck:
        group = "50, 80" if slide.belongs(50) else "80" if slide.belongs(80) else "+"
        begins = f"{minute:g}" if slide.belongs(80) else ""
        what, say = plain(slide.title), plain(slide.note("say") or "")
        rows.append(f"| {slide.number} | {begins} | {slide.minutes:g} | {group} | {what} | {say} |")
        minute += slide.minutes if slide.belongs(80) else 0
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
                *(
                    f"- **{letter}.** {question.choice(letter)} "
                    + (
                        "**(right)**"
                        if letter == question.answer
                        else f"*Behind it:* {question.misconceptions[letter]}"
                    )
                    for letter in question.letters
                ),
                "",
                f"*Why {question.answer}:* {question.explanation}",
                "",
            ]
    return lines


def plain(text: str) -> str:
    """Make a text fit for a cell of a table."""
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))
