"""Take submissions from learning platforms, and give grades and feedback back to them."""

import csv
import io
import json
import stat
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

pytest.importorskip("nbgrader")

from coursekit.homework.grade import give_feedback
from coursekit.homework.grading.gradebook import Book
from coursekit.homework.grading.inside import limits
from coursekit.homework.grading.questions import load
from coursekit.homework.lateness import Penalty, Per, read_rules
from coursekit.homework.platforms.archives import read_archive
from coursekit.homework.platforms.collect import collect, read_origins
from coursekit.homework.platforms.roster import Roster, read_roster
from coursekit.homework.platforms.worksheets import Platform, give_back, times_in
from homework_class import grade, make_course, submission

ADA = json.dumps(submission()).encode()
BOB = json.dumps(submission(q1="def count_mistakes(y, labels):\n    return 1")).encode()
OLD = json.dumps(submission(q1="...")).encode()
ROSTER = """\
id,name,email,login,sid,moodle,canvas
ada,Ada Lovelace,ada@example.org,alove,s1,4711,815
bob,Bob Bitdiddle,bob@example.org,bbit,s2,4712,816
"""
METADATA = """\
---
submission_42:
  :submitters:
  - :name: Ada Lovelace
    :sid: s1
    :email: ada@example.org
  :created_at: 2026-11-01 11:59:03.123456 Z
submission_43:
  :submitters:
  - :name: "Bob Bitdiddle"
    :email: BOB@example.org
  :created_at: 2026-11-02 01:00:00 Z
"""
ARCHIVES = {
    "moodle": {
        "Ada Lovelace_4711_assignsubmission_file/hw00.ipynb": ADA,
        "Bob Bitdiddle_4712_assignsubmission_file_hw00.ipynb": BOB,
        "__MACOSX/Ada Lovelace_4711_assignsubmission_file/._hw00.ipynb": b"junk",
    },
    "canvas": {
        "lovelaceada_815_99001_hw00-2.ipynb": ADA,
        "lovelaceada_815_99000_hw00-1.ipynb": OLD,
        "bitdiddlebob_LATE_816_99002_hw00.ipynb": BOB,
    },
    "ilias": {
        "Blatt 0/Abgaben/Lovelace_Ada_alove_21/20261101115903_hw00.ipynb": ADA,
        "Blatt 0/Abgaben/Lovelace_Ada_alove_21/20261031115903_hw00.ipynb": OLD,
        "Blatt 0/Abgaben/Bitdiddle_Bob_bbit_22/20261102020000_hw00.ipynb": BOB,
    },
    "gradescope": {
        "assignment_5_export/submission_metadata.yml": METADATA.encode(),
        "assignment_5_export/submission_42/hw00.ipynb": ADA,
        "assignment_5_export/submission_43/hw00.ipynb": BOB,
    },
}
WORKSHEET = """\
\ufeffIdentifier,"Full name","Email address",Status,Grade,"Maximum Grade",\
"Last modified (submission)","Feedback comments"
"Participant 4711","Ada Lovelace",ada@example.org,Submitted,,30.00,\
"Sunday, 1 November 2026, 11:59 AM",
"Participant 4712","Bob Bitdiddle",bob@example.org,"Submitted - late",,30.00,\
"Monday, 2 November 2026, 1:00 AM","Well tried"
"Participant 4713","Eve",eve@example.org,"No submission",,30.00,-,
"""


def zipped(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path / "exercises", {})


@pytest.fixture
def roster(tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text(ROSTER, "utf-8")
    return path


def handed_in(course: Path, student: str) -> bytes:
    return (course / f"submitted/{student}/hw00/hw00.ipynb").read_bytes()


@pytest.mark.parametrize("platform", ARCHIVES)
def test_each_platform_is_understood(platform, course, roster, tmp_path, capsys):
    archive = zipped(tmp_path / "all.zip", ARCHIVES[platform])
    code = collect(archive, "hw00", roster, course=course)
    assert handed_in(course, "ada") == ADA and handed_in(course, "bob") == BOB
    assert sorted(path.name for path in (course / "submitted").iterdir()) == ["ada", "bob"]
    said = capsys.readouterr()
    assert "2 submissions of hw00" in said.out
    unknown_time = platform == "canvas"  # which says LATE, and no time
    assert ("not by how much" in said.err) == unknown_time and code == int(unknown_time)
    kept = [path.read_bytes() for path in course.glob("attempts/ada/hw00/*.ipynb")]
    assert kept == ([OLD] if platform in ("canvas", "ilias") else [])
    stamp = course / "submitted/ada/hw00/timestamp.txt"
    assert stamp.exists() == (platform in ("ilias", "gradescope"))
    if stamp.exists():
        assert stamp.read_text() == "2026-11-01 11:59:03 UTC"


def test_the_worksheet_tells_times_in_the_zone_of_the_course(course, roster, tmp_path):
    (course / "late.toml").write_text('timezone = "Europe/Berlin"\n', "utf-8")
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(WORKSHEET, "utf-8")
    archive = zipped(tmp_path / "all.zip", ARCHIVES["moodle"])
    assert collect(archive, "hw00", roster, sheet, course) == 0
    stamp = course / "submitted/bob/hw00/timestamp.txt"
    assert stamp.read_text() == "2026-11-02 00:00:00 UTC"
    sheet.write_text(WORKSHEET.replace("Sunday, 1 November", "Sonntag, 1. November"), "utf-8")
    with pytest.raises(ValueError, match="not understood"):
        times_in(sheet, UTC)


def test_collected_twice_nothing_is_lost(course, roster, tmp_path):
    path = tmp_path / "all.zip"
    name = "Ada Lovelace_4711_assignsubmission_file/hw00.ipynb"
    collect(zipped(path, {name: OLD}), "hw00", roster, course=course)
    collect(zipped(path, {name: ADA}), "hw00", roster, course=course)
    collect(zipped(path, {name: ADA}), "hw00", roster, course=course)
    assert handed_in(course, "ada") == ADA
    assert [p.read_bytes() for p in course.glob("attempts/ada/hw00/*.ipynb")] == [OLD]
    collect(zipped(path, ARCHIVES["moodle"]), "hw00", roster, course=course)
    assert set(read_origins(course, "hw00")) == {"ada", "bob"}


def test_what_is_odd_gets_a_sentence(course, roster, tmp_path, capsys):
    link = zipfile.ZipInfo("Bob Bitdiddle_4712_assignsubmission_file/hw00.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    path = zipped(
        tmp_path / "all.zip",
        {
            "Ada Lovelace_4711_assignsubmission_file/solution.pdf": b"%PDF",
            "Mallory_666_assignsubmission_file/hw00.ipynb": ADA,
            "../../evil_4712_assignsubmission_file/hw00.ipynb": b" " * (limits.NOTEBOOK_BYTES + 1),
        },
    )
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    assert collect(path, "hw00", roster, course=course) == 1
    said = capsys.readouterr().err
    assert "ada: no notebook was handed in, but solution.pdf." in said
    assert "Nobody in the roster is name Mallory (moodle 666)" in said
    assert "bob: " in said and "is larger than" in said
    assert not (course / "submitted").exists() or not list(course.glob("submitted/*/hw00/*"))
    for files, sentence in (
        ({"a.txt": b""}, "is not what Moodle, Canvas, ILIAS or Gradescope hand out"),
        ({}, "for there are none"),
    ):
        assert collect(zipped(path, files), "hw00", roster, course=course) == 2
        assert sentence in capsys.readouterr().err
    path.write_bytes(b"no zip")
    assert collect(path, "hw00", roster, course=course) == 2
    assert "is no zip file" in capsys.readouterr().err


def test_several_notebooks_of_one_time_are_not_guessed_between(course, roster, tmp_path, capsys):
    start = "Ada Lovelace_4711_assignsubmission_file/"
    both = {f"{start}a.ipynb": ADA, f"{start}b.ipynb": BOB}
    assert collect(zipped(tmp_path / "a.zip", both), "hw00", roster, course=course) == 1
    assert "it is not said which counts" in capsys.readouterr().err
    named = both | {f"{start}hw00.ipynb": OLD}
    assert collect(zipped(tmp_path / "b.zip", named), "hw00", roster, course=course) == 0
    assert handed_in(course, "ada") == OLD


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("name\nAda\n", "needs a column id"),
        ("", "needs a column id"),
        ("id\nada\nada\n", "has ada more than once"),
        ("id;name\n;Ada\n", "a row without an id, row 2"),
    ],
)
def test_a_roster_that_does_not_serve(text, sentence, tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=sentence):
        read_roster(path)


def test_two_people_of_one_name_are_told_apart_by_number_or_not_at_all(tmp_path):
    rows = (
        {"id": "a", "name": "Kim Lee", "moodle": "1"},
        {"id": "b", "name": "Lee Kim", "moodle": "2"},
    )
    path = zipped(tmp_path / "a.zip", {"Kim Lee_2_assignsubmission_file/hw00.ipynb": ADA})
    (handed,) = read_archive(path)
    assert Roster(rows).find(handed) == "b"
    with pytest.raises(ValueError, match="belongs to a and b"):
        Roster(tuple({k: r[k] for k in ("id", "name")} for r in rows)).find(handed)


def test_rules_of_lateness(course):
    (course / "late.toml").write_text(
        'timezone = "Europe/Berlin"\n[hw00]\ndue = 2026-11-01T12:00:00\n'
        'penalty = { points = 2, per = "day", most = 3 }\n'
        "[hw00.extensions]\nada = 2026-11-03T12:00:00Z\n",
        "utf-8",
    )
    rule = read_rules(course).homeworks["hw00"]
    assert rule.due == datetime(2026, 11, 1, 11, tzinfo=UTC)
    late = rule.due + timedelta(days=1, seconds=1)
    assert rule.seconds_late("bob", late) == 86401 and rule.seconds_late("ada", late) == 0
    assert [rule.penalty.cost(s) for s in (-5, 0, 1, 86400, 86401, 1e9)] == [0, 0, 2, 2, 3, 3]
    assert Penalty(1, Per.HOUR).cost(7201) == 3


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("[hw00]\n", "'due' is missing"),
        ('[hw00]\ndue = "soon"\n', "is no time"),
        ("[hw00]\ndue = 2026-11-01T12:00:00\nfine = 3\n", "nothing called fine"),
        (
            '[hw00]\ndue = 2026-11-01T12:00:00\npenalty = { points = 1, per = "week" }\n',
            "week",
        ),
        (
            '[hw00]\ndue = 2026-11-01T12:00:00\npenalty = { points = -1, per = "day" }\n',
            "without a sign",
        ),
        ('timezone = "Mars/North"\n', "cannot be read"),
        ("due =", "cannot be read"),
    ],
)
def test_rules_that_make_no_sense_get_a_sentence(text, sentence, course):
    (course / "late.toml").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=sentence):
        read_rules(course)


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8"), newline="")))


def test_the_round_trip(course, roster, tmp_path, capsys):
    (course / "late.toml").write_text(
        "[hw00]\ndue = 2026-11-01T12:00:00\npenalty = { points = 1, per = 'day' }\n", "utf-8"
    )
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(WORKSHEET, "utf-8")
    archive = zipped(tmp_path / "all.zip", ARCHIVES["moodle"])
    assert collect(archive, "hw00", roster, sheet, course) == 0
    done = grade(course)
    assert done.returncode == 0 and "late, which costs 1 points so far" in done.stdout
    with Book(load("hw00", course / "source"), course) as book:
        for notebook in book.notebooks():
            proof = next(each for each in notebook.grades if each.name == "proof1")
            proof.manual_score, proof.needs_manual_grade = 2.0, False
        book.gradebook.db.commit()
        ada, bob = book.notebooks()
        assert (ada.late_submission_penalty or 0, bob.late_submission_penalty) == (0, 1)
        points = ada.score, bob.score - 1
    assert give_feedback("hw00", course=course) == 0
    capsys.readouterr()
    assert give_back("hw00", Platform.MOODLE, sheet, course) == 0
    first, second, third = rows_of(course / "returned/hw00-moodle.csv")
    assert (float(first["Grade"]), float(second["Grade"])) == points and third["Grade"] == ""
    assert second["Feedback comments"] == "Well tried" and first["Full name"] == "Ada Lovelace"
    with zipfile.ZipFile(course / "returned/hw00-feedback.zip") as made:
        assert sorted(made.namelist()) == [
            "Ada Lovelace_4711_assignsubmission_file_hw00-feedback.html",
            "Bob Bitdiddle_4712_assignsubmission_file_hw00-feedback.html",
        ]
        assert b"hw00: ada" in made.read(made.namelist()[0])
    again = (course / "returned/hw00-feedback.zip").read_bytes()
    assert give_back("hw00", Platform.CSV, None, course) == 0
    assert rows_of(course / "returned/hw00-csv.csv")[1]["penalty"] == "1"
    assert give_back("hw00", Platform.MOODLE, None, course) == 0
    assert rows_of(course / "returned/hw00-moodle.csv")[0]["Identifier"] == "Participant 4711"
    assert (course / "returned/hw00-feedback.zip").read_bytes() == again
    sheet.write_text(WORKSHEET.replace("4712", "9"), "utf-8")
    assert give_back("hw00", Platform.MOODLE, sheet, course) == 1
    assert "bob has no row in sheet.csv" in capsys.readouterr().err


def test_grades_for_canvas(course, roster, tmp_path, capsys):
    collect(zipped(tmp_path / "all.zip", ARCHIVES["canvas"]), "hw00", roster, course=course)
    grade(course)
    capsys.readouterr()
    assert give_back("hw00", Platform.CANVAS, None, course) == 1
    said = capsys.readouterr().err
    assert "ada: a mark by hand is still missing" in said and "no page of feedback yet" in said
    rows = rows_of(course / "returned/hw00-canvas.csv")
    assert rows[0]["Student"] == "    Points Possible" and rows[1]["hw00"] == ""
    table = tmp_path / "canvas.csv"
    table.write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section,hw00 (77),Total\n"
        "    Points Possible,,,,,8,\n"
        '"Lovelace, Ada",815,,ada,1,,\n"Bitdiddle, Bob",816,,bob,1,,\n',
        "utf-8",
    )
    with Book(load("hw00", course / "source"), course) as book:
        for notebook in book.notebooks():
            for each in notebook.grades:
                each.manual_score, each.needs_manual_grade = 1.0, False
        book.gradebook.db.commit()
    give_feedback("hw00", course=course)
    assert give_back("hw00", Platform.CANVAS, table, course) == 0
    rows = rows_of(course / "returned/hw00-canvas.csv")
    assert [row["hw00 (77)"] for row in rows] == ["8", "3", "3"]
    assert rows[0]["Student"] == "    Points Possible" and rows[1]["Student"] == "Lovelace, Ada"
    with zipfile.ZipFile(course / "returned/hw00-feedback.zip") as made:
        assert "lovelaceada_815_99001_hw00-2.html" in made.namelist()
    table.write_text(table.read_text("utf-8").replace("hw00 (77)", "quiz"), "utf-8")
    assert give_back("hw00", Platform.CANVAS, table, course) == 2
    assert "one column whose heading begins with hw00" in capsys.readouterr().err
