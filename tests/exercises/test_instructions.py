"""What each homework says of itself is derived: points, core, time, limits, rules."""

import re
from copy import deepcopy

import nbformat
import pytest
from coursekit.contents import EXERCISES, all_homeworks
from coursekit.homework import instructions, release
from coursekit.homework.grading.inside.limits import USUAL
from coursekit.homework.grading.questions import SOURCE

TRIAL, *COUNTED = all_homeworks(SOURCE)


def source(name: str):
    return nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)


def released(name: str):
    return nbformat.read(EXERCISES / "release" / name / f"{name}.ipynb", as_version=4)


def parts(name: str) -> list[instructions.Part]:
    book = source(name)
    for cell in book.cells:
        if cell.metadata.get("nbgrader", {}).get("solution") and "BEGIN" in cell.source:
            cell.source = release.without_solution(cell.source, cell.cell_type == "code")
    return instructions.split(book, source(name))


@pytest.mark.parametrize("name", COUNTED)
def test_there_is_a_core_of_20_points_and_10_for_the_ambitious(name):
    assert sum(part.points for part in parts(name) if not part.is_ambitious) == 20
    assert sum(part.points for part in parts(name) if part.is_ambitious) == 10
    title = released(name).cells[0].source
    assert "30 points: a core of 20, and 10 for the ambitious (questions" in title
    stars = [part.number for part in parts(name) if part.is_ambitious]
    assert all(f"\n## {number} ★ " in text_of(released(name)) for number in stars)
    assert text_of(released(name)).count("★") == len(stars) + 2


@pytest.mark.parametrize("name", COUNTED)
def test_it_takes_three_to_four_hours(name):
    minutes = sum(part.minutes for part in parts(name))
    assert 165 <= minutes <= 255
    assert f"About {instructions.duration(minutes)}, " in released(name).cells[0].source


@pytest.mark.parametrize("name", [TRIAL, *COUNTED])
def test_headings_and_limits_are_derived(name):
    book = released(name)
    headings = re.findall(r"^## \d.*$", text_of(book), re.MULTILINE)
    assert headings and all(re.search(r"\d points?, \d+ minutes\)$", text) for text in headings)
    assert not re.search(r"^## .*\d points?", text_of(source(name)), re.MULTILINE)
    title = book.cells[0].source
    assert f"{USUAL.call:g} for a call" in title and f"{USUAL.total:g} for all" in title
    assert "[[" not in title and "cell of helpers" in title
    [helpers] = [cell for cell in book.cells if cell.id == "helpers"]
    assert helpers.source.startswith("# Helpers")


def text_of(book) -> str:
    return "\n".join(f"\n{cell.source}" for cell in book.cells if cell.cell_type == "markdown")


def test_reading_and_writing_take_time():
    def cell(kind, text, **about):
        made = {"markdown": nbformat.v4.new_markdown_cell, "code": nbformat.v4.new_code_cell}
        return made[kind](text, metadata={"nbgrader": about} if about else {})

    solution = "### BEGIN SOLUTION\n{}\n### END SOLUTION"
    heading = cell("markdown", "## 1 " + "word " * 148)
    code = cell("code", solution.format("a\n\nb\nc"), grade_id="q1")
    proof = cell("markdown", solution.format("w " * 50), grade_id="proof1", grade=True, points=2)
    made = nbformat.v4.new_notebook(cells=[cell("markdown", "title"), heading])
    for kind, more, minutes in [
        ("", [code], 1 + 6 + 3 * instructions.MINUTES_A_LINE),
        ("proof", [proof], 1 + 10 + 50 / instructions.PROVED_WORDS_A_MINUTE),
    ]:
        solved = nbformat.v4.new_notebook(cells=[*made.cells, *more])
        empty = deepcopy(solved)
        empty.cells[-1].source = ""
        [_, part] = instructions.split(empty, solved)
        assert part.minutes == pytest.approx(minutes, abs=0.05) and part.kind == kind


@pytest.mark.parametrize(
    ("minutes", "said"),
    [(3, "5 minutes"), (32, "30 minutes"), (55, "1 hour"), (100, "1½ hours"), (200, "3½ hours")],
)
def test_times_are_said_as_one_says_them(minutes, said):
    assert instructions.duration(minutes) == said


def test_the_two_lines_are_needed():
    book = source(TRIAL)
    book.cells[0].source = book.cells[0].source.replace("[[rules]]", "")
    with pytest.raises(ValueError, match=r"the line \[\[rules\]\] once"):
        release.edition(book)
