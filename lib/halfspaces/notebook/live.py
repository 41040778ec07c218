"""Make sliders that redraw fast: a view draws once, after that only what moved is drawn again.

    def tilt(fig):                       # a view draws on the figure it gets …
        line, = fig.add_subplot().plot([0, 1], [0, 0])
        def update(slope):               # … and returns the function that moves what moves
            line.set_ydata([0, slope])
            return {"slope": slope}      # numbers shown beside the picture
        return update

    live(tilt, alt="A line through 0.", slope=Slider(-1, 1, 0.1, value=0))

What `update` draws and returns must depend on its arguments alone.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from threading import RLock
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from .figures import DPI, new_figure, show
from .painter import Painter

Numbers = Mapping[str, Any] | str
View = Callable[[Figure], Callable[..., Numbers | None]]


@dataclass(frozen=True)
class Slider:
    """Describe a number to move; with log the steps are in powers of ten, with play it can run by itself."""

    min: float
    max: float
    step: float = 1
    value: float | None = None
    label: str = ""
    unit: str = ""
    log: bool = False
    play: bool = False

    @cached_property
    def steps(self) -> list[Any]:
        """List the values it can take, free of rounding noise."""
        low, high = np.log10((self.min, self.max)).tolist() if self.log else (self.min, self.max)
        ticks = [low + k * self.step for k in range(round((high - low) / self.step) + 1)]
        return [float(f"{10**t:.6g}") if self.log else round(t, 10) for t in ticks]

    def nearest(self, value: float | None) -> Any:
        """Return the step nearest to the value (None: to where it starts)."""
        value = self.value if value is None else value
        scale = np.log if self.log else np.asarray
        return self.steps[0 if value is None else np.abs(scale(self.steps) - scale(value)).argmin()]


@dataclass(frozen=True)
class Choice:
    """Describe a choice among named options."""

    options: Sequence[str]
    value: str | None = None
    label: str = ""

    @property
    def steps(self) -> list[str]:
        """List the options."""
        return list(self.options)

    def nearest(self, value: str | None) -> str:
        """Return the option, which must be one (None: where it starts)."""
        return self.steps[self.steps.index(value or self.value or self.steps[0])]


class Live:
    """Hold a view, its sliders and the figure that they move."""

    def __init__(
        self, view: View, sliders: dict[str, Slider | Choice], alt: str, size: tuple[float, float]
    ):
        self.view, self.sliders, self.alt, self.size = view, sliders, alt, size
        self.lock = RLock()  # events may arrive in another thread than the one that runs cells
        fig = new_figure(*size)
        self.update, self.painter = view(fig), Painter(fig)

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
        """Return the picture as JPEG (fast, shown in order; no subsampling, so that text is crisp) and the numbers."""
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
        ranges = ", ".join(
            f"{s.label or name} ({s.steps[0]} … {s.steps[-1]})" for name, s in self.sliders.items()
        )
        return f"Live picture: {ranges}. {self.alt}".strip()

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Display the sliders, or where there is no kernel a line of text."""
        from .panel import Panel

        return Panel(self).box._repr_mimebundle_(**kwargs) | {"text/plain": repr(self)}


def live(
    view: View, alt: str = "", size: tuple[float, float] = (6.4, 4.2), **sliders: Slider | Choice
) -> Live:
    """Make a picture that its sliders move."""
    if not sliders:
        raise ValueError(
            "a live view needs at least one Slider or Choice, named like the argument it sets"
        )
    return Live(view, sliders, alt or (view.__doc__ or "").strip(), size)
