"""The wheels that a notebook needs in a browser, packed from what is installed here.

So the browser gets the versions of the lock, and nothing has to be downloaded to build a site. Only
pure Python can be packed; of psygnal, which is compiled here, the sources beside it are.
"""

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

import halfspaces
import jupyterlite_pyodide_kernel
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from coursekit import ROOT
from coursekit.contents import all_notebooks

from . import pyodide

INSIDE = Path(__file__).parent / "inside"  # what runs in the browser's Python
COURSE = "halfspaces-course"
WANTED = ["anywidget", "comm", "fsrs", "ipython", "ipywidgets", "jedi", "mistune", "traitlets"]
USELESS = {  # in a browser
    "jupyterlab-widgets",
    "pexpect",
    "prompt-toolkit",  # for terminals; 0.7 MB with what it requires
    "psutil",
    "widgetsnbextension",
}
LEFT_OUT = re.compile(  # of wheels: what nobody reads in a browser
    r"\.(so|pyd|pyc)$|\.dist-info/|/tests?/|^jedi/third_party/django-stubs|"
    r"^jedi/third_party/typeshed/stubs|^\.\./|^bin/|^share/|\.js\.map$|^anywidget/nbextension"
)
EPOCH = (2020, 1, 1, 0, 0, 0)  # the same files make the same wheel
Package = dict[str, Any]  # as a lock of Pyodide describes it


def write_wheels(folder: Path) -> dict[str, Package]:
    """Write all wheels into a folder; return them as a lock of Pyodide has them."""
    found = {}
    for name in closure(WANTED):
        found[name] = pack(folder, distribution(name))
    for wheel in kernel_wheels():
        (folder / wheel.name).write_bytes(wheel.read_bytes())
        name, version = wheel.name.split("-")[:2]
        found[canonicalize_name(name)] = describe(folder / wheel.name, name, version, [])
    found["ipykernel"]["depends"] = ["pyodide-kernel"]
    found["piplite"]["depends"] = ["micropip"]
    found["pyodide-kernel"]["depends"] = ["comm", "ipython"]
    found[COURSE] = pack_course(folder)
    # JupyterLite has JupyterLab's pages and none of its Python: a name and a version to ask for.
    found["jupyterlab"] = write_wheel(folder, "jupyterlab", version_of("jupyterlab"), {}, [])
    return found


def closure(names: Iterable[str]) -> list[str]:
    """Return these packages and what they require, but for what Pyodide has or no browser needs."""
    found: dict[str, None] = {}
    waiting = [canonicalize_name(name) for name in names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            waiting += requirements(distribution(name))
    return [name for name in sorted(found)]


def requirements(found: Distribution) -> list[str]:
    """Return what a package requires of those that have to be packed."""
    return [name for name in dependencies(found) if name not in pyodide.packages()]


def dependencies(found: Distribution) -> list[str]:
    """Return what a package requires in a browser."""
    needs = [Requirement(line) for line in found.requires or []]
    here = {"sys_platform": "emscripten", "platform_system": "Emscripten", "extra": ""}
    asked = [need for need in needs if need.marker is None or need.marker.evaluate(here)]
    return [name for need in asked if (name := canonicalize_name(need.name)) not in USELESS]


def pack(folder: Path, found: Distribution) -> Package:
    """Pack an installed package."""
    contents = {
        file.as_posix(): file.locate().read_bytes()
        for file in found.files or []
        if not LEFT_OUT.search(file.as_posix()) and Path(file.locate()).is_file()
    }
    points = found.read_text("entry_points.txt")  # by which matplotlib finds its backend
    return write_wheel(folder, found.name, found.version, contents, dependencies(found), points)


def kernel_wheels() -> Iterator[Path]:
    """Return the wheels of JupyterLite's kernel."""
    folder = labextension("@jupyterlite/pyodide-kernel-extension") / "static/pypi"
    for name in ("ipykernel", "piplite", "pyodide_kernel"):
        yield from folder.glob(f"{name}-*.whl")


def labextension(name: str) -> Path:
    """Return the folder of an extension of JupyterLab that is installed here."""
    site = Path(jupyterlite_pyodide_kernel.__file__)
    places = (folder / "share/jupyter/labextensions" / name for folder in site.parents)
    return next(place for place in places if place.is_dir())


def pack_course(folder: Path) -> Package:
    """Pack the library, and what the map of the course reads of the notebooks."""
    lib = ROOT / "lib"
    contents = {
        path.relative_to(lib).as_posix(): path.read_bytes()
        for path in sorted((lib / "halfspaces").rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    contents |= {
        path.relative_to(INSIDE).as_posix(): path.read_bytes()
        for path in sorted(INSIDE.rglob("*.py"))
        if "__pycache__" not in path.parts
    }
    contents["halfspaces_site/course.py"] = b""  # by which the folder of a course is known
    for path in all_notebooks():
        contents[f"halfspaces_site/notebooks/{path.name}"] = skeleton(path).encode()
    needs = ["anywidget", "fsrs", "ipywidgets", "matplotlib", "mistune", "numpy"]
    build = build_tag(contents)
    return write_wheel(folder, COURSE, halfspaces.__version__, contents, needs, build=build)


def build_tag(contents: dict[str, bytes]) -> str:
    """Return a part of a wheel's name by which no cache takes it for an older one."""
    whole = b"".join(name.encode() + contents[name] for name in sorted(contents))
    return f"1{hashlib.sha256(whole).hexdigest()[:12]}"


def skeleton(path: Path) -> str:
    """Return a notebook with no more than its title and what it asks."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    kept = [
        {"cell_type": cell["cell_type"], "source": source}
        for cell in cells
        if (source := "".join(cell["source"])) and _is_asked(cell["cell_type"], source)
    ]
    return json.dumps({"cells": kept}, ensure_ascii=False)


def _is_asked(kind: str, source: str) -> bool:
    if kind == "markdown":
        return source.startswith("# ")
    return any(name in source for name in ("Question(", "Predict(", "check_exercise("))


def write_wheel(
    folder: Path,
    name: str,
    version: str,
    contents: dict[str, bytes],
    depends: list[str],
    points: str | None = None,
    build: str = "",
) -> Package:
    """Write a wheel of pure Python; return it as a lock has it."""
    stem = f"{canonicalize_name(name).replace('-', '_')}-{version}"
    about = f"{stem}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    wheel = "Wheel-Version: 1.0\nGenerator: halfspaces-course\nRoot-Is-Purelib: true\n"
    whole = contents | {
        f"{about}/METADATA": metadata.encode(),
        f"{about}/WHEEL": f"{wheel}Tag: py3-none-any\n".encode(),
        f"{about}/RECORD": "".join(f"{file},,\n" for file in sorted(contents)).encode(),
    }
    if points:
        whole[f"{about}/entry_points.txt"] = points.encode()
    target = folder / f"{stem}{f'-{build}' if build else ''}-py3-none-any.whl"
    target.write_bytes(as_zip(whole))
    return describe(target, name, version, depends)


def as_zip(contents: dict[str, bytes]) -> bytes:
    """Return an archive of files; the same files make the same archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(contents):
            archive.writestr(zipfile.ZipInfo(path, EPOCH), contents[path], zipfile.ZIP_DEFLATED)
    return file.getvalue()


def describe(wheel: Path, name: str, version: str, depends: list[str]) -> Package:
    """Return a wheel as a lock of Pyodide has it, and its size."""
    data = wheel.read_bytes()
    with zipfile.ZipFile(wheel) as archive:
        tops = {path.partition("/")[0] for path in archive.namelist() if path.endswith(".py")}
    return {
        "name": canonicalize_name(name),
        "version": version,
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(data).hexdigest(),
        "package_type": "package",
        "imports": sorted(top.removesuffix(".py") for top in tops),
        "depends": depends,
        "unvendored_tests": False,
        "size": len(data),
    }
