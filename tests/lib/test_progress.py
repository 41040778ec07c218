"""The map counts what is done; questions come back after days and weeks, some freshly drawn."""

import json
import re
import sys
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

import numpy as np
import pytest
from halfspaces import Halfspace, polynomial, prove_mistake_bound, run_perceptron
from halfspaces.notebook import memory, progress
from halfspaces.notebook.drawn import DRAWN
from halfspaces.notebook.progress import Map, Review, due_date, due_ids, review, show_map
from halfspaces.notebook.reading import read_course, read_notebook

CODE = [
    'guess = Predict(id="04-guess", text="How many?", number="points", why="Count.")\nguess',
    'Question(id="04-one", text="Is it?", choices=["Yes.", "No."], answer="A", '
    'misconceptions={"B": "It is."}, hint="Count.", explanation="It is.")',
    "%magic",
    'check_exercise("4.1", f)',
    'check_exercise("4.2", g)',
]
DAY = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def course(tmp_path, monkeypatch):
    """Make a course of two notebooks, with a file of its own."""
    (tmp_path / "course.py").touch()
    (tmp_path / "notebooks").mkdir()
    write(tmp_path, "04-perceptron", "# 4 · The perceptron", CODE)
    write(tmp_path, "04b-variants", "# 4b · Variants", [])
    monkeypatch.setenv(memory.VARIABLE, str(tmp_path / "progress.json"))
    monkeypatch.setattr(memory, "START", tmp_path / "notebooks")
    memory.forget_kernel()
    yield tmp_path
    memory.forget_kernel()


def write(course, name, title, code):
    cells = [{"cell_type": "markdown", "source": [title + "\n", "\n", "Text."]}]
    cells += [{"cell_type": "code", "source": source} for source in code]
    (course / "notebooks" / f"{name}.ipynb").write_text(json.dumps({"cells": cells}), "utf-8")


def answered(name, *events):
    history = [[(DAY + timedelta(days=day)).isoformat(), grade] for day, grade in events]
    memory.change("questions", name, lambda _: {"history": history})


def rows(shown):
    return [re.split(r"  +", line.strip()) for line in repr(shown).split("\n")]


def test_a_notebook_is_read_and_never_run(course):
    book = read_notebook(course / "notebooks" / "04-perceptron.ipynb")
    assert (book.title, book.prefix) == ("4 · The perceptron", "04")
    assert book.predictions == ("04-guess",) and book.exercises == ("4.1", "4.2")
    assert [question.id for question in book.questions] == ["04-one"]
    (course / "notebooks" / "05-broken.ipynb").write_text("no notebook", "utf-8")
    write(course, "06-faulty", "# 6 · Faulty", ["Question(id=print(1))"])
    assert [len(book.questions) for book in read_course(course)] == [1, 0, 0]


def test_the_map_counts_what_is_done():
    assert rows(show_map())[3] == ["4 · The perceptron", "0 of 1", "0 of 1", "0 of 2"]
    memory.change("predictions", "04-guess", lambda _: {"said": "3"})
    memory.change("exercises", "4.1", lambda _: {"rung": "correct"})
    memory.change("exercises", "4.2", lambda _: {"rung": "value"})
    answered("04-one", (0, "good"))
    assert rows(show_map())[3] == ["4 · The perceptron", "1 of 1 ✓", "1 of 1 ✓", "1 of 2", "3"]
    assert rows(show_map())[4] == ["4b · Variants"]
    html = show_map()._repr_html_()
    assert '<a href="04-perceptron.ipynb">4 · The perceptron</a>' in html
    assert "<caption>" in html and 'scope="row"' in html and "color" not in html


def test_switched_off_the_map_is_the_same_every_time(monkeypatch):
    before = repr(Map(read_course(memory.find_course())))
    monkeypatch.setenv(memory.VARIABLE, "")
    memory.change("predictions", "04-guess", lambda _: {"said": "3"})
    shown = show_map()
    assert "4 · The perceptron" in repr(shown) and " of " not in repr(shown)
    assert progress.OFF in repr(shown) and progress.OFF in shown._repr_html_()
    assert repr(review()) == progress.OFF and "0 of 1" in before


def test_without_the_notebooks_there_is_a_sentence(monkeypatch, tmp_path_factory):
    monkeypatch.setattr(memory, "START", tmp_path_factory.mktemp("elsewhere"))
    assert repr(show_map()) == "The notebooks are not found: open this in the folder of the course."
    assert "Nothing is due" in repr(review())


def test_intervals_grow_with_every_right_answer_and_shrink_with_a_wrong_one():
    def interval(*events):
        history = [[(DAY + timedelta(days=day)).isoformat(), grade] for day, grade in events]
        return (due_date(history) - (DAY + timedelta(days=events[-1][0])).date()).days

    first = interval((0, "good"))
    second = interval((0, "good"), (first, "good"))
    third = interval((0, "good"), (first, "good"), (first + second, "good"))
    assert 1 <= first < second < third and third > 20
    assert 1 <= interval((0, "again")) <= interval((0, "hard")) <= first
    assert interval((0, "good"), (first, "again")) < second
    assert interval(*[(100 * k, "good") for k in range(9)]) <= progress.LONGEST


def test_what_is_due_is_asked_and_comes_back_later(course):
    answered("04-one", (0, "good"))
    books = read_course(course)
    back = due_date(memory.recall("questions", "04-one")["history"])
    assert "04-one" not in due_ids(books, back - timedelta(days=1))
    assert "04-one" in due_ids(books, back)
    asked = Review(books, today=back)
    box = asked.box()
    assert "Question 1 of 3, from notebook 4" in asked.head.value and box.children
    assert [question.id for question in asked.questions] == asked.due
    asked.show(3)
    assert "That was all" in asked.head.value


def test_an_answer_in_a_review_moves_the_date(course):
    answered("04-one", (0, "again"))
    books = read_course(course)
    today = date.today()
    asked = Review(books, today)
    asked.box()
    before = len(asked.due)
    for place, question in enumerate(asked.questions):
        asked.show(place)
        (ballot,) = asked.ballot.children
        button = next(
            row.children[0]
            for row in ballot.children
            if getattr(row, "children", ()) and row.children[0].description == question.answer
        )
        button.click()
        button.click()
    assert before == 3 and due_ids(books, today) == []
    for _ in range(2):
        asked.forth.click()  # which stays, and with it the focus
        assert "That was all for today." in asked.head.value and not asked.ballot.children
        assert asked.forth.description == "Done" and asked.forth.layout.display is None
    assert "The next question comes back on" in repr(Review(books, today))
    assert not memory.recall("questions", "04-one").get("votes")


def test_drawn_questions_wait_for_their_notebook_and_change_when_answered(course):
    books = read_course(course)
    assert due_ids(books, date.today()) == []
    answered("04-one", (0, "good"))
    drawn = [id for id in due_ids(books, date.today()) if "drawn" in id]
    assert drawn == ["04-drawn-mistake", "04-drawn-update"]
    first = progress.draw("04-drawn-mistake", books)
    assert first == progress.draw("04-drawn-mistake", books)
    answered("04-drawn-mistake", (1, "good"))
    assert first != progress.draw("04-drawn-mistake", books)


def test_garbled_histories_are_left_out(course):
    events = [["yesterday", "good"], ["2026-03-02T12:00:00+00:00", "superb"], 7, ["2026"]]
    memory.change("questions", "04-one", lambda _: {"history": events})
    assert due_ids(read_course(course), date.today()) == []


def test_without_fsrs_there_is_a_sentence(monkeypatch):
    answered("04-one", (0, "good"))
    monkeypatch.setitem(sys.modules, "fsrs", None)
    assert repr(review()) == progress.NO_SCHEDULER
    assert review()._repr_mimebundle_()["text/plain"] == progress.NO_SCHEDULER
    assert progress.NO_SCHEDULER in repr(show_map()) and "1 of 1 ✓" in repr(show_map())


# The library answers what is drawn


def vectors(text):
    found = re.findall(r"\((-?\d+), (-?\d+)\)", text)
    return [np.array(list(map(int, pair))) for pair in found]


def numbers(text, name):
    return int(re.search(rf"{name} = (-?\d+)", text)[1])


def solve_side(text, choice):
    (w,) = vectors(text)
    return Halfspace(w, numbers(text, "b"))(vectors(choice))[0] == 1


def solve_mistake(text, choice):
    (w,) = vectors(text)
    label = int(re.search(r"label \$([+-]1)\$", choice)[1])
    return Halfspace(w, 0)(vectors(choice))[0] != label


def solve_update(text, choice):
    w, x = vectors(text)
    run = run_perceptron([x], [-1], start=w, max_updates=1)
    return np.array_equal(run.w, vectors(choice)[0])


def solve_bound(text, choice):
    R, gamma = numbers(text, "R"), numbers(text, r"\\gamma")
    far = Fraction(R) ** 2 - Fraction(gamma) ** 2
    # Points of length R at distance γ from the boundary of e₁.
    X = np.array([[gamma, float(far) ** 0.5], [gamma, -(float(far) ** 0.5)]])
    proof = prove_mistake_bound(run_perceptron(X, [1, 1]), [1, 0])
    return abs(float(proof.bound) - int(choice)) < 1e-6


def solve_kernel(text, choice):
    x, z = vectors(text)
    return polynomial(2, 1)(x, z) == int(choice)


def solve_street(text, choice):
    (w,) = vectors(text)
    foot = w / (w @ w)  # ⟨w, foot⟩ = 1
    return abs(2 * np.linalg.norm(foot) - float(Fraction(choice))) < 1e-12


SOLVERS = {
    "01-drawn-side": solve_side,
    "04-drawn-mistake": solve_mistake,
    "04-drawn-update": solve_update,
    "05-drawn-bound": solve_bound,
    "08-drawn-kernel": solve_kernel,
    "09-drawn-street": solve_street,
}


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("seed", range(25))
def test_the_library_agrees_with_what_is_drawn(name, seed):
    question = DRAWN[name](np.random.default_rng(seed))
    right = [
        letter
        for letter in question.letters
        if SOLVERS[name](question.text, question.choice(letter))
    ]
    assert right == [question.answer] and question.id == name


@pytest.mark.parametrize("name", DRAWN)
def test_what_is_drawn_differs(name):
    texts = {DRAWN[name](np.random.default_rng(seed)).text for seed in range(10)}
    assert len(texts) > 2
