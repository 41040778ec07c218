"""Tell which claims of the five sets of lecture notes survive.

Everything comes from docs/claims.toml; docs/claims.md is derived from it by
`python3 course.py claims`.
"""

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from coursekit import ROOT
from coursekit.contents import NOTEBOOKS, read_notebook
from coursekit.files import write_if_changed

SOURCE = ROOT / "docs" / "claims.toml"
PAGE = ROOT / "docs" / "claims.md"
BEGIN = "<!-- made from docs/claims.toml: python3 course.py claims -->"
INTRODUCTION = (
    "The course is built from five sets of lecture notes. They are good notes, and like all notes "
    "they have slips: here is every claim in them, in our words, with a verdict. What code can "
    "decide has a test of the same number in `tests/claims/`: where a claim holds, the test checks "
    "it; where it does not, it shows that the printed form fails and the corrected one passes. "
    "*Holds*: true as printed. *Wrong*: false as printed. *Slip*: a letter, an index or a limiting "
    "case is off, and what is meant is plain and true. *Imprecise*: true once a hypothesis or a "
    "word is repaired. *Convention*: a choice, with ours beside it. *Not checkable here*: history, "
    "opinion or practice."
)
KINDS = [
    "definition",
    "claim",
    "theorem",
    "proof step",
    "algorithm",
    "example",
    "notation",
    "citation",
    "practice",
]


class Verdict(StrEnum):
    """Say what became of a claim."""

    HOLDS = "holds"
    WRONG = "wrong"
    SLIP = "slip"
    IMPRECISE = "imprecise"
    CONVENTION = "convention"
    NOT_CHECKABLE = "not checkable here"


@dataclass(frozen=True)
class Claim:
    """Hold what the notes claim, what is true of it, and where the course teaches it."""

    id: str
    kind: str
    where: str
    says: str
    verdict: str
    repeats: str = ""  # the entry with the same error, which stands here once more
    corrected: str = ""
    counterexample: str = ""
    taught: list[str] = field(default_factory=list)
    untaught: str = ""
    unrun: str = ""
    source: str = ""
    proof: str = ""  # theorems of proofs/, as "mistake_bound.novikoff", with commas between them

    @property
    def notes(self) -> str:
        """Name the set of notes."""
        return self.id[:3]


def read() -> tuple[dict[str, Any], list[Claim], list[dict[str, str]]]:
    """Return the notes, the claims and the conventions."""
    data = tomllib.loads(SOURCE.read_text("utf-8"))
    return data["notes"], [Claim(**claim) for claim in data["claim"]], data["convention"]


def write_derived() -> None:
    """Write the page."""
    for path, text in derived().items():
        if write_if_changed(path, text):
            print(f"{path.relative_to(ROOT)} written", file=sys.stderr)


def derived() -> dict[Path, str]:
    """Return every file that is made from the inventory, with what belongs in it."""
    return {PAGE: page(*read())}


def page(notes: dict[str, Any], claims: list[Claim], conventions: list[dict[str, str]]) -> str:
    """Return the readable inventory."""
    lines = [
        "# What the notes claim, and what survives",
        "",
        BEGIN,
        "",
        INTRODUCTION,
        "",
        *counts(notes, claims),
        "",
        count_errors(claims),
        "",
        "## Conventions, side by side",
        "",
        row(["topic", "here", *notes, "how to translate"]),
        rule(len(notes) + 3),
    ]
    for convention in conventions:
        lines.append(row(convention[name] for name in ("topic", "here", *notes, "translate")))
    for name, about in notes.items():
        lines += ["", f"## Notes {name}", "", f"{about['title']}; {about['course']}.", ""]
        for claim in claims:
            if claim.notes == name:
                lines += entry(claim)
    return "\n".join(lines) + "\n"


def counts(notes: dict[str, Any], claims: list[Claim]) -> list[str]:
    """Lay out how many claims of each set of notes have which verdict."""
    count = Counter((claim.notes, claim.verdict) for claim in claims)
    lines = [row(["notes", *Verdict, "all"]), rule(len(Verdict) + 2)]
    for name, about in notes.items():
        numbers = [count[name, verdict] for verdict in Verdict]
        lines.append(row([f"[{name}](#notes-{name}) {about['title']}", *numbers, sum(numbers)]))
    totals = [sum(count[name, verdict] for name in notes) for verdict in Verdict]
    return [*lines, row(["all", *totals, sum(totals)])]


def count_errors(claims: list[Claim]) -> str:
    """Say how many errors the wrong entries are."""
    wrong = [claim for claim in claims if claim.verdict == Verdict.WRONG]
    errors = sum(not claim.repeats for claim in wrong)
    return (
        f"The {len(wrong)} wrong entries are about {errors} errors: one that stands in several "
        "places, or that a line takes over from another, has an entry for each."
    )


def row(cells: Iterable[object]) -> str:
    """Write a row of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def rule(columns: int) -> str:
    """Write the line below the head of a table."""
    return "|---" * columns + "|"


def entry(claim: Claim) -> list[str]:
    """Lay out one claim."""
    parts = {
        correction_name(claim.verdict): claim.corrected,
        example_name(claim.verdict): claim.counterexample,
        "The same error as": f"[{claim.repeats}](#{claim.repeats})" if claim.repeats else "",
        proof_name(claim.verdict): ", ".join(map(formal, proofs_of(claim))),
        "Reference": claim.source,
        "Taught in": ", ".join(map(link, claim.taught)),
        "Not taught": claim.untaught,
        "Not run": claim.unrun,
    }
    rows = [f"  - {name}: {on_one_line(text)}" for name, text in parts.items() if text]
    return [
        f'- <a id="{claim.id}"></a>**{claim.id}** · {claim.kind} · {claim.where} · '
        f"**{claim.verdict}**. {on_one_line(claim.says)}",
        *rows,
    ]


def proofs_of(claim: Claim) -> list[str]:
    """Return the theorems that prove the claim, or its corrected form."""
    return claim.proof.split(", ") if claim.proof else []


def formal(theorem: str) -> str:
    """Turn "mistake_bound.novikoff" into a link to the file."""
    file, name = theorem.split(".")
    return f"[`{name}`](../proofs/{file}.v)"


def correction_name(verdict: str) -> str:
    """Say what a claim's correction is to a claim of this verdict."""
    return {Verdict.CONVENTION: "Here", Verdict.HOLDS: "Note"}.get(verdict, "Corrected")


def example_name(verdict: str) -> str:
    """Say what an example is to a claim of this verdict."""
    return "Counterexample" if verdict == Verdict.WRONG else "For example"


def on_one_line(text: str) -> str:
    """Return a text without its line breaks."""
    return " ".join(text.split())


def proof_name(verdict: str) -> str:
    """Say what Coq has checked of a claim of this verdict."""
    as_printed = verdict not in (Verdict.WRONG, Verdict.SLIP, Verdict.IMPRECISE)
    return "Checked by Coq" if as_printed else "Checked by Coq, as corrected"


def link(place: str) -> str:
    """Turn "02 §2.3" or "05b §5b.1" into a link to the notebook."""
    number = place.split()[0]
    path = next(NOTEBOOKS.glob(f"{number}-*.ipynb"), None)
    return f"[{place}](../notebooks/{path.name})" if path else place


def sections(number: str) -> set[str]:
    """Return the numbers of a notebook's sections."""
    path = next(NOTEBOOKS.glob(f"{number}-*.ipynb"))
    cells = read_notebook(path).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return set(re.findall(r"^## (\d+b?\.\d+) ", text, re.MULTILINE))
