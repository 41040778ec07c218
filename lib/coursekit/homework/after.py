"""What an instructor does once a class is graded: look at it, merge marks, answer requests."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from coursekit.contents import EXERCISES
from coursekit.homework.grade import in_sentences, say
from coursekit.homework.grading.copies import read_copy
from coursekit.homework.grading.gradebook import Book
from coursekit.homework.grading.grader import read_secret
from coursekit.homework.grading.marking import quote
from coursekit.homework.grading.questions import load
from coursekit.homework.grading.sandbox import NoSandboxError, Sandbox
from coursekit.homework.grading.sandbox import missing as missing_sandbox
from coursekit.homework.grading.session import Sandboxed, Unprotected
from coursekit.homework.insight.report import write_report
from coursekit.homework.insight.similarity import Call, write_similarities
from coursekit.homework.markers import merge, part_of
from coursekit.homework.requests import decide, read_decisions, read_requests


@contextmanager
def open_book(name: str, course: Path) -> Iterator[Book]:
    """Open the gradebook for a homework."""
    with Book(load(name, course / "source"), course) as book:
        yield book


@in_sentences
def report(name: str, *, course: Path = EXERCISES) -> int:
    """Write how the class did."""
    with open_book(name, course) as book:
        path = write_report(book)
    say(f"How the class did is in {course.name}/{path.relative_to(course).as_posix()}.")
    return 0


@in_sentences
def similar(name: str, *, own_files: bool = False, course: Path = EXERCISES) -> int:
    """Write which answers are alike."""
    fault = "" if own_files else missing_sandbox()
    if fault:
        raise NoSandboxError(fault)
    secret = read_secret(course / "secret")
    with open_book(name, course) as book, callers(book, own_files) as call:
        path = write_similarities(book, call, secret)
    say(f"Which answers are alike is in {course.name}/{path.relative_to(course).as_posix()}:")
    say("a report, never a verdict.")
    return 0


@contextmanager
def callers(book: Book, own_files: bool) -> Iterator[Call]:
    """Let functions of submissions be called, each in the sandbox."""
    sandbox = None if own_files else Sandbox()
    if sandbox is not None:
        sandbox.__enter__()

    def call(student: str, function: str) -> Any:
        copy = read_copy(book.path_of_copy(student))
        steps = book.homework.program(student, copy.answers if copy else {})
        session = Unprotected(steps) if sandbox is None else Sandboxed(sandbox, steps)
        try:
            return session.call(function, ())
        finally:
            session.close()

    try:
        yield call
    finally:
        if sandbox is not None:
            sandbox.__exit__(None, None, None)


@in_sentences
def merge_marks(name: str, folder: Path, *, course: Path = EXERCISES) -> int:
    """Take over the marks of another marker's copy of the course."""
    other = folder if (folder / "gradebook.db").exists() else folder / "exercises"
    if not (other / "gradebook.db").exists():
        raise ValueError(
            f"There is no gradebook in {folder}: the other marker's folder exercises is expected."
        )
    if other.resolve() == course.resolve():
        raise ValueError("That is this course's own gradebook.")
    with open_book(name, course) as ours, Book(load(name, course / "source"), other) as theirs:
        taken, left = merge(ours, theirs)
    for sentence in left:
        say(sentence)
    say(f"{taken} marks and comments were taken over; {len(left)} need a person.")
    return 1 if left else 0


@in_sentences
def say_part(name: str, part: str, *, course: Path = EXERCISES) -> int:
    """Say whom one of several markers marks."""
    number, _, total = part.partition("/")
    if not (number.isdigit() and total.isdigit()):
        raise ValueError(f"--part is written as 2/3, the second of three, and not as {part!r}.")
    with open_book(name, course) as book:
        students = [each.student.id for each in book.notebooks()]
    for student in part_of(students, int(number), int(total)):
        say(quote(student))
    return 0


@in_sentences
def answer_requests(
    name: str,
    *,
    number: int | None = None,
    points: float | None = None,
    because: str = "",
    course: Path = EXERCISES,
) -> int:
    """List what students ask, or decide the request of a number."""
    (course / "requests").mkdir(exist_ok=True)
    requests, odd = read_requests(course, name, read_secret(course / "secret"))
    with open_book(name, course) as book:
        if number is not None:
            if not 1 <= number <= len(requests):
                raise ValueError(f"There is no request {number}: there are {len(requests)}.")
            decide(book, requests[number - 1], points, because)
        decisions = read_decisions(course, name)
    for i, request in enumerate(requests, 1):
        made = decisions.get((request.student, request.question))
        state = "open"
        if made is not None:
            state = "stays" if made.points is None else f"{made.points:g} points"
            state = f"decided: {state}, {quote(made.because)}"
        say(f"{i}. {quote(request.student)}, {request.question}: {quote(request.why)} [{state}]")
    for sentence in odd:
        say(sentence)
    open_ones = sum((r.student, r.question) not in decisions for r in requests)
    say(f"{len(requests)} requests about {name}, {open_ones} open.")
    if open_ones:
        say(
            f'python3 course.py grade {name} --requests --decide 1 --points 2 --because "…" '
            "decides; without --points the mark stays. Then write feedback again."
        )
    return 0
