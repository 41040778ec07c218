"""Show which answers are alike, and which fit another student's data: a report, never a verdict.

Two answers are compared by their syntax trees, in which names, texts and layout play no part. What
many in the class have in common, or have from the model solution, says nothing and is left out.

The sharper sign is one that only a homework with data of one's own can have: an answer that is
wrong for the student who handed it in, and right for another's data.
"""

import ast
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from coursekit.files import write_atomically
from coursekit.homework.grading.copies import read_copy
from coursekit.homework.grading.gradebook import Book
from coursekit.homework.grading.marking import Failure, Question, mark
from coursekit.homework.grading.questions import Homework, Role

from .report import environment

LENGTH = 8  # nodes of a piece
LEAST = 12  # pieces that two answers must have of their own before they are compared
COMMON = 0.25  # of the class: what so many share, nobody has from a neighbour
ALIKE = 0.6  # of all pieces are shared
MOST_PAIRS = 100
Answers = dict[str, dict[str, str]]  # by student and question
Pieces = frozenset[tuple[str, ...]]
Call = Callable[[str, str], Any]
"""Call a student's function that takes nothing; return its value, or a Failure."""


@dataclass(frozen=True)
class Pair:
    """Two students whose answers are alike."""

    students: tuple[str, str]
    share: float
    questions: tuple[str, ...]


@dataclass(frozen=True)
class Foreign:
    """An answer that is wrong for its author and right for somebody else's data."""

    student: str
    question: str
    fits: tuple[str, ...]


def pieces(code: str) -> Pieces:
    """Return all runs of nodes of a syntax tree, with names and texts left out."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    nodes = [_kind(node) for node in ast.walk(tree)]
    return frozenset(tuple(nodes[i : i + LENGTH]) for i in range(len(nodes) - LENGTH + 1))


def _kind(node: ast.AST) -> str:
    """Return what a node is; of a constant its type, of a call nothing more."""
    if isinstance(node, ast.Constant):
        return f"Constant {type(node.value).__name__}"
    return type(node).__name__


def alike(answers: Answers, models: dict[str, str]) -> list[Pair]:
    """Return the pairs whose answers share most of what is their own, the closest first."""
    own: dict[str, dict[str, Pieces]] = defaultdict(dict)
    for question, model in models.items():
        found = {s: pieces(texts[question]) for s, texts in answers.items() if question in texts}
        counts = Counter(piece for some in found.values() for piece in some)
        most = max(2, COMMON * len(answers))
        common = {piece for piece, count in counts.items() if count > most} | pieces(model)
        for student, some in found.items():
            own[student][question] = some - common
    pairs = []
    for a, b in combinations(sorted(own), 2):
        shared = total = 0
        close = []
        for question in own[a].keys() & own[b].keys():
            left, right = own[a][question], own[b][question]
            together = len(left & right)
            if min(len(left), len(right)) >= LEAST and together >= ALIKE * len(left | right):
                close.append(question)
            shared += together
            total += len(left | right)
        if close:
            pairs.append(Pair((a, b), shared / total, tuple(sorted(close))))
    return sorted(pairs, key=lambda pair: (-len(pair.questions), -pair.share))[:MOST_PAIRS]


def personal(homework: Homework) -> list[Question]:
    """Return the questions about data of one's own: functions that are called with nothing."""
    import numpy as np

    rng = np.random.default_rng(0)
    found = []
    for question in homework.questions:
        cases = [case for behaviour in question.behaviours for case in behaviour.inputs(rng)]
        if cases and all(case == () for case in cases):
            found.append(question)
    return found


def foreign(
    homework: Homework,
    students: Iterable[str],
    wrong: dict[str, list[str]],
    call: Call,
    secret: str,
) -> list[Foreign]:
    """Return answers that lost points and would have got all of them with another's data.

    `wrong` has, by question, who lost points there.
    """
    values: dict[tuple[str, str], Any] = {}
    questions = {question.id: question for question in personal(homework)}
    for id, question in questions.items():
        for student in wrong.get(id, ()):
            value = call(student, question.function)
            if value is not None and value is not ... and not isinstance(value, Failure):
                values[student, id] = value
    fits: dict[tuple[str, str], list[str]] = defaultdict(list)
    for other in students:  # outermost, since the model runs once for each
        for (student, id), value in values.items():
            if other != student and _is_right(questions[id], value, homework, other, secret):
                fits[student, id].append(other)
    most = max(1, int(COMMON * len(set(students))))  # what fits many fits nobody in particular
    return [Foreign(s, id, tuple(some)) for (s, id), some in fits.items() if len(some) <= most]


def _is_right(
    question: Question, value: Any, homework: Homework, student: str, secret: str
) -> bool:
    def answer(function: str, args: tuple[Any, ...]) -> Any:
        return deepcopy(value)

    try:
        return mark(question, answer, homework, student, secret).is_full
    except Exception:  # a judge that did not foresee this value says nothing
        return False


def read_answers(book: Book) -> Answers:
    """Return the code that was graded, by student and question."""
    found = {}
    for notebook in book.notebooks():
        copy = read_copy(book.path_of_copy(notebook.student.id))
        if copy is not None:
            found[notebook.student.id] = {
                id: text
                for id, text in copy.answers.items()
                if id in book.homework.answers and book.homework.answers[id].role is Role.ANSWER
            }
    return found


def write_similarities(book: Book, call: Call, secret: str) -> Path:
    """Write the page, and return where it is."""
    answers = read_answers(book)
    if not answers:
        raise ValueError(f"The gradebook has no submission for {book.name}: grade first.")
    wrong: dict[str, list[str]] = defaultdict(list)
    for notebook in book.notebooks():
        for grade in notebook.grades:
            if grade.auto_score is not None and grade.auto_score < grade.max_score:
                wrong[grade.name.removesuffix("-check")].append(notebook.student.id)
    models = {
        question.id: book.homework.solutions[question.id] for question in book.homework.questions
    }
    text = (
        environment()
        .get_template("similarity.html")
        .render(
            title=f"Answers that are alike: {book.name}",
            pairs=alike(answers, models),
            foreign=foreign(book.homework, list(answers), wrong, call, secret),
            answers=answers,
            count=len(answers),
        )
    )
    folder = book.course / "reports"
    folder.mkdir(exist_ok=True)
    path = folder / f"{book.name}-similar.html"
    write_atomically(path, text)
    return path
