"""Open a notebook as slides: in JupyterLab, where cells run and sliders move, or as one HTML file (--export)."""

import json
import os
import sys
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
new Deck({stage: main, content, cells: SLIDES.flatMap(([id, slide]) => {
  const node = document.getElementById('cell-id=' + id)
  return node ? [{node, slide}] : []
})})"""


def main(argv: list[str]) -> int | None:
    """Open the deck whose number is given; other options go to jupyter lab."""
    numbers, options = [a for a in argv if not a.startswith("-")], [a for a in argv if a.startswith("-")]
    paths = sorted((ROOT / "notebooks").glob(f"{numbers[0]}*.ipynb")) if len(numbers) == 1 else []
    if len(paths) != 1:
        there = ", ".join(path.name[:2] for path in sorted((ROOT / "notebooks").glob("*.ipynb")))
        print(f"Which notebook? python3 course.py slides NUMBER [--export]; there are {there}.", file=sys.stderr)
        return 2
    if "--export" in options:
        from coursekit.export import write

        write(f"{paths[0].stem}-slides.html", export_deck(paths[0]))
        return 0
    return present(paths[0], options)


def present(path: Path, options: list[str]) -> None:
    """Open a notebook of the project as slides; questions in it can ask the room."""
    os.environ["HALFSPACES_ROOM"] = "coursekit.room"
    open_lab(f"/doc/tree/{path.relative_to(ROOT).as_posix()}?slides", options)


def export_deck(path: Path) -> str:
    """Return the deck as a page that needs no network."""
    from coursekit.export import export

    cells = nbformat.read(path, as_version=4).cells
    slides = json.dumps([(cell.id, cell.metadata.get("slideshow", {})) for cell in cells]).replace("</", "<\\/")
    style = f"<style>{(DECK / 'deck.css').read_text('utf-8')}</style>"
    script = f"{(DECK / 'deck.js').read_text('utf-8')}\nconst SLIDES = {slides}{START}"
    page = export(path).replace("</head>", style + "</head>", 1)
    return page.replace(f"<title>{escape(path.stem)}", f"<title>{escape(path.stem)} (slides)", 1).replace(
        "</body>", f"<script>{script}</script></body>", 1)
