"""Let several people mark one class: each in a copy of the course, then merged into one.

A mark or comment that only one of two gradebooks has is taken over. Where both have one and they
differ, ours stays, and the pair is named for a person to decide.
"""

from typing import Any

from coursekit.homework.grading.copies import read_copy
from coursekit.homework.grading.gradebook import Book


def part_of(students: list[str], part: int, parts: int) -> list[str]:
    """Return whom one of several markers marks: equal shares, the same for everybody who asks."""
    if not 1 <= part <= parts:
        raise ValueError(f"There are {parts} parts, numbered from 1: {part} is none of them.")
    return sorted(students)[part - 1 :: parts]


def merge(ours: Book, theirs: Book) -> tuple[int, list[str]]:
    """Take over marks and comments by hand; return how many, and sentences for what is left."""
    taken = 0
    left = []
    others = {notebook.student.id: notebook for notebook in theirs.notebooks()}
    for notebook in ours.notebooks():
        student = notebook.student.id
        other = others.get(student)
        if other is None or not _has_marks(other):
            continue
        if _digest(ours, student) != _digest(theirs, student):
            left.append(f"{student}: the other gradebook is about another version of the notebook.")
            continue
        count, faults = _merge_notebook(notebook, other)
        taken += count
        left += [f"{student}, {fault}" for fault in faults]
        ours.assign_penalty(notebook.assignment, notebook)
    ours.gradebook.db.commit()
    return taken, left


def _has_marks(notebook: Any) -> bool:
    marks = any(grade.manual_score is not None for grade in notebook.grades)
    return marks or any(comment.manual_comment for comment in notebook.comments)


def _digest(book: Book, student: str) -> str:
    copy = read_copy(book.path_of_copy(student))
    return copy.digest if copy else ""


def _merge_notebook(notebook: Any, other: Any) -> tuple[int, list[str]]:
    taken = 0
    faults = []
    theirs = {grade.name: grade for grade in other.grades}
    for grade in notebook.grades:
        new = theirs[grade.name].manual_score
        if new is None or new == grade.manual_score:
            continue
        if grade.manual_score is None:
            grade.manual_score = new
            grade.needs_manual_grade = theirs[grade.name].needs_manual_grade
            taken += 1
        else:
            faults.append(f"{grade.name}: {grade.manual_score:g} points here, {new:g} there.")
    comments = {comment.name: comment for comment in other.comments}
    for comment in notebook.comments:
        text = comments[comment.name].manual_comment
        if not text or text == comment.manual_comment:
            continue
        if not comment.manual_comment:
            comment.manual_comment = text
            taken += 1
        else:
            faults.append(f"{comment.name}: the comments differ.")
    return taken, faults
