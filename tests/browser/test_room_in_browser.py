"""A vote in a lecture: the notebook in JupyterLab, three phones, one without JavaScript."""

import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from coursekit.browser import violations, wait_until_steady
from coursekit.contents import KERNEL

pytestmark = pytest.mark.browser
NETWORK = "127.0.0.2"  # a name of this machine that is not the one before phones are let in
SETUP = """import os
os.environ.update({settings})
from coursekit.lecture.room import server as room_server
room_server.PORT = 0
room_server._own_address = lambda: "{network}"
from halfspaces.notebook.questions import Predict, Question"""
PROMISE = r"""## The promise

At most $(R/\gamma)^2$ mistakes, and $\sqrt{t}$: see [another lecture](lecture.ipynb).

*Proof.* $c^\top Gc=\sum_{i,j}c_ic_j\langle\varphi(x_i),\varphi(x_j)\rangle+\sum_i(a_i+b_i)\ge0$."""
TYPED = """# How often is it wrong?
mistakes = sum([1, 2, 3])
print(mistakes)"""
NUMBER = """guess = Predict(
    id="05-many", text=r"How many mistakes does the perceptron make, if $R/\\gamma=7$?",
    number="mistakes", why=r"Each update gains $\\gamma$.")
guess"""
REVEAL = "guess.reveal(28, bound=49)"
CELL = r"""Question(
    id="05-scale",
    text=r"Every point of a separable sample is multiplied by 10, and we run again "
         r"from $w_0=0$ in the same order. What happens to the bound $(R/\gamma)^2$ "
         r"and to the mistakes?",
    choices=[r"The bound is 100 times larger, since $R$ is 10 times larger.",
             "Neither the bound nor the mistakes change.",
             "The bound stays, but longer steps mean fewer mistakes.",
             "The bound is 100 times smaller, since the margin is 10 times larger."],
    answer="B",
    misconceptions={"A": r"$R$ grows, but $\gamma$ grows with it: both are lengths.",
                    "C": "The steps are 10 times longer, as is all that they overcome.",
                    "D": r"$\gamma$ grows, but $R$ grows with it: both are lengths."},
    hint=r"Follow one update: if $w$ becomes $10w$ and $z$ becomes $10z$, which signs change?",
    explanation=r"By induction $w_t$ becomes $10w_t$: every $\langle w,z\rangle$ is "
                r"multiplied by 100, no sign changes, and the same points are mistakes. "
                r"$R/\gamma$ is a ratio of lengths.")"""
PHONE = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
PICTURES = os.environ.get("ROOM_PICTURES")  # a folder for pictures of every step, to be looked at
THEME = os.environ.get("ROOM_THEME", "light")


def write_lecture(folder: Path, votes: Path) -> None:
    """Write a notebook with two questions, for a lecturer whose kernel has a room."""
    settings = {
        "HALFSPACES_ROOM": "coursekit.lecture.room.panel",
        "HALFSPACES_VOTES": str(votes),
        "HALFSPACES_PROGRESS": "",
    }
    output = {"show": "output"}
    cells = [
        code(SETUP.format(settings=settings, network=NETWORK), slide_type="skip"),
        text(PROMISE, "slide"),
        code(TYPED),
        code(CELL, slide_type="slide", **output),
        code(NUMBER, slide_type="slide", **output),
        code(REVEAL, slide_type="slide", **output),
    ]
    cells[2].metadata["solution"] = TYPED
    book = nbformat.v4.new_notebook(cells=cells)
    book.metadata["kernelspec"] = KERNEL
    nbformat.write(book, folder / "lecture.ipynb")


def code(source: str, **slide: str) -> Any:
    return nbformat.v4.new_code_cell(source, metadata={"slideshow": slide})


def text(source: str, slide_type: str) -> Any:
    return nbformat.v4.new_markdown_cell(source, metadata={"slideshow": {"slide_type": slide_type}})


class Phone:
    """Be one student."""

    def __init__(self, browser: Any, address: str, **options: Any):
        self.context = browser.new_context(**PHONE | options)
        self.errors: list[str] = []
        self.page = self.tab(address)

    def tab(self, address: str) -> Any:
        """Open another page of the same browser."""
        page = self.context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda line: line.type == "error" and self.errors.append(line.text))
        page.goto(address)
        return page

    def vote(self, letter: str, page: Any = None) -> None:
        page = page or self.page
        page.locator(f"button[value={letter}]").tap()
        page.get_by_text(f"Your vote is {letter}").wait_for()

    def see(self, text: str) -> None:
        """Wait until the page says so, with nobody touching it."""
        self.page.get_by_text(text).first.wait_for()

    def check(self, name: str) -> None:
        """Look at the page in light and dark: nothing is too wide, and axe finds nothing."""
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            assert violations(self.page) == [], name
            picture(self.page, f"{scheme}-phone-{name}")
        assert self.page.evaluate("document.documentElement.scrollWidth") <= 360, name


def picture(page: Any, name: str, place: Any = None) -> None:
    if PICTURES:
        (place or page).screenshot(path=f"{PICTURES}/{name}.png")


def turn(page: Any) -> None:
    """Go to the next slide, and wait until its cells have run."""
    page.keyboard.press("PageDown")
    page.evaluate("deck.ready")


def test_a_lecture(page, desk, tmp_path):
    write_lecture(desk.folder, tmp_path / "votes")
    page.set_viewport_size({"width": 1280, "height": 720})
    sheet = desk.open(page, "lecture.ipynb?slides")
    if THEME != "light":
        theme = f"JupyterLab {THEME.capitalize()}"
        page.evaluate(
            "theme => jupyterapp.commands.execute('apputils:change-theme', {theme})", theme
        )
    page.wait_for_function("window.deck")
    page.evaluate("deck.ready")
    page.get_by_role("link", name="another lecture").click()
    page.get_by_role("alert").filter(has_text="Links to other notebooks rest").wait_for()
    turn(page)
    page.locator("button:has-text('Ask the room')").click()
    panel = page.locator(".room-panel")
    panel.get_by_text("Press “Let phones in”.").wait_for()
    assert not panel.locator("svg").count()  # no QR code of this computer
    picture(page, f"{THEME}-panel-0-closed")
    panel.locator("button:has-text('Let phones in')").click()
    address = panel.locator("a[href*='127.0.0.2']").first.get_attribute("href")
    assert re.fullmatch(r"http://127\.0\.0\.2:\d+/[A-Z]{5}", address)
    page.wait_for_function("!deck.overflow().length")  # once it has been laid out anew
    wait_until_steady(panel)
    qr = panel.locator("[role=img] svg").bounding_box()
    assert (
        qr["width"] >= 380
        and qr["y"] + qr["height"] <= 720
        and page.evaluate("deck.overflow()") == []
    )
    words = panel.get_by_text("Every point of a separable").first
    assert words.evaluate("e => parseFloat(getComputedStyle(e).fontSize) * deck.size") >= 20
    picture(page, f"{THEME}-panel-1-open")
    browser = page.context.browser
    phones = [
        Phone(browser, address.lower() + "/"),
        Phone(browser, address),
        Phone(browser, address, java_script_enabled=False, color_scheme=THEME),
    ]
    assert phones[0].page.url == address
    for button in phones[0].page.locator("button").all():
        assert button.bounding_box()["height"] >= 44
    assert phones[0].page.locator("math").first.bounding_box()["width"] > 5
    phones[0].page.keyboard.press("Tab")  # by keyboard
    phones[0].page.keyboard.press("Enter")
    phones[0].see("Your vote is A")
    phones[0].check("1-voted")
    phones[1].vote("C")
    phones[2].vote("D")
    second = phones[0].tab(address)  # changes, in another tab and by other spellings
    phones[0].vote("B", second)
    for spelled in (address.lower(), f"{address}/?x", address.replace(NETWORK, "127.0.0.1")):
        second.goto(spelled)
        second.reload()
        assert second.url == address
        phones[0].vote("C", second)
    second.close()
    panel.get_by_text("3 votes").wait_for()
    picture(page, f"{THEME}-panel-2-votes")

    # Round one is the lecturer's alone
    own = Phone(browser, panel.get_by_text("Your own window").get_attribute("href"))
    rows = own.page.locator("tr").all_inner_texts()[1:]
    assert [row.split()[1] for row in rows] == ["0", "0", "2", "1"]
    panel.locator("button:has-text('Close round one')").click()
    panel.get_by_text(re.compile(r"^[12]:\d\d$")).wait_for()
    assert not panel.locator("table").count()
    panel.locator("button:has-text('Ask why')").click()
    for phone in phones:  # the one without JavaScript follows too
        phone.see("convince each other")
    phones[1].see("Why? One sentence")
    sentence = "Both are <b>lengths</b>, $R$ too."
    phones[1].page.locator("textarea").fill(sentence)
    phones[1].page.get_by_role("button", name="Send").tap()
    phones[1].see("Your sentence has arrived")
    phones[1].check("2-why")
    own.page.get_by_role("button", name=sentence).tap()
    panel.locator("blockquote", has_text=sentence).wait_for()
    own.page.get_by_text("Where slides have lost").tap()  # an open fold keeps it from reloading
    own.check("3-desk")
    picture(page, f"{THEME}-panel-3-discussion")

    # Round two
    panel.locator("button:has-text('Open round two')").click()
    panel.locator("button:has-text('Close round two'):enabled").wait_for()
    phones[2].page.goto(address)  # where a sentence may be typed, it does not reload by itself
    for phone, letter in zip(phones, "BBD"):
        phone.see("Round two")
        phone.vote(letter)
    panel.get_by_text("3 votes", exact=True).wait_for()
    assert not panel.locator("table").count()
    panel.locator("button:has-text('Close round two')").click()
    panel.get_by_text("Round two is closed").wait_for()
    panel.locator("button:has-text('Show results')").click()
    panel.locator("table").wait_for()
    cells = [row.locator("td").all_inner_texts() for row in panel.locator("tr").all()[1:]]
    counts = [[int(text.split()[0]) for text in row] for row in cells]
    assert counts == [[0, 0], [0, 2], [2, 0], [1, 1]]
    right = panel.locator("tr", has=page.locator("th:has-text('✓ right')"))
    assert right.locator("th").inner_text().startswith("B")
    first, last = (cell.bounding_box() for cell in panel.locator("tr").nth(1).locator("td").all())
    assert first["y"] == last["y"] and first["x"] + first["width"] <= last["x"] + 1  # side by side
    for said in ("Why B.", "Behind A:", "Behind C:", "Behind D:", "0 % right in round one, 67 %"):
        panel.get_by_text(said).first.wait_for()
    for phone in phones:
        phone.see("✓ right")
    phones[0].check("4-shown")
    page.wait_for_timeout(500)  # mathematics
    picture(page, f"{THEME}-panel-4-results")
    assert violations(page, ".room-panel") == []

    # Followers
    page.keyboard.press("PageUp")
    turn(page)
    panel.locator("button:has-text('Slides on phones')").click()
    page.keyboard.press("r")
    door = page.locator("dialog")
    door.locator("[role=img] svg").wait_for()
    assert door.locator("a").first.get_attribute("href") == address
    assert violations(page, "dialog") == []
    picture(page, f"{THEME}-door")
    door.get_by_role("button", name="Slides off phones").click()
    door.get_by_role("button", name="Slides on phones").click()
    page.keyboard.press("Escape")
    phones[0].page.get_by_role("link", name="Slide").tap()
    phones[0].see("Every point of a separable")
    page.keyboard.press("PageUp")
    phones[0].see("The promise")
    phones[0].see("mistakes = sum")
    phones[0].page.get_by_role("button", name="Lost me here").tap()
    phones[0].see("this slide lost you")
    phones[0].page.get_by_role("button", name="Copy").first.tap()
    phones[0].page.get_by_role("button", name="Copied").wait_for()
    phones[0].check("5-slide")

    # Numbers
    turn(page)
    turn(page)
    page.locator(".deck-heading").wait_for()  # a vote hides that of its own slide alone
    page.locator("button:has-text('Ask the room')").last.click()
    panel = page.locator(".room-panel").last
    panel.locator("[role=img] svg").wait_for()
    wait_until_steady(panel)
    picture(page, f"{THEME}-panel-5-number")
    assert page.evaluate("deck.overflow()") == []
    phones[0].see("The room is voting")
    phones[0].page.get_by_role("link", name="Vote here").tap()
    for phone, number in zip(phones, ("3", "28", "400")):
        phone.see("How many mistakes does")
        phone.page.locator("#number").fill("many" if number == "3" else number)
        phone.page.get_by_role("button", name="Send").tap()
        if number == "3":
            phone.see("A number is expected here")
            phone.check("6-number")
            phone.page.locator("#number").fill(number)
            phone.page.get_by_role("button", name="Send").tap()
        phone.see(f"Your number is {number}")
    turn(page)
    shown = page.get_by_role("img", name="Histogram of the room's numbers")
    shown.locator("visible=true").wait_for()
    for said in ("truth 28", "bound 49"):
        shown.get_by_text(said).locator("visible=true").wait_for()
    phones[2].see("too high by a factor of 14.3")
    picture(page, f"{THEME}-panel-6-numbers")
    assert page.evaluate("deck.overflow()") == []

    # To take home
    own.page.reload()
    own.page.get_by_role("button", name="Write the page to take home").tap()
    own.see("Written:")
    own.page.get_by_text("Where slides have lost").tap()
    own.see("Slide 1, The promise: 1")
    (made,) = (tmp_path / "export").iterdir()
    home = Phone(browser, made.as_uri())
    for said in ("mistakes = sum", "Behind C:", "0 % right in round one", "truth 28", sentence):
        home.see(said)
    home.check("7-takehome")
    refused = [
        line for line in phones[0].errors if "422" not in line
    ]  # what Chromium says of an answer that refuses
    assert sheet.errors == [] and sheet.tracebacks() == []
    assert [refused, phones[1].errors, phones[2].errors, own.errors, home.errors] == [[]] * 5
