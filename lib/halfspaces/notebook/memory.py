"""Keep what a reader has voted, predicted and solved in one small file that a person can read.

The file is `progress.json` in the course's folder, the one with course.py, or else in the kernel's;
HALFSPACES_PROGRESS names another, and where it is empty nothing outlives the kernel. Each change
replaces one entry of the file as it is at that moment, so that two kernels do not undo each other.
In a browser the page that runs the kernel hears of each change and keeps it. Nothing leaves the
machine.
"""

import json
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

VARIABLE = "HALFSPACES_PROGRESS"
COURSE = "HALFSPACES_COURSE"  # names the folder of the course, where it is not the kernel's
NAME = "progress.json"
VERSION = 1
PATIENCE = 2.0  # seconds to wait for another kernel that writes

Entry = dict[str, Any]
Kept = dict[str, Any]  # by kind, such as "questions": entries by their id


def _start() -> Path:
    """Return the folder in which the kernel was started; a cell may leave it later."""
    try:
        return Path.cwd()
    except OSError:  # it is gone
        return Path()


START = _start()
_here: Kept = {}  # what this kernel knows and could not write
_told: set[str] = set()


def find_file() -> Path | None:
    """Return where the file is or would be; None if it is switched off."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return Path(named).expanduser() if named else None
    return (find_course() or START) / NAME


def find_course() -> Path | None:
    """Return the folder with course.py: that named, or the kernel's or one above; else None."""
    named = os.environ.get(COURSE)
    folders = (Path(named),) if named else (START, *START.parents)
    return next((folder for folder in folders if (folder / "course.py").is_file()), None)


def recall(kind: str, name: str) -> Entry:
    """Return an entry, empty if there is none."""
    return dict(recall_all(kind).get(name, {}))


def recall_all(kind: str) -> dict[str, Entry]:
    """Return all entries of a kind."""
    return _read(find_file()).get(kind, {}) | _here.get(kind, {})


def change(kind: str, name: str, make: Callable[[Entry], Entry]) -> None:
    """Put what is made of an entry, empty if there is none, in its place; {} forgets it."""
    file = find_file()
    if file is not None:
        try:
            with _lock(file):
                kept = _read(file)
                if kept.get("version", VERSION) <= VERSION:
                    before = _here.get(kind, {}).pop(name, kept.get(kind, {}).get(name, {}))
                    entry = make(dict(before))
                    _put(kept, kind, name, entry)
                    _write(file, {"version": VERSION} | kept)
                    _tell_page(kind, name, entry)
                    return
        except OSError as error:
            tell(f"{file.name} cannot be written ({error}): what you do now ends with the kernel.")
    _put(_here, kind, name, make(recall(kind, name)))


def forget_kernel() -> None:
    """Forget what was not written, as a new kernel would."""
    _here.clear()
    _told.clear()


def now() -> str:
    """Return the time as it is written into the file."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def tell(sentence: str) -> None:
    """Say something once."""
    if sentence not in _told:
        _told.add(sentence)
        print(sentence, file=sys.stderr)


def _put(kept: Kept, kind: str, name: str, entry: Entry) -> None:
    entries = kept.setdefault(kind, {})
    if entry:
        entries[name] = entry
    else:
        entries.pop(name, None)


def _read(file: Path | None) -> Kept:
    """Return what the file says; a file that is broken is set aside, and never lost."""
    if file is None or not file.exists():
        return {}
    try:
        kept = json.loads(file.read_text("utf-8"))
    except OSError as error:
        tell(f"{file.name} cannot be read ({error}).")
        return {}
    except ValueError:
        kept = None
    if _is_sound(kept):
        if kept.get("version", VERSION) > VERSION:
            tell(f"{file.name} is of a newer course: it is read, and left as it is.")
        return kept
    stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
    aside = file.with_name(f"{file.stem}-broken-{stamp}.json")
    try:
        os.replace(file, aside)
        tell(f"{file.name} was broken: it is now {aside.name}, and a new one is begun.")
    except OSError as error:
        tell(f"{file.name} is broken, and cannot be set aside ({error}).")
    return {}


def _is_sound(kept: Any) -> bool:
    if not isinstance(kept, dict) or not isinstance(kept.get("version", VERSION), int):
        return False
    kinds = [part for name, part in kept.items() if name != "version"]
    return all(
        isinstance(kind, dict) and all(isinstance(entry, dict) for entry in kind.values())
        for kind in kinds
    )


def _write(file: Path, kept: Kept) -> None:
    """Write the file whole, or not at all."""
    text = json.dumps(kept, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
    fresh = file.with_name(f".{file.name}.{secrets.token_hex(4)}.new")
    try:
        fresh.write_text(text, "utf-8")
        os.replace(fresh, file)
    finally:
        fresh.unlink(missing_ok=True)


def _tell_page(kind: str, name: str, entry: Entry) -> None:
    """Tell the page, where the kernel runs in a browser: it keeps what outlives the kernel."""
    page: Any = sys.modules.get("halfspaces_page")  # which only such a kernel has
    if page is not None:
        page.changed(kind, name, json.dumps(entry))


@contextmanager
def _lock(file: Path) -> Iterator[None]:
    """Keep other kernels from writing; where files cannot be locked, or for too long, go on."""
    with open(file.with_name(f".{file.name}.lock"), "a+b") as handle:
        _wait_for(handle)
        yield  # closing lets the next one in


def _wait_for(handle: Any) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if sys.platform == "win32":
                import msvcrt

                handle.seek(0)
                msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except (BlockingIOError, PermissionError):
            time.sleep(0.02)
        except (ImportError, AttributeError, OSError):  # a browser has no locks, and needs none
            return
