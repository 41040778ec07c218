"""Grade on other machines: a Dask cluster in the place of the local pool, with its interface.

A worker has the course installed (`pip install "halfspaces-course[cluster]"`, its own
`exercises/source` with `HALFSPACES_COURSE`) and bubblewrap. It is sent the bytes of a submission
and the secret, and sends back a record; whoever asked files it. A worker that dies costs its task
a second try elsewhere, and no other task anything.

    dask scheduler                                       # on one machine
    dask worker ADDRESS --nthreads 1 --nworkers 8        # on each of the others
    python3 course.py grade hw03 --cluster ADDRESS
"""

import time
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from .grader import Setting, grade, prove
from .inside import limits as most
from .inside.limits import Limits
from .questions import SOURCE, load
from .records import Record
from .sandbox import BrokenSandboxError, NoSandboxError, Sandbox, UnfitGraderError, missing
from .submission import Entry, UnreadableError, fetch

if TYPE_CHECKING:
    from .questions import Homework

CONNECT = 20.0  # seconds for a scheduler to answer
TRIES = 3  # of a task whose worker dies
AT_ONCE = 200  # tasks that are under way, so that a large class does not fill the scheduler
ALONE = Lock()  # a worker grades one submission at a time, however many threads it has


class Cluster:
    """Processes on other machines that grade; use it in a `with`."""

    def __init__(self, address: str, setting: Setting, homework: "Homework"):
        self.address = address
        self.setting = setting
        self.homework = homework
        self.client: Any = None

    def __enter__(self) -> "Cluster":
        from distributed import Client

        try:
            self.client = Client(self.address, timeout=CONNECT, name="grade")
            workers = self.client.scheduler_info(n_workers=-1)["workers"]
        except (OSError, TimeoutError, ValueError) as error:
            self.close()
            raise ValueError(
                f"No Dask scheduler answers at {self.address} ({error}): dask scheduler starts one."
            ) from None
        if not workers:
            self.close()
            raise ValueError(
                f"The scheduler at {self.address} has no workers: dask worker starts some."
            )
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the scheduler, and with it of all tasks."""
        if self.client is not None:
            self.client.close()
            self.client = None

    def run(self, tasks: dict[Any, Entry]) -> Iterator[tuple[Any, Record | None]]:
        """Yield (key, record) for each task as it is done; None where no worker could do it."""
        from distributed import as_completed

        waiting = iter(tasks.items())
        keys: dict[Any, Any] = {}
        queue = as_completed(with_results=False)
        for _ in range(AT_ONCE):
            self._submit(waiting, keys, queue)
        left = len(tasks)
        patience = 10 * (self.setting.limits.total + most.GRACE)
        last = time.monotonic()
        while left:
            if not queue.has_ready():
                if time.monotonic() - last > patience:
                    raise ValueError(
                        f"The cluster has done nothing for {patience:.0f} seconds. What is graded "
                        "is kept: the same command goes on from there."
                    )
                time.sleep(0.02)
                continue
            last = time.monotonic()
            for future in queue.next_batch(block=False):
                yield keys.pop(future.key), self._result(future)
                left -= 1
                self._submit(waiting, keys, queue)

    def _submit(
        self, waiting: Iterator[tuple[Any, Entry]], keys: dict[Any, Any], queue: Any
    ) -> None:
        """Hand out the next task, if there is one."""
        for key, entry in waiting:
            data = fetch_or_nothing(entry)
            future = self.client.submit(
                grade_there,
                self.setting.name,
                self.homework.fingerprint,
                self.setting.secret,
                asdict(self.setting.limits),
                entry.student,
                data,
                key=f"grade-{self.setting.name}-{key}-{time.monotonic_ns()}",
                retries=TRIES - 1,
                pure=False,
            )
            keys[future.key] = key
            queue.add(future)
            return

    def _result(self, future: Any) -> Record | None:
        """Return a task's record, or nothing if every worker that tried it died."""
        from distributed import CancelledError, KilledWorker

        try:
            return Record.from_json(future.result())
        except (KilledWorker, CancelledError, BrokenSandboxError):
            return None


def fetch_or_nothing(entry: Entry) -> bytes:
    """Return the bytes of a submission; one that has gone meanwhile has none."""
    try:
        return fetch(entry.path) if entry.path else b""
    except UnreadableError:
        return b""


def grade_there(
    name: str,
    fingerprint: str,
    secret: str,
    limits: dict[str, Any],
    student: str,
    data: bytes,
) -> str:
    """Grade one submission on a worker, and return the record as it is kept."""
    with ALONE:
        bounds = Limits(**limits)
        homework = homework_here(name, fingerprint)
        sandbox = sandbox_here(name, secret, bounds)
        try:
            return grade(homework, data, student, secret, sandbox, bounds).as_json()
        except BrokenSandboxError:  # once is bad luck
            sandbox.close()
            sandbox.start()
            return grade(homework, data, student, secret, sandbox, bounds).as_json()


def homework_here(name: str, fingerprint: str) -> "Homework":
    """Return the worker's own homework, which must be the one that is graded."""
    homework = load(name, SOURCE)
    if homework.fingerprint != fingerprint:
        raise UnfitGraderError(
            f"A worker has another version of {name} or of the course than you: bring all to one."
        )
    return homework


@cache
def sandbox_here(name: str, secret: str, limits: Limits) -> Sandbox:
    """Start a worker's sandbox, once, and see that the model solution gets full points in it."""
    fault = missing()
    if fault:
        raise NoSandboxError(f"A worker has no sandbox. {fault}")
    sandbox = Sandbox()
    sandbox.start()
    setting = Setting(name, SOURCE, secret, SOURCE, limits)
    try:
        prove(setting, load(name, SOURCE), sandbox)
    except BaseException:
        sandbox.close()
        raise
    return sandbox
