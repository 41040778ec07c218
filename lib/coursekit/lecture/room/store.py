"""Keep the votes of a room on disk as they come: one JSON object a line, only ever appended.

A line is written before its vote counts, so a kernel that dies loses none that was confirmed. There
are no names and no addresses in the file: a device is a random number. The secret in its first line
signs the devices' cookies, so only its owner may read the file.

A device that came before phones were let in is the lecturer's own, trying the room out: its number
begins with `TRIAL`, and what it voted is forgotten when phones are let in.
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

from halfspaces.notebook.questions import Predict, Question

LETTERS = "CDFGHJKMNPQRTVWXY"  # no vowels, so no words; nothing that is read as a digit
CODE_LENGTH = 5
LIFETIME = 6 * 3600  # seconds without a new line after which it is another lecture
TRIAL = "t"
SENTENCE = 200  # letters of an answer to "why?"
NUMBER = 20  # letters of a number
Asked = Question | Predict


class Stage(StrEnum):
    """Say where a question stands."""

    FIRST = "first"
    DISCUSSION = "discussion"
    SECOND = "second"
    CLOSED = "closed"
    SHOWN = "shown"


# What may come after each stage, the usual one first. Round two can be skipped; numbers have none.
AFTER = {
    Stage.FIRST: [Stage.DISCUSSION],
    Stage.DISCUSSION: [Stage.SECOND, Stage.SHOWN],
    Stage.SECOND: [Stage.CLOSED],
    Stage.CLOSED: [Stage.SHOWN],
    Stage.SHOWN: [],
}
AFTER_NUMBERS = {Stage.FIRST: [Stage.CLOSED], Stage.CLOSED: [Stage.SHOWN], Stage.SHOWN: []}
ROUNDS = {Stage.FIRST: 1, Stage.SECOND: 2}  # the stages in which votes are taken


def state(number: int, stage: Stage) -> str:
    """Name what a phone should be showing."""
    return f"{number}.{stage}"


class Late(Exception):
    """Say of a vote that its round had closed."""


class Unfit(Exception):
    """Say what is expected in the place of what was typed."""


@dataclass
class Poll:
    """Hold one asking of a question: where it stands, and each device's newest votes."""

    number: int
    question: Asked
    since: float
    stage: Stage = Stage.FIRST
    votes: dict[int, dict[str, str]] = field(default_factory=lambda: {1: {}, 2: {}})
    rounds: int = 1  # that there have been
    why: bool = False  # whether phones are asked for a sentence
    sentences: dict[str, str] = field(default_factory=dict)  # of each device
    picked: list[str] = field(default_factory=list)  # devices whose sentence is for the projector
    truth: str = ""  # of a number, when it has been revealed
    bound: str = ""

    @property
    def state(self) -> str:
        """Name what a phone should be showing."""
        return state(self.number, self.stage)

    @property
    def asks_number(self) -> bool:
        """Tell whether a number is asked for, and no choice."""
        return isinstance(self.question, Predict)

    @property
    def following(self) -> list[Stage]:
        """Return the stages that may come next, the usual one first."""
        return (AFTER_NUMBERS if self.asks_number else AFTER)[self.stage]

    @property
    def chosen(self) -> list[str]:
        """Return the sentences that the lecturer has picked, in that order."""
        return [self.sentences[device] for device in self.picked if device in self.sentences]

    @property
    def round(self) -> int:
        """Return the round that is open, or 0."""
        return ROUNDS.get(self.stage, 0)

    def counts(self, round: int) -> dict[str, int]:
        """Count the votes of a round for each choice."""
        return dict.fromkeys(self.question.letters, 0) | Counter(self.votes[round].values())


@dataclass(frozen=True)
class Slide:
    """Hold what followers see: the slide in front, as HTML, and how often that has changed."""

    number: int
    title: str
    html: str
    version: int


class Record:
    """Know what the lines of a room's file say."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.polls: list[Poll] = []
        self.code = ""
        self.secret = ""
        self.port = 0
        self.network: bool | str = False
        self.followed = False  # whether phones may see the slides
        self.lost: dict[int, set[str]] = {}  # by slide, who was
        self.titles: dict[int, str] = {}  # of slides that phones have seen
        self.typed: dict[str, dict[str, Any]] = {}  # by cell: the newest code, and its slide

    def read(self, data: bytes) -> None:
        """Take in the lines of a file."""
        for line in data.splitlines():
            # A line may be torn: the machine may have stopped while it was written.
            with contextlib.suppress(ValueError, KeyError, TypeError, IndexError):
                self._apply(json.loads(line))

    def _apply(self, record: Mapping[str, Any]) -> None:
        if "vote" in record:
            self.polls[-1].votes[record["round"]][record["device"]] = record["vote"]
        elif "stage" in record:
            self.polls[-1].stage = Stage(record["stage"])
            self.polls[-1].rounds = max(self.polls[-1].rounds, self.polls[-1].round)
            self.polls[-1].since = record["at"]
            self.polls[-1].why = False
        elif "ask" in record:
            parts = record["ask"]
            question = Question(**parts) if "answer" in parts else Predict(**parts)
            self.polls.append(Poll(len(self.polls) + 1, question, record["at"]))
        elif "why" in record:
            self.polls[-1].why = record["why"]
        elif "sentence" in record:
            self.polls[-1].sentences[record["device"]] = record["sentence"]
        elif "pick" in record:
            picked = [device for device in self.polls[-1].picked if device != record["pick"]]
            self.polls[-1].picked = [*picked, record["pick"]] if record["shown"] else picked
        elif "truth" in record:
            poll = self.polls[record["poll"] - 1]
            poll.truth = record["truth"]
            poll.bound = record["bound"]
        elif "follow" in record:
            self.followed = record["follow"]
        elif "lost" in record:
            self.lost.setdefault(record["lost"], set()).add(record["device"])
            self.titles[record["lost"]] = record["title"]
        elif "typed" in record:
            self.typed[record["typed"]] = {key: record[key] for key in ("slide", "title", "code")}
        elif "port" in record:
            self.port = record["port"]
            self.network = record["network"]
            if self.network:
                self._forget_trials()
        elif "room" in record:
            self.code = record["room"]
            self.secret = record["secret"]

    def _forget_trials(self) -> None:
        """Forget what was tried out before phones were let in."""
        for poll in self.polls:
            poll.votes = {round: _without_trials(votes) for round, votes in poll.votes.items()}
            poll.sentences = _without_trials(poll.sentences)
        self.lost = {
            slide: {device for device in devices if not device.startswith(TRIAL)}
            for slide, devices in self.lost.items()
        }


class Store(Record):
    """Append to a room's file, and know what it says; every thread may call."""

    def __init__(self, folder: Path, name: str):
        super().__init__()
        self.torn = False  # whether the last line lacks its end
        self.slide: Slide | None = None  # in memory only
        self.said = ""  # to the lecturer, on the page of their own
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.name = file_name(name)
        recent = recent_file(folder, name)
        if not recent or not self._go_on(recent):
            self._begin(folder)

    @property
    def poll(self) -> Poll | None:
        """Return the question that was asked last."""
        return self.polls[-1] if self.polls else None

    @property
    def state(self) -> str:
        """Name what a phone should be showing."""
        state = self.poll.state if self.poll else "0.wait"
        if self.poll and self.poll.why:
            state += ".why"
        return f"{state}.follow" if self.followed else state

    @property
    def slide_state(self) -> str:
        """Name what a phone that follows the slides should be showing."""
        return f"{self.state}.{self.slide.version if self.slide else 0}"

    def ask(self, question: Asked) -> Poll:
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
            if isinstance(poll.question, Predict):
                letter = as_number(poll.question, letter)
            elif letter not in tuple(poll.question.letters):
                raise ValueError("that is none of the choices")
            if poll.votes[poll.round].get(device) != letter:
                self._write({"vote": letter, "round": poll.round, "device": device})

    def ask_why(self, wanted: bool) -> None:
        """Ask phones for a sentence, or no longer."""
        with self.lock:
            if self.poll and self.poll.why != wanted:
                self._write({"why": wanted}, sync=True)

    def say(self, device: str, state: str, sentence: str) -> None:
        """Keep the sentence of a device, in the place of one it sent before."""
        with self.lock:
            poll = self.poll
            if not poll or not poll.why or state != poll.state:
                raise Late("Sentences are no longer collected, so yours was not kept.")
            sentence = " ".join(sentence.split())
            if not sentence.isprintable():
                raise ValueError("that is no sentence")
            if not 1 <= len(sentence) <= SENTENCE:
                raise Unfit(f"One sentence is expected, of at most {SENTENCE} letters.")
            if poll.sentences.get(device) != sentence:
                self._write({"sentence": sentence, "device": device})

    def pick(self, device: str, shown: bool) -> None:
        """Put a sentence on the projector, or take it off."""
        with self.lock:
            poll = self.poll
            if poll and device in poll.sentences and shown != (device in poll.picked):
                self._write({"pick": device, "shown": shown}, sync=True)

    def reveal(self, poll: Poll, truth: str, bound: str) -> None:
        """Keep the true number of a poll, and its bound."""
        with self.lock:
            if (truth, bound) != (poll.truth, poll.bound):
                number = poll.number
                self._write({"truth": truth, "bound": bound, "poll": number}, sync=True)

    def follow(self, wanted: bool) -> None:
        """Let phones see the slides, or no longer."""
        with self.lock:
            if wanted != self.followed:
                self._write({"follow": wanted}, sync=True)

    def show(self, number: int, title: str, html: str) -> None:
        """Take the slide that is in front now."""
        with self.lock:
            before = self.slide
            self.titles[number] = title
            version = before.version if before else 0
            if not before or (before.number, before.html) != (number, html):
                self.slide = Slide(number, title, html, version + 1)

    def lose(self, device: str, number: int) -> None:
        """Note that a slide has lost a device, once; another may be in front by now."""
        with self.lock:
            title = self.titles.get(number)
            if title is None or not self.followed:
                raise ValueError("no phone has seen that slide")
            if device not in self.lost.get(number, ()):
                self._write({"lost": number, "title": title, "device": device})

    def type(self, cell: str, number: int, title: str, code: str) -> None:
        """Keep the code that a cell has now."""
        with self.lock:
            if self.typed.get(cell, {}).get("code") != code:
                self._write({"typed": cell, "slide": number, "title": title, "code": code})

    def close(self) -> None:
        """Let another process have the file."""
        os.close(self.file)

    def _begin(self, folder: Path) -> None:
        path = folder / f"{self.name}.{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}.jsonl"
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
            self.read(data)
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


def file_name(name: str) -> str:
    """Return how the files of a room begin that is called so."""
    return re.sub(r"[^\w-]", "_", name)


def recent_file(folder: Path, name: str) -> Path | None:
    """Return the file of the lecture that is given under this name now, if there is one."""
    newest = newest_files(folder, file_name(name))[:1]
    recent = [path for path in newest if time.time() - path.stat().st_mtime < LIFETIME]
    return recent[0] if recent else None


def newest_files(folder: Path, name: str) -> list[Path]:
    """Return the files of a notebook's rooms, the newest first."""
    return sorted(folder.glob(f"{name}.*.jsonl"), reverse=True)


def as_number(question: Predict, text: str) -> str:
    """Return what was typed on a phone as a number; many of them have a comma and no point."""
    text = " ".join(text.split())
    if re.fullmatch(r"[-−]?\d+,\d\d?", text):
        text = text.replace(",", ".")
    fault = question.fault_in(text)
    if not fault and len(text) > NUMBER:
        fault = f"A number of at most {NUMBER} digits is expected here; 1e30 is one, too."
    if fault:
        raise Unfit(fault)
    return text


def _without_trials(said: dict[str, str]) -> dict[str, str]:
    return {device: text for device, text in said.items() if not device.startswith(TRIAL)}


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
