"""Open a notebook as slides: in JupyterLab, where cells run, or as one HTML file."""

import json
import os
from pathlib import Path

from coursekit import ROOT
from coursekit.contents import read_notebook
from coursekit.lab import EXTENSIONS, open_lab
from coursekit.lecture.deck import about, group

DECK = EXTENSIONS / "halfspaces-deck" / "static"
ROOM = "coursekit.lecture.room.panel"
START = """
const main = document.querySelector('main'), content = document.createElement('div')
content.append(...main.childNodes)
main.append(content)
const cells = CELLS.map(({id, slide}) => ({slide, node: document.getElementById('cell-id=' + id)}))
window.deck = new Deck({stage: main, content, cells, groups: GROUPS})"""


def present(path: Path, options: list[str]) -> None:
    """Open a notebook of the project as slides; questions in it can ask the room."""
    os.environ["HALFSPACES_ROOM"] = ROOM
    os.environ["HALFSPACES_PROGRESS"] = ""  # votes of the last lecture would give answers away
    name = path.relative_to(ROOT).as_posix()
    # The address cannot say it, since the token is put behind it.
    told = {"page_config_data": {"halfspacesSlides": name}}
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
        "CELLS": [{"id": cell.id, "slide": about(cell)} for cell in cells],
        "GROUPS": group([about(cell).get("slide_type") for cell in cells]),
    }
    script = [
        (DECK / "deck.js").read_text("utf-8"),
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
