"""Tell which claims of the five sets of lecture notes survive: docs/claims.md and the lines in the notebooks.

Everything comes from docs/claims.toml. `python3 course.py claims` writes what is derived from it.
"""

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import nbformat

from coursekit import ROOT

SOURCE, PAGE, NOTEBOOKS = (
    ROOT / "docs" / "claims.toml",
    ROOT / "docs" / "claims.md",
    ROOT / "notebooks",
)
VERDICTS = ["holds", "wrong", "imprecise", "convention", "not checkable here"]
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
LINE = "*Claims of the notes in this notebook:*"
START = ("<!-- made from docs/claims.toml: python3 course.py claims -->", "<!-- end -->")


@dataclass(frozen=True)
class Claim:
    """Hold what the notes claim, what is true of it, and where the course teaches it."""

    id: str
    kind: str
    where: str
    says: str
    verdict: str
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


def main(argv: list[str]) -> int:
    """Write the page, and the lines in the notebooks."""
    for path, text in derived().items():
        if path.read_text("utf-8") != text if path.exists() else True:
            fresh = path.with_suffix(".new")
            fresh.write_text(text, "utf-8", newline="\n")
            fresh.replace(path)
            print(f"{path.relative_to(ROOT)} written", file=sys.stderr)
    return 0


def derived() -> dict[Path, str]:
    """Return every file that is made from the inventory, with what belongs in it."""
    notes, claims, conventions = read()
    files = {PAGE: page(notes, claims, conventions)}
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        book = nbformat.read(path, as_version=4)
        taught = [
            claim.id
            for claim in claims
            if any(place.startswith(path.name[:2]) for place in claim.taught)
        ]
        put_line(book, taught)
        for cell in book.cells:
            if START[0] in cell.source:
                before, after = cell.source.split(START[0])[0], cell.source.split(START[1], 1)[1]
                cell.source = (
                    before
                    + "\n".join([START[0], *translations(notes, conventions), START[1]])
                    + after
                )
        files[path] = nbformat.writes(book) + "\n"
    return files


def put_line(book: Any, ids: list[str]) -> None:
    """Say in the last cell, above its last line, which claims a notebook covers."""
    last = book.cells[-1]
    lines = [line for line in last.source.split("\n") if not line.startswith(LINE)]
    if ids:
        while len(lines) > 1 and not lines[-2].strip():
            del lines[-2]
        covered = (
            f"{LINE} {ranges(ids)}. Each has its verdict in [the inventory](../docs/claims.md)."
        )
        lines[-1:] = ["", covered, "", lines[-1]]
    last.source = "\n".join(lines)


def ranges(ids: Iterable[str]) -> str:
    """Write ids in short: "000: 03–05, 09; 002: 11"."""
    parts = []
    for notes, some in groupby(sorted(ids), key=lambda id: id[:3]):
        numbers = [int(id[4:]) for id in some]
        runs = [
            list(run) for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
        ]
        short = [f"{run[0][1]:02}" + (f"–{run[-1][1]:02}" if len(run) > 1 else "") for run in runs]
        parts.append(f"{notes}: {', '.join(short)}")
    return "; ".join(parts)


def translations(notes: dict[str, Any], conventions: list[dict[str, str]]) -> list[str]:
    """Lay out, folded, one table for each set of notes: what is written there, and how it is written here."""
    lines = []
    for name, about in notes.items():
        lines += [
            "",
            f"<details><summary>Notes {name}: {about['title']} ({about['course']})</summary>",
            "",
            "| topic | there | here | how to translate |",
            "|---|---|---|---|",
        ]
        lines += [
            f"| {row['topic']} | {row[name]} | {row['here']} | {row['translate']} |"
            for row in conventions
        ]
        lines += ["", "</details>"]
    return [*lines, ""]


def page(notes: dict[str, Any], claims: list[Claim], conventions: list[dict[str, str]]) -> str:
    """Return the readable inventory."""
    count = Counter((claim.notes, claim.verdict) for claim in claims)
    lines = [
        "# What the notes claim, and what survives",
        "",
        "<!-- made from docs/claims.toml: python3 course.py claims -->",
        "",
        "The course is built from five sets of lecture notes. They are good notes, and like all notes they have "
        "slips: here is every claim in them, in our words, with a verdict. What code can decide has a test of the "
        "same number in `tests/claims/`: where a claim holds, the test checks it; where it does not, it shows "
        "that the printed form fails and the corrected one passes. *Holds*: true as printed. *Wrong*: false as "
        "printed. *Imprecise*: true once a hypothesis or a word is repaired. *Convention*: a choice, with ours "
        "beside it. *Not checkable here*: history, opinion or practice.",
        "",
        "| notes | " + " | ".join(VERDICTS) + " | all |",
        "|---" * (len(VERDICTS) + 2) + "|",
    ]
    for name, about in notes.items():
        numbers = [count[name, verdict] for verdict in VERDICTS]
        lines.append(
            f"| [{name}](#notes-{name}) {about['title']} | {' | '.join(map(str, numbers))} | {sum(numbers)} |"
        )
    totals = [sum(count[name, verdict] for name in notes) for verdict in VERDICTS]
    lines += [
        f"| all | {' | '.join(map(str, totals))} | {sum(totals)} |",
        "",
        "## Conventions, side by side",
        "",
        "| topic | here | " + " | ".join(notes) + " | how to translate |",
        "|---" * (len(notes) + 3) + "|",
    ]
    lines += [
        f"| {' | '.join(row[name] for name in ('topic', 'here', *notes, 'translate'))} |"
        for row in conventions
    ]
    for name, about in notes.items():
        lines += ["", f"## Notes {name}", "", f"{about['title']}; {about['course']}.", ""]
        for claim in (claim for claim in claims if claim.notes == name):
            lines += entry(claim)
    return "\n".join(lines) + "\n"


def entry(claim: Claim) -> list[str]:
    """Lay out one claim."""
    parts = {
        "Corrected": claim.corrected,
        "Smallest counterexample": claim.counterexample,
        "Checked by Coq": ", ".join(map(formal, proofs_of(claim))),
        "Reference": claim.source,
        "Taught in": ", ".join(map(link, claim.taught)),
        "Not taught": claim.untaught,
        "Not run": claim.unrun,
    }
    named = {"convention": {"Corrected": "Here"}, "holds": {"Corrected": "Note"}}.get(
        claim.verdict, {}
    )
    if claim.verdict != "wrong":
        named = named | {"Smallest counterexample": "For example"}
    if claim.verdict in ("wrong", "imprecise"):
        named = named | {"Checked by Coq": "Checked by Coq, as corrected"}
    rows = [
        f"  - {named.get(name, name)}: {' '.join(text.split())}"
        for name, text in parts.items()
        if text
    ]
    return [
        f'- <a id="{claim.id}"></a>**{claim.id}** · {claim.kind} · {claim.where} · **{claim.verdict}**. '
        f"{' '.join(claim.says.split())}",
        *rows,
    ]


def proofs_of(claim: Claim) -> list[str]:
    """Return the theorems that prove the claim, or its corrected form."""
    return claim.proof.split(", ") if claim.proof else []


def formal(theorem: str) -> str:
    """Turn "mistake_bound.novikoff" into a link to the file."""
    file, name = theorem.split(".")
    return f"[`{name}`](../proofs/{file}.v)"


def link(place: str) -> str:
    """Turn "02 §2.3" into a link to the notebook."""
    number = place[:2]
    path = next(NOTEBOOKS.glob(f"{number}-*.ipynb"), None)
    return f"[{place}](../notebooks/{path.name})" if path else place


def sections(number: str) -> set[str]:
    """Return the numbers of a notebook's sections."""
    path = next(NOTEBOOKS.glob(f"{number}-*.ipynb"))
    text = "\n".join(
        cell.source
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "markdown"
    )
    return set(re.findall(r"^## (\d+\.\d+) ", text, re.MULTILINE))
