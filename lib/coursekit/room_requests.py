"""Answer the requests of phones, and refuse with a sentence what is no vote of this room.

Refused are votes without a cookie that the room signed, after their round has closed, for no choice there is, too
large, too many, or sent from another site's page; other names for this machine than its own (DNS rebinding); other
rooms, paths and methods. Nothing that a request says is ever shown, but for a choice that exists.
"""

import hashlib
import hmac
import logging
import secrets
import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tornado.web import HTTPError, RequestHandler

from .room_pages import POLICY, SCRIPT, page, refusal
from .room_store import Late

BODY = 300  # bytes; a vote takes a tenth of it
HEADERS = {"Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
           "Referrer-Policy": "same-origin",  # with no-referrer, browsers would not say where a vote comes from
           "Cache-Control": "no-store", "Content-Type": "text/html; charset=utf-8"}
SENTENCES = {404: "There is no such room. Check the code at the end of the address.",
             405: "This page can be read and voted on, and nothing else.",
             421: "Open the address as it is shown in front: this machine has no other name.",
             429: "Too many requests. Wait a few seconds, then open the page again."}
FAILED = "Something went wrong here. Open the page again, and tell the lecturer if it stays so."


class Handler(RequestHandler):
    """Check what all requests have in common."""

    def set_default_headers(self) -> None:
        """Allow the page nothing but itself."""
        self.clear_header("Server")
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def prepare(self) -> None:
        """Refuse other names for this machine, other rooms, and too many requests."""
        self.room, self.device = self.settings["room"], ""
        if self.request.headers.get("Host") not in self.room.hosts:
            raise HTTPError(421, reason="Misdirected Request")
        if not self.room.requests.allow(self.request.remote_ip):
            raise HTTPError(429)
        self.device = read_cookie(self.room.store.secret, self.get_cookie("device", ""))
        if not self.path_args:
            raise HTTPError(404)  # an icon, say, that a browser asks for by itself: no guess at a code
        code = self.path_args[0].upper()
        # Whoever has guessed too often is not told of a hit either; those who are in the room stay in.
        if not self.device and not self.room.guesses.allow(self.request.remote_ip, cost=code != self.room.store.code):
            raise HTTPError(429)
        if code != self.room.store.code:
            raise HTTPError(404)
        if self.device:
            self.room.seen[self.device] = time.monotonic()

    def write_error(self, status_code: int, **about: Any) -> None:
        """Answer with a sentence, and with nothing that was sent."""
        if status_code == 429:
            self.set_header("Retry-After", "5")
        self.finish(refusal(SENTENCES.get(status_code, FAILED)))

    def log_exception(self, *about: Any) -> None:
        """Keep quiet about refusals, and about what was sent; a fault of the program is logged."""
        if not isinstance(about[1], HTTPError):
            logging.getLogger(__name__).error("a request failed", exc_info=about)


class Page(Handler):
    """Show the question that is open, and take votes."""

    def get(self, code: str) -> None:
        """Make the device known, if it is new, and show where the room stands."""
        if not self.device:
            if not self.room.devices.allow(self.request.remote_ip):
                raise HTTPError(429)
            self.device = secrets.token_hex(8)
            self.set_cookie("device", write_cookie(self.room.store.secret, self.device), path=f"/{self.room.store.code}",
                            httponly=True, samesite="Lax", max_age=24 * 3600)
        self.show()

    def post(self, code: str) -> None:
        """Count a vote, then send the device back to the page."""
        origin = self.request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != self.request.headers["Host"]:
            return self.show(403, "A vote can only be sent from the room's own page.")
        if not self.device:
            return self.show(403, "This vote came without the room's cookie, so it does not count. "
                                  "Allow cookies for this page, open it again, then vote.")
        if not self.room.votes.allow(self.device):
            raise HTTPError(429)
        if len(self.request.body) > BODY:
            return self.show(413, "That was too large to be a vote.")
        try:
            fields = parse_qs(self.request.body.decode("ascii"), strict_parsing=True, max_num_fields=2)
            (state,), (letter,) = fields.pop("state"), fields.pop("choice")
            self.room.store.vote(self.device, state, letter)
        except Late as why:
            return self.show(409, str(why))
        except (ValueError, KeyError):
            return self.show(400, "That was not a vote this page could have sent.")
        except OSError:
            return self.show(503, "Your vote could not be kept. Tell the lecturer that the disk may be full.")
        self.redirect(f"/{self.room.store.code}", status=303)

    def show(self, status: int = 200, said: str = "") -> None:
        """Answer with the page as it stands."""
        store = self.room.store
        self.set_status(status)
        with store.lock:  # the lecturer may be closing the round
            self.finish(page(store.code, store.poll, self.device, said))


class State(Handler):
    """Tell a page whether it is out of date."""

    def get(self, code: str) -> None:
        """Answer with a few letters."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(self.room.store.state)


class Script(Handler):
    """Give the page the few lines that follow the room."""

    def get(self, code: str) -> None:
        """Answer with them; they stay the same as long as the kernel lives."""
        self.set_header("Content-Type", "text/javascript; charset=utf-8")
        self.set_header("Cache-Control", "private, max-age=600")
        self.finish(SCRIPT)


class Nothing(Handler):
    """Answer for every other path; `prepare` has refused it."""


def write_cookie(secret: str, device: str) -> str:
    """Sign a device's number, so that it cannot be made up."""
    return f"{device}.{hmac.new(secret.encode(), device.encode(), hashlib.sha256).hexdigest()}"


def read_cookie(secret: str, cookie: str) -> str:
    """Return the device's number, or nothing if the room has not signed it."""
    device = cookie.partition(".")[0]
    return device if hmac.compare_digest(write_cookie(secret, device).encode(), cookie.encode()) else ""
