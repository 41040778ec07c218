"""Put walls around a student's server: bubblewrap, limits, and a user id of its own.

Inside there are the system and Python, read-only, the notebooks and the library, and of all that
the class has, the student's own part. There is no other student, no process of another, no source
or solution of a homework, no gradebook, no secret, and no file system in memory to fill.
"""

import os
import shutil
import sys
from pathlib import Path

import coursekit
from coursekit import ROOT
from coursekit.homework.grading.sandbox import python_folders, show, system

from .places import COURSE, Account, Places
from .settings import Limits

LIBRARY = Path(coursekit.__file__).parents[1]
SETTINGS = Path(__file__).parent / "student"  # of JupyterLab and nbgrader
INSIDE = "/course"  # where students find what they may read of it
NETWORK = ("hosts", "nsswitch.conf", "resolv.conf", "ssl", "ca-certificates")  # in /etc
THREADS = ("OPENBLAS", "OMP", "MKL", "NUMEXPR", "BLIS")


def missing(data: Path | None = None) -> str:
    """Say in a sentence why there are no walls to be had here, or nothing."""
    for program in ("bwrap", "setpriv", "prlimit"):
        if not shutil.which(program):
            package = "bubblewrap" if program == "bwrap" else "util-linux"
            return f"{package} is not installed, and students' servers run behind its walls."
    for folder in (*python_folders(), str(LIBRARY)):
        if Path(folder).is_relative_to("/tmp"):
            return f"{folder} is below /tmp, which students' servers have of their own: move it."
        if data is not None and data.is_relative_to(folder):
            return f"{data} is below {folder}, which students see: let data be another folder."
    if data is not None and data.is_relative_to("/usr"):
        return f"{data} is below /usr, which students see: let data be another folder."
    return ""


def behind_walls(student: str, places: Places, account: Account, limits: Limits) -> list[str]:
    """Return the words before a program that a student is to run."""
    walls = [*_scope(limits), *_bubblewrap(student, places)]
    # Root without its powers could not enter the student's home.
    return [*walls, *_become(account), *_limited(limits), "env", f"--chdir=/home/{student}"]


def environment(student: str, limits: Limits) -> dict[str, str]:
    """Return what a student's programs find in their environment."""
    programs = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    threads = str(max(1, int(limits.cpus)))
    return {
        "USER": student,
        "LOGNAME": student,
        "HOME": f"/home/{student}",
        "SHELL": "/bin/bash",
        "LANG": "C.UTF-8",
        "PATH": programs,
        "JUPYTER_CONFIG_PATH": str(SETTINGS),
        "HALFSPACES_COURSE": INSIDE,
        "HALFSPACES_PROGRESS": f"/home/{student}/progress.json",
        **{f"{name}_NUM_THREADS": threads for name in THREADS},
    }


def _scope(limits: Limits) -> list[str]:
    """Return the words by which systemd counts all processes of a student together."""
    if not limits.systemd:
        return []
    return [
        *("systemd-run", "--scope", "--quiet", "--collect"),
        f"--property=MemoryMax={limits.memory}",
        "--property=MemorySwapMax=0",
        f"--property=CPUQuota={limits.cpus:.0%}",
        f"--property=TasksMax={limits.processes}",
        "--",
    ]


def _bubblewrap(student: str, places: Places) -> list[str]:
    words = ["bwrap", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    words += ["--new-session", "--hostname", COURSE]
    if os.geteuid():
        words += ["--unshare-user"]
    else:  # keeps what it takes to become the student, which happens before anything else runs
        words += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    words += system()
    for name in NETWORK:
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    words += ["--ro-bind", str(places.passwd(student)), "/etc/passwd"]
    words += _course(places.outbound)
    exchange = f"/exchange/{COURSE}"
    for folder, seen in (
        (places.home(student), f"/home/{student}"),
        (places.temporary(student), "/tmp"),
        (places.shared_memory(student), "/dev/shm"),
        (places.inbound(student), f"{exchange}/inbound"),
    ):
        words += show(folder, seen, "--bind")
    words += show(places.feedback(student), f"{exchange}/feedback")
    words += show(places.outbound, f"{exchange}/outbound")
    for path in ("/", "/dev"):
        words += ["--remount-ro", path]
    return [*words, "--chdir", "/", "--"]


def _course(outbound: Path) -> list[str]:
    """Return the words that show Python, and of the course what students may read."""
    words = []
    hidden = []
    folders = python_folders()
    around = [path for path in folders if ROOT.is_relative_to(path)]
    for path in around:
        words += show(path)
    if around or ROOT.is_relative_to("/usr"):
        hidden.append(ROOT)
        words += ["--tmpfs", str(ROOT)]
    for path in (*folders, str(LIBRARY)):
        if path not in around:
            words += show(path)
    private = Path(sys.prefix, "var")  # Jupyter's secrets and the tokens of servers of others
    if private.is_dir():
        hidden.append(private)
        words += ["--tmpfs", str(private)]
    for path in hidden:
        words += ["--remount-ro", str(path)]
    for name in ("course.py", "notebooks"):
        words += show(ROOT / name, f"{INSIDE}/{name}")
    return [*words, *show(outbound, f"{INSIDE}/exercises/release")]


def _become(account: Account) -> list[str]:
    """Return the words by which root becomes the student; whoever is not root stays who it is."""
    if os.geteuid():
        return []
    numbers = [f"--reuid={account.uid}", f"--regid={account.gid}"]
    return ["setpriv", *numbers, "--clear-groups", "--no-new-privs", "--"]


def _limited(limits: Limits) -> list[str]:
    """Return the words that limit each process."""
    return [
        "prlimit",
        f"--as={limits.memory}",
        f"--fsize={limits.file}",
        f"--nproc={limits.processes}",
        "--core=0",
        "--",
    ]
