"""Talk to one submission: run its cells, call its functions, and go on when it hangs or lies.

Every request carries a token that only its reply can know, so what is sent at another time counts
for nothing. After a hang or a death a fresh child runs the cells again, without the one that was
to blame.
"""

import secrets
import select
import socket
import types
from copy import deepcopy
from typing import Any, Protocol

from .inside.channel import Late, Lost, Odd, Reply, Request, receive, send
from .inside.limits import PATIENCE, USUAL, Limits
from .inside.plain import Malformed, decode, encode
from .inside.worker import Answers
from .marking import NOT_DEFINED, Args, CheckerError, Failure, FailureKind, changed, quote
from .presence import away, now
from .sandbox import Sandbox

ENDED = "ends the whole program: it exits, crashes or takes too much memory"


class Session(Protocol):
    """Something that calls the functions of a submission."""

    faults: dict[str, str]  # what stopped a cell, by grade_id; "" for the given cells

    def call(self, function: str, args: Args) -> Any:
        """Return the function's value, or a Failure."""

    def close(self) -> None:
        """Let go of the submission."""


class Sandboxed:
    """A submission whose cells run in a sandbox."""

    def __init__(self, sandbox: Sandbox, steps: list[tuple[str, str]], limits: Limits = USUAL):
        self.sandbox = sandbox
        self.steps = steps
        self.limits = limits
        self.end = now() + limits.total
        self.faults: dict[str, str] = {}
        self.fatal: set[int] = set()  # the steps that are left out from now on
        self.sock: socket.socket | None = None

    def call(self, function: str, args: Args) -> Any:
        """Call a function in the sandbox, with copies of the arguments."""
        try:
            data = [encode(arg) for arg in args]
        except Malformed as error:
            raise CheckerError(f"an input of {function} is not plain data: {error}") from None
        gone = away()
        got = self._call(function, data, args)
        if away() > gone and isinstance(got, Failure) and got.kind is FailureKind.TIMEOUT:
            got = self._call(function, data, args)  # who was late may have been ourselves
        return got

    def _call(self, function: str, data: list[Any], args: Args) -> Any:
        self._start()
        if self.sock is None or now() >= self.end:
            text = f"was not tried: the {self.limits.total:g} seconds of the submission were over"
            return Failure(FailureKind.TIMEOUT, text)
        try:
            reply = self._ask(self.limits.call, Request.CALL, function, data)
            return value_of(reply, args)
        except Late:
            text = f"takes more than {self.limits.call:g} seconds"
            fault = Failure(FailureKind.TIMEOUT, text)
        except Lost:
            fault = Failure(FailureKind.DIED, ENDED)
        except Malformed as error:
            return not_plain(str(error))
        except (Odd, TypeError, ValueError):
            fault = Failure(FailureKind.DATA, "sends back something that is no answer")
        self.close()
        return fault

    def close(self) -> None:
        """Hang up; the sandbox ends the child when the next one starts."""
        if self.sock is not None:
            self.sock.close()
            self.sock = None

    def _start(self) -> None:
        """Run the cells in a fresh child, unless one is at hand; leave none if time is over."""
        while self.sock is None and now() < self.end:
            self.sock = self.sandbox.child()
            gone = away()
            for i, (id, code) in enumerate(self.steps):
                if i in self.fatal:
                    continue
                fault = self._run(code)
                if self.sock is None and away() > gone:
                    break  # who was late may have been ourselves: begin again
                if fault:
                    self.faults.setdefault(id, quote(fault))
                if self.sock is None:
                    self.fatal.add(i)
                    break

    def _run(self, code: str) -> str:
        """Run one cell; return what stopped it, and hang up if that was the whole program."""
        try:
            [fault] = self._ask(self.limits.cell, Request.RUN, code)
            return f"stops with {fault}" if isinstance(fault, str) and fault else ""
        except Late:
            fault = f"takes more than {self.limits.cell:g} seconds"
        except Lost:
            fault = ENDED
        except (Odd, TypeError, ValueError):
            fault = "sends something that is no answer"
        self.close()
        return fault

    def _ask(self, seconds: float, *request: Any) -> list[Any]:
        """Send a request, and return its reply if that comes in time."""
        start = now()
        waited_before = self.sandbox.waited()
        token = secrets.token_hex(16)

        def deadline() -> float:
            """Leave out the wait for a processor, which is not the submission's, up to a bound."""
            waited = max(0, self.sandbox.waited() - waited_before)
            return min(start + min(seconds + waited, PATIENCE * seconds), self.end)

        send(self.sock, [token, *request], start + seconds, now)
        while not select.select([self.sock], [], [], max(0, deadline() - now()))[0]:
            if deadline() <= now():
                raise Late("no answer in time")
        reply = receive(self.sock, deadline(), now)
        if not isinstance(reply, list) or len(reply) < 2 or reply[0] != token:
            raise Odd("a reply to no request")
        return reply[1:]


class Unprotected:
    """A submission of one's own, whose cells run in this very process."""

    def __init__(self, steps: list[tuple[str, str]]):
        self.answers = Answers(types.ModuleType("__main__"))
        self.faults: dict[str, str] = {}
        for id, code in steps:
            fault = self.answers.run(code)
            if fault:
                self.faults[id] = quote(f"stops with {fault}")

    def call(self, function: str, args: Args) -> Any:
        """Call a function here, with copies of the arguments that went through plain data."""
        reply = self.answers.call(function, [encode(arg) for arg in deepcopy(args)])
        return value_of(reply, args)

    def close(self) -> None:
        """Have nothing to do."""


def value_of(reply: list[Any], args: Args) -> Any:
    """Return the value in the reply to a call, or the Failure that it tells of."""
    kind, *rest = reply
    if kind == Reply.VALUE:
        value, after = rest
        return changed(args, tuple(map(decode, after))) or decode(value)
    if kind == Reply.MISSING:
        return NOT_DEFINED
    [text] = rest
    if kind == Reply.ERROR:
        return Failure(FailureKind.ERROR, f"raises {quote(text)}")
    return not_plain(text)


def not_plain(what: str) -> Failure:
    """Return the Failure of a call that gave something else than plain data."""
    text = f"returns {quote(what)}, where plain data are expected (numbers, texts, lists, arrays …)"
    return Failure(FailureKind.DATA, text)
