"""Exports show all: nothing is cut or wrapped, links lead somewhere, dark is dark."""

import io
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from coursekit.browser import violations, wait_until_steady
from coursekit.contents import all_notebooks, find_notebook
from coursekit.formulas import style
from coursekit.homework.grading.feedback import Section, template
from coursekit.lecture.slides import export_deck
from coursekit.publish.export import export
from markupsafe import Markup
from PIL import Image

pytestmark = pytest.mark.browser
SIZES = [(1280, 720), (1024, 768), (1920, 1080)]
FRAMES = 8  # of a live view: enough for all its controls
MOVING = ["05", "08"]  # whose decks are made as a lecturer makes them
if os.environ.get("HALFSPACES_ALL_DECKS"):  # seven minutes more
    MOVING = [path.stem for path in all_notebooks()]
DECKS = [*((path.stem, 0) for path in all_notebooks()), *((name, FRAMES) for name in MOVING)]

# What a reader would call cut or wrapped, told without what the deck itself measures.
FAULTS = """async () => {
    const frame = () => new Promise(requestAnimationFrame)
    const found = []
    for (let index = 0; index < deck.slides.length; index++) {
        deck.go(index, Infinity)
        await deck.ready
        await frame()
        await frame()
        const parts = selector => deck.slides[index].flatMap(
            cell => [...cell.node.querySelectorAll(selector)]).filter(
            part => part.checkVisibility() && part.getBoundingClientRect().width)
        const say = (part, fault) => found.push(
            `slide ${index + 1}: ${part.tagName.toLowerCase()} "${
            part.textContent.trim().slice(0, 30)}" ${fault}`)
        for (const part of parts("pre, img, table, math, p, li, h1, h2, h3, .live-view")) {
            const {right, bottom, left, top} = part.getBoundingClientRect()
            if (right > innerWidth + 1 || left < -1) say(part, "is cut at the side")
            if (bottom > innerHeight + 1 || top < -1) say(part, "is cut below")
        }
        for (const part of parts(".highlight pre, .jp-RenderedText pre, math, table")) {
            if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth) say(part, "is cut")
        }
        for (const pre of parts(".highlight pre, .jp-RenderedText pre")) {
            const lines = pre.textContent.trimEnd().split("\\n").length
            const {lineHeight, paddingTop, paddingBottom} = getComputedStyle(pre)
            const inner = pre.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom)
            if (inner / parseFloat(lineHeight) > lines + 0.6) say(pre, "is wrapped")
        }
    }
    return found }"""


@cache
def deck_of(name: str, frames: int) -> str:
    return export_deck(find_notebook(name), frames)


def open_page(page: Any, folder: Path, text: str) -> None:
    """Open a page that has been made, and wait for its fonts and players."""
    path = folder / "page.html"
    path.write_text(text, encoding="utf-8")
    page.goto(path.as_uri())
    page.evaluate("document.fonts.ready")
    wait_until_steady(page.locator("body"))


@pytest.mark.parametrize(("name", "frames"), DECKS)
def test_nothing_of_a_deck_is_cut_or_wrapped(page, tmp_path, name, frames):
    open_page(page, tmp_path, deck_of(name, frames))
    faults = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        faults += [f"{width} x {height}: {fault}" for fault in page.evaluate(FAULTS)]
    assert faults == []


def test_what_is_cut_or_wrapped_is_seen(page, tmp_path):
    open_page(page, tmp_path, deck_of("09", 0))
    page.set_viewport_size({"width": 1280, "height": 720})
    page.evaluate("""() => {
        deck.fit = () => { deck.content.style.zoom = 1 }
        const cells = deck.slides.flat().map(cell => cell.node)
        const first = selector => cells.map(node => node.querySelector(selector)).find(Boolean)
        first("h1").style.cssText = "position: relative; left: 1300px"
        first("math[display=block]").parentElement.style.width = "60px"
        const shown = cells.filter(node => !node.matches(".deck-output-only"))
        const code = shown.map(node => node.querySelector(".highlight pre")).find(
            pre => pre && !pre.closest("details"))
        code.style.cssText = "white-space: pre-wrap; width: 60px" }""")
    said = page.evaluate(FAULTS)
    for tag, fault in (("h1", "is cut at the side"), ("math", "is cut"), ("pre", "is wrapped")):
        assert any(f": {tag} " in line and line.endswith(fault) for line in said), fault


def white(page: Any) -> float:
    """Return how much of what is in sight is nearly white."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("L")
    return float((np.asarray(picture) > 235).mean())


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["05", "09"])
def test_pages_and_decks_are_accessible_in_both_themes(page, tmp_path, name, scheme):
    page.emulate_media(color_scheme=scheme)
    open_page(page, tmp_path, export(find_notebook(name), frames=0))
    assert violations(page) == []
    open_page(page, tmp_path, deck_of(name, FRAMES if name in MOVING else 0))
    whites = []
    for index in range(page.evaluate("deck.slides.length")):
        page.evaluate("index => { deck.go(index, Infinity); return deck.ready }", index)
        whites.append(white(page))
    assert violations(page) == []
    assert max(whites) < 0.1 if scheme == "dark" else min(whites) > 0.3


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_feedback_is_accessible_and_shows_formulas(page, tmp_path, scheme):
    page.emulate_media(color_scheme=scheme)
    proof = r"Let $w\in\mathbb{R}^d$, then $$\lVert w\rVert\le\frac{\eta}{\sqrt t}$$ by $\foo$."
    section = Section(
        "1 A proof", "2 of 3", ["`x` was 3"], False, proof, proof, proof, "So be it.", "data:,", "a"
    )
    text = template().render(
        title="hw01: you",
        blue="#0072b2",
        formulas=Markup(style()),
        sections=[section],
        name="hw01",
        penalty=0,
        is_final=True,
        points="2 of 3",
        odd="",
    )
    open_page(page, tmp_path, text)
    assert page.locator("math").count() == 6 and page.locator("code.tex, code").count() >= 3
    assert page.evaluate("document.fonts.check('1em \"Halfspaces Math\"')")
    assert violations(page) == []
    assert white(page) < 0.1 if scheme == "dark" else white(page) > 0.3
