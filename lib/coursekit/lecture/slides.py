"""Open a notebook as slides: in JupyterLab, where cells run, or as one HTML file."""

import json
import os
import sys
from pathlib import Path

from coursekit import ROOT
from coursekit.contents import notebook_text, read_notebook
from coursekit.editions import INK, fingerprint, free_place, last_worked_in, lead_home
from coursekit.files import write_atomically
from coursekit.lab import EXTENSIONS, open_lab
from coursekit.lecture.deck import about
from coursekit.lecture.outline import outline

FOLDER = ROOT / "lectures"
STAMP = "lecture_copy"  # the metadata by which a copy knows whether it has been worked in
DECK = EXTENSIONS / "halfspaces-deck" / "static"
SCRIPTS = ("deck.js", "dialogs.js", "overview.js", "notes.js", "pen.js")
ROOM = "coursekit.lecture.room.panel"
START = """
const main = document.querySelector('main'), content = document.createElement('div')
content.append(...main.childNodes)
main.append(content)
const cells = CELLS.map(({id, ...cell}) =>
  ({...cell, node: document.getElementById('cell-id=' + id)}))
window.deck = new Deck({stage: main, content, cells, outline: OUTLINE, name: NAME, style: STYLE})"""


def make_copy(path: Path, folder: Path = FOLDER) -> Path:
    """Write a copy to lecture from beside any that has been worked in; return where it is."""
    target = free_place(folder, path.stem, STAMP)
    worked_in = last_worked_in(folder, path.stem, STAMP)
    if worked_in:
        say(
            f"{folder.name}/{worked_in.name} has changes of yours and stays as it is: this lecture "
            f"has a copy of its own, {target.name}. To go on in the other one, add --last."
        )
    book = lead_home(read_notebook(path))
    book.metadata[STAMP] = fingerprint(cell.source for cell in book.cells)
    folder.mkdir(exist_ok=True)
    write_atomically(target, notebook_text(book))
    return target


def say(text: str) -> None:
    """Tell the lecturer."""
    print(text, file=sys.stderr)


def present(path: Path, options: list[str], minutes: int | None = None) -> None:
    """Open a copy as slides, for a lecture of so many minutes; questions in it can ask the room."""
    os.environ["HALFSPACES_ROOM"] = ROOM
    os.environ["HALFSPACES_PROGRESS"] = ""  # votes of the last lecture would give answers away
    name = path.relative_to(ROOT).as_posix()
    # The address cannot say it, since the token is put behind it.
    told = {"page_config_data": {"halfspacesSlides": name, "halfspacesMinutes": minutes}}
    open_lab(f"/doc/tree/{name}", [f"--ServerApp.tornado_settings={told}", *options])


def write_deck(path: Path) -> None:
    """Write the deck into export/."""
    from coursekit.publish.export import write

    write(f"{path.stem}-slides.html", export_deck(path))


def export_deck(path: Path) -> str:
    """Return the deck as a page that needs no network."""
    from coursekit.publish.export import export

    cells = [cell for cell in read_notebook(path).cells if cell.cell_type != "raw"]
    told = {
        "CELLS": [
            {"id": cell.id, "slide": about(cell), "ink": cell.metadata.get(INK, [])}
            for cell in cells
        ],
        "OUTLINE": outline(cells),
        "NAME": path.stem,
        "STYLE": (DECK / "cockpit.css").read_text("utf-8"),
    }
    script = [
        *((DECK / name).read_text("utf-8") for name in SCRIPTS),
        *(f"const {name} = {as_script(value)}" for name, value in told.items()),
        START,
    ]
    return export(
        path,
        title=f"{path.stem} (slides)",
        style=(DECK / "deck.css").read_text("utf-8"),
        script="\n".join(script),
    )


def as_script(value: object) -> str:
    """Write a value as JavaScript that can stand in a page."""
    return json.dumps(value).replace("</", "<\\/")
