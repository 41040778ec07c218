"""Let live pictures move on a page without a kernel: all their frames are in it, as numbers."""

import base64
import json
import math
import zlib
from itertools import count, product
from typing import Any

import numpy as np
from halfspaces.notebook.controls import Control, Points
from halfspaces.notebook.live import Live
from halfspaces.notebook.picture import SCRIPT, STYLE

MOST = 600  # frames of one picture
MORE = 3  # times as many frames where points are dragged, which need a place in the plane
FIRST = 4  # times as many steps has the first control as others
START = """
for (const place of document.querySelectorAll(".live-player")) {
  const text = atob(place.querySelector("script").textContent)
  const packed = new Blob([Uint8Array.from(text, letter => letter.charCodeAt(0))])
  const stream = packed.stream().pipeThrough(new DecompressionStream("deflate"))
  new Response(stream).json().then(data => mount(place, data))
}
"""


def install_player(most: int = MOST) -> None:
    """Let live views, in the kernel that runs this, display themselves as players."""

    def as_player(view: Live, **_: Any) -> dict[str, str]:
        return {"text/html": player(view, most), "text/plain": view.alt}

    Live._repr_mimebundle_ = as_player  # type: ignore[method-assign]


def player(view: Live, most: int = MOST) -> str:
    """Return a view as HTML that the page's script brings to life."""
    text = json.dumps(film(view, most), separators=(",", ":"))
    packed = base64.b64encode(zlib.compress(text.encode(), 9)).decode()
    return f'<div class="live-player"><script type="text/plain">{packed}</script></div>'


def page_style() -> str:
    """Return the style that all players of a page share."""
    return STYLE.read_text("utf-8")


def page_script() -> str:
    """Return the module that brings all players of a page to life."""
    return SCRIPT.read_text("utf-8") + START


def film(view: Live, most: int = MOST) -> dict[str, Any]:
    """Compute the frames for steps of all controls; layers that frames share are told once."""
    places = some_places(view.sliders, most)
    alone = all(len(chosen) == 1 for chosen in places)
    if alone:
        places = [_ways(control, view, most) for control in view.sliders.values()]
    moving = [i for i, chosen in enumerate(places) if len(chosen) > 1]
    first, pool = dict(view.sketch.first), {}
    first["order"] = [pool.setdefault(layer, len(pool)) for layer in first.pop("layers")]
    frames = []
    for indices in product(*(range(len(chosen)) for chosen in places)):
        at = [chosen[i] for chosen, i in zip(places, indices)]
        frame = view.sketch.frame(at)
        if "layers" in frame:
            base = view.sketch.first["layers"]
            layers = [base[layer] if isinstance(layer, int) else layer for layer in frame["layers"]]
            frame["layers"] = [pool.setdefault(layer, len(pool)) for layer in layers]
        first["glyphs"] |= frame.pop("glyphs", {})
        frames.append([[at[i] if alone else indices[i] for i in moving], frame])
    controls = [
        _describe(name, control, places[i], view)
        for i, (name, control) in enumerate(view.sliders.items())
        if i in moving
    ]
    return {
        "first": first | {"layers": list(pool)},
        "controls": controls,
        "alt": view.alt,
        "frames": frames,
    }


def _describe(name: str, control: Control, places: list[Any], view: Live) -> dict[str, Any]:
    """Describe a control that has some of its steps only."""
    about = control.describe(name)
    if isinstance(control, Points):
        return about | {"alone": True, "snap": _grid(control, view, len(places))[0]}
    steps = [about["steps"][place] for place in places]
    return about | {"steps": steps, "start": places.index(about["start"])}


def _ways(control: Control, view: Live, most: int) -> list[Any]:
    """Return where points are if one of them is elsewhere on a grid, or has its label flipped."""
    start = control.describe("")["start"]
    if not isinstance(control, Points):
        return [start]
    _, xs, ys = _grid(control, view, MORE * most)
    found = [start]
    for i, (x, y, label) in enumerate(start):
        others = [[u, v, label] for u in xs for v in ys if (u, v) != (x, y)]
        found += [[*start[:i], place, *start[i + 1 :]] for place in [[x, y, -label], *others]]
    return found


def _grid(control: Points, view: Live, most: int) -> tuple[float, list[float], list[float]]:
    """Return the finest step, and the places along both axes, with which there are not too many."""
    about = control.describe("")
    space = view.sketch.first["axes"][control.axes]
    finest = about["snap"] or 10 ** math.floor(math.log10(abs(space["x"][1] - space["x"][0]) / 50))
    for times in count(1):
        step = times * finest
        xs, ys = (_multiples(step, *sorted(space[axis])) for axis in "xy")
        if len(about["start"]) * len(xs) * len(ys) <= most:
            return step, xs, ys
    raise AssertionError("a step as large as the picture leaves one place")


def _multiples(step: float, low: float, high: float) -> list[float]:
    """Return the places of a grid, as the script rounds them."""
    return [round(k * step, 6) for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def some_places(controls: dict[str, Control], most: int = MOST) -> list[list[Any]]:
    """Choose so many steps of each control that there are not too many frames; points stay."""
    counts = np.array([len(control.steps) for control in controls.values()])
    shares = np.where(np.arange(len(counts)) == 0, FIRST, 1)
    while counts.prod() > most:
        counts[(counts / shares).argmax()] -= 1
    return [some_of(control, n) for control, n in zip(controls.values(), counts)]


def some_of(control: Control, most: int) -> list[Any]:
    """Return the places of so many steps or one more, with both ends and the start."""
    if isinstance(control, Points):
        return [control.describe("")["start"]]
    last = len(control.steps) - 1
    places = {round(i) for i in np.linspace(0, last, min(most, last + 1))}
    return sorted(places | {control.steps.index(control.nearest(None))})
