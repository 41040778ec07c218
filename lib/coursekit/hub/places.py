"""Know where everything of a hub lies, and whose it is.

    data/exchange/halfspaces/outbound/hw03     what is handed out
    data/exchange/halfspaces/inbound/<student>     what each has handed in
    data/exchange/halfspaces/feedback/<student>    what each gets back
    data/homes, data/tmp, data/shm, data/passwd    a folder or file for each student
    data/hub     the hub's own files, and the passwords' hashes

A student sees the own part alone. No folder that a student can write to holds one that is mounted
later: a link put in its place would lead the mount elsewhere.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

COURSE = "halfspaces"  # nbgrader's course_id
NAME = re.compile(r"[a-z0-9][a-z0-9._@-]{0,63}")  # whoever is called so fits into paths and tables
FIRST_NUMBER = 200_000  # the first student's user id where the hub is root; nobody else has these


@dataclass(frozen=True)
class Account:
    """By which numbers the system knows somebody."""

    uid: int
    gid: int


@dataclass(frozen=True)
class Places:
    """The folders of one hub."""

    data: Path
    owner: Account  # of the course

    @property
    def exchange(self) -> Path:
        """What nbgrader calls the exchange."""
        return self.data / "exchange"

    @property
    def outbound(self) -> Path:
        """Where homework is handed out."""
        return self.exchange / COURSE / "outbound"

    @property
    def hub(self) -> Path:
        """Where the hub keeps its own files."""
        return self.data / "hub"

    def inbound(self, student: str) -> Path:
        """Where one student hands in."""
        return self._own(self.exchange / COURSE / "inbound", student)

    def feedback(self, student: str) -> Path:
        """Where one student finds feedback."""
        return self._own(self.exchange / COURSE / "feedback", student)

    def home(self, student: str) -> Path:
        """Where one student works."""
        return self._own(self.data / "homes", student)

    def temporary(self, student: str) -> Path:
        """What one student sees as /tmp: on disk, for memory is what runs short."""
        return self._own(self.data / "tmp", student)

    def shared_memory(self, student: str) -> Path:
        """What one student sees as /dev/shm, on disk too."""
        return self._own(self.data / "shm", student)

    def passwd(self, student: str) -> Path:
        """What one student sees as /etc/passwd."""
        return self._own(self.data / "passwd", student)

    @staticmethod
    def _own(folder: Path, student: str) -> Path:
        if not NAME.fullmatch(student):
            raise ValueError(
                f"{student!r} cannot have a server: a name has small letters, digits and . _ @ -, "
                "begins with a letter or digit, and is no longer than 64."
            )
        return folder / student

    def prepare(self) -> None:
        """Make what all share; whoever is neither the course's owner nor root sees nothing."""
        course = self.exchange / COURSE
        for folder in (self.data, self.exchange, course, course / "inbound", course / "feedback"):
            _make(folder, 0o700, self.owner)
        _make(self.outbound, 0o755, self.owner)  # students see it by another way
        hubs = Account(os.geteuid(), os.getegid())
        for name in ("homes", "tmp", "shm", "passwd", "hub"):
            _make(self.data / name, 0o700, hubs)

    def prepare_for(self, student: str) -> Account:
        """Make the folders of one student; return by which numbers the student's programs run."""
        import fcntl  # which Windows, where no hub runs, does not have

        home = self.home(student)
        with (self.data / "homes.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # or two could get one number
            account = self._account(home)
            _make(home, 0o700, account)
        for folder in (self.temporary(student), self.shared_memory(student)):
            _make(folder, 0o700, account)
        # The student may write here, and is not the owner, who alone can shut it.
        _make(self.inbound(student), 0o770, Account(self.owner.uid, account.gid))
        _make(self.feedback(student), 0o2750, Account(self.owner.uid, account.gid))
        line = f"{student}:x:{account.uid}:{account.gid}::/home/{student}:/bin/bash\n"
        self.passwd(student).write_text(line, "utf-8")
        self.passwd(student).chmod(0o644)
        return account

    def _account(self, home: Path) -> Account:
        """Return the owner of a home; where the hub is root, each student has numbers alone."""
        if os.geteuid():
            return Account(os.geteuid(), os.getegid())
        if home.is_dir():
            return Account(home.stat().st_uid, home.stat().st_gid)
        taken = [path.stat().st_uid for path in home.parent.iterdir()]
        number = max([FIRST_NUMBER - 1, *taken]) + 1
        return Account(number, number)


def find_places(data: Path, exercises: Path) -> Places:
    """Return the places of a hub for a course."""
    about = exercises.stat()
    return Places(data, Account(about.st_uid, about.st_gid))


def _make(folder: Path, mode: int, account: Account) -> None:
    """Make a folder, or put its owner and mode right; what is in it is left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    if os.geteuid() == 0:
        os.chown(folder, account.uid, account.gid)
    if folder.stat().st_uid == os.geteuid() or os.geteuid() == 0:
        folder.chmod(mode)
