"""Write a page of feedback for each student: points, reasons, marks and comments, nothing alive.

All text is escaped by the template, or drawn by `rendered`, and the page itself forbids scripts,
pictures and anything else from elsewhere.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2
from halfspaces.notebook.palette import BLUE
from markupsafe import Markup

from coursekit.files import write_atomically
from coursekit.formulas import style
from coursekit.homework.comments import Bank, expand, read_bank
from coursekit.homework.requests import Decision, form, link, read_decisions

from .copies import Copy, read_copy
from .gradebook import Book, unfit
from .grader import read_secret
from .questions import Role
from .rendered import draw


@dataclass(frozen=True)
class Section:
    """What there is to say of one question."""

    title: str
    points: str
    reasons: list[str]
    is_right: bool  # and no person has said otherwise
    comment: str
    answer: str | None  # of what a person has to read
    scheme: str  # these three in Markdown
    decision: str  # on what the student has asked
    ask_again: str  # the address of a file to ask with
    id: str


@dataclass(frozen=True)
class Extras:
    """What pages show besides the gradebook: comments from the bank, and decisions."""

    bank: Bank
    decisions: dict[tuple[str, str], Decision]
    secret: str


def write_pages(book: Book) -> tuple[int, list[str]]:
    """Write the pages of all students; return how many, and whose still lack a mark."""
    pages = 0
    unmarked = []
    names = titles(book)
    extras = Extras(
        read_bank(book.course, book.name),
        read_decisions(book.course, book.name),
        read_secret(book.course / "secret"),
    )
    for notebook in book.notebooks():
        student = notebook.student.id
        if unfit(student):
            continue
        # A mark by hand may have changed the score.
        book.assign_penalty(notebook.assignment, notebook)
        folder = book.course / "feedback" / student / book.name
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / f"{book.name}.html", page(book, notebook, names, extras))
        pages += 1
        if notebook.needs_manual_grade:
            unmarked.append(student)
    return pages, unmarked


@lru_cache
def template() -> jinja2.Template:
    """Return the page, which escapes whatever is put into it."""
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["draw"] = draw
    return environment.get_template("feedback.html")


def page(book: Book, notebook: Any, names: dict[str, str], extras: Extras) -> str:
    """Return one student's page."""
    student = notebook.student.id
    copy = read_copy(book.path_of_copy(student)) or Copy()
    grades = {grade.name.removesuffix("-check"): grade for grade in notebook.grades}
    comments = {comment.name: comment for comment in notebook.comments}
    penalty = notebook.late_submission_penalty or 0
    return template().render(
        title=f"{book.name}: {student}",
        blue=BLUE,
        formulas=Markup(style()),
        sections=[
            section(book, id, names[id], grades[id], comments.get(id), copy, student, extras)
            for id in book.homework.answers
            if id in grades
        ],
        name=book.name,
        penalty=penalty,
        is_final=not notebook.needs_manual_grade,
        points=f"{notebook.score - penalty:g} of {notebook.max_score:g}",
        odd=copy.odd,
    )


def section(
    book: Book,
    id: str,
    title: str,
    grade: Any,
    comment: Any,
    copy: Copy,
    student: str,
    extras: Extras,
) -> Section:
    """Return what there is to say of one question."""
    made = extras.decisions.get((student, id))
    reasons = comment.auto_comment if comment else None
    by_hand = comment.manual_comment if comment else None
    is_proof = book.homework.answers[id].role is Role.PROOF
    return Section(
        title,
        points(grade),
        reasons.split("\n\n") if reasons else [],
        grade.manual_score is None and grade.auto_score == grade.max_score,
        expand(by_hand or "", extras.bank.get(id, {})),
        copy.answers.get(id, "") if is_proof else None,
        book.schemes.get(id, "") if is_proof else "",
        made.because if made else "",
        link(form(extras.secret, book.name, student, id)),
        id,
    )


def points(grade: Any) -> str:
    """Write the points of a question, and whether a person has yet to look."""
    if grade.needs_manual_grade and grade.manual_score is None:
        return f"not marked yet, of {grade.max_score:g}"
    text = f"{grade.score:g} of {grade.max_score:g}"
    return f"{text}, to be looked at again" if grade.needs_manual_grade else text


def titles(book: Book) -> dict[str, str]:
    """Return the heading above each answer, by its grade_id."""
    found = {}
    heading = ""
    for cell in book.release.cells:
        about = cell.metadata.get("nbgrader", {})
        match = re.search(r"^#+ +(.+)$", cell.source, re.MULTILINE)
        if cell.cell_type == "markdown" and match:
            heading = re.sub(r" *\([^()]*\bpoints?\b[^()]*\)$", "", match[1].strip())
        if about.get("solution"):
            found[about["grade_id"]] = heading or about["grade_id"]
    return found
