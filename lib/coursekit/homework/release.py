"""Make the student's version of a homework from the notebook that holds its solutions.

What stands between `### BEGIN SOLUTION` and `### END SOLUTION` becomes `return ...`, or an
invitation to write. The same source always gives the same bytes.
"""

import hashlib
import json
import re
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell

from coursekit.contents import EXERCISES, METADATA, all_homeworks, notebook_text, read_notebook
from coursekit.files import write_if_changed
from coursekit.homework.instructions import explain
from coursekit.homework.private import keep_private

HELPERS = "helpers"  # the grade_id of a cell for code that all answers share
KEPT = {"tags", "nbgrader", "jupyter"}
STUB = "return ..."
INVITATION = (
    "*Write your answer here, in Markdown; mathematics goes between dollars: "
    r"$\langle w, x\rangle \ge b$.*"
)
REGION = re.compile(
    r"^([ \t]*)### BEGIN SOLUTION[ \t]*\n(.*?)^[ \t]*### END SOLUTION[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
NAME = re.compile(r"\bhw\d\w*")
MARK = re.compile(r"###.*SOLUTION")


def release(names: list[str], to_exchange: bool = False) -> int:
    """Make the releases of the homeworks that are named, or of all; hand them out if asked."""
    keep_private(EXERCISES)
    from coursekit.homework.inspection import inspect  # which needs the editions made here

    names = names or all_homeworks(EXERCISES / "source")
    for name in names:
        try:
            fault = inspect(name, EXERCISES / "source")
            if fault:
                raise ValueError(fault)
            changed = make(name)
        except ValueError as error:
            print(f"{name}: {error} Nothing is written.", file=sys.stderr)
            return 1
        print(f"{name}: {'released' if changed else 'unchanged'}", file=sys.stderr)
    if to_exchange:
        return _hand_out(names)
    return 0


def _hand_out(names: list[str]) -> int:
    from coursekit.homework.platforms.exchange import hand_out

    try:
        hand_out(names)
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"Students of the hub can fetch {', '.join(names)}.", file=sys.stderr)
    return 0


def make(name: str, course: Path = EXERCISES) -> bool:
    """Write release/<name>/<name>.ipynb in one step, if anything changed; tell whether it did."""
    target = course / "release" / name / f"{name}.ipynb"
    made = edition_of(course / "source" / name / f"{name}.ipynb")
    return write_if_changed(target, notebook_text(made))


def edition_of(path: Path) -> Any:
    """Return what students get of a notebook with solutions."""
    return edition(read_notebook(path))


def edition(source: Any) -> Any:
    """Return a notebook without solutions and outputs, with a fingerprint of what stands in it."""
    book = deepcopy(source)
    book.nbformat = 4
    book.nbformat_minor = 5
    for cell in book.cells:
        about = cell.metadata.get("nbgrader", {})
        is_optional = about.get("grade_id") == HELPERS and not MARK.search(cell.source)
        if about.get("solution") and not is_optional:
            cell.source = without_solution(cell.source, cell.cell_type == "code")
        elif MARK.search(cell.source):
            raise ValueError(
                f"The cell {cell.id} has a mark of a solution, and is not an answer cell."
            )
        kept = {name: value for name, value in cell.metadata.items() if name in KEPT}
        if about.get("solution") and about.get("grade"):
            kept["nbgrader"] = {**about, "checksum": checksum(cell)}
        cell.metadata = nbformat.from_dict(kept | guards(about))
        if cell.cell_type == "code":
            cell.outputs = []
            cell.execution_count = None
    explain(book, source)
    name = NAME.search(book.cells[0].source)
    if name:
        book.cells += last_cells(name[0])
    book.metadata = nbformat.from_dict(METADATA)
    book.metadata["release"] = fingerprint(book)
    return book


def last_cells(name: str) -> list[Any]:
    """Return the cells by which a student tries out what would be graded."""
    text = new_markdown_cell(
        "## Before you hand in\n\nSave this notebook, then run the cell below: it runs what "
        "grading would read, and nothing else of this notebook, in a process of its own.",
        id="before-you-hand-in",
    )
    code = new_code_cell(
        f'from coursekit.homework.trying import try_out\n\ntry_out("{name}")', id="try-out"
    )
    return [text, code]


def checksum(cell: Any) -> str:
    """Return the hash by which `nbgrader validate` sees that a proof has not been written."""
    about = cell.metadata["nbgrader"]
    flags = [str(bool(about.get(name))) for name in ("grade", "solution", "locked")]
    parts = [cell.source, cell.cell_type, *flags, about["grade_id"], str(float(about["points"]))]
    return hashlib.md5("".join(parts).encode(), usedforsecurity=False).hexdigest()


def guards(about: dict[str, Any]) -> dict[str, bool]:
    """Return the metadata by which JupyterLab keeps a cell from being deleted or changed."""
    if about.get("solution"):
        return {"deletable": False}
    if about.get("grade") or about.get("locked"):
        return {"deletable": False, "editable": False}
    return {}


def without_solution(text: str, is_code: bool) -> str:
    """Replace each solution by its stub; helpers that stand outside any function go without one."""

    def stub(found: re.Match[str]) -> str:
        if not is_code:
            return INVITATION
        indentation = found[1]
        return indentation + STUB if indentation else ""

    made, count = REGION.subn(stub, text)
    if not count or MARK.search(made):
        first = text.splitlines()[0] if text else ""
        raise ValueError(
            "An answer cell has no solution, or a mark of one without its other: '### BEGIN "
            f"SOLUTION' and '### END SOLUTION' are expected around it in \"{first}\"."
        )
    return made.strip("\n")


def fingerprint(book: Any) -> str:
    """Return a hash of what stands in the cells."""
    parts = [(cell.cell_type, cell.source, cell.metadata.get("nbgrader")) for cell in book.cells]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]
