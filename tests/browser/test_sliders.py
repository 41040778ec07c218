"""Live pictures in JupyterLab, moved by mouse and keyboard: picture and numbers follow."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from coursekit import ROOT
from coursekit.browser import CONTRAST, OURS, Sheet, violations_in_sight
from coursekit.contents import KERNEL

pytestmark = pytest.mark.browser
# MathJax's thousands of letters have the colour of their text, and would take axe most of its time.
EMPTY = "for (const one of document.querySelectorAll('mjx-container')) one.replaceChildren()"
ANSWER = """
from ipywidgets.widgets import widget
from halfspaces.notebook.live import Sketch
from halfspaces.notebook.picture import Picture
if "twins" not in globals():
    pictures = [w for w in widget._instances.values() if isinstance(w, Picture)]
    twins = [Sketch(w.view) for w in pictures]  # untouched by any hand
def answer(place, at, turns):
    frame = twins[place].frame(at, turns)
    numbers = frame.get("numbers", frame.get("error"))
    return numbers if isinstance(numbers, str) else " ".join(f"{n} {v}" for n, v in numbers)
"""
# Whether a view has still to draw, for which place it is drawn, where its sliders and choices are,
# and its numbers
STATE = """node => [
    node.getAttribute("aria-busy"),
    node.dataset.at,
    [...node.querySelectorAll(".live-row")].flatMap(row => {
        const range = row.querySelector("input[type=range]")
        const radios = [...row.querySelectorAll("input[type=radio]")]
        return range ? [+range.value] : radios.length ? [radios.findIndex(r => r.checked)] : [] }),
    [...node.querySelectorAll(".live-numbers")].map(
        numbers => numbers.innerText.split(/\\s+/).filter(Boolean).join(" ")).join(" "),
]"""
SAMPLE = [
    """from halfspaces import Halfspace, datasets, separate
from halfspaces.notebook.figures import (draw_halfspace, draw_hulls, draw_plane, draw_points,
    draw_points_in_space, set_plane, set_space)
from halfspaces.notebook.live import Choice, Points, Slider, live
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
live(turn, alt="A line.", a=Slider(-1, 1, 0.1, value=0, label="slope"),
     b=Slider(0.1, 10, 0.25, value=1, log=True), side=Choice(["up", "down"]))""",
    """def fails(fig):
    line, = fig.add_subplot().plot([0, 5], [0, 0])
    def update(t):
        if t == 5:
            raise ValueError("five is <i>too much</i>")
        line.set_ydata([0, t])
        return f"t is {t}"
    return update
live(fails, alt="A line that fails at 5.", t=Slider(0, 5, value=1, play=True))""",
    """def parted(fig):
    ax = fig.add_subplot(xlim=(-6, 6), ylim=(-4, 4), aspect="equal")
    line = draw_halfspace(ax, Halfspace([1, 0]))
    hulls, dots = draw_hulls(ax, [[0, 0]], [1]), draw_points(ax, [[0, 0]], [1])
    def update(data):
        found = separate(*data)
        line(found.halfspace or Halfspace([0, 0], 1))
        hulls(*data, found)
        dots(*data)
        return {"separable": "yes" if found else "no", "points": len(data.X)}
    return update
live(parted, alt="Points to drag.",
     data=Points([[1, 2], [2, -1], [-3, 1], [-2, -2]], [1, 1, -1, -1], snap=1))""",
    """def box(fig):
    ax = fig.add_subplot(projection="3d")
    P, labels = datasets.animals()
    set_space(ax, P)
    draw_points_in_space(ax, P, labels)
    move = draw_plane(ax, Halfspace([1, 1, 1], 4))
    def update(b):
        move(Halfspace([1, 1, 1], b))
        return {"b": b}
    return update
live(box, alt="A box to turn.", b=Slider(1, 7, value=4))""",
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


class Shown:
    """One live view in the page."""

    def __init__(self, sheet: Sheet, place: int):
        self.sheet, self.place = sheet, place
        self.node = sheet.page.locator(".live-view").nth(place)
        self.sliders = self.node.locator("input[type=range]")
        self.handles = self.node.locator(".live-points button")

    def settle(self) -> list[Any]:
        """Wait until picture and numbers are those of where the controls are; return where."""
        for _ in range(100):
            shown = self.node.get_attribute("data-at")
            at, turns = json.loads(shown)
            right = self.sheet.ask(ANSWER, f"answer({self.place}, {at!r}, {turns!r})")
            moved = [value for value in at if isinstance(value, int)]
            found = self.node.evaluate(STATE)
            if found == [None, shown, moved, " ".join(right.split())]:
                return at
            self.sheet.page.wait_for_timeout(50)
        raise AssertionError(f"shown: {found}, and right at {at}: {right}")

    def text(self) -> str:
        return " ".join(self.node.locator(".live-numbers").inner_text().split())

    def picture(self) -> str:
        return self.node.locator("svg").first.inner_html()

    def drag(self, slider: Any, share: float) -> None:
        """Drag the handle of a slider to a share of its track, and past the end."""
        left, top, width, height = self.sheet.box(slider)
        last = int(slider.get_attribute("max"))
        start = left + 8 + (width - 16) * int(slider.input_value()) / last
        self.pull(start, top + height / 2, left + width * (1.2 * share - 0.1), top + height / 2)

    def pull(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Press the mouse at one place and release it at another."""
        mouse = self.sheet.page.mouse
        mouse.move(x, y)
        mouse.down()
        for k in range(1, 7):
            mouse.move(x + (to_x - x) * k / 6, y + (to_y - y) * k / 6)
        mouse.up()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.sheet.page.keyboard.press(key)


@pytest.fixture
def sample(page, desk) -> Iterator[Sheet]:
    opened = desk.open(page, "sample.ipynb")
    opened.command("notebook:run-all-cells")
    page.locator(".live-view").nth(3).wait_for()
    yield opened
    assert faults(opened) == []


def wear(page: Any, dark: bool) -> None:
    """Change JupyterLab's theme."""
    page.evaluate(
        "theme => jupyterapp.commands.execute('apputils:change-theme', {theme})",
        f"JupyterLab {'Dark' if dark else 'Light'}",
    )
    page.locator(f"body[data-jp-theme-light={str(not dark).lower()}]").wait_for(state="attached")
    # JupyterLab removes its splash once for each change, which fails if the second comes too soon.
    page.locator("#jupyterlab-splash").wait_for(state="detached")


def faults(sheet: Sheet) -> list[str]:
    """Return errors of the page, but for what JupyterLab says when a kernel restarts."""
    noise = "Canceled future for"
    return [error for error in sheet.errors if noise not in error] + sheet.tracebacks()


def test_sliders_of_a_sample(sample):
    check_views(sample, 1)
    failing = Shown(sample, 1)
    failing.drag(failing.sliders, 1)
    failing.node.get_by_text("No picture here: five is <i>too much</i>").wait_for()
    failing.press("ArrowLeft")
    assert failing.settle() == [4]
    for name, place in (("one step back", 3), ("one step back", 2), ("one step on", 3)):
        failing.node.get_by_role("button", name=name).click()
        assert failing.settle() == [place]
    failing.node.get_by_role("button", name="play").click()
    failing.node.get_by_text("No picture here").wait_for()
    failing.node.locator("p.live-said:empty").wait_for(state="attached")  # an alert is said once
    failing.node.locator("button:has-text('Reset')").click()
    assert failing.settle() == [1]
    picture = failing.node.locator("svg").first
    assert picture.get_attribute("aria-label") == "A line that fails at 5."
    failing.node.locator("[role=status]:has-text('t is 1')").wait_for(state="attached")


def test_points_are_dragged_by_mouse_and_keyboard(sample):
    shown = Shown(sample, 2)
    left, top, width, height = sample.box(shown.handles.nth(0))
    across = sample.box(shown.handles.nth(1))[0] - left  # one unit
    x, y = left + width / 2, top + height / 2
    shown.pull(x, y, x - 2.1 * across, y + 0.3 * across)
    shown.node.get_by_role("definition").filter(has_text="yes").wait_for()
    assert shown.settle()[0][0] == [-1, 2, 1]
    shown.handles.nth(1).focus()
    shown.press("ArrowUp", "Shift+ArrowLeft", "f")
    assert shown.settle()[0][1] == [-3, 0, -1]
    shown.press("Control+z")
    assert shown.settle()[0][1] == [-3, 0, 1] and "separable no" in shown.text()
    shown.press("a")
    assert len(shown.settle()[0]) == 5
    shown.press("Delete")
    assert len(shown.settle()[0]) == 4
    for _ in range(9):
        shown.press("Delete")
    assert len(shown.settle()[0]) == 1
    shown.node.locator("button:has-text('Reset')").click()
    start = [[1, 2, 1], [2, -1, 1], [-3, 1, -1], [-2, -2, -1]]
    assert shown.settle() == [start]
    shown.node.get_by_role("button", name="Undo").click()
    assert len(shown.settle()[0]) == 1
    box = shown.node.locator("svg").first.bounding_box()
    sample.page.mouse.dblclick(box["x"] + 0.7 * box["width"], box["y"] + 0.3 * box["height"])
    assert len(shown.settle()[0]) == 2
    sample.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown.node.get_by_role("button", name="Copy").click()
    shown.node.get_by_text("copied").wait_for()
    copied = sample.page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("X = np.array([[") and "\ny = np.array([" in copied


def test_a_box_is_turned(sample):
    shown = Shown(sample, 3)
    before = shown.picture()
    left, top, width, height = sample.box(shown.node.locator(".live-turner"))
    shown.pull(left + width / 2, top + height / 2, left + width / 2 + 60, top + height / 2)
    shown.settle()
    turned = shown.picture()
    assert turned != before
    shown.sliders.press("ArrowRight")
    assert shown.settle() == [4]
    shown.node.locator(".live-turner").press("ArrowLeft")
    shown.settle()
    shown.node.locator("button:has-text('Reset')").click()
    shown.settle()
    assert shown.picture() == before


def test_two_pictures_theme_and_restart(sample):
    one, two = Shown(sample, 0), Shown(sample, 1)
    one.sliders.nth(0).press("End")
    two.sliders.press("Home")
    assert one.settle()[0] == 20 and two.settle() == [0]
    colour = "node => getComputedStyle(node.querySelector('svg g g')).fill"
    light = one.node.evaluate(colour)
    wear(sample.page, dark=True)
    assert one.node.evaluate(colour) != light == "rgb(255, 255, 255)"
    wear(sample.page, dark=False)
    prepared = two.node.evaluate("node => node.dataset.at")
    sample.command("notebook:restart-kernel")
    two.sliders.press("ArrowRight")  # its frame is there
    assert two.node.get_attribute("data-at") != prepared
    sample.command("notebook:restart-run-all")
    sample.page.locator(".live-view").nth(3).wait_for()
    sample.page.wait_for_function("document.querySelectorAll('.live-view').length === 4")
    assert Shown(sample, 1).settle() == [1]


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
    opened.command("notebook:run-all-cells")
    page.locator(".live-view").first.wait_for()
    check_views(opened, page.locator(".live-view").count())
    page.evaluate(EMPTY)
    assert violations_in_sight(page, OURS) == []
    wear(page, dark=True)
    assert violations_in_sight(page, OURS, CONTRAST) == []
    assert faults(opened) == []


def check_views(sheet: Sheet, count: int) -> None:
    """Move every control of so many views to both ends, by mouse and by keyboard."""
    for place in range(count):
        shown = Shown(sheet, place)
        shown.node.scroll_into_view_if_needed()
        # When all frames are there, so is the room for their numbers.
        shown.node.and_(sheet.page.locator("[data-ahead=ready]")).wait_for()
        height, start, first = shown.node.bounding_box()["height"], shown.settle(), shown.picture()
        for slider in shown.sliders.all():
            pictures = {str(shown.settle()): shown.picture()}
            for share in (0, 1):
                shown.drag(slider, share)
                pictures[str(shown.settle())] = shown.picture()
            slider.focus()
            shown.press("ArrowLeft")
            pictures[str(shown.settle())] = shown.picture()
            assert len(pictures) >= 3 and len(set(pictures.values())) >= 2, "it moves nothing"
        for option in shown.node.locator(".live-choice label").all():
            option.click()
            shown.settle()
        assert shown.node.bounding_box()["height"] == height
        shown.node.locator("button:has-text('Reset')").click()
        assert shown.settle() == start and shown.picture() == first
