#!/usr/bin/env python3
"""The commands of the course; the first call makes .venv and installs the locked packages."""
import sys

if sys.version_info < (3, 11):  # an old Python must parse this whole file to say so: no f-strings
    sys.exit("The course needs Python 3.11 or newer, and this is Python {0}.{1}: call course.py "
             "with a newer one, from python.org or your system's packages."
             .format(*sys.version_info))

import contextlib
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sysconfig
import time
from pathlib import Path

COMMANDS = {  # name: (group of packages it needs, what it does); coursekit/cli.py has the arguments
    "lab": ("student", "open your own copy of a notebook, in the folder study"),
    "homework": ("student", "put a fresh copy of a homework into your folder homework"),
    "test": ("dev", "run every test, the notebooks included; arguments go to pytest"),
    "bench": ("dev", "measure speed beside other libraries"),
    "proofs": ("dev", "compile the theorems in proofs with Coq, and tell which axioms they need"),
    "slides": ("instructor", "open a notebook as slides, its cells running"),
    "live": ("instructor", "make a notebook to type into in front of the room, and open it"),
    "takehome": (
        "instructor", "write one page with what was typed, drawn and voted in the last lecture"),
    "release": ("instructor", "make the students' version of the homeworks, without solutions"),
    "grade": ("instructor", "grade a folder of submissions, each in a sandbox of its own"),
    "collect": ("instructor", "take the submissions out of a learning platform's zip file"),
    "return": ("instructor", "write grades for a learning platform, and a zip of feedback"),
    "hub": ("dev", "serve the course to a class by JupyterHub, as deploy/README.md says"),
    "export": ("dev", "write a notebook as one HTML file whose sliders move without a kernel"),
    "site": ("dev", "write the course as a website, to read and to run"),
    "refresh": ("dev", "run the notebooks and write their outputs back"),
    "guide": ("dev", "write the instructor's guide from the notes in the notebooks"),
    "claims": ("dev", "write what is derived from docs/claims.toml, the verdicts on the notes"),
    "picture": ("dev", "draw the README's picture"),
    "font": ("dev", "cut the font of the formulas out of STIX Two Math"),
    "lock": ("dev", "pin the packages of pyproject.toml"),
}
GROUPS = ["student", "instructor", "dev"]  # each holds all packages of those before it

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
SITE = Path(sysconfig.get_path("purelib", "venv", {"base": str(VENV)}))
STAMP = VENV / "installed.json"
LOG = ROOT / ".venv.log"  # also what a second call waits for; outside .venv, which may have to go
VERSION = "{0}.{1}".format(*sys.version_info)
START = time.monotonic()


def main(args):
    if args[:1] == ["help"]:
        args = args[1:2] + ["--help"]
    if not args or args[0] in ("-h", "--help"):
        print("usage: python3 course.py COMMAND [ARGUMENT ...]\n")
        print("\n".join("  {:<8} {}".format(name, text) for name, (_, text) in COMMANDS.items()))
        print("\npython3 course.py COMMAND --help says more about a command.")
        return 0
    if args[0] not in COMMANDS:
        say("There is no command '{}': python3 course.py lists those there are.".format(args[0]))
        return 2
    group, description = COMMANDS[args[0]]
    try:
        if not is_ready(group):
            if asks_for_help(args):
                print("python3 course.py {}: {}.\n".format(args[0], description))
                print("Its arguments are listed here once a call of it has set up .venv.")
                return 0
            with open(str(LOG), "a") as log:
                wait_for_others(log)
                if not is_ready(group):
                    log.truncate(0)
                    set_up(group, log)
        return hand_over(args)
    except OSError as error:
        sys.exit("Cannot set up .venv ({}): the course needs a folder it can write to."
                 .format(error))


def asks_for_help(args):
    """Tell whether help is wanted of the command itself; what follows -- is for other programs."""
    own = args[:args.index("--")] if "--" in args else args
    return "-h" in own or "--help" in own


def is_ready(group):
    """Say whether .venv works and holds what is locked for the group."""
    try:
        stamp = json.loads(STAMP.read_text())
        return wanted(group).items() <= stamp.items() and version_in_venv() == VERSION
    except (OSError, ValueError, AttributeError):
        return False


def wanted(group):
    names = GROUPS[:GROUPS.index(group) + 1]
    hashes = {name: hashlib.sha256(lock_of(name).read_bytes()).hexdigest() for name in names}
    return dict(hashes, python=VERSION)


def lock_of(group):
    return ROOT / "requirements" / (group + ".txt")


def version_in_venv(module="sys"):
    """Return the version of .venv's Python, or "" if it does not start or lacks the module."""
    code = "import sys, {}; print('%d.%d' % sys.version_info[:2])".format(module)
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        said = subprocess.check_output(
            [str(PYTHON), "-I", "-c", code],
            stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True, timeout=60)
        return said.strip()
    return ""


def wait_for_others(log):
    """Wait until no other call sets up .venv; pip inherits the lock, should we be killed."""
    while True:
        try:
            if os.name == "nt":
                import msvcrt
                log.seek(1 << 30)  # a locked byte cannot be read: take one far beyond the text
                return msvcrt.locking(log.fileno(), msvcrt.LK_NBLCK, 1)
            import fcntl
            return fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            if time.monotonic() - START > 900:
                sys.exit("Another call of course.py still sets up .venv after 15 minutes: "
                         "end it, try again.")
            say("waiting for another call of course.py to set up .venv", progress=True)
            time.sleep(2)
        except OSError:
            return  # a file system without locks


def set_up(group, log):
    """Make .venv where it is missing or unfit, install the group, and write the stamp last."""
    found = version_in_venv("pip")
    if found != VERSION:
        if os.path.lexists(str(VENV)):
            state = "was made by Python " + found if found else "is broken"
            say(".venv {}: making it again with Python {}.".format(state, VERSION))
        make_venv(log)
    # pip writes RECORD last, yet trusts a package without it.
    for package in SITE.glob("*.dist-info"):
        if not (package / "RECORD").exists():
            shutil.rmtree(str(package))
    # Relative to the .pth file, so that the course can be moved and its path can have any letters.
    lib = os.path.relpath(str(ROOT / "lib"), str(SITE))
    (SITE / "course.pth").write_text(lib + "\n", encoding="ascii")
    install(group, log)
    new = STAMP.with_suffix(".new")
    new.write_text(json.dumps(wanted(group)))
    new.replace(STAMP)


def make_venv(log):
    specs = [importlib.util.find_spec(name) for name in ("venv", "ensurepip")]
    # A folder left behind has a spec, but no origin.
    if not all(spec and spec.origin for spec in specs):
        sys.exit("This Python cannot make a virtual environment: on Debian and Ubuntu, "
                 "'sudo apt install python{}-venv' adds what it lacks.".format(VERSION))
    if VENV.is_symlink() or VENV.is_file():
        VENV.unlink()
    argv = [sys.executable, "-I", "-m", "venv", "--clear", str(VENV)]
    run(argv, log, lambda text: "making .venv")


def install(group, log):
    """Install the packages that are locked for a group."""
    lines = lock_of(group).read_text(encoding="utf-8").splitlines()
    total = sum("==" in line for line in lines)
    before = count_packages()

    def progress(text):
        _, installing, names = text.partition("\nInstalling collected packages:")
        if installing:
            wheels = names.partition("\n")[0].count(",") + 1
            return "{} of {} installed".format(count_packages() - before, wheels)
        fetched = text.count(" (line ") + text.count("\nIgnoring ")
        return "{} of {} fetched".format(fetched, total)

    say("Installing {} packages into .venv: a minute or two, this once.".format(total))
    # The lock is complete, so pip has nothing to resolve; Python compiles modules as they are used.
    argv = [str(PYTHON), "-I", "-u", "-m", "pip", "install", "--no-deps", "--require-hashes",
            "--no-compile", "--progress-bar=off", "-r", str(lock_of(group))]
    run(argv, log, progress)


def count_packages():
    return len(list(SITE.glob("*.dist-info")))


def run(argv, log, progress):
    """Run a program with its output in the log, show how far it is, and exit if it fails."""
    env = dict(os.environ, PIP_NO_INPUT="1", PIP_USER="0", PIP_DISABLE_PIP_VERSION_CHECK="1")
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env)
    with process:
        try:
            while process.returncode is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=2)
                text = LOG.read_text(encoding="utf-8", errors="replace")
                if process.returncode is None:
                    say(progress(text), progress=True)
        finally:
            process.terminate()
    if process.returncode:
        sys.exit("Setting up .venv stopped: {}. The next call goes on from there; see {}."
                 .format(reason_in(text), LOG.name))


def reason_in(text):
    """Return why a program failed, from what it wrote."""
    lines = [line.strip(" .") for line in text.splitlines() if line.strip()]
    errors = [line[len("ERROR: "):] for line in lines if line.startswith("ERROR: ")]
    reason = (["no reason given"] + lines)[-1]
    if errors not in ([], ["Exception:"]):
        reason = errors[-1]
    signs = ("Retrying (", "Connection", "timed out", "incomplete-download")
    if any(sign in text for sign in signs):
        return "the network failed ({})".format(reason)
    return reason


def say(text, progress=False):
    """Print a line; on a terminal, lines of progress replace each other."""
    if progress:
        text = "{:4.0f} s  {}".format(time.monotonic() - START, text)
    if sys.stderr.isatty():
        text = text.ljust(70)  # to cover the progress it replaces
    sys.stderr.write(text + ("\r" if progress and sys.stderr.isatty() else "\n"))
    sys.stderr.flush()


def hand_over(args):
    """Run coursekit's command with .venv's Python, in place of this process where possible."""
    argv = [str(PYTHON), "-P", "-m", "coursekit"] + args
    # Other packages would be found, or every start would be slow.
    drop = ("PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE")
    env = {name: value for name, value in os.environ.items() if name not in drop}
    if os.name != "nt":
        os.execve(argv[0], argv, env)
    with subprocess.Popen(argv, env=env) as process:
        while True:
            with contextlib.suppress(KeyboardInterrupt):  # the command gets Ctrl-C too, and decides
                return process.wait()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        say("Interrupted: the next call goes on from here.")
        sys.exit(130)
