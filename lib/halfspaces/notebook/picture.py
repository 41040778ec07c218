"""Show a live view that the browser draws; the kernel sends it frames, ahead of the hand."""

import time
from pathlib import Path
from typing import Any

import anywidget
from traitlets import Dict, List, Unicode

from ..svm import one_thread
from .live import Live

HERE = Path(__file__).parent
SCRIPT, STYLE = HERE / "picture.js", HERE / "picture.css"
SLICE = 0.03  # seconds of preparing, after which a cell of the reader gets its turn


class Picture(anywidget.AnyWidget):
    """Hold the first frame, and answer a script that asks for others.

    The script asks for one frame at a time when the hand moves, and for some at a time when it
    rests. So nothing runs in the kernel but answers, and each is short: no thread, no timer, no
    frame that is kept.
    """

    _esm, _css = SCRIPT, STYLE
    first = Dict().tag(sync=True)
    controls = List(Dict()).tag(sync=True)
    alt = Unicode().tag(sync=True)

    def __init__(self, view: Live):
        self.view = view
        super().__init__(
            first=view.sketch.first,
            controls=[control.describe(name) for name, control in view.sliders.items()],
            alt=view.alt,
        )
        self.on_msg(self._answer)

    def _answer(self, _widget: Any, message: dict[str, Any], _buffers: Any) -> None:
        """Send the frame asked for, or as many of those ahead as there is time for."""
        end = time.monotonic() + SLICE
        ahead = message.get("prepare")
        wanted = list(zip(message["key"], ahead or message["draw"]))
        frames: list[Any] = []
        with one_thread():
            while wanted and (not frames or time.monotonic() < end):
                key, at = wanted.pop(0)
                frames.append([key, self.view.sketch.frame(at, message.get("turns"))])
        self.send(
            {
                "who": message.get("who"),
                "frames": frames,
                "left": [key for key, _ in wanted],
                "prepared": bool(ahead),
            }
        )
