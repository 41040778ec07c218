"""Make a typed edition of a notebook: the cells that a lecturer types have lost their bodies.

A cell tagged `live-code` keeps its heading, and lists in its metadata, under "live", the
expressions that must come out as with the model code. Below each such cell the edition has a check
that evaluates them; in JupyterLab it runs by itself when the typed cell does, and Ctrl+. brings the
next line (Ctrl+Shift+. the whole cell).
"""

import sys
from collections.abc import Iterable
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat
from halfspaces.notebook.comparison import shorten
from halfspaces.notebook.exercises import Feedback, Rung, check
from IPython.utils.capture import capture_output

from coursekit import ROOT
from coursekit.contents import NOTEBOOKS, notebook_text, read_notebook
from coursekit.editions import fingerprint, free_place, lead_home
from coursekit.files import write_atomically
from coursekit.lecture.deck import SlideType, about
from coursekit.lecture.names import defines, needs
from coursekit.lecture.stage import stage

FOLDER = ROOT / "live"
TAG = "live-code"
STAMP = "typed_edition"  # the metadata by which an edition knows whether it has been typed into
CHECK = """\
# Is what stands above right?
from coursekit.lecture.typed import check_cell
check_cell("{name}", "{id}")"""


def make_edition(path: Path, folder: Path = FOLDER) -> Path:
    """Write the edition beside any that has been typed into; return where it is."""
    target = free_place(folder, path.stem, STAMP)
    if target.name != path.name:
        say(f"{path.stem} has been typed into: it stays as it is, and a new one goes beside it.")
    folder.mkdir(exist_ok=True)
    write_atomically(target, notebook_text(edition(path)))
    say(f"The edition to type into is {folder.name}/{target.name}.")
    return target


def edition(path: Path) -> Any:
    """Return the notebook without outputs, its typed cells emptied, each with a check below it."""
    book = lead_home(read_notebook(path))
    cells = []
    for cell in book.cells:
        cells.append(cell)
        if cell.cell_type != "code":
            continue
        cell.outputs = []
        cell.execution_count = None
        if is_typed(cell):
            cell.metadata["solution"] = cell.source
            cell.source = cell.source.splitlines()[0] + "\n"
            cells.append(check_below(cell, path.stem))
    book.cells = cells
    book.metadata[STAMP] = fingerprint(cell.source for cell in cells)
    return book


def check_below(cell: Any, name: str) -> Any:
    """Return the cell that checks a typed one; it is on the same slide, or on none."""
    place = {"show": "output"}
    if about(cell).get("slide_type") == SlideType.SKIP:
        place["slide_type"] = SlideType.SKIP.value
    return nbformat.v4.new_code_cell(
        CHECK.format(name=name, id=cell.id),
        id=check_id(cell.id),
        metadata={"slideshow": place, "checks": cell.id},
    )


def check_id(cell_id: str) -> str:
    """Return the id of the check below a cell; ids have at most 64 letters."""
    return f"{cell_id[:50]}-check"


def is_typed(cell: Any) -> bool:
    """Tell whether a lecturer types this cell."""
    return TAG in cell.metadata.get("tags", [])


def check_cell(name: str, cell_id: str) -> Feedback:
    """Compare what the typed cell has left in the notebook with what the model code leaves."""
    import __main__

    book = read_notebook(NOTEBOOKS / f"{name}.ipynb")
    cell = next(cell for cell in book.cells if cell.id == cell_id)
    on_stage = stage()
    if not on_stage or cell_id not in on_stage.order:
        return compare(cell, vars(__main__), vars(__main__), vars(__main__))
    run = on_stage.runs.get(cell_id)
    if run is None:
        return Feedback(Rung.MISSING, "nothing has been run here yet.")
    if run.error is not None:
        return Feedback(Rung.ERROR, say_error(run.error))
    above = on_stage.above(cell_id)
    return compare(cell, above | run.left, above, defines(run.source))


def compare(
    cell: Any, typed: dict[str, Any], above: dict[str, Any], made: Iterable[str]
) -> Feedback:
    """Evaluate the expressions of a cell in a namespace and in one where the model code ran.

    `above` has what the cells above have left, and `made` the names that the typed one defines.
    """
    model = dict(above)
    with capture_output():
        exec(cell.source, model)
    for expression in cell.metadata["live"]:
        missing = needs(expression) & defines(cell.source) - set(made)
        if missing:
            return Feedback(Rung.MISSING, f"{min(missing)} is not there yet.")
        want = evaluate(expression, model)
        try:
            got = evaluate(expression, typed)
        except Exception as error:
            return Feedback(Rung.ERROR, f"{expression} raises {type(error).__name__}: {error}")
        found = check(got, want)
        if found.rung is not Rung.CORRECT:
            return Feedback(found.rung, say_difference(expression, found, want))
    return Feedback(Rung.CORRECT, "it does what the model code does.")


def say_difference(expression: str, found: Feedback, want: Any) -> str:
    """Say which expression comes out wrong, and what was expected."""
    message = found.message.replace("the answer", expression, 1)
    return message.replace("which is not right", f"and {shorten(want)} is expected", 1)


def say_error(error: BaseException) -> str:
    """Say that the cell did not run through, and where."""
    if isinstance(error, SyntaxError):
        return f"line {error.lineno} of the cell is not Python: {error.msg}."
    return f"the cell did not run through: {type(error).__name__}: {error}"


def evaluate(expression: str, namespace: dict[str, Any]) -> Any:
    """Return the value of an expression; what is printed on the way is nobody's business."""
    with capture_output():
        return deepcopy(eval(expression, namespace))


def say(text: str) -> None:
    """Tell the lecturer."""
    print(text, file=sys.stderr)
