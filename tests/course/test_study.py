"""The reader's own copies: made when missing, never overwritten, newer editions beside them."""

import json
import re

import nbformat
import pytest
from coursekit import contents, lab, study
from coursekit.contents import NOTEBOOKS
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from small_project import ROOT


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Make a course of two notebooks, with outputs."""
    monkeypatch.setattr(contents, "NOTEBOOKS", tmp_path / "notebooks")
    (tmp_path / "notebooks").mkdir()
    for name in ("00-start", "01-next"):
        write(tmp_path, name, "x = 1")
    return tmp_path


def write(course, name, source):
    shown = new_output("stream", text="1")
    cells = [new_markdown_cell("# Title"), new_code_cell(source, outputs=[shown])]
    cells[1].execution_count = 1
    nbformat.write(new_notebook(cells=cells), course / "notebooks" / f"{name}.ipynb")


def copy(course, name="00-start", number=""):
    return course / "study" / f"{name}{number}.ipynb"


def make(course):
    study.make_copies(course / "study")


def type_into(path, source):
    book = nbformat.read(path, 4)
    book.cells[1].source = source
    nbformat.write(book, path)


def names(course):
    return sorted(path.name for path in (course / "study").iterdir())


def test_copies_are_made_of_all_without_outputs(course, capsys):
    make(course)
    assert names(course) == ["00-start.ipynb", "01-next.ipynb"]
    book = nbformat.read(copy(course), 4)
    nbformat.validate(book)
    assert book.cells[1].source == "x = 1" and not book.cells[1].outputs
    assert book.cells[1].execution_count is None and capsys.readouterr().err == ""


def test_what_was_typed_stays(course, capsys):
    make(course)
    type_into(copy(course), "x = 2")
    before = copy(course).read_bytes()
    make(course)
    assert copy(course).read_bytes() == before and len(names(course)) == 2
    assert capsys.readouterr().err == ""


def test_an_untouched_copy_follows_the_edition(course, capsys):
    make(course)
    write(course, "00-start", "x = 3")
    make(course)
    assert nbformat.read(copy(course), 4).cells[1].source == "x = 3"
    assert len(names(course)) == 2 and capsys.readouterr().err == ""


def test_cells_that_were_run_do_not_make_a_copy_a_touched_one(course):
    make(course)
    book = nbformat.read(copy(course), 4)
    book.cells[1].outputs = [new_output("stream", text="1")]
    nbformat.write(book, copy(course))
    before = copy(course).read_bytes()
    make(course)
    assert copy(course).read_bytes() == before  # of the same edition: left alone
    write(course, "00-start", "x = 3")
    make(course)
    assert nbformat.read(copy(course), 4).cells[1].source == "x = 3"


def test_a_newer_edition_goes_beside_work_once_and_with_a_sentence(course, capsys):
    make(course)
    type_into(copy(course), "x = 2")
    mine = copy(course).read_bytes()
    write(course, "00-start", "x = 3")
    make(course)
    said = capsys.readouterr().err
    assert "study/00-start.ipynb has your work" in said and "study/00-start-2.ipynb" in said
    make(course)
    assert capsys.readouterr().err == "" and len(names(course)) == 3
    write(course, "00-start", "x = 4")
    make(course)  # nobody has touched the one beside: it is replaced
    assert len(names(course)) == 3 and copy(course).read_bytes() == mine
    assert nbformat.read(copy(course, number="-2"), 4).cells[1].source == "x = 4"
    type_into(copy(course, number="-2"), "x = 5")
    write(course, "00-start", "x = 6")
    make(course)
    assert len(names(course)) == 4 and copy(course).read_bytes() == mine


@pytest.mark.parametrize("text", ["", "{", "[]", '{"cells": [], "metadata": {}}', '{"cells": 1}'])
def test_whatever_else_is_there_stays(course, text):
    (course / "study").mkdir()
    copy(course).write_text(text, "utf-8")
    make(course)
    assert copy(course).read_text("utf-8") == text
    assert names(course) == ["00-start-2.ipynb", "00-start.ipynb", "01-next.ipynb"]


def test_a_folder_that_cannot_be_written_leaves_the_courses_notebooks(course, monkeypatch, capsys):
    (course / "study").write_text("a file", "utf-8")
    make_copies = study.make_copies
    monkeypatch.setattr(study, "make_copies", lambda: make_copies(course / "study"))
    assert lab.study_folder() == "notebooks"
    assert "cannot be written" in capsys.readouterr().err


def test_links_lead_from_a_copy_to_where_they_lead_from_the_notebook(tmp_path, monkeypatch):
    monkeypatch.setattr(contents, "NOTEBOOKS", NOTEBOOKS)
    study.make_copies(tmp_path / "study")
    copies = {path.name for path in (tmp_path / "study").iterdir()}
    for path in NOTEBOOKS.glob("*.ipynb"):
        text = "".join(
            "".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"]
        )
        for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+\.(?:ipynb|md|v|toml))", text):
            beside = target.removeprefix("../")  # study/ stands where notebooks/ does
            assert target in copies or target != beside and (ROOT / beside).exists(), target


def test_git_knows_neither_copies_nor_progress():
    ignored = (ROOT / ".gitignore").read_text("utf-8").split()
    assert {"/study/", "/progress*.json", "/.progress.json.*"} <= set(ignored)
