"""A dry run says what grading would read, in the sandbox or in a plain process, and no more."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from coursekit import cli, contents
from coursekit.homework import handout, trying
from coursekit.homework.grading.inside.limits import Limits
from coursekit.homework.grading.plain_process import PlainProcess
from coursekit.homework.grading.questions import load_release
from coursekit.homework.grading.submission import read

RELEASE = contents.EXERCISES / "release/hw00/hw00.ipynb"
RIGHT = {
    "q1": "def count_mistakes(y, labels):\n    return sum(a != b for a, b in zip(y, labels))",
    "q2": "def my_point():\n    return Fraction(b, w[0]), 0",
    "proof1": "The distance is $0$.",
}
needs_bubblewrap = pytest.mark.skipif(
    not shutil.which("bwrap"), reason="bubblewrap is not installed"
)


def written(name: str = "ada", before: str = "", **answers: str) -> bytes:
    """Return the trial homework with answers in it, and a cell of one's own before all others."""
    book = json.loads(RELEASE.read_bytes())
    for cell in book["cells"]:
        id = cell["metadata"].get("nbgrader", {}).get("grade_id")
        cell["source"] = answers.get(id, cell["source"])
        if cell["id"] == "student":
            cell["source"] = f'STUDENT = "{name}"'
    if before:
        book["cells"].insert(0, {"cell_type": "code", "metadata": {}, "source": before})
    return json.dumps(book).encode()


@pytest.fixture
def room(tmp_path, monkeypatch):
    """Give the command a folder of its own."""
    for module in (handout, trying):
        monkeypatch.setattr(module, "FOLDER", tmp_path / "homework")
    monkeypatch.setattr(trying, "ROOT", tmp_path)
    (tmp_path / "homework").mkdir()
    return tmp_path / "homework"


def test_any_file_can_be_tried(room, capsys, monkeypatch):
    monkeypatch.setenv("PATH", str(room))  # without a sandbox, which is quicker
    path = room.parent / "hw00 mine.ipynb"
    path.write_bytes(written(**RIGHT))
    for words in (["00", "--try", str(path)], ["--try", str(path)]):
        assert cli.main(["homework", *words]) == 0
        assert 'hw00 mine.ipynb, as it is saved and as grading reads it; STUDENT is "ada"' in (
            capsys.readouterr().out
        )
    (room / "hw00.ipynb").write_bytes(written(**RIGHT))
    assert cli.main(["homework", "--try", "00"]) == 0
    assert "homework/hw00.ipynb" in capsys.readouterr().out
    assert cli.main(["homework", "00", "--try", str(room / "none.ipynb")]) == 1
    assert "none.ipynb cannot be read" in capsys.readouterr().out


@pytest.mark.parametrize("has_sandbox", [False, pytest.param(True, marks=needs_bubblewrap)])
def test_what_is_right_is_said_to_be(room, capsys, monkeypatch, has_sandbox):
    if not has_sandbox:
        monkeypatch.setenv("PATH", str(room))
    (room / "hw00.ipynb").write_bytes(written(**RIGHT))
    assert cli.main(["homework", "00", "--try"]) == 0
    said = capsys.readouterr().out
    assert 'homework/hw00.ipynb, as it is saved and as grading reads it; STUDENT is "ada"' in said
    assert "q1: ✓ Correct" in said and "q2: ✓ Correct" in said and "proof1: 4 words" in said
    assert ("in the sandbox of grading" in said) == has_sandbox
    assert ("there is no sandbox here" in said) != has_sandbox


def test_what_grading_would_not_read_is_said(room, capsys, monkeypatch):
    monkeypatch.setenv("PATH", str(room))
    helper = "def differ(a, b):\n    return a != b"
    q1 = "def count_mistakes(y, labels):\n    return sum(map(differ, y, labels))"
    book = json.loads(written("your id", helper, q1=q1))
    book["metadata"]["release"] = "another"
    (room / "hw00.ipynb").write_text(json.dumps(book))
    assert cli.main(["homework", "00", "--try"]) == 1
    said = capsys.readouterr().out
    assert "q1: ✗ It stops with an error" in said and "q2: … Still missing" in said
    assert "proof1: not written yet" in said
    assert "! STUDENT must be your id" in said and "! differ is defined in a cell" in said
    assert "! It was made from another release" in said


def test_limits_are_kept_and_later_answers_tried(room):
    homework = load_release(RELEASE)
    hangs = "while True: pass"
    submission = read(written(**RIGHT | {"q1": hangs}), homework)
    with PlainProcess() as process:
        lines, notes = trying._report(homework, submission, process, Limits(cell=2, total=60))
    said = dict(line.split(": ", 1) for line in lines)
    assert said["q1"] == "its cell takes more than 2 seconds" and "✓" in said["q2"]
    assert notes == []


def test_what_cannot_be_tried_is_a_sentence(room, capsys):
    assert cli.main(["homework", "00", "--try"]) == 2
    assert "There is no hw00 in homework: python3 course.py homework 00" in capsys.readouterr().out
    (room / "hw00.ipynb").write_bytes(b"{")
    assert cli.main(["homework", "00", "--try"]) == 1
    assert "could not be graded: The file is no notebook" in capsys.readouterr().out


def test_a_notebook_tries_itself(room, capsys, monkeypatch):
    monkeypatch.setenv("PATH", str(room))
    mine = room / "hw00-2.ipynb"
    mine.write_bytes(written("mine", **RIGHT))
    (room / "hw00.ipynb").write_bytes(written("old"))
    monkeypatch.setenv("JPY_SESSION_NAME", str(mine))
    trying.try_out("hw00")
    assert 'hw00-2.ipynb, as it is saved and as grading reads it; STUDENT is "mine"' in (
        capsys.readouterr().out
    )


def test_again_gives_other_data_and_touches_nothing(room, capsys):
    for count in (1, 2):
        assert cli.main(["homework", "00", "--again"]) == 0
        assert f"homework/hw00-again-{count}.ipynb" in capsys.readouterr().out
    books = [json.loads(path.read_bytes()) for path in sorted(room.iterdir())]
    names = [read(json.dumps(book).encode(), load_release(RELEASE)).name for book in books]
    assert len(set(names)) == 2 and "your id" not in names
    others = [cell for cell in books[0]["cells"] if cell["id"] != "student"]
    fresh = json.loads(RELEASE.read_bytes())["cells"]
    assert others == [cell for cell in fresh if cell["id"] != "student"]


def test_no_package_of_the_instructors_is_needed():
    code = (
        "import sys, coursekit.homework.trying\n"
        "theirs = ('nbgrader', 'sqlalchemy', 'nbconvert', 'jinja2', 'markupsafe')\n"
        "print([m for m in sys.modules if m.split('.')[0] in theirs])"
    )
    path = os.pathsep.join(filter(None, sys.path))
    said = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert json.loads(said.stdout) == []
