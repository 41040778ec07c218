"""The built site in Chromium, on loopback: every page loads, moves, answers, and has no barrier."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from coursekit.browser import browse, violations

pytestmark = pytest.mark.browser
PARTS = 4  # processes among which the pages are shared
CONTRAST = """async () => {
    const {violations} = await axe.run(document, {runOnly: ["color-contrast"]})
    return violations.flatMap(({nodes}) => nodes.map(({target}) => target.join(" "))) }"""
OVER = "document.documentElement.scrollWidth - innerWidth"  # by which a page scrolls sideways
SMALLEST, USUAL = {"width": 320, "height": 640}, {"width": 1280, "height": 1000}
# Pictures whose letters, of 10 points, would be smaller than 9 pixels, or that scroll for no key
SMALL = """() => [...document.querySelectorAll(".picture:has(img[width]), .live-picture")]
.filter(picture => {
    const drawn = picture.querySelector("img, .live-stage > svg")
    const shown = drawn.getBoundingClientRect().width / drawn.getAttribute("width")
    const scrolls = picture.scrollWidth > picture.clientWidth + 1
    const small = 13.9 * shown < 9
    return drawn.checkVisibility() && (small || scrolls !== picture.matches("[tabindex]"))
}).map(picture => picture.outerHTML.slice(0, 200))"""
FRAME = "new Promise(requestAnimationFrame)"  # before it a page hears that it has another size
OPEN = "for (const fold of document.querySelectorAll('details')) fold.open = true"
# What is inside is checked on one page: axe would look at each of 100 000 letters.
EMPTY = "for (const part of document.querySelectorAll('math, pre')) part.replaceChildren()"


class Watched:
    """Hold a page, and what went wrong on it."""

    def __init__(self, page: Any, url: str):
        self.page, self.url = page, url
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(f"{page.url}: {error}"))
        page.on("console", self._note)
        page.on("request", self._watch)

    def _note(self, line: Any) -> None:
        if line.type == "error":
            self.faults.append(f"{self.page.url}: {line.text}")

    def _watch(self, request: Any) -> None:
        if not request.url.startswith((self.url, "data:", "blob:")):
            self.faults.append(f"{self.page.url} asks for {request.url}")

    def open(self, name: str) -> Any:
        """Open a page of the site."""
        self.page.goto(f"{self.url}/{name}")
        return self.page


@pytest.fixture
def watched(served) -> Iterator[Watched]:
    with browse(reduced_motion="reduce") as page:
        watched = Watched(page, served.url)
        yield watched
        assert watched.faults == []


def show_theme(page: Any, theme: str) -> None:
    """Let the system ask for a theme, and wait until the page has it."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function("theme => document.documentElement.dataset.theme === theme", arg=theme)


@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_loads_and_has_no_barrier(watched, served, part):
    sizes = {name: len(served.text(name)) for name in served.kinds}
    for name in sorted(sizes, key=lambda name: -sizes[name])[part::PARTS]:
        page = watched.open(f"{name}.html")
        assert page.evaluate(OVER) <= 0, name
        assert page.locator("h1").bounding_box()["y"] < 500, name
        page.evaluate(OPEN)
        page.set_viewport_size(SMALLEST)
        page.evaluate(FRAME)
        assert page.evaluate(OVER) <= 0, name
        assert page.evaluate(SMALL) == [], name
        page.set_viewport_size(USUAL)
        page.evaluate(EMPTY)
        show_theme(page, "light")
        assert violations(page) == [], name
        show_theme(page, "dark")
        assert page.evaluate(CONTRAST) == [], name


@pytest.mark.parametrize("part", range(PARTS))
def test_every_live_picture_moves(watched, served, part):
    moved = expected = 0
    for name in served.of_kind("notebook")[part::PARTS]:
        page = watched.open(f"{name}.html")
        expected += served.text(name).count('class="live-player"')
        for place in page.locator(".live-player").all():
            place.scroll_into_view_if_needed()
            view = place.locator(".live-view")
            view.wait_for()
            before = place.locator("svg").first.inner_html()
            control = view.locator(
                "input[type=range], input[type=radio], .live-points button"
            ).first
            control.focus()
            for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowLeft", "f"):
                page.keyboard.press(key)
                if place.locator("svg").first.inner_html() != before:
                    break
            assert place.locator("svg").first.inner_html() != before, (name, moved)
            moved += 1
        assert page.locator(".replaced:visible").count() == 0
    assert moved == expected > 0


def test_a_notebook_with_all_its_letters_has_no_barrier(watched):
    page = watched.open("04-perceptron.html")
    page.evaluate(OPEN)
    assert violations(page) == []
    show_theme(page, "dark")
    assert page.evaluate(CONTRAST) == []


def test_questions_and_predictions_are_remembered(watched, tmp_path):
    page = watched.open("05-mistake-bound.html")
    question = page.locator("[data-id='05-growth']")
    question.get_by_role("button", name="Vote A").click()
    assert "Think again" in question.locator(".verdict").inner_text()
    question.get_by_role("button", name="Vote B").focus()
    page.keyboard.press("Enter")
    told = question.locator(".verdict").inner_text()
    assert "You went from A to B, which is right." in told and "Behind A:" in told
    prediction = page.locator(".prediction[data-kind=number]").first
    name = prediction.get_attribute("data-id")
    prediction.locator("input").fill("many")
    prediction.get_by_role("button", name="Commit").click()
    assert "A number is expected" in prediction.locator(".verdict").inner_text()
    prediction.locator("input").fill("1e9")
    page.keyboard.press("Enter")
    answer = page.locator(f"[data-reveals='{name}']")
    assert "too high by a factor" in answer.locator(".compared").inner_text()

    page.reload()
    assert "which is right" in page.locator("[data-id='05-growth'] .verdict").inner_text()
    assert page.locator(f".prediction[data-id='{name}'] input").input_value() == "1e9"
    kept = json.loads(page.evaluate("localStorage['halfspaces-progress']"))
    assert kept["version"] == 1 and kept["questions"]["05-growth"]["votes"] == ["A", "B"]
    [[when, grade]] = kept["questions"]["05-growth"]["history"]
    assert grade == "hard" and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", when)
    assert kept["predictions"][name]["said"] == "1e9" and kept["predictions"][name]["truth"]

    page = watched.open("index.html")
    row = page.locator(".map li", has=page.locator("a[href='05-mistake-bound.html']"))
    assert "questions 1 of" in row.locator(".done").inner_text()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download progress.json").click()
    download.value.save_as(tmp_path / "progress.json")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Forget everything").click()
    assert row.locator(".done").is_hidden()
    (tmp_path / "other.json").write_text("[1]")
    page.locator(".keeping input").set_input_files(tmp_path / "other.json")
    page.get_by_text("nothing was changed").wait_for()
    page.locator(".keeping input").set_input_files(tmp_path / "progress.json")
    page.get_by_text("Taken over.").wait_for()
    assert "questions 1 of" in row.locator(".done").inner_text()


def test_progress_is_of_the_form_that_notebooks_read(watched, tmp_path, monkeypatch):
    from halfspaces.notebook import memory

    page = watched.open("01-halfspaces.html")
    box = page.locator(".question").first
    name = box.get_attribute("data-id")
    for _ in range(2):
        box.get_by_role("button", name="Vote A").click()
    (tmp_path / "progress.json").write_text(page.evaluate("localStorage['halfspaces-progress']"))
    monkeypatch.setenv("HALFSPACES_PROGRESS", str(tmp_path / "progress.json"))
    assert memory.recall("questions", name)["votes"] == ["A", "A"]


def test_search_previews_themes_and_the_keyboard(watched):
    page = watched.open("index.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.locator(".moving img").get_attribute("src").endswith("proof.png")  # less motion
    page.get_by_role("searchbox").fill("Radon's theorem")
    page.keyboard.press("Enter")
    page.locator(".results li").first.wait_for()
    found = page.locator(".results a").evaluate_all("links => links.map(link => link.href)")
    assert any("/03-separability.html#" in link for link in found[:5])
    page.goto(f"{watched.url}/search.html?q=%3Cimg%20src%3Dx%3E")
    page.get_by_text("Nothing has").wait_for()

    page = watched.open("05-mistake-bound.html#proposition-5-7")
    assert page.locator("#proposition-5-7").is_visible()  # it stands in a fold
    page.locator("a.ref:visible").first.focus()
    preview = page.get_by_role("tooltip")
    preview.wait_for()
    assert len(preview.inner_text()) > 20
    page.keyboard.press("Escape")
    assert preview.count() == 0
    page.locator("a.term:visible").first.hover()
    preview.wait_for()
    page.get_by_role("button", name="Switch to the dark theme").click()
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_a_page_loaded_again_stays_where_it_was(watched):
    page = watched.open("01-halfspaces.html")
    page.set_viewport_size({"width": 390, "height": 800})
    players = page.locator(".live-player")
    place = "document.querySelectorAll('.live-player')[1].getBoundingClientRect().top"
    for player in players.all()[:2]:
        player.scroll_into_view_if_needed()
        player.locator("svg").first.wait_for()
    page.evaluate(f"scrollBy(0, 300 + {place})")  # into the picture
    before = page.evaluate(place)
    page.reload()
    players.nth(1).locator("svg").first.wait_for()
    page.wait_for_function(f"before => Math.abs({place} - before) < 3", arg=before)


def test_scripts_are_not_needed(served):
    with browse(java_script_enabled=False, viewport={"width": 390, "height": 844}) as page:
        page.goto(f"{served.url}/05-mistake-bound.html")
        words = " ".join(page.locator("article").inner_text().split())
        assert "wrong predictions are never more than updates" in words
        assert page.locator(".picture img").first.is_visible()
        assert page.locator("article math").first.bounding_box()["width"] > 3
        page.locator(".question summary").first.click()
        assert page.locator(".question .why").first.is_visible()
        assert page.locator(".waiting:visible").count() == 0  # what would never come


KEPT = "localStorage['halfspaces-progress']"


def vote(page: Any, letter: str) -> str:
    """Vote in the first question; return what is said of it."""
    box = page.locator(".question").first
    box.get_by_role("button", name=f"Vote {letter}").click()
    return box.locator(".verdict").inner_text()


def test_progress_is_not_lost_and_not_needed(watched):
    page = watched.open("00-start-here.html")
    newer = json.dumps({"version": 2, "votes": ["of another form"]})
    page.evaluate(f"text => {{ {KEPT} = text }}", newer)
    page.reload()
    assert "You voted A" in vote(page, "A") and page.evaluate(KEPT) == newer
    page.evaluate(f"{KEPT} = '{{broken'")
    page.reload()
    assert "You voted A" in vote(page, "A")
    kept = page.evaluate("Object.entries(localStorage)")
    assert [text for name, text in kept if "-broken-" in name] == ["{broken"]
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('none') }})"
    )
    page.reload()
    assert "You voted A" in vote(page, "A") and "both times" in vote(page, "A")
    assert page.evaluate("document.activeElement.ariaLabel") == "Vote A"  # the focus stays
    prediction = page.locator(".prediction").first
    if prediction.get_attribute("data-kind") == "choice":
        prediction.get_by_role("button").first.click()
    else:
        prediction.locator("input, textarea").fill("7")
        prediction.get_by_role("button", name="Commit").click()
    assert "Noted" in prediction.locator(".verdict").inner_text()
