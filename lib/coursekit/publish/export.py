"""Write a notebook as one HTML file without kernel or network, whose sliders still move.

The frames of every live view are computed beforehand (player.py), and mathematics becomes MathML,
which browsers draw by themselves.
"""

import html
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nbclient
from halfspaces.notebook.markdown import MATH
from jinja2 import pass_context
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from coursekit import ROOT
from coursekit.contents import KERNEL_NAME, all_notebooks, read_notebook
from coursekit.files import write_atomically
from coursekit.formulas import style as formula_style
from coursekit.formulas import to_html
from coursekit.publish.player import MOST, page_script, page_style

INSTALL = "from coursekit.publish.player import install_player; install_player({})"
EXPORT = ROOT / "export"
LIVE = "Live picture:"  # how a live view begins to say what it shows
STILL = re.compile(r"\.still\(")  # how its twin is made
NOTEBOOK_LINK = re.compile(r'href="(?P<stem>\d\d[a-z]?-[\w-]+)\.ipynb(?P<place>#[^"]*)?"')
SECONDS = 1200  # for one cell, all frames of its views included
WITH_TEX = ("<table>", "<details><summary>Answer:")  # how tables and answers begin
TEMPLATES = Path(__file__).parent / "templates"


def write_pages(paths: list[Path]) -> None:
    """Export the notebooks that are named, or all of them."""
    paths = paths or all_notebooks()
    for path in paths:
        write(f"{path.stem}.html", export(path, beside=[f"{other.stem}.html" for other in paths]))


def write(name: str, page: str | bytes) -> None:
    """Put a page into export/, whole or not at all, and say how large it is."""
    target = EXPORT / name
    target.parent.mkdir(exist_ok=True)
    write_atomically(target, page)
    print(f"{target.relative_to(ROOT)}  {target.stat().st_size / 1e6:.1f} MB")


def export(
    path: Path,
    title: str = "",
    style: str = "",
    script: str = "",
    frames: int = MOST,
    endings: tuple[str, ...] = (".html",),
    beside: Iterable[str] = (),
) -> str:
    """Return the notebook as a page, with a style and a script of its own if there are any.

    Without frames nothing is run: the outputs are those that are stored, and a picture that would
    move is shown by its twin. What a link leads to is found in export/, in files that will be
    beside the page, by the first ending there is.
    """
    book = run(path, frames) if frames else stored(path)
    draw_outputs(book)
    about = {
        "metadata": {"name": title or path.stem, "path": str(path.parent)},
        "styles": [formula_style(), page_style(), style],
        "modules": [page_script()],
        "dark": "screen and (prefers-color-scheme: dark)",
        "scripts": [script] if script else [],
    }
    page, _ = Page().from_notebook_node(book, about)
    return relink(page, endings, beside)


def run(path: Path, frames: int = MOST) -> Any:
    """Return the notebook with its cells run; its live views have become players."""
    book = read_notebook(path)
    first = next(cell for cell in book.cells if cell.cell_type == "code")
    source = first.source
    first.source = f"{INSTALL.format(frames)}\n{source}"
    start = time.monotonic()

    def progress(cell_index: int, **_: Any) -> None:
        done = f"{path.stem}: cell {cell_index + 1} of {len(book.cells)}"
        print(f"{time.monotonic() - start:4.0f} s  {done}", file=sys.stderr)

    client = nbclient.NotebookClient(
        book,
        timeout=SECONDS,
        kernel_name=KERNEL_NAME,
        store_widget_state=False,
        on_cell_executed=progress,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute(
        stderr=subprocess.DEVNULL,  # where kernels write warnings
        env={**os.environ, "HALFSPACES_PROGRESS": ""},  # a page is for everybody
    )
    first.source = source
    return book


def stored(path: Path) -> Any:
    """Return the notebook with its outputs as they are; the twin of a live view stands for it."""
    book = read_notebook(path)
    live = None
    for cell in book.cells:
        outputs = cell.get("outputs", [])
        if any(output.get("data", {}).get("text/plain", "").startswith(LIVE) for output in outputs):
            live = cell
        elif live and STILL.search(cell.source):
            live.outputs = [output for output in outputs if "image/png" in output.get("data", {})]
            live = None
    return book


def draw_outputs(book: Any) -> None:
    """Turn the TeX in tables and answers into MathML."""
    for cell in book.cells:
        for output in cell.get("outputs", []):
            shown = output.get("data", {}).get("text/html", "")
            if shown.startswith(WITH_TEX):
                output["data"]["text/html"] = draw_math(shown)


def relink(page: str, endings: tuple[str, ...], beside: Iterable[str]) -> str:
    """Let links to notebooks lead to what is exported of them, or else to the notebooks."""

    def lead(match: re.Match[str]) -> str:
        stem, place = match["stem"], match["place"] or ""
        names = [f"{stem}{ending}" for ending in endings]
        found = [name for name in names if name in beside or (EXPORT / name).is_file()]
        return f'href="{found[0] if found else f"../notebooks/{stem}.ipynb"}{place}"'

    return NOTEBOOK_LINK.sub(lead, page)


def draw_math(text: str) -> str:
    """Return HTML whose TeX has become MathML; an escaped dollar becomes a plain one."""

    def draw(match: re.Match[str]) -> str:
        return to_html(html.unescape(match["math_tex"]), display=match["math_mark"] == "$$")

    return re.sub(rf"(?<!\\){MATH}", draw, text).replace(r"\$", "$")


class WithMathML(IPythonRenderer):
    """Render Markdown with its mathematics as MathML."""

    def inline_math(self, body: str) -> str:
        """Convert mathematics within a line."""
        return to_html(body)

    def block_math(self, body: str) -> str:
        """Convert mathematics of its own line."""
        return to_html(body, display=True)

    def latex_environment(self, name: str, body: str) -> str:
        """Convert an environment, whose numbering MathML does not have."""
        return to_html(rf"\begin{{{name}}}{body}\end{{{name}}}", display=True)


class Page(HTMLExporter):
    """Fill the template "course", with mathematics that needs no script."""

    def __init__(self) -> None:
        super().__init__(
            template_name="course",
            extra_template_basedirs=[str(TEMPLATES)],
            embed_images=True,
        )

    @pass_context
    def markdown2html(self, context: Any, source: str) -> str:
        """Convert one cell of text."""
        return MarkdownWithMath(
            renderer=WithMathML(
                escape=False,
                attachments=context.get("cell", {}).get("attachments", {}),
                embed_images=self.embed_images,
                path=context["resources"].get("metadata", {}).get("path", ""),
                exclude_anchor_links=True,
            )
        ).render(source)
