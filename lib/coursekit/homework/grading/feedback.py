"""Write a page of feedback for each student: points, reasons, marks and comments, and nothing that is alive.

All text is escaped, and the page itself forbids scripts, pictures and anything else from elsewhere.
"""

import re
from html import escape
from typing import Any

from .copies import read_texts
from .gradebook import Book, unfit
from .grader import write

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width"><title>{title}</title><style>
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #222 }}
table {{ border-collapse: collapse; width: 100% }}
td, th {{ text-align: left; padding: .2rem .5rem; border-top: 1px solid #ccc }}
td:last-child, th:last-child {{ text-align: right; white-space: nowrap }}
h2 {{ margin-top: 2rem; border-top: 2px solid #ccc; padding-top: 1rem; font-size: 1.2rem }}
.text, .comment {{ white-space: pre-wrap; overflow-wrap: anywhere; padding: .6rem .8rem }}
.text {{ background: #f5f5f5; border-radius: .3rem }} .comment {{ border-left: .3rem solid #0072B2 }}
li {{ overflow-wrap: anywhere }} summary {{ cursor: pointer }}
</style></head><body>
<h1>{title}</h1>
<table><tr><th>question</th><th>points</th></tr>
{rows}
<tr><th>{total}</th><th>{points}</th></tr></table>
{sections}
</body></html>
"""


def write_pages(book: Book) -> tuple[int, list[str]]:
    """Write the pages of all students; return how many, and whose still lack a mark."""
    pages, unmarked, names = 0, [], titles(book)
    for notebook in book.notebooks():
        student = notebook.student.id
        if unfit(student):
            continue
        book.assign_penalty(
            notebook.assignment, notebook
        )  # for a mark by hand may have changed the score
        folder = book.course / "feedback" / student / book.name
        folder.mkdir(parents=True, exist_ok=True)
        write(folder / f"{book.name}.html", page(book, notebook, names).encode())
        pages, unmarked = pages + 1, unmarked + [student] * bool(notebook.needs_manual_grade)
    return pages, unmarked


def page(book: Book, notebook: Any, names: dict[str, str]) -> str:
    """Return one student's page."""
    grades = {grade.name.removesuffix("-check"): grade for grade in notebook.grades}
    comments = {comment.name: comment for comment in notebook.comments}
    path = book.course / "autograded" / notebook.student.id / book.name / f"{book.name}.ipynb"
    answers = read_texts(path)
    ids = [id for id in book.homework.answers if id in grades]
    rows = [f"<tr><td>{escape(names[id])}</td><td>{points(grades[id])}</td></tr>" for id in ids]
    penalty = notebook.late_submission_penalty or 0
    if penalty:
        rows.append(f"<tr><td>handed in late</td><td>−{penalty:g}</td></tr>")
    odd = (
        [f'<h2>About your notebook</h2><div class="text">{escape(answers["odd"])}</div>']
        if "odd" in answers
        else []
    )
    sections = odd + [
        section(id, names[id], book, grades[id], comments.get(id), answers.get(id, ""))
        for id in ids
    ]
    return PAGE.format(
        policy=POLICY,
        title=escape(f"{book.name}: {notebook.student.id}"),
        rows="\n".join(rows),
        total="together, so far" if notebook.needs_manual_grade else "together",
        points=f"{notebook.score - penalty:g} of {notebook.max_score:g}",
        sections="\n".join(sections),
    )


def section(id: str, name: str, book: Book, grade: Any, comment: Any, answer: str) -> str:
    """Return what there is to say of one question."""
    parts = [f"<h2>{escape(name)}: {points(grade)}</h2>"]
    reasons = (comment.auto_comment or "").split("\n\n") if comment else []
    if any(reasons):
        parts.append("<ul>" + "".join(f"<li>{escape(reason)}</li>" for reason in reasons) + "</ul>")
    elif grade.manual_score is None and grade.auto_score == grade.max_score:
        parts.append("<p>All that was tried came out right.</p>")
    if comment and comment.manual_comment:
        parts.append(f'<div class="comment">{escape(comment.manual_comment)}</div>')
    if book.homework.answers[id].role == "proof":
        parts.append(f'<p>What you wrote:</p><div class="text">{escape(answer)}</div>')
        if id in book.schemes:
            parts.append(
                f'<details><summary>How it is marked</summary><div class="text">{escape(book.schemes[id])}'
                "</div></details>"
            )
    return "\n".join(parts)


def points(grade: Any) -> str:
    """Write the points of a question, or that a person has yet to give them."""
    if grade.needs_manual_grade:
        return f"not marked yet, of {grade.max_score:g}"
    return f"{grade.score:g} of {grade.max_score:g}"


def titles(book: Book) -> dict[str, str]:
    """Return the heading above each answer, by its grade_id."""
    found, heading = {}, ""
    for cell in book.release.cells:
        if cell.cell_type == "markdown" and (
            match := re.search(r"^#+ +(.+)$", cell.source, re.MULTILINE)
        ):
            heading = re.sub(r" *\([^()]*\bpoints?\b[^()]*\)$", "", match[1].strip())
        if cell.metadata.get("nbgrader", {}).get("solution"):
            id = cell.metadata["nbgrader"]["grade_id"]
            found[id] = heading or id
    return found
