"""The wheel has all of lib, and works in an environment that knows nothing of this folder."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import halfspaces
import pytest
from small_project import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Build the wheel from a copy, since setuptools leaves traces in the folder it builds from."""
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE", "LICENSE-text"):
        shutil.copy(ROOT / name, source)
    unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "lib", source / "lib", ignore=unwanted)
    (source / "lib/halfspaces/__pycache__").mkdir()
    (source / "lib/halfspaces/__pycache__/stray.cpython-311.pyc").touch()
    python = f"--python={sys.executable}"
    uv("build", "--wheel", "--no-build-isolation", python, str(source))
    (made,) = source.glob("dist/*.whl")
    return made


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory) -> Path:
    """Install the wheel into a fresh environment that borrows numpy and scipy from this one."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, symlinks=os.name != "nt")
    uv("pip", "install", "--no-deps", f"--python={python_of(folder)}", str(wheel))
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))
    # A folder that a .pth file names is searched, but the .pth files in it are not read.
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return folder


def uv(*args: str) -> None:
    """Call uv without a network."""
    subprocess.run([sys.executable, "-m", "uv", *args, "--offline", "--quiet"], check=True)


def python_of(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def run(environment: Path, *args: str) -> subprocess.CompletedProcess:
    """Run the environment's Python in a folder that holds no course."""
    unset = ("PYTHONPATH", "HALFSPACES_COURSE")
    return subprocess.run(
        [python_of(environment), *args],
        cwd=environment,
        env={name: value for name, value in os.environ.items() if name not in unset},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def files_of_lib() -> set[str]:
    """Return the files of lib that belong to the packages."""
    paths = (path.relative_to(ROOT / "lib") for path in (ROOT / "lib").rglob("*") if path.is_file())
    strange = {"__pycache__", ".ipynb_checkpoints"}
    return {
        path.as_posix()
        for path in paths
        if not strange & set(path.parts) and not path.parts[0].endswith(".egg-info")
    }


def test_the_wheel_has_every_file_of_lib_and_no_other(wheel):
    held = {name for name in zipfile.ZipFile(wheel).namelist() if "halfspaces_course-" not in name}
    assert held == files_of_lib()


def test_the_library_works(environment):
    code = """
import halfspaces
from importlib.metadata import version
from importlib.resources import files
X, y = halfspaces.datasets.animals()
halfspaces.separate(X, y).check()
assert files("halfspaces").joinpath("py.typed").is_file()
print(halfspaces.__version__, version("halfspaces-course"), halfspaces.__file__)
"""
    result = run(environment, "-c", code)
    assert result.returncode == 0, result.stderr
    version, declared, place = result.stdout.split(maxsplit=2)
    assert version == declared == halfspaces.__version__
    assert Path(place).is_relative_to(environment)


def test_jupyterlab_finds_its_extensions(environment):
    extension = environment / "share/jupyter/labextensions"
    source = ROOT / "lib/coursekit/lecture/labextensions"
    for path in source.rglob("*"):
        if path.is_file():
            installed = extension / path.relative_to(source)
            assert installed.read_bytes() == path.read_bytes()
    code = """
from jupyter_server.services.config.manager import ConfigManager
from jupyter_core.paths import jupyter_config_path
settings = ConfigManager(read_config_path=jupyter_config_path()).get("jupyter_server_config")
print([name for name, on in settings["ServerApp"]["jpserver_extensions"].items() if on])
"""
    result = run(environment, "-c", code)
    assert "coursekit.lecture.extension" in result.stdout, result.stderr


def test_a_command_outside_of_a_course_is_answered_by_a_sentence(environment):
    result = run(environment, "-m", "coursekit", "lab")
    assert result.returncode == 2
    assert "call this in the folder of the course" in result.stderr
    assert result.stderr.count("\n") == 1 and "Traceback" not in result.stderr


def test_a_package_that_is_missing_is_named_in_a_sentence(environment):
    code = f"""
import os, sys
os.environ["HALFSPACES_COURSE"] = {str(ROOT)!r}
sys.modules["jupyterlab"] = None  # as if it were not installed
from coursekit.cli import main
sys.exit(main(["lab"]))
"""
    result = run(environment, "-c", code)
    assert result.returncode == 2
    assert "needs jupyterlab" in result.stderr and "halfspaces-course[lectures]" in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_version_stands_in_one_place():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", citation, re.MULTILINE) == [halfspaces.__version__]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## \[?([\d.]+)", changes, re.MULTILINE)[0] == halfspaces.__version__
