"""Open a notebook as slides: in JupyterLab, where cells run and sliders move, or as one HTML file (--export)."""

import json
import os
from html import escape
from pathlib import Path

import nbformat

from coursekit import ROOT
from coursekit.lab import EXTENSIONS, open_lab

DECK = EXTENSIONS / "halfspaces-deck" / "static"
START = """
const main = document.querySelector('main'), content = document.createElement('div')
content.append(...main.childNodes)
main.append(content)
window.deck = new Deck({stage: main, content, cells: SLIDES.flatMap(([id, slide]) => {
  const node = document.getElementById('cell-id=' + id)
  return node ? [{node, slide}] : []
})})"""


def present(path: Path, options: list[str]) -> None:
    """Open a notebook of the project as slides; questions in it can ask the room."""
    os.environ["HALFSPACES_ROOM"] = "coursekit.lecture.room.panel"
    name = path.relative_to(ROOT).as_posix()
    told = {
        "page_config_data": {"halfspacesSlides": name}
    }  # the address cannot say it: the token is put behind it
    open_lab(f"/doc/tree/{name}", [f"--ServerApp.tornado_settings={told}", *options])


def write_deck(path: Path) -> None:
    """Write the deck into export/."""
    from coursekit.publish.export import write

    write(f"{path.stem}-slides.html", export_deck(path))


def export_deck(path: Path) -> str:
    """Return the deck as a page that needs no network."""
    from coursekit.publish.export import export

    cells = nbformat.read(path, as_version=4).cells
    slides = json.dumps([(cell.id, cell.metadata.get("slideshow", {})) for cell in cells]).replace(
        "</", "<\\/"
    )
    style = f"<style>{(DECK / 'deck.css').read_text('utf-8')}</style>"
    script = f"{(DECK / 'deck.js').read_text('utf-8')}\nconst SLIDES = {slides}{START}"
    page = export(path).replace("</head>", style + "</head>", 1)
    return page.replace(
        f"<title>{escape(path.stem)}", f"<title>{escape(path.stem)} (slides)", 1
    ).replace("</body>", f"<script>{script}</script></body>", 1)
