"""The check of an exercise: five rungs in their order, and no answer passes that is not right."""

import linecache
import sys
from fractions import Fraction
from types import ModuleType

import numpy as np
import pytest
from coursekit.homework.grading.inside import limits
from halfspaces import Halfspace
from halfspaces.notebook import homework
from halfspaces.notebook.comparison import misfit
from halfspaces.notebook.exercises import Exercise, Rung, Trap, check, check_exercise, mine


class EqualsAll:
    def __eq__(self, other):
        return True

    __hash__ = object.__hash__


class LyingInt(int):
    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


class LyingFloat(np.float64):
    def __eq__(self, other):
        return True


def distance(w, b, x):
    return abs(np.dot(w, x) - b) / np.linalg.norm(w)


CASES = [((3, 4), 5, (0, 0)), ((1, 0), 2, (2, 7))]


def rung(answer):
    return check(answer, distance, CASES).rung


def test_the_rungs_in_their_order():
    def stub(w, b, x):
        return ...

    def started(w, b, x):
        norm = ...
        return abs(np.dot(w, x) - b) / norm

    def silent(w, b, x):
        distance(w, b, x)

    answers = [
        stub,
        silent,
        lambda w, b, x: w + 1,
        lambda w, b, x: "1.0",
        lambda w, b, x: 1.0,
        distance,
    ]
    assert [rung(answer) for answer in answers] == list(Rung)
    assert rung(started) == rung(...) == "missing" and rung(3) == "type"
    assert check(..., 3).rung == check((1, ...), (1, 2)).rung == "missing"


def test_the_lowest_rung_of_all_inputs_is_told():
    def sometimes(x):
        return x + 1 if x < 2 else None

    assert check(sometimes, lambda x: x, [1, 2, 3]).rung == "nothing"


def test_messages_name_the_input_and_what_is_expected():
    said = check(lambda w, b, x: 1.0, distance, CASES)
    assert repr(said) == "✗ Wrong value: <lambda>((1, 0), 2, (2, 7)) is 1.0, and 0.0 is expected."
    wrong = check(lambda w, b, x: w / 0, distance, CASES)
    assert "((3, 4), 5, (0, 0)) raises TypeError: unsupported operand" in wrong.message
    assert check(np.ones((2, 3)), np.ones(3)).message == (
        "the answer: an array of shape (3,) is expected, and this has shape (2, 3)."
    )
    assert check("a", 1.0).message == "the answer: a float is expected, and this is a string."
    assert "322" not in repr(check(5, 322))  # a value is not given away
    assert (
        check(lambda h: 1, lambda h: 2, [lambda: 0]).message
        == "<lambda>(<lambda>) is 1, and 2 is expected."
    )
    assert "0x" not in repr(check(EqualsAll(), 2)) + repr(check(lambda: None, 2))


@pytest.mark.parametrize(
    ("got", "want"),
    [
        (3, 3),
        (np.int64(3), 3),
        (3.0, 3),
        (1 / 3 + 1e-15, 1 / 3),
        (1, 1.0),
        (Fraction(1, 2), 0.5),
        (np.inf, np.inf),
        (Fraction(1, 3), Fraction(2, 6)),
        (2, Fraction(2)),
        ("ab", "ab"),
        (np.True_, True),
        ([1, 2.0], [1, 2.0]),
        (({1, 2}, {"a": 1}), ({2, 1}, {"a": 1})),
        (np.array([1.0, -1.0]), np.array([1, -1])),
        (np.array([0.1 + 0.2]), np.array([0.3])),
        (None, None),
        ([1, 2], (1, 2)),
        ((1, [2]), [1, np.array([2])]),
        ([1, 2], np.array([1, 2])),
        (np.array([1, Fraction(1, 2)], object), [1, Fraction(1, 2)]),
        (np.array(3), 3),
        (np.array([1, Fraction(1, 2)], object),) * 2,
        (Halfspace([1, 2], 3), Halfspace([1, 2], 3)),
        (Halfspace([1.0, 2.0], 3), Halfspace([1, 2], 3)),
    ],
)
def test_right_answers(got, want):
    assert check(got, want).rung == "correct"
    assert check(lambda _: got, lambda _: want, [0]).rung == "correct"


@pytest.mark.parametrize(
    ("got", "want", "expected"),
    [
        (4, 3, "value"),
        (3.0000000001, 3, "value"),
        (True, 1, "type"),
        (1, True, "type"),
        (1, np.True_, "type"),
        (np.nan, 1.0, "value"),
        (np.nan, np.nan, "value"),
        (np.array([np.nan]), np.array([np.nan]), "value"),
        (1 / 3, Fraction(1, 3), "type"),
        (Fraction(1, 3), Fraction(1, 2), "value"),
        ("1", 1, "type"),
        ("a", "b", "value"),
        ([1, 2], [1, 2, 3], "type"),
        ([1, 3], [1, 2], "value"),
        ([1, 2.5], np.array([1, 2]), "value"),
        ([[1, 2]], np.array([1, 2]), "type"),
        (np.array([1, 2]), np.array([1, 3]), "value"),
        (np.array([True]), np.array([1]), "type"),
        (np.array([1, 0]), np.array([True, False]), "type"),
        (np.array([1.0 + 1e-7]), np.array([1.0]), "value"),
        (np.array([[1, 2]]), np.array([1, 2]), "type"),
        (np.array([0.5], object), np.array([Fraction(1, 2)], object), "type"),
        ({1, 2}, {1, 3}, "value"),
        ({1}, {1, 2}, "value"),
        ({1, 2, 3}, {1, 2}, "value"),
        ({"a": 1}, {"a": 2}, "value"),
        ({"a": 1}, {"b": 1}, "value"),
        (Halfspace([1, 2], 3), Halfspace([1, 2], 4), "value"),
        (Halfspace([1, 2], 3), Halfspace([2, 1], 3), "value"),
        ((1, 2), Halfspace([1, 2], 3), "type"),
        (0, None, "type"),
        (10**400, 1.0, "value"),
        (EqualsAll(), 3, "type"),
        (LyingInt(4), 3, "type"),
        (LyingFloat(4.0), 3.0, "type"),
        ([EqualsAll()], [3], "type"),
        ({EqualsAll()}, {3}, "value"),
        ({"a": EqualsAll()}, {"a": 1}, "value"),
        (np.array([EqualsAll()], object), np.array([3]), "type"),
    ],
)
def test_wrong_answers(got, want, expected):
    assert check(got, want).rung == expected
    assert check(lambda _: got, lambda _: want, [0]).rung == expected


@pytest.mark.parametrize(
    ("got", "want", "expected"),
    [
        (3, 3, "correct"),
        (Fraction(3), 3, "correct"),
        (np.int64(3), Fraction(3), "correct"),
        (3.0, 3, "type"),
        (0.5, Fraction(1, 2), "type"),
        (0.5, 0.5, "correct"),
        ([1, 2.0], (1, 2), "type"),
        (np.array([1.0, 2.0]), [1, 2], "type"),
        (np.array([1.0, 2.0]), np.array([1, 2]), "type"),
        (np.array([1, 2]), (1, 2), "correct"),
        ({"a": 1.0}, {"a": 1}, "value"),
    ],
)
def test_where_exact_numbers_are_asked_for_no_float_is_one(got, want, expected):
    assert check(got, want, exact=True).rung == expected
    assert check(lambda: got, [want], [()], exact=True).rung == expected


@pytest.mark.parametrize(
    ("got", "like", "reason"),
    [
        (([1, 2], 3), ([0], 0), ""),
        ((np.array([1, 2]), Fraction(1, 2)), ([0], 0), ""),
        (None, ([0], 0), ""),
        (([1, 2.0], 3), ([0], 0), "an exact number, an int or a Fraction, is expected, and this"),
        ((1, 3), ([0], 0), "a list is expected, and this is an int"),
        ([[1, True]], [[0]], "an int is expected, and this is a bool"),
        ([1, 2, 3], ([0], 0), ""),  # of another length: a wrong value
        ("text", [0], "a list is expected, and this is a string"),
        ({"a": 1, "b": 2}, {"": 0}, ""),
        ({"a": 1, "b": 0.5}, {"": 0}, "an exact number"),
    ],
)
def test_a_wrong_type_is_told_where_the_author_judges(got, like, reason):
    assert misfit(got, like).startswith(reason) and bool(misfit(got, like)) == bool(reason)
    said = check(got, 5, same=lambda got, _: False, like=like)
    assert (said.rung == "type") == bool(reason)


def test_the_author_sees_lists_and_whole_numbers():
    def same(got, _):
        return got == [[1, 2], 3] and type(got[1]) is int

    assert check((np.array([1, 2]), Fraction(3)), 5, same=same, exact=True).rung == "correct"


def test_a_slow_answer_is_told(monkeypatch):
    clock = iter([0, 0.5, 10, 12.5])
    monkeypatch.setattr(homework.time, "perf_counter", lambda: next(clock))
    said = homework.check(lambda x: x, [1, 2], [1, 2])
    assert said.message == (
        "right on 2 inputs. One call took 2.5 seconds; grading gives up after 5."
    )
    monkeypatch.undo()
    assert homework.check(lambda x: x, [1, 2], [1, 2]).message == "right on 2 inputs."
    assert homework.check(..., [1], [1]).rung == homework.check(lambda x: ..., [1], [1]).rung
    assert homework.check(lambda x: 1.0, [1], [1]).rung == "type"
    assert homework.PATIENCE == limits.USUAL.call


@pytest.fixture
def cells(monkeypatch):
    """Run texts as cells of one notebook, whose lines Python knows."""
    names = {"__name__": "__main__"}

    def run(file, text):
        monkeypatch.setitem(linecache.cache, file, (len(text), None, text.splitlines(True), file))
        exec(compile(text, file, "exec"), names)

    monkeypatch.setattr(homework, "checked", set())
    return names, run


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("def double(x):\n    return 2 * x\n", True),
        ("# Helpers of your own\ndef double(x):\n    return 2 * x\n", False),
        ("# Given: tools\ndef double(x):\n    return 2 * x\n", False),
        ("STUDENT = 1\n\ndef double(x):\n    return 2 * x\n\nmine = hash\nmine(STUDENT)\n", False),
    ],
)
def test_a_helper_in_a_cell_that_is_not_read_is_told(cells, text, is_told):
    names, run = cells
    run("<cell 1>", text)
    run("<cell 2>", "def first(x):\n    return [double(v) for v in [x]][0]\n")
    run("<cell 3>", "def second(x):\n    return first(x)\n")
    said = homework.check(names["first"], [2], [1])
    assert said.rung == "correct"
    assert ("It calls double, from a cell that grading does not read" in said.message) == is_told
    assert homework.check(names["second"], [2], [1]).message == "right on 1 input."  # an answer


def test_changing_an_input_is_wrong():
    def pops(xs):
        return xs.pop()

    def adds(w, x):
        w += x
        return w

    said = check(pops, lambda xs: xs[-1], [[1, 2]])
    assert repr(said) == "✗ Wrong value: pops([1, 2]) changes its input: [1, 2] has become [1]."
    assert check(adds, lambda w, x: w + x, [(np.ones(2), np.ones(2))]).rung == "value"
    data = [3, 1, 2]
    assert check(lambda xs: xs.sort() or xs, sorted, [data]).rung == "value" and data == [3, 1, 2]


def test_inputs_that_differ_from_their_own_copy_are_not_held_against_the_reader():
    assert (
        check(lambda rng: rng.random(), lambda rng: rng.random(), [np.random.default_rng(0)]).rung
        == "correct"
    )
    assert check(len, len, [[float("nan")]]).rung == "correct"


def test_the_author_may_say_what_is_the_same():
    def same(got, want):
        return (
            all(got.w * want.w[0] == want.w * got.w[0]) and got.b * want.w[0] == want.b * got.w[0]
        )

    h = Halfspace([1, 2, 0], 3)
    assert check(Halfspace([2, 4, 0], 6), h, same=same).rung == "correct"
    assert check(Halfspace([2, 4, 0], 5), h, same=same).rung == "value"
    assert check((1, 2), h, same=same).rung == "type"
    assert (
        "Halfspace"
        not in check(lambda: Halfspace([2, 4, 0], 5), lambda: h, [()], same).message.split(", ")[-1]
    )


def test_the_results_may_be_listed():
    assert check(distance, [1.0, 0.0], CASES).rung == "correct"
    assert check(lambda d: Halfspace([1] * d, 0), [Halfspace([1], 0)], [1]).rung == "correct"
    assert check(lambda w, b, x: 1.0, [1.0, 0.5], CASES).message.endswith(
        "is 1.0, and 0.5 is expected."
    )
    assert check(..., [1.0, 1.0], CASES).rung == "missing"
    assert check(lambda x: 6 // x, [6, 3], [0, 2]).message.startswith(
        "<lambda>(0) raises ZeroDivisionError"
    )
    assert (
        check(lambda x: [x], [[1], [2]], [1, 2]).rung == "correct"
    )  # a result may be a list itself
    assert check(lambda x: x, [None, None], [1, -2], same=lambda got, _: got > 0).rung == "value"
    with pytest.raises(ValueError, match="1 results are expected of 2 inputs"):
        check(distance, [1.0], CASES)


def test_a_student_has_data_of_their_own():
    def draw(*names):
        return mine(*names).integers(0, 10**9, 3).tolist()

    assert draw("student-01", "hw03") == [
        75938069,
        259625344,
        370191870,
    ]  # the same on every machine
    assert (
        len({tuple(draw(s, h)) for s in ("student-01", "student-02") for h in ("hw03", "hw04")})
        == 4
    )
    assert draw("student-1", "1hw") != draw("student-11", "hw")
    assert draw(" Zoe\u0308  Müller", "hw03") == draw(
        "zoë müller ", "hw03"
    )  # typed by hand, named by a system


def test_feedback_is_told_by_word_sign_and_colour():
    looks = {check(answer, 3)._repr_html_() for answer in (..., None, "3", 4, 3)}
    assert len(looks) == 5 and all(
        'role="status"' in look and "color:" not in look for look in looks
    )
    assert "&lt;b&gt;" in check(["<b>"], ["b"])._repr_html_()


def root(x):
    return int(x**0.5)


def half(x):
    return x // 2


MODEL = Exercise(
    expected=lambda x: round(x**0.5),
    inputs=[4, 8, 16],
    traps=[
        Trap(half, "A half is no root."),
        Trap(root, "It is rounded down."),
        Trap(lambda x: 1 / 0, "There is nothing to divide by."),
    ],
)


@pytest.fixture
def models(monkeypatch):
    values = Exercise(expected=322, traps=[Trap(323, "One less."), Trap(18, "Square it.")])
    grows = Exercise(lambda xs: [*xs, 1], [[0]], traps=[Trap(append_one, "Make a new list.")])
    module = ModuleType("halfspaces.notebook.models.n77b")
    module.EXERCISES = {"77b.1": MODEL, "77b.2": values, "77b.3": grows}
    monkeypatch.setitem(sys.modules, module.__name__, module)


def append_one(xs):
    xs.append(1)
    return xs


def test_an_exercise_is_checked_by_its_number(models):
    assert check_exercise("77b.1", lambda x: round(x**0.5)).rung == "correct"
    assert check_exercise("77b.2", 322).rung == "correct"
    assert check_exercise("77b.2", ...).rung == "missing"
    assert check_exercise("77b.1", lambda x: None).rung == "nothing"
    assert "a function is expected" in check_exercise("77b.1", 3).message


def test_a_trap_is_told_to_whoever_is_wrong_in_its_way(models):
    def mostly_root(x):
        return 4 if x == 16 else root(x)  # right elsewhere by another way

    assert check_exercise("77b.1", mostly_root).message == (
        "mostly_root(8) is 2, and 3 is expected. It is rounded down."
    )
    assert check_exercise("77b.1", half).message.endswith("A half is no root.")
    assert check_exercise("77b.1", lambda x: x / 0).message.endswith("nothing to divide by.")
    assert check_exercise("77b.1", lambda x: -1).message.endswith("and 2 is expected.")
    assert check_exercise("77b.2", 18).message == (
        "the answer is 18, which is not right. Square it."
    )
    assert check_exercise("77b.2", 19).message == "the answer is 19, which is not right."
    assert check_exercise("77b.3", append_one).message.endswith("Make a new list.")
    assert not check_exercise("77b.3", lambda xs: 1).message.endswith("Make a new list.")


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        ("77b.9", "there is no exercise 77b.9 to check: in this notebook there are 77b.1, 77b.2"),
        ("78.1", "there is no exercise 78.1 to check: in this notebook there are none"),
        ("5", "'5' is no number of an exercise"),
        ("../5.1", "is no number of an exercise"),
    ],
)
def test_unknown_exercises_are_named_in_a_sentence(models, number, sentence):
    with pytest.raises(ValueError, match=sentence):
        check_exercise(number, 1)


def test_the_author_may_say_what_is_wrong():
    def same(got, want):
        return got > 0 or "It must be positive."

    assert check(5, 1, same=same).rung == "correct"
    assert repr(check(-5, 1, same=same)) == (
        "✗ Wrong value: the answer is -5. It must be positive."
    )
    said = check(lambda x: -x, lambda x: x, [1], same)
    assert said.message == "<lambda>(1) is -1. It must be positive."
