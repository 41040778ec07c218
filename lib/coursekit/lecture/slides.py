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
window.deck = new Deck({stage: main, content, cells: SLIDES.flatMap(([id, slide]) => {
  const node = document.getElementById('cell-id=' + id)
  return node ? [{node, slide}] : []
})})"""


def main(argv: list[str]) -> int | None:
    """Open the deck whose number is given; other options go to jupyter lab."""
    path, options = choose(argv, "slides NUMBER [--export]")
    if not path:
        return 2
    if "--export" in options:
        from coursekit.publish.export import write

        write(f"{path.stem}-slides.html", export_deck(path))
        return 0
    return present(path, options)


def choose(argv: list[str], usage: str) -> tuple[Path | None, list[str]]:
    """Return the notebook whose number is given and the options; ask for the number if it is no notebook's."""
    numbers, options = (
        [arg for arg in argv if not arg.startswith("-")],
        [arg for arg in argv if arg.startswith("-")],
    )
    paths = {path.name[:2]: path for path in sorted((ROOT / "notebooks").glob("*.ipynb"))}
    path = paths.get(numbers[0].zfill(2)) if len(numbers) == 1 else None
    if not path:
        print(
            f"Which notebook? python3 course.py {usage}; there are {', '.join(paths)}.",
            file=sys.stderr,
        )
    return path, options


def present(path: Path, options: list[str]) -> None:
    """Open a notebook of the project as slides; questions in it can ask the room."""
    os.environ["HALFSPACES_ROOM"] = "coursekit.lecture.room.panel"
    name = path.relative_to(ROOT).as_posix()
    told = {
        "page_config_data": {"halfspacesSlides": name}
    }  # the address cannot say it: the token is put behind it
    open_lab(f"/doc/tree/{name}", [f"--ServerApp.tornado_settings={told}", *options])


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
