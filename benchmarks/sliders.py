"""How fast live pictures follow the hand, in a real JupyterLab and Chromium, beside `interact`.

Every live picture of every notebook is dragged three times: at once, when its frames are ready, and
as the same view behind `interact`. A delay is from an input that no picture has answered yet to the
picture that does; pictures a second are counted while the mouse drags.
"""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from coursekit import ROOT
from coursekit.browser import Sheet, browse, missing, serve

from benchmarks.measuring import Row

SECONDS = 2.0  # of each drag
SWEEP = 1.2  # seconds from one end of a slider to the other
FALL = 160  # pixels that the hand sinks while it drags a point
STEPS = 80  # a second, at least, that the hand passes
PATIENCE = 120_000  # ms for all frames of a picture to be ready
BESIDE = """
import ipywidgets
import matplotlib.pyplot as plt
from halfspaces.notebook.picture import Picture
pictures = [w for w in ipywidgets.widget._instances.values() if isinstance(w, Picture)]
def beside(view):
    name, control = next((n, c) for n, c in view.sliders.items() if len(c.steps) > 1)
    def picture(**value):
        fig = plt.figure(figsize=view.size, layout="constrained")
        view.view(fig)(**view.values(**value))
        plt.show()
    slider = ipywidgets.SelectionSlider(options=control.steps, value=control.nearest(None))
    return ipywidgets.interactive(picture, **{name: slider})
for shown in pictures:
    if any(len(control.steps) > 1 for control in shown.view.sliders.values()):
        display(beside(shown.view))
"""
WATCH = """([root, what]) => {
  window.pictures = 0
  window.delays = []
  const live = what === "live"
  let latest, since
  for (const kind of ["input", "pointermove", "mousemove"])
    root.addEventListener(kind, event => {
      if (!event.buttons) return
      latest = event.timeStamp
      if (!live) since ??= latest
    }, true)
  // An input between two whole numbers, say, asks for no picture.
  const asked = new MutationObserver(() => {
    if (root.ariaBusy || state() !== last) since ??= latest
  })
  if (live) asked.observe(root, {attributeFilter: ["aria-busy", "data-at"]})
  const state = () => live ? root.dataset.at : root.querySelector("img")?.src
  let last = state()
  const look = () => {
    if (window.watched !== root) return asked.disconnect()
    const now = state()
    if (now && now !== last) {
      window.pictures += 1
      if (since !== undefined) window.delays.push(performance.now() - since)
      since = undefined
      last = now
    }
    requestAnimationFrame(look)
  }
  window.watched = root
  look()
}"""


@dataclass
class Drag:
    """Hold pictures a second and the delays of drags, one for each live picture."""

    rate: list[float] = field(default_factory=list)
    delay: list[float] = field(default_factory=list)

    def add(self, rate: float, delays: list[float]) -> None:
        """Add one drag; one without a picture took as long as it lasted."""
        self.rate.append(rate)
        self.delay.append(statistics.median(delays) if delays else 1000 * SECONDS)

    def __str__(self) -> str:
        return f"{self.rate[-1]:.0f}/s, {self.delay[-1]:.0f} ms"


def rows(progress: Callable[[str], None] = lambda message: None) -> Iterator[Row]:
    """Yield median and worst of all live pictures, and how they compare with `interact`."""
    if missing():
        progress(f"sliders are not measured: {missing()}")
        return
    first, ready, points, theirs = Drag(), Drag(), Drag(), Drag()
    with tempfile.TemporaryDirectory() as folder:
        names = [
            path.name
            for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
            if write(path, Path(folder) / path.name)
        ]
        with serve(Path(folder)) as url:
            for name in names:
                with browse() as page:
                    for text in measure(Sheet(page, url, name), first, ready, points, theirs):
                        progress(f"{name.partition('-')[0]}, {text}")
    yield from limits("frames ready", ready, 40, 25)
    yield from limits("first drag", first, 12, 80)
    yield from limits("points", points, 12, 80)
    ours, others = statistics.median(ready.rate), statistics.median(theirs.rate)
    yield "pictures a second, beside interact", ours, others, ours / others, 8, "median"
    ours, others = statistics.median(ready.delay), statistics.median(theirs.delay)
    yield "ms to the picture, beside interact", ours, others, others / ours, 5, "theirs over ours"


def limits(what: str, drag: Drag, rate: float, delay: float) -> Iterator[Row]:
    """Yield the medians beside what they must reach, and the worst without a target."""
    fast, slow = statistics.median(drag.rate), min(drag.rate)
    yield f"pictures a second, {what}", fast, rate, fast / rate, 1, f"{len(drag.rate)} pictures"
    yield f"pictures a second, {what}, worst", slow, rate, slow / rate, None, ""
    middle, worst = statistics.median(drag.delay), max(drag.delay)
    yield f"ms to the picture, {what}", middle, delay, delay / middle, 1, "limit over ours"
    yield f"ms to the picture, {what}, worst", worst, delay, delay / worst, None, ""


def write(path: Path, target: Path) -> bool:
    """Copy a notebook with `interact` beside each of its live pictures; tell whether it has any."""
    book = nbformat.read(path, as_version=4)
    book.cells.append(nbformat.v4.new_code_cell(BESIDE.strip()))
    nbformat.write(book, target)
    return any("live(" in cell.source for cell in book.cells)


def measure(sheet: Sheet, first: Drag, ready: Drag, points: Drag, theirs: Drag) -> Iterator[str]:
    """Drag every live picture of a notebook."""
    page = sheet.page
    sheet.command("notebook:run-all-cells")
    views = page.locator(".live-view")
    beside = 0
    for place in range(views.count()):
        view = views.nth(place)
        slider, handle = view.locator("input[type=range]"), view.locator(".live-points button")
        if slider.count():
            first.add(*watch(sheet, view, slider.first, "live"))
            view.and_(page.locator("[data-ahead=ready]")).wait_for(timeout=PATIENCE)
            ready.add(*watch(sheet, view, slider.first, "live"))
            other = page.locator(".widget-interact").nth(beside)
            theirs.add(*watch(sheet, other, other.locator(".noUi-handle"), "interact"))
            beside += 1
            yield f"slider {place}: {ready}, at first {first}, interact {theirs}"
        if handle.count():
            points.add(*watch(sheet, view, handle.first, "live"))
            yield f"points {place}: {points}"


def watch(sheet: Sheet, view: Any, grip: Any, what: str) -> tuple[float, list[float]]:
    """Drag a grip to and fro; return pictures a second and the delays in ms."""
    page = sheet.page
    view.scroll_into_view_if_needed()
    page.evaluate(WATCH, [view.element_handle(), what])
    left, top, width, height = sheet.box(grip)
    sweep, fall = SWEEP, 0
    if what == "live" and width > 100:  # a track: its thumb is where the value is
        steps = int(grip.get_attribute("max"))
        share = int(grip.input_value()) / steps
        x, low, span = left + 8 + (width - 16) * share, left, width
        sweep = min(SWEEP, steps / STEPS)  # or the hand, not the picture, would be what is slow
    else:
        x, low, span = left + width / 2, left - 100, 200
        if what == "live":  # points, which may snap to whole numbers: fast, and to new places
            sweep, fall = SWEEP / 3, FALL
    page.mouse.move(x, top + height / 2)
    page.mouse.down()
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < SECONDS:
        x = low + span * abs(elapsed / sweep % 2 - 1)
        page.mouse.move(x, top + height / 2 + fall * (elapsed / SECONDS - 0.5))
        time.sleep(0.005)
    page.mouse.up()
    seen, delays = page.evaluate("[pictures, delays]")
    page.wait_for_timeout(300)
    return seen / elapsed, delays
