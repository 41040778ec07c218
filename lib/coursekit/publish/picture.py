"""Make the README's moving picture: the proof of the mistake bound, step by step."""

import io
import sys

from halfspaces import run_perceptron
from halfspaces.notebook.proof_player import proof_player
from PIL import Image

from coursekit import ROOT
from coursekit.files import write_if_changed

X = [[-3, -2], [2, -3], [-1, 0], [1, 1], [3, 1]]
Y = [-1, -1, 1, 1, -1]
DPI, COLOURS = 80, 128
STEP, END = 900, 4000  # milliseconds that a step, and the last one, is seen


def draw_picture() -> None:
    """Write docs/proof.gif."""
    path = ROOT / "docs" / "proof.gif"
    write_if_changed(path, moving_picture())
    print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1e3:.0f} kB", file=sys.stderr)


def moving_picture() -> bytes:
    """Return the steps of a run as an animated GIF."""
    player = proof_player(X, Y)
    steps = range(len(run_perceptron(X, Y).mistakes) + 1)
    frames = []
    for t in steps:
        player.draw(t=t)
        pixels = Image.fromarray(player.painter.paint(DPI).copy()).convert("RGB")
        frames.append(pixels.quantize(COLOURS, dither=Image.Dither.NONE))
    durations = [STEP] * (len(frames) - 1) + [END]
    file = io.BytesIO()
    frames[0].save(
        file,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=durations,
        loop=0,
        optimize=True,
    )
    return file.getvalue()
