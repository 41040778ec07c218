"""Run a student's own cells in a fresh process, where there is no sandbox.

It stands where `Sandbox` does, with the same channel to it, and holds nobody back: for code of
one's own, on any system.
"""

import multiprocessing
import os
import socket
import sys
import tempfile
from typing import Any

from .inside import channel, worker
from .inside.limits import SANDBOX_START, SUBMISSION_MEMORY
from .presence import now
from .sandbox import BrokenSandboxError


class PlainProcess:
    """A process for one child after another; use it in a `with`."""

    def __init__(self) -> None:
        self.process: Any = None

    def __enter__(self) -> "PlainProcess":
        return self

    def __exit__(self, *error: object) -> None:
        self.end_child()

    def child(self, seconds: float = SANDBOX_START) -> socket.socket:
        """End the child before, start another, and return the socket to talk to it."""
        self.end_child()
        outer, inner = socket.socketpair()
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=answer, args=(inner,), daemon=True)
        self.process.start()
        inner.close()
        try:
            channel.receive(outer, now() + seconds, now)
        except (channel.Lost, channel.Odd) as error:
            outer.close()
            raise BrokenSandboxError(str(error)) from None
        return outer

    def waited(self) -> float:
        """Return 0: what the child had to wait for is not known here."""
        return 0.0

    def end_child(self) -> None:
        """End the child, if there is one."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None


def answer(sock: socket.socket) -> None:
    """Be the child: keep quiet, keep to what limits the system has, and answer."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        os.dup2(null, fd)
    os.environ["MPLBACKEND"] = "agg"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        worker.preload()
        if sys.platform.startswith("linux"):
            import resource

            most = SUBMISSION_MEMORY
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        channel.send(sock, ["ready"])
        worker.answer(sock)
        os.chdir(os.path.dirname(folder))  # Windows deletes no folder that somebody is in
