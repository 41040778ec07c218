"""How fast sliders are in a real JupyterLab and Chromium, beside `interact` with the same figure.

Latency is from a key press to the changed picture; pictures a second are counted while the mouse
drags.
"""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
from coursekit.browser import Sheet, browse, missing, serve
from coursekit.contents import KERNEL

from benchmarks.measuring import Row

ROUNDS = 2
PRESSES = 12  # of a key
SECONDS = 4.0  # of dragging
MARGIN = """
import numpy as np
from halfspaces import Halfspace, datasets
from halfspaces.notebook.figures import *
X, y = datasets.separable(200, 2, 0.1, np.random.default_rng(0))
def at(angle):
    h = Halfspace([np.cos(np.radians(angle)), np.sin(np.radians(angle))], 0)
    return h, abs(h.margin(X, y))
def draw(ax, angle):
    set_plane(ax, X)
    draw_points(ax, X, y)
    h, margin = at(angle)
    return draw_halfspace(ax, h), draw_band(ax, h, margin)
def view(fig):
    line, band = draw(fig.add_subplot(), 20)
    def update(angle):
        h, margin = at(angle)
        line(h), band(h, margin)
        return {"margin": margin}
    return update
scale = dict(min=-90, max=90, step=1, value=20)
"""
RBF = """
import numpy as np
from halfspaces import datasets, rbf, solve_svm
from halfspaces.notebook.figures import *
X, y = datasets.circles(100, np.random.default_rng(0))
def at(gamma):
    return solve_svm(X, y, 1.0, rbf(gamma))
def draw(ax, gamma):
    set_plane(ax, X)
    draw_points(ax, X, y)
    return draw_region(ax, at(gamma))
def view(fig):
    region = draw(fig.add_subplot(), 1.0)
    def update(gamma):
        region(at(gamma))
        return {"gamma": gamma}
    return update
scale = dict(min=0.2, max=5.0, step=0.05, value=1.0)
"""
PLAIN_RBF = """
def draw(ax, gamma):
    set_plane(ax, X)
    draw_points(ax, X, y)
    xs, ys = np.linspace(*ax.get_xlim(), 100), np.linspace(*ax.get_ylim(), 100)
    scores = at(gamma).score(np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)).reshape(100, 100)
    ax.contourf(xs, ys, scores, [-99, 0, 99], colors=[LIGHT[-1], LIGHT[1]])
    styles = ["dashed", "solid", "dashed"]
    ax.contour(xs, ys, scores, [-1, 0, 1], colors=[GREEN, INK, GREEN], linestyles=styles)
"""
LIVE = """
from halfspaces.notebook.live import Slider, live
live(view, alt="bench", {name}=Slider(**scale))
"""
INTERACT = """
import matplotlib.pyplot as plt
from ipywidgets import {kind}, interact
def picture({name}):
    fig, ax = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    draw(ax, {name})
    plt.show()
interact(picture, {name}={kind}(**scale));
"""
WATCH = """() => {
  window.pictures = []; window.bad = 0; window.heights = new Set()
  const output = document.querySelector('.jp-OutputArea')
  const place = output.getBoundingClientRect().top
  let shown = output.querySelector('img'), last = shown.src
  addEventListener('keydown', event => { window.pressed = event.timeStamp }, true)
  const look = () => {
    const image = output.querySelector('img'), box = output.getBoundingClientRect()
    heights.add(Math.round(box.height))
    // an image that loads its next picture shows the last one; a new image shows nothing
    if (!image || image !== shown && !image.complete || Math.abs(box.top - place) > 1) {
      bad += 1
    } else if (image.complete && image.src !== last) {
      shown = image
      last = image.src
      pictures.push(performance.now())
    }
    requestAnimationFrame(look)
  }
  look()
}"""


def rows(progress: Callable[[str], None] = lambda message: None) -> Iterator[Row]:
    """Yield pictures a second and latency for each figure, both ways measured in turn."""
    if missing():
        progress(f"sliders are not measured: {missing()}")
        return
    angle = INTERACT.format(name="angle", kind="IntSlider")
    gamma = INTERACT.format(name="gamma", kind="FloatSlider")
    ways = {
        ("margin, 200 points", "live"): MARGIN + LIVE.format(name="angle"),
        ("margin, 200 points", "interact"): MARGIN + angle,
        ("RBF region, 100 × 100", "live"): RBF + LIVE.format(name="gamma"),
        ("RBF region, 100 × 100", "interact"): RBF + PLAIN_RBF + gamma,
    }
    found: dict[tuple[str, str], list[tuple[float, float, str]]] = {way: [] for way in ways}
    with tempfile.TemporaryDirectory() as folder:
        for i, code in enumerate(ways.values()):
            write(Path(folder) / f"{i}.ipynb", code)
        with serve(Path(folder)) as url:
            for _ in range(ROUNDS):
                for i, way in enumerate(ways):
                    progress(f"{way[0]}, {way[1]}")
                    with browse() as page:
                        found[way].append(measure(Sheet(page, url, f"{i}.ipynb")))
    for figure, faster, sooner in (
        ("margin, 200 points", 2.5, 2.5),
        ("RBF region, 100 × 100", 2.0, 2.0),
    ):
        ours, theirs = (
            [statistics.median(values) for values in list(zip(*found[figure, way]))[:2]]
            for way in ("live", "interact")
        )
        note = found[figure, "live"][-1][2]
        yield f"pictures a second, {figure}", ours[0], theirs[0], ours[0] / theirs[0], faster, note
        yield (
            f"ms to the picture, {figure}",
            ours[1],
            theirs[1],
            theirs[1] / ours[1],
            sooner,
            "theirs over ours",
        )


def write(path: Path, code: str) -> None:
    """Write a notebook of one cell."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code.strip())])
    book.metadata["kernelspec"] = KERNEL
    nbformat.write(book, path)


def measure(sheet: Sheet) -> tuple[float, float, str]:
    """Return pictures a second, the median latency in ms, and what went wrong on the way."""
    page = sheet.page
    sheet.command("notebook:run-all-cells")
    page.wait_for_selector(".jp-OutputArea img")
    handle, track = page.locator(".noUi-handle"), page.locator(".noUi-target")
    left, top, width, height = sheet.box(track)
    page.evaluate(WATCH)
    handle.focus()
    delays = [press(page) for _ in range(PRESSES)]
    before = page.evaluate("() => { heights.clear(); bad = 0; return pictures.length }")
    elapsed = drag(page, left, width, top + height / 2)
    seen = page.evaluate("pictures.length") - before
    page.mouse.up()
    bad, heights = page.evaluate("[bad, heights.size]")
    note = f"{bad} blank or moved, {heights} {'height' if heights == 1 else 'heights'}"
    return seen / elapsed, statistics.median(delays), note


def press(page: Any) -> float:
    """Press an arrow key and return the milliseconds until the picture has changed."""
    page.wait_for_timeout(700)  # at rest
    before = page.evaluate("pictures.length")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"pictures.length > {before}", polling=5)
    return page.evaluate(f"pictures[{before}] - pressed")


def drag(page: Any, left: float, width: float, y: float) -> float:
    """Drag the handle to and fro, the mouse still held at the end; return the seconds it took."""
    box = page.locator(".noUi-handle").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < SECONDS:
        page.mouse.move(left + width * abs(elapsed / 2 % 2 - 1), y)
        time.sleep(0.01)
    return elapsed
