"""What passes between grader and sandbox: frames of JSON over one socket.

A length is checked before anything of its size is made, and a whole frame has one deadline,
however it is dripped.
"""

import json
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import Any

from .limits import FRAME_BYTES

# What grader and fork server say to each other, a byte each.
READY = b"r"
START_CHILD = b"s"
END_CHILD = b"e"

Now = Callable[[], float]  # a clock; deadlines are its


class Request(StrEnum):
    """What the grader asks of a child: to run a cell, or to call a function."""

    RUN = "run"
    CALL = "call"


class Reply(StrEnum):
    """How a call ended: a value, no such function, an exception, or no plain data."""

    VALUE = "value"
    MISSING = "missing"
    ERROR = "error"
    DATA = "data"


class Odd(ValueError):
    """A frame that is too large or no JSON."""


class Lost(Exception):
    """The other side is gone."""


class Late(Lost):
    """The other side has not answered in time."""


def send(
    sock: socket.socket, message: Any, deadline: float | None = None, now: Now = time.monotonic
) -> None:
    """Send one frame; raise Odd if it is too large, and Lost if it does not go through in time."""
    try:
        data = json.dumps(message, check_circular=False).encode()
    except (RecursionError, ValueError) as error:
        raise Odd(f"data that cannot be sent ({error})") from None
    if len(data) > FRAME_BYTES:
        raise Odd("data that are too large")
    frame = memoryview(struct.pack(">I", len(data)) + data)
    sent = 0
    try:
        while sent < len(frame):
            _wait(sock, deadline, now)
            with suppress(TimeoutError):  # whether it is late, the clock decides
                sent += sock.send(frame[sent:])
    except OSError as error:
        raise Lost(str(error)) from None


def receive(sock: socket.socket, deadline: float | None = None, now: Now = time.monotonic) -> Any:
    """Return the JSON of one frame; raise Lost unless all of it comes in time, Odd if it is odd."""
    [length] = struct.unpack(">I", _read(sock, 4, deadline, now))
    if length > FRAME_BYTES:
        raise Odd("data that are too large")
    try:
        return json.loads(_read(sock, length, deadline, now))
    except (RecursionError, ValueError):
        raise Odd("data that are no JSON") from None


def _read(sock: socket.socket, length: int, deadline: float | None, now: Now) -> bytes:
    """Return so many bytes."""
    parts = []
    missing = length
    try:
        while missing:
            _wait(sock, deadline, now)
            try:
                part = sock.recv(min(missing, 1 << 16))
            except TimeoutError:  # whether it is late, the clock decides
                continue
            if not part:
                raise Lost("the other side has closed")
            parts.append(part)
            missing -= len(part)
    except OSError as error:
        raise Lost(str(error)) from None
    return b"".join(parts)


def _wait(sock: socket.socket, deadline: float | None, now: Now) -> None:
    """Let the next step take the time that is left for the whole frame."""
    left = None if deadline is None else deadline - now()
    if left is not None and left <= 0:
        raise Late("not taken, or no answer, in time")
    sock.settimeout(left)
