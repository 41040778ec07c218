"""Count how long a notebook takes, and write its times into it.

The first cell has a line `**Time:** 25 minutes to read, 55 with everything`, each numbered section
begins with `*Timing to here: 12 minutes.*`: minutes with everything, up to there. Both are derived.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from coursekit.lecture.deck import asks, calls, predicts

WORDS_A_MINUTE = 150
LINES_A_MINUTE = 12
PREDICTION = 1  # minutes
PICTURE = 2.5
QUESTION = 2
EXERCISE = 6
PROOF = 10
FOLD = re.compile(r"<details>.*?</details>", re.DOTALL)
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
RULING = re.compile(r"[|:\-]+")  # of a table
TASK = re.compile(r"^\*\*Exercise [\w.]+ \((.*?)\)", re.MULTILINE)
TIME = re.compile(r"^\*\*Time:\*\* \d+ minutes to read, \d+ with everything", re.MULTILINE)
TO_HERE = re.compile(r"^\*Timing to here: \d+ minutes?\.\*", re.MULTILINE)


@dataclass(frozen=True)
class Budget:
    """Hold what a reader has to read and to do."""

    words: int = 0
    lines: int = 0
    predictions: int = 0
    pictures: int = 0
    questions: int = 0
    exercises: int = 0
    proofs: int = 0

    @property
    def reading(self) -> float:
        """Return the minutes it takes to read text and code."""
        return self.words / WORDS_A_MINUTE + self.lines / LINES_A_MINUTE

    @property
    def everything(self) -> float:
        """Return the minutes it takes to read it and to do all that it asks for."""
        return (
            self.reading
            + self.predictions * PREDICTION
            + self.pictures * PICTURE
            + self.questions * QUESTION
            + self.exercises * EXERCISE
            + self.proofs * PROOF
        )

    def __add__(self, other: "Budget") -> "Budget":
        sums = {name: value + getattr(other, name) for name, value in vars(self).items()}
        return Budget(**sums)


def count(cells: Iterable[Any]) -> Budget:
    """Count what some cells of a notebook ask of a reader."""
    total = Budget()
    for cell in cells:
        total += count_text(cell.source) if cell.cell_type == "markdown" else count_code(cell)
    return total


def count_text(source: str) -> Budget:
    """Count the words that are in sight, and the exercises."""
    visible = FENCE.sub("", FOLD.sub("", source))
    words = [word for word in visible.split() if not RULING.fullmatch(word)]
    proofs = [title.endswith("; proof") for title in TASK.findall(source)]
    return Budget(words=len(words), exercises=proofs.count(False), proofs=proofs.count(True))


def count_code(cell: Any) -> Budget:
    """Count the lines that are in sight, and what the cell asks for or lets the reader move."""
    lines = [line for line in cell.source.splitlines() if line.strip()]
    return Budget(
        lines=0 if is_hidden(cell) or asks(cell) or predicts(cell) else len(lines),
        predictions=len(calls(cell, "Predict")),
        pictures=len(calls(cell, "live")) + len(calls(cell, "proof_player")),
        questions=len(calls(cell, "Question")),
    )


def is_hidden(cell: Any) -> bool:
    """Tell whether the source of a cell is folded away."""
    return bool(cell.metadata.get("jupyter", {}).get("source_hidden"))


def states_both_times(book: Any) -> bool:
    """Tell whether a notebook has the line with both times, as all of the second edition do."""
    return bool(book.cells and TIME.search(book.cells[0].source))


def state_times(book: Any) -> None:
    """Write the times into a notebook that states both, in place."""
    if not states_both_times(book):
        return
    total = count(book.cells)
    reading, everything = round(total.reading), round(total.everything)
    line = f"**Time:** {reading} minutes to read, {everything} with everything"
    book.cells[0].source = TIME.sub(line, book.cells[0].source)
    sofar = Budget()
    for cell in book.cells:
        if cell.cell_type == "markdown":
            cell.source = with_timing(cell.source, sofar)
        sofar += count([cell])


def with_timing(source: str, before: Budget) -> str:
    """Return a text with its lines about timing, given what stands before it."""

    def line(match: re.Match[str]) -> str:
        here = before + count_text(source[: match.start()])
        minutes = round(here.everything)
        return f"*Timing to here: {minutes} minute{'' if minutes == 1 else 's'}.*"

    return TO_HERE.sub(line, source)
