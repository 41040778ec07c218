"""What is imported, pyproject.toml, the lock files and environment.yml say the same."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from coursekit.publish.lock import EXTRAS, environment, lock_text, pins, tidy
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from small_project import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CORE = "halfspaces"  # what `pip install` brings without an extra
SMALLER = {CORE: [], "notebooks": [CORE], "lectures": [CORE, "notebooks"]}
SMALLER["dev"] = [*SMALLER["lectures"], "lectures"]
ROOMS = {  # file or folder: what its modules may import; the last that fits holds
    "lib/halfspaces": CORE,
    "lib/halfspaces/notebook": "notebooks",
    "lib/coursekit": "lectures",
    "lib/coursekit/__init__.py": CORE,
    "lib/coursekit/__main__.py": CORE,
    "lib/coursekit/cli.py": CORE,
    "lib/coursekit/files.py": CORE,
    "lib/coursekit/contents.py": "lectures",
    "lib/coursekit/editions.py": CORE,
    "lib/coursekit/lab.py": "notebooks",
    "lib/coursekit/study.py": "notebooks",
    "lib/coursekit/lecture/deck.py": "notebooks",
    "lib/coursekit/lecture/names.py": CORE,
    "lib/coursekit/lecture/steps.py": CORE,
    "lib/coursekit/lecture/extension.py": "notebooks",
    "lib/coursekit/homework/handout.py": "notebooks",
    "lib/coursekit/browser.py": "dev",
    "lib/coursekit/publish/font.py": "dev",
    "lib/coursekit/publish/lite": "dev",
    "lib/coursekit/publish/paper.py": "dev",
    "lib/coursekit/publish/rendering.py": "dev",
    "lib/coursekit/test.py": "dev",
    "lib/coursekit/testing.py": "dev",
    "benchmarks": "dev",
    "tests": "dev",
}
OPTIONAL = {  # what a module of an extra goes on without
    # which the extras "cluster" and "hub" add, to grade on several machines and to serve a class
    "lectures": {"distributed", "jupyterhub"},
    CORE: {"threadpoolctl"},  # the solver is slower on a busy machine
    "dev": {"snapml"},  # a rival in a benchmark
}
RUN = {
    "brotli",  # with which fonttools writes woff2
    "distributed",
    "jupyterhub",
    "jupyterlite-core",
    "mypy",
    "nbval",
    "ruff",
    "setuptools",
    "uv",
}  # programs and plugins, imported by nobody


def own(extra: str) -> list[Requirement]:
    """Return what pyproject.toml asks for in an extra, without that of the smaller ones."""
    lines = PROJECT["dependencies"] if extra == CORE else PROJECT["optional-dependencies"][extra]
    wanted = [Requirement(line) for line in lines]
    return [line for line in wanted if line.name != PROJECT["name"]]


def declared(extra: str) -> list[Requirement]:
    """Return what pyproject.toml asks for in an extra and those it holds."""
    return [line for name in [*SMALLER[extra], extra] for line in own(name)]


def names(requirements: list[Requirement]) -> set[str]:
    """Return the names of requirements, spelt one way."""
    return {canonicalize_name(requirement.name) for requirement in requirements}


def extra_of(path: Path) -> str:
    """Return the extra that a module may import from."""
    return [extra for room, extra in ROOMS.items() if path.is_relative_to(ROOT / room)][-1]


def imported(path: Path) -> set[str]:
    """Return the top-level names that a module imports, here or in a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def modules() -> list[Path]:
    """Return every module of the project."""
    return [path for room in ("lib", "benchmarks", "tests") for path in (ROOT / room).rglob("*.py")]


def packages_for(extra: str) -> set[str]:
    """Return the distributions that the modules of an extra import."""
    ours = {"halfspaces", "coursekit", "benchmarks", *(path.stem for path in modules())}
    ours |= OPTIONAL.get(extra, set()) | {"halfspaces_page"}  # a page's own, in a browser
    known = packages_distributions()
    found = set()
    for path in modules():
        if extra_of(path) == extra:
            for name in imported(path) - ours - sys.stdlib_module_names:
                assert name in known, f"{path} imports {name}, which is not installed"
                found.add(canonicalize_name(known[name][0]))
    return found


@pytest.mark.parametrize("extra", SMALLER)
def test_what_is_declared_is_what_is_imported(extra):
    smaller = set().union(*(names(own(name)) for name in SMALLER[extra]))
    run = {"dev": RUN, "notebooks": {"threadpoolctl"}}.get(extra, set())  # the solver's
    assert names(own(extra)) - run == packages_for(extra) - smaller


@pytest.mark.parametrize("extra", ["lectures", "dev"])
def test_an_extra_brings_the_smaller_ones(extra):
    inner = PROJECT["optional-dependencies"][extra][0]
    assert inner == f"{PROJECT['name']}[{SMALLER[extra][-1]}]"


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
    for wanted in declared(EXTRAS[group]):
        (pin,) = locked[canonicalize_name(wanted.name)].specifier
        assert pin.operator == "==" and wanted.specifier.contains(pin.version), wanted
    direct = {name for name, entry in entries(group).items() if PROJECT["name"] in entry}
    assert direct == names(declared(EXTRAS[group]))


@pytest.mark.parametrize("group", EXTRAS)
def test_every_file_has_its_hash(group):
    for name, entry in entries(group).items():
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry), name


def test_locks_agree_with_each_other():
    def pinned(group):
        """Return pins and hashes; a larger group may need a package on more systems."""
        return {
            name: re.sub(r"(?m)^ *#.*\n| ;.*(?= \\$)", "", entry)
            for name, entry in entries(group).items()
        }

    small, middle, large = map(pinned, ("student", "instructor", "dev"))
    assert "psutil==" in small["psutil"] and ";" not in small["psutil"]
    assert small.items() < middle.items() < large.items()


@pytest.mark.parametrize("extra", ["cluster", "hub"])
def test_a_small_extra_is_what_its_tests_have(extra):
    extras = PROJECT["optional-dependencies"]
    assert extras[extra][0] == f"{PROJECT['name']}[lectures]"
    assert set(extras[extra][1:]) <= set(extras["dev"])


def test_one_version_for_all_pythons_and_systems():
    for group in EXTRAS:
        locked = [Requirement(pin).name for pin in pins(lock_text(group))]
        assert len(locked) == len(set(locked))


def test_environment_is_derived_from_the_student_lock():
    assert (ROOT / "environment.yml").read_text(encoding="utf-8") == environment(
        lock_text("student")
    )


def test_environment_has_a_python_that_the_course_supports():
    (version,) = re.findall(r"^  - python=(.+)$", environment(""), flags=re.MULTILINE)
    assert Requirement(f"python{PROJECT['requires-python']}").specifier.contains(version)


def test_pins_keep_markers_and_drop_hashes():
    lock = """# c
a==1 ; os_name == 'nt' \\
    --hash=sha256:0
    # via b
b==2 \\
    --hash=sha256:1
"""
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
