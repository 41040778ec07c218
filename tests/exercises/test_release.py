"""What students get: made from the solution, without a line of it, with checks that say so."""

import ast
import contextlib
import io
import json
from copy import deepcopy

import matplotlib.pyplot as plt
import nbformat
import pytest
from coursekit.contents import notebook_text
from coursekit.homework import release
from coursekit.homework.grading.copies import schemes
from coursekit.homework.grading.questions import SOURCE
from coursekit.publish import refresh
from halfspaces.notebook.exercises import Feedback

NAMES = sorted(path.stem for path in SOURCE.glob("*/hw*.ipynb"))


def source(name: str):
    return nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)


def released(name: str):
    return nbformat.read(release.EXERCISES / "release" / name / f"{name}.ipynb", as_version=4)


def run(book) -> list[Feedback]:
    """Run the code cells from top to bottom, and return what the checks say."""
    names, said = {"__name__": "__main__"}, []
    for cell in (cell for cell in book.cells if cell.cell_type == "code"):
        tree = ast.parse(cell.source)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(tree, cell.id, "exec"), names)
            value = (
                eval(compile(ast.Expression(last.value), cell.id, "eval"), names) if last else None
            )
        if cell.metadata.get("nbgrader", {}).get("grade"):
            said.append(value)
    plt.close("all")
    return said


def solution_lines(text: str) -> set[str]:
    return {line.strip() for _, body in release.REGION.findall(text) for line in body.splitlines()}


def faults(book, made) -> list[str]:
    """Return lines of solutions that the student's version has, and no other cell gives."""
    given = {
        line.strip()
        for cell in book.cells
        for line in release.REGION.sub("", cell.source).splitlines()
    }
    there = {line.strip() for cell in made.cells for line in cell.source.splitlines()}
    solved = set().union(
        *(solution_lines(cell.source) for cell in book.cells if "SOLUTION" in cell.source)
    )
    return sorted(solved & there - given - {"", release.STUB})


@pytest.mark.parametrize("name", NAMES)
def test_the_release_is_fresh(name):
    path = release.EXERCISES / "release" / name / f"{name}.ipynb"
    assert path.exists() and path.read_text("utf-8") == notebook_text(
        release.edition(source(name))
    ), f"python3 course.py release {name} is due"


@pytest.mark.parametrize("name", NAMES)
def test_no_line_of_a_solution_is_released(name):
    book, made = source(name), released(name)
    assert faults(book, made) == []
    assert faults(book, book) != []  # the test sees them where they are
    text = json.dumps(made)
    assert "SOLUTION" not in text and not any(cell.get("outputs") for cell in made.cells)


@pytest.mark.parametrize("name", NAMES)
def test_the_release_says_still_missing(name):
    said = run(released(name))
    assert said and {feedback.rung for feedback in said} == {"missing"}


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_is_correct(name):
    book, solved = released(name), source(name)
    for cell, answer in zip(book.cells, solved.cells):
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = answer.source
    assert {repr(feedback) for feedback in run(book) if feedback.rung != "correct"} == set()


@pytest.mark.parametrize("name", NAMES)
def test_each_proof_has_a_scheme_with_two_gradings(name):
    marking = schemes(name, SOURCE)
    proofs = [
        cell.metadata["nbgrader"]
        for cell in source(name).cells
        if cell.cell_type == "markdown" and cell.metadata.get("nbgrader", {}).get("grade")
    ]
    assert proofs and sorted(marking) == sorted(about["grade_id"] for about in proofs)
    for about in proofs:
        text = marking[about["grade_id"]]
        assert f"({about['points']} point" in text.splitlines()[0]
        assert text.count("Sample answer") >= 2


def test_a_real_kernel_runs_the_release(tmp_path):
    book = released("hw00")
    assert refresh.run(book, tmp_path) == ""
    texts = [
        output.data["text/plain"]
        for cell in book.cells
        if cell.metadata.get("nbgrader", {}).get("grade")
        for output in cell.get("outputs", [])
    ]
    assert len(texts) == 2 and all("Still missing" in text for text in texts)


def test_the_same_source_gives_the_same_bytes(tmp_path):
    (tmp_path / "source/hw00").mkdir(parents=True)
    book = source("hw00")
    book.cells[1].outputs, book.cells[1].execution_count = (
        [nbformat.v4.new_output("stream", text="x")],
        7,
    )
    book.cells[1].metadata["execution"] = {"iopub.execute_input": "2026-01-01"}
    nbformat.write(book, tmp_path / "source/hw00/hw00.ipynb")
    assert release.make("hw00", tmp_path) and not release.make("hw00", tmp_path)
    made = (tmp_path / "release/hw00/hw00.ipynb").read_bytes()
    assert made == (release.EXERCISES / "release/hw00/hw00.ipynb").read_bytes()
    assert [path.name for path in (tmp_path / "release/hw00").iterdir()] == ["hw00.ipynb"]


def test_nbgrader_knows_an_empty_proof_by_its_checksum():
    utils = pytest.importorskip("nbgrader.utils")
    for name in NAMES:
        for cell in released(name).cells:
            about = cell.metadata.get("nbgrader", {})
            if cell.cell_type == "markdown" and about.get("grade"):
                assert about["checksum"] == utils.compute_checksum(cell)


def test_cells_are_guarded_against_accidents():
    cells = {cell.id: cell.metadata for cell in released("hw00").cells}
    assert cells["answer1"]["deletable"] is False and "editable" not in cells["answer1"]
    assert cells["check1"]["editable"] is False and "editable" not in cells["student"]


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n    return 1",
        "def f():\n    ### BEGIN SOLUTION\n    return 1",
        "def f():\n    return 1\n    ### END SOLUTION",
        "",
    ],
)
def test_a_mark_without_its_other_is_refused(text):
    with pytest.raises(ValueError, match="BEGIN SOLUTION"):
        release.without_solution(text, True)


def test_marks_elsewhere_are_refused():
    book = deepcopy(source("hw00"))
    book.cells[0].source += "\n### BEGIN SOLUTION"
    with pytest.raises(ValueError, match="not an answer cell"):
        release.edition(book)


def test_helpers_outside_a_function_leave_nothing():
    text = (
        "### BEGIN SOLUTION\ndef help():\n    pass\n### END SOLUTION\n\n"
        "def f():\n    ### BEGIN SOLUTION\n    1\n    ### END SOLUTION"
    )
    assert release.without_solution(text, True) == "def f():\n    return ..."
