"""Grade a folder of submissions in a sandbox, and write the scores into nbgrader's gradebook.

What a person marks is what was graded: a submission that has changed since is graded again before
anybody marks it.
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
from typing import TYPE_CHECKING, Any

from coursekit.contents import EXERCISES
from coursekit.files import write_atomically
from coursekit.homework.comments import read_bank, unknown
from coursekit.homework.grading.grader import grade_all, has_changed_since, read_secret
from coursekit.homework.grading.harmless import harmless_field
from coursekit.homework.grading.marking import describe, quote
from coursekit.homework.grading.questions import Homework, load
from coursekit.homework.grading.records import Record, State
from coursekit.homework.grading.sandbox import NoSandboxError
from coursekit.homework.grading.submission import Entry, find, same_name, twice
from coursekit.homework.private import writing_privately

if TYPE_CHECKING:
    from coursekit.homework.grading.gradebook import Book

WIDEST = 32  # letters that the longest name may set the others apart by
LISTED = 10  # names that a sentence lists
EXTENSION = "--ServerApp.jpserver_extensions=coursekit.homework.grading.formgrader=True"
FORMGRADER = [
    EXTENSION,
    # Formgrader's pages log in for their own folder, and then ask for more from others.
    '--IdentityProvider.cookie_options={"path": "/"}',
]
Grade = Callable[[list[Entry]], list[Record]]


def in_sentences(command: Callable[..., int | None]) -> Callable[..., int | None]:
    """Let a command say faults that concern the whole class in a sentence, and return a code."""

    @wraps(command)
    def run(*args: Any, **options: Any) -> int | None:
        try:
            with writing_privately(options.get("course", EXERCISES)):
                return command(*args, **options)
        except (ValueError, NoSandboxError) as error:
            print(error, file=sys.stderr)
            return 2
        except OSError as error:
            print(f"{error}. What is graded is kept: try again.", file=sys.stderr)
            return 2
        except Exception as error:
            if not type(error).__module__.startswith("sqlalchemy"):
                raise
            print(
                f"The gradebook cannot be read or written ({describe(error)}): what is graded is "
                "kept, and the same command goes on from there.",
                file=sys.stderr,
            )
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
    cluster: str = "",
    course: Path = EXERCISES,
) -> int:
    """Grade, write the scores or the table, and say a line on each submission."""
    folder = folder or course / "submitted"
    if not folder.is_dir():
        raise ValueError(
            f"There is no folder {folder}: a folder or a notebook for each student is expected "
            "in it."
        )
    if csv_file and not csv_file.absolute().parent.is_dir():
        raise ValueError(f"There is no folder {csv_file.parent} to write the table into.")
    homework = load(name, course / "source")
    entries = collect(folder, name)
    if not entries:
        raise ValueError(f"There is no submission in {folder}.")
    records = grade_as_they_are(entries, grader_of(name, course, own_files, jobs, cluster))
    if csv_file:
        write_atomically(csv_file, table(homework, records))
        summarise(records)
        say(f"The table is {csv_file}; the gradebook is as it was.")
        return 0
    from coursekit.homework.grading.gradebook import Book

    with Book(homework, course) as book:
        enter_all(book, entries, records)
        waiting = book.waiting()
    if book.dated:
        say(
            f"{book.dated} have a time, by the word of timestamp.txt: collect writes it, and so "
            "does nbgrader; where somebody unpacked an upload there, it may be the student's own."
        )
    if waiting:
        say(f"{waiting} wait for a mark by hand: python3 course.py grade {name} --mark")
    if book.unwritten:
        say(
            f"{len(book.unwritten)} could not be written into the gradebook "
            f"({listed(book.unwritten)}): see the lines above, and grade again."
        )
    return 1 if book.unwritten else 0


@in_sentences
def give_feedback(name: str, *, course: Path = EXERCISES) -> int:
    """Write the pages from what the gradebook has now."""
    from coursekit.homework.grading.feedback import write_pages
    from coursekit.homework.grading.gradebook import Book

    with Book(load(name, course / "source"), course) as book:
        pages, unmarked = write_pages(book)
        changed = [entry.student for entry in changed_submissions(book)]
        codes = unknown_codes(book)
    if not pages:
        raise ValueError(f"The gradebook has no submission for {name}: grade first.")
    say(f"{pages} pages are in {course.name}/feedback/<student>/{name}.")
    if unmarked:
        say(f"{len(unmarked)} of them still lack a mark by hand: {listed(unmarked)}.")
    for sentence in codes:
        say(sentence)
    if changed:
        say(
            f"{len(changed)} are about an earlier version than the one handed in now "
            f"({listed(changed)}): python3 course.py grade {name} grades it."
        )
    return 0


def unknown_codes(book: "Book") -> list[str]:
    """Say which codes in comments by hand the bank of comments does not have."""
    bank = read_bank(book.course, book.name)
    found = []
    for notebook in book.notebooks():
        for comment in notebook.comments:
            codes = unknown(comment.manual_comment or "", bank.get(comment.name, {}))
            if codes and bank:
                who = quote(notebook.student.id)
                found.append(
                    f"{who}, {comment.name}: comments/{book.name}.toml has no #{codes[0]}."
                )
    return found


@in_sentences
def open_formgrader(
    name: str | None, options: list[str], *, own_files: bool = False, course: Path = EXERCISES
) -> int | None:
    """Open the pages on which proofs are marked, with what is handed in now."""
    from coursekit.lab import open_lab

    graded = {path.stem for path in (course / "autograded").glob("*/hw*/hw*.ipynb")}
    for each in sorted(graded):
        if name in (None, each):
            try:
                renew(each, own_files, course)
            except (ValueError, OSError, NoSandboxError) as error:
                say(f"What you will see of {each} is what was graded before. {error}")
    os.chdir(course)  # where nbgrader looks for its settings
    programs = str(Path(sys.executable).parent)
    os.environ["PATH"] = os.pathsep.join([programs, os.environ.get("PATH", "")])
    place = f"/formgrader/gradebook/{name}/{name}" if name else "/formgrader/gradebook"
    return open_lab(place, [*FORMGRADER, *options])


def renew(name: str, own_files: bool = False, course: Path = EXERCISES) -> None:
    """Grade again what has changed since it was graded, and say so."""
    from coursekit.homework.grading.gradebook import Book

    with Book(load(name, course / "source"), course) as book:
        entries = changed_submissions(book)
        if not entries:
            return
        who = listed([entry.student for entry in entries])
        say(f"{len(entries)} of {name} have changed since they were graded ({who}).")
        enter_all(book, entries, grade_as_they_are(entries, grader_of(name, course, own_files)))


def changed_submissions(book: "Book") -> list[Entry]:
    """Return the submissions whose files are not those that the copies were made from."""
    from coursekit.homework.grading.copies import read_copy

    folders: dict[Path, dict[str, Entry]] = {}
    changed = []
    for notebook in book.notebooks():
        student = notebook.student.id
        copy = read_copy(book.path_of_copy(student))
        if copy is None or not copy.folder:
            continue
        folder = book.course / copy.folder
        if folder not in folders:
            found = collect(folder, book.name) if folder.is_dir() else []
            folders[folder] = {entry.student: entry for entry in found}
        entry = folders[folder].get(student)
        if entry is not None and has_changed_since(entry, copy.digest):
            changed.append(entry)
    return changed


def grader_of(
    name: str, course: Path, own_files: bool, jobs: int | None = None, cluster: str = ""
) -> Grade:
    """Return what grades submissions of a homework in a course."""

    def grade_these(entries: list[Entry]) -> list[Record]:
        records = grade_all(
            name,
            entries,
            read_secret(course / "secret"),
            course / ".results",
            jobs=jobs,
            source=course / "source",
            own_files=own_files,
            progress=show_progress,
            cluster=cluster,
        )
        if sys.stderr.isatty():
            print(file=sys.stderr)
        return records

    return grade_these


def grade_as_they_are(entries: list[Entry], grade_these: Grade) -> list[Record]:
    """Grade submissions, and those again that have changed meanwhile."""
    records = grade_these(entries)
    changed = [
        i for i, record in enumerate(records) if has_changed_since(entries[i], record.digest)
    ]
    if changed:
        who = listed([entries[i].student for i in changed])
        say(f"{len(changed)} have changed while they were graded ({who}): they are graded again.")
        again = grade_these([entries[i] for i in changed])
        for i, record in zip(changed, again, strict=True):
            records[i] = record
    return records


def enter_all(book: "Book", entries: list[Entry], records: list[Record]) -> None:
    """Write results into the gradebook, and say a line on each."""
    entered = []
    for entry, record in zip(entries, records, strict=True):
        notes = book.enter(entry, record)
        entered.append(replace(record, notes=(*record.notes, *notes)))
    summarise(entered)


def collect(folder: Path, name: str) -> list[Entry]:
    """Return an entry for each student; files may be called <student>_<name>.ipynb too."""
    ending = re.compile(rf"[ _-]{name}([-_ ]?\(?\d+\)?)?$", re.IGNORECASE)
    students = defaultdict(list)
    for entry in find(folder, name):
        student = entry.student
        if entry.path is not None and entry.path.parent == folder:
            student = ending.sub("", student) or student
        students[same_name(student)].append(replace(entry, student=student, folder=folder))
    return [only_one(found) for found in students.values()]


def only_one(found: list[Entry]) -> Entry:
    """Return the entry of a student, or if there are several, one that says so."""
    if len(found) == 1:
        return found[0]
    places = [entry.path.name if entry.path else entry.student for entry in found]
    return replace(twice(found[0].student, places), folder=found[0].folder)


def summarise(records: list[Record]) -> None:
    """Print a line for each submission, with all that is odd about it, and one for all of them."""
    width = min(WIDEST, max(len(quote(record.student)) for record in records))
    for record in records:
        points = str(record.state)
        if record.state is State.GRADED:
            points = f"{record.points:g} of {record.of:g}"
        bugs = [f"{id}: {quote(mark.bug)}" for id, mark in record.marks.items() if mark.bug]
        odd = " ".join([*record.notes, *bugs])
        say(f"{quote(record.student):<{width}}  {points:<10}  {odd}".rstrip())
    states = Counter(record.state for record in records)
    counts = ", ".join(f"{count} {state}" for state, count in states.items())
    say(f"{len(records)} submissions: {counts}.")


def table(homework: Homework, records: list[Record]) -> str:
    """Return the results as comma-separated values."""
    ids = [question.id for question in homework.questions]
    text = io.StringIO(newline="")
    rows = csv.writer(text)
    rows.writerow(["student", "state", "points", "of", *ids, "notes"])
    for record in records:
        points = [record.marks[id].points if id in record.marks else None for id in ids]
        reasons = [
            f"{id}: {reason}" for id, mark in record.marks.items() for reason in mark.reasons
        ]
        rows.writerow(
            [
                harmless_field(quote(record.student)),
                record.state,
                f"{record.points:g}" if record.state is State.GRADED else "",
                f"{record.of:g}",
                *("" if number is None else f"{number:g}" for number in points),
                harmless_field(" ".join([*record.notes, *reasons])),
            ]
        )
    return text.getvalue()


def listed(names: list[str]) -> str:
    """List some names in a sentence."""
    shown = ", ".join(map(quote, names[:LISTED]))
    return f"{shown}, …" if len(names) > LISTED else shown


def show_progress(done: int, total: int) -> None:
    """Say how far grading is, on a terminal in one line that renews itself."""
    if sys.stderr.isatty():
        bar = "█" * (20 * done // max(total, 1))
        print(f"\r{bar:<20} {done} of {total} graded", end="", file=sys.stderr, flush=True)


def say(text: str) -> None:
    """Print a line, whatever letters the terminal knows."""
    coding = sys.stdout.encoding or "utf-8"
    print(text.encode(coding, "replace").decode(coding), flush=True)
