"""Every slider of every notebook, moved by mouse and by keyboard in JupyterLab: picture and numbers follow."""

import re
import shutil
from html import unescape
from pathlib import Path
from typing import Any

import nbformat
import pytest
from coursekit.contents import KERNEL
from coursekit import ROOT
from coursekit.browser import Sheet, wait_until_steady

pytestmark = pytest.mark.browser
ANSWER = """
import gc, hashlib
from ipywidgets.widgets import widget
from halfspaces.notebook.figures import SHARP_DPI, new_figure
from halfspaces.notebook.panel import Panel, as_html
if "twins" not in globals():
    boxes = [w for w in widget._instances.values() if "live-view" in getattr(w, "_dom_classes", ())]
    panels = [p for box in boxes for p in gc.get_objects() if isinstance(p, Panel) and p.box is box]
    twins = [p.view.view(new_figure(*p.view.size)) for p in panels]  # untouched by any slider
def answer(place):
    p = panels[place]
    if p.timer:
        p.timer.join()
    values = {name: knob.value for name, knob in p.knobs.items()}
    readouts = [float(format(k.value, k.readout_format.replace("r", "g")))
                for k in p.knobs.values() if hasattr(k, "readout_format")]
    return {"values": values, "readouts": readouts, "html": as_html(twins[place](**p.view.values(**values)) or {}),
            "picture": hashlib.sha256(p.image.value).hexdigest(),
            "right": p.view.frame(SHARP_DPI, **values)[0] == p.image.value}
"""
SAMPLE = [
    """from halfspaces import Halfspace, datasets
from halfspaces.notebook.figures import draw_halfspace, draw_points, set_plane
from halfspaces.notebook.live import Choice, Slider, live
X, y = datasets.three_points()""",
    """def turn(fig):
    ax = fig.add_subplot()
    set_plane(ax, X)
    move = draw_halfspace(ax, Halfspace([1.0, 0.0]))
    draw_points(ax, X, y)
    def update(a, b, side):
        h = Halfspace([a, 1.0] if side == "up" else [a, -1.0], b)
        move(h)
        return {"wrong": int((h(X) != y).sum()), "b": b}
    return update
live(turn, alt="A line.", a=Slider(-1, 1, 0.1, value=0, label="slope"), b=Slider(0.1, 10, 0.25, value=1, log=True),
     side=Choice(["up", "down"]))""",
    """def fails(fig):
    line, = fig.add_subplot().plot([0, 5], [0, 0])
    def update(t):
        if t == 5:
            raise ValueError("five is <i>too much</i>")
        line.set_ydata([0, t])
        return f"t is {t}"
    return update
live(fails, alt="A line that fails at 5.", t=Slider(0, 5, value=1, play=True))""",
]


def write_sample(folder: Path) -> None:
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in SAMPLE])
    book.metadata["kernelspec"] = KERNEL
    nbformat.write(book, folder / "sample.ipynb")


@pytest.fixture(scope="module")
def desk(lab: Any) -> Any:
    """Lay copies of the notebooks, and the sample, on one desk for all tests."""
    desk = lab.desk()
    shutil.copytree(ROOT / "notebooks", desk.folder, dirs_exist_ok=True)
    write_sample(desk.folder)
    return desk


def plain(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


class Shown:
    """One live view in the page."""

    def __init__(self, sheet: Sheet, place: int):
        self.sheet, self.node = sheet, sheet.page.locator(".live-view").nth(place)
        self.place = place

    def settle(self) -> dict:
        """Wait for the picture at rest; check that it and the numbers are those of the sliders' values."""
        for _ in range(40):
            answer = self.sheet.ask(ANSWER, f"answer({self.place})")
            readouts = self.node.locator(".widget-readout").all_inner_texts()
            shown = (
                [float(text.replace("−", "-")) for text in readouts],
                self.text(),
                self.digest(),
                True,
            )
            right = (answer["readouts"], plain(answer["html"]), answer["picture"], answer["right"])
            if shown == right:
                return answer
            self.sheet.page.wait_for_timeout(50)
        raise AssertionError(f"shown: {shown}; expected: {right}")

    def text(self) -> str:
        return " ".join(self.node.locator(".widget-html-content").last.inner_text().split())

    def picture(self) -> tuple[float, float]:
        """Return how far below the top of the view the picture stands, and its height."""
        wait_until_steady(self.node)
        box, around = self.node.locator("img").bounding_box(), self.node.bounding_box()
        return box["y"] - around["y"], box["height"]

    def digest(self) -> str:
        """Return the hash of the picture that the page shows."""
        return self.node.locator("img").evaluate("""async image => {
            const bytes = await (await fetch(image.src)).arrayBuffer()
            return [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))]
                .map(byte => byte.toString(16).padStart(2, "0")).join("") }""")

    def drag(self, track, share: float) -> None:
        """Drag the handle of a slider to a share of its track."""
        left, top, width, height = self.sheet.box(track)
        box = track.locator(".noUi-handle").bounding_box()
        mouse = self.sheet.page.mouse
        mouse.move(box["x"] + box["width"] / 2, top + height / 2)
        mouse.down()
        for k in range(1, 6):
            mouse.move(box["x"] + (left + share * width - box["x"]) * k / 5, top + height / 2)
        mouse.move(left + width * (1.2 * share - 0.1), top + height / 2)  # past the end
        mouse.up()


def test_sliders_of_a_sample(page, desk):
    opened = desk.open(page, "sample.ipynb")
    opened.command("notebook:restart-run-all")
    check_views(opened, 1)
    failing = Shown(opened, 1)
    failing.drag(failing.node.locator(".noUi-target"), 1)
    failing.node.get_by_text("No picture here: five is <i>too much</i>").wait_for()
    opened.page.keyboard.press("ArrowLeft")
    assert failing.settle()["values"] == {"t": 4}
    for name, value in (("step-backward", 3), ("step-backward", 2), ("step-forward", 3)):
        failing.node.locator(f"button:has(.fa-{name})").click()
        assert failing.settle()["values"] == {"t": value}
    failing.node.locator("button:has-text('Reset')").click()
    assert failing.settle()["values"] == {"t": 1}
    assert failing.node.locator("img").get_attribute("title") == "A line that fails at 5."
    assert opened.errors == [] and opened.tracebacks() == []


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
        if "live(" in path.read_text(encoding="utf-8")
    ],
    ids=lambda path: path.stem,
)
def test_sliders_of(page, desk, path):
    opened = desk.open(page, path.name)
    opened.command("notebook:restart-run-all")
    check_views(opened, opened.page.locator(".live-view").count())
    assert opened.errors == [] and opened.tracebacks() == []


def check_views(sheet: Sheet, count: int) -> None:
    assert count
    for place in range(count):
        shown = Shown(sheet, place)
        last = shown.settle()
        place_of_picture = shown.picture()
        for track in shown.node.locator(".noUi-target").all():
            seen = [last]
            for share in (0, 1):
                shown.drag(track, share)
                seen.append(shown.settle())
            track.locator(".noUi-handle").focus()
            sheet.page.keyboard.press("ArrowLeft")
            seen.append(shown.settle())
            pictures = {str(answer["values"]): answer["picture"] for answer in seen}
            assert len(pictures) >= 3 and len(set(pictures.values())) >= 2, (
                "the slider moves nothing"
            )
            last = seen[-1]
        for button in shown.node.locator(".widget-toggle-button").all():
            button.click()
            shown.settle()
        assert shown.picture() == place_of_picture, "the picture jumps"
        shown.node.locator("button:has-text('Reset')").click()
        shown.settle()
