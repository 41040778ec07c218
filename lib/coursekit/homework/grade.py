"""Grade a folder of submissions in a sandbox, and write the scores into nbgrader's gradebook.

python3 course.py grade hw03                    submissions in exercises/submitted, as nbgrader collects them
python3 course.py grade hw03 FOLDER             other submissions: a folder or a file for each student
python3 course.py grade hw03 --csv FILE         only a table, and no gradebook
python3 course.py grade hw03 --mark             mark the proofs in the browser, with formgrader
python3 course.py grade hw03 --feedback         a page of feedback for each student
"""

import argparse
import csv
import io
import os
import re
import sys
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

from coursekit.homework.grading.grader import Record, grade_all, read_secret, write
from coursekit.homework.grading.harmless import harmless_field
from coursekit.homework.grading.marking import quote
from coursekit.homework.grading.questions import Homework, load
from coursekit.homework.grading.sandbox import NoSandboxError
from coursekit.homework.grading.submission import Entry, find, same_name
from coursekit.homework.release import EXERCISES

WIDEST = 32  # letters that the longest name may set the others apart by


def main(argv: list[str], course: Path = EXERCISES) -> int | None:
    """Do what the arguments say; faults that concern the whole class are one sentence and a code."""
    args, rest = parser().parse_known_args(argv)
    there = sorted(path.parent.name for path in (course / "source").glob("*/grading.py"))
    if args.mark and args.homework in (None, *there):
        return open_formgrader(args.homework, rest, course)
    try:
        if rest:
            raise ValueError(
                f"There is no option {' '.join(rest)}: python3 course.py grade --help lists all."
            )
        if args.homework not in there:
            raise ValueError(f"Which homework? There are {', '.join(there) or 'none'}.")
        if args.feedback:
            return write_feedback(load(args.homework, course / "source"), course)
        return grade(args, course)
    except (ValueError, OSError, NoSandboxError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(
            "\nInterrupted. What is graded is kept: the same command goes on from there.",
            file=sys.stderr,
        )
        return 130


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    words = argparse.ArgumentParser(
        "python3 course.py grade",
        description=__doc__,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    words.add_argument("homework", nargs="?", help="such as hw03")
    words.add_argument("folder", nargs="?", type=Path, help="where the submissions are")
    words.add_argument(
        "--csv", type=Path, metavar="FILE", help="write a table, and leave the gradebook alone"
    )
    words.add_argument(
        "--mark", action="store_true", help="open formgrader; other options go to jupyter lab"
    )
    words.add_argument(
        "--feedback", action="store_true", help="write the pages of feedback from the gradebook"
    )
    words.add_argument(
        "--own-files", action="store_true", help="grade files of your own, without a sandbox"
    )
    words.add_argument(
        "--jobs", type=int, metavar="N", help="how many at a time; all cores if not given"
    )
    return words


def grade(args: argparse.Namespace, course: Path) -> int:
    """Grade, write the scores or the table, and say a line on each submission."""
    folder = args.folder or course / "submitted"
    if not folder.is_dir():
        raise ValueError(
            f"There is no folder {folder}: a folder or a notebook for each student is expected in it."
        )
    if args.csv and not args.csv.absolute().parent.is_dir():
        raise ValueError(f"There is no folder {args.csv.parent} to write the table into.")
    homework, entries = load(args.homework, course / "source"), collect(folder, args.homework)
    if not entries:
        raise ValueError(f"There is no submission in {folder}.")
    records = grade_all(
        args.homework,
        entries,
        read_secret(course / "secret"),
        course / ".results",
        jobs=args.jobs,
        source=course / "source",
        own_files=args.own_files,
        progress=show_progress,
    )
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if args.csv:
        write(args.csv, table(homework, records).encode())
        summarise(records)
        print(f"The table is {args.csv}; the gradebook is as it was.")
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


def write_feedback(homework: Homework, course: Path) -> int:
    """Write the pages from what the gradebook has now."""
    from coursekit.homework.grading.feedback import write_pages
    from coursekit.homework.grading.gradebook import Book

    with Book(homework, course) as book:
        pages, unmarked = write_pages(book)
    if not pages:
        raise ValueError(f"The gradebook has no submission for {homework.name}: grade first.")
    say(f"{pages} pages are in {course.name}/feedback/<student>/{homework.name}.")
    if unmarked:
        names = ", ".join(map(quote, unmarked[:10])) + ", …" * (len(unmarked) > 10)
        say(f"{len(unmarked)} of them still lack a mark by hand: {names}.")
    return 0


def open_formgrader(name: str | None, options: list[str], course: Path) -> None:
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
