"""Write the copy of a submission that a person sees: the instructor's notebook with the answers.

Formgrader shows it. Given cells show the student's data, as they were drawn here. Below each check
stand the points and the reasons, below each proof its mark scheme, on top what is odd. The answers
are those that were graded, and the copy keeps the digest of the bytes they were read from. Nothing
else of the submission gets in, and nothing is alive.
"""

import json
import re
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbformat.v4 import new_markdown_cell, new_output

from coursekit.contents import notebook_text, read_notebook
from coursekit.files import write_atomically, write_if_changed
from coursekit.homework.release import edition

from .harmless import displayed, harmless
from .records import Mark, Record

ODD = "**Odd about this submission:**\n\n"
GRADED = "graded"  # names, in the metadata of a copy, what was graded


@dataclass(frozen=True)
class Copy:
    """What a copy that was written before shows, and what it was made from."""

    answers: dict[str, str] = field(default_factory=dict)
    odd: str = ""
    digest: str = ""
    folder: str = ""  # of all submissions, from the folder of the course if it is in there


def blank(name: str, source: Path) -> Any:
    """Return the homework as students get it."""
    return edition(read_notebook(source / name / f"{name}.ipynb"))


def schemes(name: str, source: Path) -> dict[str, str]:
    """Return the sections of scheme.md by the grade_id in their headings."""
    path = source / name / "scheme.md"
    if not path.exists():
        return {}
    _, *parts = re.split(r"^## +(\w+)", path.read_text("utf-8"), flags=re.MULTILINE)
    return {id: f"{id}{text.rstrip()}" for id, text in zip(parts[::2], parts[1::2], strict=True)}


def rebuild(release: Any, record: Record, marking: dict[str, str], folder: str = "") -> Any:
    """Return the copy of a submission, from what grading has read in it and found."""
    book = deepcopy(release)
    book.metadata[GRADED] = {"digest": record.digest, "folder": folder}
    cells = []
    if record.notes:
        notes = "\n".join(f"- {harmless(note)}" for note in record.notes)
        cells.append(new_markdown_cell(f"{ODD}{notes}", id="odd"))
    for i, cell in enumerate(book.cells):
        cells.append(cell)
        if str(i) in record.given and cell.cell_type == "code":
            cell.outputs = [new_output("stream", text=record.given[str(i)])]
        about = cell.metadata.get("nbgrader", {})
        id = about.get("grade_id", "")
        is_written, is_graded = about.get("solution"), about.get("grade")
        if is_written and id in record.answers:
            answer = record.answers[id]
            cell.source = answer if cell.cell_type == "code" else displayed(answer)
            if id in record.outputs and cell.cell_type == "code":
                text = f"In the notebook that was handed in, it showed:\n{record.outputs[id]}"
                cell.outputs = [new_output("stream", text=text)]
        elif is_graded and not is_written:
            found = record.marks.get(id.removesuffix("-check"))
            cell.outputs = [new_output("stream", text=said(found))]
        if is_written and is_graded and id in marking:
            cells.append(new_markdown_cell(quoted(marking[id]), id=f"{id}-scheme"))
    book.cells = cells
    return book


def said(mark: Mark | None) -> str:
    """Say in lines what a question has earned and why."""
    if mark is None or mark.points is None:
        return "Not graded: a person must look at this answer.\n"
    lines = [f"{mark.points:g} of {mark.of:g} points."]
    lines += [f"– {reason}" for reason in mark.reasons]
    return "\n".join(lines) + "\n"


def quoted(scheme: str) -> str:
    """Set a mark scheme apart by lines; in a quotation formgrader would not show its tables."""
    title, _, text = scheme.partition("\n")
    return f"---\n\n**Mark scheme of {title}**\n{text}\n\n---"


def texts(book: Any) -> dict[str, str]:
    """Return what stands in the answer cells of a copy, by grade_id."""
    found = {}
    for cell in book["cells"]:
        about = cell.get("metadata", {}).get("nbgrader", {})
        if about.get("solution"):
            found[about["grade_id"]] = "".join(cell["source"])
    return found


def read_copy(path: Path) -> Copy | None:
    """Return what a copy shows, or nothing if there is none that can be read."""
    try:
        book = json.loads(path.read_bytes())
        about = book["metadata"].get(GRADED, {})
        first = book["cells"][0]
        odd = "".join(first["source"]).removeprefix(ODD) if first["id"] == "odd" else ""
        return Copy(texts(book), odd, about.get("digest", ""), about.get("folder", ""))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def save(path: Path, book: Any, timestamp: str) -> None:
    """Write a copy, and beside it when it was handed in, as nbgrader does."""
    write_if_changed(path, notebook_text(book))
    stamp = path.with_name("timestamp.txt")
    if timestamp:
        write_atomically(stamp, timestamp)
    else:
        stamp.unlink(missing_ok=True)
