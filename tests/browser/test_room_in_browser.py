"""A vote in a lecture: the notebook in JupyterLab, three phones, one without JavaScript."""

import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from coursekit.contents import KERNEL

pytestmark = pytest.mark.browser
CELL = r"""from coursekit.lecture.room import server as room_server
room_server.PORT = 0
from halfspaces.notebook.questions import Question
Question(
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
    "viewport": {"width": 360, "height": 640},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
PICTURES = os.environ.get("ROOM_PICTURES")  # a folder for pictures of every step, to be looked at
THEME = os.environ.get("ROOM_THEME", "light")


def write_lecture(folder: Path, votes: Path) -> None:
    """Write a notebook with one question, for a lecturer whose kernel has a room."""
    settings = {"HALFSPACES_ROOM": "coursekit.lecture.room.panel", "HALFSPACES_VOTES": str(votes)}
    cells = [f"import os\nos.environ.update({settings})", CELL]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    book.metadata["kernelspec"] = KERNEL
    nbformat.write(book, folder / "lecture.ipynb")


class Phone:
    """Be one student."""

    def __init__(self, browser: Any, address: str, **options: Any):
        self.page = browser.new_context(**PHONE | options).new_page()
        self.page.set_default_timeout(30_000)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: line.type == "error" and self.errors.append(line.text))
        self.page.goto(address)

    def vote(self, letter: str) -> None:
        self.page.locator(f"button[value={letter}]").tap()
        self.page.get_by_text(f"Your vote is {letter}").wait_for()

    def see(self, text: str) -> None:
        """Wait until the page says so, with nobody touching it."""
        self.page.get_by_text(text).first.wait_for()


def picture(page: Any, name: str, place: Any = None) -> None:
    if PICTURES:
        (place or page).screenshot(path=f"{PICTURES}/{name}.png")


def test_a_lecture(page, desk, tmp_path):
    write_lecture(desk.folder, tmp_path / "votes")
    page.set_viewport_size({"width": 1280, "height": 720})
    sheet = desk.open(page, "lecture.ipynb")
    if THEME != "light":
        theme = f"JupyterLab {THEME.capitalize()}"
        page.evaluate(
            "theme => jupyterapp.commands.execute('apputils:change-theme', {theme})", theme
        )
    sheet.command("notebook:run-all-cells")
    page.locator("button:has-text('Ask the room')").click()
    panel = page.locator(".room-panel")
    address = panel.locator("a").get_attribute("href")
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[A-Z]{5}", address)
    assert panel.locator("[role=img] svg").bounding_box()["width"] > 150
    panel.get_by_text("On this computer only").wait_for()
    browser = page.context.browser
    phones = [
        Phone(browser, address, color_scheme=THEME),
        Phone(browser, address),
        Phone(browser, address, java_script_enabled=False, color_scheme=THEME),
    ]
    picture(phones[0].page, f"{THEME}-phone-1-open")
    for button in phones[0].page.locator("button").all():
        assert button.bounding_box()["height"] >= 44
    assert phones[0].page.evaluate("document.documentElement.scrollWidth") <= 360
    assert phones[0].page.locator("math").first.bounding_box()["width"] > 5
    phones[0].page.keyboard.press("Tab")  # by keyboard
    phones[0].page.keyboard.press("Enter")
    phones[0].see("Your vote is A")
    phones[1].vote("C")
    phones[2].vote("D")
    phones[0].vote("C")  # changes
    panel.get_by_text("3 votes").wait_for()
    picture(phones[0].page, f"{THEME}-phone-2-voted")
    panel.scroll_into_view_if_needed()
    picture(page, f"{THEME}-panel-1-votes")
    panel.locator("button:has-text('Close round one')").click()
    panel.get_by_text(re.compile(r"^[12]:\d\d$")).wait_for()
    assert not panel.locator("table").count()
    picture(page, f"{THEME}-panel-2-discussion")
    for phone in phones:  # the one without JavaScript follows too
        phone.see("convince each other")
    picture(phones[1].page, f"{THEME}-phone-3-discussion")
    panel.locator("button:has-text('Open round two')").click()
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
    assert [[int(text.split()[0]) for text in row] for row in cells] == [
        [0, 0],
        [0, 2],
        [2, 0],
        [1, 1],
    ]
    right = panel.locator("tr", has=page.locator("th:has-text('✓ right')"))
    assert right.locator("th").inner_text().startswith("B")
    first, second = (cell.bounding_box() for cell in panel.locator("tr").nth(1).locator("td").all())
    assert (
        first["y"] == second["y"] and first["x"] + first["width"] <= second["x"] + 1
    )  # side by side
    for text in (
        "Why B.",
        "Behind A:",
        "Behind C:",
        "Behind D:",
        "0 % right in round one, 67 % in round two",
    ):
        panel.get_by_text(text).wait_for()
    for phone in phones:
        phone.see("✓ right")
    picture(phones[2].page, f"{THEME}-phone-4-shown")
    page.wait_for_timeout(500)  # mathematics
    picture(page, f"{THEME}-panel-3-results", panel)
    assert (
        sheet.errors == []
        and sheet.tracebacks() == []
        and [phone.errors for phone in phones] == [[]] * 3
    )
