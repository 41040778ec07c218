"""Make a live edition of a notebook: the cells that a lecturer types lose their bodies, and keep their heading.

A cell tagged `live-code` lists in its metadata, under "live", the expressions that must come out as with the
model code. Below each such cell the edition has a check that evaluates them; in JupyterLab it runs by itself when
the typed cell does, and Ctrl+. brings the next line (Ctrl+Shift+. the whole cell).
"""

import contextlib
import hashlib
import io
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat

from coursekit import ROOT
from coursekit.files import write_atomically
from halfspaces.notebook.exercises import Feedback, check

CHECK = '# Is what stands above right?\nfrom coursekit.lecture.typed import check_cell\ncheck_cell("{name}", "{id}")'


def main(argv: list[str]) -> int | None:
    """Make the edition whose number is given, and open it as slides; --make only makes it."""
    from coursekit.lecture.slides import choose, present

    path, options = choose(argv, "live NUMBER [--make]")
    if not path:
        return 2
    made = make(path, ROOT / "live")
    print(f"The live edition is {made.relative_to(ROOT)}.", file=sys.stderr)
    return 0 if "--make" in options else present(made, options)


def make(path: Path, folder: Path) -> Path:
    """Write the edition into the folder, beside any that has been typed into, and return where it is."""
    book, target, copies = edition(path), folder / path.name, 1
    while target.exists() and not untouched(target):
        copies += 1
        target = folder / f"{path.stem}-{copies}.ipynb"
    if copies > 1:
        print(
            f"{path.stem} has been typed into: it stays as it is, and a new edition goes beside it.",
            file=sys.stderr,
        )
    folder.mkdir(exist_ok=True)
    write_atomically(target, nbformat.writes(book) + "\n")
    return target


def edition(path: Path) -> Any:
    """Return the notebook without outputs, its live cells emptied, each with a check below it."""
    book = nbformat.read(path, as_version=4)
    cells = []
    for cell in book.cells:
        cells.append(cell)
        if cell.cell_type != "code":
            continue
        cell.outputs, cell.execution_count = [], None
        if is_live(cell):
            cell.metadata["solution"] = cell.source
            cell.source = cell.source.splitlines()[0] + "\n"
            cells.append(
                nbformat.v4.new_code_cell(
                    CHECK.format(name=path.stem, id=cell.id),
                    id=f"{cell.id[:50]}-check",
                    metadata={
                        "slideshow": {"show": "output"}
                        | {
                            k: v
                            for k, v in cell.metadata.get("slideshow", {}).items()
                            if k == "slide_type" and v == "skip"
                        }
                    },
                )
            )
    book.cells = cells
    book.metadata["live_edition"] = fingerprint(book)
    return book


def is_live(cell: Any) -> bool:
    """Tell whether a lecturer types this cell."""
    return "live-code" in cell.metadata.get("tags", [])


def fingerprint(book: Any) -> str:
    """Return a hash of what stands in the cells."""
    return hashlib.sha256("\0".join(cell.source for cell in book.cells).encode()).hexdigest()


def untouched(path: Path) -> bool:
    """Tell whether a file is an edition in which nothing has been typed."""
    try:
        book = nbformat.read(path, as_version=4)
    except (OSError, ValueError, nbformat.reader.NotJSONError):
        return False  # whatever it is, it is not ours to replace
    return book.metadata.get("live_edition") == fingerprint(book)


def check_cell(name: str, cell_id: str) -> Feedback:
    """Compare what the typed cell has left in the notebook with what the model code leaves."""
    import __main__

    book = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
    cell = next(cell for cell in book.cells if cell.id == cell_id)
    return compare(cell, vars(__main__))


def compare(cell: Any, typed: dict[str, Any]) -> Feedback:
    """Evaluate the expressions of a live cell in a namespace and in one where the model code ran."""
    model = dict(typed)
    with contextlib.redirect_stdout(io.StringIO()):
        exec(cell.source, model)
    for expression in cell.metadata["live"]:
        want = evaluate(expression, model)
        try:
            got = evaluate(expression, typed)
        except NameError as error:
            return Feedback("missing", f"{error.name} is not there yet.")
        except Exception as error:
            return Feedback("error", f"{expression} raises {type(error).__name__}: {error}")
        found = check(got, want)
        if found.rung != "correct":
            return Feedback(found.rung, found.message.replace("the answer", expression, 1))
    return Feedback("correct", "as the model code has it.")


def evaluate(expression: str, names: dict[str, Any]) -> Any:
    """Return the value of an expression, or what it prints if it has none."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        value = eval(expression, names)
    return deepcopy(printed.getvalue() if value is None else value)
