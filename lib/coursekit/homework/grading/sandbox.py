"""Start the sandbox: bubblewrap around a fork server that makes a locked-up child for each submission.

The sandbox sees the system and the Python environment, read-only, the library, and the folder `inside`. It
has no network, no other process, no file of the course, and nothing of the machine that it could write to.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

from coursekit import ROOT

from .inside.channel import Lost, Odd, receive

INSIDE = Path(__file__).parent / "inside"
SYSTEM = ("/bin", "/lib", "/lib32", "/lib64", "/sbin")
SETTINGS = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/localtime")
START = "import sys; sys.path.insert(0, '/course'); from inside import worker; worker.serve()"
SECONDS_TO_START = 60
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
    "For files of your own, --own-files grades without a sandbox: the code in them can then do whatever "
    "you can do."
)


class NoSandboxError(RuntimeError):
    """There is no sandbox to be had here; the message says what to install."""


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

    def __exit__(self, *error) -> None:
        self.close()

    def start(self) -> None:
        """Start bubblewrap and the fork server in it, and see whether a child can be locked up."""
        if fault := missing():
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
            self._expect(b"r", SECONDS_TO_START)
            self.child(SECONDS_TO_START).close()
        except (BrokenSandboxError, OSError) as error:
            self.process.kill()
            said = self.process.stderr.read().decode(errors="replace").strip().splitlines() or [
                str(error)
            ]
            self.close()
            raise NoSandboxError(
                f"The sandbox does not start ({said[-1]}): grading other people's code needs "
                "bubblewrap and unprivileged user namespaces, which containers and some systems "
                f"forbid{ubuntu()}. {OWN_FILES}"
            ) from None

    def close(self) -> None:
        """End the sandbox and all that is in it."""
        self.control.close()  # at which the fork server ends, as process 1, and all others with it
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()

    def child(self, seconds: float = 10) -> socket.socket:
        """End the child before, start another, and return the socket to talk to it."""
        deadline = time.monotonic() + seconds
        outer, inner = socket.socketpair()
        try:
            self.control.settimeout(seconds)
            socket.send_fds(self.control, [b"s"], [inner.fileno()])
            inner.close()
            if (said := receive(outer, deadline)) != ["ready"]:
                raise Lost(str(said[1]))
            return outer
        except (Lost, Odd, OSError) as error:
            inner.close()
            outer.close()
            raise BrokenSandboxError(str(error)) from None

    def waited(self) -> float:
        """Return the seconds that the child was ready to run and had no processor; 0 where Linux does not say."""
        try:
            pid = self.process.pid
            for _ in range(
                2
            ):  # bubblewrap's child is the fork server, and the only child of that is the submission
                pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[-1])
            return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
        except (OSError, ValueError, IndexError):
            return 0.0

    def end_child(self, seconds: float = 10) -> None:
        """End the child and every process it has made."""
        self.control.settimeout(seconds)
        self.control.sendall(b"e")
        self._expect(b"e", seconds)

    def _expect(self, word: bytes, seconds: float) -> None:
        self.control.settimeout(seconds)
        if self.control.recv(1) != word:
            raise BrokenSandboxError("the fork server has died")


def missing() -> str:
    """Say in a sentence what a sandbox lacks here, or nothing."""
    if not sys.platform.startswith("linux"):
        return (
            "Grading other people's code needs the sandbox of a Linux system (a virtual machine will do, on "
            f"Windows WSL 2). {OWN_FILES}"
        )
    if not shutil.which("bwrap"):
        return (
            "Grading other people's code needs bubblewrap, which is not installed: 'sudo apt install bubblewrap' "
            f"on Debian and Ubuntu, 'sudo dnf install bubblewrap' on Fedora. {OWN_FILES}"
        )
    return ""


def ubuntu() -> str:
    """Say how to allow user namespaces where Ubuntu forbids them."""
    switch = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
    forbidden = switch.exists() and switch.read_text().strip() == "1"
    return f" (here, 'sudo sysctl kernel.{switch.name}=0' allows them)" if forbidden else ""


def command() -> list[str]:
    """Return bubblewrap's command line, complete but for the fork server's last argument."""
    words = [
        shutil.which("bwrap") or "bwrap",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup-try",
        "--die-with-parent",
        "--new-session",
        "--as-pid-1",
    ]
    # Root needs no user namespace, keeps what it takes to become somebody else, and does so at once.
    words += (
        ["--unshare-user"]
        if os.getuid()
        else ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    )
    words += ["--ro-bind", "/usr", "/usr"]
    for path in SYSTEM:
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            words += ["--ro-bind", path, path]
    words += ["--dir", "/etc"]
    for path in SETTINGS:
        words += ["--ro-bind-try", path, path]
    words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    words += [
        "--ro-bind",
        "/dev/null",
        "/dev/zero",
    ]  # which would give shared memory that no limit counts
    hidden = [str(ROOT)] if ROOT.is_relative_to("/usr") else []
    words += [word for path in hidden for word in ("--tmpfs", path)]
    for path in python_folders():
        for parent in reversed(Path(path).parents[:-1]):
            words += ["--dir", str(parent)]  # else only root could pass through it
        words += ["--ro-bind", path, path]
    if (
        private := Path(sys.prefix, "var")
    ).is_dir():  # Jupyter's secrets and the tokens of running servers
        words += ["--tmpfs", str(private)]
        hidden.append(str(private))
    words += [
        "--dir",
        "/course",
        "--ro-bind",
        str(ROOT / "lib" / "halfspaces"),
        "/course/halfspaces",
    ]
    words += ["--ro-bind", str(INSIDE), "/course/inside"]
    for path in font_lists():
        words += ["--ro-bind", str(path), f"/tmp/{path.name}"]
    words += [word for path in (*hidden, "/", "/dev") for word in ("--remount-ro", path)]
    words += ["--chdir", "/"]
    return [*words, sys.executable, "-s", "-P", "-c", START]


def python_folders() -> list[str]:
    """Return the folders that Python itself lives in, outside /usr."""
    real = Path(os.path.realpath(sys.executable)).parents[1]
    places = {
        Path(sys.prefix),
        Path(sys.base_prefix),
        Path(os.path.realpath(sys.base_prefix)),
        real,
    }
    return sorted(
        str(place) for place in places if place != Path("/usr") or place.is_relative_to(ROOT)
    )


def font_lists() -> list[Path]:
    """Return matplotlib's list of fonts, made once: making it takes seconds."""
    folder = Path(sys.prefix, "var", "isolated", "matplotlib")
    if not (found := sorted(folder.glob("fontlist-*.json"))):
        subprocess.run(
            [sys.executable, "-c", "import matplotlib.font_manager"],
            timeout=120,
            capture_output=True,
            env={**os.environ, "MPLCONFIGDIR": str(folder)},
            stdin=subprocess.DEVNULL,
        )
        found = sorted(folder.glob("fontlist-*.json"))
    return found
