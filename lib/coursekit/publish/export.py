"""Write a notebook as one HTML file that needs no kernel and no network; its sliders still move.

The frames of every live view are computed beforehand, over the steps of its first two sliders, and
mathematics becomes MathML, which browsers draw by themselves.
"""

import base64
import io
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from html import escape
from itertools import product
from pathlib import Path
from typing import Any

import nbclient
import numpy as np
from halfspaces.notebook.live import Live
from halfspaces.notebook.panel import as_html, as_text
from jinja2 import pass_context
from latex2mathml.converter import convert
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from PIL import Image

from coursekit import ROOT
from coursekit.contents import KERNEL_NAME, all_notebooks, read_notebook
from coursekit.files import write_atomically

INSTALL = "from coursekit.publish.export import install_player; install_player()"
MOST = {1: 61, 2: 9}  # steps of each slider that moves; any others stay where they start
FRAME_DPI = 150
SECONDS = 1200  # for one cell, all frames of its views included
TEMPLATES = Path(__file__).parent / "templates"
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
    about = {"metadata": {"name": title or path.stem, "path": str(path.parent)}}
    page, _ = Page().from_notebook_node(book, about | {"style": style, "script": script})
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
    client.execute(stderr=subprocess.DEVNULL)  # where kernels write warnings
    first.source = source
    return book


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


def install_player() -> None:
    """Let live views, in the kernel that runs this, display themselves as players."""
    Live._repr_mimebundle_ = lambda view, **_: {"text/html": player(view), "text/plain": view.alt}


def player(view: Live) -> str:
    """Return a view as HTML: a native input for each slider that moves, and all their frames."""
    moving = list(view.sliders)[:2]
    steps = {name: some_steps(view.sliders[name], MOST[len(moving)]) for name in moving}
    inputs = "".join(
        f"<label><span>{escape(view.sliders[name].label or name)}</span>"
        f'<input type="range" min="0" max="{len(values) - 1}" '
        f'value="{values.index(view.values()[name])}"><output></output></label>'
        for name, values in steps.items()
    )
    data = json.dumps(list(frames(view, steps))).replace("</", "<\\/")
    width, height = (round(100 * inches) for inches in view.size)
    return (
        f'<figure class="player">{inputs}'
        f'<div><img alt="{escape(view.alt)}" width="{width}" height="{height}">'
        f'<div class="numbers"></div></div><script type="application/json">{data}</script>'
        f"<script>{PLAYER}</script></figure>"
    )


def some_steps(slider: Any, most: int) -> list[Any]:
    """Return at most so many steps (or one more), with both ends and where the slider starts."""
    last = len(slider.steps) - 1
    places = {round(i) for i in np.linspace(0, last, min(most, last + 1))}
    places.add(slider.steps.index(slider.nearest(None)))
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
        few = pixels.quantize(128, dither=Image.Dither.NONE).convert("RGB")  # half the size
        few.save(file, "WEBP", lossless=True)
        yield {
            "at": [as_text(value) for value in values],
            "numbers": numbers,
            "picture": base64.b64encode(file.getvalue()).decode(),
        }
