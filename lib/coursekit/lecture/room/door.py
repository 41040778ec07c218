"""Let phones in from the slides, before anything is asked: they follow, and vote when it is time.

`static/dialogs.js` shows what `door` returns.
"""

from IPython.display import JSON

from .html import fill
from .panel import hall
from .results import address_html


def door(wanted: str = "") -> JSON:
    """Do what a button of the dialog asks for, and return what that shows."""
    room = hall()
    reason = ""
    match wanted:
        case "in":
            reason = room.open_to(True)
            room.let_follow(not reason)
        case "out":
            room.open_to(False)
        case "slides" | "no slides":
            room.let_follow(wanted == "slides")
    room.tick()
    is_open = bool(room.server and room.store.network)
    shown = fill("door.html")
    if reason:
        shown = fill("no_network.html", reason=reason)
    elif is_open:
        shown = address_html(room.server.address, True, room.store.code, votes=False)
    return JSON(
        {
            "html": shown,
            "open": is_open,
            "followed": room.store.followed,
            "phones": room.server.phones if room.server else 0,
            "desk": room.server.desk if room.server else "",
        }
    )
