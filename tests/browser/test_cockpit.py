"""Sit in the lecturer's cockpit: keys, plans, ink and notes, in JupyterLab and exported."""

import json
import string
from pathlib import Path

import nbformat
import pytest
from coursekit import ROOT
from coursekit.browser import violations, wait_until_steady
from coursekit.contents import METADATA
from coursekit.lecture.slides import export_deck, make_copy

pytestmark = pytest.mark.browser
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
PROJECTOR = {"width": 1280, "height": 720}
WIDE = {"width": 1920, "height": 1080}
SMALLEST = 18  # pixels, on the projector
LEFT_ALONE = "script, style, .deck-unseen, math *, mjx-container *, sub, sup"
SMALL_TEXT = """([smallest, alone]) => {
    const found = new Set(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text; (text = walk.nextNode());) {
        const part = text.parentElement, seen = {opacityProperty: true, visibilityProperty: true}
        if (!text.textContent.trim() || !part.checkVisibility(seen) || part.closest(alone)) continue
        const scale = part.ownerSVGElement ? part.getScreenCTM().a : part.currentCSSZoom
        const size = parseFloat(getComputedStyle(part).fontSize) * scale
        const start = text.textContent.trim().slice(0, 40)
        if (size < smallest) found.add(`${size.toFixed(1)} px: ${start}`)
    }
    return [...found] }"""
OPENING = """deck.parts("h1 + p").filter(part => part.checkVisibility())
    .map(part => `to be told, not read: ${part.textContent}`)"""
CELLS = """jupyterapp.shell.currentWidget.content.widgets.map(({model}) =>
    [model.id, model.type, model.sharedModel.getSource()])"""
PLACE = "[deck.index, deck.shown, deck.plan.minutes, deck.count.textContent.split(' / ')[0]]"
AT_ONCE = """() => {  // keys after one another, before the browser draws again
    const press = key => document.activeElement.dispatchEvent(
        new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true, view: window}))
    press("g")
    press("Enter")
    press("g")
    const fields = document.querySelectorAll("dialog[open] input:focus").length
    for (const dialog of document.querySelectorAll("dialog")) Deck.close(dialog)
    return fields }"""
UNDER = """([selector]) => {  // how the ink lies on what it was drawn on, in the measure of that
    const on = deck.parts(selector)[0].getBoundingClientRect()
    return [...document.querySelectorAll(".deck-ink path")].map(path => {
        const {left, top, width} = path.getBoundingClientRect()
        return [(left - on.left) / on.width, (top - on.top) / on.height, width / on.width] }) }"""


def small_notebook() -> nbformat.NotebookNode:
    """Return a notebook of six slides, of which some lectures leave some out."""
    text, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell

    def slide(**notes):
        return {"slideshow": {"slide_type": "slide", "minutes": 2, "say": "Say so.", **notes}}

    picture = "<svg width='400' height='200'><rect width='400' height='200' fill='#ddd'/></svg>"
    cells = [
        text("# One\n\nA text to draw on, in a few words.", metadata=slide(board="⟨w,x⟩ ≥ 0")),
        text("## Two\n\nThe first step.", metadata=slide()),
        text("The second step.", metadata={"slideshow": {"slide_type": "fragment"}}),
        text("## Only in 80 minutes", metadata=slide(skip="50", minutes=5)),
        text("## Only on demand", metadata=slide(skip="80")),
        text("## The root $\\sqrt t$\n\nWhat is typed.", metadata=slide(expect="A question.")),
        code("# Add\n", metadata={"solution": "# Add\ntotal = 1 + 1\nprint(total)"}),
        text("## A picture", metadata=slide()),
        code(
            f'from IPython.display import HTML\nHTML("{picture}")',
            metadata={"slideshow": {"show": "output"}},
        ),
    ]
    return nbformat.v4.new_notebook(cells=cells, metadata=METADATA)


@pytest.fixture
def copy(desk) -> Path:
    """Make a copy to lecture from, as the command does."""
    original = desk.folder / "notebooks" / "small.ipynb"
    original.parent.mkdir()
    nbformat.write(small_notebook(), original)
    return make_copy(original, desk.folder)


def open_slides(page, desk, copy: Path):
    page.set_viewport_size(PROJECTOR)
    sheet = desk.open(page, f"{copy.name}?slides")
    page.wait_for_function("window.deck")
    return sheet


def reload(page) -> None:
    page.reload()
    page.wait_for_function("window.deck")


def drag(page, start, *to) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    for point in to:
        page.mouse.move(*point, steps=4)
    page.mouse.up()


def test_no_single_key_changes_a_cell(page, desk, copy):
    open_slides(page, desk, copy)
    before = page.evaluate(CELLS)
    page.evaluate("window.open = () => null")  # so that S does not take the focus away
    keys = [
        *string.ascii_letters,
        *string.digits,
        *string.punctuation,
        *("Enter", "Delete", "Backspace", "ArrowUp", "ArrowDown", "Shift+Enter", "Insert"),
    ]
    for index, focus in ((0, ".jp-MarkdownCell"), (4, ".jp-CodeCell"), (4, ".deck-bar button")):
        for key in keys:
            page.evaluate(
                """([index, focus]) => {
                for (const dialog of document.querySelectorAll("dialog")) dialog.close()
                if (deck.black) deck.showAgain()
                if (deck.index !== index) deck.go(index)
                const notebook = jupyterapp.shell.currentWidget.content
                const {widget} = deck.slides[index].at(-1)
                notebook.activeCellIndex = notebook.widgets.indexOf(widget)
                notebook.mode = "command"
                document.querySelector(`${focus}:not(.deck-hidden)`).focus() }""",
                [index, focus],
            )
            page.keyboard.press(key)
        assert page.evaluate(CELLS) == before, focus
    page.evaluate("""() => {
        for (const dialog of document.querySelectorAll("dialog")) dialog.close()
        if (deck.pen.tool) deck.pen.take(deck.pen.tool) }""")
    page.evaluate("deck.go(4)")
    page.locator(".jp-MarkdownCell:not(.deck-hidden) p").dblclick()
    assert page.evaluate("deck.cells.every(({widget}) => widget.rendered !== false)")
    page.keyboard.press("Escape")
    page.wait_for_function("!window.deck")
    page.evaluate("jupyterapp.shell.currentWidget.content.activeCell.node.focus()")
    page.keyboard.press("b")
    assert len(page.evaluate(CELLS)) == len(before) + 1, "JupyterLab's keys are back"


def test_a_lecture_by_plan_survives_reload_and_escape(page, desk, copy):
    open_slides(page, desk, copy)
    page.keyboard.press("p")
    assert "How long" in page.locator("dialog").inner_text()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    assert page.locator("dialog").count() == 0
    places = []
    for key in ("Home", *["PageDown"] * 4, "PageUp"):
        page.keyboard.press(key)
        places.append(page.evaluate(PLACE))
    assert places == [
        [0, 0, 50, "1"],
        [1, 0, 50, "2"],
        [1, 1, 50, "2"],
        [4, 0, 50, "3"],
        [5, 0, 50, "4"],
        [4, 0, 50, "3"],
    ]
    assert page.locator(".deck-bar output").inner_text().startswith("3 / 4")
    assert "Slide 3 of 4: The root" in page.locator(".deck-bar output").text_content()

    for typed, expected in (("2.1", 2), ("demand", 3), ("4", 5)):  # by number and by title
        page.keyboard.press("g")
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        assert page.evaluate("deck.index") == expected, typed
    assert page.evaluate(AT_ONCE) == 1, "what was closed does not keep the keys"
    page.evaluate("deck.go(5)")
    page.keyboard.press("2")  # a number by itself
    page.keyboard.press("Enter")
    assert page.evaluate("deck.index") == 1
    page.keyboard.press("o")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert page.evaluate("deck.index") == 0
    page.keyboard.press("o")
    page.locator(".deck-card", has_text="Only on demand").click()
    assert page.evaluate("deck.index") == 3
    page.keyboard.press("PageDown")
    assert page.evaluate("deck.index") == 4, "from outside, the plan goes on"

    page.keyboard.press("b")
    assert page.locator(".deck-black").count() == 1
    page.keyboard.press("PageDown")
    assert page.evaluate("[deck.index, document.querySelectorAll('.deck-black').length]") == [4, 0]

    page.keyboard.press("g")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    page.keyboard.press("PageDown")
    page.evaluate("deck.started -= 7 * 60e3; deck.remember()")
    kept = page.evaluate("[deck.index, deck.shown, deck.started, deck.plan.minutes]")
    reload(page)
    assert page.evaluate("[deck.index, deck.shown, deck.started, deck.plan.minutes]") == kept
    page.keyboard.press("Escape")
    page.wait_for_function("!window.deck")
    page.keyboard.press("Alt+r")
    page.wait_for_function("window.deck")
    assert page.evaluate("[deck.index, deck.shown, deck.started, deck.plan.minutes]") == kept
    assert page.locator("dialog").count() == 0, "what is known is not asked"

    page.evaluate("deck.go(4)")
    page.keyboard.press("Enter")
    page.keyboard.type("s = 1")
    assert "s = 1" in str(page.evaluate(CELLS)), "in an editor, letters are letters"
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    page.wait_for_function("document.fullscreenElement")
    page.keyboard.press("f")
    page.wait_for_function("!document.fullscreenElement")


def test_ink_stays_where_it_was_drawn(page, desk, copy, tmp_path):
    open_slides(page, desk, copy)

    def draw_on(index: int, selector: str):
        page.evaluate("index => { deck.go(index, Infinity); return deck.ready }", index)
        page.wait_for_function("selector => deck.parts(selector).length", arg=selector)
        wait_until_steady(page.locator("body"))
        box = page.evaluate(
            """selector => { const on = deck.parts(selector)[0].getBoundingClientRect()
            return [on.x, on.y, on.width, on.height] }""",
            selector,
        )
        corners = [(0.1, 0.2), (0.3, 0.8), (0.5, 0.2)]
        drag(page, *[(box[0] + box[2] * x, box[1] + box[3] * y) for x, y in corners])
        return page.evaluate(UNDER, [selector])

    page.keyboard.press("d")
    text = draw_on(0, "p")
    picture = draw_on(5, "svg")
    assert len(text) == len(picture) == 1
    page.keyboard.press("2")
    page.keyboard.press("Escape")

    def still(index: int, selector: str, expected) -> bool:
        page.evaluate("index => { deck.go(index, Infinity); return deck.ready }", index)
        page.wait_for_function("selector => deck.parts(selector).length", arg=selector)
        wait_until_steady(page.locator("body"))
        page.evaluate("deck.fit(); deck.pen.redraw()")
        return page.evaluate(UNDER, [selector]) == [
            pytest.approx(one, abs=0.02) for one in expected
        ]

    for size in (WIDE, {"width": 1024, "height": 768}, PROJECTOR):
        page.set_viewport_size(size)
        assert still(5, "svg", picture), size
    page.set_viewport_size(WIDE)
    assert still(0, "p", text)
    page.wait_for_function("!jupyterapp.shell.currentWidget.context.model.dirty")
    reload(page)
    assert still(0, "p", text) and still(5, "svg", picture), "kept through a reload"

    saved = json.loads(copy.read_text("utf-8"))
    assert [len(cell["metadata"].get("ink", [])) for cell in saved["cells"]] == [1] + [0] * 7 + [1]
    original = desk.folder / "notebooks" / "small.ipynb"
    assert make_copy(original, desk.folder) != copy, "what has ink on it is never overwritten"
    exported = tmp_path / "deck.html"
    exported.write_text(export_deck(copy, frames=0), "utf-8")

    page.set_viewport_size(PROJECTOR)
    page.evaluate("deck.go(0)")
    page.keyboard.press("e")
    x, y = page.evaluate(
        """() => { const path = document.querySelector(".deck-ink path")
        const {x, y} = path.getPointAtLength(path.getTotalLength() / 3)
        return [x, y] }"""
    )
    page.mouse.click(x, y)
    assert page.locator(".deck-ink path").count() == 0, "rubbed out"
    page.keyboard.press("d")
    page.evaluate(
        """() => { const sheet = document.querySelector(".deck-ink")
        sheet.setPointerCapture = () => {}
        sheet.hasPointerCapture = () => true
        const touch = (type, clientX, clientY) => sheet.dispatchEvent(new PointerEvent(type,
            {pointerType: "touch", pointerId: 5, clientX, clientY, bubbles: true}))
        touch("pointerdown", 100, 100), touch("pointermove", 200, 120), touch("pointerup", 200, 120)
        touch("pointerdown", 100, 200), touch("pointermove", 200, 220), touch("pointerup", 200, 220)
        }"""
    )
    assert page.locator(".deck-ink path").count() == 2, "a finger draws too"
    page.keyboard.press("u")
    assert page.locator(".deck-ink path").count() == 1
    page.keyboard.press("c")
    assert page.locator(".deck-ink path").count() == 0
    page.keyboard.press("l")
    page.mouse.move(300, 300)
    assert page.locator(".deck-pointer").is_visible() and page.locator(".deck-pens").count() == 0

    page.goto(exported.as_uri())
    assert still(0, "p", text) and still(5, "svg", picture), "kept in the export"
    page.keyboard.press("d")
    draw_on(1, "p")
    reload(page)
    assert page.evaluate("[deck.index, document.querySelectorAll('.deck-ink path').length]") == [
        1,
        1,
    ]
    faults = violations(page)
    for key in "?op":
        page.keyboard.press(key)
        faults += violations(page, "dialog")
        page.keyboard.press("Escape")
    assert not faults


def test_the_window_of_the_notes(page, desk, copy):
    open_slides(page, desk, copy)
    page.evaluate("window.opened = window.open; window.open = () => null")
    page.keyboard.press("s")
    assert "Allow pop-ups" in page.get_by_role("alert").inner_text()
    page.evaluate("window.open = window.opened; deck.choose(80)")
    with page.expect_popup() as popup:
        page.keyboard.press("s")
    notes = popup.value
    assert page.get_by_role("alert").count() == 0

    def standing(minute: float) -> str:
        page.evaluate(
            "minute => { deck.started = Date.now() - minute * 60e3; deck.notes.tick() }", minute
        )
        return notes.locator(".deck-standing").inner_text()

    assert notes.locator("h1").inner_text() == "One"
    assert {"Say so.", "⟨w,x⟩ ≥ 0", "Two", "The first step."} <= set(
        notes.locator("p").all_inner_texts()
    )
    assert notes.locator("math").count() == 0
    notes.keyboard.press("PageDown")
    assert page.evaluate("[deck.index, deck.shown]") == [1, 0]
    assert "Only in 80 minutes" in notes.locator(".deck-after").inner_text()
    assert "done by minute 4 of 13" in notes.locator(".deck-where").inner_text()
    assert standing(3) == "On time."
    assert standing(6.5) == "2 minutes behind: by now slide 3, Only in 80 minutes."
    assert standing(0.5) == "A minute ahead: by now slide 1, One."
    notes.get_by_role("button", name="Pause").click()
    paused = notes.locator(".deck-elapsed").inner_text()
    page.evaluate("deck.paused -= 0; deck.notes.tick()")
    assert notes.locator(".deck-elapsed").inner_text() == paused == "0:30"
    notes.get_by_role("button", name="Go on").click()
    notes.get_by_role("button", name="Reset").click()
    assert notes.locator(".deck-elapsed").inner_text() == "0:00"
    notes.get_by_role("button", name="Reset").press("p")
    assert notes.locator("dialog h2").inner_text() == "How long is this lecture?"
    notes.keyboard.press("Escape")
    notes.keyboard.press("4")
    notes.keyboard.press("Enter")
    assert notes.locator("h1 math msqrt").count() == 1, "formulas are drawn"
    assert notes.locator("pre").inner_text() == "# Add\ntotal = 1 + 1\nprint(total)"
    assert "monospace" in notes.locator("pre").evaluate("code => getComputedStyle(code).fontFamily")

    reload(page)
    page.wait_for_function("deck.notes.isOpen")
    assert len(page.context.pages) == 2, "the window is found again, and no other opened"
    notes.keyboard.press("Home")
    notes.keyboard.press("PageDown")
    assert page.evaluate("[deck.index, deck.shown]") == [1, 0], "a key counts once"
    assert notes.locator("h1").inner_text() == "Two"

    faults = []
    for theme, scheme in (("JupyterLab Dark", "dark"), ("JupyterLab Light", "light")):
        page.evaluate(
            "theme => jupyterapp.commands.execute('apputils:change-theme', {theme})", theme
        )
        page.wait_for_function(
            "light => document.body.dataset.jpThemeLight === light",
            arg=str(scheme == "light").lower(),
        )
        notes.emulate_media(color_scheme=scheme)
        page.keyboard.press("d")
        page.mouse.move(5, 5)
        faults += violations(page, ".deck-bar") + violations(page, ".deck-pens")
        page.keyboard.press("Escape")
        for key in "?op":
            page.keyboard.press(key)
            assert page.evaluate("document.activeElement.closest('dialog') !== null")
            faults += violations(page, "dialog")
            page.keyboard.press("Escape")
        faults += violations(notes)
        notes.keyboard.press("o")
        faults += violations(notes)
        notes.keyboard.press("Escape")
    assert not faults
    page.keyboard.press("Escape")
    assert "closed" in notes.locator(".deck-standing").inner_text()


def test_a_room_can_read_every_slide(page, tmp_path):
    page.set_viewport_size(PROJECTOR)
    faults = []
    for path in NOTEBOOKS:
        deck = tmp_path / f"{path.stem}.html"
        deck.write_text(export_deck(path, frames=0), "utf-8")
        page.goto(deck.as_uri())
        for index in range(page.evaluate("deck.slides.length")):
            page.evaluate("index => deck.go(index, Infinity)", index)
            small = page.evaluate(SMALL_TEXT, [SMALLEST, LEFT_ALONE])
            small += page.evaluate(OPENING)
            faults += [f"{path.stem}, slide {index + 1}: {text}" for text in small]
    assert not faults
    smaller = f"limits => {{ deck.content.style.zoom = 1.2; return ({SMALL_TEXT})(limits) }}"
    assert page.evaluate(smaller, [SMALLEST, LEFT_ALONE]), "too small is seen"
