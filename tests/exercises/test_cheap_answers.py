"""Nobody earns a point without solving: None, constants, echoes, counted calls, another's answers.

Whatever a cheap answer could know is given to it: the model's results for other students, in the
order in which they were asked for.
"""

from collections import Counter
from collections.abc import Callable
from itertools import cycle
from math import factorial
from typing import Any

import pytest
from coursekit.contents import all_homeworks
from coursekit.homework.grading.marking import ORDERS, Question, mark, prepare
from coursekit.homework.grading.questions import SOURCE, Homework, load
from halfspaces.notebook.comparison import plain

HOMEWORKS = all_homeworks(SOURCE)
SECRET = "the tests secret"
STUDENTS = [f"student-{n:02}" for n in range(1, 5)]
CONSTANTS = [None, True, False, 0, 1, -1, "", [], {}, [0, 0], ([1, 1], 0), [[1], [1]]]
Answer = Callable[..., Any]


@pytest.fixture(params=HOMEWORKS, scope="module")
def homework(request):
    return load(request.param)


def earned(homework: Homework, question: Question, answer: Answer, student: str) -> float:
    """Return what a function earns in place of the answer to a question."""

    def call(function: str, args: tuple) -> Any:
        return answer(*args)

    return mark(question, call, homework, student, SECRET).points


def results(homework: Homework, question: Question, student: str) -> list[Any]:
    """Return what the model answers to a student's inputs, in their order."""
    return [
        case.want
        for behaviour in question.behaviours
        for case in prepare(question, behaviour, homework, student, SECRET).cases
    ]


def always(value: Any) -> Answer:
    return lambda *args: value


def echo(position: int) -> Answer:
    return lambda *args: args[position % len(args)] if args else None


def counted(values: list[Any]) -> Answer:
    """Return the values in turn, whatever is asked."""
    turn = cycle(values)
    return lambda *args: next(turn)


def asks_for_own_data(homework: Homework, question: Question) -> bool:
    """Tell whether the function has no arguments: the student's data are its input."""
    [first, *_] = question.behaviours
    return prepare(question, first, homework, STUDENTS[0], SECRET).cases[0].args == ()


def test_a_constant_earns_nothing(homework):
    for question in homework.questions:
        known = results(homework, question, STUDENTS[0])
        if asks_for_own_data(homework, question):
            known = []
        for value in [*CONSTANTS, *known]:
            assert earned(homework, question, always(value), STUDENTS[1]) == 0, (question.id, value)


def test_the_answer_of_a_friend_is_seldom_right(homework):
    friends = [f"friend-{n}" for n in range(8)]
    for question in homework.questions:
        if asks_for_own_data(homework, question):
            [answer, *_] = results(homework, question, STUDENTS[0])
            points = [earned(homework, question, always(answer), friend) for friend in friends]
            assert sum(points) <= question.points * len(friends) / 4, (question.id, points)


def test_an_echo_earns_nothing(homework):
    for question in homework.questions:
        for position in range(4):
            assert earned(homework, question, echo(position), STUDENTS[0]) == 0, question.id


def test_a_counter_of_calls_earns_nothing(homework):
    """Behaviour by behaviour, with the results that a friend was told for the very same calls."""
    for question in homework.questions:
        if asks_for_own_data(homework, question):
            continue
        for behaviour in question.behaviours:
            friend = prepare(question, behaviour, homework, STUDENTS[0], SECRET)
            lucky = 0
            for student in STUDENTS[1:]:
                trial = prepare(question, behaviour, homework, student, SECRET)
                values = counted([case.want for case in friend.cases])
                lucky += not any([trial.fault(values(), case) for case in trial.cases])
            assert lucky <= 1, (question.id, behaviour.says)


def test_results_that_are_the_same_for_all_come_in_many_orders(homework):
    for question in homework.questions:
        if asks_for_own_data(homework, question):
            continue
        for behaviour in question.behaviours:
            found = [
                Counter(
                    repr(plain(case.want)) if case.is_own else "mixed in"
                    for case in prepare(question, behaviour, homework, student, SECRET).cases
                )
                for student in STUDENTS[:2]
            ]
            if found[0] == found[1]:
                orders = factorial(found[0].total())
                for times in found[0].values():
                    orders //= factorial(times)
                assert orders >= ORDERS, (question.id, behaviour.says, found[0])


def test_counters_that_alternate_earn_nothing(homework):
    for question in homework.questions:
        if asks_for_own_data(homework, question):
            continue
        known = results(homework, question, STUDENTS[0])
        for student in STUDENTS[1:3]:
            for values in ([None, known[0]], [True, False], [0, 1], [None, *known]):
                points = earned(homework, question, counted(values), student)
                assert points <= 1, (question.id, student, values)  # by luck


def test_the_test_sees_points(homework):
    for question in homework.questions:
        model = homework.model(STUDENTS[0])[question.function]
        assert earned(homework, question, model, STUDENTS[0]) == question.points


def test_orders_are_the_students_own(homework):
    for question in homework.questions:
        for behaviour in question.behaviours:
            if len(prepare(question, behaviour, homework, STUDENTS[0], SECRET).cases) > 2:
                orders = {
                    str(
                        [
                            case.args
                            for case in prepare(
                                question, behaviour, homework, student, SECRET
                            ).cases
                        ]
                    )
                    for student in STUDENTS
                }
                assert len(orders) > 1, (question.id, behaviour.says)
