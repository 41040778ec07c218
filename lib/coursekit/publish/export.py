"""Write a notebook as one HTML file without kernel or network, whose sliders still move.

The frames of every live view are computed beforehand (player.py), and mathematics becomes MathML,
which browsers draw by themselves.
"""

import re
import subprocess
import sys
import time
from html import escape
from pathlib import Path
from typing import Any

import nbclient
import nbformat
from jinja2 import pass_context
from latex2mathml.converter import convert
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from coursekit import ROOT
from coursekit.publish.player import page_script

INSTALL = "from coursekit.publish.player import install_player; install_player()"
STYLE = """<style>
math { font-size: 1.1em; font-family: "STIX Two Math", "Latin Modern Math", "Cambria Math", math }
 math[display=block] { margin: 1em 0; overflow-x: auto } img { max-width: 100% }
</style>"""


def main(argv: list[str]) -> int:
    """Export the notebooks whose numbers are given, or all of them."""
    paths = [
        path
        for number in argv or [""]
        for path in sorted((ROOT / "notebooks").glob(f"{number}*.ipynb"))
    ]
    if not paths:
        print(f"There is no notebook {' '.join(argv)} in notebooks/.", file=sys.stderr)
        return 2
    for path in paths:
        write(f"{path.stem}.html", export(path))
    return 0


def write(name: str, page: str) -> None:
    """Put a page into export/, whole or not at all, and say how large it is."""
    target = ROOT / "export" / name
    target.parent.mkdir(exist_ok=True)
    fresh = target.with_suffix(".new")
    fresh.write_text(page, encoding="utf-8")
    fresh.replace(target)
    print(f"{target.relative_to(ROOT)}  {target.stat().st_size / 1e6:.1f} MB")


def export(path: Path) -> str:
    """Return the notebook as a page."""
    book = nbformat.read(path, as_version=4)
    first = next(cell for cell in book.cells if cell.cell_type == "code")
    first.source, source = f"{INSTALL}\n{first.source}", first.source
    start, cells = time.monotonic(), len(book.cells)

    def progress(cell_index: int, **_: Any) -> None:
        print(
            f"{time.monotonic() - start:4.0f} s  {path.stem}: cell {cell_index + 1} of {cells}",
            file=sys.stderr,
        )

    client = nbclient.NotebookClient(
        book,
        timeout=1200,
        kernel_name="python3",
        on_cell_executed=progress,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute(stderr=subprocess.DEVNULL)  # where kernels write warnings
    first.source = source
    for output in (output for cell in book.cells for output in cell.get("outputs", [])):
        put_alt_text(output)
    book.metadata.pop("widgets", None)
    page, _ = Page(template_name="lab", embed_images=True).from_notebook_node(book)
    page = re.sub(r"<title>.*?</title>", f"<title>{escape(path.stem)}</title>", page, count=1)
    page = only_players(page).replace("</head>", STYLE + "</head>", 1)
    return page.replace("</body>", page_script() + "</body>", 1)


def put_alt_text(output: Any) -> None:
    """Write a picture that has alt text as HTML: the template would leave the text out."""
    about = output.get("metadata", {}).get("image/png", {})
    if "alt" in about:
        size = "".join(f' {side}="{about[side]}"' for side in ("width", "height") if side in about)
        output.data = {
            "text/html": f'<img alt="{escape(about["alt"])}"{size} '
            f'src="data:image/png;base64,{output.data["image/png"].strip()}">'
        }


def only_players(page: str) -> str:
    """Drop the scripts that the template would load from the network."""
    return re.sub(r"<script\b(?![^>]*data-player)[^>]*>.*?</script>", "", page, flags=re.DOTALL)


class WithMathML(IPythonRenderer):
    """Render Markdown with its mathematics as MathML."""

    def inline_math(self, body: str) -> str:
        """Convert mathematics within a line."""
        return convert(body)

    def block_math(self, body: str) -> str:
        """Convert mathematics of its own line."""
        return convert(body, display="block")

    def latex_environment(self, name: str, body: str) -> str:
        """Convert an environment, whose numbering MathML does not have."""
        return convert(rf"\begin{{{name}}}{body}\end{{{name}}}", display="block")


class Page(HTMLExporter):
    """Export to HTML with mathematics that needs no script."""

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
