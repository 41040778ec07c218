"""Be the phones of a room, and the kernel that holds it, for tests."""

import re
import socket
from html import unescape
from urllib.parse import urlsplit

from coursekit.lecture.room import panel as rooms
from coursekit.lecture.room.panel import Room
from halfspaces.notebook.questions import Question

GOOD = dict(
    id="01-scale",
    text=r"Replace $(w, b)$ by $(2w, 2b)$, if $a<b$ & so on. What happens?",
    choices=["It moves.", r"It stays $\le$ the same.", "It turns."],
    answer="B",
    misconceptions={"A": r"$b$ alone is no distance.", "C": r"Only the direction of $w$ turns it."},
    hint="Multiply by 2.",
    explanation=r"$\langle 2w, x\rangle \ge 2b$ is the same.",
)
QUESTION, OTHER = Question(**GOOD), Question(**GOOD | {"id": "01-other", "text": "Another?"})
FORM = "application/x-www-form-urlencoded"
EVIL = "<script>alert(1)</script>"


def stop() -> None:
    """End the room as the end of its process would."""
    for hall in rooms._HALL:
        hall.stop()
        hall.store.close()
    rooms._HALL.clear()


class Answer:
    """Read what a server sends until it closes the connection."""

    def __init__(self, raw: bytes):
        head, _, body = raw.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        self.status = int(first.split()[1]) if raw else 0
        self.headers = dict(line.split(": ", 1) for line in lines)
        self.body = body.decode()
        said = re.search(r'role="alert">(.*?)</p>|<p class="refusal">(.*?)</p>', self.body)
        self.said = unescape(said[1] or said[2]) if said else ""


def send(address: str, raw: bytes) -> Answer:
    """Send bytes, and return the answer."""
    parts = []
    with socket.create_connection(
        (urlsplit(address).hostname, urlsplit(address).port), timeout=10
    ) as line:
        try:
            line.sendall(raw)
            while part := line.recv(65536):
                parts.append(part)
        except ConnectionError:
            pass  # it was too large, and not read to the end
    return Answer(b"".join(parts))


class Phone:
    """Be a browser with its own cookie, and no JavaScript."""

    def __init__(self, address: str, cookie: str | None = None):
        self.address, self.host, self.path = (
            address,
            urlsplit(address).netloc,
            urlsplit(address).path,
        )
        self.cookie = cookie
        if cookie is None:
            self.cookie = self.get().headers["Set-Cookie"].partition(";")[0]

    def request(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        lines = (
            {"Host": self.host}
            | ({"Cookie": self.cookie} if self.cookie else {})
            | {name.replace("_", "-"): value for name, value in headers.items()}
        )
        if body:
            lines = {"Content-Type": FORM, "Content-Length": str(len(body))} | lines
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
        return send(
            self.address, f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + body
        )

    def get(self) -> Answer:
        return self.request("GET", self.path)

    def post(self, body: bytes | str, **headers: str) -> Answer:
        return self.request(
            "POST", self.path, body.encode() if isinstance(body, str) else body, **headers
        )

    def vote(self, letter: str, state: str = "") -> Answer:
        state = state or re.search(r'data-state="(.*?)"', self.get().body)[1]
        return self.post(f"state={state}&choice={letter}", Origin=f"http://{self.host}")


def nobody_counted(room: Room) -> bool:
    return sum(map(sum, (counts.values() for counts in room.counts))) == 0


def guest(room: Room, **parts: str) -> Phone:
    """Be a phone in that network."""
    local = f"http://127.0.0.1:{room.hall.store.port}/{room.hall.store.code}"
    phone = Phone(local, "")
    phone.host = urlsplit(room.address).netloc
    phone.cookie = phone.get().headers["Set-Cookie"].partition(";")[0]
    return phone
