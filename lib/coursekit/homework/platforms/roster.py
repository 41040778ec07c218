"""Know the class: a table that says which id belongs to whom on the learning platform.

    id,name,email,moodle,canvas
    ada,Ada Lovelace,ada@example.org,4711,815

`id` is what students write into STUDENT. The other columns are whatever the platform tells: name,
email, login, sid, or a column with the platform's own name for its number. One that fits is enough.
"""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from coursekit.homework.grading.submission import same_name

from .archives import Handed

COLUMNS = ("email", "sid", "login", "name")  # the surest first


@dataclass(frozen=True)
class Roster:
    """Find the id of whoever handed in a file."""

    rows: tuple[dict[str, str], ...]

    def find(self, handed: Handed) -> str:
        """Return the student's id; raise ValueError with a sentence if none or several fit."""
        known = {handed.platform: handed.key, **handed.names}
        for column in (handed.platform, *COLUMNS):
            if column not in known:
                continue
            wanted = _plain(known[column], column)
            fit = {
                row["id"]
                for row in self.rows
                if wanted and _plain(row.get(column), column) == wanted
            }
            if len(fit) > 1:
                who = " and ".join(sorted(fit))
                raise ValueError(f"The {column} {known[column]} belongs to {who} in the roster.")
            if fit:
                return fit.pop()
        raise ValueError(f"Nobody in the roster is {described(handed)}.")


def described(handed: Handed) -> str:
    """Name a person by all that the platform tells."""
    told = ", ".join(f"{column} {value}" for column, value in handed.names.items())
    return f"{told or 'known'} ({handed.platform} {handed.key})"


def read_roster(path: Path) -> Roster:
    """Return the class; raise ValueError with a sentence if the table does not serve."""
    rows = [
        {name.strip(): value.strip() for name, value in row.items()} for row in read_table(path)
    ]
    if not rows or "id" not in rows[0]:
        found = ", ".join(rows[0]) if rows else "nothing"
        raise ValueError(
            f"{path.name} needs a column id, with what students write into STUDENT, and columns "
            f"such as name, email or moodle: it has {found}."
        )
    ids = [row["id"] for row in rows]
    twice = sorted({id for id in ids if ids.count(id) > 1 and id})
    if twice:
        raise ValueError(f"{path.name} has {', '.join(twice)} more than once.")
    if not all(ids):
        raise ValueError(f"{path.name} has a row without an id, row {ids.index('') + 2}.")
    return Roster(tuple(rows))


def read_table(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table by their headings; commas, semicolons or tabs part the fields."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path.name} cannot be read as text ({error}).") from None
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, restval="")
    return [{name: value for name, value in row.items() if name is not None} for row in rows]


def _plain(text: str | None, column: str) -> str:
    """Return what is compared; Canvas writes names in small letters, the last name first."""
    text = same_name(text or "")
    if column != "name":
        return text
    return "".join(sorted(letter for letter in text if letter.isalnum()))
