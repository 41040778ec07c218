"""What authors have: a template that works, a look at what can go wrong, a page that is true."""

import json
import re
import shutil
from pathlib import Path

import pytest
from coursekit import cli
from coursekit.contents import EXERCISES, all_homeworks
from coursekit.homework import release, template
from coursekit.homework.grading.questions import SOURCE
from coursekit.homework.inspection import inspect

HERE = Path(__file__).parent
PAGE = (EXERCISES / "AUTHORS.md").read_text("utf-8")


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Give the commands a course that has the trial homework alone."""
    shutil.copytree(SOURCE / "hw00", tmp_path / "source/hw00")
    monkeypatch.setattr(release, "EXERCISES", tmp_path)
    return tmp_path


def change(course: Path, part: str, old: str, new: str) -> None:
    path = course / "source/hw00" / part
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_all_is_well(course):
    assert inspect("hw00", course / "source") == ""


@pytest.mark.parametrize(
    ("part", "old", "new", "says"),
    [
        ("grading.py", 'function="my_point"', 'function="my_piont"', "asks for the function my_pi"),
        ("grading.py", "QUESTIONS = [", "QUESTION = [", "grading.py has no QUESTIONS"),
        ("grading.py", "QUESTIONS = [", "QUESTIONS = [1, ", "is no list of Questions"),
        ("grading.py", "import math\n", "import maths\n", "grading.py stops with ModuleNotFound"),
        (
            "grading.py",
            "rng.choice([-1, 1], n)",
            "rng.choose([-1, 1], n)",
            "Grading fails at q1, c",
        ),
        ("grading.py", "rng.choice([-1, 1], n).tolist()", "[None] * n", "Grading fails at q1, co"),
        ("grading.py", '"my_point",\n        points=2', '"my_point",\n        points=3', "add up"),
        ("grading.py", '["b"], rel_tol', '["b"] + 1, rel_tol', "q2 is not right by grading.py"),
        (
            "grading.py",
            'Question(\n        "q2"',
            'Question(\n        "q7"',
            "the answer cells are",
        ),
        ("scheme.md", "## proof1", "## prof1", "scheme.md has no section '## proof1'"),
        ("hw00.ipynb", "Fraction(b, w[0]), 0", "Fraction(b, w[2]), 0", "IndexError"),
        ("hw00.ipynb", "mine(STUDENT, ", "mime(STUDENT, ", "solutions stop with NameError"),
        ("hw00.ipynb", "[[rules]]", "", "the line [[rules]] once"),
        ("hw00.ipynb", "    ### END SOLUTION", "    # the end", "are expected around it"),
    ],
)
def test_faults_are_said_and_nothing_is_released(course, capsys, part, old, new, says):
    change(course, part, old, new)
    assert release.release(["hw00"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("hw00: ") and says in said and said.endswith("Nothing is written.\n")
    assert said.count("\n") == 1 and not (course / "release").exists()


@pytest.mark.parametrize("part", ["grading.py", "scheme.md"])
def test_a_missing_file_is_said(course, capsys, part):
    (course / "source/hw00" / part).unlink()
    assert release.release(["hw00"]) == 1
    assert part in capsys.readouterr().err


def test_a_new_homework_works_at_once(course, tmp_path, capsys):
    banks = tmp_path / "banks"
    banks.mkdir()
    shutil.copy(HERE / "bank_hw00.py", banks)
    assert template.begin("7", course, banks) == 0
    assert all_homeworks(course / "source") == ["hw00", "hw07"]
    made = [*(course / "source/hw07").iterdir(), banks / "bank_hw07.py"]
    assert sorted(path.name for path in made) == [
        "bank_hw07.py",
        "grading.py",
        "hw07.ipynb",
        "scheme.md",
    ]
    assert all("hw00" not in path.read_text("utf-8") for path in made)
    assert inspect("hw07", course / "source") == "" and release.make("hw07", course)
    before = [path.read_bytes() for path in made]
    assert template.begin("hw07", course, banks) == 2
    assert [path.read_bytes() for path in made] == before
    assert "there already" in capsys.readouterr().err


def test_the_command_makes_it(course, monkeypatch, capsys):
    monkeypatch.setattr(template.begin, "__defaults__", (course, course / "no tests"))
    assert cli.main(["homework", "--new", "12"]) == 0
    assert (course / "source/hw12/hw12.ipynb").exists()
    assert cli.main(["homework", "--new", "twelve"]) == 2
    assert "is no number of a homework" in capsys.readouterr().err


def test_each_homework_has_a_bank():
    assert {path.stem for path in HERE.glob("bank_*.py")} == {
        f"bank_{name}" for name in all_homeworks(SOURCE)
    }


def test_the_page_quotes_the_trial_homework_as_it_is():
    book = json.loads((SOURCE / "hw00/hw00.ipynb").read_text("utf-8"))
    texts = ["".join(cell["source"]) for cell in book["cells"]]
    texts += [(SOURCE / "hw00" / part).read_text("utf-8") for part in ("grading.py", "scheme.md")]
    texts.append((HERE / "bank_hw00.py").read_text("utf-8"))
    known = {line.strip() for text in texts for line in text.splitlines()}
    quoted = [
        line.strip()
        for block in re.findall(r"^```(?:python|markdown|text)\n(.*?)^```", PAGE, re.M | re.S)
        for line in block.splitlines()
        if line.strip() not in ("", "…")
    ]
    assert len(quoted) > 40 and [line for line in quoted if line not in known] == []


def test_the_page_names_what_there_is():
    from coursekit.homework.grading import drawing, judging

    for module in (drawing, judging):
        names = getattr(module, "__all__", None) or [
            name
            for name in vars(module)
            if getattr(vars(module)[name], "__module__", "") == module.__name__
        ]
        assert all(f"`{name}" in PAGE for name in names), [n for n in names if f"`{n}" not in PAGE]
