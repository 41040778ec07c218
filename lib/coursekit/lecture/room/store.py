"""Keep the votes of a room on disk as they come: one JSON object a line, appended and never rewritten.

A line is written before its vote counts, so a kernel that dies loses none that was confirmed. There are no
names and no addresses in the file: a device is a random number. The secret in its first line signs the devices'
cookies, so only its owner may read the file.
"""

import contextlib
import json
import os
import re
import secrets
import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from halfspaces.notebook.questions import Question

CODE, CODE_LENGTH = (
    "CDFGHJKMNPQRTVWXY",
    5,
)  # no vowels, so no words; nothing that is read as a digit
LIFETIME = (
    6 * 3600
)  # seconds after its last line in which a room goes on; later it is another lecture
STAGES = ("first", "discussion", "second", "closed", "shown")
ROUND = {"first": 1, "second": 2}  # the stages in which votes are taken


class Late(Exception):
    """Say of a vote that its round had closed."""


@dataclass
class Poll:
    """Hold one asking of a question: where it stands, and the newest vote of each device in both rounds."""

    number: int
    question: Question
    since: float
    stage: str = "first"
    votes: dict[int, dict[str, str]] = field(default_factory=lambda: {1: {}, 2: {}})

    @property
    def state(self) -> str:
        """Name what a phone should be showing."""
        return f"{self.number}.{self.stage}"

    @property
    def round(self) -> int:
        """Return the round that is open, or 0."""
        return ROUND.get(self.stage, 0)

    def counts(self, round: int) -> dict[str, int]:
        """Count the votes of a round for each choice."""
        return dict.fromkeys(self.question.letters, 0) | Counter(self.votes[round].values())


class Store:
    """Append to a room's file, and know what it says; every thread may call."""

    def __init__(self, folder: Path, name: str):
        self.lock, self.polls, self.torn = threading.RLock(), [], False
        self.code, self.secret, self.port, self.network = "", "", 0, False
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = re.sub(r"[^\w-]", "_", name)
        newest = sorted(folder.glob(f"{name}.*.jsonl"), reverse=True)[:1]
        if not (
            newest and time.time() - newest[0].stat().st_mtime < LIFETIME and self._go_on(newest[0])
        ):
            self._begin(folder, name)

    @property
    def poll(self) -> Poll | None:
        """Return the question that was asked last."""
        return self.polls[-1] if self.polls else None

    @property
    def state(self) -> str:
        """Name what a phone should be showing."""
        return self.poll.state if self.poll else "0.wait"

    def ask(self, question: Question) -> Poll:
        """Open round one of a question; the one before is over."""
        with self.lock:
            record = {
                "ask": asdict(question) | {"choices": list(question.choices)},
                "at": time.time(),
            }
            self._write(record, sync=True)
            return self.polls[-1]

    def step(self, stage: str) -> None:
        """Go on to a stage of the question that was asked last."""
        with self.lock:
            self._write({"stage": stage, "at": time.time()}, sync=True)

    def listen(self, port: int, network: bool | str) -> None:
        """Remember where the room can be reached."""
        if (port, network) != (self.port, self.network):
            with self.lock:
                self._write({"port": port, "network": network}, sync=True)

    def vote(self, device: str, state: str, letter: str) -> None:
        """Count the vote of a device in the round that its page showed, if that is still open."""
        with self.lock:
            poll = self.poll
            if not poll or not poll.round or state != poll.state:
                raise Late("That round had closed before your vote arrived, so it does not count.")
            if letter not in tuple(poll.question.letters):
                raise ValueError("that is none of the choices")
            if poll.votes[poll.round].get(device) != letter:
                self._write({"vote": letter, "round": poll.round, "device": device})

    def close(self) -> None:
        """Let another process have the file."""
        os.close(self.file)

    def _begin(self, folder: Path, name: str) -> None:
        path = folder / f"{name}.{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}.jsonl"
        self.file, self.path = (
            os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_APPEND, 0o600),
            path,
        )
        lock_file(self.file)
        code = "".join(secrets.choice(CODE) for _ in range(CODE_LENGTH))
        self._write({"room": code, "secret": secrets.token_hex(32)}, sync=True)

    def _go_on(self, path: Path) -> bool:
        """Take up a file, unless another process has it or it says nothing."""
        self.file, self.path = os.open(path, os.O_RDWR | os.O_APPEND), path
        if lock_file(self.file):
            data = path.read_bytes()
            self.torn = not data.endswith(b"\n")
            for line in data.splitlines():
                with contextlib.suppress(
                    ValueError, KeyError, TypeError, IndexError
                ):  # torn when the machine stopped
                    self._apply(json.loads(line))
        if not self.code:
            os.close(self.file)
        return bool(self.code)

    def _write(self, record: Mapping[str, Any], sync: bool = False) -> None:
        line = b"\n" * self.torn + json.dumps(record, ensure_ascii=False).encode() + b"\n"
        self.torn = True
        if os.write(self.file, line) < len(line):
            raise OSError("the disk is full")
        self.torn = False
        if sync:
            os.fsync(self.file)
        self._apply(record)

    def _apply(self, record: Mapping[str, Any]) -> None:
        if "vote" in record:
            self.polls[-1].votes[record["round"]][record["device"]] = record["vote"]
        elif "stage" in record:
            self.polls[-1].stage, self.polls[-1].since = record["stage"], record["at"]
        elif "ask" in record:
            self.polls.append(Poll(len(self.polls) + 1, Question(**record["ask"]), record["at"]))
        elif "port" in record:
            self.port, self.network = record["port"], record["network"]
        elif "room" in record:
            self.code, self.secret = record["room"], record["secret"]


def lock_file(file: int) -> bool:
    """Keep a file for this process as long as it lives; say whether it was free."""
    try:
        if os.name == "nt":
            import msvcrt

            os.lseek(
                file, 1 << 30, os.SEEK_SET
            )  # a locked byte cannot be read: take one far beyond the text
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # a file system without locks
    return True
