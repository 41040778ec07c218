"""The pages to run, in Chromium: a stranger's first visit, work that is kept, a homework.

Three notebooks run to their end here; `python3 course.py site --check` runs all of them.
"""

import json
import os
import shutil
from pathlib import Path

import pytest
from coursekit.browser import browse, violations
from coursekit.contents import NOTEBOOKS, read_notebook
from coursekit.publish.lite import bytecode
from coursekit.publish.lite.trial import RunPage, differences, faults, serve, try_book
from small_project import ROOT

pytestmark = pytest.mark.browser
FIRST = "00-start-here.ipynb"
EDITED = "01-halfspaces.ipynb"
WRITE = """([place, text]) => {
    jupyterapp.shell.currentWidget.content.widgets[place].model.sharedModel.setSource(text) }"""
STORED = """async text => {
    const {path} = jupyterapp.shell.currentWidget.context
    for (let tries = 0; tries < 600; tries += 1) {
        const file = await jupyterapp.serviceManager.contents.get(path, {content: true})
        if ([file.content.cells[0].source].flat().join("") === text) return true
        await new Promise(resolve => setTimeout(resolve, 100))
    }
    return false }"""
SLOWLY = """() => {
    const {contents} = jupyterapp.serviceManager, save = contents.save.bind(contents)
    contents.save = async (...about) => {
        const saved = await save(...about)
        window.saving = true
        await new Promise(resolve => setTimeout(resolve, 2000))
        return saved
    } }"""
PICTURE = "document.querySelector('.live-view svg').innerHTML"
FOCUSED = "selector => document.activeElement.matches(selector)"
RING = """() => {
    const {outlineStyle, outlineWidth, borderColor} = getComputedStyle(document.activeElement)
    if (document.activeElement.matches(".live-points *")) return borderColor !== "rgba(0, 0, 0, 0)"
    return outlineStyle === "auto" || outlineStyle === "solid" && parseFloat(outlineWidth) >= 2 }"""
CELL, EDITOR = ".jp-Cell", ".cm-content"
SOURCE = "jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.getSource()"
COMPILED = """[
    *(open(module.__spec__.cached, "rb").read(8)[4] for module in (numpy, scipy)),
    json.decoder.__file__[-4:],
]"""  # 1: of our making, and never compared with its source
ANSWER = """kept => {
    localStorage.setItem(progress.KEY, kept)
    progress.change("questions", "q", {history: [1]})
    const found = Object.entries(localStorage)
    return Object.fromEntries(found.filter(([key]) => key.startsWith(progress.KEY))) }"""
SAY = "word => new BroadcastChannel('halfspaces-windows').postMessage(word)"
FILL = """() => { IDBObjectStore.prototype.put = () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError") } }"""
BLOCKED = "IDBFactory.prototype.open = () => { throw new DOMException('No', 'SecurityError') }"
KEPT = "JSON.parse(localStorage.getItem('halfspaces-progress') ?? '{}')"


def test_a_first_visit_reads_runs_votes_and_moves_a_picture(site):
    path = NOTEBOOKS / FIRST
    with serve(site) as server, browse() as page:
        sheet = RunPage(page, server.url, FIRST)
        sheet.wait_for_text()
        page.locator(".jp-OutputArea-output").first.wait_for()  # as it was stored
        assert "ready" not in page.locator("#halfspaces-bar .say").inner_text()
        sheet.wait_for_python()
        assert server.sent < 45e6  # JupyterLab is in it, scipy is not
        sheet.keep_progress(False)
        reach_the_bar_and_come_back(page)
        cells = page.locator(CELL).count()
        for _ in range(cells - 1):
            page.keyboard.press("Shift+Enter")
        page.keyboard.press("Control+Enter")  # the last, after which Shift would add one
        sheet.keep_progress(True)
        book = sheet.book()
        assert faults(book) == []
        assert differences(read_notebook(path), book) == []
        assert sheet.ask("import sys", "'scipy' in sys.modules") is True  # fetched by a cell
        assert bytecode.missing() or sheet.ask("import numpy, scipy", COMPILED) == [1, 1, ".pyc"]

        commit_move_vote_and_write(page)
        kept = page.evaluate(KEPT)
        assert kept["version"] == 1 and "00-fifth" in kept["questions"]
        with page.expect_download() as download:
            page.get_by_role("button", name="Download progress").click()
        assert json.loads(Path(download.value.path()).read_text("utf-8")) == kept
        assert download.value.suggested_filename == "progress.json"

        assert sheet.barriers() == []
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            assert violations(page, "#halfspaces-bar") == [], theme
        assert sheet.elsewhere == [] and sheet.errors == []


def reach_the_bar_and_come_back(page):
    """Go from the first cell up to the bar, and by its first button into the notebook again."""
    assert page.evaluate(FOCUSED, CELL)
    for name in ("progress", "download", "fresh", "skip"):
        press_until(page, f"#halfspaces-bar [name={name}]", "Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_function(FOCUSED, arg=CELL)


def commit_move_vote_and_write(page):
    """Do by keyboard what a reader does who has run all cells; the focus stays where it is seen."""
    press_until(page, ".halfspaces-asked input", "Shift+Tab")
    page.keyboard.type("4")
    press_until(page, ".halfspaces-asked button")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Committed").wait_for()
    assert page.evaluate(RING)

    press_until(page, ".live-points button")
    before = page.evaluate(PICTURE)
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"before => {PICTURE} !== before", arg=before)
    page.keyboard.press("a")
    for _ in range(2):
        page.keyboard.press("Control+z")  # the point that has the focus goes
        assert page.evaluate(FOCUSED, ".live-points button")

    press_until(page, "[title^='Vote A']")
    page.keyboard.press("Enter")
    page.get_by_text("Think again").wait_for()
    page.keyboard.press("Space")
    page.get_by_text("You voted A both times").wait_for()
    assert page.evaluate(FOCUSED, "[title^='Vote A']") and page.evaluate(RING)
    page.wait_for_function(f"{KEPT}.questions['00-fifth'].history.length")
    press_until(page, ".halfspaces-asked > button")
    page.keyboard.press("Enter")  # on "Start again", which goes
    page.wait_for_function(FOCUSED, arg="[title^='Vote A']")

    while not page.evaluate(f"{SOURCE}.startsWith('def length')"):
        page.keyboard.press("ArrowUp")
    before = page.evaluate(SOURCE)
    page.keyboard.press("Enter")
    page.wait_for_function(FOCUSED, arg=EDITOR)
    page.keyboard.press("Tab")  # which indents
    assert page.evaluate(FOCUSED, EDITOR) and page.evaluate(SOURCE) != before
    page.keyboard.press("Escape")
    press_until(page, "summary")


def press_until(page, selector: str, key: str = "Tab") -> None:
    """Press a key until an element has the focus, which must be seen there."""
    for _ in range(200):
        page.keyboard.press(key)
        if page.evaluate(FOCUSED, selector):
            assert page.evaluate(RING), selector
            return
    raise AssertionError(f"{key} does not lead to {selector}")


@pytest.mark.parametrize("name", ["05b-five-formulas.ipynb", "06b-cones-and-stretching.ipynb"])
def test_a_notebook_runs_to_its_end_and_says_what_is_stored(site, name):
    trial = try_book(site, NOTEBOOKS / name)
    assert trial.errors == []
    assert trial.differences == []


def test_my_copy_a_fresh_copy_and_a_new_edition(site, tmp_path):
    """All of it without Python: who only writes need not wait."""
    changed = shutil.copytree(site, tmp_path / "run", copy_function=os.link)
    with serve(changed) as server, browse() as page:
        page.route("**/python/pyodide.mjs", lambda route: route.abort())
        sheet = RunPage(page, server.url, EDITED)
        sheet.wait_for_text()
        original = sheet.book()["cells"][0]["source"]
        page.get_by_text("Python cannot be loaded from 127.0.0.1").wait_for()
        page.evaluate(SLOWLY)
        page.evaluate(WRITE, [0, "# Begun"])
        page.wait_for_function("window.saving")
        page.evaluate(WRITE, [0, "# Mine"])  # while the other is being saved
        assert page.evaluate(STORED, "# Mine")
        page.evaluate(SAY, {"path": f"my/{EDITED}", "word": "opened"})
        page.get_by_text("open in another window").wait_for()
        page.evaluate(SAY, {"path": f"my/{EDITED}", "word": "closed"})
        page.get_by_text("open in another window").wait_for(state="hidden")
        page.evaluate(FILL)
        page.evaluate(WRITE, [1, "lost()"])
        page.get_by_text("What you wrote last is not kept").wait_for()
        page.goto(server.url + "index.html")
        page.get_by_role("row", name="Halfspaces").get_by_text("your copy").first.wait_for()
        assert violations(page) == []
        page.emulate_media(color_scheme="dark")
        assert violations(page) == []

        # Closed and opened again: the work is there, and nothing is asked
        sheet = RunPage(page, server.url, EDITED)
        sheet.wait_for_text()
        assert sheet.book()["cells"][0]["source"] == "# Mine"
        assert not page.locator("#halfspaces-bar .edition").is_visible()
        with page.expect_download() as download:
            page.get_by_role("button", name="Download", exact=True).click()
        mine = json.loads(Path(download.value.path()).read_text("utf-8"))
        assert mine["cells"][0]["source"] == "# Mine"
        assert mine["metadata"]["kernelspec"]["name"] == "python3"
        assert download.value.suggested_filename == EDITED

        # A new edition: an untouched copy follows it, of a touched one the reader is asked
        RunPage(page, server.url, FIRST).wait_for_text()
        for name in (EDITED, FIRST):
            new_edition(changed, name)
        sheet = RunPage(page, server.url, FIRST)
        sheet.wait_for_text()
        assert sheet.book()["cells"][0]["source"] == "# The second edition"
        page.goto(f"{server.url}index.html?path={EDITED}")
        page.get_by_role("heading", name="there is a newer edition").wait_for()
        assert violations(page) == []
        page.get_by_role("link", name="Go on with my copy").click()
        page.locator("#halfspaces-bar .edition").wait_for()
        sheet.wait_for_text()
        assert sheet.book()["cells"][0]["source"] == "# Mine"
        page.get_by_role("link", name="begin a copy of the new edition").click()
        page.wait_for_url("**/notebooks/**")
        sheet.wait_for_text()
        assert sheet.book()["cells"][0]["source"] == "# The second edition" != original
        page.goto(server.url + "index.html")
        assert page.evaluate(ANSWER, '{"version": 2}') == {"halfspaces-progress": '{"version": 2}'}
        kept = page.evaluate(ANSWER, "{broken")
        assert json.loads(kept.pop("halfspaces-progress"))["questions"] == {"q": {"history": [1]}}
        assert list(kept.values()) == ["{broken"]
        older = page.get_by_role("link", name="01-halfspaces-older-1.ipynb")
        older.click()
        page.wait_for_url("**/notebooks/**")
        sheet.wait_for_text()
        assert sheet.book()["cells"][0]["source"] == "# Mine"
        for text in ("# Second", "# Third"):
            sheet = RunPage(page, server.url, EDITED)
            sheet.wait_for_text()
            page.evaluate(WRITE, [0, text])
            assert page.evaluate(STORED, text)
            page.goto(f"{server.url}index.html?path={EDITED}&copy=fresh")
            page.wait_for_url("**/notebooks/**")
            sheet.wait_for_text()
            page.goto(server.url + "index.html")
            if text == "# Second":  # with this gone the third must not take the second's place
                page.once("dialog", lambda question: question.accept())
                page.get_by_role("button", name="Delete my/01-halfspaces-older-1.ipynb").click()
                older.wait_for(state="detached")
        page.get_by_role("link", name="01-halfspaces-older-2.ipynb").wait_for()
        page.get_by_role("link", name="01-halfspaces-older-3.ipynb").wait_for()
        assert sheet.elsewhere == []
        page.add_init_script(BLOCKED)
        for address in ("index.html", f"index.html?path={EDITED}"):
            page.goto(server.url + address)
            page.get_by_text("This browser keeps nothing for this site").wait_for()


def new_edition(site: Path, name: str) -> None:
    """Write another first cell into a notebook, as a site built later would have it."""
    file = site / "books" / name
    book = json.loads(file.read_text("utf-8"))
    book["cells"][0]["source"] = "# The second edition"
    replace(file, json.dumps(book))
    about = site / "page/editions.json"
    editions = json.loads(about.read_text("utf-8"))
    editions[name]["edition"] = "another"
    replace(about, json.dumps(editions))


def replace(file: Path, text: str) -> None:
    """Write a file anew, since it is linked to that of another test's site."""
    file.unlink()
    file.write_text(text, "utf-8")


def test_a_homework_is_solved_and_downloaded(site):
    source = read_notebook(ROOT / "exercises/source/hw00/hw00.ipynb")
    solved = {cell.metadata.nbgrader.grade_id: cell.source for cell in graded(source)}
    with serve(site) as server, browse() as page:
        sheet = RunPage(page, server.url, "hw00.ipynb")
        sheet.wait_for_text()
        for place, cell in enumerate(sheet.book()["cells"]):
            id = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
            if id in ("q1", "q2"):
                page.evaluate(WRITE, [place, solved[id]])
        sheet.wait_for_python()
        sheet.run_all()
        with page.expect_download() as download:
            page.get_by_role("button", name="Download", exact=True).click()
        assert download.value.suggested_filename == "hw00.ipynb"
        book = json.loads(Path(download.value.path()).read_text("utf-8"))
        assert faults(book) == []
        said = json.dumps([cell.get("outputs") for cell in book["cells"]], ensure_ascii=False)
        assert said.count('"text/plain": "✓ Correct') == 2 and "hand in" in said
        assert {cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in book["cells"]} >= {
            *solved
        } - {"helpers"}
        assert sheet.barriers() == []
        assert sheet.elsewhere == [] and sheet.errors == []


def graded(book):
    return [cell for cell in book.cells if "nbgrader" in cell.metadata]
