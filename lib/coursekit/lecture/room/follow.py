"""Take the slide in front from the browser, and write it for the phones that follow.

`static/follow.js` calls `show` in the lecturer's kernel whenever the slide or its code changes.
Nothing is written, nor leaves this machine, before the lecturer lets phones follow.
"""

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .store import Store

LATEST: list[dict[str, Any]] = []  # the slide in front, as the browser has sent it
TYPED: dict[str, tuple[int, str, str]] = {}  # by cell: its slide, that one's title, and the code
STORES: list["Store"] = []  # of this kernel's room, once there is one
LARGEST = 1_500_000  # letters of a slide; beyond, its pictures stay away


def show(sent: str) -> None:
    """Take a slide as JSON: its number, its title, and the cells that are in sight."""
    slide = json.loads(sent)
    if not LATEST and not STORES:
        from .panel import resume

        resume()
    LATEST[:] = [slide]
    for cell in slide["cells"]:
        code = cell["source"].strip()
        if cell["typed"] and "\n" in code:  # beyond the heading that was there
            TYPED[cell["id"]] = slide["number"], slide["title"], code
    deliver()


def deliver() -> None:
    """Hand the slide to the room, if there is one."""
    for store in STORES:
        for cell, (number, title, code) in TYPED.items():
            store.type(cell, number, title, code)
        if LATEST and store.followed:
            from .slide import slide_html

            (slide,) = LATEST
            typed = [entry["code"] for entry in store.typed.values()]
            text = slide_html(slide["cells"], typed)
            if len(text) > LARGEST:
                text = slide_html(slide["cells"], typed, pictures=False)
            store.show(slide["number"], slide["title"], text)
