"""After grading: how a class did, which answers are alike, markers who share it, requests."""

import json
import re
import shutil
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest

pytest.importorskip("nbgrader")

from coursekit.homework import after
from coursekit.homework.comments import expand, read_bank, unknown
from coursekit.homework.grade import give_feedback
from coursekit.homework.grading.gradebook import Book
from coursekit.homework.grading.grader import read_secret
from coursekit.homework.grading.questions import load, trusted
from coursekit.homework.grading.sandbox import missing
from coursekit.homework.insight.marks import items, read_marks
from coursekit.homework.insight.similarity import alike, foreign, personal, pieces
from coursekit.homework.markers import part_of
from coursekit.homework.requests import code_for, form, link, read_decisions, read_requests
from homework_class import grade, make_course, submission

ODD = """\
def count_mistakes(y, labels):
    total = 0
    for place in range(len(y)):
        if y[place] * labels[place] < 0:
            total = total + 1
    return total if total >= 0 else -total"""
RENAMED = ODD.replace("total", "n").replace("place", "i")
OTHER = "def count_mistakes(y, labels):\n    return int((np.array(y) != np.array(labels)).sum())"
CLASS = {
    "ada": lambda: submission(),
    "bob": lambda: submission(q1="def count_mistakes(y, labels):\n    return 1"),
    "cyd": lambda: submission(q1=ODD),
    "dan": lambda: submission(q1=RENAMED),
    "eve": lambda: submission(q1="def count_mistakes(y, labels):\n    return 1", q2="..."),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    course = make_course(tmp_path_factory.mktemp("class") / "exercises", CLASS)
    assert grade(course).returncode == 0
    return course


@pytest.fixture
def course(graded, tmp_path):
    return Path(shutil.copytree(graded.parent, tmp_path / "course")) / "exercises"


def open_book(course: Path) -> Book:
    return Book(load("hw00", course / "source"), course)


class Parts(HTMLParser):
    """Count what a page has that could be alive, and its tables."""

    def __init__(self, text: str):
        super().__init__()
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)


def test_the_report_counts_what_the_class_did(course, capsys):
    assert after.report("hw00", course=course) == 0
    page = (course / "reports/hw00.html").read_text("utf-8")
    with open_book(course) as book:
        marks = read_marks(book)
        q1, q2, proof = items(book, marks, {})
    assert [mark.student for mark in marks] == list(CLASS)
    assert q1.scores.tolist() == [2, 0, 2, 2, 0] and q1.difficulty == 0.6 and q1.none == 0.4
    want = np.corrcoef(q1.scores, [mark.total - mark.scores["q1"] for mark in marks])[0, 1]
    assert q1.discrimination == pytest.approx(want)
    assert proof.discrimination is None and proof.advice.startswith("5 are not marked yet")
    assert q1.lost["counts the labels that differ"] == 2
    assert "2 × not: counts the labels that differ" in page and "5 still lack a mark" in page
    tags = Parts(page).tags
    assert tags.count("svg") == 2 == tags.count("table") and "script" not in tags
    assert len(re.findall(r'<svg role="img" aria-label="[^"]{40,}"', page)) == 2


def test_a_report_without_a_class_is_a_sentence(tmp_path, capsys):
    course = make_course(tmp_path / "exercises", {})
    assert after.report("hw00", course=course) == 2
    assert "grade first" in capsys.readouterr().err


def test_answers_are_alike_whatever_their_names():
    answers = {"cyd": {"q1": ODD}, "dan": {"q1": RENAMED}, "eve": {"q1": OTHER}}
    models = load("hw00").solutions
    (pair,) = alike(answers, {"q1": models["q1"]})
    assert pair.students == ("cyd", "dan") and pair.questions == ("q1",) and pair.share == 1
    many = {f"s{i}": {"q1": ODD} for i in range(8)} | {f"t{i}": {"q1": OTHER} for i in range(8)}
    assert alike(many, {"q1": models["q1"]}) == [], "what a quarter of the class writes is common"
    model = {"a": {"q1": models["q1"]}, "b": {"q1": models["q1"]}}
    assert alike(model, {"q1": models["q1"]}) == [], "the model's own shape says nothing"
    assert pieces("def f(:") == frozenset() == pieces("x")


def test_an_answer_that_fits_anothers_data():
    homework = load("hw00")
    assert [question.id for question in personal(homework)] == ["q2"]
    given = homework.model("ada")
    copied = f"def my_point():\n    return Fraction({given['b']}, {given['w'][0]}), 0"

    def call(student, function):
        return trusted(homework, student, {"q2": copied})(function, ())

    students = ["ada", "bob", "cyd", "dan", "eve"]
    found = foreign(homework, students, {"q2": ["bob"]}, call, "secret")
    assert [(each.student, each.question, each.fits) for each in found] == [("bob", "q2", ("ada",))]
    assert foreign(homework, students, {"q1": ["bob"]}, call, "secret") == []


@pytest.mark.skipif(bool(missing()), reason=missing() or "there is a sandbox")
def test_the_report_on_similar_answers_calls_them_in_the_sandbox(course, capsys):
    assert after.similar("hw00", course=course) == 0
    page = (course / "reports/hw00-similar.html").read_text("utf-8")
    assert "cyd and dan" in page and "never a verdict" in page and "<script" not in page
    assert "bob and eve" not in page, "too short to say anything"


def test_comments_come_from_a_bank(course):
    bank = course / "comments" / "hw00.toml"
    bank.parent.mkdir()
    bank.write_text('[proof1]\ntie = "A tie is a mistake."\n', "utf-8")
    proof = read_bank(course, "hw00")["proof1"]
    assert expand("Good. #tie #zero, see C#, a#tie", proof) == (
        "Good. A tie is a mistake. #zero, see C#, a#tie"
    )
    assert unknown("#tie #zero #zero", proof) == ["zero"] and read_bank(course, "hw01") == {}
    for text in ("proof1 = 3\n", "[proof1]\ntie = 3\n", "[["):
        bank.write_text(text, "utf-8")
        with pytest.raises(ValueError, match="comments/hw00.toml"):
            read_bank(course, "hw00")


def mark_by_hand(course: Path, student: str, points: float, comment: str = "") -> None:
    with open_book(course) as book:
        notebook = next(each for each in book.notebooks() if each.student.id == student)
        proof = next(each for each in notebook.grades if each.name == "proof1")
        proof.manual_score, proof.needs_manual_grade = points, False
        words = next(each for each in notebook.comments if each.name == "proof1")
        words.manual_comment = comment or None
        book.gradebook.db.commit()


def points_of(course: Path, student: str) -> tuple[float | None, str | None]:
    with open_book(course) as book:
        notebook = next(each for each in book.notebooks() if each.student.id == student)
        proof = next(each for each in notebook.grades if each.name == "proof1")
        words = next(each for each in notebook.comments if each.name == "proof1")
        return proof.manual_score, words.manual_comment


def test_several_markers_share_a_class_and_merge(course, tmp_path, capsys):
    other = Path(shutil.copytree(course.parent, tmp_path / "other")) / "exercises"
    mine, yours = part_of(list(CLASS), 1, 2), part_of(list(CLASS), 2, 2)
    assert sorted(mine + yours) == sorted(CLASS) and len(mine) - len(yours) <= 1
    mark_by_hand(course, "ada", 1, "Good.")
    mark_by_hand(course, "cyd", 1)
    mark_by_hand(other, "bob", 0.5, "Half.")
    mark_by_hand(other, "cyd", 0)
    assert after.merge_marks("hw00", other.parent, course=course) == 1
    said = capsys.readouterr().out
    assert "cyd, proof1: 1 points here, 0 there." in said and "2 marks and comments" in said
    assert points_of(course, "bob") == (0.5, "Half.") and points_of(course, "ada") == (1, "Good.")
    assert points_of(course, "cyd")[0] == 1
    assert after.merge_marks("hw00", other, course=course) == 1, "twice changes nothing"
    assert "0 marks and comments" in capsys.readouterr().out
    path = other / "autograded/bob/hw00/hw00.ipynb"
    copy = json.loads(path.read_text("utf-8"))
    copy["metadata"]["graded"]["digest"] = "another"
    path.write_text(json.dumps(copy), "utf-8")
    after.merge_marks("hw00", other, course=course)
    assert "bob: the other gradebook is about another version" in capsys.readouterr().out
    for folder, sentence in ((tmp_path, "no gradebook"), (course, "this course's own")):
        assert after.merge_marks("hw00", folder, course=course) == 2
        assert sentence in capsys.readouterr().err
    assert after.say_part("hw00", "2/2", course=course) == 0
    assert capsys.readouterr().out.split() == yours
    for part in ("3/2", "x", "0/2"):
        assert after.say_part("hw00", part, course=course) == 2


def test_students_ask_again_and_get_an_answer(course, capsys):
    secret = read_secret(course / "secret")
    folder = course / "requests"
    folder.mkdir()
    text = form(secret, "hw00", "bob", "q1")
    (folder / "empty.txt").write_text(text, "utf-8")
    filled = text.replace(text.partition("why:")[2], " One is\nthe right answer.")
    (folder / "bob.txt").write_text(filled, "utf-8")
    (folder / "forged.txt").write_text(filled.replace("bob", "eve"), "utf-8")
    (folder / "other.txt").write_text("Hello", "utf-8")
    requests, odd = read_requests(course, "hw00", secret)
    assert [(each.student, each.question) for each in requests] == [("bob", "q1")]
    assert [sentence.partition(":")[0] for sentence in odd] == [
        "empty.txt",
        "forged.txt",
        "other.txt",
    ]
    assert after.answer_requests("hw00", course=course) == 0
    said = capsys.readouterr().out
    assert "1. bob, q1: One is the right answer. [open]" in said and "1 open" in said
    answer = {"number": 1, "points": 1.0, "because": "Half of it is."}
    assert after.answer_requests("hw00", **answer, course=course) == 0
    assert "decided: 1 points, Half of it is." in capsys.readouterr().out
    assert read_decisions(course, "hw00")["bob", "q1"].points == 1
    with open_book(course) as book:
        marks = {mark.student: mark.scores["q1"] for mark in read_marks(book)}
    assert marks["bob"] == 1 and marks["eve"] == 0
    for wrong, sentence in (
        ({"number": 2, "because": "x"}, "no request 2"),
        ({"number": 1, "points": 9.0, "because": "x"}, "0 to 2 points"),
        ({"number": 1}, "Say why"),
    ):
        assert after.answer_requests("hw00", **wrong, course=course) == 2
        assert sentence in capsys.readouterr().err


def test_the_code_of_a_request_belongs_to_one_page():
    codes = {
        code_for(secret, *names)
        for secret in ("a", "b")
        for names in (("hw00", "ada", "q1"), ("hw00", "ada", "q2"), ("hw01", "ada", "q1"))
    }
    assert len(codes) == 6
    assert link("a b\nü").startswith("data:text/plain") and "a%20b%0A%C3%BC" in link("a b\nü")


def test_feedback_shows_comments_of_the_bank_decisions_and_a_file_to_ask_with(course, capsys):
    (course / "comments").mkdir()
    bank = course / "comments" / "hw00.toml"
    bank.write_text('[proof1]\ntie = "A tie is a mistake, $\\\\le$."\n', "utf-8")
    mark_by_hand(course, "ada", 1, "Good. #tie")
    mark_by_hand(course, "bob", 0, "#zero")
    secret = read_secret(course / "secret")
    (course / "requests").mkdir()
    text = form(secret, "hw00", "ada", "q1")
    (course / "requests/a.txt").write_text(text.partition("why:")[0] + "why: <b>look</b>", "utf-8")
    assert after.answer_requests("hw00", number=1, because="It is <right>.", course=course) == 0
    assert give_feedback("hw00", course=course) == 0
    assert "bob, proof1: comments/hw00.toml has no #zero." in capsys.readouterr().out
    page = (course / "feedback/ada/hw00/hw00.html").read_text("utf-8")
    assert "A tie is a mistake" in page and "#tie" not in page
    assert "It is &lt;right&gt;." in page and "<b>look" not in page
    link_ = re.search(r'href="(data:[^"]+)" download="hw00-q1-ask-again.txt"', page)[1]
    saved = unquote(unescape(link_).partition(",")[2])
    assert saved == form(secret, "hw00", "ada", "q1")
    bank.write_text('[proof1]\ntie = "Another sentence."\n', "utf-8")
    give_feedback("hw00", course=course)
    assert "Another sentence." in (course / "feedback/ada/hw00/hw00.html").read_text("utf-8")
