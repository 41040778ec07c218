"""Write what every homework says alike: its points and time, its parts, limits and rules.

In the source the first cell has the two lines [[points and time]] and [[rules]], headings are
plain, and a heading cell tagged `ambitious` begins a question beyond the core. All numbers are
derived: points from the metadata, limits from the grader, minutes from what there is to read, as in
the notebooks, and from what the model solution has to write.
"""

import re
from dataclasses import dataclass
from typing import Any

from halfspaces.notebook.homework import SLOW

from coursekit.homework.grading.inside.limits import GB, SUBMISSION_MEMORY, USUAL
from coursekit.publish.budget import EXERCISE, PROOF, count

POINTS_AND_TIME = "[[points and time]]"
RULES = "[[rules]]"
AMBITIOUS = "ambitious"
STAR = "★"
MINUTES_A_LINE = 2  # of a solution, to be found, written and mended
PROVED_WORDS_A_MINUTE = 10
OBSERVED_WORDS_A_MINUTE = 15
HEADING = re.compile(r"^## (\d+) (.+)$", re.MULTILINE)
SOLUTION = re.compile(r"### BEGIN SOLUTION[ \t]*\n(.*?)### END SOLUTION", re.DOTALL)


@dataclass(frozen=True)
class Part:
    """A question with its heading, or what stands before the first."""

    number: str
    points: float
    minutes: float
    kind: str = ""  # of what is written in Markdown
    is_ambitious: bool = False


def explain(book: Any, source: Any) -> None:
    """Fill in the lines and headings of a student's version, in place."""
    title = book.cells[0]
    for line in (POINTS_AND_TIME, RULES):
        if title.source.count(line) != 1:
            raise ValueError(f"The first cell must have the line {line} once.")
    parts = split(book, source)
    title.source = title.source.replace(POINTS_AND_TIME, state(parts)).replace(RULES, rules(parts))
    by_number = {part.number: part for part in parts}
    for cell in book.cells[1:]:
        if cell.cell_type == "markdown":
            cell.source = HEADING.sub(lambda found: _heading(found, by_number), cell.source)


def split(book: Any, source: Any) -> list[Part]:
    """Return the parts of a homework, from its version for students and from its solutions."""
    starts = [0]
    for i, cell in enumerate(book.cells):
        if cell.cell_type == "markdown" and HEADING.search(cell.source):
            starts.append(i)
    ends = [*starts[1:], len(book.cells)]
    return [_part(book.cells[i:j], source.cells[i:j]) for i, j in zip(starts, ends)]


def _part(cells: list[Any], solved: list[Any]) -> Part:
    heading = HEADING.search(cells[0].source)
    graded = [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade")]
    written = next((cell for cell in graded if cell.cell_type == "markdown"), None)
    kind = "" if written is None else "proof" if is_proof(written) else "exploration"
    return Part(
        heading[1] if heading else "",
        sum(cell.metadata["nbgrader"]["points"] for cell in graded),
        count(cells).everything + sum(map(_writing, solved)),
        kind,
        AMBITIOUS in cells[0].metadata.get("tags", ()),
    )


def is_proof(cell: Any) -> bool:
    """Tell whether an answer in Markdown is a proof; the others are observations."""
    return str(cell.metadata["nbgrader"]["grade_id"]).startswith("proof")


def _writing(cell: Any) -> float:
    """Return the minutes that it takes to write what stands in a solution."""
    found = SOLUTION.findall(cell.source)
    if not found:
        return 0
    text = "".join(found)
    if cell.cell_type == "markdown":
        words = len(text.split())
        if is_proof(cell):
            return PROOF + words / PROVED_WORDS_A_MINUTE
        return words / OBSERVED_WORDS_A_MINUTE
    lines = [line for line in text.splitlines() if line.strip()]
    return EXERCISE + MINUTES_A_LINE * len(lines)


def _heading(found: re.Match[str], parts: dict[str, Part]) -> str:
    part = parts[found[1]]
    star = f"{STAR} " if part.is_ambitious else ""
    about = [part.kind, counted(part.points, "point"), counted(in_fives(part.minutes), "minute")]
    return f"## {found[1]} {star}{found[2]} ({', '.join(filter(None, about))})"


def state(parts: list[Part]) -> str:
    """Say in a sentence or two what a homework is worth, and how long it takes."""
    total = sum(part.points for part in parts)
    ambitious = [part for part in parts if part.is_ambitious]
    time = duration(sum(part.minutes for part in parts))
    if not ambitious:
        return f"{counted(total, 'point')}, about {time}."
    more = sum(part.points for part in ambitious)
    core = duration(sum(part.minutes for part in parts if not part.is_ambitious))
    core = core.removesuffix(" hours")
    numbers = [part.number for part in ambitious]
    questions = f"{', '.join(numbers[:-1])} and {numbers[-1]}" if numbers[1:] else numbers[0]
    return (
        f"{counted(total, 'point')}: a core of {total - more:g}, and {more:g} for the ambitious "
        f"(questions {questions}, with a {STAR}). About {time}, {core} of them for the core."
    )


def rules(parts: list[Part]) -> str:
    """Return the rules that all homeworks share, as a list in Markdown."""
    items = [
        "Each code question asks for one function. Replace the `...`; later questions may call "
        "earlier functions. A helper of your own goes into the same cell, or into the cell of "
        "helpers if several answers use it: grading reads these cells and no others.",
        "The cell below each answer checks it on a few examples. Grading calls your function with "
        "other inputs, and only what it returns counts. A function must leave its arguments as "
        "they were.",
        f"**Limits:** {USUAL.cell:g} seconds for a cell, {USUAL.call:g} for a call, "
        f"{USUAL.total:g} for all calls together, and {SUBMISSION_MEMORY / GB:g} GB of memory. The "
        f"check warns of a call that takes more than {SLOW:g} seconds.",
        "**Types:** a list, a tuple and an array are the same, here and in grading; so are an int, "
        "a `Fraction` and a number of numpy with the same value. *Exact* means ints or Fractions: "
        "a float is never exact, and `True` is no number.",
        "Proofs and observations are read by a person. The task says what earns the points.",
        "Do not delete, copy or split the answer cells. Hand in this file, under the name your "
        "course asks for.",
    ]
    if any(part.is_ambitious for part in parts):
        items.insert(
            0, f"The core is the homework. A {STAR} marks what is there for those who want more."
        )
    return "\n".join(f"- {item}" for item in items)


def in_fives(minutes: float) -> int:
    """Return minutes as one says them: 5, 10, 15 …"""
    return max(5, 5 * round(minutes / 5))


def duration(minutes: float) -> str:
    """Return a time as one says it: minutes if they are few, or half hours."""
    if minutes < 45:
        return f"{in_fives(minutes)} minutes"
    halves = round(minutes / 30)
    whole = "" if halves == 1 else str(halves // 2)
    return f"{whole}{'½' if halves % 2 else ''} {'hour' if halves <= 2 else 'hours'}"


def counted(number: float, word: str) -> str:
    """Return a number with its word."""
    return f"{number:g} {word}{'' if number == 1 else 's'}"
