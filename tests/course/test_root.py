"""The folder of the course is found from a checkout, from inside a course, or by its name."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import coursekit
import pytest
from small_project import ROOT

TELL = "from coursekit import ROOT; print(ROOT)"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Return a folder that holds coursekit apart from any course, as site-packages does."""
    place = tmp_path / "python" / "site-packages"
    place.mkdir(parents=True)
    shutil.copytree(ROOT / "lib/coursekit", place / "coursekit")
    return place


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return the folder of some course."""
    folder = tmp_path / "ä b"
    (folder / "notebooks").mkdir(parents=True)
    (folder / "course.py").touch()
    return folder


def call(place: Path, cwd: Path, *code: str, **env: str) -> subprocess.CompletedProcess:
    """Run Python in a folder with the coursekit of a place, and no other."""
    kept = {name: value for name, value in os.environ.items() if name != coursekit.VARIABLE}
    return subprocess.run(
        [sys.executable, "-P", *(code or ("-c", TELL))],
        cwd=cwd,
        env=kept | {"PYTHONPATH": str(place), "PYTHONIOENCODING": "utf-8"} | env,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def test_a_checkout_is_its_own_course_wherever_it_is_called(course):
    for folder in (ROOT, ROOT / "tests", course):
        assert call(ROOT / "lib", folder).stdout == f"{ROOT}\n"


def test_an_installed_package_takes_the_course_it_is_called_in(installed, course):
    for folder in (course, course / "notebooks"):
        assert call(installed, folder).stdout == f"{course}\n"


def test_a_named_course_wins(installed, course, tmp_path):
    for place in (installed, ROOT / "lib"):
        found = call(place, tmp_path, HALFSPACES_COURSE=str(course))
        assert found.stdout == f"{course}\n"


def test_a_wrong_name_is_not_ignored(course, tmp_path):
    found = call(ROOT / "lib", course, HALFSPACES_COURSE=str(tmp_path / "none"))
    assert f"HALFSPACES_COURSE names {tmp_path / 'none'}, which has no course.py" in found.stderr


def test_without_a_course_a_package_can_still_be_imported(installed, tmp_path):
    assert call(installed, tmp_path, "-c", "import coursekit.files").returncode == 0
    assert "NoCourseError: This folder and those above" in call(installed, tmp_path).stderr


def test_other_attributes_are_not_made_up():
    with pytest.raises(AttributeError, match="'coursekit' has no attribute 'ROOTS'"):
        coursekit.__getattr__("ROOTS")
