"""Draw a figure again and again: what stands still once, what moves every time."""

from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.spines import Spine


class Painter:
    """Find out by itself what moves, keep the rest as pixels, and paint both in their order."""

    def __init__(self, fig: Figure):
        self.fig, self.canvas = fig, FigureCanvasAgg(fig)
        self.moving: list[Artist] = []
        self.background: dict[float, Any] = {}  # one for each resolution

    def paint(self, dpi: float) -> np.ndarray:
        """Return the picture as RGBA pixels."""
        if self.fig.stale:  # something changed that was not known to move
            self.moving = [artist for ax in self.fig.axes for artist in self._moving_in(ax)]
            self.background.clear()
        self.fig.dpi = dpi
        if dpi not in self.background:
            self.background[dpi] = self._draw_background()
        self.fig.stale = False
        self.canvas.restore_region(self.background[dpi])
        for artist in self.moving:
            artist.draw(self.canvas.get_renderer())
        return np.asarray(self.canvas.buffer_rgba())

    def _moving_in(self, ax: Axes) -> list[Artist]:
        """Mark as animated what moved since the last picture, and what lies above it."""
        layers = [
            a
            for a in sorted(ax.get_children(), key=Artist.get_zorder)
            if a is not ax.patch and (ax.axison or not isinstance(a, (Axis, Spine)))
        ]
        moved = [a.get_animated() or bool(self.background) and a.stale for a in layers]
        moving = layers[moved.index(True) :] if any(moved) else []
        if ax.name == "3d":  # sorts its artists by depth, and does not say when it is turned
            moving = [ax]
        for artist in moving:
            artist.set_animated(
                True
            )  # from now on it is left out of the background and raises no flag
        return moving

    def _draw_background(self) -> Any:
        self.canvas.draw()
        self.fig.set_layout_engine("none")  # from now on nothing shifts
        for child in (child for ax in self.fig.axes for child in ax.get_children()):
            child.stale = False  # matplotlib leaves the flag up on what is empty or hidden
        return self.canvas.copy_from_bbox(self.fig.bbox)
