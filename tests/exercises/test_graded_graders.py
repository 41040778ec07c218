"""The graders are graded: right answers, wrong ones with their exact mark, and mutants."""

import ast
import importlib

import numpy as np
import pytest
from coursekit.contents import all_homeworks
from coursekit.homework.grading.inside.limits import Limits
from coursekit.homework.grading.marking import mark, try_all
from coursekit.homework.grading.questions import SOURCE, Role, load, trusted
from coursekit.homework.grading.session import Sandboxed
from mutants import mutants

HOMEWORKS = all_homeworks(SOURCE)
TRIAL = "hw00"  # which shows how it works, and does not count
STUDENTS = ("student-01", "student-02", "student-03")
SECRET = "the tests secret"
LEAST = 0.84  # of the mutants of a homework; nearly all others do what the model does
FEW = 12  # mutants of a question, evenly over its model answer
SHORT = Limits(cell=3, call=1, total=6)


@pytest.fixture(params=HOMEWORKS)
def homework(request):
    return load(request.param)


@pytest.fixture
def bank(homework):
    """Return the bank that each homework must have."""
    return importlib.import_module(f"bank_{homework.name}")


def points(homework, question, code: str, student: str) -> float:
    """Return the mark of a trusted answer; the model answers the other questions."""
    return mark(
        question, trusted(homework, student, {question.id: code}), homework, student, SECRET
    ).points


def test_a_homework_is_whole(homework):
    roles = [cell.role for cell in homework.cells]
    written = [id for id, cell in homework.answers.items() if cell.role is Role.PROOF]
    text = "\n".join(cell.source for cell in homework.cells)
    scheme = (SOURCE / homework.name / "scheme.md").read_text("utf-8")
    assert all(id in scheme for id in written), "every written answer has a scheme"
    assert roles.count(Role.HELPERS) == 1 and "mine(STUDENT" in text
    if homework.name == TRIAL:
        return
    assert 4 <= roles.count(Role.ANSWER) <= 6
    assert 1 <= sum(id.startswith("proof") for id in written) <= 2
    assert 18 <= homework.points_of_code <= 22 and homework.points == 30
    assert "live(" in text


def test_data_cells_draw_the_same_when_they_are_run_again(homework):
    """What is drawn comes from a generator that the very same cell has made."""
    steps = [code for id, code in homework.program(STUDENTS[0], {}) if not id]
    names: dict = {"__name__": "__main__"}
    drawn = []
    for code in steps:
        exec(code, names)
        drawn.append(shown(names, code))
    for code, before in zip(steps, drawn, strict=True):
        exec(code, names)
        assert shown(names, code) == before, (homework.name, code)


def shown(names: dict, code: str) -> dict[str, str]:
    """Return the data that a cell assigns; generators have moved on, functions are made anew."""
    assigned = {
        node.id
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return {
        name: repr(names[name])
        for name in assigned & set(names)
        if not isinstance(names[name], np.random.Generator)
    }


def test_the_bank_is_large_enough(homework, bank):
    for question in homework.questions:
        assert len(bank.RIGHT[question.id]) >= 2 and len(bank.WRONG[question.id]) >= 5, question.id
        assert all(mark < question.points for _, mark in bank.WRONG[question.id].values()), (
            question.id
        )


def test_right_answers_get_all_points(homework, bank):
    for student in STUDENTS:
        for question in homework.questions:
            for code in [homework.solutions[question.id], *bank.RIGHT[question.id]]:
                assert points(homework, question, code, student) == question.points, (
                    student,
                    question.id,
                    code,
                )


def test_wrong_answers_get_exactly_their_mark(homework, bank):
    """On the data of others a behaviour may be lost or kept by luck, but never all points."""
    first, *others = STUDENTS
    for question in homework.questions:
        for name, (code, expected) in bank.WRONG[question.id].items():
            assert points(homework, question, code, first) == expected, (question.id, name)
    for student in others:
        for question in homework.questions:
            for name, (code, expected) in bank.WRONG[question.id].items():
                found = points(homework, question, code, student)
                where = (student, question.id, name)
                assert found < question.points and abs(found - expected) <= 1, where


def test_mutants_lose_marks(homework, sandbox):
    """Each is tried on the data of one student, in turn."""
    caught = [
        loses_marks(homework, question, code, student, sandbox)
        for question in homework.questions
        for student, code in in_turn(some_mutants(homework.solutions[question.id]))
    ]
    print(f"{homework.name}: {sum(caught)} of {len(caught)} mutants lose marks")
    assert sum(caught) >= LEAST * len(caught)


def in_turn(codes: list[str]) -> list[tuple[str, str]]:
    """Return students with programs, so that each student has some from all over the answer."""
    return sorted((STUDENTS[i % len(STUDENTS)], code) for i, code in enumerate(codes))


def some_mutants(code: str) -> list[str]:
    """Return a few mutants, spread evenly over the code."""
    every = list(mutants(code))
    return every[:: max(1, -(-len(every) // FEW))]


def loses_marks(homework, question, code: str, student: str, sandbox) -> bool:
    """Tell whether a mutant of the model's answer is found out."""
    steps = homework.program(student, homework.solutions | {question.id: code})
    session = Sandboxed(sandbox, steps, SHORT)
    try:
        return any(fault for _, fault in try_all(question, session.call, homework, student, SECRET))
    finally:
        session.close()
