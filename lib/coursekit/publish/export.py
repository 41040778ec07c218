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
from coursekit.publish.player import page_script, page_style

INSTALL = "from coursekit.publish.player import install_player; install_player()"
SECONDS = 1200  # for one cell, all frames of its views included
WITH_TEX = ("<table>", "<details><summary>Answer:")  # how tables and answers begin
TEMPLATES = Path(__file__).parent / "templates"


def write_pages(paths: list[Path]) -> None:
    """Export the notebooks that are named, or all of them."""
    for path in paths or all_notebooks():
        write(f"{path.stem}.html", export(path))


def write(name: str, page: str) -> None:
    """Put a page into export/, whole or not at all, and say how large it is."""
    target = ROOT / "export" / name
    target.parent.mkdir(exist_ok=True)
    write_atomically(target, page)
    print(f"{target.relative_to(ROOT)}  {target.stat().st_size / 1e6:.1f} MB")


def export(path: Path, title: str = "", style: str = "", script: str = "") -> str:
    """Return the notebook as a page, with a style and a script of its own if there are any."""
    book = run(path)
    about = {
        "metadata": {"name": title or path.stem, "path": str(path.parent)},
        "styles": [formula_style(), page_style(), style],
        "modules": [page_script()],
        "scripts": [script] if script else [],
    }
    page, _ = Page().from_notebook_node(book, about)
    return page


def run(path: Path) -> Any:
    """Return the notebook with its cells run; its live views have become players."""
    book = read_notebook(path)
    first = next(cell for cell in book.cells if cell.cell_type == "code")
    source = first.source
    first.source = f"{INSTALL}\n{source}"
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
    for cell in book.cells:
        for output in cell.get("outputs", []):
            shown = output.get("data", {}).get("text/html", "")
            if shown.startswith(WITH_TEX):
                output["data"]["text/html"] = draw_math(shown)
    return book


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
