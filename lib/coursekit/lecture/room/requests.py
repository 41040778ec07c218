"""Answer the requests of phones, and refuse with a sentence what is no vote of this room.

Refused are votes without a cookie that the room signed, after their round has closed, for no choice
there is, too large, too many, or sent from another site's page; other names for this machine than
its own (DNS rebinding); other rooms, paths and methods. Of what a request says only a choice that
exists, a number and a sentence are ever shown: a number to its sender and in counts, a sentence,
escaped, to the lecturer, and to others if the lecturer picks it.

One phone has one vote. A browser keeps cookies by host and by path, as they are spelled; so there
is one spelling, to which all others are sent on, and one cookie for the whole host, named after the
room.

There are few paths, so this is a function of a request and no application of tornado.web, which
takes twice as long: 500 phones and the lecturer's notebook share one processor.
"""

import contextlib
import hashlib
import hmac
import logging
import re
import secrets
import time
from collections.abc import Callable, Mapping
from http.client import responses
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from tornado.httputil import HTTPHeaders, HTTPMessageDelegate, ResponseStartLine, parse_cookie

from .desk import act, desk_page
from .pages import DESK_POLICY, FORMULAS, POLICY, SCRIPT, page, refusal, slide_page
from .store import CODE_LENGTH, SENTENCE, TRIAL, Late, Unfit

BODY = 300  # bytes; a vote takes a tenth of it
LONG = 100 + 9 * SENTENCE  # bytes that a sentence can take, with three for each letter, and %XX
HERE = "127.0.0.1"
DAY = 86_400  # seconds for which a device is known
PATH = re.compile(
    rf"/([A-Za-z]{{{CODE_LENGTH}}})(/state|/room\.js|/formulas\.css|/slide|/slide/state|/why|/lost|/desk/[0-9a-f]+|/)?"
)
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
    403: "This page is the lecturer's.",
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
        self.body = (self.body + chunk)[: LONG + 1]

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
    host = headers.get("Host", "").lower()
    if host not in room.hosts:
        return refuse(421)
    cookies = parse_cookie(headers.get("Cookie", ""))
    device = read_cookie(room.store.secret, cookies.get(cookie_name(room.store.code), ""))
    if device.startswith(TRIAL) and room.store.network:
        device = ""
    path = PATH.fullmatch(start.path.partition("?")[0])
    if not path or path[1].upper() != room.store.code:
        # Whoever is wrong is put off, the right code never: a hall of phones shares one address.
        return refuse(404 if room.guesses.allow(address) else 429)
    place = path[2] or ""
    if place.startswith("/desk/"):
        return answer_lecturer(room, start.method, place[6:], headers, body, address)
    allowed = room.known.allow(device) if device else room.newcomers.allow(address)
    if not allowed:
        return refuse(429)
    if device:
        room.seen[device] = time.monotonic()
    answer = ANSWERS.get((start.method, place))
    if place == "/" and start.method == "GET":
        return Response(307, "", {"Location": f"/{room.store.code}"})
    if not answer:
        return refuse(405)
    if host != room.host and place not in (
        "/room.js",
        "/formulas.css",
    ):  # the lecturer's page's too
        return elsewhere(room, start.method, place)
    if start.method == "GET" and path[1] != room.store.code:
        return Response(307, "", {"Location": f"/{room.store.code}{place}"})
    return answer(Request(room, headers, body, device))


def elsewhere(room: Any, method: str, place: str) -> Response:
    """Send a browser that came by another name of this machine to the one that is shown."""
    if place.endswith("/state"):
        return text_response("elsewhere")  # its page reloads
    if method != "GET":
        return refuse(421)
    return Response(307, "", {"Location": f"{room.address}{place}"})


def refuse(status: int) -> Response:
    """Answer with a sentence, and with nothing that was sent."""
    headers = {"Retry-After": "5"} if status == 429 else {}
    return Response(status, refusal(SENTENCES[status]), headers)


def admit(request: Request, show: Callable[[Request], Response]) -> Response:
    """Show a device something; one that is new gets a number."""
    if request.device:
        return show(request)
    store = request.room.store
    device = ("" if store.network else TRIAL) + secrets.token_hex(8)
    cookie = (
        f"{cookie_name(store.code)}={write_cookie(store.secret, device)}; Path=/; Max-Age={DAY}; "
        "HttpOnly; SameSite=Lax"
    )
    answer = show(request._replace(device=device))
    return answer._replace(headers={**answer.headers, "Set-Cookie": cookie})


def show_page(request: Request) -> Response:
    """Show where the room stands, or the slides as long as nothing has been asked."""
    store = request.room.store
    if store.followed and not store.poll:
        return admit(request, lambda _: Response(303, "", {"Location": f"/{store.code}/slide"}))
    return admit(request, standing)


def show_slide(request: Request) -> Response:
    """Show the slide in front, if phones may see it."""
    store = request.room.store
    if not store.followed:
        return Response(303, "", {"Location": f"/{store.code}"})
    with store.lock:
        return admit(request, lambda known: Response(200, slide_page(store, known.device)))


def take_vote(request: Request) -> Response:
    """Count a vote, then send the device back to the page."""

    def count(store: Any, state: str, choice: str) -> None:
        store.vote(request.device, state, choice)

    return take(request, BODY, "choice", count)


def take_sentence(request: Request) -> Response:
    """Keep an answer to "why?", then send the device back to the page."""

    def keep(store: Any, state: str, sentence: str) -> None:
        store.say(request.device, state, sentence)

    return take(request, LONG, "sentence", keep)


def take_loss(request: Request) -> Response:
    """Note that a slide has lost a device, then send that back to the slide."""

    def note(store: Any, _: str, slide: str) -> None:
        store.lose(request.device, int(slide))

    return take(request, BODY, "slide", note, "/slide")


def take(
    request: Request, limit: int, name: str, keep: Callable[[Any, str, str], None], back: str = ""
) -> Response:
    """Check what a form has sent, keep it, and send the device back to its page."""
    store = request.room.store
    if is_foreign(request.headers):
        return standing(request, 403, "A vote can only be sent from the room's own page.")
    if not request.device:
        return standing(
            request,
            403,
            "This vote came without the room's cookie, so it does not count. "
            "Allow cookies for this page, open it again, then vote.",
        )
    if len(request.body) > limit:
        return standing(request, 413, "That was too large to be a vote.")
    try:
        fields = parse_qs(
            request.body.decode("ascii"), strict_parsing=True, max_num_fields=2, errors="strict"
        )
        (state,), (said,) = fields["state"], fields[name]
        keep(store, state, said)
    except Late as why:
        return standing(request, 409, str(why))
    except Unfit as why:
        return standing(request, 422, str(why))
    except (ValueError, KeyError):
        return standing(request, 400, "That was not a vote this page could have sent.")
    except OSError:
        return standing(
            request,
            503,
            "Your vote could not be kept. Tell the lecturer that the disk may be full.",
        )
    return Response(303, "", {"Location": f"/{store.code}{back}"})


def is_foreign(headers: Mapping[str, str]) -> bool:
    """Tell whether a form was sent from another site's page."""
    origin = headers.get("Origin")
    return origin is not None and origin.partition("://")[2].lower() != headers["Host"].lower()


def standing(request: Request, status: int = 200, said: str = "") -> Response:
    """Answer with the page as it stands for this device."""
    store = request.room.store
    with store.lock:  # the lecturer may be closing the round
        return Response(status, page(store, request.device, said))


def tell_state(request: Request) -> Response:
    """Tell a page in a few letters whether it is out of date."""
    return text_response(request.room.store.state)


def tell_slide(request: Request) -> Response:
    """Tell a page with a slide whether it is out of date."""
    return text_response(request.room.store.slide_state)


def text_response(text: str) -> Response:
    """Answer with a few letters."""
    return Response(200, text, {"Content-Type": "text/plain; charset=utf-8"})


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


ANSWERS = {
    ("GET", ""): show_page,
    ("POST", ""): take_vote,
    ("GET", "/state"): tell_state,
    ("GET", "/room.js"): give_script,
    ("GET", "/formulas.css"): give_style,
    ("GET", "/slide"): show_slide,
    ("GET", "/slide/state"): tell_slide,
    ("POST", "/why"): take_sentence,
    ("POST", "/lost"): take_loss,
}


def answer_lecturer(
    room: Any, method: str, key: str, headers: Mapping[str, str], body: bytes, address: str
) -> Response:
    """Show the lecturer's own page, on this computer only, to who knows its key; do as it says."""
    if address != HERE or not hmac.compare_digest(key, desk_key(room.store.secret)):
        return refuse(403 if room.guesses.allow(address) else 429)
    if method == "POST" and not is_foreign(headers):
        with contextlib.suppress(ValueError):
            act(room.store, parse_qs(body.decode("ascii"), max_num_fields=3))
        return Response(303, "", {"Location": f"/{room.store.code}/desk/{key}"})
    if method != "GET":
        return refuse(405)
    with room.store.lock:
        text = desk_page(room.store, key, room.phones)
    return Response(200, text, {"Content-Security-Policy": DESK_POLICY})


def desk_key(secret: str) -> str:
    """Return what opens the lecturer's own page."""
    return hmac.new(secret.encode(), b"the lecturer's own page", hashlib.sha256).hexdigest()[:32]


def cookie_name(code: str) -> str:
    """Name a room's cookie; ports of one machine share theirs."""
    return f"room-{code}"


def write_cookie(secret: str, device: str) -> str:
    """Sign a device's number, so that it cannot be made up."""
    return f"{device}.{hmac.new(secret.encode(), device.encode(), hashlib.sha256).hexdigest()}"


def read_cookie(secret: str, cookie: str) -> str:
    """Return the device's number, or nothing if the room has not signed it."""
    device = cookie.partition(".")[0]
    signed = write_cookie(secret, device)
    return device if hmac.compare_digest(signed.encode(), cookie.encode()) else ""
