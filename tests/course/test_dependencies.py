"""pyproject.toml, the lock files and environment.yml say the same."""

import re
import tomllib

import pytest
from coursekit.publish.lock import EXTRAS, environment, lock_text, pins, tidy
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from small_project import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def declared(group: str) -> list[Requirement]:
    """Return what pyproject.toml asks for."""
    extras = [PROJECT["optional-dependencies"][extra] for extra in EXTRAS[group]]
    return [Requirement(line) for line in sum(extras, PROJECT["dependencies"])]


def entries(group: str) -> dict[str, str]:
    """Return name: whole entry (pin, marker, hashes, reasons) of a lock file."""
    parts = re.split(r"^(?=\w)", lock_text(group), flags=re.MULTILINE)[1:]
    named = {canonicalize_name(re.match(r"[\w.-]+", part)[0]): part for part in parts}
    assert len(named) == len(parts)
    return named


@pytest.mark.parametrize("group", EXTRAS)
def test_lock_holds_what_is_declared_and_no_more(group):
    locked = {
        canonicalize_name(Requirement(pin).name): Requirement(pin) for pin in pins(lock_text(group))
    }
    for wanted in declared(group):
        (pin,) = locked[canonicalize_name(wanted.name)].specifier
        assert pin.operator == "==" and wanted.specifier.contains(pin.version), wanted
    direct = {name for name, entry in entries(group).items() if PROJECT["name"] in entry}
    assert direct == {canonicalize_name(wanted.name) for wanted in declared(group)}


@pytest.mark.parametrize("group", EXTRAS)
def test_every_file_has_its_hash(group):
    for name, entry in entries(group).items():
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry), name


def test_locks_agree_with_each_other():
    def without_reasons(group):
        return {name: re.sub(r"(?m)^ *#.*\n", "", entry) for name, entry in entries(group).items()}

    small, middle, large = map(without_reasons, ("student", "instructor", "dev"))
    assert small.items() < middle.items() < large.items()


def test_one_version_for_all_pythons_and_systems():
    for group in EXTRAS:
        names = [Requirement(pin).name for pin in pins(lock_text(group))]
        assert len(names) == len(set(names))


def test_environment_is_derived_from_the_student_lock():
    assert (ROOT / "environment.yml").read_text(encoding="utf-8") == environment(
        lock_text("student")
    )


def test_environment_has_a_python_that_the_course_supports():
    (version,) = re.findall(r"^  - python=(.+)$", environment(""), flags=re.MULTILINE)
    assert Requirement(f"python{PROJECT['requires-python']}").specifier.contains(version)


def test_pins_keep_markers_and_drop_hashes():
    lock = "# c\na==1 ; os_name == 'nt' \\\n    --hash=sha256:0\n    # via b\nb==2 \\\n    --hash=sha256:1\n"
    assert pins(lock) == ["a==1 ; os_name == 'nt'", "b==2"]
    assert not Marker(pins(lock)[0].partition(";")[2]).evaluate({"os_name": "posix"})


def test_files_name_no_place_they_were_made_in():
    for name in ("environment.yml", *(f"requirements/{group}.txt" for group in EXTRAS)):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert not re.search(
            r"https?://|file://|index-url|find-links|^\s*#.*\s/", text, flags=re.MULTILINE
        )
    assert (
        tidy("a==1\n    # via\n    #   -c dev.txt\n    #   b\n") == "a==1\n    # via\n    #   b\n"
    )
