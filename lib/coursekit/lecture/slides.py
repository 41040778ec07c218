"""Open a notebook as slides: in JupyterLab, where cells run, or as one HTML file."""

import json
import os
import subprocess
import sys
import tempfile
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

PAPER = 1280, 720  # pixels of a page
MILLISECONDS = 20_000  # of the page's own clock, for its pictures and fonts
SECONDS = 300
PAGES = """
@page { size: 1280px 720px; margin: 0 }
html, body, main.deck-stage { position: static !important; height: auto !important }
html, body, main.deck-stage { padding: 0 !important; margin: 0 !important }
.deck-page { break-inside: avoid; overflow: hidden }
.deck-page + .deck-page { break-before: page }
body > :not(main) { display: none }
"""
PRINT = f"""{START}
document.fonts.load('1em "Halfspaces Math"')
window.addEventListener('load', () => {{
  const sections = deck.slides.map((slide, index) => {{
    deck.go(index, Infinity)
    const section = content.cloneNode()
    section.classList.add('deck-page')
    section.append(deck.heading.cloneNode(true))
    return section
  }})
  deck.fit = () => {{}}
  sections.forEach((section, index) => {{
    section.append(...deck.slides[index].map(cell => cell.node))
    section.style.height = `calc({PAPER[1] - 1}px / ${{section.style.zoom}})`
    for (const {{node}} of deck.slides[index]) node.classList.remove('deck-hidden')
  }})
  content.replaceWith(...sections)
}})"""


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


def write_pdf(path: Path) -> None:
    """Write the deck into export/, a slide a page, as Chromium prints it."""
    from coursekit.browser import FLAGS, executable
    from coursekit.publish.export import write

    chromium = executable()
    if not chromium:
        raise ValueError("Slides become a PDF by Chromium, which is not installed here.")
    with tempfile.TemporaryDirectory() as folder:
        page, made = Path(folder, "slides.html"), Path(folder, "slides.pdf")
        page.write_text(export_deck(path, frames=0, style=PAGES, start=PRINT), encoding="utf-8")
        width, height = PAPER
        told = [
            f"--user-data-dir={folder}/profile",
            f"--window-size={width},{height}",
            f"--virtual-time-budget={MILLISECONDS}",
            f"--print-to-pdf={made}",
            "--no-pdf-header-footer",
            "--headless",
        ]
        subprocess.run(
            [chromium, *FLAGS, *told, page.as_uri()], timeout=SECONDS, capture_output=True
        )
        if not made.is_file():
            raise ValueError("Chromium printed nothing: try it with the page of --export.")
        write(f"{path.stem}-slides.pdf", made.read_bytes())


def export_deck(path: Path, frames: int | None = None, style: str = "", start: str = START) -> str:
    """Return the deck as a page that needs no network; without frames, pictures stand still."""
    from coursekit.publish.export import MOST, export

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
        start,
    ]
    return export(
        path,
        title=f"{path.stem} (slides)",
        style=(DECK / "deck.css").read_text("utf-8") + style,
        script="\n".join(script),
        frames=MOST if frames is None else frames,
        endings=("-slides.html", ".html"),
    )


def as_script(value: object) -> str:
    """Write a value as JavaScript that can stand in a page."""
    return json.dumps(value).replace("</", "<\\/")
