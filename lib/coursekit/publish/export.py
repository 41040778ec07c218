"""Write a notebook as one HTML file that needs neither a kernel nor a network, and whose sliders still move.

The frames of every live view are computed beforehand, over the steps of its first two sliders, and mathematics
becomes MathML, which browsers draw by themselves.
"""

import base64
import io
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from html import escape
from itertools import product
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import numpy as np
from halfspaces.notebook.live import Live
from halfspaces.notebook.panel import as_html, as_text
from jinja2 import pass_context
from latex2mathml.converter import convert
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from PIL import Image

from coursekit import ROOT
from coursekit.contents import all_notebooks
from coursekit.files import write_atomically

INSTALL = "from coursekit.publish.export import install_player; install_player()"
MOST = {1: 61, 2: 9}  # steps of each slider that moves; any others stay where they start
FRAME_DPI = 150
PLAYER = """(figure => {
  const frames = JSON.parse(figure.querySelector('[type="application/json"]').textContent)
  const inputs = [...figure.querySelectorAll('input')]
  const show = () => {
    const frame = frames[inputs.reduce((index, input) => index * (+input.max + 1) + +input.value, 0)]
    inputs.forEach((input, i) => {
      input.nextElementSibling.value = frame.at[i]
      input.setAttribute('aria-valuetext', frame.at[i])
    })
    figure.querySelector('img').src = 'data:image/webp;base64,' + frame.picture
    figure.querySelector('.numbers').innerHTML = frame.numbers
  }
  inputs.forEach(input => input.addEventListener('input', show))
  show()
})(document.currentScript.parentElement)"""
STYLE = """<style>
.player label { display: grid; grid-template-columns: 10em minmax(0, 30em) 6em; gap: 1em; align-items: center }
.player { margin: 0 } .player > div { display: flex; flex-wrap: wrap; gap: 1em }
math { font-size: 1.1em; font-family: "STIX Two Math", "Latin Modern Math", "Cambria Math", math }
 math[display=block] { margin: 1em 0; overflow-x: auto } img { max-width: 100% }
</style>"""


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
    return only_players(page).replace("</head>", STYLE + "</head>", 1)


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


def install_player() -> None:
    """Let live views, in the kernel that runs this, display themselves as players."""
    Live._repr_mimebundle_ = lambda view, **_: {"text/html": player(view), "text/plain": view.alt}


def player(view: Live) -> str:
    """Return a view as HTML: a native input for each slider that moves, and all their frames."""
    moving = list(view.sliders)[:2]
    steps = {name: some_steps(view.sliders[name], MOST[len(moving)]) for name in moving}
    inputs = "".join(
        f'<label><span>{escape(view.sliders[name].label or name)}</span><input type="range" min="0" '
        f'max="{len(values) - 1}" value="{values.index(view.values()[name])}"><output></output></label>'
        for name, values in steps.items()
    )
    data = json.dumps(list(frames(view, steps))).replace("</", "<\\/")
    width, height = (round(100 * inches) for inches in view.size)
    return (
        f'<figure class="player">{inputs}<div><img alt="{escape(view.alt)}" width="{width}" height="{height}">'
        f'<div class="numbers"></div></div><script data-player type="application/json">{data}</script>'
        f"<script data-player>{PLAYER}</script></figure>"
    )


def some_steps(slider: Any, most: int) -> list[Any]:
    """Return at most so many steps (or one more), both ends and where the slider starts among them."""
    last = len(slider.steps) - 1
    places = {round(i) for i in np.linspace(0, last, min(most, last + 1))} | {
        slider.steps.index(slider.nearest(None))
    }
    return [slider.steps[i] for i in sorted(places)]


def frames(view: Live, steps: dict[str, list[Any]]) -> Iterator[dict[str, Any]]:
    """Compute the picture and the numbers for all combinations of steps."""
    for values in product(*steps.values()):
        file = io.BytesIO()
        try:
            numbers = as_html(view.draw(**dict(zip(steps, values))))
        except Exception as error:
            numbers = as_html(f"No picture here: {error}")
        pixels = Image.fromarray(view.painter.paint(FRAME_DPI)).convert("RGB")
        pixels.quantize(128, dither=Image.Dither.NONE).convert("RGB").save(
            file, "WEBP", lossless=True
        )  # half the size
        yield {
            "at": [as_text(value) for value in values],
            "numbers": numbers,
            "picture": base64.b64encode(file.getvalue()).decode(),
        }
