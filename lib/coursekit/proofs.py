"""Compile the theorems in proofs/ with Coq, and tell on which axioms each of them rests.

A numbered statement is a `Theorem` below a comment that begins with its number in the notebooks:
`(** Theorem 5.1 (Novikoff): in words. *)`. Coq works in a temporary folder, on copies.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

from coursekit import ROOT

SOURCE = ROOT / "proofs"
LIBRARY = "Halfspaces"  # the name under which one file imports another
CLOSED = "Closed under the global context"  # what Coq says of a theorem without axioms
LONGEST = 300  # seconds for one file; a few are usual
ASSUMED = re.compile(
    r"\b(Admitted|admit|Axioms?|Parameters?|Conjectures?|Hypothes[ei]s|Variables?|Context|"
    r"Guard Checking|Positivity Checking|Universe Checking|bypass_check)\b"
)
NUMBERED = re.compile(r"\(\*\*\s+((?:(?!\*\)).)*)\*\)\s+Theorem\s+(\w+)", re.DOTALL)
HEADING = re.compile(r"(.+?)(?::|\.?\s*$|\.\s)", re.DOTALL)


class ProofError(Exception):
    """A file that Coq does not accept, with what Coq says."""


@dataclass(frozen=True)
class Theorem:
    """A statement that Coq has checked, and its number in the notebooks."""

    name: str
    number: str
    file: str


def missing() -> str:
    """Say what to install, or nothing if Coq is there."""
    if shutil.which("coqc") and shutil.which("coqtop"):
        return ""
    return "Coq is not installed: on Debian and Ubuntu the package coq has it: sudo apt install coq"


def without_comments(text: str) -> str:
    """Return Coq source with its comments, which may be nested, left out."""
    kept, depth = [], 0
    for part in re.split(r"(\(\*|\*\))", text):
        if part == "(*":
            depth += 1
        elif part == "*)":
            depth -= 1
        elif depth == 0:
            kept.append(part)
    return "".join(kept)


def imports(folder: Path = SOURCE) -> dict[str, set[str]]:
    """Return for each file, by its name without ending, those that it imports."""
    line = re.compile(rf"^From {LIBRARY} Require Import (.+)\.$", re.MULTILINE)
    return {
        path.stem: {
            name for found in line.findall(path.read_text("utf-8")) for name in found.split()
        }
        for path in sorted(folder.glob("*.v"))
    }


def in_order(folder: Path = SOURCE) -> list[Path]:
    """Return the files, each after those that it imports."""
    return [folder / f"{name}.v" for name in TopologicalSorter(imports(folder)).static_order()]


def theorems(folder: Path = SOURCE) -> list[Theorem]:
    """Return the numbered theorems, in the order of the notebooks."""
    found = [
        Theorem(name, " ".join(HEADING.match(comment)[1].split()), path.name)
        for path in in_order(folder)
        for comment, name in NUMBERED.findall(path.read_text("utf-8"))
    ]
    return sorted(found, key=lambda theorem: place(theorem.number))


def place(number: str) -> tuple[str, int]:
    """Return where "Theorem 5.1 (Novikoff)" stands: the number of the notebook, "05", and 1."""
    notebook, letter, count = re.search(r"(\d+)(b?)\.(\d+)", number).groups()
    return f"{int(notebook):02}{letter}", int(count)


def assumed(folder: Path = SOURCE) -> list[str]:
    """Return the places where something is assumed instead of proved."""
    return [
        f"{path.name}: {found[0]}"
        for path in in_order(folder)
        for found in ASSUMED.finditer(without_comments(path.read_text("utf-8")))
    ]


def run_coq(program: str, *args: str, folder: Path, text: str | None = None) -> str:
    """Run coqc or coqtop in a folder and return its answer; what it complains of is an error."""
    command = [program, "-q", "-Q", ".", LIBRARY, *args]
    result = subprocess.run(
        command,
        cwd=folder,
        input=text,
        stdin=subprocess.DEVNULL if text is None else None,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=LONGEST,
    )
    if result.returncode:
        raise ProofError(f"{' '.join(args)}: {' '.join(result.stderr.split())}")
    return result.stdout


def compile_all(folder: Path, source: Path = SOURCE) -> Iterator[tuple[str, float]]:
    """Copy the files into a folder, compile them there on all cores; yield each with seconds."""

    def compile_one(name: str) -> float:
        start = time.monotonic()
        run_coq("coqc", f"{name}.v", folder=folder)
        return time.monotonic() - start

    for path in source.glob("*.v"):
        shutil.copy(path, folder)
    order, running = TopologicalSorter(imports(source)), {}
    order.prepare()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        while order.is_active():
            running |= {pool.submit(compile_one, name): name for name in order.get_ready()}
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                name = running.pop(future)
                seconds = future.result()
                order.done(name)
                yield f"{name}.v", seconds


def axioms(found: list[Theorem], folder: Path) -> dict[Theorem, str]:
    """Ask Coq what each theorem rests on; the files have been compiled in this folder.

    All theorems at once take as long as one of them: Coq goes through its library each time.
    Only if they rest on something together is each one asked by itself.
    """
    imports = "".join(f"Require {LIBRARY}.{name}.\n" for name in {t.file[:-2] for t in found})
    full = {t: f"{LIBRARY}.{t.file[:-2]}.{t.name}" for t in found}
    together = f"Definition together := (I, {', '.join('@' + name for name in full.values())}).\n"

    def ask(name: str) -> str:
        text = f"{imports}{together}Print Assumptions {name}.\n"
        (folder / "axioms.v").write_text(text, "utf-8")
        return " ".join(run_coq("coqc", "axioms.v", folder=folder).split())

    if (answer := ask("together")) == CLOSED:
        return dict.fromkeys(found, answer)
    return {theorem: ask(name) for theorem, name in full.items()}


def table(answers: dict[Theorem, str]) -> str:
    """Lay out the theorems with their numbers, files and axioms."""
    rows = [("theorem", "in the notebooks", "file", "axioms")]
    rows += [
        (theorem.name, theorem.number, theorem.file, "none" if answer == CLOSED else answer)
        for theorem, answer in answers.items()
    ]
    widths = [max(len(row[k]) for row in rows) for k in range(3)]
    lines = [
        "  ".join([*(row[k].ljust(widths[k]) for k in range(3)), row[3]]).rstrip() for row in rows
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def check(
    folder: Path, source: Path, say: Callable[[str], object]
) -> tuple[dict[Theorem, str], list[str]]:
    """Compile everything; return what each theorem rests on, and what is wrong."""
    found, files = theorems(source), len(in_order(source))
    faults = [f"{place} assumes what should be proved" for place in assumed(source)]
    for done, (file, seconds) in enumerate(compile_all(folder, source), 1):
        say(f"{done} of {files} files compiled: {file} in {seconds:.1f} s")
    say(f"asking for the axioms of {len(found)} theorems")
    answers = axioms(found, folder)
    faults += [
        f"{theorem.name} rests on axioms" for theorem, text in answers.items() if text != CLOSED
    ]
    return answers, faults


def report(source: Path = SOURCE) -> int:
    """Compile the proofs, print the table, and fail if anything is assumed."""
    if missing():
        print(f"{missing()}.", file=sys.stderr)
        return 1
    start = time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as name:
            answers, faults = check(
                Path(name), source, lambda text: print(text, file=sys.stderr, flush=True)
            )
    except (ProofError, subprocess.TimeoutExpired) as error:
        print(f"Coq does not accept the proofs. {error}", file=sys.stderr)
        return 1
    print(table(answers))
    for fault in faults:
        print(fault, file=sys.stderr)
    seconds = time.monotonic() - start
    verdict = f"{len(faults)} faults" if faults else "all proved, nothing assumed"
    print(f"{len(answers)} theorems, {verdict} ({seconds:.0f} s)", file=sys.stderr)
    return 1 if faults else 0
