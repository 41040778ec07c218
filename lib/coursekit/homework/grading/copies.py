"""Write the copy of a submission that a person sees: the instructor's notebook with the text of the student's answers.

Formgrader shows it. Below each check stand the points and the reasons, below each proof its mark scheme, on top what
is odd. Nothing else of the submission gets into it, and nothing of it is alive.
"""

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_markdown_cell, new_output

from coursekit.contents import notebook_text
from coursekit.homework.release import edition

from .grader import Record, write
from .harmless import harmless

ODD = "**Odd about this submission:**\n\n"


def blank(name: str, source: Path) -> Any:
    """Return the homework as students get it."""
    return edition(nbformat.read(source / name / f"{name}.ipynb", as_version=4))


def schemes(name: str, source: Path) -> dict[str, str]:
    """Return the sections of scheme.md by the grade_id in their headings."""
    path = source / name / "scheme.md"
    parts = (
        re.split(r"^## +(\w+)", path.read_text("utf-8"), flags=re.MULTILINE)
        if path.exists()
        else []
    )
    return {id: f"{id}{text.rstrip()}" for id, text in zip(parts[1::2], parts[2::2])}


def rebuild(release: Any, answers: dict[str, str], record: Record, marking: dict[str, str]) -> Any:
    """Return the copy of a submission, from its answers by grade_id and its result."""
    book, cells = deepcopy(release), []
    if record["notes"]:
        notes = "\n".join(f"- {harmless(note)}" for note in record["notes"])
        cells.append(new_markdown_cell(f"{ODD}{notes}", id="odd"))
    for cell in book.cells:
        cells.append(cell)
        about = cell.metadata.get("nbgrader", {})
        id = about.get("grade_id", "")
        if about.get("solution") and id in answers:
            cell.source = answers[id] if cell.cell_type == "code" else harmless(answers[id])
        elif about.get("grade") and not about.get("solution"):
            cell.outputs = [
                new_output("stream", text=said(record["questions"].get(id.removesuffix("-check"))))
            ]
        if id in marking and about.get("grade") and about.get("solution"):
            cells.append(new_markdown_cell(quoted(marking[id]), id=f"{id}-scheme"))
    book.cells = cells
    return book


def said(marked: Record | None) -> str:
    """Say in lines what a question has earned and why."""
    if marked is None or marked["points"] is None:
        return "Not graded: a person must look at this answer.\n"
    lines = [
        f"{marked['points']:g} of {marked['of']:g} points.",
        *(f"– {reason}" for reason in marked["reasons"]),
    ]
    return "\n".join(lines) + "\n"


def quoted(scheme: str) -> str:
    """Set a mark scheme apart by lines; in a quotation formgrader would not show its tables as tables."""
    title, _, text = scheme.partition("\n")
    return f"---\n\n**Mark scheme of {title}**\n{text}\n\n---"


def texts(book: Any) -> dict[str, str]:
    """Return what stands in the answer cells of a copy, by grade_id."""
    found = (
        (cell.get("metadata", {}).get("nbgrader", {}), cell["source"]) for cell in book["cells"]
    )
    return {about["grade_id"]: "".join(source) for about, source in found if about.get("solution")}


def read_texts(path: Path) -> dict[str, str]:
    """Return the answers in a copy that was written before, and what is odd as "odd"; nothing if there is none."""
    try:
        book = json.loads(path.read_bytes())
        odd = [
            "".join(cell["source"]).removeprefix(ODD)
            for cell in book["cells"][:1]
            if cell["id"] == "odd"
        ]
        return texts(book) | {"odd": text for text in odd}
    except (OSError, ValueError, LookupError):
        return {}


def save(path: Path, book: Any, timestamp: str) -> None:
    """Write a copy, and beside it when it was handed in, as nbgrader does."""
    data, stamp = notebook_text(book).encode(), path.with_name("timestamp.txt")
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != data:
        write(path, data)
    if timestamp:
        write(stamp, timestamp.encode())
    else:
        stamp.unlink(missing_ok=True)
