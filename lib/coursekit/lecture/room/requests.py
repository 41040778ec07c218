"""Answer the requests of phones, and refuse with a sentence what is no vote of this room.

Refused are votes without a cookie that the room signed, after their round has closed, for no choice
there is, too large, too many, or sent from another site's page; other names for this machine than
its own (DNS rebinding); other rooms, paths and methods. Nothing that a request says is ever shown,
but for a choice that exists.

There are four paths, so this is a function of a request and no application of tornado.web, which
takes twice as long: 500 phones and the lecturer's notebook share one processor.
"""

import hashlib
import hmac
import logging
import re
import secrets
import time
from collections.abc import Mapping
from http.client import responses
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from tornado.httputil import HTTPHeaders, HTTPMessageDelegate, ResponseStartLine, parse_cookie

from .pages import FORMULAS, POLICY, SCRIPT, page, refusal
from .store import CODE_LENGTH, Late

BODY = 300  # bytes; a vote takes a tenth of it
DAY = 86_400  # seconds for which a device is known
PATH = re.compile(rf"/([A-Za-z]{{{CODE_LENGTH}}})(/state|/room\.js|/formulas\.css)?")
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with no-referrer, a vote would not say where it comes from
    "Cache-Control": "no-store",
    "Content-Type": "text/html; charset=utf-8",
}
SENTENCES = {
    404: "There is no such room. Check the code at the end of the address.",
    405: "This page can be read and voted on, and nothing else.",
    421: "Open the address as it is shown in front: this machine has no other name.",
    429: "Too many requests. Wait a few seconds, then open the page again.",
    500: "Something went wrong here. Open the page again, and tell the lecturer if it stays so.",
}


class Request(NamedTuple):
    """Hold what counts of a request, and the device that sent it if the room knows it."""

    room: Any
    headers: Mapping[str, str]
    body: bytes
    device: str


class Response(NamedTuple):
    """Hold a status, a text, and what its headers have besides the usual."""

    status: int
    text: str
    headers: Mapping[str, str] = {}


class Message(HTTPMessageDelegate):
    """Collect a request from tornado, and send the answer."""

    def __init__(self, room: Any, connection: Any):
        self.room = room
        self.connection = connection
        self.body = b""

    def headers_received(self, start_line: Any, headers: HTTPHeaders) -> None:
        """Take the first part of a request."""
        self.start = start_line
        self.headers = headers

    def data_received(self, chunk: bytes) -> None:
        """Take more of it, as far as it is looked at; tornado has a limit for the whole."""
        self.body = (self.body + chunk)[: BODY + 1]

    def finish(self) -> None:
        """Answer."""
        try:
            answer = respond(
                self.room, self.start, self.headers, self.body, self.connection.context.remote_ip
            )
        except Exception:
            logging.getLogger(__name__).exception("a request to the room failed")
            answer = refuse(500)
        data = answer.text.encode() if self.start.method != "HEAD" else b""
        length = {"Content-Length": str(len(data))}
        self.connection.write_headers(
            ResponseStartLine("HTTP/1.1", answer.status, responses[answer.status]),
            HTTPHeaders({**HEADERS, **length, **answer.headers}),
            data,
        )
        self.connection.finish()


def respond(
    room: Any, start: Any, headers: Mapping[str, str], body: bytes, address: str
) -> Response:
    """Check what all requests have in common, then answer."""
    if headers.get("Host") not in room.hosts:
        return refuse(421)
    device = read_cookie(
        room.store.secret, parse_cookie(headers.get("Cookie", "")).get("device", "")
    )
    path = PATH.fullmatch(start.path.partition("?")[0])
    if not path or path[1].upper() != room.store.code:
        # Whoever is wrong is put off, the right code never: a hall of phones shares one address.
        return refuse(404 if room.guesses.allow(address) else 429)
    allowed = room.known.allow(device) if device else room.newcomers.allow(address)
    if not allowed:
        return refuse(429)
    if device:
        room.seen[device] = time.monotonic()
    answers = {
        ("GET", None): show_page,
        ("POST", None): take_vote,
        ("GET", "/state"): tell_state,
        ("GET", "/room.js"): give_script,
        ("GET", "/formulas.css"): give_style,
    }
    answer = answers.get((start.method, path[2]))
    if not answer:
        return refuse(405)
    return answer(Request(room, headers, body, device))


def refuse(status: int) -> Response:
    """Answer with a sentence, and with nothing that was sent."""
    headers = {"Retry-After": "5"} if status == 429 else {}
    return Response(status, refusal(SENTENCES[status]), headers)


def show_page(request: Request) -> Response:
    """Show where the room stands; a device that is new gets a number."""
    if request.device:
        return standing(request)
    store = request.room.store
    device = secrets.token_hex(8)
    cookie = (
        f"device={write_cookie(store.secret, device)}; Path=/{store.code}; Max-Age={DAY}; "
        "HttpOnly; SameSite=Lax"
    )
    return standing(request._replace(device=device))._replace(headers={"Set-Cookie": cookie})


def take_vote(request: Request) -> Response:
    """Count a vote, then send the device back to the page."""
    store = request.room.store
    origin = request.headers.get("Origin")
    if origin is not None and origin.partition("://")[2] != request.headers["Host"]:
        return standing(request, 403, "A vote can only be sent from the room's own page.")
    if not request.device:
        return standing(
            request,
            403,
            "This vote came without the room's cookie, so it does not count. "
            "Allow cookies for this page, open it again, then vote.",
        )
    if len(request.body) > BODY:
        return standing(request, 413, "That was too large to be a vote.")
    try:
        fields = parse_qs(request.body.decode("ascii"), strict_parsing=True, max_num_fields=2)
        (state,), (letter,) = fields["state"], fields["choice"]
        store.vote(request.device, state, letter)
    except Late as why:
        return standing(request, 409, str(why))
    except (ValueError, KeyError):
        return standing(request, 400, "That was not a vote this page could have sent.")
    except OSError:
        return standing(
            request,
            503,
            "Your vote could not be kept. Tell the lecturer that the disk may be full.",
        )
    return Response(303, "", {"Location": f"/{store.code}"})


def standing(request: Request, status: int = 200, said: str = "") -> Response:
    """Answer with the page as it stands for this device."""
    store = request.room.store
    with store.lock:  # the lecturer may be closing the round
        return Response(status, page(store.code, store.poll, request.device, said))


def tell_state(request: Request) -> Response:
    """Tell a page in a few letters whether it is out of date."""
    return Response(200, request.room.store.state, {"Content-Type": "text/plain; charset=utf-8"})


def give_script(_: Request) -> Response:
    """Give the page the few lines that follow the room."""
    return Response(
        200,
        SCRIPT,
        {"Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "max-age=600"},
    )


def give_style(_: Request) -> Response:
    """Give the page the font of its formulas, once a day."""
    return Response(
        200,
        FORMULAS,
        {"Content-Type": "text/css; charset=utf-8", "Cache-Control": f"max-age={DAY}"},
    )


def write_cookie(secret: str, device: str) -> str:
    """Sign a device's number, so that it cannot be made up."""
    return f"{device}.{hmac.new(secret.encode(), device.encode(), hashlib.sha256).hexdigest()}"


def read_cookie(secret: str, cookie: str) -> str:
    """Return the device's number, or nothing if the room has not signed it."""
    device = cookie.partition(".")[0]
    signed = write_cookie(secret, device)
    return device if hmac.compare_digest(signed.encode(), cookie.encode()) else ""
