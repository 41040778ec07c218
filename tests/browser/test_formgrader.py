"""Mark a proof in formgrader as an instructor does: the scheme in sight, no script alive."""

import os
import re
import subprocess
import sys
from html import unescape

import pytest
from coursekit.browser import free_port, wait_for
from coursekit.homework.grading.gradebook import Book
from coursekit.homework.grading.questions import load
from homework_class import STUDENTS, grade, make_course
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
SHEET = "#notebook-container >> nth=0"
START = """import sys
from pathlib import Path
from coursekit import cli, contents, lab
contents.EXERCISES = Path(sys.argv[1])
lab.ROOT = Path(sys.argv[1]).parent
cli.main(["grade", *sys.argv[2:]])"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Grade a small class."""
    course = make_course(tmp_path_factory.mktemp("a course") / "exercises", STUDENTS)
    assert grade(course).returncode == 0
    return course


@pytest.fixture(scope="module")
def server(course):
    """Open formgrader by the command that instructors use; return the address that it opens."""
    port, home = free_port(), course.parent
    options = ["--no-browser", f"--port={port}"]
    process = subprocess.Popen(
        [sys.executable, "-c", START, str(course), "hw00", "--mark", *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ
        | {
            "JUPYTER_CONFIG_DIR": str(home / "config"),
            "JUPYTER_DATA_DIR": str(home / "data"),
            "JUPYTER_RUNTIME_DIR": str(home / "run"),
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        },
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/api", process)
        [file] = (home / "run").glob("jpserver-*-open.html")  # which a browser is given
        yield unescape(re.search(r'url=([^"]+)"', file.read_text("utf-8"))[1])
    finally:
        process.terminate()
        process.wait(30)


def origin(server: str) -> str:
    """Return the address without its path and token."""
    return re.match(r"https?://[^/]+", server)[0]


def open_submission(page, server: str, student: str) -> None:
    """Log in by the address that the command opens, and go from the list to a submission."""
    page.set_default_timeout(180_000)
    assert "token=" in server
    page.goto(server)
    page.locator("td a").first.wait_for()
    page.evaluate("() => document.querySelectorAll('td span.name-hidden').forEach(e => e.click())")
    page.locator("td a:visible", has_text=student).first.click()
    page.locator(SHEET).wait_for()


@pytest.mark.parametrize(
    "student", [student for student in STUDENTS if student.startswith("alive")]
)
def test_no_script_of_a_student_runs(page, server, student):
    asked, dialogs = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    open_submission(page, server, student)
    page.wait_for_timeout(1000)
    if folder := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=f"{folder}/{student}.png", full_page=True)
    for link in page.locator(f"{SHEET} >> a[href]").all():
        assert re.match(r"#|https?:", link.get_attribute("href"))
    assert page.evaluate("window.alive") is None and dialogs == []
    assert not [url for url in asked if "elsewhere.invalid" in url]
    assert page.locator(SHEET).locator("script, img, iframe, object, svg, form, style").count() == 0
    assert "onerror" in page.locator(SHEET).inner_text()  # to be seen, as text


def test_a_proof_is_marked_beside_its_scheme(page, server, course):
    open_submission(page, server, "student-01")
    # Formgrader fetches grades after the page has come: what follows waits for them.
    expect(page.locator(SHEET)).to_contain_text("Mark scheme of proof1")
    expect(page.locator(SHEET)).to_contain_text("Sample answer B")
    panel = page.locator(".nbgrader_cell", has=page.locator("#proof1"))
    expect(panel).to_contain_text("The distance of")
    expect(panel.locator(".score.needs_manual_grade")).to_have_count(1)
    if folder := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=f"{folder}/formgrader.png", full_page=True)
    with page.expect_response(
        lambda answer: "/api/grade/" in answer.url and answer.request.method == "PUT"
    ):
        page.fill("#proof1", "0.5")
        page.locator("#proof1-comment").click()
    with page.expect_response(
        lambda answer: "/api/comment/" in answer.url and answer.request.method == "PUT"
    ):
        page.fill("#proof1-comment", "Why is the denominator not zero?")
        page.locator("#proof1").click()
    with Book(load("hw00", course / "source"), course) as book:
        found = book.gradebook.find_grade("proof1", "hw00", "hw00", "student-01")
        said = book.gradebook.find_comment("proof1", "hw00", "hw00", "student-01")
        assert (found.manual_score, found.needs_manual_grade) == (0.5, False)
        assert said.manual_comment == "Why is the denominator not zero?"
        assert found.notebook.score == 4.5


def test_formgrader_does_not_run_submissions(page, server, course):
    page.goto(server)
    page.goto(f"{origin(server)}/formgrader/manage_submissions/hw00")
    answer = page.evaluate(
        """async base => {
        const token = document.cookie.match(/_xsrf=([^;]+)/)[1]
        const reply = await fetch(base + "/formgrader/api/submission/hw00/student-01/autograde",
            {method: "POST", headers: {"X-XSRFToken": token}})
        return await reply.json() }""",
        origin(server),
    )
    assert not answer["success"] and "unprotected" in str(answer)
    assert (course / "autograded/student-01/hw00/hw00.ipynb").exists()


def test_formgrader_makes_no_release(page, server, course):
    page.goto(server)
    answer = page.evaluate(
        """async base => {
        const token = document.cookie.match(/_xsrf=([^;]+)/)[1]
        const reply = await fetch(base + "/formgrader/api/assignment/hw00/assign",
            {method: "POST", headers: {"X-XSRFToken": token}})
        return await reply.json() }""",
        origin(server),
    )
    assert not answer["success"] and "course.py release" in str(answer)
    assert not (course / "release").exists()


def test_a_page_to_mark_needs_no_network_and_shows_the_proof(page, server):
    """The student's id and data are on it, and formulas are drawn."""
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    open_submission(page, server, "student-01")
    score = page.locator("#proof1")
    expect(score).to_be_in_viewport()
    expect(score).to_be_focused()
    panel = page.locator(".nbgrader_cell", has=score)
    expect(panel.locator("math").first).to_be_in_viewport()
    assert panel.locator("math").first.bounding_box()["height"] > 5
    expect(page.locator("a.name-shown")).to_have_text("student-01")
    expect(page.locator(SHEET)).to_contain_text("your line is ")
    assert errors == [] and [url for url in asked if not url.startswith(origin(server))] == []


@pytest.fixture
def addresses(course, server):
    """Return the pages of all submissions in the order of the arrows, that of random ids."""
    with Book(load("hw00", course / "source"), course) as book:
        ids = [one.id for one in book.gradebook.notebook_submissions("hw00", "hw00")]
    assert len(ids) == len(STUDENTS)
    return [f"{origin(server)}/formgrader/submissions/{one}/" for one in sorted(ids)]


def test_arrows_go_through_all_submissions_and_stay_at_the_question(page, server, addresses):
    page.goto(server)
    page.goto(addresses[0])
    for address in addresses:
        expect(page.locator("#proof1")).to_be_focused()
        expect(page.locator("#proof1")).to_be_in_viewport()
        assert page.url.startswith(address)
        page.locator("li.next a").click()
        page.wait_for_url(lambda url: not url.startswith(address))
    assert page.url == f"{origin(server)}/formgrader/gradebook/hw00/hw00"  # all have been seen


@pytest.mark.parametrize("kind, field", [("grades", "#proof1"), ("comments", "#proof1-comment")])
def test_an_arrow_clicked_before_the_marks_have_come_leads_on(page, server, addresses, kind, field):
    held = []
    page.route(f"**/api/{kind}?*", lambda route: held.append(route))
    page.goto(server)
    page.goto(addresses[0])
    page.locator(field).focus()
    page.locator("li.next a").click()
    page.wait_for_timeout(300)
    [request] = held
    request.continue_()
    page.wait_for_url(lambda url: url.startswith(addresses[1]), timeout=60_000)


def test_nothing_that_a_student_writes_covers_or_stops_the_page(page, server):
    open_submission(page, server, "alive-large")
    boxes = page.evaluate(
        """() => [...document.querySelectorAll(".text_cell_render")].map(e => {
            const {width, height} = e.getBoundingClientRect(); return [width, height] })"""
    )
    size = page.viewport_size
    assert all(w <= size["width"] and h <= size["height"] for w, h in boxes)
    expect(page.locator("#proof1")).to_be_in_viewport()
    open_submission(page, server, "alive-long")
    expect(page.locator(SHEET)).to_contain_text("[[[[[")
