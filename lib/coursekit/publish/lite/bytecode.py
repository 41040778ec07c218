"""The bytecode of what notebooks import, so that no browser has to compile it at every start.

Only Pyodide's own Python can make it, so it runs in Node while the site is built. Sources stay
beside it for tracebacks, but for those of the standard library.
"""

import hashlib
import json
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

from . import pyodide, wheels

SCRIPT = Path(__file__).with_suffix(".mjs")
LIBRARY = "python_stdlib.zip"  # as Pyodide calls it


def missing() -> str:
    """Say what it takes to make bytecode and is not here, or nothing."""
    return "" if shutil.which("node") else "nodejs is not installed"


def compile_imports(packed: Path, own: Path, lock: dict[str, wheels.Package], target: Path) -> None:
    """Write bytecode into the folders library and packages of a folder."""
    folders = {True: packed, False: own}
    placed = {
        name: one | {"file_name": str(folders[name in pyodide.packages()] / one["file_name"])}
        for name, one in lock.items()
    }
    path = target / "lock.json"
    path.write_text(json.dumps({"info": pyodide.pinned()["info"], "packages": placed}))
    argv = ["node", SCRIPT, packed, path, target]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=900)
    if done.returncode:
        raise RuntimeError(f"Bytecode cannot be made: {done.stderr[-2000:]}")


def write_bytecode(
    packed: Path, own: Path, lock: dict[str, wheels.Package], later: set[str]
) -> tuple[dict[str, wheels.Package], str]:
    """Write wheels of bytecode, one for each package that comes later, and the standard library.

    Return the wheels as a lock of Pyodide has them, and the library's file name.
    """
    with tempfile.TemporaryDirectory() as temporary:
        target = Path(temporary)
        compile_imports(packed, own, lock, target)
        compiled = read_files(target / "packages")
        library = read_files(target / "library")
    found = {}
    for name in sorted(later):
        theirs = {
            file: compiled.pop(file) for file in list(compiled) if file.startswith(f"{name}/")
        }
        found[name_for(name)] = write_wheel(own, name_for(name), theirs)
    found["bytecode"] = write_wheel(own, "bytecode", compiled)
    with zipfile.ZipFile(packed / LIBRARY) as archive:
        sources = {name: archive.read(name) for name in archive.namelist()}
    for name in library:
        del sources[name.removesuffix("c")]
    data = wheels.as_zip(sources | library)
    file = own / f"python_stdlib-{hashlib.sha256(data).hexdigest()[:12]}.zip"
    file.write_bytes(data)
    return found, file.name


def name_for(package: str) -> str:
    """Return what the wheel is called that has a package's bytecode."""
    return f"{package}-bytecode"


def read_files(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder, by their names in it."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def write_wheel(folder: Path, name: str, contents: dict[str, bytes]) -> wheels.Package:
    """Write a wheel of bytecode, whose name no cache takes for an older one's."""
    build = wheels.build_tag(contents)
    return wheels.write_wheel(folder, name, pyodide.pinned()["version"], contents, [], build=build)
