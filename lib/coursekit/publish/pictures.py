"""Compare pictures as matplotlib's own tests do, by RMS.

Fonts are drawn a little differently by each version of FreeType, and a layout may shift with them.
So a pixel may look for its like up to two pixels away (one on the page, since pictures are drawn at
double resolution), and RMS is taken of what is left: at most 0.3 when the hinting of all fonts
changes, 2 when a line moves by 0.5 % of the axis.
"""

import base64
import io
from typing import Any

import numpy as np
from PIL import Image, ImageFilter

TOLERANCE = 0.4  # RMS, on a scale to 255
WINDOW = 5  # pixels


def distance(old: str, new: str) -> float:
    """Return the RMS between two PNGs in base64; infinity if their sizes differ."""
    if old.split() == new.split():
        return 0.0
    a, b = (Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB") for png in (old, new))
    if a.size != b.size:
        return float("inf")
    return float(np.sqrt((np.maximum(_beyond(a, b), _beyond(b, a)) ** 2).mean()))


def _beyond(picture: Image.Image, other: Image.Image) -> np.ndarray:
    """Return by how much each pixel is beyond all pixels of the other picture around it."""
    value = np.asarray(picture, float)
    low = np.asarray(other.filter(ImageFilter.MinFilter(WINDOW)), float)
    high = np.asarray(other.filter(ImageFilter.MaxFilter(WINDOW)), float)
    return np.maximum(np.maximum(low - value, value - high), 0)


def pictures(outputs: list[Any]) -> list[Any]:
    """Return the outputs that hold a PNG."""
    return [output for output in outputs if "image/png" in output.get("data", {})]


def alt(output: Any) -> str:
    """Return the text that stands for the picture."""
    return output.get("metadata", {}).get("image/png", {}).get("alt", "")


def differences(old: list[Any], new: list[Any]) -> list[str]:
    """Say in sentences how the pictures of a cell differ."""
    old, new = pictures(old), pictures(new)
    if len(old) != len(new):
        return [f"The cell shows {len(new)} pictures; the notebook has {len(old)}."]
    found = []
    for i, (before, after) in enumerate(zip(old, new), 1):
        rms = distance(before["data"]["image/png"], after["data"]["image/png"])
        if rms > TOLERANCE:
            found.append(
                f"Picture {i} has changed: RMS {rms:.2f}, and at most {TOLERANCE} is allowed."
            )
        if alt(before) != alt(after):
            found.append(
                f"The alt text of picture {i} has changed from {alt(before)!r} to {alt(after)!r}."
            )
    return found
