"""Start a hub on loopback for a small course, and end all that it started, by number."""

import os
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

from coursekit import ROOT
from coursekit.browser import free_port
from coursekit.homework.platforms.exchange import find_places
from coursekit.hub.accounts import invite
from coursekit.hub.command import PROXY, find_proxy
from coursekit.hub.settings import read_settings
from coursekit.hub.walls import behind_walls, environment
from coursekit.hub.walls import missing as missing_walls
from homework_class import environment as course_environment
from homework_class import make_course

SETTINGS = """
listen = "http://127.0.0.1:{port}"
data = "data"
instructors = ["prof"]
domains = false

[limits]
memory = "2G"
file = "32M"
cpus = 1.0
processes = 300
servers = 5
starting = 4
idle_minutes = 30
"""


def missing() -> str:
    """Say what a hub lacks here, or nothing."""
    if not sys.platform.startswith("linux"):
        return "the hub runs on Linux alone"
    if fault := missing_walls():
        return fault
    if not find_proxy():
        return f"{PROXY} is not installed: npm ci --prefix deploy"
    return ""


class RunningHub:
    """A hub, its class and its course; use it in a `with`."""

    def __init__(self, folder: Path, students: list[str]):
        self.folder = folder
        self.course = make_course(folder / "course" / "exercises", {})
        (self.course.parent / "deploy").symlink_to(ROOT / "deploy")
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.ports = {"proxy": free_port(), "hub": free_port()}
        self.file = folder / "hub.toml"
        self.file.write_text(SETTINGS.format(port=port))
        self.settings = read_settings(self.file)
        self.places = find_places(self.settings.data, self.course)
        self.places.prepare()
        self.passwords = invite(self.places, ["prof", *students])
        self.environment = course_environment(self.course) | {"HALFSPACES_HUB": str(self.file)}
        self.process: subprocess.Popen | None = None
        self.log = (folder / "hub.log").open("ab")

    def __enter__(self) -> "RunningHub":
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        family = list(self.family(self.process.pid))
        self.stop()
        for pid in family:  # servers outlive their hub
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.log.close()

    def start(self) -> None:
        """Start the hub by the command that instructors use, and wait until it answers."""
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "coursekit", "hub", "--"),
                f"--JupyterHub.hub_port={self.ports['hub']}",
                f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{self.ports['proxy']}",
            ],
            env=self.environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
        )
        deadline = time.monotonic() + 240
        while time.monotonic() < deadline and self.process.poll() is None:
            with suppress(OSError):
                urllib.request.urlopen(f"{self.url}/hub/health").close()
                return
            time.sleep(0.3)
        self.process.kill()
        raise RuntimeError(f"The hub does not start:\n{self.said()[-3000:]}")

    def stop(self) -> None:
        """End the hub and its proxy; servers stay."""
        self.process.terminate()
        self.process.wait(60)

    def said(self) -> str:
        """Return what the hub and all servers have logged."""
        return (self.folder / "hub.log").read_text("utf-8", "replace")

    def family(self, pid: int) -> list[int]:
        """Return a process and all that come from it."""
        found = [pid]
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            with suppress(OSError):
                for child in map(int, task.read_text().split()):
                    found += self.family(child)
        return found

    def command(self, *args: str) -> subprocess.CompletedProcess:
        """Run a command of the course, as its owner."""
        return subprocess.run(
            [sys.executable, "-m", "coursekit", *args],
            env=self.environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=540,
        )

    def as_student(self, student: str, code: str, *args: str) -> str:
        """Run Python as a student does, behind the walls and without a server."""
        account = self.places.prepare_for(student)
        limits = self.settings.limits
        walls = behind_walls(student, self.places, account, limits)
        done = subprocess.run(
            [*walls, sys.executable, "-c", code, *args],
            env=environment(student, limits),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout
