"""A student's own copies: fresh ones, and never one in the place of work."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest
from coursekit import cli, contents
from coursekit.homework import handout as homework
from coursekit.homework import release

RELEASE = contents.EXERCISES / "release/hw00/hw00.ipynb"


@pytest.fixture
def room(tmp_path, monkeypatch):
    """Give the command releases and a folder of its own, with a space and an umlaut in the path."""
    root = tmp_path / "ä b"
    (root / "release/hw00").mkdir(parents=True)
    (root / "release/hw00/hw00.ipynb").write_bytes(RELEASE.read_bytes())
    for name, path in {
        "ROOT": root,
        "RELEASE": root / "release",
        "FOLDER": root / "homework",
    }.items():
        monkeypatch.setattr(homework, name, path)
    monkeypatch.setattr(contents, "EXERCISES", root)
    return root


def call(*args: str) -> int:
    """Call the command as a student does."""
    return cli.main(["homework", *args])


def renew(root) -> bytes:
    """Make a newer release."""
    book = nbformat.read(RELEASE, as_version=4)
    book.cells[0].source += " New."
    book.metadata["release"] = release.fingerprint(book)
    (root / "release/hw00/hw00.ipynb").write_text(contents.notebook_text(book), "utf-8")
    return contents.notebook_text(book).encode()


@pytest.mark.parametrize("number", ["00", "0", "hw00", "HW00", "hw00.ipynb"])
def test_the_first_call_copies(room, capsys, number):
    assert call(number) == 0
    assert (room / "homework/hw00.ipynb").read_bytes() == RELEASE.read_bytes()
    said = capsys.readouterr().out
    assert "homework/hw00.ipynb" in said and "--open" in said
    assert len(list((room / "homework").iterdir())) == 1


def test_work_stays(room, capsys):
    call("00")
    book = nbformat.read(room / "homework/hw00.ipynb", as_version=4)
    book.cells[4].source = "my work"
    nbformat.write(book, room / "homework/hw00.ipynb")
    before = (room / "homework/hw00.ipynb").read_bytes()
    capsys.readouterr()
    assert call("00") == 0 and "stays as it is" in capsys.readouterr().out
    assert [path.name for path in (room / "homework").iterdir()] == ["hw00.ipynb"]
    data = renew(room)
    assert call("00") == 0
    said = capsys.readouterr().out
    assert "newer release" in said and "homework/hw00-2.ipynb" in said
    assert (room / "homework/hw00.ipynb").read_bytes() == before
    assert (room / "homework/hw00-2.ipynb").read_bytes() == data
    assert call("00") == 0 and "already" in capsys.readouterr().out
    assert len(list((room / "homework").iterdir())) == 2


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"metadata": 3}', b"\xff", b"[" * 100_000])
def test_what_cannot_be_read_is_left_alone(room, damage):
    (room / "homework").mkdir()
    (room / "homework/hw00.ipynb").write_bytes(damage)
    assert call("00") == 0
    assert (room / "homework/hw00.ipynb").read_bytes() == damage
    assert (room / "homework/hw00-2.ipynb").read_bytes() == RELEASE.read_bytes()


def test_a_link_into_nothing_is_left_alone(room):
    (room / "homework").mkdir()
    (room / "homework/hw00.ipynb").symlink_to(room / "nowhere")
    assert call("00") == 0
    assert not (room / "nowhere").exists() and (room / "homework/hw00-2.ipynb").exists()


def test_two_calls_at_once_make_one_copy(room):
    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda _: call("00"), range(8)))
    assert codes == [0] * 8
    assert [path.name for path in (room / "homework").iterdir()] == ["hw00.ipynb"]


def test_a_file_system_without_links(room, monkeypatch):
    def no_links(*args):
        raise OSError("no links here")

    monkeypatch.setattr(os, "link", no_links)
    assert call("00") == 0 and (room / "homework/hw00.ipynb").read_bytes() == RELEASE.read_bytes()
    renew(room)
    assert call("00") == 0 and len(list((room / "homework").iterdir())) == 2


@pytest.mark.parametrize("argv", [[], ["77"], ["00", "00"], ["00", "--opne"], ["../x"]])
def test_what_is_not_there_is_one_sentence(room, capsys, argv):
    with pytest.raises(SystemExit, match="2"):
        call(*argv)
    assert capsys.readouterr().err.count("\n") == 1
    assert not (room / "homework").exists()


def test_open_hands_the_copy_to_jupyterlab(room, monkeypatch):
    opened = []
    monkeypatch.setattr(
        "coursekit.lab.open_lab", lambda address, argv: opened.append((address, argv))
    )
    call("00", "--open", "--no-browser")
    assert opened == [("/lab/tree/homework/hw00.ipynb", ["--no-browser"])]


def test_students_need_no_package_of_the_instructors():
    code = (
        "import sys, coursekit.homework.handout\n"
        "from halfspaces.notebook.exercises import check, mine\n"
        "theirs = ('nbgrader', 'sqlalchemy', 'nbconvert', 'nbformat')\n"
        "print([m for m in sys.modules if m.split('.')[0] in theirs])"
    )
    path = os.pathsep.join(filter(None, sys.path))
    said = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert json.loads(said.stdout) == []
