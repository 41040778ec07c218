"""Theorems as their source has them: name, hypotheses, and what to tell Coq to prove them again."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# A binder whose type has no other words binds a thing; every other one states a hypothesis.
THINGS = set(
    "Q Z nat bool vec corner rules labelled sample certificate row list X Type Prop".split()
)
PROOF = re.compile(r"^(?:Theorem|Lemma) (\w+)(.*?)^Proof\.(.*?)Qed\.$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Statement:
    """A theorem or lemma of a file, in pieces."""

    name: str
    binders: tuple[str, ...]
    conclusion: str
    proof: str
    scopes: str  # the scopes that are open where it stands

    def hypotheses(self) -> list[str]:
        """Return the names of the binders that state something."""
        pairs = [binder[1:-1].split(" : ", 1) for binder in self.binders]
        return [
            names
            for names, kind in ((names, " ".join(kind.split())) for names, kind in pairs)
            if not set(re.findall(r"\w+", kind)) <= THINGS
        ]

    def again(self, name: str, without: str = "") -> str:
        """Return the source under another name, with True in place of one hypothesis."""
        binders = [
            f"({without} : True)" if re.match(rf"\({without} :", binder) else binder
            for binder in self.binders
        ]
        assert not without or f"({without} : True)" in binders
        return (
            f"{self.scopes}\nTheorem {name} {' '.join(binders)}{self.conclusion}\n"
            f'Proof. idtac "stated {name};".{self.proof}Qed.\n'
        )


def statements(path: Path) -> Iterator[Statement]:
    """Yield the statements of a file."""
    text = path.read_text("utf-8")
    for found in PROOF.finditer(text):
        scopes = "\n".join(re.findall(r"^Open Scope \w+\.$", text[: found.start()], re.MULTILINE))
        binders, rest = [], found[2].strip()
        while rest[0] in "({":
            end = closing(rest)
            binders.append(rest[: end + 1])
            rest = rest[end + 1 :].lstrip()
        yield Statement(found[1], tuple(binders), f" {rest}", found[3], scopes)


def closing(text: str) -> int:
    """Return where the bracket that opens the text is closed."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter in "({[") - (letter in ")}]")
        if depth == 0:
            return place
    raise ValueError("a bracket is not closed")
