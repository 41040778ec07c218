"""Submitted files may be anything: each gets its answers read, or a sentence that says why not."""

import json
import os
import sys
from pathlib import Path

import pytest
from coursekit.homework.grading.inside import limits
from coursekit.homework.grading.submission import UnreadableError, fetch, find, read
from trial import BOOK, as_bytes, hand_in, notebook

needs_links = pytest.mark.skipif(os.name == "nt", reason="Windows lets few users make links")


def cell_of(book, id):
    return next(
        cell for cell in book["cells"] if cell["metadata"].get("nbgrader", {}).get("grade_id") == id
    )


def test_answers_are_read_by_id_and_in_order(hw00):
    found = read(as_bytes(notebook(q1="one", q2=["two\n", "lines"], proof1="ü ∧")), hw00)
    written = {"q1": "one", "q2": "two\nlines", "proof1": "ü ∧"}
    assert found.answers == written | {"helpers": cell_of(BOOK, "helpers")["source"][0]}
    assert found.notes == ()


def test_what_is_odd_is_said(hw00):
    book = notebook(q1="a")
    book["cells"].remove(cell_of(book, "q2"))
    book["cells"].append({**cell_of(book, "q1"), "source": "b", "cell_type": "markdown"})
    book["metadata"]["kernelspec"] = {"name": "ir", "language": "R"}
    found = read(as_bytes(book), hw00)
    assert found.answers["q1"] == "a\n\nb" and "q2" not in found.answers
    assert found.notes == (
        "The notebook names the kernel ir; it is graded with the course's Python.",
        "q1 is not a code cell any more; its text is taken as if it were.",
        "q1 stands in 2 cells; they are taken together, in their order.",
        "q2 is missing: the notebook has no cell with this id.",
    )


def own(book, name):
    """Return a notebook in which a student has written a name."""
    text = json.dumps(book)
    return json.loads(text.replace('STUDENT = \\"your id\\"', f"STUDENT = '{name}'"))


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("your id", 'STUDENT is still "your id"'),
        ("Ada", 'STUDENT is "Ada"'),
        ("", 'STUDENT is ""'),
        (" STUDENT-01 ", ""),  # the data are the same
        ("student-01", ""),
    ],
)
def test_a_wrong_name_is_said(hw00, typed, says):
    notes = read(as_bytes(own(BOOK, typed)), hw00, "student-01").notes
    if not says:
        assert notes == ()
        return
    [note] = notes
    assert note.startswith(says) and "Set STUDENT to that id" in note and '"student-01"' in note


def test_a_name_that_is_gone_is_said(hw00):
    book = {**BOOK, "cells": [cell for cell in BOOK["cells"] if cell["id"] != "student"]}
    assert "STUDENT is not set" in read(as_bytes(book), hw00, "student-01").notes[0]


def test_another_release_is_said(hw00):
    book = notebook()
    book["metadata"]["release"] = hw00.release
    assert read(as_bytes(book), hw00).notes == ()
    book["metadata"]["release"] = "0123456789abcdef"
    [note] = read(as_bytes(book), hw00).notes
    assert "another release" in note and "course.py homework 00 puts the newest" in note


def test_pictures_in_a_proof_are_said(hw00):
    book = notebook(proof1="See ![it](attachment:a.png) and ![that](attachment:b.png).")
    cell_of(book, "proof1")["attachments"] = {"a.png": {"image/png": "AAAA"}}
    [note] = read(as_bytes(book), hw00).notes
    assert note.startswith("proof1 has 2 pictures")
    book = notebook(proof1="A proof.")
    cell_of(book, "proof1")["attachments"] = {"a.png": {"image/png": "AAAA"}}
    assert "a picture" in read(as_bytes(book), hw00).notes[0]


def test_names_in_cells_that_are_not_read_are_known(hw00):
    book = notebook()
    for source in ("def f(): pass\nx = y.z = 1\n%matplotlib inline\nimport a.b as c, d.e", "(" * 9):
        cell = {"cell_type": "code", "metadata": {}, "source": source}
        book["cells"].append(cell)
    assert read(as_bytes(book), hw00).unread == {"f", "x", "c", "d"}


def test_the_old_format_is_read(hw00):
    cells = [
        {
            "cell_type": cell["cell_type"],
            "metadata": cell["metadata"],
            "input" if cell["cell_type"] == "code" else "source": "text",
        }
        for cell in BOOK["cells"]
    ]
    old = {"nbformat": 3, "metadata": {}, "worksheets": [{"cells": cells}]}
    found = read(as_bytes(old), hw00)
    assert (
        found.answers == dict.fromkeys(("helpers", "q1", "q2", "proof1"), "text")
        and "old format 3" in found.notes[0]
    )


def test_odd_cells_do_no_harm(hw00):
    book = notebook(q1="a")
    book["cells"] += [
        None,
        7,
        [],
        {},
        {"metadata": []},
        {"metadata": {"nbgrader": 7}},
        {"source": 7, "metadata": {"nbgrader": {"grade_id": "q1"}}},
        {"metadata": {"nbgrader": {"grade_id": ["q1"]}}},
    ]
    book["metadata"] = book["cells"][0]["metadata"] = []
    assert read(as_bytes(book), hw00).answers["q1"] == "a"
    assert read(b"\xef\xbb\xbf" + as_bytes(book), hw00).answers["q1"] == "a"  # a byte order mark
    lone = json.dumps(notebook(q1="x = '\ud800'")).encode()
    read(lone, hw00).answers["q1"].encode()  # can be written to a file


def test_answers_are_capped(hw00):
    found = read(as_bytes(notebook(q1="x" * 100_001)), hw00)
    assert (
        "q1" not in found.answers
        and "q1 has more than 100,000 letters and is not graded." in found.notes
    )


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"{", "damaged"),
        (b"\xff\xfe\x00", "damaged"),
        (b"[" * 100_000, "damaged"),
        (b'{"a": ' + b"7" * 5000 + b"}", "damaged"),
        (b"[]", "another kind"),
        (b'{"cells": []}', "another kind"),
        (b'{"nbformat": "4"}', "another kind"),
        (b'{"nbformat": 2}', "format 2"),
        (b'{"nbformat": 4}', "none of the"),
        (b'{"nbformat": 4, "cells": {}}', "none of the"),
        (b'{"nbformat": 3, "worksheets": 1}', "none of the"),
        (b'{"nbformat": 4, "cells": [' + b"{}," * 3000 + b"{}]}", "3,001 cells"),
        (b"PK\x03\x04", "damaged"),
    ],
)
def test_what_cannot_be_read_is_said(data, says, hw00):
    with pytest.raises(UnreadableError, match=says):
        read(data, hw00)


@needs_links
def test_files_that_are_none(tmp_path, monkeypatch):
    real = tmp_path / "real"
    real.write_text("secret")
    (tmp_path / "link").symlink_to(real)
    os.mkfifo(tmp_path / "pipe")
    for name, says in (
        ("link", "link"),
        ("pipe", "no ordinary"),
        ("none", "cannot be read"),
        (".", "no ordinary"),
    ):
        with pytest.raises(UnreadableError, match=says):
            fetch(tmp_path / name)
    monkeypatch.setattr(limits, "NOTEBOOK_BYTES", 5)
    with pytest.raises(UnreadableError, match="larger than"):
        fetch(real)


@needs_links
def test_submissions_are_found_whatever_their_names(tmp_path):
    data = as_bytes(BOOK)
    hand_in(tmp_path, "student-01", data)
    hand_in(tmp_path, "Zoë Müller 学生", data)
    (tmp_path / "student-02").mkdir()
    (tmp_path / "student-02" / "hw00.ipynb").write_bytes(data)
    (tmp_path / "student-03.ipynb").write_bytes(data)
    hand_in(tmp_path, "student-04", data).rename(
        tmp_path / "student-04" / "hw00" / "final (2).ipynb"
    )
    (hand_in(tmp_path, "student-05", data).parent / "old.ipynb").write_bytes(data)
    hand_in(tmp_path, "student-06", data).unlink()
    for name in ("a.ipynb", "b.ipynb"):
        (tmp_path / "student-06" / "hw00" / name).write_bytes(data)
    (tmp_path / "student-07" / "hw00").mkdir(parents=True)
    (tmp_path / "student-08").symlink_to(tmp_path / "student-01")
    hand_in(tmp_path, "student-09", data)
    (tmp_path / "STUDENT-09.ipynb").write_bytes(data)
    (tmp_path / "student-10").mkdir()
    (tmp_path / "student-10" / "hw00").symlink_to(tmp_path / "student-01" / "hw00")
    (tmp_path / "notes.txt").write_text("not a submission")
    (tmp_path / ".hidden").mkdir()
    entries = {entry.student.casefold(): entry for entry in find(tmp_path, "hw00")}
    assert len(entries) == 11
    for name in ("student-01", "zoë müller 学生", "student-02", "student-03"):
        assert entries[name].path and not entries[name].notes
    assert "final (2).ipynb, and hw00.ipynb is expected" in entries["student-04"].notes[0]
    assert (
        entries["student-05"].path.name == "hw00.ipynb"
        and "old.ipynb" in entries["student-05"].notes[0]
    )
    for name, says in (
        ("student-06", "2 notebooks"),
        ("student-07", "no notebook"),
        ("student-08", "link"),
        ("student-09", "two submissions of one student"),
        ("student-10", "link"),
    ):
        assert entries[name].path is None and says in entries[name].fault


def test_no_name_is_passed_over_in_silence(tmp_path):
    (tmp_path / "student-01.IPYNB").write_bytes(as_bytes(BOOK))
    (tmp_path / "student-02.ipynb.txt").write_bytes(as_bytes(BOOK))
    hand_in(tmp_path, "__student", as_bytes(BOOK))
    (tmp_path / "__MACOSX").mkdir()
    entries = {entry.student: entry for entry in find(tmp_path, "hw00")}
    assert set(entries) == {"student-01", "student-02.ipynb.txt", "__student"}
    assert entries["student-01"].path and entries["__student"].path
    assert "must end in .ipynb" in entries["student-02.ipynb.txt"].fault


@needs_links
def test_what_may_not_be_read_stops_nobody(tmp_path, monkeypatch):
    """Not even where a link leads to; root may read all, so the system's refusal is played."""
    for student in ("locked", "student-01"):
        hand_in(tmp_path, student, as_bytes(BOOK))
    (tmp_path / "student-02").symlink_to(tmp_path / "locked" / "hw00")
    os.mkfifo(tmp_path / "pipe.ipynb")
    real = Path.stat

    def refuse(path, **options):
        if (
            tmp_path / "locked" in (path.parent, path.parent.parent)
            or path == tmp_path / "student-02"
            and (options.get("follow_symlinks", True))
        ):
            raise PermissionError(13, "Permission denied")
        return real(path, **options)

    monkeypatch.setattr(Path, "stat", refuse)
    entries = {entry.student: entry for entry in find(tmp_path, "hw00")}
    assert entries["locked"].fault == "locked cannot be read (Permission denied)."
    assert entries["student-01"].path and "link" in entries["student-02"].fault
    assert entries["pipe"].fault == "pipe.ipynb is no ordinary file."


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere names are always text")
def test_a_name_that_is_no_text(tmp_path):
    (tmp_path / os.fsdecode(b"student-\xff.ipynb")).write_bytes(as_bytes(BOOK))
    [entry] = find(tmp_path, "hw00")
    assert entry.path is None and entry.fault == "Its name is not written in UTF-8: rename it."
