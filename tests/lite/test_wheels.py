"""What a browser's Python gets: pinned, pure, small; and what the build says when it cannot."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from coursekit.publish.lite import bytecode, pyodide, wheels
from coursekit.publish.lite.build import LATER, pyodide_files, write_python
from coursekit.publish.lite.contents import as_copy, write_books
from halfspaces.notebook.reading import read_course
from small_project import ROOT


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Write the wheels, their lock and the script that starts Python, as for a site with a CDN."""
    place = tmp_path_factory.mktemp("python") / "python"
    write_python(place, None, offline=False)
    return place


@pytest.fixture(scope="module")
def lock(folder):
    return json.loads((folder / "pyodide-lock.json").read_text())["packages"]


def test_the_lock_names_all_that_is_needed_and_nothing_on_pypi(folder, lock):
    for package in lock.values():
        assert set(package["depends"]) <= lock.keys(), package["name"]
        file = package["file_name"]
        assert file.startswith(pyodide.source()) or (folder / file).is_file()


def test_wheels_are_pure(folder):
    for wheel in folder.glob("*.whl"):
        names = zipfile.ZipFile(wheel).namelist()
        assert not [name for name in names if name.endswith((".so", ".pyd"))], wheel.name
        assert sum(name.endswith(".dist-info/METADATA") for name in names) == 1, wheel.name


def test_the_first_visit_stays_small(folder):
    about = json.loads((folder / "start.json").read_text())
    assert LATER == {"scipy"} == about["later"].keys()
    assert not [name for name in about["sizes"] if name.startswith("scipy")]
    assert sum(about["sizes"].values()) < 30e6
    assert not [name for name in about["sizes"] if name.startswith("prompt_toolkit")]
    assert (folder / about_course(folder)).stat().st_size < 300e3


def about_course(folder: Path) -> str:
    (wheel,) = folder.glob("halfspaces_course-*.whl")
    return wheel.name


def test_the_library_is_in_it_without_what_runs_a_course(folder):
    names = zipfile.ZipFile(folder / about_course(folder)).namelist()
    assert "halfspaces/notebook/picture.js" in names
    assert [name for name in names if name.startswith("coursekit/")] == [
        "coursekit/__init__.py",
        "coursekit/homework/__init__.py",
        "coursekit/homework/trying.py",
    ]


def test_the_library_is_imported_without_what_is_fetched_later():
    code = "import sys, halfspaces; print({'scipy', 'matplotlib'} & set(sys.modules) or '')"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == ""


def test_the_map_of_the_course_is_the_same_there(folder, tmp_path):
    zipfile.ZipFile(folder / about_course(folder)).extractall(tmp_path)
    here = read_course(ROOT)
    there = read_course(tmp_path / "halfspaces_site")
    assert len(here) == len(there) > 10
    for a, b in zip(here, there):
        assert (a.title, a.questions, a.predictions, a.exercises) == (
            b.title,
            b.questions,
            b.predictions,
            b.exercises,
        )


def test_copies_show_what_they_showed_but_not_what_is_to_be_predicted(tmp_path):
    editions = write_books(tmp_path / "books")
    assert len(editions) == len(list((ROOT / "notebooks").glob("*.ipynb"))) + len(
        list((ROOT / "exercises/release").glob("hw*"))
    )
    book = json.loads((tmp_path / "books/05-mistake-bound.ipynb").read_text("utf-8"))
    code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert any(cell["outputs"] for cell in code)
    assert not any(cell["outputs"] for cell in code if ".reveal(" in cell["source"])
    assert all(isinstance(cell["source"], str) for cell in book["cells"])


def test_a_copy_says_that_its_language_is_python():
    book = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    metadata = json.loads(as_copy(book))["metadata"]
    assert metadata["language_info"]["name"] == "python"  # without it no kernel starts


def fake_wheel(place: Path, **changed: bytes) -> Path:
    """Write a wheel that carries a file for each name, with whatever is in it."""
    with zipfile.ZipFile(place, "w") as archive:
        for name in pyodide.files():
            archive.writestr(f"any/pyodide/{name}", changed.get(name, b"something else"))
    return place


def test_a_file_with_another_hash_is_refused_and_not_kept(tmp_path, monkeypatch):
    monkeypatch.setenv(pyodide.CACHE, str(tmp_path / "cache"))
    monkeypatch.setattr(pyodide, "download_wheel", lambda folder: fake_wheel(folder / "a.whl"))
    with pytest.raises(pyodide.NotToBeHadError, match="is not the file that is pinned"):
        pyodide.fetch()
    assert list((tmp_path / "cache").iterdir()) == []


def test_without_a_network_a_sentence_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv(pyodide.CACHE, str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    with pytest.raises(pyodide.NotToBeHadError, match=r"Pyodide cannot be downloaded \(.+\)\."):
        pyodide.fetch()


def test_pages_are_built_without_bytecode_and_say_so(monkeypatch, capsys):
    def fetch():
        raise pyodide.NotToBeHadError("Pyodide cannot be downloaded (no network).")

    monkeypatch.setattr(pyodide, "fetch", fetch)
    for reason in ("nodejs is not installed", ""):
        monkeypatch.setattr(bytecode, "missing", lambda: reason)
        assert pyodide_files(offline=False) is None
        said = capsys.readouterr().err
        assert "will take longer to start" in said
        assert (reason or "Pyodide cannot be downloaded (no network)") + "." in said
        with pytest.raises(pyodide.NotToBeHadError, match="cannot be downloaded"):
            pyodide_files(offline=True)


def test_the_same_files_make_the_same_wheel(folder, tmp_path):
    again = wheels.pack_course(tmp_path)
    assert (tmp_path / again["file_name"]).read_bytes() == (
        folder / again["file_name"]
    ).read_bytes()
