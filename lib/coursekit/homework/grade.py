"""Grade a folder of submissions in a sandbox, and write the scores into nbgrader's gradebook.

python3 course.py grade hw03                    submissions in exercises/submitted, as nbgrader collects them
python3 course.py grade hw03 FOLDER             other submissions: a folder or a file for each student
python3 course.py grade hw03 --csv FILE         only a table, and no gradebook
python3 course.py grade hw03 --mark             mark the proofs in the browser, with formgrader
python3 course.py grade hw03 --feedback         a page of feedback for each student
"""

import csv
import io
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

from coursekit.contents import EXERCISES
from coursekit.homework.grading.grader import Record, grade_all, read_secret, write
from coursekit.homework.grading.harmless import harmless_field
from coursekit.homework.grading.marking import quote
from coursekit.homework.grading.questions import Homework, load
from coursekit.homework.grading.sandbox import NoSandboxError
from coursekit.homework.grading.submission import Entry, find, same_name

WIDEST = 32  # letters that the longest name may set the others apart by


def in_sentences(command: Callable[..., int]) -> Callable[..., int]:
    """Let a command say faults that concern the whole class in one sentence, and return a code."""

    @wraps(command)
    def run(*args: Any, **options: Any) -> int:
        try:
            return command(*args, **options)
        except (ValueError, OSError, NoSandboxError) as error:
            print(error, file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            print(
                "\nInterrupted. What is graded is kept: the same command goes on from there.",
                file=sys.stderr,
            )
            return 130

    return run


@in_sentences
def grade(
    name: str,
    folder: Path | None = None,
    *,
    csv_file: Path | None = None,
    own_files: bool = False,
    jobs: int | None = None,
    course: Path = EXERCISES,
) -> int:
    """Grade, write the scores or the table, and say a line on each submission."""
    folder = folder or course / "submitted"
    if not folder.is_dir():
        raise ValueError(
            f"There is no folder {folder}: a folder or a notebook for each student is expected in it."
        )
    if csv_file and not csv_file.absolute().parent.is_dir():
        raise ValueError(f"There is no folder {csv_file.parent} to write the table into.")
    homework, entries = load(name, course / "source"), collect(folder, name)
    if not entries:
        raise ValueError(f"There is no submission in {folder}.")
    records = grade_all(
        name,
        entries,
        read_secret(course / "secret"),
        course / ".results",
        jobs=jobs,
        source=course / "source",
        own_files=own_files,
        progress=show_progress,
    )
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if csv_file:
        write(csv_file, table(homework, records).encode())
        summarise(records)
        print(f"The table is {csv_file}; the gradebook is as it was.")
        return 0
    from coursekit.homework.grading.gradebook import Book

    with Book(homework, course) as book:
        odd = [book.enter(entry, record) for entry, record in zip(entries, records)]
        summarise(
            [record | {"notes": record["notes"] + notes} for record, notes in zip(records, odd)]
        )
        if waiting := book.waiting():
            print(
                f"{waiting} wait for a mark by hand: python3 course.py grade {homework.name} --mark"
            )
    return 0


def collect(folder: Path, name: str) -> list[Entry]:
    """Return an entry for each student; files may be called <student>_<name>.ipynb, as many systems have it."""
    ending, students = (
        re.compile(rf"[ _-]{name}([-_ ]?\(?\d+\)?)?$", re.IGNORECASE),
        defaultdict(list),
    )
    for entry in find(folder, name):
        flat = entry.path is not None and entry.path.parent == folder
        student = ending.sub("", entry.student) if flat else entry.student
        students[same_name(student)].append(replace(entry, student=student or entry.student))
    return [found[0] if len(found) == 1 else doubled(found) for found in students.values()]


def doubled(found: list[Entry]) -> Entry:
    """Return the entry of a student who is there more than once."""
    places = " and ".join(
        quote(entry.path.name if entry.path else entry.student) for entry in found
    )
    return replace(
        found[0], path=None, fault=f"There are two submissions of one student, {places}: keep one."
    )


def summarise(records: list[Record]) -> None:
    """Print a line for each submission, with all that is odd about it, and one for all of them."""
    width = min(WIDEST, max(len(quote(record["student"])) for record in records))
    for record in records:
        points = (
            f"{record['points']:g} of {record['of']:g}"
            if record["state"] == "graded"
            else record["state"]
        )
        bugs = [
            f"{id}: {quote(marked['bug'])}"
            for id, marked in record["questions"].items()
            if marked.get("bug")
        ]
        say(
            f"{quote(record['student']):<{width}}  {points:<10}  {' '.join(record['notes'] + bugs)}".rstrip()
        )
    states = Counter(record["state"] for record in records)
    say(
        f"{len(records)} submissions: {', '.join(f'{count} {state}' for state, count in states.items())}."
    )


def table(homework: Homework, records: list[Record]) -> str:
    """Return the results as comma-separated values."""
    ids = [question.id for question in homework.questions]
    text = io.StringIO(newline="")
    rows = csv.writer(text)
    rows.writerow(["student", "state", "points", "of", *ids, "notes"])
    for record in records:
        marks = [record["questions"].get(id, {}).get("points") for id in ids]
        reasons = [
            f"{id}: {reason}"
            for id, marked in record["questions"].items()
            for reason in marked["reasons"]
        ]
        points = f"{record['points']:g}" if record["state"] == "graded" else ""
        rows.writerow(
            [
                harmless_field(quote(record["student"])),
                record["state"],
                points,
                f"{record['of']:g}",
                *("" if mark is None else f"{mark:g}" for mark in marks),
                harmless_field(" ".join(record["notes"] + reasons)),
            ]
        )
    return text.getvalue()


@in_sentences
def give_feedback(name: str, course: Path = EXERCISES) -> int:
    """Write the pages from what the gradebook has now."""
    from coursekit.homework.grading.feedback import write_pages
    from coursekit.homework.grading.gradebook import Book

    homework = load(name, course / "source")
    with Book(homework, course) as book:
        pages, unmarked = write_pages(book)
    if not pages:
        raise ValueError(f"The gradebook has no submission for {homework.name}: grade first.")
    say(f"{pages} pages are in {course.name}/feedback/<student>/{homework.name}.")
    if unmarked:
        names = ", ".join(map(quote, unmarked[:10])) + ", …" * (len(unmarked) > 10)
        say(f"{len(unmarked)} of them still lack a mark by hand: {names}.")
    return 0


def open_formgrader(name: str | None, options: list[str], course: Path = EXERCISES) -> None:
    """Open the pages on which proofs are marked."""
    from coursekit.lab import open_lab

    os.chdir(course)  # where nbgrader looks for its settings
    os.environ["PATH"] = os.pathsep.join(
        [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    )
    open_lab(f"/formgrader/gradebook/{name}/{name}" if name else "/formgrader/gradebook", options)


def show_progress(done: int, total: int) -> None:
    """Say how far grading is, on a terminal in one line that renews itself."""
    if sys.stderr.isatty():
        bar = "█" * (20 * done // max(total, 1))
        print(f"\r{bar:<20} {done} of {total} graded", end="", file=sys.stderr, flush=True)


def say(text: str) -> None:
    """Print a line, whatever letters the terminal knows."""
    coding = sys.stdout.encoding or "utf-8"
    print(text.encode(coding, "replace").decode(coding), flush=True)
