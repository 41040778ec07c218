"""What a reader has done outlives the kernel in one file, which is never lost and never half."""

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from coursekit.isolation import isolate
from halfspaces.notebook import memory, questions
from halfspaces.notebook.exercises import Exercise, check_exercise
from halfspaces.notebook.questions import Ballot, Commitment, Predict, Question
from without import NO_PROCESSES

QUESTION = Question(
    id="04-q",
    text="Is it?",
    choices=["Yes.", "No."],
    answer="A",
    misconceptions={"B": "It is."},
    hint="Count.",
    explanation="It is.",
)
GUESS = Predict(id="04-guess", text="How many?", number="points", why="Count.")


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    path = tmp_path / "progress.json"
    monkeypatch.setenv(memory.VARIABLE, str(path))
    restart()
    yield path
    restart()


def restart():
    """Forget what a kernel forgets when it is started anew."""
    memory.forget_kernel()
    questions.TRUTHS.clear()


def keep(kind, name, **entry):
    memory.change(kind, name, lambda _: entry)


def test_votes_predictions_and_checks_outlive_the_kernel(file, monkeypatch):
    ballot = Ballot(QUESTION)
    ballot.vote("B")
    ballot.vote("A")
    Commitment(GUESS).commit("3")
    GUESS.reveal(5)
    exercises = {"4.1": Exercise(expected=7)}
    monkeypatch.setattr("halfspaces.notebook.exercises.find_exercise", exercises.get)
    for answer in (..., 6, 7, 8):
        check_exercise("4.1", answer)
    restart()
    assert Ballot(QUESTION).votes == ["B", "A"]
    assert "too low by 2" in Commitment(GUESS).said.value
    assert "You said" in repr(GUESS.reveal(5))
    kept = json.loads(file.read_text("utf-8"))
    assert kept["exercises"]["4.1"]["rung"] == "correct" and kept["exercises"]["4.1"]["tries"] == 2
    assert [grade for _, grade in kept["questions"]["04-q"]["history"]] == ["hard"]
    assert file.read_text("utf-8").count("\n") > 10  # a person can read it


def test_the_grade_tells_how_it_went():
    for votes, grade in (("AA", "good"), ("BA", "hard"), ("AB", "again"), ("BB", "again")):
        ballot = Ballot(QUESTION, fresh=True)
        for letter in votes + "A":  # there is no third vote
            ballot.vote(letter)
        assert ballot.grade == grade
    assert [grade for _, grade in memory.recall("questions", "04-q")["history"]] == [
        "good",
        "hard",
        "again",
        "again",
    ]
    assert not Ballot(QUESTION).votes  # what is asked afresh does not stand in the notebook


def test_starting_again_keeps_the_history():
    ballot = Ballot(QUESTION)
    for letter in ("A", "A", None):
        ballot.vote(letter)
    kept = memory.recall("questions", "04-q")
    assert kept["votes"] == [] and len(kept["history"]) == 1


def test_switched_off_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.setenv(memory.VARIABLE, "")
    monkeypatch.chdir(tmp_path)
    Commitment(GUESS).commit("3")
    assert memory.find_file() is None and GUESS.said == "3"
    assert not list(tmp_path.iterdir())
    restart()
    assert GUESS.said is None


def test_the_file_is_in_the_folder_of_the_course_or_in_the_kernels(tmp_path, monkeypatch):
    monkeypatch.delenv(memory.VARIABLE)
    monkeypatch.delenv(memory.COURSE, raising=False)
    inner = tmp_path / "study" / "mine"
    inner.mkdir(parents=True)
    monkeypatch.setattr(memory, "START", inner)
    assert memory.find_file() == inner / "progress.json"
    (tmp_path / "course.py").touch()
    assert memory.find_file() == tmp_path / "progress.json"


def test_the_folder_of_the_course_can_be_named(tmp_path, monkeypatch):
    monkeypatch.setenv(memory.COURSE, str(tmp_path))
    assert memory.find_course() is None
    (tmp_path / "course.py").touch()
    assert memory.find_course() == tmp_path


def test_in_a_browser_the_page_is_told_of_each_change(file, monkeypatch):
    told = []
    page = SimpleNamespace(changed=lambda *change: told.append(change))
    keep("questions", "04-q", votes=["A"])
    assert told == []
    monkeypatch.setitem(sys.modules, "halfspaces_page", page)
    keep("questions", "04-q", votes=["B"])
    assert told == [("questions", "04-q", '{"votes": ["B"]}')]


def test_a_renamed_folder_takes_it_along(tmp_path, monkeypatch):
    monkeypatch.delenv(memory.VARIABLE)
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    (before / "course.py").touch()
    monkeypatch.setattr(memory, "START", before)
    Commitment(GUESS).commit("3")
    before.rename(after)
    restart()
    monkeypatch.setattr(memory, "START", after)
    assert GUESS.said == "3"


@NO_PROCESSES
def test_two_kernels_do_not_undo_each_other(file):
    code = """
import sys
from halfspaces.notebook import memory
for i in range(25):
    memory.change("questions", f"{sys.argv[1]}-{i}", lambda _: {"votes": ["A"]})
    memory.change("questions", "shared", lambda entry: {"count": entry.get("count", 0) + 1})
"""
    kernels = [subprocess.Popen([sys.executable, "-c", code, name]) for name in "ab"]
    assert [kernel.wait() for kernel in kernels] == [0, 0]
    kept = json.loads(file.read_text("utf-8"))["questions"]
    assert len(kept) == 51 and kept["shared"] == {"count": 50}


@pytest.mark.parametrize(
    "text", ["{", "", "[]", '{"questions": []}', '{"questions": {"04-q": 1}}', '{"version": "x"}']
)
def test_a_broken_file_is_set_aside_with_a_sentence(file, capsys, text):
    file.write_text(text, "utf-8")
    keep("questions", "04-q", votes=["A"])
    (aside,) = file.parent.glob("progress-broken-*.json")
    assert aside.read_text("utf-8") == text
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and aside.name in said
    assert memory.recall("questions", "04-q") == {"votes": ["A"]}


def test_bytes_that_are_no_text_are_set_aside_too(file):
    file.write_bytes(b"\xff\xfe")
    assert memory.recall_all("questions") == {}
    (aside,) = file.parent.glob("progress-broken-*.json")
    assert aside.read_bytes() == b"\xff\xfe"


def test_the_file_of_a_newer_course_is_left_as_it_is(file, capsys):
    text = '{"version": 99, "questions": {"04-q": {"votes": ["A"]}}}'
    file.write_text(text, "utf-8")
    keep("questions", "04-other", votes=["B"])
    assert file.read_text("utf-8") == text and "newer course" in capsys.readouterr().err
    assert set(memory.recall_all("questions")) == {"04-q", "04-other"}


def test_what_others_wrote_into_the_file_stays(file):
    file.write_text('{"notes": {"mine": {"a": 1}}}', "utf-8")
    keep("questions", "04-q", votes=["A"])
    assert json.loads(file.read_text("utf-8"))["notes"] == {"mine": {"a": 1}}


def test_where_nothing_can_be_written_it_lasts_as_long_as_the_kernel(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(memory.VARIABLE, str(tmp_path / "missing" / "progress.json"))
    for votes in ("A", "B"):
        keep("questions", "04-q", votes=[votes])
    assert memory.recall("questions", "04-q") == {"votes": ["B"]}
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "ends with the kernel" in said


def test_a_file_is_never_half_written(file, monkeypatch):
    keep("questions", "04-q", votes=["A"])
    before = file.read_bytes()
    monkeypatch.setattr(os, "replace", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        keep("questions", "04-q", votes=["B"])
    assert file.read_bytes() == before
    assert not [path for path in file.parent.iterdir() if path.suffix == ".new"]


@NO_PROCESSES
def test_no_test_writes_into_a_readers_file(monkeypatch):
    monkeypatch.setenv(memory.VARIABLE, "somewhere")
    isolate()
    code = "from halfspaces.notebook.memory import find_file; print(find_file())"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert said.stdout == "None\n", said.stderr
