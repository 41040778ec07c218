"""Times are counted, written into the notebook, and counted alike when they stand there."""

import pytest
from coursekit.lecture.deck import about
from coursekit.publish.budget import Budget, count, state_times, states_both_times
from coursekit.publish.refresh import clean
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

HIDDEN = {"jupyter": {"source_hidden": True}}
OPENING = "# 5 · Title\n\n**Time:** 0 minutes to read, 0 with everything\n\n"
SECTION = "## 5.{} Next\n\n*Timing to here: 0 minutes.*\n\n"


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (new_markdown_cell("two words"), Budget(words=2)),
        (new_markdown_cell("| a | b |\n|---|:-:|\n| c | d |"), Budget(words=4)),
        (new_markdown_cell("<details><summary>x</summary>\n\ny\n\n</details> z"), Budget(words=1)),
        (new_markdown_cell("a\n```python\nb c\n```\nd"), Budget(words=2)),
        (new_markdown_cell("**Exercise 5.1 (Name).** Do"), Budget(words=4, exercises=1)),
        (new_markdown_cell("**Exercise 5b.1 (Name; proof).** Do"), Budget(words=5, proofs=1)),
        (new_markdown_cell("See **Exercise 5.1 (Name).**"), Budget(words=4)),
        (new_code_cell("a = 1\n\nb = 2"), Budget(lines=2)),
        (new_code_cell("a = 1", metadata=HIDDEN), Budget()),
        (new_code_cell("p = Predict(\n    id=1)\np"), Budget(predictions=1)),
        (new_code_cell("Question(id=1)"), Budget(questions=1)),
        (new_code_cell("# Question(\nx = live(view)\nx"), Budget(lines=3, pictures=1)),
        (new_code_cell("x = proof_player(run)", metadata=HIDDEN), Budget(pictures=1)),
        (new_code_cell("%magic"), Budget(lines=1)),
    ],
)
def test_what_is_counted(cell, expected):
    assert count([cell]) == expected


def test_minutes():
    budget = Budget(300, 24, 1, 2, 3, 4, 1)
    assert budget.reading == 4 and budget.everything == 4 + 1 + 5 + 6 + 24 + 10


def book():
    return new_notebook(
        cells=[
            new_markdown_cell(OPENING + "word " * 295),
            new_markdown_cell("word " * 150 + "\n\n" + SECTION.format(1)),
            new_code_cell("x = live(view)", metadata=HIDDEN),
            new_markdown_cell(SECTION.format(2) + "**Exercise 5.1 (Name).** Do"),
            new_code_cell("a = 1\n" * 120),
        ]
    )


def test_times_are_written_and_stay():
    made = book()
    state_times(made)
    assert "**Time:** 13 minutes to read, 22 with everything" in made.cells[0].source
    assert "*Timing to here: 3 minutes.*" in made.cells[1].source
    assert "*Timing to here: 6 minutes.*" in made.cells[3].source
    again = made.copy()
    state_times(again)
    assert again == made


def test_one_minute_is_no_minutes():
    made = book()
    made.cells[0].source = OPENING
    made.cells[1].source = made.cells[1].source.replace("word " * 10, "", 3)
    state_times(made)
    assert "*Timing to here: 1 minute.*" in made.cells[1].source


def test_a_notebook_with_one_time_is_left_alone():
    made = book()
    made.cells[0].source = "# 5 · Title\n\n**Time:** 60 minutes"
    before = [cell.source for cell in made.cells]
    assert not states_both_times(made)
    state_times(made)
    assert [cell.source for cell in made.cells] == before


def test_predictions_and_questions_are_hidden_and_hidden_cells_show_their_output_on_slides():
    sources = ["p = Predict(id=1)\np", "Question(id=1)", "plain = 1"]
    made = clean(new_notebook(cells=[new_code_cell(source) for source in sources]))
    hidden = [cell.metadata.get("jupyter", {}).get("source_hidden") for cell in made.cells]
    assert hidden == [True, True, None]
    made.cells[0].metadata["slideshow"] = {"slide_type": "slide"}
    assert [about(cell) for cell in made.cells] == [
        {"slide_type": "slide", "show": "output"},
        {"show": "output"},
        {},
    ]
