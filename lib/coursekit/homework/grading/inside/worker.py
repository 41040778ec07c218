"""What runs inside the sandbox: a fork server, and for each submission a child that answers calls.

The child holds the code of one submission and the request it is answering: no test, no solution,
no other's work.
"""

import ast
import gc
import importlib
import os
import random
import re
import select
import signal
import socket
import sys
import types
from typing import Any

from . import channel, plain
from .channel import Reply, Request
from .limits import EXCEPTION_LETTERS, MEMORY_WATCH, SUBMISSION_MEMORY

MAGIC = re.compile(
    r"^([ \t]*)(?:%%?time\b[ \t]*(.*)|%%?[a-z].*|[!?].*|[\w.]+\?+[ \t]*)$", re.MULTILINE
)
PRELOADED = (
    "numpy",
    "scipy.linalg",
    "scipy.optimize",
    "matplotlib.pyplot",
    "halfspaces.notebook.exercises",
    "halfspaces.notebook.figures",
)


class Answers:
    """The cells of one submission, run one by one; a call is answered with plain data."""

    def __init__(self, module: types.ModuleType):
        self.names = module.__dict__
        self.names.update(get_ipython=Shell, display=do_nothing)

    def run(self, code: str) -> str:
        """Run a cell; return what stopped it, or nothing."""
        try:
            exec(compile(tolerate(code), "<answer>", "exec", dont_inherit=True), self.names)
        except BaseException as error:  # SystemExit too: it does not stop the other cells
            return describe(error)
        return ""

    def call(self, function: str, args: list[Any]) -> list[Any]:
        """Return [VALUE, result, arguments afterwards], or what went wrong."""
        target = self.names.get(function)
        if not callable(target):
            return [Reply.MISSING]
        values = [plain.decode(arg) for arg in args]
        try:
            got = target(*values)
        except BaseException as error:
            return [Reply.ERROR, describe(error)]
        try:
            return [Reply.VALUE, plain.encode(got), [plain.encode(value) for value in values]]
        except plain.Malformed as error:
            return [Reply.DATA, str(error)]
        except BaseException as error:
            return [Reply.DATA, describe(error)]


class Shell:
    """Stand for IPython where a cell asks for it: whatever is called does nothing."""

    def __getattr__(self, name: str) -> Any:
        return do_nothing


def do_nothing(*args: Any, **options: Any) -> None:
    """Stand for what only makes sense in a notebook."""


def tolerate(code: str) -> str:
    """Return a cell without the magics, shell commands and questions that only IPython knows."""
    try:
        ast.parse(code)
        return code
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return MAGIC.sub(without_magic, code)


def without_magic(found: re.Match[str]) -> str:
    """Return what is left of a line with a magic: the code that %time would run, or nothing."""
    return found[1] + (found[2] or "pass")


def describe(error: BaseException) -> str:
    """Write an exception, if its own methods let us."""
    try:
        return f"{type(error).__name__}: {error}".rstrip(": ")[:EXCEPTION_LETTERS]
    except BaseException:
        return "an exception that cannot be written"


def answer(sock: socket.socket) -> None:
    """Answer requests for one submission until the grader hangs up."""
    import numpy

    random.seed(0)  # the same submission gets the same mark
    numpy.random.seed(0)
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    answers = Answers(main)
    hide()
    asked = os.getpid()
    while True:
        try:
            token, kind, *rest = channel.receive(sock)
            reply = [answers.run(*rest)] if kind == Request.RUN else answers.call(*rest)
            if os.getpid() != asked:  # a process that the submission has made, and not ended
                return
            try:
                channel.send(sock, [token, *reply])
            except channel.Odd as error:
                channel.send(sock, [token, Reply.DATA, str(error)])
        except channel.Lost:
            return


def hide() -> None:
    """Let whoever imports our modules get copies: to change those changes nothing here.

    Who walks the frames still finds us, and can make us say that a call has left its arguments
    alone; all else that a child says of itself is judged outside.
    """
    for name in list(sys.modules):
        if name.partition(".")[0] == __package__:
            del sys.modules[name]


def serve() -> None:
    """Be the fork server: make a child for each socket that comes, and end the one before."""
    from . import jail

    jail.drop_root()
    preload()
    control = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    base = jail.share_of(os.getpid())
    busy = False
    control.sendall(channel.READY)
    while True:
        ready, _, _ = select.select([control], [], [], MEMORY_WATCH if busy else None)
        if not ready:
            if jail.exceeds(SUBMISSION_MEMORY, base):
                jail.end_others()
            continue
        word, fds, _, _ = socket.recv_fds(control, 1, 1)
        jail.end_others()
        if not word:
            return
        busy = word == channel.START_CHILD
        if busy and os.fork() == 0:
            control.close()
            enter(fds[0])
        for fd in fds:
            os.close(fd)
        if not busy:
            control.sendall(channel.END_CHILD)


def enter(fd: int) -> None:
    """Become the child: lock the doors, say so, and answer; never return."""
    from . import jail

    try:
        sock = socket.socket(fileno=fd)
        try:
            jail.lock(fd)
        except OSError as error:
            channel.send(sock, ["no", str(error)])
            os._exit(1)
        channel.send(sock, ["ready"])
        answer(sock)
    finally:
        os._exit(0)


def preload() -> None:
    """Import once what submissions import, so that each child has it already."""
    for name in PRELOADED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # else the first collection in each child would copy every page
