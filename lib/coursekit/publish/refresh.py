"""Run the notebooks and write them back with fresh outputs, and without anything that changes by itself."""

import asyncio
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat

from coursekit import ROOT
from coursekit.files import write_atomically
from coursekit.isolation import isolate

NOTEBOOKS = ROOT / "notebooks"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
WIDGET = "application/vnd.jupyter.widget-view+json"
CELL_METADATA = {"tags", "slideshow", "live", "jupyter"}
SECONDS = 120  # for one cell


def main(argv: list[str]) -> int:
    """Refresh the notebooks whose names start with the arguments, or all."""
    paths = sorted(NOTEBOOKS.glob("*.ipynb"))
    if unknown := [arg for arg in argv if not any(path.name.startswith(arg) for path in paths)]:
        print(
            f"No notebook's name starts with {', '.join(unknown)}: there are "
            f"{', '.join(path.stem for path in paths) or 'none'}.",
            file=sys.stderr,
        )
        return 2
    isolate()
    chosen = [path for path in paths if not argv or path.name.startswith(tuple(argv))]
    with ThreadPoolExecutor(
        os.cpu_count()
    ) as pool:  # the work is done in the kernels' own processes
        return 0 if all(list(pool.map(refresh, chosen))) else 1


def refresh(path: Path) -> bool:
    """Run one notebook, replace its file if anything changed, and say so; leave it as it is if a cell fails."""
    start, before = time.monotonic(), path.read_text("utf-8")
    old = nbformat.reads(before, as_version=4)
    new = deepcopy(old)
    if fault := run(new, path.parent):
        say(f"{path.stem}: {fault} The file is left as it was.")
        return False
    keep_pictures(old, clean(new))
    after = nbformat.writes(new) + "\n"
    if path.read_text("utf-8") != before:
        say(
            f"{path.stem}: somebody saved it while it ran. The file is left as it is: refresh again."
        )
        return False
    if after != before:
        write_atomically(path, after)
    say(
        f"{path.stem}: {'unchanged' if after == before else 'refreshed'}, {time.monotonic() - start:.0f} s"
    )
    return True


def run(nb: Any, folder: Path) -> str:
    """Execute all cells in a new kernel; return a sentence if one fails."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError

    nb.metadata.kernelspec = KERNEL
    started: list[Any] = []
    client = NotebookClient(
        nb,
        timeout=SECONDS,
        store_widget_state=False,
        record_timing=False,
        resources={"metadata": {"path": folder}},
        on_cell_execute=lambda cell, cell_index: started.append(cell),
    )
    try:
        asyncio.run(client.async_execute(stderr=subprocess.DEVNULL))  # where kernels write warnings
        return ""
    except CellExecutionError as error:
        reason = f"raises {error.ename}: {error.evalue}."
    except CellTimeoutError:
        reason = f"takes more than {SECONDS} seconds."
    except Exception as error:  # a kernel that dies or does not start
        reason = f"cannot be run ({type(error).__name__}: {error})."
    return (
        f'cell [{len(started)}], "{started[-1].source.splitlines()[0]}", {reason}'
        if started
        else f"it {reason}"
    )


def clean(nb: Any) -> Any:
    """Remove what differs from run to run or from machine to machine, in place."""
    nb.nbformat, nb.nbformat_minor = 4, 5
    nb.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for cell in nb.cells:
        cell.metadata = nbformat.from_dict(
            {k: v for k, v in cell.metadata.items() if k in CELL_METADATA}
        )
        if cell.cell_type == "code":
            cell.outputs = clean_outputs(cell.outputs)
            if "Question(" in cell.source:
                cell.metadata["jupyter"] = {"source_hidden": True}  # the answer stands in it
    return nb


def clean_outputs(outputs: list[Any]) -> list[Any]:
    """Drop views of widgets, which only the kernel that made them knows, and join streams."""
    kept: list[Any] = []
    for output in outputs:
        if "data" in output:
            output.data.pop(WIDGET, None)
            output.metadata.pop(WIDGET, None)
        if output.get("data") == {}:
            continue
        if kept and output.output_type == "stream" and output.name == kept[-1].get("name"):
            kept[-1].text += output.text
        else:
            kept.append(output)
    return kept


def keep_pictures(old: Any, new: Any) -> None:
    """Keep the bytes of pictures that look as before, so that they are no change to commit."""
    from coursekit.publish.pictures import TOLERANCE, distance, pictures

    before = {cell.id: pictures(cell.outputs) for cell in old.cells if cell.cell_type == "code"}
    for cell in (cell for cell in new.cells if cell.cell_type == "code"):
        for was, now in zip(before[cell.id], pictures(cell.outputs)):
            if distance(was.data["image/png"], now.data["image/png"]) <= TOLERANCE:
                now.data["image/png"] = was.data["image/png"]


def say(text: str) -> None:
    """Report progress."""
    print(text, file=sys.stderr, flush=True)
