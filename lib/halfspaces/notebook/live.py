"""Make pictures that follow the hand: a view draws once, after that only what moved is drawn again.

    def tilt(fig):                       # a view draws on the figure it gets …
        line, = fig.add_subplot().plot([0, 1], [0, 0])
        def update(slope):               # … and returns the function that moves what moves
            line.set_ydata([0, slope])
            return {"slope": slope}      # numbers shown beside the picture
        return update

    live(tilt, alt="A line through 0.", slope=Slider(-1, 1, 0.1, value=0))

What `update` draws and returns must depend on its arguments alone. In a notebook the browser draws
the picture from numbers (scene.py, picture.js); without anywidget it is an image (panel.py).
"""

import io
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import product
from threading import RLock
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d import Axes3D
from PIL import Image

from .controls import Choice, Control, Data, Points, Slider
from .figures import DPI, new_figure, show
from .painter import Painter
from .scene import LOCK, Frame, Scene

__all__ = ["Choice", "Data", "Live", "Points", "Slider", "live"]

Numbers = Mapping[str, Any] | str
Update = Callable[..., Numbers | None]
View = Callable[[Figure], Update]


class Live:
    """Hold a view, its sliders and the figure that they move."""

    def __init__(
        self, view: View, sliders: dict[str, Control], alt: str, size: tuple[float, float]
    ):
        self.view, self.sliders, self.alt, self.size = view, sliders, alt, size
        self.lock = RLock()  # events may arrive in another thread than the one that runs cells

    @cached_property
    def painter(self) -> Painter:
        """Make the figure that is painted."""
        return Painter(new_figure(*self.size))

    @cached_property
    def update(self) -> Update:
        """Let the view draw on the figure that is painted."""
        return self.view(self.painter.fig)

    @cached_property
    def sketch(self) -> "Sketch":
        """Make the figure that is written down as numbers."""
        return Sketch(self)

    def values(self, **chosen: Any) -> dict[str, Any]:
        """Give every slider a value: the step nearest to the one chosen, or its default."""
        if odd := chosen.keys() - self.sliders.keys():
            raise ValueError(
                f"no slider is called {', '.join(sorted(odd))}: they are {', '.join(self.sliders)}"
            )
        return {name: slider.nearest(chosen.get(name)) for name, slider in self.sliders.items()}

    def grid(self, n: int) -> list[dict[str, Any]]:
        """List combinations of values, at most n of each slider, both its ends among them."""
        some = [
            [s.steps[round(i)] for i in np.linspace(0, len(s.steps) - 1, min(n, len(s.steps)))]
            for s in self.sliders.values()
        ]
        return [dict(zip(self.sliders, chosen)) for chosen in product(*some)]

    def draw(self, **chosen: Any) -> Numbers:
        """Move what moves and return the numbers shown beside the picture."""
        return self.update(**self.values(**chosen)) or {}

    def frame(self, dpi: float = DPI, **chosen: Any) -> tuple[bytes, Numbers]:
        """Return the picture as JPEG (no subsampling, so that text is crisp) and the numbers."""
        with self.lock:
            numbers, file = self.draw(**chosen), io.BytesIO()
            Image.fromarray(self.painter.paint(dpi)).convert("RGB").save(
                file, "JPEG", quality=92, subsampling=0
            )
            return file.getvalue(), numbers

    def figure(self, **chosen: Any) -> Figure:
        """Draw a figure of its own, which no slider moves."""
        fig = new_figure(*self.size)
        self.view(fig)(**self.values(**chosen))
        return fig

    def still(self, alt: str = "", **chosen: Any) -> None:
        """Display the static twin."""
        show(self.figure(**chosen), alt or self.alt)

    def __repr__(self) -> str:
        ranges = ", ".join(_range(name, control) for name, control in self.sliders.items())
        return f"Live picture: {ranges}. {self.alt}".strip()

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Display the picture with its controls, or where there is no kernel a line of text."""
        try:
            from .picture import Picture as Shown
        except ImportError:  # anywidget is missing
            from .panel import Panel

            widget = Panel(self).box
        else:
            widget = Shown(self)
        return _bundle(widget, **kwargs) | {"text/plain": repr(self)}


def _bundle(widget: Any, **kwargs: Any) -> dict[str, Any]:
    """Return what a widget displays."""
    bundle = widget._repr_mimebundle_(**kwargs)
    return bundle[0] if isinstance(bundle, tuple) else bundle


def _range(name: str, control: Control) -> str:
    steps: list[Any] = [*control.steps]
    ends = f"{steps[0]} … {steps[-1]}" if len(steps) > 1 else control.text(steps[0])
    return f"{control.label or name} ({ends})"


class Sketch:
    """Write down what a view draws, frame by frame."""

    def __init__(self, live: Live):
        self.controls = live.sliders
        fig = new_figure(*live.size)
        with LOCK:
            self.update = live.view(fig)
            about = self._move({name: c.nearest(None) for name, c in self.controls.items()})
            self.scene = Scene(fig)
            self.first: Frame = self.scene.first() | about
        self.turns = [space.get("turn") for space in self.first["axes"]]

    def frame(self, at: list[Any], turns: list[Any] | None = None) -> Frame:
        """Return picture and numbers for these places of the controls; an error as a sentence."""
        with LOCK:
            try:
                chosen = {
                    n: c.at(place) for (n, c), place in zip(self.controls.items(), at, strict=True)
                }
            except (TypeError, ValueError) as error:
                return _fault(error)
            self._turn(self.turns)
            about = self._move(chosen)
            if "error" in about:
                return about
            self._turn(
                [turn if turn != usual else None for turn, usual in zip(turns or [], self.turns)]
            )
            return self.scene.frame() | about

    def _move(self, chosen: dict[str, Any]) -> Frame:
        """Call the view's update; return the numbers, or the sentence of what went wrong."""
        try:
            return {"numbers": as_pairs(self.update(**chosen) or {})}
        except Exception as error:  # said in place; the controls go on working
            return _fault(error)

    def _turn(self, turns: list[Any]) -> None:
        """Turn boxes in space to an azimuth and an elevation, where there are any."""
        for ax, turn in zip(self.scene.fig.axes, turns):
            if turn and isinstance(ax, Axes3D):
                ax.view_init(azim=turn[0], elev=turn[1])


def _fault(error: Exception) -> Frame:
    return {"error": f"No picture here: {str(error) or type(error).__name__}"}


def as_pairs(numbers: Numbers) -> Any:
    """Write the numbers beside a picture as texts."""
    if isinstance(numbers, str):
        return numbers
    return [[name, as_text(value)] for name, value in numbers.items()]


def as_text(value: Any) -> str:
    """Write a number with four digits, anything else as it is."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def live(
    view: View, alt: str = "", size: tuple[float, float] = (6.4, 4.2), **sliders: Control
) -> Live:
    """Make a picture that its sliders move."""
    if not sliders:
        raise ValueError(
            "a live view needs at least one Slider, Choice or Points, named like its argument"
        )
    return Live(view, sliders, alt or (view.__doc__ or "").strip(), size)
