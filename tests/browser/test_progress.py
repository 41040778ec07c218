"""Predictions and votes in JupyterLab: made by keyboard, kept over a restart, folded before."""

import nbformat
import pytest
from coursekit.contents import KERNEL
from nbformat.v4 import new_code_cell, new_notebook

pytestmark = pytest.mark.browser
CELLS = [
    """import os
os.environ["HALFSPACES_PROGRESS"] = "mine.json"
from halfspaces.notebook.progress import review, show_map
from halfspaces.notebook.questions import Predict, Question
from halfspaces.notebook.tables import table""",
    """ties = Predict(id="05-ties", text="How many ties, if $w_0 = 0$?", number="ties",
    why="The first is: $w_0 = 0$.")
ties""",
    r"""run = table({"t": [1, 2], "$\\langle w, z\\rangle$": [0.0, -1.5]}, caption="The run")
ties.reveal(5, run)""",
    """side = Predict(id="05-side", text="Which side?", choices=["Left.", "Right."], why="So.")
side""",
    """Question(id="05-q", text="Is $1<2$?", choices=["Yes.", "No."], answer="A",
    misconceptions={"B": "It is."}, hint="Count.", explanation="It is.")""",
    "show_map()",
    "review()",
]
FIELD = "Your prediction (ties)"


@pytest.fixture
def sheet(page, desk):
    metadata = {"jupyter": {"source_hidden": True}}
    cells = [new_code_cell(source, metadata=metadata) for source in CELLS]
    book = new_notebook(cells=cells, metadata={"kernelspec": KERNEL})
    nbformat.write(book, desk.folder / "05-sample.ipynb")
    return desk.open(page, "05-sample.ipynb")


def outputs(page):
    return page.locator(".jp-Cell-outputArea")


def test_a_prediction_is_made_by_keyboard_and_kept_over_a_restart(page, sheet):
    sheet.command("notebook:run-all-cells")
    answer = outputs(page).nth(2)
    assert answer.locator("details:not([open]) table").count() == 1
    assert not answer.locator("table").is_visible()
    field = page.get_by_label(FIELD)
    field.focus()
    page.keyboard.type("two")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_text("A number is expected here").wait_for()
    field.fill("3")
    field.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_text("your number is too low by 2").wait_for()  # it has been revealed already
    page.get_by_title("Predict B: Right.").press("Enter")
    page.get_by_text("Noted.").wait_for()
    for letter in "BA":
        page.get_by_title(f"Vote {letter}").press("Enter")
    page.get_by_text("which is right").wait_for()

    sheet.command("notebook:restart-run-all")
    assert page.get_by_label(FIELD).input_value() == "3" and page.get_by_label(FIELD).is_disabled()
    answer = outputs(page).nth(2)
    answer.get_by_text("your number is too low by 2").wait_for()
    assert answer.locator("table").is_visible() and answer.locator("details").count() == 0
    assert answer.locator("mjx-container").count() >= 2  # TeX in the text and in the table
    outputs(page).nth(4).get_by_text("which is right").wait_for()
    assert not sheet.tracebacks() and not sheet.errors


def test_hidden_sources_stay_hidden_on_slides(page, desk, sheet):
    page.goto(f"{desk.url}/doc/tree/{desk.folder.name}/05-sample.ipynb?slides")
    page.wait_for_function("window.deck")
    page.evaluate("deck.ready")
    assert page.locator(".jp-Cell-inputWrapper:visible").count() == 0
    page.get_by_label(FIELD).wait_for()
