"""Processes that work on tasks side by side; one that dies or hangs costs its task, and no other."""

import ctypes
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any

MEMORY = 4 << 30  # bytes of address space for one process
SECONDS_TO_START, MOST_FAILURES = 120, 3
SETTINGS = {"MPLBACKEND": "agg", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
Work = Callable[
    [Any, Iterable[Any]], Iterable[Any]
]  # of a setting and tasks; a result for each task, as it comes


class Member:
    """One process of the pool."""

    def __init__(self, work: Work, setting: Any, seat: int):
        self.seat = seat
        context = multiprocessing.get_context("spawn")
        self.pipe, inner = context.Pipe()
        self.process = context.Process(target=live, args=(work, setting, inner, seat), daemon=True)
        before = {name: os.environ.get(name) for name in SETTINGS}
        os.environ.update(SETTINGS)
        try:
            self.process.start()
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)
        inner.close()
        self.task: Any = None  # what it is working on
        self.deadline = time.monotonic() + SECONDS_TO_START

    def end(self) -> None:
        """Kill the process, and with it the sandbox that it has started."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Pool:
    """As many processes as there is work for; use it in a `with`."""

    def __init__(self, work: Work, setting: Any, size: int, seconds: float):
        self.work, self.setting, self.size, self.seconds = work, setting, size, seconds
        self.members: list[Member] = []

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *error) -> None:
        for member in self.members:
            member.end()

    def run(self, tasks: dict[Any, Any]) -> Iterator[tuple[Any, Any]]:
        """Yield (key, result) for each task as it is done; the result is None where a process died or hung."""
        waiting, left, failed = list(tasks.items())[::-1], len(tasks), 0
        while left:
            while len(self.members) < min(self.size, left):
                free = next(
                    seat for seat in range(self.size) if seat not in {m.seat for m in self.members}
                )
                self.members.append(Member(self.work, self.setting, free))
            for member in self._news():
                kind, result = self._hear(member)
                if kind == "ready":
                    member.deadline = float("inf")
                    if waiting:
                        member.task, task = waiting.pop()
                        member.deadline = time.monotonic() + self.seconds
                        member.pipe.send(task)
                    continue
                if kind == "lost":
                    member.end()
                    self.members.remove(member)
                    failed += member.task is None
                    if failed > MOST_FAILURES:
                        raise RuntimeError(
                            "The processes that grade do not start; the lines above may say why."
                        )
                if member.task is not None:
                    yield member.task, result
                    member.task, left = None, left - 1

    def _news(self) -> list[Member]:
        """Wait until processes have something to say, have died, or are late."""
        left = min(member.deadline for member in self.members) - time.monotonic()
        ready = wait(
            [member.pipe for member in self.members],
            timeout=None if left == float("inf") else max(0, left),
        )
        return [
            member
            for member in self.members
            if member.pipe in ready or member.deadline <= time.monotonic()
        ]

    @staticmethod
    def _hear(member: Member) -> tuple[str, Any]:
        """Return the kind of news and a result; pass on the error that keeps all from working."""
        try:
            kind, result = member.pipe.recv() if member.pipe.poll() else ("lost", None)
        except (EOFError, OSError):
            return "lost", None
        if kind == "refused":
            raise result
        return kind, result


def live(work: Work, setting: Any, pipe: Connection, seat: int) -> None:
    """Be a process of the pool: do one task after another, until the pool hangs up or is gone."""
    from .sandbox import NoSandboxError

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the pool decides
    restrict(seat)

    def tasks() -> Iterator[Any]:
        while True:
            pipe.send(("ready", None))
            yield pipe.recv()

    try:
        for result in work(setting, tasks()):
            pipe.send(("done", result))
    except NoSandboxError as error:
        pipe.send(("refused", error))
    except (EOFError, BrokenPipeError):
        pass


def restrict(seat: int) -> None:
    """Take no more memory than a grader needs, keep to one core, and die with the pool, where the system sees to that.

    A submission that busies twenty processes then slows itself down, and no other that is graded beside it.
    """
    if sys.platform.startswith("linux"):
        import resource

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if (
            multiprocessing.parent_process()
            and os.getppid() != multiprocessing.parent_process().pid
        ):
            os._exit(1)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[seat % len(cores)]})
