"""Start a server for each student behind walls, and for an instructor as the course's owner."""

import os
import pwd
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from jupyterhub.spawner import LocalProcessSpawner
from traitlets import Instance

import coursekit
from coursekit import ROOT
from coursekit.contents import EXERCISES
from coursekit.homework.grade import EXTENSION

from .places import Places
from .settings import VARIABLE, Settings
from .walls import behind_walls, environment

SERVER = [sys.executable, "-m", "jupyterhub.singleuser"]


class CourseSpawner(LocalProcessSpawner):
    """Start JupyterLab for one person of the course."""

    settings = Instance(Settings).tag(config=True)
    places = Instance(Places).tag(config=True)

    @property
    def is_instructor(self) -> bool:
        """Tell whether this is somebody who grades."""
        return self.user.name in self.settings.instructors

    async def start(self) -> tuple[str, int]:
        """Start the server; return where it listens."""
        idle = self.settings.limits.idle_minutes * 60
        options = [
            f"--ServerApp.shutdown_no_activity_timeout={idle}",
            f"--MappingKernelManager.cull_idle_timeout={idle}",
        ]
        if self.is_instructor:
            self.places.home(self.user.name)  # or a sentence on the name
            self.notebook_dir = str(ROOT)
            # No cookie for all paths, as at home: students' servers would be sent it too.
            self.cmd = [*SERVER, *options, EXTENSION]
            if self.places.owner.uid == 0:
                self.cmd.append("--allow-root")
        else:
            account = self.places.prepare_for(self.user.name)
            walls = behind_walls(self.user.name, self.places, account, self.settings.limits)
            self.notebook_dir = f"/home/{self.user.name}"
            self.cmd = [*walls, *SERVER, *options]
        return await super().start()

    def make_preexec_fn(self, name: str) -> Callable[[], None]:
        """Return what a process does first: an instructor's becomes the owner of the course."""
        owner, is_instructor = self.places.owner, self.is_instructor

        def become() -> None:
            if is_instructor:
                if os.geteuid() == 0:
                    os.setgroups([])
                    os.setgid(owner.gid)
                    os.setuid(owner.uid)
                os.chdir(EXERCISES)  # where nbgrader looks for its settings

        return become

    def user_env(self, env: dict[str, str]) -> dict[str, str]:
        """Add what differs from person to person."""
        if not self.is_instructor:
            return env | environment(self.user.name, self.settings.limits)
        programs = str(Path(sys.executable).parent)
        env["PATH"] = os.pathsep.join([programs, os.environ.get("PATH", "")])
        env["USER"] = self.user.name
        env["HOME"] = home_of(self.places.owner.uid)
        env[coursekit.VARIABLE] = str(ROOT)
        if VARIABLE in os.environ:
            env[VARIABLE] = os.environ[VARIABLE]
        return env

    async def _signal(self, sig: int) -> bool:
        """Send a signal into the walls, whose outermost process would die of it alone."""
        inner = _children(self.pid)
        if self.is_instructor or sig == 0 or not inner:
            return await super()._signal(sig)
        # The walls' own first process takes all others with it; the server itself may tidy up.
        for pid in inner if sig == signal.SIGKILL else _children(inner[0]) or inner:
            with suppress(ProcessLookupError):
                os.kill(pid, sig)
        return await super()._signal(0)


def home_of(uid: int) -> str:
    """Return the home of an account, or the course's folder if it has none."""
    try:
        return pwd.getpwuid(uid).pw_dir
    except KeyError:
        return str(ROOT)


def _children(pid: int) -> list[int]:
    try:
        return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
    except OSError:
        return []


def limit(config: Any, settings: Settings) -> None:
    """Let the hub itself keep the limits on numbers."""
    config.JupyterHub.active_server_limit = settings.limits.servers
    config.JupyterHub.concurrent_spawn_limit = settings.limits.starting
    config.Spawner.mem_limit = settings.limits.memory
    config.Spawner.cpu_limit = settings.limits.cpus
