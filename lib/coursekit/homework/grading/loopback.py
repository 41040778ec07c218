"""Try a cluster on one machine: a Dask scheduler and workers on loopback, ended by their ids."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

START = 60.0  # seconds


class LoopbackCluster:
    """Start a scheduler and some workers, each a process of its own; use it in a `with`."""

    def __init__(self, folder: Path, course: Path, workers: int):
        self.folder = folder
        self.about = folder / "scheduler.json"
        path = os.pathsep.join(filter(None, sys.path))
        self.environment = os.environ | {
            "PYTHONPATH": path,
            "HALFSPACES_COURSE": str(course.parent),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "2",
        }
        self.count = workers
        self.processes: list[subprocess.Popen] = []

    def __enter__(self) -> "LoopbackCluster":
        quiet = ["--host=127.0.0.1", "--port=0", "--no-dashboard"]
        self.start("scheduler", *quiet, f"--scheduler-file={self.about}")
        deadline = time.monotonic() + START
        while not self.about.exists():
            if time.monotonic() > deadline:
                self.__exit__(None, None, None)
                raise RuntimeError("The scheduler does not start.")
            time.sleep(0.1)
        for _ in range(self.count):
            self.add_worker()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()

    @property
    def address(self) -> str:
        """Where the scheduler listens."""
        return json.loads(self.about.read_text("utf-8"))["address"]

    def add_worker(self) -> subprocess.Popen:
        """Start one worker, which grades one submission at a time."""
        return self.start(
            "worker",
            self.address,
            "--nthreads=1",
            "--no-nanny",
            "--no-dashboard",
            "--host=127.0.0.1",
            f"--local-directory={self.folder}",
        )

    def start(self, *args: str) -> subprocess.Popen:
        """Start a program of Dask's."""
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *args],
            env=self.environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.processes.append(process)
        return process

    def wait_for(self, workers: int) -> None:
        """Wait until so many workers have joined."""
        from distributed import Client

        with Client(self.address, timeout=START) as client:
            client.wait_for_workers(workers, timeout=START)

    def kill_a_worker(self) -> None:
        """End a worker as a power cut would."""
        self.processes[-1].send_signal(signal.SIGKILL)
        self.processes[-1].wait()
