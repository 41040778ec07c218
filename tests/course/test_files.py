"""Files are written whole or not at all, and never over what must stay."""

import os
from pathlib import Path

import pytest
from coursekit.files import write_atomically, write_exclusively, write_if_changed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ä b.txt"


def test_text_is_utf8_with_plain_newlines_and_bytes_stay(path):
    write_atomically(path, "ä\nb\n")
    assert path.read_bytes() == b"\xc3\xa4\nb\n"
    write_atomically(path, b"\r\n\xff")
    assert path.read_bytes() == b"\r\n\xff"
    assert os.listdir(path.parent) == [path.name]


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(path, monkeypatch):
    write_atomically(path, "old")

    def fail(*_):
        raise OSError("the disk is full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="the disk is full"):
        write_atomically(path, "new")
    assert path.read_text("utf-8") == "old"
    assert os.listdir(path.parent) == [path.name]


def test_what_says_the_same_is_not_written_again(path):
    assert write_if_changed(path, "one")
    os.utime(path, (1, 1))
    assert not write_if_changed(path, "one")
    assert path.stat().st_mtime == 1
    assert write_if_changed(path, "two")
    assert path.read_text("utf-8") == "two"
    assert write_if_changed(path.parent / "new" / "folder" / "x", b"")


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_what_is_there_is_never_replaced(path, monkeypatch, links):
    if not links:

        def link(*_):
            raise PermissionError("no links here")

        monkeypatch.setattr(os, "link", link)
    assert write_exclusively(path, "mine")
    assert not write_exclusively(path, "theirs")
    assert path.read_text("utf-8") == "mine"
    assert os.listdir(path.parent) == [path.name]


def test_a_dangling_link_counts_as_a_file(path):
    if not hasattr(os, "symlink"):
        pytest.skip("no symbolic links here")
    path.symlink_to(path.parent / "nowhere")
    assert not write_exclusively(path, "mine")
    assert path.is_symlink()
