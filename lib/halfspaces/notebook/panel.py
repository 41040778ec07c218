"""Show a live view in a notebook: its sliders, its picture, its numbers."""

from html import escape
from threading import Timer, current_thread
from typing import Any

import ipywidgets as ui
import numpy as np
from traitlets import Unicode

from ..svm import one_thread
from .controls import Choice, Control, Points, Slider
from .figures import DPI, SHARP_DPI
from .live import Live, Numbers, as_text

REST = 0.3  # seconds without an event, after which the sharp picture is sent


class Picture(ui.Image):
    """Show an image with a tooltip, the only description it can have: that takes one more trait."""

    description = Unicode("").tag(sync=True)


class Panel:
    """Tie sliders to a picture.

    Pictures are drawn where the event is handled. The front end sends the next value of a slider
    only when the last one has been handled, so what piles up is its newest value and nothing else.
    """

    def __init__(self, view: Live):
        self.view, self.knobs = (
            view,
            {
                name: _knob(name, slider)
                for name, slider in view.sliders.items()
                if not isinstance(slider, Points)  # which only a script can drag
            },
        )
        width, height = (f"{DPI * inches:.0f}" for inches in view.size)
        self.image = Picture(
            format="jpeg",
            width=width,
            height=height,
            tooltip=view.alt,
            layout={"max_width": "100%", "height": "auto"},
        )
        self.text = ui.HTML(layout={"min_width": "13em", "margin": "0.5em 1em"})
        self.timer: Any = None
        reset = ui.Button(description="Reset", icon="undo", layout={"width": "auto"})
        reset.on_click(self.reset)
        rows = [_row(view.sliders[name], knob) for name, knob in self.knobs.items()]
        self.box = ui.VBox(
            [
                ui.HBox([ui.VBox(rows), reset]),
                ui.HBox([self.image, self.text], layout={"flex_flow": "row wrap"}),
            ]
        )
        self.box.add_class("live-view")
        self.redraw(SHARP_DPI)
        for knob in self.knobs.values():
            knob.observe(self.moved, "value")

    def moved(self, _change: Any) -> None:
        """Answer an event with a quick picture, and with a sharp one when no other follows."""
        with self.view.lock:
            self.redraw(DPI)
            if self.timer:
                self.timer.cancel()
            timer = Timer(REST, self.sharpen)
            timer.daemon = True
            try:
                timer.start()
            except RuntimeError:  # no threads, as in a browser
                self.redraw(SHARP_DPI)
            else:
                self.timer = timer

    def sharpen(self) -> None:
        """Draw for the eye at rest, unless the slider has moved on."""
        with self.view.lock:
            if self.timer is current_thread():
                self.redraw(SHARP_DPI)

    def redraw(self, dpi: float) -> None:
        """Send the picture and the numbers for where the sliders are."""
        with self.view.lock, one_thread():
            try:
                picture, numbers = self.view.frame(
                    dpi, **{name: knob.value for name, knob in self.knobs.items()}
                )
            except Exception as error:  # said in place; the sliders go on working
                reason = escape(str(error) or type(error).__name__)
                self.text.value = f'<p role="alert">No picture here: {reason}</p>'
            else:
                self.image.value, self.text.value = picture, as_html(numbers)

    def reset(self, _button: Any = None) -> None:
        """Put every slider back to where it started."""
        values = self.view.values()
        for name, knob in self.knobs.items():
            knob.value = values[name]


def as_html(numbers: Numbers) -> str:
    """Lay out the numbers as two columns that a screen reader announces when they change."""
    if isinstance(numbers, str):
        return f'<p role="status" aria-live="polite" style="font-size:1.2em">{escape(numbers)}</p>'
    cells = "".join(
        f"<span>{escape(name)}</span><strong>{escape(as_text(value))}</strong>"
        for name, value in numbers.items()
    )
    return (
        '<div role="status" aria-live="polite" style="display:grid;gap:.3em 1em;font-size:1.2em;'
        f'grid-template-columns:auto 1fr;font-variant-numeric:tabular-nums">{cells}</div>'
    )


def _knob(name: str, slider: Slider | Choice) -> Any:
    """Build the widget that sets one value."""
    look: dict[str, Any] = {
        "description": slider.label or name,
        "value": slider.nearest(None),
        "style": {"description_width": "9em"},
        "layout": {"width": "640px", "max_width": "100%"},
    }
    if isinstance(slider, Choice):
        look["style"]["button_width"], look["layout"]["display"] = "auto", "flex"
        return ui.ToggleButtons(options=slider.steps, **look)
    look["step"] = slider.step
    if slider.unit:
        look["description"] += f" ({slider.unit})"
    if slider.log:
        low, high = np.log10((slider.min, slider.max))
        return ui.FloatLogSlider(min=low, max=high, readout_format=".3r", **look)
    whole = all(isinstance(value, int) for value in slider.steps)
    return (ui.IntSlider if whole else ui.FloatSlider)(
        min=slider.min,
        max=slider.max,
        readout_format="d" if whole else f".{slider.decimals}f",
        **look,
    )


def _row(slider: Control, knob: Any) -> Any:
    """Put buttons to play, to step and to step back beside a slider that has them."""
    if not isinstance(slider, Slider) or not slider.play:
        return knob
    play = ui.Play(
        min=knob.min,
        max=knob.max,
        step=knob.step,
        value=knob.value,
        interval=500,
        show_repeat=False,
    )
    ui.jslink((play, "value"), (knob, "value"))
    return ui.HBox(
        [
            knob,
            _step(knob, -1, "step-backward", "back"),
            play,
            _step(knob, 1, "step-forward", "step"),
        ]
    )


def _step(knob: Any, sign: int, icon: str, tooltip: str) -> ui.Button:
    """Build a button that moves the slider by one step."""

    def click(_button: Any) -> None:
        knob.value = min(knob.max, max(knob.min, knob.value + sign * knob.step))

    button = ui.Button(icon=icon, tooltip=tooltip, layout={"width": "auto"})
    button.on_click(click)
    return button
