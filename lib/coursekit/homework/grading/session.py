"""Talk to one submission: run its cells, call its functions, and go on when it hangs, dies or lies.

Every request carries a token that only its reply can know, so what is sent at another time counts for nothing. After
a hang or a death a fresh child runs the cells again, without the one that was to blame.
"""

import secrets
import select
import socket
import time
import types
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Protocol

from .inside.channel import Late, Lost, Odd, receive, send
from .marking import Args, CheckerError, Failure, changed, quote
from .inside.plain import Malformed, decode, encode
from .inside.worker import Answers

PATIENCE = 4  # times its limit is the most that a call or cell may take, where others keep the processors busy
ENDED = "ends the whole program: it exits, crashes or takes too much memory"


@dataclass(frozen=True)
class Limits:
    """Seconds for one cell, one call, and all that a submission does."""

    cell: float = 10
    call: float = 5
    total: float = 60


class Session(Protocol):
    """Something that calls the functions of a submission."""

    faults: dict[str, str]  # what stopped a cell, by grade_id; "" for the given cells

    def call(self, function: str, args: Args) -> Any:
        """Return the function's value, or a Failure."""


class Sandboxed:
    """A submission whose cells run in a sandbox."""

    def __init__(self, sandbox: Any, steps: list[tuple[str, str]], limits: Limits = Limits()):
        self.sandbox, self.steps, self.limits = sandbox, steps, limits
        self.end = time.monotonic() + limits.total
        self.faults: dict[str, str] = {}
        self.fatal: set[int] = set()  # the steps that are left out from now on
        self.sock: socket.socket | None = None

    def call(self, function: str, args: Args) -> Any:
        """Call a function in the sandbox, with copies of the arguments."""
        try:
            data = [encode(arg) for arg in args]
        except Malformed as error:
            raise CheckerError(f"an input of {function} is not plain data: {error}") from None
        self._start()
        if self.sock is None:
            return Failure(
                "timeout",
                f"was not tried: the {self.limits.total:g} seconds of the submission were over",
            )
        try:
            kind, *rest = self._ask(self.limits.call, "call", function, data)
            if kind == "value":
                value, after = rest
                return changed(args, tuple(map(decode, after))) or decode(value)
            return failed(kind, *rest)
        except Late:
            fault = Failure("timeout", f"takes more than {self.limits.call:g} seconds")
        except Lost:
            fault = Failure("died", ENDED)
        except Malformed as error:
            return failed("data", str(error))
        except (Odd, TypeError, ValueError):
            fault = Failure("data", "sends back something that is no answer")
        self.close()
        return fault

    def close(self) -> None:
        """Hang up; the sandbox ends the child when the next one starts."""
        if self.sock is not None:
            self.sock.close()
            self.sock = None

    def _start(self) -> None:
        """Run the cells in a fresh child, unless one is at hand; leave none if time is over."""
        while self.sock is None and time.monotonic() < self.end:
            self.sock = self.sandbox.child()
            for i, (id, code) in enumerate(self.steps):
                if i in self.fatal:
                    continue
                if fault := self._run(code):
                    self.faults.setdefault(id, quote(fault))
                if self.sock is None:
                    self.fatal.add(i)
                    break

    def _run(self, code: str) -> str:
        """Run one cell; return what stopped it, and hang up if that was the whole program."""
        try:
            [fault] = self._ask(self.limits.cell, "run", code)
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
        start, before, token = time.monotonic(), self.sandbox.waited(), secrets.token_hex(16)

        def deadline() -> float:
            """Leave out the time spent waiting for a processor, which is not the submission's, up to a bound."""
            waited = max(0, self.sandbox.waited() - before)
            return min(start + min(seconds + waited, PATIENCE * seconds), self.end)

        send(self.sock, [token, *request], start + seconds)
        while not select.select([self.sock], [], [], max(0, deadline() - time.monotonic()))[0]:
            if deadline() <= time.monotonic():
                raise Late("no answer in time")
        reply = receive(self.sock, deadline())
        if not isinstance(reply, list) or len(reply) < 2 or reply[0] != token:
            raise Odd("a reply to no request")
        return reply[1:]


class Unprotected:
    """A submission of one's own, whose cells run in this very process."""

    def __init__(self, steps: list[tuple[str, str]]):
        self.answers = Answers(types.ModuleType("__main__"))
        faults = {id: self.answers.run(code) for id, code in steps}
        self.faults = {id: quote(f"stops with {fault}") for id, fault in faults.items() if fault}

    def call(self, function: str, args: Args) -> Any:
        """Call a function here, with copies of the arguments that went through plain data."""
        kind, *rest = self.answers.call(function, [encode(arg) for arg in deepcopy(args)])
        if kind != "value":
            return failed(kind, *rest)
        return changed(args, tuple(map(decode, rest[1]))) or decode(rest[0])

    def close(self) -> None:
        """Have nothing to do."""


def failed(kind: str, text: str = "") -> Failure:
    """Return the Failure for a reply that is no value."""
    if kind == "missing":
        return Failure(kind, "is not to be found: no function of this name is defined")
    if kind == "error":
        return Failure(kind, f"raises {quote(text)}")
    return Failure(
        "data",
        f"returns {quote(text)}, where plain data are expected (numbers, texts, lists, arrays …)",
    )
