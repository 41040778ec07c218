"""Grade a class as an instructor does: summary, gradebook, marks by hand, tables, feedback."""

import csv
import json
import os
import re
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest

pytest.importorskip("nbgrader")

from coursekit.contents import notebook_text
from coursekit.homework import grade as grade_module
from coursekit.homework import release
from coursekit.homework.grade import (
    changed_submissions,
    collect,
    enter_all,
    give_feedback,
    open_formgrader,
    table,
)
from coursekit.homework.grading import grader
from coursekit.homework.grading.copies import blank, quoted, read_copy, schemes
from coursekit.homework.grading.copies import said as lines_for
from coursekit.homework.grading.formgrader import Page
from coursekit.homework.grading.gradebook import Book, read_timestamp, unfit
from coursekit.homework.grading.harmless import displayed, harmless, harmless_field, is_long
from coursekit.homework.grading.questions import SOURCE, load
from coursekit.homework.grading.records import Mark, Record, State, digest_of
from coursekit.homework.grading.rendered import draw
from coursekit.homework.grading.submission import Entry, read
from coursekit.homework.private import keep_private
from homework_class import (
    ALIVE,
    MODEL,
    RUN,
    STUDENTS,
    command,
    environment,
    grade,
    hand_in,
    make_course,
    submission,
)
from nbconvert.filters import markdown2html


def odd_kernel() -> dict:
    book = submission()
    book["metadata"]["kernelspec"] = {"name": "ir", "language": "R"}
    return book


def doubled() -> dict:
    book = submission()
    book["cells"].append(next(cell for cell in book["cells"] if cell["id"] == "answer1"))
    return book


def old_format() -> dict:
    cells = [cell | {"input": cell["source"]} for cell in submission()["cells"]]
    return {"nbformat": 3, "metadata": {}, "worksheets": [{"cells": cells}]}


def tampered() -> dict:
    """Return a notebook whose points, checks and other cells are not the instructor's."""
    book = submission(q1="def count_mistakes(y, labels):\n    return 0")
    for cell in book["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["metadata"]["nbgrader"]["points"] = 100
            cell["source"], cell["outputs"] = "100", []
    book["cells"].append(
        {
            "cell_type": "markdown",
            "id": "extra",
            "metadata": {},
            "source": "EXTRA",
            "attachments": {"a.png": {"image/png": "AAAA"}},
        }
    )
    return book


CLASS = STUDENTS | {
    "Ünï Cödé 学生": submission,
    "O'Brien": submission,
    "kernel": odd_kernel,
    "doubled": doubled,
    "old": old_format,
    "tampered": tampered,
    "no-proof": lambda: submission(proof1=None),
    "empty-proof": lambda: submission(proof1=" \n"),
    "syntax": lambda: submission(q1="def count_mistakes(:"),
    "comma, name": submission,
}
SCORES = {  # (q1, q2, proof) of those whom the gradebook knows; None waits for a person
    "student-01": (2, 2, None),
    "student-02": (0, 2, None),
    "alive-all": (2, 2, None),
    "alive-code": (0, 0, None),
    "alive-attachment": (2, 2, None),
    "alive-large": (2, 2, None),
    "alive-long": (2, 2, None),
    "Ünï Cödé 学生": (2, 2, None),
    "O'Brien": (2, 2, None),
    "kernel": (2, 2, None),
    "doubled": (2, 2, None),
    "old": (2, 2, None),
    "tampered": (0, 2, None),
    "no-proof": (2, 2, None),
    "empty-proof": (2, 2, 0),
    "syntax": (0, 2, None),
    "corrupt": (None, None, None),
    "huge": (None, None, None),
    "linked": (None, None, None),
    "misnamed": (2, 2, None),
}
LINES = {  # how the line of a student goes on
    "student-01": "4 of 4",
    "kernel": "4 of 4 +The notebook names the kernel ir",
    "doubled": "4 of 4 +q1 stands in 2 cells",
    "old": "4 of 4 +The notebook has the old format 3",
    "no-proof": "4 of 4 +proof1 is missing",
    "syntax": "2 of 4 +The cell of q1 stops with SyntaxError",
    "corrupt": "unreadable +The file is no notebook",
    "huge": "unreadable +The notebook is larger than 20 MB",
    "linked": "unreadable +hw00.ipynb is a link",
    "nothing": "unreadable +There is no notebook hw00.ipynb",
    "folder-link": "unreadable +folder-link is a link",
    "misnamed": "4 of 4 +The notebook is named homework.ipynb",
    "several": "unreadable +There are 2 notebooks",
    "comma, name": "4 of 4 +It is not in the gradebook",
    "twice": "unreadable +There are two submissions of one",
}


def hand_in_badly(course) -> None:
    hand_in(course, "corrupt", b'{"cells": [')
    hand_in(course, "huge", b" " * (21 << 20))
    for name, place in (
        ("misnamed", "hw00/homework.ipynb"),
        ("several", "hw00/a.ipynb"),
        ("several", "hw00/b.ipynb"),
        ("twice", "hw00/hw00.ipynb"),
        ("nothing", "hw01/hw01.ipynb"),
    ):
        path = course / "submitted" / name / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(submission()))
    (course / "submitted/twice.ipynb").write_text(json.dumps(submission()))
    (course / "submitted/linked/hw00").mkdir(parents=True)
    (course / "submitted/linked/hw00/hw00.ipynb").symlink_to(course / "secret")
    (course / "submitted/folder-link").symlink_to(course / "source")


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Grade the class once; return the course and what was said."""
    course = make_course(tmp_path_factory.mktemp("ä course") / "exercises", CLASS)
    hand_in_badly(course)
    run = grade(course)
    assert run.returncode == 0 and run.stderr == ""
    return course, run.stdout


def open_book(course) -> Book:
    return Book(load("hw00", course / "source"), course)


def scores(book: Book) -> dict:
    return {
        found.student.id: tuple(
            {g.name: g.auto_score for g in found.grades}[name]
            for name in ("q1-check", "q2-check", "proof1")
        )
        for found in book.notebooks()
    }


def test_every_submission_has_its_line(graded):
    lines = graded[1].splitlines()
    for student, pattern in LINES.items():
        assert re.search(rf"^{student} +{pattern}", graded[1], re.MULTILINE), (student, graded[1])
    assert len(lines) == len(SCORES.keys() | LINES.keys()) + 2
    assert (
        lines[-2].startswith(f"{len(lines) - 2} submissions: ")
        and "wait for a mark by hand" in lines[-1]
    )


def test_scores_are_exact(graded):
    with open_book(graded[0]) as book:
        assert scores(book) == SCORES
        for found in book.notebooks():
            for grade_ in found.grades:
                assert grade_.needs_manual_grade == (grade_.auto_score is None)
                assert grade_.max_score == {"q1-check": 2, "q2-check": 2, "proof1": 1}[grade_.name]


def test_reasons_are_comments(graded):
    with open_book(graded[0]) as book:

        def find(id, student):
            return book.gradebook.find_comment(id, "hw00", "hw00", student).auto_comment

        assert find("q1", "student-01") is None and find("proof1", "student-01") is None
        assert find("proof1", "empty-proof") == "No response."
        assert find("q1", "student-02").startswith(
            "counts the labels that differ (1 of 2 points lost): count_"
        )
        assert "\n\nfinds no mistake where there is none" in find("q1", "student-02")
        assert "< script>" in find("q2", "alive-code") and "<script>" not in find(
            "q2", "alive-code"
        )


def test_the_copy_is_the_instructors_notebook(graded):
    copies = graded[0] / "autograded"
    book = nbformat.read(copies / "tampered/hw00/hw00.ipynb", as_version=4)
    nbformat.validate(book)
    texts = {cell.id: cell for cell in book.cells}
    assert "extra" not in texts and "EXTRA" not in json.dumps(book)
    assert texts["check1"].source.startswith("check(count_mistakes")
    assert texts["check1"].metadata.nbgrader.points == 2
    assert texts["check1"].outputs[0].text.startswith("0 of 2 points.")
    assert texts["proof1-scheme"].source.startswith("---\n\n**Mark scheme of proof1 (1 point)**")
    assert book.cells.index(texts["proof1-scheme"]) == book.cells.index(texts["answer3"]) + 1
    odd = nbformat.read(copies / "kernel/hw00/hw00.ipynb", as_version=4).cells[0].source
    assert odd.startswith("**Odd about this submission:**") and "kernel ir" in odd
    assert not (copies / "comma, name").exists() and not (copies / "nothing").exists()


@pytest.mark.parametrize("name", sorted(path.parent.name for path in SOURCE.glob("*/scheme.md")))
def test_a_scheme_is_shown_with_its_tables(name):
    for scheme in schemes(name, SOURCE).values():
        shown = markdown2html(quoted(scheme))
        assert (
            shown.count("<table>") == len(re.findall(r"^\|-", scheme, re.MULTILINE))
            and "|-" not in shown
        )
        assert shown.count("<hr") == 2


def test_grading_again_changes_nothing(graded):
    course, before = graded
    files = {
        path: path.stat().st_mtime_ns
        for path in course.rglob("*")
        if path.suffix in (".json", ".ipynb")
    }
    again = grade(course)
    assert again.stdout == before
    assert {path: path.stat().st_mtime_ns for path in files} == files


def nbgrader(course, *args: str) -> subprocess.CompletedProcess:
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    return subprocess.run(
        [sys.executable, "-m", "nbgrader", *args],
        cwd=course,
        env=environment(course) | {"PATH": path},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=240,
    )


def test_nbgrader_exports_the_scores(graded):
    run = nbgrader(graded[0], "export", "--to=grades.csv")
    assert run.returncode == 0, run.stderr
    with open(graded[0] / "grades.csv", encoding="utf-8") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert {student: float(row["score"]) for student, row in rows.items()} == {
        student: sum(score or 0 for score in marks) for student, marks in SCORES.items()
    }
    assert {row["max_score"] for row in rows.values()} == {"5.0"}


def test_nbgrader_itself_runs_no_submission(graded):
    run = nbgrader(graded[0], "autograde", "hw00", "--force")
    assert run.returncode != 0 and "unprotected" in run.stderr
    assert (graded[0] / "autograded/student-01/hw00/hw00.ipynb").exists()


def test_nbgrader_itself_makes_no_release(graded):
    course = graded[0]
    release.make("hw00", course)
    before = {path: path.read_bytes() for path in (course / "release").rglob("*.*")}
    for options in ((), ("--force",)):
        run = nbgrader(course, "generate_assignment", "hw00", *options)
        assert run.returncode != 0 and "course.py release" in run.stderr
    assert {path: path.read_bytes() for path in (course / "release").rglob("*.*")} == before
    assert [path.name for path in before] == ["hw00.ipynb"]


def test_nbgrader_validates_what_is_written(graded, tmp_path):
    course = graded[0]
    empty = notebook_text(blank("hw00", course / "source"))
    full = json.dumps(submission())
    for name, text in {"empty": empty, "full": full}.items():
        (tmp_path / f"{name}.ipynb").write_text(text, "utf-8")
    said = nbgrader(course, "validate", str(tmp_path / "empty.ipynb")).stdout
    assert "FAILED ON 3 CELL(S)" in " ".join(said.split())
    assert said.count("Still missing: replace the") >= 2 and "Write your answer here" in said
    assert "Success!" in nbgrader(course, "validate", str(tmp_path / "full.ipynb")).stdout


def test_other_accounts_read_nothing(graded):
    course = graded[0]
    grade(course, "--feedback")
    names = ("source", "submitted", "autograded", "feedback", ".results")
    assert {name: oct((course / name).stat().st_mode & 0o777) for name in names} == (
        dict.fromkeys(names, "0o700")
    )
    files = [course / "gradebook.db", *(course / ".results").iterdir()]
    files += (course / "feedback").rglob("*.html")
    assert {oct(path.stat().st_mode & 0o777) for path in files} == {"0o600"}


def test_a_group_that_shares_a_course_goes_on(tmp_path):
    (tmp_path / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.groupshared = True\n"
    )
    (tmp_path / "source").mkdir()
    (tmp_path / "source").chmod(0o2775)
    keep_private(tmp_path)
    assert (tmp_path / "source").stat().st_mode & 0o7777 == 0o2770


def limit_files() -> None:
    """Let no file grow beyond a few pages, as on a disk that is nearly full."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_a_disk_that_is_nearly_full_is_said_in_a_sentence(tmp_path):
    course = make_course(tmp_path / "exercises", {"student-01": submission})
    run = subprocess.run(
        command("--own-files"),
        env=environment(course),
        preexec_fn=limit_files,
        capture_output=True,
        text=True,
        timeout=540,
    )
    assert run.returncode and "Traceback" not in run.stderr
    assert "The gradebook cannot be read or written" in run.stderr
    assert "1 submissions: 1 graded." in grade(course, "--own-files").stdout


class Live(HTMLParser):
    """Collect what a browser would run or fetch for a page."""

    def __init__(self, page: str):
        super().__init__()
        self.found = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            # Plain text that is saved is all that a page may bring along.
            address = name in ("href", "src", "action") and re.match(
                r"\s*(?!https?:|data:text/plain;charset=utf-8,)\w*:", value or ""
            )
            if name.startswith("on") or address:
                self.found.append((tag, name, value))
        if tag in ("iframe", "object", "embed", "form", "base", "svg", "img"):
            self.found.append((tag,))

    def handle_data(self, data):
        if (
            self.get_starttag_text()
            and self.get_starttag_text().startswith("<script")
            and RUN in data
        ):
            self.found.append(("script", data))


LETTERS = ["[", "*", "_", "`", "~", "$", "<", "> ", "|", "![", "[a](", "**a", "\\[", "- ", "(", "&"]


@pytest.mark.parametrize("letters", LETTERS)
def test_no_proof_keeps_a_parser_busy(letters):
    """By count of steps, not by time: what is long is shown as plain text, in short lines."""
    text = displayed(letters * 45_000)
    assert is_long(text) and displayed(text) == text
    assert all(line.startswith("    ") and len(line) <= 204 for line in text.split("\n"))
    assert draw(text).startswith("<pre>")
    assert displayed(letters * 9).startswith(harmless(letters * 9)[:3])


def test_formulas_are_drawn_and_nothing_else_is_alive():
    page = draw(
        "**A** $a<b$, `$c$`, \\$5, $$\\frac12$$\n\n\\begin{align}x&=y\\end{align}\n\n"
        "| $z$ |\n|--|\n| 1 |\n\n$\\unknown{$ [l](http://a.b) <https://c.d> http://e.f <b>"
    )
    assert page.count("<math") == 4 and "<code>$c$</code>" in page and "<table>" in page
    assert "<a" not in page and "<b>" not in page and "<strong>A</strong>" in page
    assert "$5" in page and Live(page).found == []


def test_a_page_to_mark_is_drawn_here():
    about = dict.fromkeys(("base_url", "submission_id", "student", "notebook_path"), "x")
    about |= {"notebook_id": "hw00", "assignment_id": "hw00", "index": 0, "total": 1}
    page, _ = Page().from_notebook_node(blank("hw00", SOURCE), resources=about)
    assert "notebook-container" in page and "<math" in page and "cdnjs" not in page


def test_sums_add_up_while_a_mark_waits_for_a_second_look(small):
    course, enter = small
    enter()
    by_hand(course, "proof1", 0.5)
    enter(proof1="Another proof, with $x^2$.")
    assert give_feedback("hw00", course=course) == 0
    page = (course / "feedback/student-01/hw00/hw00.html").read_text("utf-8")
    assert "0.5 of 1, to be looked at again" in page
    assert "together, so far" in page and "4.5 of 5" in page and "<msup>" in page


def test_the_marker_sees_data_and_outputs(tmp_path):
    book = submission()
    answer = next(cell for cell in book["cells"] if cell["id"] == "answer1")
    answer["outputs"] = [
        {"output_type": "stream", "text": ["seen ", "<b>\x1b[2J"]},
        {"output_type": "execute_result", "data": {"text/plain": "7", "text/html": "<i>"}},
        {"output_type": "error", "ename": "E", "evalue": "v"},
        3,
    ]
    course = make_course(tmp_path / "exercises", {"student-01": lambda: book})
    homework = load("hw00", course / "source")
    [entry] = collect(course / "submitted", "hw00")
    record = grader.grade(homework, entry.path.read_bytes(), "student-01", "secret", None)
    assert Record.from_json(record.as_json()) == record
    with open_book(course) as opened:
        opened.enter(entry, record)
        copy = nbformat.read(opened.path_of_copy("student-01"), as_version=4)
    shown = {cell.id: cell.outputs[0].text for cell in copy.cells if cell.get("outputs")}
    assert shown["own-data"].startswith("your line is ")
    assert shown["answer1"].endswith("it showed:\nseen <b>�[2J\n7\nE: v")


def test_feedback_is_complete_and_not_alive(graded):
    course = graded[0]
    with open_book(course) as book:
        mark = book.gradebook.find_grade("proof1", "hw00", "hw00", "alive-all")
        mark.manual_score, mark.needs_manual_grade = 1.0, False
        book.gradebook.find_comment(
            "proof1", "hw00", "hw00", "alive-all"
        ).manual_comment = "Nice <b>try</b>."
        book.gradebook.db.commit()
    run = grade(course, "--feedback")
    assert (
        run.returncode == 0 and f"{len(SCORES)} pages" in run.stdout and "lack a mark" in run.stdout
    )
    pages = {
        student: (course / "feedback" / student / "hw00/hw00.html").read_text("utf-8")
        for student in SCORES
    }
    for page in pages.values():
        assert Live(page).found == [] and "<script" not in page and "default-src 'none'" in page
    assert "5 of 5" in pages["alive-all"] and "Nice &lt; b&gt;try&lt; /b&gt;." in pages["alive-all"]
    assert "How it is marked" in pages["alive-all"] and "&lt; script&gt;" in pages["alive-all"]
    assert "not marked yet" in pages["student-02"] and "count_mistakes([" in pages["student-02"]
    assert "1 Mistakes: 0 of 2" in pages["student-02"] and "2 of 5" in pages["student-02"]
    assert "About your notebook" in pages["syntax"] and "stops with SyntaxError" in pages["syntax"]
    assert "About your notebook" not in pages["student-02"]
    assert "hw00: Ünï Cödé 学生" in pages["Ünï Cödé 学生"]


def test_nbgraders_own_feedback_is_not_alive_either(graded):
    run = nbgrader(
        graded[0],
        "generate_feedback",
        "hw00",
        "--student=alive-*",
        "--CourseDirectory.feedback_directory=theirs",
    )
    assert run.returncode == 0, run.stderr
    for student in ("alive-all", "alive-code"):
        assert (
            Live((graded[0] / "theirs" / student / "hw00/hw00.html").read_text("utf-8")).found == []
        )


def test_a_table_leaves_the_gradebook_alone(tmp_path):
    course = make_course(tmp_path / "exercises", {"=cmd()": submission, "student-01": submission})
    run = grade(course, "--csv", str(tmp_path / "table.csv"))
    assert run.returncode == 0, run.stderr
    with open(tmp_path / "table.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["student"], row["points"], row["q1"], row["q2"]) for row in rows] == [
        ("'=cmd()", "4", "2", "2"),
        ("student-01", "4", "2", "2"),
    ]
    assert not (course / "gradebook.db").exists() and not (course / "autograded").exists()
    assert (course / "secret").stat().st_mode & 0o777 == 0o600


def test_a_run_that_is_killed_goes_on(tmp_path):
    slow = "import time\ntime.sleep(0.5)\n" + MODEL["q1"]
    course = make_course(
        tmp_path / "exercises", {f"student-{i:02}": lambda: submission(q1=slow) for i in range(8)}
    )
    process = subprocess.Popen(
        command("--own-files", "--jobs=1"), env=environment(course), stdout=subprocess.DEVNULL
    )
    while len(done := list((course / ".results").glob("*.json"))) < 3:
        assert process.poll() is None
        time.sleep(0.05)
    process.kill()
    process.wait()
    times = {path: path.stat().st_mtime_ns for path in done}
    run = subprocess.run(
        command("--own-files"),
        env=environment(course),
        capture_output=True,
        text=True,
        timeout=540,
    )
    assert "8 submissions: 8 graded." in run.stdout
    assert {path: path.stat().st_mtime_ns for path in done} == times  # not graded twice
    assert len(list((course / ".results").glob("*.json"))) == 8
    with open_book(course) as book:
        assert scores(book) == {f"student-{i:02}": (2, 2, None) for i in range(8)}


@pytest.fixture
def small(tmp_path):
    """Return a course with one submission, and a way to enter a result for it."""
    course = make_course(tmp_path / "exercises", {"student-01": submission})

    def enter(q1=2.0, q2=2.0, **answers):
        data = json.dumps(submission(**answers)).encode()
        path = hand_in(course, "student-01", data)
        with open_book(course) as book:
            record = Record(
                "hw00",
                "student-01",
                State.GRADED,
                4,
                digest_of(data),
                read(data, book.homework).answers,
                {"q1": Mark(q1, 2), "q2": Mark(q2, 2)},
            )
            return book.enter(Entry("student-01", path, folder=course / "submitted"), record)

    return course, enter


def by_hand(course, id: str, points: float) -> None:
    with open_book(course) as book:
        found = book.gradebook.find_grade(id, "hw00", "hw00", "student-01")
        found.manual_score, found.needs_manual_grade = points, False
        book.gradebook.find_comment(
            id.removesuffix("-check"), "hw00", "hw00", "student-01"
        ).manual_comment = "by hand"
        book.gradebook.db.commit()


def shown(course) -> str:
    """Return the proof that a marker sees."""
    return read_copy(course / "autograded/student-01/hw00/hw00.ipynb").answers["proof1"]


def state(course, id: str) -> tuple:
    with open_book(course) as book:
        found = book.gradebook.find_grade(id, "hw00", "hw00", "student-01")
        said = book.gradebook.find_comment(id.removesuffix("-check"), "hw00", "hw00", "student-01")
        return (
            found.auto_score,
            found.manual_score,
            found.score,
            found.needs_manual_grade,
            said.manual_comment,
        )


def test_marks_by_hand_stay(small):
    course, enter = small
    enter(q1=0.0)
    by_hand(course, "q1-check", 1.5)
    by_hand(course, "proof1", 0.5)
    enter(q1=0.0)
    assert state(course, "q1-check") == (0, 1.5, 1.5, False, "by hand")
    assert state(course, "proof1") == (None, 0.5, 0.5, False, "by hand")
    # what the marks were for has changed: they stay, and ask for a look
    enter(q1=2.0, proof1="Another proof.")
    assert state(course, "q1-check") == (2, 1.5, 1.5, True, "by hand")
    assert state(course, "proof1") == (None, 0.5, 0.5, True, "by hand")
    assert shown(course) == "Another proof."


def test_a_flag_is_no_score(small):
    course, enter = small
    enter(q1=None)
    assert state(course, "q1-check") == (None, None, 0, True, None)
    assert lines_for(None).startswith("Not graded")


def test_what_becomes_unreadable_keeps_its_scores(small):
    course, enter = small
    enter()
    path = hand_in(course, "student-01", b"{")
    with open_book(course) as book:
        result = grader.unreadable(book.homework, "student-01", "Damaged.")
        notes = book.enter(Entry("student-01", path), result)
    assert notes == ["The gradebook keeps what it had before."]
    assert state(course, "q1-check")[0] == 2


@pytest.fixture
def open_pages(monkeypatch):
    """Return what a marker calls; no browser opens, and our files may run without a sandbox."""
    opened = []
    monkeypatch.setattr("coursekit.lab.open_lab", lambda *args: opened.append(args))

    def mark(course, name="hw00", own_files=True):
        monkeypatch.chdir(course)  # so that the test ends where it began
        assert open_formgrader(name, ["--no-browser"], own_files=own_files, course=course) is None
        return opened.pop()

    return mark


def test_what_has_changed_since_it_was_graded_is_graded_again_before_it_is_marked(
    small, open_pages, capsys
):
    course, enter = small
    enter(proof1="The first proof.")
    by_hand(course, "proof1", 1)
    assert open_pages(course) == (
        "/formgrader/gradebook/hw00/hw00",
        [*grade_module.FORMGRADER, "--no-browser"],
    )
    assert capsys.readouterr().out == "" and shown(course) == "The first proof."
    wrong = submission(q1="def count_mistakes(y, labels):\n    return 1", proof1="The second.")
    hand_in(course, "student-01", json.dumps(wrong).encode())
    assert shown(course) == "The first proof."  # what was graded, whatever is handed in
    assert give_feedback("hw00", course=course) == 0
    said = capsys.readouterr().out
    assert "1 are about an earlier version than the one handed in now (student-01)" in said
    assert "The first proof." in (course / "feedback/student-01/hw00/hw00.html").read_text("utf-8")
    assert open_pages(course, None)[0] == "/formgrader/gradebook"
    assert "1 of hw00 have changed since they were graded (student-01)" in capsys.readouterr().out
    assert shown(course) == "The second."
    assert state(course, "q1-check")[0] == 0
    assert state(course, "proof1") == (None, 1, 1, True, "by hand")
    with open_book(course) as book:
        assert changed_submissions(book) == []


def test_without_a_sandbox_a_marker_is_told_what_is_shown(small, open_pages, capsys, monkeypatch):
    course, enter = small
    enter(proof1="The first proof.")
    hand_in(course, "student-01", json.dumps(submission(proof1="The second.")).encode())
    monkeypatch.setenv("PATH", str(course))
    open_pages(course, own_files=False)
    said = capsys.readouterr().out
    assert "What you will see of hw00 is what was graded before. Grading other" in said
    assert shown(course) == "The first proof."


def test_what_changes_while_it_is_graded_is_graded_again(small, capsys):
    course, _ = small
    homework = load("hw00", course / "source")
    versions = [submission(proof1=f"Version {i}.") for i in range(3)]

    def grade_these(entries):
        """Grade as usual; somebody hands in another version meanwhile, but once."""
        found = [
            grader.grade(homework, entry.path.read_bytes(), entry.student, "secret", None)
            for entry in entries
        ]
        if len(versions) > 1:
            hand_in(course, "student-01", json.dumps(versions.pop()).encode())
        del versions[1:]
        return found

    entries = collect(course / "submitted", "hw00")
    [record] = grade_module.grade_as_they_are(entries, grade_these)
    assert record.answers["proof1"] == "Version 2."
    assert "1 have changed while they were graded (student-01)" in capsys.readouterr().out


def test_the_copy_shows_the_answers_that_were_graded_not_those_on_the_disk(small):
    course, _ = small
    homework = load("hw00", course / "source")
    [entry] = collect(course / "submitted", "hw00")
    data = json.dumps(submission(proof1="Graded.")).encode()
    record = grader.grade(homework, data, "student-01", "secret", None)
    hand_in(course, "student-01", json.dumps(submission(proof1="On the disk.")).encode())
    with open_book(course) as book:
        book.enter(entry, record)
        copy = read_copy(book.path_of_copy("student-01"))
        assert copy.answers["proof1"] == "Graded." and copy.digest == digest_of(data)
        assert [found.student for found in changed_submissions(book)] == ["student-01"]


def test_what_cannot_be_written_stops_nobody(small):
    course, enter = small
    (course / "autograded").touch()  # where a folder is needed
    assert enter()[0].startswith("It could not be written into the gradebook (NotADirectoryError")
    with open_book(course) as book:
        [entry] = collect(course / "submitted", "hw00")
        data = entry.path.read_bytes()
        enter_all(book, [entry], [grader.grade(book.homework, data, "student-01", "x", None)])
        assert book.unwritten == ["student-01"]
    (course / "autograded").unlink()
    assert enter() == [] and state(course, "q1-check")[0] == 2


def test_late_submissions_get_nbgraders_penalty(small):
    course, enter = small
    with open(course / "nbgrader_config.py", "a") as file:
        file.write('\nc.LateSubmissionPlugin.penalty_method = "zero"\n')
    with open_book(course) as book:
        book.gradebook.update_or_create_assignment("hw00", duedate="2026-01-01 12:00:00 UTC")
    stamp = course / "submitted/student-01/hw00/timestamp.txt"
    for text, penalty in (
        ("2026-01-01 11:00:00 UTC", 0),
        ("2026-01-01 12:30:00 UTC", 4),
        ("2026-01-01 14:30+0300", 0),
    ):
        stamp.write_text(text)
        late = ["It is 0.5 hours late, which costs 4 points so far."]
        assert enter() == (late if penalty else [])
        with open_book(course) as book:
            found = book.gradebook.find_submission("hw00", "student-01")
            assert (found.late_submission_penalty or 0, found.score) == (penalty, 4)
            assert str(found.duedate) == "2026-01-01 12:00:00"
    stamp.write_text("../../etc/passwd")
    assert "holds no date" in enter()[0]


def test_a_time_of_the_students_own_is_not_believed(tmp_path):
    course = make_course(tmp_path / "exercises", {})
    upload = tmp_path / "upload" / "student-01"
    upload.mkdir(parents=True)
    (upload / "hw00.ipynb").write_text(json.dumps(submission()))
    (upload / "timestamp.txt").write_text("2026-01-01 11:00:00 UTC")
    with open_book(course) as book:
        [entry] = collect(upload.parent, "hw00")
        record = grader.grade(book.homework, entry.path.read_bytes(), entry.student, "secret", None)
        assert "timestamp.txt is not believed" in book.enter(entry, record)[0]
        assert book.gradebook.find_submission("hw00", "student-01").timestamp is None


def test_dates_are_not_followed(tmp_path):
    (tmp_path / "a").write_text("2026-01-01 12:30:00 UTC")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert str(read_timestamp(tmp_path / "a")[0]) == "2026-01-01 12:30:00"
    assert read_timestamp(tmp_path / "link")[0] is None and read_timestamp(tmp_path / "none") == (
        None,
        [],
    )


def test_other_questions_are_refused_while_there_are_submissions(small):
    course, enter = small
    enter()
    path = course / "source/hw00/hw00.ipynb"
    path.write_text(path.read_text("utf-8").replace('"proof1"', '"proof2"'), "utf-8")
    with pytest.raises(ValueError, match="other questions"):
        enter()


def test_a_flat_folder(tmp_path):
    for name in (
        "student-01.ipynb",
        "student-02_hw00.ipynb",
        "Ü x hw00 (1).ipynb",
        "twice.ipynb",
        "twice_HW00-2.ipynb",
    ):
        (tmp_path / name).write_text("{}")
    (tmp_path / "notes.txt").touch()
    found = {
        entry.student: (entry.path and entry.path.name, entry.fault)
        for entry in collect(tmp_path, "hw00")
    }
    assert found == {
        "student-01": ("student-01.ipynb", ""),
        "student-02": ("student-02_hw00.ipynb", ""),
        "Ü x": ("Ü x hw00 (1).ipynb", ""),
        "twice": (
            None,
            "There are two submissions of one student, twice.ipynb and twice_HW00-2.ipynb: "
            "keep one.",
        ),
    }


@pytest.mark.parametrize("kind", ALIVE)
def test_markdown_is_harmless(kind):
    if kind not in (
        "attachment",
        "mathematics",
    ):  # the first stops formgrader, the second needs MathJax
        assert Live(markdown2html(ALIVE[kind])).found
    assert Live(markdown2html(harmless(ALIVE[kind]))).found == []
    assert harmless(harmless(ALIVE[kind])) == harmless(ALIVE[kind])


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("$a<b$ and $\\langle w,x\\rangle\\le b$", "$a< b$ and $\\langle w,x\\rangle\\le b$"),
        ("\\begin{align}a&<0\\\\b&=1\\end{align}", "\\begin{align}a&<0\\\\b&=1\\end{align}"),
        ("x <= y < z -> `a < 1`", "x <= y < z -> `a < 1`"),
        ("# T\n\n- *a*\n\n| a |\n|--|", "# T\n\n- *a*\n\n| a |\n|--|"),
        ("$f[x](y)$ \\class \\classes", "$f[x] (y)$ \\ class \\classes"),
        ("$x \\\\href$", "$x \\\\ href$"),
        ("see https://a.b/c and www.d.e", "see https: //a.b/c and www. d.e"),
        ("$\\rule{9em}{9em}\\hspace{999em}$", "$\\ rule{9em}{9em}\\ hspace{999em}$"),
        ("$a\\hspace{1em}b : c$ //", "$a\\hspace{1em}b : c$ //"),
        ("a\r\nb\x00c\td\u202ee", "a\nb c    d e"),
    ],
)
def test_what_is_not_alive_stays(text, kept):
    assert harmless(text) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("=1+1", "'=1+1"),
        (" @x", "' @x"),
        ("-1", "'-1"),
        ("＝1", "'＝1"),
        ("a=b", "a=b"),
        ("a;=1+1", "a;'=1+1"),  # where semicolons part the fields
        ("a; @x;b", "a;' @x;b"),
        ("f([1, -1]) + 2", "f([1, -1]) + 2"),
    ],
)
def test_tables_hold_no_formulas(text, kept):
    assert harmless_field(text) == kept


@pytest.mark.parametrize(
    "name",
    [
        "a<b",
        'a"b',
        "a,b",
        "a\\b",
        " a",
        "a\n",
        "a\u202eb",
        "x" * 129,
        "\udcff",
        "a%41",
        "a[1]",
        "=1+1",
        "-rf",
        "@x",
        "＝1",
        "constructor",
        "__proto__",
    ],
)
def test_names_that_nbgrader_cannot_hold(name):
    assert "must change" in unfit(name) and unfit(name).isprintable()


@pytest.mark.parametrize(
    "name", ["student-01", "Ünï Cödé 学生", "O'Brien", "a.b@c", "x_(1)", "a+b", "{}"]
)
def test_names_that_it_can(name):
    assert unfit(name) == ""


def test_tables_quote_what_they_hold(tmp_path):
    homework = load("hw00")
    marks = {"q1": Mark(None, 2, bug="x"), "q2": Mark(1.5, 2, ('a, "b"',))}
    record = Record("hw00", "a, b", State.FLAGGED, 4, marks=marks, notes=("=note",))
    text = table(homework, [record])
    assert list(csv.reader(text.splitlines()))[1] == [
        "a, b",
        "flagged",
        "",
        "4",
        "",
        "1.5",
        '\'=note q2: a, "b"',
    ]


@pytest.mark.parametrize(
    ("run", "says"),
    [
        (lambda course: grade_module.grade("hw00", Path("/nowhere"), course=course), "no folder"),
        (lambda course: grade_module.grade("hw00", course=course), "There is no folder"),
        (lambda course: give_feedback("hw00", course=course), "grade first"),
        (
            lambda course: grade_module.grade(
                "hw00", course, csv_file=Path("/nowhere/t.csv"), course=course
            ),
            "no folder /nowhere to write",
        ),
        (
            lambda course: grade_module.grade("hw00", course.parent / "notebooks", course=course),
            "There is no submission in",
        ),
    ],
)
def test_faults_are_one_sentence(tmp_path, capsys, run, says):
    assert run(make_course(tmp_path / "exercises", {})) == 2
    said = capsys.readouterr().err
    assert says in said and said.count("\n") == 1


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["hw77"], "There is no homework hw77: there are hw00."),
        ([], "Which homework? There are hw00."),
        (["hw00", "--jbos=3"], "no argument --jbos=3"),
        (["hw00", "/nowhere"], "There is no folder /nowhere"),
    ],
)
def test_faults_of_the_command_are_one_sentence_too(tmp_path, args, says):
    course = make_course(tmp_path / "exercises", {})
    run = subprocess.run(
        [sys.executable, "-m", "coursekit", "grade", *args],
        env=environment(course),
        capture_output=True,
        text=True,
        timeout=540,
    )
    assert run.returncode == 2 and says in run.stderr and run.stderr.count("\n") == 1


def test_without_a_sandbox_only_own_files_are_graded(tmp_path):
    course = make_course(tmp_path / "exercises", {"student-01": submission})
    run = subprocess.run(
        command(),
        env=environment(course) | {"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=540,
    )
    assert run.returncode == 2 and "--own-files" in run.stderr and run.stderr.count("\n") == 1


def test_the_model_of_the_class_is_right():
    assert set(MODEL) | {"helpers"} == set(load("hw00").answers)
