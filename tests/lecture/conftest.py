"""A kernel with a room, for the tests of both."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from coursekit.lecture.room import follow
from coursekit.lecture.room import panel as rooms
from coursekit.lecture.room import server as room_server
from coursekit.lecture.room.panel import Room
from phones import QUESTION, stop


@pytest.fixture
def kernel(tmp_path, monkeypatch) -> Iterator[Path]:
    """Be a kernel of its own, with its votes in a folder of its own."""
    folder = tmp_path / "votes"
    monkeypatch.setenv("HALFSPACES_VOTES", str(folder))
    monkeypatch.setenv("JPY_SESSION_NAME", "lecture.ipynb")
    monkeypatch.setattr(rooms, "_HALL", [])
    monkeypatch.setattr(room_server, "PORT", 0)
    for kept in (follow.LATEST, follow.TYPED, follow.STORES):
        kept.clear()
    yield folder
    stop()


@pytest.fixture
def room(kernel) -> Room:
    return Room(QUESTION)


@pytest.fixture
def network(monkeypatch) -> list[str]:
    """Be in a network that knows this machine as 10.1.2.3; return where the room listens."""
    bound, bind = [], room_server._bind
    monkeypatch.setattr(
        room_server, "_bind", lambda where, ports: bound.append(where) or bind("127.0.0.1", ports)
    )
    monkeypatch.setattr(room_server, "_own_address", lambda: "10.1.2.3")
    return bound
