"""Keep the votes of a room on disk as they come: one JSON object a line, only ever appended.

A line is written before its vote counts, so a kernel that dies loses none that was confirmed. There
are no names and no addresses in the file: a device is a random number. The secret in its first line
signs the devices' cookies, so only its owner may read the file.
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
from enum import StrEnum
from pathlib import Path
from typing import Any

from halfspaces.notebook.questions import Question

LETTERS = "CDFGHJKMNPQRTVWXY"  # no vowels, so no words; nothing that is read as a digit
CODE_LENGTH = 5
LIFETIME = 6 * 3600  # seconds without a new line after which it is another lecture


class Stage(StrEnum):
    """Say where a question stands; the stages follow each other in this order."""

    FIRST = "first"
    DISCUSSION = "discussion"
    SECOND = "second"
    CLOSED = "closed"
    SHOWN = "shown"

    @property
    def following(self) -> "Stage | None":
        """Return the stage after this one, if there is one."""
        stages = list(Stage)
        after = stages[stages.index(self) + 1 :]
        return after[0] if after else None


ROUNDS = {Stage.FIRST: 1, Stage.SECOND: 2}  # the stages in which votes are taken


def state(number: int, stage: Stage) -> str:
    """Name what a phone should be showing."""
    return f"{number}.{stage}"


class Late(Exception):
    """Say of a vote that its round had closed."""


@dataclass
class Poll:
    """Hold one asking of a question: where it stands, and each device's newest votes."""

    number: int
    question: Question
    since: float
    stage: Stage = Stage.FIRST
    votes: dict[int, dict[str, str]] = field(default_factory=lambda: {1: {}, 2: {}})

    @property
    def state(self) -> str:
        """Name what a phone should be showing."""
        return state(self.number, self.stage)

    @property
    def round(self) -> int:
        """Return the round that is open, or 0."""
        return ROUNDS.get(self.stage, 0)

    def counts(self, round: int) -> dict[str, int]:
        """Count the votes of a round for each choice."""
        return dict.fromkeys(self.question.letters, 0) | Counter(self.votes[round].values())


class Store:
    """Append to a room's file, and know what it says; every thread may call."""

    def __init__(self, folder: Path, name: str):
        self.lock = threading.RLock()
        self.polls: list[Poll] = []
        self.torn = False  # whether the last line lacks its end
        self.code = ""
        self.secret = ""
        self.port = 0
        self.network: bool | str = False
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = re.sub(r"[^\w-]", "_", name)
        newest = sorted(folder.glob(f"{name}.*.jsonl"), reverse=True)[:1]
        recent = [path for path in newest if time.time() - path.stat().st_mtime < LIFETIME]
        if not recent or not self._go_on(recent[0]):
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
            self._write({"ask": asdict(question), "at": time.time()}, sync=True)
            return self.polls[-1]

    def step(self, stage: Stage) -> None:
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
        self.path = path
        self.file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_APPEND, 0o600)
        lock_file(self.file)
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        self._write({"room": code, "secret": secrets.token_hex(32)}, sync=True)

    def _go_on(self, path: Path) -> bool:
        """Take up a file, unless another process has it or it says nothing."""
        self.path = path
        self.file = os.open(path, os.O_RDWR | os.O_APPEND)
        if lock_file(self.file):
            data = path.read_bytes()
            self.torn = not data.endswith(b"\n")
            for line in data.splitlines():
                # A line may be torn: the machine may have stopped while it was written.
                with contextlib.suppress(ValueError, KeyError, TypeError, IndexError):
                    self._apply(json.loads(line))
        if not self.code:
            os.close(self.file)
        return bool(self.code)

    def _write(self, record: Mapping[str, Any], sync: bool = False) -> None:
        line = json.dumps(record, ensure_ascii=False).encode() + b"\n"
        if self.torn:
            line = b"\n" + line
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
            self.polls[-1].stage = Stage(record["stage"])
            self.polls[-1].since = record["at"]
        elif "ask" in record:
            self.polls.append(Poll(len(self.polls) + 1, Question(**record["ask"]), record["at"]))
        elif "port" in record:
            self.port = record["port"]
            self.network = record["network"]
        elif "room" in record:
            self.code = record["room"]
            self.secret = record["secret"]


def lock_file(file: int) -> bool:
    """Keep a file for this process as long as it lives; say whether it was free."""
    try:
        if os.name == "nt":
            import msvcrt

            # A locked byte cannot be read: take one far beyond the text.
            os.lseek(file, 1 << 30, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # a file system without locks
    return True
