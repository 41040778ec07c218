"""Write the instructor's guide, a page for each notebook, from the notes that its cells carry."""

import re
import sys
from pathlib import Path

from halfspaces.notebook.questions import Question

from coursekit import ROOT
from coursekit.contents import EXERCISES, all_homeworks, all_notebooks, number_of, read_notebook
from coursekit.files import write_if_changed
from coursekit.lecture.deck import LENGTHS, NOTES, Slide, plan, slides
from coursekit.lecture.typed import is_typed

FOLDER = ROOT / "docs" / "guide"
RELEASE = EXERCISES / "release"
HOW_TO_READ = (
    "A column for each lecture says at which minute a slide begins; slides without a minute are "
    "for those who ask. The slack is for questions, and for chalk that breaks."
)
HOW_TO_ASK = (
    "A vote takes six minutes: solo, discussion in small groups, second vote, then the whole room. "
    "A number has one round: three, or six if phones have still to come in. Credit is for taking "
    "part."
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
            f"`python3 course.py slides {number}` · `python3 course.py live {number}`"
            f"{homework(number)}",
        ],
        lengths(deck),
        ["## Plan", "", HOW_TO_READ, "", *timetable(deck)],
        *([if_late(deck, length)] for length in LENGTHS),
        ["## Slide by slide", "", HOW_TO_ASK],
        *(block(slide, deck) for slide in deck),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def homework(number: str) -> str:
    """Name the homework that belongs to a notebook, if there is one."""
    name = f"hw{number}"
    if name not in all_homeworks(RELEASE):
        return ""
    return (
        f" · homework: [{name}](../../exercises/release/{name}/{name}.ipynb), "
        f"`python3 course.py homework {number}`"
    )


def lengths(deck: list[Slide]) -> list[str]:
    """Say how many slides and minutes each lecture has, and what is left over."""
    rows = ["| lecture | slides | minutes | slack | first vote |", "|---|---|---|---|---|"]
    for length in LENGTHS:
        begins = beginnings(deck, length)
        minutes = sum(slide.minutes for slide in deck if slide.belongs(length))
        votes = [begins[slide.number] for slide in deck if slide.votes and slide.number in begins]
        first = f"at {votes[0]:g}" if votes else "none"
        rows.append(
            f"| {length} minutes | {len(begins)} | {minutes:g} | {length - minutes:g} | {first} |"
        )
    return rows


def beginnings(deck: list[Slide], length: int) -> dict[int, float]:
    """Return the minute at which each slide of a lecture begins, by its number."""
    lecture = plan(deck, length)
    return {deck[place].number: lecture.begins[place] for place in lecture.slides}


def timetable(deck: list[Slide]) -> list[str]:
    """Lay out the slides, with the minute at which each begins in each lecture."""
    columns = [beginnings(deck, length) for length in LENGTHS]
    names = [f"{length} min: at" for length in LENGTHS]
    rows = [f"| slide | what | takes | {' | '.join(names)} |", "|---|---|--:|--:|--:|"]
    for slide in deck:
        begins = [minute_of(column, slide) for column in columns]
        what = f"[{plain(slide.title)}](#slide-{slide.number})"
        rows.append(f"| {slide.number} | {what} | {slide.minutes:g} | {' | '.join(begins)} |")
    return rows


def minute_of(begins: dict[int, float], slide: Slide) -> str:
    """Write the minute at which a slide begins, or nothing if it is left out."""
    return f"{begins[slide.number]:g}" if slide.number in begins else ""


def if_late(deck: list[Slide], length: int) -> str:
    """Say which slides go first when the hour is short, and what that saves."""
    going = [slide for slide in deck if slide.belongs(length) and slide.goes_when_late(length)]
    names = [f"{slide.number} ({plain(slide.title)})" for slide in going]
    saved = sum(slide.minutes for slide in going)
    return f"**If late in {length} minutes, drop:** {'; '.join(names)}. That saves {saved:g}."


def block(slide: Slide, deck: list[Slide]) -> list[str]:
    """Lay out all that belongs to one slide."""
    when = [f"{slide.minutes:g} min"]
    for length in LENGTHS:
        minute = minute_of(beginnings(deck, length), slide)
        when.append(f"at {minute} of {length}" if minute else f"not in {length}")
    lines = [
        f'<a id="slide-{slide.number}"></a>',
        "",
        f"### Slide {slide.number}: {plain(slide.title)}",
        "",
        f"*{', '.join(when)}*",
    ]
    for name in NOTES:
        if slide.note(name):
            lines += ["", f"**{name.capitalize()}.** {slide.note(name)}"]
    for question in slide.questions:
        lines += asked(question)
    for cell in slide.cells:
        if is_typed(cell):
            lines += ["", "**Type.**", "", "```python", *cell.source.splitlines(), "```"]
    return lines


def asked(question: Question) -> list[str]:
    """Lay out a question with its answer and what is behind the wrong ones."""
    return [
        "",
        f"**Ask.** {question.text}",
        "",
        *(f"- {choice(question, letter)}" for letter in question.letters),
        "",
        f"*Why {question.answer}:* {question.explanation}",
    ]


def choice(question: Question, letter: str) -> str:
    """Write one choice, and why it is chosen."""
    text = f"**{letter}.** {question.choice(letter)}"
    if letter == question.answer:
        return f"{text} **(right)**"
    return f"{text} *Behind it:* {question.misconceptions[letter]}"


def plain(text: str) -> str:
    """Make a text fit for a cell of a table."""
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))
