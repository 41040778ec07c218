"""Processes that work side by side; one that dies or hangs costs its task, and no other."""

import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import Enum, auto
from multiprocessing.connection import Connection, wait
from typing import Any

from .inside.limits import FAILED_STARTS, GRADER_MEMORY, PROCESS_START
from .presence import now

SETTINGS = {"MPLBACKEND": "agg", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
PR_SET_PDEATHSIG = 1
Work = Callable[[Any, Iterable[Any]], Iterable[Any]]
"""Work on tasks in a setting; yield a result for each task, as it comes."""


class News(Enum):
    """What a process of the pool has to say."""

    READY = auto()  # it waits for a task
    DONE = auto()  # here is a result
    LOST = auto()  # it has died, or is late
    REFUSED = auto()  # no process could work here


class Member:
    """One process of the pool."""

    def __init__(self, work: Work, setting: Any, seat: int):
        self.seat = seat
        self.key: Any = None  # of the task that it is working on
        context = multiprocessing.get_context("spawn")
        self.pipe, inner = context.Pipe()
        self.process = context.Process(target=serve, args=(work, setting, inner, seat), daemon=True)
        _start_with_settings(self.process)
        inner.close()
        self.deadline = now() + PROCESS_START

    def give(self, key: Any, task: Any, seconds: float) -> None:
        """Send a task, and allow so many seconds for it."""
        self.key = key
        self.deadline = now() + seconds
        self.pipe.send(task)

    def end(self) -> None:
        """Kill the process, and with it the sandbox that it has started."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Pool:
    """As many processes as there is work for; use it in a `with`."""

    def __init__(self, work: Work, setting: Any, size: int, seconds: float):
        self.work = work
        self.setting = setting
        self.size = size
        self.seconds = seconds  # for one task
        self.members: list[Member] = []
        self.failed_starts = 0

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *error: object) -> None:
        for member in self.members:
            member.end()

    def run(self, tasks: dict[Any, Any]) -> Iterator[tuple[Any, Any]]:
        """Yield (key, result) for each task as it is done; None where a process died or hung."""
        waiting = list(reversed(tasks.items()))
        left = len(tasks)
        while left:
            self._fill_seats(left)
            for member in self._with_news():
                news, result = _hear(member)
                if news is News.READY:
                    member.deadline = float("inf")
                    if waiting:
                        member.give(*waiting.pop(), self.seconds)
                    continue
                if news is News.LOST:
                    self._dismiss(member)
                if member.key is not None:
                    yield member.key, result
                    member.key = None
                    left -= 1

    def _fill_seats(self, left: int) -> None:
        """Start processes, as many as there are seats and tasks left."""
        while len(self.members) < min(self.size, left):
            taken = {member.seat for member in self.members}
            free = next(seat for seat in range(self.size) if seat not in taken)
            self.members.append(Member(self.work, self.setting, free))

    def _with_news(self) -> list[Member]:
        """Wait until processes have something to say, have died, or are late."""
        left = min(member.deadline for member in self.members) - now()
        timeout = None if left == float("inf") else max(0, left)
        ready = wait([member.pipe for member in self.members], timeout)
        moment = now()
        return [m for m in self.members if m.pipe in ready or m.deadline <= moment]

    def _dismiss(self, member: Member) -> None:
        """Take a lost process from its seat; too many that never had a task are a fault of ours."""
        member.end()
        self.members.remove(member)
        if member.key is None:
            self.failed_starts += 1
        if self.failed_starts > FAILED_STARTS:
            raise RuntimeError(
                "The processes that grade do not start; the lines above may say why."
            )


def _start_with_settings(process: Any) -> None:
    """Start a process in an environment of its own, and leave ours as it was."""
    before = {name: os.environ.get(name) for name in SETTINGS}
    os.environ.update(SETTINGS)
    try:
        process.start()
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _hear(member: Member) -> tuple[News, Any]:
    """Return the news and a result; pass on the error that keeps all from working."""
    try:
        if not member.pipe.poll():
            return News.LOST, None
        news, result = member.pipe.recv()
    except (EOFError, OSError):
        return News.LOST, None
    if news is News.REFUSED:
        raise result
    return news, result


def serve(work: Work, setting: Any, pipe: Connection, seat: int) -> None:
    """Be a process of the pool: do one task after another, until the pool hangs up or is gone."""
    from .sandbox import NoSandboxError

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the pool decides
    restrict(seat)

    def tasks() -> Iterator[Any]:
        while True:
            pipe.send((News.READY, None))
            yield pipe.recv()

    try:
        for result in work(setting, tasks()):
            pipe.send((News.DONE, result))
    except NoSandboxError as error:
        pipe.send((News.REFUSED, error))
    except (EOFError, BrokenPipeError):
        pass


def restrict(seat: int) -> None:
    """Keep to some memory and one core, and die with the pool, where the system sees to that.

    A submission that busies twenty processes then slows itself down, and no other beside it.
    """
    if not sys.platform.startswith("linux"):
        return
    import resource

    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    parent = multiprocessing.parent_process()
    if parent is not None and os.getppid() != parent.pid:
        os._exit(1)  # it died before we asked to be told
    resource.setrlimit(resource.RLIMIT_AS, (GRADER_MEMORY, GRADER_MEMORY))
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[seat % len(cores)]})
