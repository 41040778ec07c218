"""Look at a homework as its author leaves it: load it, run it, try all that grading will try."""

from collections.abc import Iterator
from pathlib import Path

from coursekit.homework.grading.copies import schemes
from coursekit.homework.grading.marking import CheckerError, describe, mark, prepare
from coursekit.homework.grading.questions import Homework, Role, load, trusted

STUDENTS = ("student-01", "student-02")  # whose data are tried
SECRET = "an author's own"


def inspect(name: str, source: Path) -> str:
    """Return the first fault of a homework in a sentence, or nothing."""
    try:
        homework = load(name, source)
    except ValueError as error:
        return str(error).removeprefix(f"{name}: ")
    return next(faults(homework, source), "")


def faults(homework: Homework, source: Path) -> Iterator[str]:
    """Say what is missing, does not run, cannot be drawn, or is not right."""
    known = schemes(homework.name, source)
    for id, cell in homework.answers.items():
        if cell.role is Role.PROOF and cell.points and id not in known:
            yield f"scheme.md has no section '## {id}' to mark this answer by."
    for student in STUDENTS:
        yield from faults_for(homework, student)


def faults_for(homework: Homework, student: str) -> Iterator[str]:
    """Say what goes wrong with the data of one student."""
    try:
        names = homework.model(student)
    except Exception as error:
        yield f"The cells with the solutions stop with {describe(error)}."
        return
    for question in homework.questions:
        if not callable(names.get(question.function)):
            yield (
                f"{question.id} asks for the function {question.function}, which no cell of the "
                "notebook defines."
            )
            continue
        try:
            for behaviour in question.behaviours:
                prepare(question, behaviour, homework, student, SECRET)
            found = mark(question, trusted(homework, student, {}), homework, student, SECRET)
        except CheckerError as error:
            yield f"Grading fails at {error}."
        else:
            for reason in found.reasons:
                yield f"The solution of {question.id} is not right by grading.py: {reason}"
