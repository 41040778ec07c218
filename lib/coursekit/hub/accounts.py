"""Let a class log in by passwords of its own, where there is no single sign-on to ask.

`course.py hub --invite class.csv` draws a password for everybody who has none yet. Kept are hashes
alone, in the hub's own folder.
"""

import hashlib
import hmac
import json
import os
import secrets
from pathlib import Path
from typing import Any

from jupyterhub.auth import Authenticator
from tornado.ioloop import IOLoop
from traitlets import Unicode

from coursekit.files import write_atomically

from .places import NAME, Places

FILE = "accounts.json"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is taken for another
LENGTH = 14
COST = {"n": 1 << 14, "r": 8, "p": 1}


class Accounts(Authenticator):
    """Know everybody who was invited."""

    file = Unicode(help="where the hashes are").tag(config=True)

    def validate_username(self, username: str) -> bool:
        """Tell whether somebody may be here at all; the hub asks of everybody when it starts."""
        return super().validate_username(username) and username in read_accounts(Path(self.file))

    async def authenticate(self, handler: Any, data: dict[str, str]) -> str | None:
        """Return the name of whoever has the right password."""
        name = self.normalize_username(data["username"])
        run = IOLoop.current().run_in_executor  # hashing takes its time, and others wait meanwhile
        is_right = await run(None, knows, Path(self.file), name, data["password"])
        return name if is_right else None


def knows(file: Path, name: str, password: str) -> bool:
    """Tell whether a password is right; a name that is not known takes as long."""
    accounts = read_accounts(file)
    salt, kept = accounts.get(name, ["00" * 16, ""])
    made = _hash(password, salt)
    return hmac.compare_digest(made, kept) and name in accounts


def read_accounts(file: Path) -> dict[str, list[str]]:
    """Return salt and hash by name; nobody if there is no file yet."""
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def invite(places: Places, names: list[str]) -> dict[str, str]:
    """Return fresh passwords of those who had none, and keep their hashes."""
    odd = [name for name in names if not NAME.fullmatch(name)]
    if odd:
        raise ValueError(
            f"{', '.join(odd)} cannot be the name of an account: small letters, digits and . _ @ - "
            "can, up to 64, with a letter or digit first."
        )
    file = places.hub / FILE
    accounts = read_accounts(file)
    fresh = {name: _draw() for name in names if name not in accounts}
    for name, password in fresh.items():
        salt = os.urandom(16).hex()
        accounts[name] = [salt, _hash(password, salt)]
    write_atomically(file, json.dumps(accounts, indent=1) + "\n")
    file.chmod(0o600)
    return fresh


def _draw() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def _hash(password: str, salt: str) -> str:
    return hashlib.scrypt(password.encode()[:1024], salt=bytes.fromhex(salt), **COST).hex()
