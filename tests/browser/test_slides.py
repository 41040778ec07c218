"""Give a lecture from every notebook as slides: cells are typed, each slide is in full sight."""

import os
import shutil
from pathlib import Path

import matplotlib
import nbformat
import pytest
from coursekit import ROOT
from coursekit.browser import violations, wait_until_steady
from coursekit.lecture.deck import slides
from coursekit.lecture.slides import export_deck
from coursekit.lecture.typed import check_id, is_typed, make_edition
from halfspaces.notebook import figures
from headless import said

pytestmark = pytest.mark.browser
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
PROJECTOR = {"width": 1280, "height": 720}
FAILED = """deck.slides[deck.index].filter(cell => cell.code &&
    cell.widget.model.outputs.toJSON().some(output => output.output_type === "error"))
    .map(cell => cell.widget.model.id)"""
TYPED = "deck.slides[deck.index].filter(cell => cell.typed).map(cell => cell.widget.model.id)"
SMALL_TICKS = """([size, smallest]) =>
    deck.parts(".jp-RenderedImage img[width], .live-stage > svg")
        .map(shown => size * shown.getBoundingClientRect().width / shown.getAttribute("width"))
        .filter(pixels => 0 < pixels && pixels < smallest)
        .map(pixels => `the numbers at its axes have ${pixels.toFixed(1)} pixels`)"""
TICKS = matplotlib.rcParams["font.size"] / 72 * figures.DPI  # pixels, in a picture of its own size
SMALLEST = 18


def open_deck(page, desk, name: str) -> list[str]:
    """Open a notebook as slides and return the list where errors of the page will be found."""
    page.set_viewport_size(PROJECTOR)
    sheet = desk.open(page, f"{name}?slides")
    page.wait_for_function("window.deck")
    return sheet.errors


def show(page, index: int) -> None:
    """Go to a slide, all of it, and wait until its cells have run."""
    page.evaluate("index => { deck.go(index, Infinity); return deck.ready }", index)
    wait_until_steady(page.locator("body"))
    page.evaluate("deck.fit()")


def type_solution(page, cell_id: str) -> None:
    """Type the body of a live cell below its heading, as a lecturer would, and run it."""
    solution = page.evaluate(
        """id => {
        const {widget} = deck.cells.find(cell => cell.widget.model.id === id)
        const notebook = jupyterapp.shell.currentWidget.content
        notebook.activeCellIndex = notebook.widgets.indexOf(widget)
        notebook.mode = "edit"
        widget.editor.focus()
        return widget.model.getMetadata("solution") }""",
        cell_id,
    )
    page.keyboard.press("Control+End")
    page.keyboard.insert_text(solution.split("\n", 1)[1])
    page.keyboard.press("Control+Enter")
    page.wait_for_function(
        """id => { const {widget} = deck.cells.find(cell => cell.widget.model.id === id)
        return Stage.of(widget).state === "ran" && Stage.right(widget) }""",
        arg=cell_id,
    )


def typed_in_the_browser() -> list[Path]:
    """Return some notebooks, or all: a lecture takes a minute, and all are given without a browser.

    tests/lecture/test_lectures.py gives each in a kernel, and every exported deck is looked at.
    """
    if os.environ.get("HALFSPACES_ALL_LECTURES"):
        return NOTEBOOKS
    return [path for path in NOTEBOOKS if path.stem.startswith(("02-", "05-", "08-"))]


@pytest.mark.parametrize("path", typed_in_the_browser(), ids=lambda path: path.stem)
def test_a_lecture_from_the_typed_edition(page, desk, path: Path):
    original, edition = nbformat.read(path, 4), nbformat.read(make_edition(path, desk.folder), 4)
    (desk.folder / "course.py").touch()  # an edition stands in a course, which its map shows
    (desk.folder / "notebooks").symlink_to(ROOT / "notebooks")
    faults = []
    errors = open_deck(page, desk, path.name)
    for index in range(page.evaluate("deck.slides.length")):
        show(page, index)
        for cell_id in page.evaluate(TYPED):
            type_solution(page, cell_id)
            show(page, index)
        title = page.evaluate("deck.title(deck.index)")
        seen = page.evaluate("deck.overflow()")
        seen += page.evaluate(SMALL_TICKS, [TICKS, SMALLEST])
        faults += [f"slide {index + 1}, {title!r}: {fault}" for fault in seen]
        faults += [
            f"slide {index + 1}, {title!r}: cell {cell} fails" for cell in page.evaluate(FAILED)
        ]
    cells = page.evaluate("""deck.cells.map(({widget}) => [widget.model.id,
        widget.model.type === "code" ? widget.model.outputs.toJSON() : []])""")
    assert not faults and not errors
    results = dict(cells)
    typed = [cell.id for cell in edition.cells if is_typed(cell)]
    assert typed and all("Correct" in str(results[check_id(cell_id)]) for cell_id in typed)
    shown = {
        cell.id: said(cell.outputs)
        for cell in original.cells
        if cell.cell_type == "code" and results[cell.id]
    }
    assert {cell_id: said(results[cell_id]) for cell_id in shown} == shown


STATE = "id => Stage.of(deck.cells.find(cell => cell.widget.model.id === id).widget).state"
OUTPUTS = (
    """id => deck.cells.find(cell => cell.widget.model.id === id).widget.model.outputs.toJSON()"""
)
KERNEL = "jupyterapp.shell.currentWidget.sessionContext.session.kernel"
HALL = """import os
os.environ.update(HALFSPACES_ROOM="coursekit.lecture.room.panel", HALFSPACES_VOTES={votes!r})
from coursekit.lecture.room import server
server.PORT = 0"""


def type_into(page, cell_id: str, text: str) -> None:
    """Put a text into a cell and run it by hand; wait until it has been judged."""
    page.evaluate(
        """([id, text]) => {
        const {widget} = deck.cells.find(cell => cell.widget.model.id === id)
        const notebook = jupyterapp.shell.currentWidget.content
        widget.model.sharedModel.setSource(text)
        notebook.activeCellIndex = notebook.widgets.indexOf(widget)
        window.judged = false
        const {ran} = Stage
        Stage.ran = async (...told) => { await ran(...told); Stage.ran = ran; window.judged = true }
        jupyterapp.commands.execute("notebook:run-cell") }""",
        [cell_id, text],
    )
    page.wait_for_function("judged")
    page.evaluate("deck.ready")


def wait_for_a_new_kernel(page) -> None:
    """Wait until a kernel that has begun anew has brought what the slide needs."""
    page.wait_for_function(
        "deck.slides[deck.index].some(cell => Stage.of(cell.widget).at > before)"
    )
    page.evaluate("deck.ready")


def test_a_lecture_in_which_everything_goes_wrong(page, desk, tmp_path):
    """Leave out, half type, mistype, lose the kernel, keep it busy, load anew; vote meanwhile."""
    path = next(path for path in NOTEBOOKS if path.stem.startswith("07-"))
    made = make_edition(path, desk.folder)
    book = nbformat.read(made, 4)
    first = nbformat.v4.new_code_cell(
        HALL.format(votes=str(tmp_path)), metadata={"slideshow": {"slide_type": "skip"}}
    )
    book.cells.insert(0, first)
    nbformat.write(book, made)
    deck = slides(book)
    number = {cell.id: slide.number - 1 for slide in deck for cell in slide.cells}
    errors = open_deck(page, desk, made.name)
    asked = next(slide for slide in deck if slide.questions and slide.number > 3)

    # What is typed is left out, and the slides after it have all they need.
    typed, waiting = "reduction", "pentagon-run"
    show(page, number[typed])
    assert page.evaluate(STATE, waiting) == "new" and not page.evaluate(FAILED)
    assert "comes when" in page.locator(".deck-waits:visible").inner_text()
    assert not violations(page, ".deck-stage .deck-waits")
    show(page, number[typed] + 1)
    assert page.evaluate(STATE, typed) == "stood in" and page.evaluate(STATE, waiting) == "ran"

    # Going back, it is typed: half, wrong, right.
    show(page, number[typed])
    heading, *body = next(c.metadata["solution"] for c in book.cells if c.id == typed).split("\n")
    type_into(page, typed, "\n".join([heading, "def as_sample(n, edges)"]))
    assert "line 2 of the cell is not Python" in str(page.evaluate(OUTPUTS, check_id(typed)))
    swapped = "\n".join([heading, *body]).replace("[-1] * n + [1]", "[1] * n + [-1]")
    type_into(page, typed, swapped)
    assert "Wrong value" in str(page.evaluate(OUTPUTS, check_id(typed)))
    show(page, number[typed] + 1)
    assert page.evaluate(STATE, typed) == "stood in" and not page.evaluate(FAILED)
    show(page, number[typed])
    type_into(page, typed, "\n".join([heading, *body, "# typed by hand"]))
    assert "Correct" in str(page.evaluate(OUTPUTS, check_id(typed)))
    assert page.evaluate(STATE, typed) == "ran"

    # A vote goes on in a kernel that has been restarted, and in one that has died.
    show(page, asked.number - 1)
    page.locator("button:visible:has-text('Ask the room')").click()
    panel = page.locator(".room-panel:visible")
    panel.locator("button:has-text('Close round one')").click()
    panel.locator("button:has-text('Open round two'):enabled").wait_for()
    for end in (
        f"{KERNEL}.restart()",
        f"{KERNEL}.requestExecute({{code: 'import os; os._exit(1)'}})",
    ):
        page.evaluate(f"window.before = Stage.runs; {end}; 0")
        wait_for_a_new_kernel(page)
        panel.locator("button:has-text('Open round two'):enabled").wait_for()
        page.locator(".jp-Dialog").wait_for(state="hidden")
        assert not page.evaluate(FAILED)
    panel.locator("button:has-text('Open round two')").click()
    panel.locator("button:has-text('Close round two'):enabled").wait_for()

    # A busy kernel is seen, and can be stopped.
    page.evaluate(f"{KERNEL}.requestExecute({{code: 'import time; time.sleep(600)'}}); 0")
    page.locator(".deck-kernel:has-text('The kernel is busy.')").wait_for()
    assert not violations(page, ".deck-kernel")
    page.locator(".deck-kernel button").click()
    page.locator(".deck-kernel").wait_for(state="hidden")

    # The page is loaded anew: what was typed right is still there, and runs.
    open_deck(page, desk, made.name)
    show(page, asked.number - 1)
    panel.locator("button:has-text('Close round two'):enabled").wait_for()
    show(page, number[typed] + 1)
    assert page.evaluate(STATE, typed) == "ran" and not page.evaluate(FAILED)
    lost = "widget model not found"  # said of what was saved, before its cell runs again
    assert [error for error in errors if lost not in error] == []


def test_keys_bring_the_next_line_and_the_whole_cell(page, desk):
    made = nbformat.read(
        make_edition(next(path for path in NOTEBOOKS if path.name.startswith("04")), desk.folder), 4
    )
    cell = next(cell for cell in made.cells if is_typed(cell))
    lines = cell.metadata["solution"].split("\n")
    desk.open(page, "04-perceptron.ipynb")
    page.evaluate(
        """id => { const notebook = jupyterapp.shell.currentWidget.content
        notebook.activeCellIndex = notebook.widgets.findIndex(widget => widget.model.id === id)
        notebook.mode = "edit"; notebook.activeCell.editor.focus() }""",
        cell.id,
    )
    source = "jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.getSource()"
    page.keyboard.press("Control+.")
    assert page.evaluate(source) == "\n".join(lines[:2])
    page.keyboard.press("Enter")
    page.keyboard.press("Control+.")
    assert page.evaluate(source) == "\n".join(lines[:3])
    page.keyboard.press("Enter")
    page.keyboard.type(lines[3][:6].strip())  # begun, indented by the editor, and stuck
    page.keyboard.press("Control+.")
    assert page.evaluate(source) == "\n".join(lines[:4])
    page.keyboard.press("Control+Shift+.")
    assert page.evaluate(source) == "\n".join(lines)


def test_clicker_keys_fragments_notes_and_leaving(page, desk):
    shutil.copy(NOTEBOOKS[1], desk.folder)
    open_deck(page, desk, NOTEBOOKS[1].name)
    cells = "deck.slides.map(slide => slide.map(cell => cell.widget.model.id))"
    deck = slides(nbformat.read(NOTEBOOKS[1], 4))
    assert page.evaluate(cells) == [[cell.id for cell in slide.cells] for slide in deck]
    numbers = "[...deck.content.children].map(part => parseInt(part.dataset.windowedListIndex))"
    assert page.evaluate(numbers) == sorted(page.evaluate(numbers)), "JupyterLab seeks by halves"
    page.keyboard.press("PageDown")
    assert page.evaluate("deck.index + deck.shown") == 1
    page.keyboard.press("PageUp")
    assert page.evaluate("deck.index + deck.shown") == 0
    with page.expect_popup() as notes:
        page.keyboard.press("s")
    say = page.evaluate("deck.slides[0].map(cell => cell.slide.say).find(Boolean)")
    assert say in notes.value.inner_text("body")
    page.keyboard.press("Escape")
    page.wait_for_function("!window.deck && !document.querySelector('.deck-hidden, .deck-stage')")


def test_an_exported_deck_needs_neither_kernel_nor_network(page, tmp_path: Path):
    page_path = tmp_path / "deck.html"
    page_path.write_text(export_deck(NOTEBOOKS[0]), "utf-8")
    page.set_viewport_size(PROJECTOR)
    requests, errors = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(page_path.as_uri())
    count = page.evaluate("deck.slides.length")
    faults = []
    for index in range(count):
        assert page.evaluate("[deck.index, deck.shown === deck.fragments.length]") == [
            index,
            not page.evaluate("deck.fragments.length"),
        ]
        page.evaluate("deck.go(deck.index, Infinity)")
        faults += [f"slide {index + 1}: {fault}" for fault in page.evaluate("deck.overflow()")]
        page.keyboard.press("PageDown")
    assert not faults and not errors
    assert {url.partition(":")[0] for url in requests} <= {"file", "data"}
    assert page.evaluate("deck.index") == count - 1, "the last slide is the last"
