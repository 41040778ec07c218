"""Serve the room to phones: tornado in a thread of the kernel's process, which ends when that does.

Slow clients are cut off, and when all connections are taken the oldest gives way, which is a slow
one. What single requests may do is in `requests`.

What is not stopped: whoever is in the room can throw away the cookie and vote again as another
device, up to the limit for an address, which has to be high because a whole lecture hall may share
one. Compare the count with the heads. A flood from within the network can slow the room down; and
it speaks plain HTTP, so someone who listens in on the network can see a vote or cast it. The right
code always opens the room, so somebody in the network who tries all 1.4 million of them gets in
after some hours. For marks, use something with accounts.
"""

import asyncio
import os
import socket
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from tornado.httpserver import HTTPServer
from tornado.ioloop import PeriodicCallback

from .requests import HERE, Message, desk_key
from .store import Store

PORT = 8765  # if it is free: one that a firewall can be told of
EVERYWHERE = "0.0.0.0"
BYTES = 16_384  # of headers, and of a body
SLOW = 5  # seconds to send them
CONNECTIONS = 800  # at once
ACTIVE = 60  # seconds without a sign of life after which a phone has left
TICK = 500  # milliseconds between two looks at the votes for the lecturer's panel
THREAD = "voting room"
# Seconds for which a computing cell keeps Python to itself; with the usual 0.005, phones would wait
# for seconds while one runs.
TURN = 0.0005


class Limiter:
    """Allow each key so many requests a second, and a burst; keys are forgotten, never written."""

    def __init__(self, rate: float, burst: float, keys: int = 5000):
        self.rate = rate
        self.burst = burst
        self.keys = keys
        self.spent: OrderedDict[str, tuple[float, float]] = OrderedDict()  # how much, and when

    def allow(self, key: str, charge: bool = True) -> bool:
        """Say whether a key has anything left, and charge it for this request."""
        now = time.monotonic()
        spent, since = self.spent.pop(key, (0.0, now))
        spent = max(0.0, spent - (now - since) * self.rate)
        allowed = spent + 1 <= self.burst
        if allowed and charge:
            spent += 1
        self.spent[key] = spent, now
        if len(self.spent) > self.keys:
            self.spent.popitem(last=False)
        return allowed


class Server:
    """Run the room on a port of its own until `stop` or the end of the process."""

    def __init__(self, store: Store, network: bool | str, tick: Callable[[], None]):
        self.store = store
        self.tick = tick
        self.seen: dict[str, float] = {}  # when each device showed a sign of life
        self.guesses = Limiter(1, 50)  # for each address
        self.newcomers = Limiter(5, 1000)  # for each address
        self.known = Limiter(5, 40)  # for each device
        name = _name(network)
        self.socket = _bind(EVERYWHERE if network else HERE, [store.port or PORT, 0])
        port = self.socket.getsockname()[1]
        self.base = name if "://" in name else f"http://{name}:{port}"
        self.host = urlsplit(self.base).netloc.lower()  # as it is shown; others are sent on to it
        self.hosts = {self.host, f"{HERE}:{port}", f"localhost:{port}"}
        self.desk = f"http://{HERE}:{port}/{store.code}/desk/{desk_key(store.secret)}"
        store.listen(port, network)
        if hasattr(os, "register_at_fork"):
            # A child that outlives the kernel must not keep the port open.
            os.register_at_fork(after_in_child=self.socket.close)
        self.ready = threading.Event()
        self.turn = sys.getswitchinterval()
        sys.setswitchinterval(TURN)
        self.thread = threading.Thread(
            target=lambda: asyncio.run(self._run()), name=THREAD, daemon=True
        )
        self.thread.start()
        self.ready.wait(10)

    @property
    def address(self) -> str:
        """Return what phones open."""
        return f"{self.base}/{self.store.code}"

    @property
    def phones(self) -> int:
        """Count the devices that have shown a sign of life of late."""
        return sum(time.monotonic() - seen < ACTIVE for seen in list(self.seen.values()))

    def stop(self) -> None:
        """Close the port and every connection."""
        if self.thread.is_alive():
            sys.setswitchinterval(self.turn)
            self.loop.call_soon_threadsafe(self.done.set)
            self.thread.join(10)

    async def _run(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.done = asyncio.Event()
        server = Polite(
            self,
            no_keep_alive=True,
            max_header_size=BYTES,
            max_body_size=BYTES,
            idle_connection_timeout=SLOW,
            body_timeout=SLOW,
        )
        server.add_socket(self.socket)
        ticker = PeriodicCallback(self.tick, TICK)
        ticker.start()
        self.ready.set()
        await self.done.wait()
        ticker.stop()
        server.stop()
        await server.close_all_connections()


class Polite(HTTPServer):
    """Serve so many connections at once; beyond, the oldest gives way."""

    def initialize(self, room: Server, **options: Any) -> None:
        """Start with no connection."""
        self.room = room
        self.streams: dict[Any, None] = {}  # in the order in which they came
        super().initialize(lambda request: None, **options)

    def start_request(self, _: Any, connection: Any) -> Message:
        """Take a request."""
        return Message(self.room, connection)

    def handle_stream(self, stream: Any, address: Any) -> None:
        """Take a connection."""
        if len(self.streams) >= CONNECTIONS:
            self.streams = {stream: None for stream in self.streams if not stream.closed()}
        if len(self.streams) >= CONNECTIONS:
            oldest = next(iter(self.streams))
            self.streams.pop(oldest)
            oldest.close()
        self.streams[stream] = None
        super().handle_stream(stream, address)

    def on_close(self, connection: Any) -> None:
        """Forget a connection that has ended."""
        self.streams.pop(connection.stream, None)
        super().on_close(connection)


def _name(network: bool | str) -> str:
    """Return the name by which phones are to reach this machine."""
    if isinstance(network, str):
        return network
    return _own_address() if network else HERE


def _bind(where: str, ports: list[int]) -> socket.socket:
    """Listen on the first port that is free; 0 is any."""
    try:
        server = socket.create_server((where, ports[0]), backlog=CONNECTIONS)
    except OSError:
        if not ports[1:]:
            raise
        return _bind(where, ports[1:])
    server.setblocking(False)
    return server


def _own_address() -> str:
    """Return the address under which the network knows this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it asks which way it would go
        return probe.getsockname()[0]
