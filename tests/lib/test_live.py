"""Live views: what is shown is what a full drawing shows, whatever moves; no event is lost."""

import io
import re
import sys
import threading
import time

import numpy as np
import pytest
from halfspaces import Halfspace, datasets, rbf, solve_svm
from halfspaces.notebook import figures as draw
from halfspaces.notebook import picture
from halfspaces.notebook.figures import DPI, SHARP_DPI
from halfspaces.notebook.live import Choice, Points, Slider, live
from halfspaces.notebook.panel import REST, Panel, as_html
from PIL import Image
from without import IN_A_BROWSER, NO_THREADS

RNG = np.random.default_rng(0)
X, Y = datasets.separable(60, 2, 0.2, RNG)
T = Slider(-1, 1, 0.25, value=0)


def lines_above_points(fig):
    ax = fig.add_subplot()
    ax.scatter(*X.T)
    (line,) = ax.plot([-1, 1], [0, 0], zorder=5)

    def update(t):
        line.set_ydata([-t, t])
        return {"t": t}

    return update


def fill_below_points(fig):
    ax = fig.add_subplot()
    draw.set_plane(ax, X)
    move = draw.draw_halfspace(ax, Halfspace([1.0, 0.5], 0))
    band = draw.draw_band(ax, Halfspace([1.0, 0.5], 0), 0.2)
    draw.draw_points(ax, X, Y)
    ax.set_title("static, above")
    ax.legend(["one", "two"])

    def update(t):
        move(Halfspace([1.0, t], t / 2))
        band(Halfspace([1.0, t], t / 2), 0.3)

    return update


def quiver_and_text(fig):
    left, right = fig.subplots(1, 2)
    draw.set_plane(left, X)
    move = draw.draw_normal(left, Halfspace([1.0, 0.0], 0))
    title = right.set_title("")
    dots = right.scatter([], [])

    def update(t):
        move(Halfspace([1.0, t], t))
        title.set_text(f"t = {t}")
        dots.set_offsets([[0.5, (t + 1) / 2]])

    return update


def kernel_region(fig):
    ax = fig.add_subplot()
    draw.set_plane(ax, X)
    models = {t: solve_svm(X[:20], Y[:20], 1.0, rbf(1.5 + t)) for t in T.steps}
    region, rings = draw.draw_region(ax, models[0]), draw.draw_support(ax, models[0])
    draw.draw_points(ax, X, Y)

    def update(t):
        region(models[t])
        rings(models[t])

    return update


def limits_and_labels(fig):
    ax = fig.add_subplot()
    ax.plot([0, 1], [0, 1], label="line")
    legend = ax.legend()

    def update(t):
        ax.set_xlim(t, 2)
        ax.set_xlabel(f"{t}")
        legend.get_texts()[0].set_text(f"line {t}")

    return update


def artists_come_and_go(fig):
    ax = fig.add_subplot()
    ax.set(xlim=(-1, 1), ylim=(-1, 1))
    shown = []

    def update(t):
        while shown:
            shown.pop().remove()
        shown.extend(ax.plot([0, t], [0, 1], "k"))
        if t > 0:
            shown.append(ax.text(0, 0, "positive"))

    return update


def hidden_then_shown(fig):
    ax = fig.add_subplot()
    draw.set_plane(ax, 2 * X)
    ax.axis("off")
    text = ax.text(0.5, 0.5, "here")
    move = draw.draw_points(ax, X, Y, numbers=True)

    def update(t):
        text.set_visible(t > 0)
        move(X * (1 + t), Y)

    return update


def turned_in_space(fig):
    ax = fig.add_subplot(projection="3d")
    points, y = datasets.animals()
    draw.set_space(ax, points)
    draw.draw_points_in_space(ax, points, y)
    move = draw.draw_plane(ax, Halfspace([1.0, 1.0, 1.0], 4.0))

    def update(t):
        ax.view_init(azim=90 * t)
        move(Halfspace([1.0, t, 1.0], 4.0))

    return update


def turned_only(fig):
    ax = fig.add_subplot(projection="3d")
    ax.plot([0, 1], [0, 1], [0, 1])
    return lambda t: ax.view_init(azim=90 * t)


def figure_text(fig):
    fig.add_subplot()
    title = fig.suptitle("title")
    return lambda t: title.set_text(f"title {t}")


VIEWS = [
    lines_above_points,
    fill_below_points,
    quiver_and_text,
    kernel_region,
    limits_and_labels,
    artists_come_and_go,
    hidden_then_shown,
    turned_in_space,
    turned_only,
    figure_text,
]


def full_drawing(fig, dpi):
    file = io.BytesIO()
    fig.savefig(file, format="rgba", dpi=dpi)
    width, height = np.round(fig.get_size_inches() * dpi).astype(int)
    return np.frombuffer(file.getvalue(), np.uint8).reshape(height, width, 4)


@pytest.mark.parametrize("view", VIEWS)
def test_painted_is_fully_drawn(view):
    shown = live(view, size=(4, 3), t=T)
    seen = set()
    for step, t in enumerate([0, 0.25, -1, 1, 0.5, 0.5, -0.25]):
        dpi = SHARP_DPI if step in (0, 4) else DPI
        shown.draw(t=t)
        painted = shown.painter.paint(dpi).copy()
        seen.add(painted.tobytes())
        other = live(view, size=(4, 3), t=T)
        other.draw(t=0)
        other.painter.paint(SHARP_DPI)  # the layout is that of the first picture
        other.draw(t=t)
        for artist in other.painter.moving:
            artist.set_animated(False)
        np.testing.assert_array_equal(
            painted, full_drawing(other.painter.fig, dpi), err_msg=f"{view.__name__}, t={t}"
        )
    assert len(seen) >= 5


def test_only_what_moves_is_drawn_again(monkeypatch):
    shown = live(lines_above_points, t=T)
    for t in (0, 0.25):
        shown.frame(t=t)
    drawn = []
    monkeypatch.setattr(shown.painter.canvas, "draw", lambda: drawn.append(1))
    shown.frame(t=0.5)
    assert not drawn
    assert (
        len(shown.painter.moving) <= 6
    )  # the line, the empty titles; not the axes, not the points


def test_slider_steps_are_clean():
    assert Slider(0, 1, 0.1).steps == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
    assert Slider(1, 5).steps == [1, 2, 3, 4, 5] and isinstance(Slider(1, 5).steps[0], int)
    assert Slider(0.01, 100, 0.5, log=True).steps == [
        0.01,
        0.0316228,
        0.1,
        0.316228,
        1,
        3.16228,
        10,
        31.6228,
        100,
    ]
    assert Slider(0, 1, 0.1).nearest(0.30000000000000004) == 0.3
    assert Slider(0.01, 100, 1, value=1, log=True).nearest(None) == 1
    assert Slider(0, 1, 0.1).nearest(None) == 0


def test_values_and_grid():
    view = live(
        lambda fig: lambda a, b, c: {"a": a, "c": c},
        a=Slider(0, 9, value=3),
        b=Slider(0, 1, 0.01),
        c=Choice(["and", "or"]),
    )
    assert view.values() == {"a": 3, "b": 0, "c": "and"}
    assert view.draw(a=7.2, c="or") == {"a": 7, "c": "or"}
    grid = view.grid(3)
    assert len(grid) == 3 * 3 * 2 and {g["b"] for g in grid} == {0, 0.5, 1}
    with pytest.raises(ValueError, match="no slider is called d"):
        view.draw(d=1)
    with pytest.raises(ValueError):
        view.draw(c="nor")
    with pytest.raises(ValueError, match="at least one"):
        live(lines_above_points)


def test_figure_stands_alone():
    view = live(lines_above_points, t=T)
    fig = view.figure(t=1)
    view.frame(t=-1)
    assert fig.axes[0].lines[0].get_ydata()[1] == 1


def test_frame_is_a_jpeg_of_the_right_size():
    picture, numbers = live(lines_above_points, size=(5, 3), t=T).frame(t=0.5)
    image = Image.open(io.BytesIO(picture))
    assert (image.format, image.size, numbers) == ("JPEG", (500, 300), {"t": 0.5})


def failing(fig):
    (line,) = fig.add_subplot().plot([0, 1], [0, 0])

    def update(t):
        if t < 0:
            raise ValueError("t must be <b>positive</b>")
        line.set_ydata([0, t])
        return {"t": t}

    return update


def test_an_exception_is_a_sentence_and_the_slider_goes_on():
    panel = Panel(live(failing, t=T))
    before = panel.image.value
    panel.knobs["t"].value = -0.5
    assert (
        "No picture here: t must be &lt;b&gt;positive" in panel.text.value
        and panel.image.value == before
    )
    panel.knobs["t"].value = 0.5
    assert "0.5" in panel.text.value and panel.image.value != before


def test_the_picture_at_rest_is_sharp_and_the_last():
    panel = Panel(live(lines_above_points, size=(4, 3), t=T))
    sizes = []
    panel.image.observe(
        lambda change: sizes.append(Image.open(io.BytesIO(change.new)).width), "value"
    )
    for t in (0.25, 0.5, 0.75):
        panel.knobs["t"].value = t
    if IN_A_BROWSER:  # which cannot wait for rest: every picture is sharpened at once
        assert sizes == [400, 800] * 3
    else:
        panel.timer.join(10 * REST)
        assert sizes == [400, 400, 400, 800]
    assert panel.image.value == panel.view.frame(SHARP_DPI, t=0.75)[0]


@NO_THREADS
def test_events_in_many_threads_leave_the_picture_of_the_last_value():
    panel = Panel(live(fill_below_points, size=(3, 2), t=Slider(-1, 1, 0.01)))
    knob = panel.knobs["t"]

    def drag(values):
        for value in values:
            knob.value = value
            time.sleep(0.001)

    threads = [threading.Thread(target=drag, args=(np.linspace(-1, s, 25),)) for s in (1, 0.5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    panel.timer.join(20 * REST)
    assert panel.image.value == panel.view.frame(SHARP_DPI, t=knob.value)[0]


def test_reset_and_steps():
    panel = Panel(live(lambda fig: lambda n: {"n": n}, n=Slider(0, 5, value=2, play=True)))
    knob, back, play, step = panel.box.children[0].children[0].children[0].children
    for _ in range(9):
        step.click()
    assert knob.value == 5
    back.click()
    assert knob.value == 4 and ">4<" in panel.text.value
    panel.reset()
    assert knob.value == 2 and ">2<" in panel.text.value
    assert (play.min, play.max) == (0, 5)


def test_knobs_are_labelled():
    view = live(
        lambda fig: lambda **_: "text < html",
        C=Slider(0.01, 1e4, 0.1, value=1, label="price C", log=True),
        n=Slider(1, 9, unit="points"),
        x=Slider(0, 1, 0.05),
        kind=Choice(["and", "or"], "or"),
    )
    panel = Panel(view)
    assert [knob.description for knob in panel.knobs.values()] == [
        "price C",
        "n (points)",
        "x",
        "kind",
    ]
    assert panel.knobs["C"].value == 1 and panel.knobs["x"].readout_format == ".2f"
    assert panel.knobs["kind"].value == "or"
    assert "text &lt; html" in panel.text.value


def test_numbers_as_text():
    assert ">0.3333<" in as_html({"margin": 1 / 3}) and ">12<" in as_html(
        {"mistakes": np.int64(12)}
    )
    assert 'role="status"' in as_html("a") and "aria-live" in as_html("a")
    assert ">a &lt; b<" in as_html({"a < b": 1})


# Frames as numbers


def in_full(sketch, frame):
    """Return the layers of a frame, those it shares with the first one written out."""
    base = sketch.first["layers"]
    return [base[layer] if isinstance(layer, int) else layer for layer in frame["layers"]]


@pytest.mark.parametrize("view", VIEWS)
def test_a_frame_is_the_same_on_every_way(view):
    shown = live(view, size=(4, 3), t=T)
    seen = set()
    for place in (4, 5, 0, 8, 6, 6, 3):
        frame = shown.sketch.frame([place])
        straight = live(view, size=(4, 3), t=T).sketch
        assert in_full(shown.sketch, frame) == in_full(straight, straight.frame([place]))
        seen.add(str(in_full(shown.sketch, frame)))
    assert len(seen) >= 5


def test_only_what_moved_is_sent():
    frame = live(lines_above_points, t=T).sketch.frame([5])
    moved = [layer for layer in frame["layers"] if isinstance(layer, str)]
    assert len(moved) == 1 and moved[0].startswith("p|") and len(moved[0]) < 120
    assert frame["numbers"] == [["t", "0.25"]]


@pytest.mark.parametrize("view", VIEWS)
def test_every_letter_has_its_outline(view):
    sketch = live(view, size=(4, 3), t=T).sketch
    for place in range(9):
        frame = sketch.frame([place])
        known = sketch.first["glyphs"] | frame.get("glyphs", {})
        texts = re.findall(r"^t\|.*", "\n".join(in_full(sketch, frame)), re.MULTILINE)
        runs = [run for text in texts for run in text.split("|")[4:] if not run.startswith("bar")]
        letters = {int(n) for run in runs for n in run.partition(":")[2].split(" ")[::3]}
        assert letters and letters <= known.keys()


def test_of_many_markers_at_most_one_stands_on_a_pixel():
    def crowd(fig):
        ax = fig.add_subplot()
        ax.plot(np.linspace(0, 1, 5000), np.zeros(5000), "o")
        few = ax.plot([0, 0, 1], [1, 1, 1], "o")[0]
        return lambda t: few.set_alpha(t)

    frame = live(crowd, t=Slider(0.5, 1, 0.5)).sketch.first
    markers = [layer.split("|") for layer in frame["layers"] if layer.startswith("m|")]
    counts = [len(parts[-1].split()) // 2 for parts in markers]
    width = frame["axes"][0]["box"][2] / 10
    assert 3 in counts  # few may hide each other
    assert 0.8 * width < max(counts) <= width


def test_cells_of_an_image_are_outlined_once():
    def stripes(fig):
        image = fig.add_subplot().imshow(np.zeros((3, 4)), cmap="gray", vmin=0, vmax=1)

        def update(t):
            image.set_data(np.arange(12).reshape(3, 4) % 4 < 2 + 2 * t)

        return update

    sketch = live(stripes, t=Slider(0, 1)).sketch
    (line,) = (layer for layer in in_full(sketch, sketch.frame([0])) if layer.startswith("i|"))
    boxes = re.findall(r"M(\d+) (\d+)H(\d+)V(\d+)H\d+z", line)
    area = sum((int(c) - int(a)) * (int(d) - int(b)) for a, b, c, d in boxes)
    assert area == 12 and len(boxes) == 2  # rows that are alike in one


def test_a_box_is_turned_by_hand_and_back():
    sketch = live(turned_in_space, size=(4, 3), t=T).sketch
    usual = sketch.first["axes"][0]["turn"]
    before = in_full(sketch, sketch.frame([4], [usual]))
    turned = sketch.frame([4], [[30, 40]])
    assert turned["axes"][0]["turn"] == [30, 40] and in_full(sketch, turned) != before
    assert in_full(sketch, sketch.frame([4], [usual])) == before


def test_an_exception_in_a_frame_is_a_sentence():
    sketch = live(failing, t=T).sketch
    assert sketch.frame([0]) == {"error": "No picture here: t must be <b>positive</b>"}
    assert sketch.frame([6])["numbers"] == [["t", "0.5"]]
    for nonsense in ([99], ["x"], [], [1, 2], [None]):
        assert "error" in sketch.frame(nonsense)


def test_an_exception_in_the_first_frame_is_a_sentence():
    sketch = live(failing, t=Slider(-1, 1, 0.5)).sketch
    assert "positive" in sketch.first["error"] and sketch.first["layers"]
    assert sketch.frame([4])["numbers"] == [["t", "1"]]


def test_a_view_gets_points_and_labels():
    def count(fig):
        dots = draw.draw_points(fig.add_subplot(xlim=(-3, 3), ylim=(-3, 3)), [[0, 0]], [1])

        def update(data):
            X, y = data
            dots(X, y)
            return {"points": len(X), "sum": int(y @ X[:, 0])}

        return update

    view = live(count, alt="Points.", data=Points([[1, 2], [2, 0]], [1, -1], snap=1))
    assert view.draw() == {"points": 2, "sum": -1}
    assert view.sketch.frame([[[1, 2, 1], [2, 0, 1], [0, 0, 1]]])["numbers"][1] == ["sum", "3"]
    assert "a label" in view.sketch.frame([[[1, 2]]])["error"]
    assert repr(view) == "Live picture: data (2 points). Points."
    view.figure(data=([[0, 0]], [1]))


class Listener(picture.Picture):
    """Keep what would be sent."""

    def send(self, content, buffers=None):
        self.sent = [*getattr(self, "sent", []), content]


def test_one_frame_at_once_for_the_hand():
    shown = Listener(live(lines_above_points, t=T))
    shown._answer(shown, {"draw": [[5]], "turns": [None], "key": ["a"]}, None)
    (message,) = shown.sent
    assert not message["prepared"] and message["left"] == []
    assert message["frames"] == [["a", shown.view.sketch.frame([5])]]


def test_frames_ahead_end_when_their_time_is_up(monkeypatch):
    shown = Listener(live(lines_above_points, t=T))
    wanted = {"prepare": [[0], [1], [2]], "turns": [None], "key": ["a", "b", "c"]}
    monkeypatch.setattr(picture, "SLICE", 60)
    shown._answer(shown, wanted, None)
    monkeypatch.setattr(picture, "SLICE", 0)
    shown._answer(shown, wanted, None)
    long, short = shown.sent
    assert long["prepared"] and [key for key, _ in long["frames"]] == ["a", "b", "c"]
    assert [key for key, _ in short["frames"]] == ["a"] and short["left"] == ["b", "c"]


def test_without_anywidget_it_is_an_image(monkeypatch):
    view = live(lines_above_points, t=T)
    assert "painter" not in vars(view)
    monkeypatch.setitem(sys.modules, "halfspaces.notebook.picture", None)
    bundle = view._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle and "painter" in vars(view)
    assert bundle["text/plain"].startswith("Live picture: t (-1")


def test_in_a_notebook_it_is_drawn_by_the_browser():
    view = live(lines_above_points, alt="Lines.", t=T)
    bundle = view._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle and "painter" not in vars(view)
