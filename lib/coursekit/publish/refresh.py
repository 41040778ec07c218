"""Run the notebooks and write them back with fresh outputs, and nothing that changes by itself."""

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

from coursekit.contents import KERNEL, METADATA, all_notebooks, notebook_text
from coursekit.files import write_atomically
from coursekit.isolation import isolate
from coursekit.lecture.deck import asks, predicts
from coursekit.publish.budget import state_times

WIDGET = "application/vnd.jupyter.widget-view+json"
CELL_METADATA = {"tags", "slideshow", "live", "jupyter"}
SECONDS = 120  # for one cell


def refresh_all(paths: list[Path]) -> int:
    """Refresh the notebooks that are named, or all; return 1 if one fails."""
    isolate()
    # The work is done in the kernels' own processes.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        well = list(pool.map(refresh, paths or all_notebooks()))
    return 0 if all(well) else 1


def refresh(path: Path) -> bool:
    """Run one notebook and replace its file if anything changed, but not if a cell fails."""
    start = time.monotonic()
    before = path.read_text("utf-8")
    old = nbformat.reads(before, as_version=4)
    new = deepcopy(old)
    fault = run(new, path.parent)
    if fault:
        say(f"{path.stem}: {fault} The file is left as it was.")
        return False
    clean(new)
    keep_pictures(old, new)
    after = notebook_text(new)
    if path.read_text("utf-8") != before:
        say(f"{path.stem}: somebody saved it while it ran, so it is left as it is: refresh again.")
        return False
    if after != before:
        write_atomically(path, after)
    what = "unchanged" if after == before else "refreshed"
    say(f"{path.stem}: {what}, {time.monotonic() - start:.0f} s")
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
    if not started:
        return f"it {reason}"
    return f'cell [{len(started)}], "{started[-1].source.splitlines()[0]}", {reason}'


def clean(nb: Any) -> Any:
    """Remove what differs from run to run or machine to machine, state the times; in place."""
    nb.nbformat, nb.nbformat_minor = 4, 5
    nb.metadata = nbformat.from_dict(METADATA)
    for cell in nb.cells:
        kept = {name: value for name, value in cell.metadata.items() if name in CELL_METADATA}
        cell.metadata = nbformat.from_dict(kept)
        if cell.cell_type == "code":
            cell.outputs = clean_outputs(cell.outputs)
            if asks(cell) or predicts(cell):
                cell.metadata["jupyter"] = {"source_hidden": True}  # the answer stands in it
    state_times(nb)
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
    for cell in new.cells:
        if cell.cell_type != "code":
            continue
        for was, now in zip(before[cell.id], pictures(cell.outputs)):
            if distance(was.data["image/png"], now.data["image/png"]) <= TOLERANCE:
                now.data["image/png"] = was.data["image/png"]


def say(text: str) -> None:
    """Report progress."""
    print(text, file=sys.stderr, flush=True)
