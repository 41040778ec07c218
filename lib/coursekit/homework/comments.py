"""A bank of comments for each proof: written once, changed once, applied to all.

    # exercises/comments/hw03.toml
    [proof1]
    tie = "A tie is a mistake too, so ≤ is needed here."

Whoever marks writes `#tie` into the comment of proof1; feedback shows the sentence that the bank
has when the pages are written.
"""

import re
import tomllib
from pathlib import Path

CODE = re.compile(r"(?<![\w#])#([a-z][\w-]*)")
Bank = dict[str, dict[str, str]]  # by question and code


def read_bank(course: Path, name: str) -> Bank:
    """Return the comments of a homework, or none; raise ValueError if the file is wrong."""
    path = course / "comments" / f"{name}.toml"
    if not path.exists():
        return {}
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"comments/{path.name} cannot be read: {error}.") from None
    for question, some in data.items():
        if not isinstance(some, dict) or not all(isinstance(text, str) for text in some.values()):
            raise ValueError(
                f'comments/{path.name}: below [{question}] lines such as tie = "A sentence." are '
                "expected."
            )
    return data


def expand(comment: str, bank: dict[str, str]) -> str:
    """Return a comment with the sentences that its codes stand for; unknown codes stay."""

    def sentence(found: re.Match[str]) -> str:
        return bank.get(found[1], found[0])

    return CODE.sub(sentence, comment)


def unknown(comment: str, bank: dict[str, str]) -> list[str]:
    """Return the codes in a comment that the bank does not have."""
    return sorted(set(CODE.findall(comment)) - bank.keys())
