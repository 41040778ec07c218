"""Compute the frames of all live pictures of the notebooks, once: the site moves by them.

A picture needs few of a notebook's cells: those that make the names it uses, and the names these
use. Only they are run, in a process for each core, and what comes out is kept until they, or the
library, change.
"""

import ast
import contextlib
import hashlib
import io
import json
import os
import symtable
import sys
import zlib
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from halfspaces.notebook import reading

from coursekit import ROOT
from coursekit.files import write_atomically
from coursekit.isolation import isolate

FRAMES = 100  # of one picture; a page without a kernel may take larger steps
MAKERS = ("live", "proof_player")
KEPT = ROOT / "build" / "films"
Films = dict[str, bytes]  # by the id of its cell: JSON, compressed


def all_films(books: dict[Path, Any], frames: int = FRAMES) -> dict[Path, Films]:
    """Return the films of notebooks, given with their paths."""
    jobs = {path: _jobs(book, frames) for path, book in books.items()}
    missing = {
        path: [job for job in found if not _file(job).exists()] for path, found in jobs.items()
    }
    work = [job for found in missing.values() for job in found]
    if work:
        _shoot_all(work)
    return {
        path: {job[0]: _file(job).read_bytes() for job in found} for path, found in jobs.items()
    }


Job = tuple[str, int, tuple[str, ...]]  # a cell's id, frames, the sources to run, its own the last


def _jobs(book: Any, frames: int) -> list[Job]:
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    return [
        (cell.id, frames, tuple(needed([one.source for one in code[: place + 1]])))
        for place, cell in enumerate(code)
        if shows_live(cell.source)
    ]


def shows_live(source: str) -> bool:
    """Tell whether a cell shows a live picture."""
    return any(reading.calls(source, maker) for maker in MAKERS)


def needed(sources: list[str]) -> list[str]:
    """Return those cells, in order, without which the last one would lack a name.

    >>> needed(["a = 1", "b = 2", "a += b", "def f():\\n    return a", "c = 3", "f()"])
    ['a = 1', 'b = 2', 'a += b', 'def f():\\n    return a', 'f()']
    """
    kept = [sources[-1]]
    wanted = _names(sources[-1])[0]
    for source in reversed(sources[:-1]):
        used, made = _names(source)
        if made & wanted:
            kept.append(source)
            wanted |= used
    return kept[::-1]


def _names(source: str) -> tuple[set[str], set[str]]:
    """Return the global names that a cell uses, and those it makes or changes."""
    top = symtable.symtable(source, "<cell>", "exec")
    made = {one.get_name() for one in top.get_symbols() if one.is_assigned() or one.is_imported()}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            made |= {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)}
    return _used(top), made


def _used(table: symtable.SymbolTable) -> set[str]:
    inner = table.get_type() != "module"
    used = {
        one.get_name()
        for one in table.get_symbols()
        if one.is_referenced() and (one.is_global() or not inner)
    }
    return used.union(*map(_used, table.get_children()))


def _file(job: Job) -> Path:
    text = json.dumps([_library(), job])
    return KEPT / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.json.zlib"


@cache
def _library() -> str:
    """Return a hash of all that draws."""
    here = Path(__file__).parent
    files = [
        here / "films.py",
        here / "player.py",
        *sorted((ROOT / "lib/halfspaces").rglob("*.py")),
    ]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def _shoot_all(work: list[Job]) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    isolate()
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        for place, _ in enumerate(pool.map(_shoot, work), 1):
            print(f"live pictures: {place} of {len(work)}", file=sys.stderr)


def _shoot(job: Job) -> None:
    """Run the cells of a picture, and keep its film."""
    import matplotlib

    matplotlib.use("agg")
    from coursekit.publish.player import film

    _, frames, sources = job
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()):
        shown = [_run(source, names) for source in sources][-1]
    text = json.dumps(film(shown, frames), separators=(",", ":"))
    write_atomically(_file(job), zlib.compress(text.encode(), 9))


def _run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell; return what its last line shows, if it shows anything."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    return None
