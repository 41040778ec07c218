"""What the browser draws of every live view, and what matplotlib draws: they agree."""

import base64
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from coursekit.browser import browse
from coursekit.contents import NOTEBOOKS
from coursekit.publish.pictures import distance
from halfspaces.notebook.figures import DPI
from halfspaces.notebook.live import Live
from halfspaces.notebook.picture import SCRIPT, STYLE
from notebook_runs import run

pytestmark = pytest.mark.browser
PAGE = """<!DOCTYPE html><style>{style} body {{ margin: 0 }}</style><div id="picture"></div>
<script type="module">{script}
window.draw = (first, frame) => {{
  const drawing = new Drawing(first, "a picture")
  drawing.show(frame)
  document.getElementById("picture").replaceChildren(drawing.svg)
}}</script>"""
APART = 6.0  # RMS to 255 of what has no like within two pixels; it is 22 when all moves by six


@pytest.fixture(scope="module")
def easel() -> Iterator[Any]:
    """Open an empty page that can draw."""
    with browse() as page:
        script = SCRIPT.read_text("utf-8")
        page.set_content(PAGE.format(style=STYLE.read_text("utf-8"), script=script))
        page.wait_for_function("!!window.draw")
        yield page


def in_browser(page: Any, view: Live, frame: Any) -> str:
    """Return what the browser draws, as a PNG in base64."""
    page.evaluate("([first, frame]) => draw(first, frame)", [view.sketch.first, frame])
    return base64.b64encode(page.locator("svg").first.screenshot()).decode()


def by_matplotlib(view: Live) -> str:
    """Return what matplotlib draws of the same figure."""
    file = io.BytesIO()
    view.sketch.scene.fig.savefig(file, format="png", dpi=DPI)
    return base64.b64encode(file.getvalue()).decode()


def ends(view: Live) -> list[list[Any]]:
    """Return the places of the controls at the start and at both ends."""
    about = [control.describe(name) for name, control in view.sliders.items()]
    start = [a["start"] for a in about]
    low = [0 if "steps" in a else a["start"] for a in about]
    high = [len(a["steps"]) - 1 if "steps" in a else a["start"] for a in about]
    return [start, low, high]


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_both_draw_the_same(easel, path):
    for view in run(path).views:
        for at in ends(view):
            frame = json.loads(json.dumps(view.sketch.frame(at)))
            apart = distance(by_matplotlib(view), in_browser(easel, view, frame))
            assert apart <= APART, f"{view!r} at {at}: {apart:.2f} apart"
