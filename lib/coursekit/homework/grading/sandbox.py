"""Start the sandbox: bubblewrap around a fork server that makes a child for each submission.

The sandbox sees the system and the Python environment, read-only, the library, and the folder
`inside`. It has no network, no other process, no file of the course, and nothing of the machine
that it could write to.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import halfspaces

from coursekit import ROOT

from .inside.channel import END_CHILD, READY, START_CHILD, Lost, Odd, receive
from .inside.limits import CHILD_START, SANDBOX_START, TMPFS
from .presence import now

INSIDE = Path(__file__).parent / "inside"
LIBRARY = Path(halfspaces.__file__).parent
SYSTEM = ("/bin", "/lib", "/lib32", "/lib64", "/sbin")
SETTINGS = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/localtime")
PYTHON = (sys.executable, "-s", "-P")
START = "import sys; sys.path.insert(0, '/course'); from inside import worker; worker.serve()"
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/tmp",
    "USER": "student",
    "LANG": "C.UTF-8",
    "MPLBACKEND": "agg",
    "MPLCONFIGDIR": "/tmp",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    **{f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "NUMEXPR", "BLIS")},
}
OWN_FILES = (
    "For files of your own, --own-files grades without a sandbox: the code in them can then do "
    "whatever you can do."
)


class NoSandboxError(RuntimeError):
    """There is no sandbox to be had here; the message says what to install."""


class UnfitGraderError(NoSandboxError):
    """The sandbox is there, and what runs in it gets the model solution wrong."""


class BrokenSandboxError(RuntimeError):
    """The sandbox has died, for lack of memory perhaps, and must be started again."""


class Sandbox:
    """A running sandbox, for one submission after another; use it in a `with`."""

    def __init__(self) -> None:
        self.process: subprocess.Popen | None = None
        self.control: socket.socket | None = None

    def __enter__(self) -> "Sandbox":
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def start(self) -> None:
        """Start bubblewrap and the fork server in it, and see whether a child can be locked up."""
        fault = missing()
        if fault:
            raise NoSandboxError(fault)
        self.control, inner = socket.socketpair()
        self.process = subprocess.Popen(
            [*command(), str(inner.fileno())],
            pass_fds=[inner.fileno()],
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        inner.close()
        try:
            self._expect(READY, SANDBOX_START)
            self.child(SANDBOX_START).close()
        except (BrokenSandboxError, OSError) as error:
            self.process.kill()
            said = self.process.stderr.read().decode(errors="replace").strip().splitlines()
            self.close()
            reason = said[-1] if said else str(error)
            raise NoSandboxError(
                f"The sandbox does not start ({reason}): grading other people's code needs "
                "bubblewrap and unprivileged user namespaces, which containers and some systems "
                f"forbid{ubuntu()}. {OWN_FILES}"
            ) from None

    def close(self) -> None:
        """End the sandbox and all that is in it."""
        self.control.close()  # at which the fork server ends, as process 1, and all others with it
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()

    def child(self, seconds: float = CHILD_START) -> socket.socket:
        """End the child before, start another, and return the socket to talk to it."""
        deadline = now() + seconds
        outer, inner = socket.socketpair()
        try:
            self.control.settimeout(seconds)
            socket.send_fds(self.control, [START_CHILD], [inner.fileno()])
            inner.close()
            said = receive(outer, deadline, now)
            if said != ["ready"]:
                raise Lost(str(said[1]))
            return outer
        except (Lost, Odd, OSError) as error:
            inner.close()
            outer.close()
            raise BrokenSandboxError(str(error)) from None

    def waited(self) -> float:
        """Return the seconds that the child had to wait for a processor; 0 if unknown.

        While it waits for processes and threads of its own, it waits for nobody else.
        """
        try:
            server = _children(self.process.pid)[-1]  # bubblewrap's only child
            child = _children(server)[-1]
            ran, waited = map(int, Path(f"/proc/{child}/schedstat").read_text().split()[:2])
            return (waited + ran) / 1e9 - sum(map(_seconds, _family(child)))
        except (OSError, ValueError, IndexError):
            return 0.0

    def end_child(self, seconds: float = CHILD_START) -> None:
        """End the child and every process it has made."""
        self.control.settimeout(seconds)
        self.control.sendall(END_CHILD)
        self._expect(END_CHILD, seconds)

    def _expect(self, word: bytes, seconds: float) -> None:
        self.control.settimeout(seconds)
        if self.control.recv(1) != word:
            raise BrokenSandboxError("the fork server has died")


def _children(pid: int) -> list[int]:
    """Return the processes that another has started and still has, the last one last."""
    found = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # a thread that has just ended
            found += map(int, path.read_text().split())
    return found


def _family(pid: int) -> Iterator[int]:
    """Yield a process and all that come from it."""
    yield pid
    for child in _children(pid):
        yield from _family(child)


def _seconds(pid: int) -> float:
    """Return the seconds of a processor that a process has taken, with children that are gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def missing() -> str:
    """Say in a sentence what a sandbox lacks here, or nothing."""
    if not sys.platform.startswith("linux"):
        return (
            "Grading other people's code needs the sandbox of a Linux system (a virtual machine "
            f"will do, on Windows WSL 2). {OWN_FILES}"
        )
    if not shutil.which("bwrap"):
        return (
            "Grading other people's code needs bubblewrap, which is not installed: 'sudo apt "
            "install bubblewrap' on Debian and Ubuntu, 'sudo dnf install bubblewrap' on Fedora. "
            f"{OWN_FILES}"
        )
    from .inside import jail  # which only Linux can import

    unknown = jail.unknown_processor()
    if unknown:
        return f"The sandbox has {unknown}: grade on a machine with one of these. {OWN_FILES}"
    return hidden_python()


def hidden_python() -> str:
    """Say that Python lies where the sandbox shows nothing of the machine, or nothing."""
    for folder in python_folders():
        for place in TMPFS:
            if Path(folder).is_relative_to(place):
                return (
                    f"Python and its packages are in {folder}, and the sandbox hides {place}: "
                    f"move the course to a folder outside of {place}, and grade there. {OWN_FILES}"
                )
    return ""


def ubuntu() -> str:
    """Say how to allow user namespaces where Ubuntu forbids them."""
    switch = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
    forbidden = switch.exists() and switch.read_text().strip() == "1"
    return f" (here, 'sudo sysctl kernel.{switch.name}=0' allows them)" if forbidden else ""


@lru_cache
def versions() -> dict[str, str]:
    """Return the versions that the sandbox's interpreter has, which no variable here can change."""
    said = subprocess.run(
        [*PYTHON, str(INSIDE / "versions.py")],
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SANDBOX_START,
        check=True,
    )
    return json.loads(said.stdout)


def command() -> list[str]:
    """Return bubblewrap's command line, complete but for the fork server's last argument."""
    words = [shutil.which("bwrap") or "bwrap", *_namespaces(), *system()]
    hidden = []
    folders = python_folders()
    around = [path for path in folders if ROOT.is_relative_to(path)]
    for path in around:
        words += show(path)
    if around or ROOT.is_relative_to("/usr"):
        words += ["--tmpfs", str(ROOT)]
        hidden.append(str(ROOT))
    for path in folders:
        if path not in around:
            words += show(path)
    private = Path(sys.prefix, "var")  # Jupyter's secrets and the tokens of running servers
    if private.is_dir():
        words += ["--tmpfs", str(private)]
        hidden.append(str(private))
    words += ["--dir", "/course"]
    words += ["--ro-bind", str(LIBRARY), "/course/halfspaces"]
    words += ["--ro-bind", str(INSIDE), "/course/inside"]
    for path in font_lists():
        words += ["--ro-bind", str(path), f"/tmp/{path.name}"]
    for path in (*hidden, "/", "/dev"):
        words += ["--remount-ro", path]
    return [*words, "--chdir", "/", *PYTHON, "-c", START]


def show(path: str | Path, seen: str = "", how: str = "--ro-bind") -> list[str]:
    """Return the words that show a folder, and make those that it is in."""
    seen = seen or str(path)
    words = []
    for parent in reversed(Path(seen).parents[:-1]):
        words += ["--dir", str(parent)]  # else only root could pass through it
    return [*words, how, str(path), seen]


def _namespaces() -> list[str]:
    """Return the words that part the sandbox from all that runs outside."""
    words = [
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup-try",
        "--die-with-parent",
        "--new-session",
        "--as-pid-1",
    ]
    if os.getuid():
        return [*words, "--unshare-user"]
    # Root needs no user namespace, keeps what it takes to be somebody else, and becomes it at once.
    return [*words, "--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]


def system() -> list[str]:
    """Return the words that show the system, read-only."""
    words = ["--ro-bind", "/usr", "/usr"]
    for path in SYSTEM:
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            words += ["--ro-bind", path, path]
    words += ["--dir", "/etc"]
    for path in SETTINGS:
        words += ["--ro-bind-try", path, path]
    words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    # /dev/zero would give shared memory that no limit counts.
    return [*words, "--ro-bind", "/dev/null", "/dev/zero"]


def python_folders() -> list[str]:
    """Return the folders that Python itself lives in, outside /usr."""
    places = {
        Path(sys.prefix),
        Path(sys.base_prefix),
        Path(os.path.realpath(sys.base_prefix)),
        Path(os.path.realpath(sys.executable)).parents[1],
    }
    return sorted(
        str(place) for place in places if place != Path("/usr") or place.is_relative_to(ROOT)
    )


def font_lists() -> list[Path]:
    """Return matplotlib's list of fonts, made once: making it takes seconds."""
    folder = Path(sys.prefix, "var", "isolated", "matplotlib")
    if not list(folder.glob("fontlist-*.json")):
        subprocess.run(
            [sys.executable, "-c", "import matplotlib.font_manager"],
            timeout=120,
            capture_output=True,
            env={**os.environ, "MPLCONFIGDIR": str(folder)},
            stdin=subprocess.DEVNULL,
        )
    return sorted(folder.glob("fontlist-*.json"))
