"""Write files in one step, so that nobody ever sees half of one."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file, or put it in the place of the one that is there; text is UTF-8 with "\\n"."""
    with _beside(path, content) as fresh:
        fresh.replace(path)


def write_if_changed(path: Path, content: str | bytes) -> bool:
    """Write a file unless it says the same already; tell whether it was written."""
    if path.is_file() and path.read_bytes() == _as_bytes(content):
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, content)
    return True


def write_exclusively(path: Path, content: str | bytes) -> bool:
    """Write a file unless there is one; tell whether it was written."""
    with _beside(path, content) as fresh:
        try:
            os.link(fresh, path)  # unlike a rename, it never replaces anything
        except FileExistsError:
            return False
        except OSError:  # a file system without links
            if os.path.lexists(path):
                return False
            fresh.replace(path)
    return True


@contextmanager
def _beside(path: Path, content: str | bytes) -> Iterator[Path]:
    """Write a temporary file into the same folder, since a rename cannot cross file systems."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
    try:
        fresh.write_bytes(_as_bytes(content))
        yield fresh
    finally:
        fresh.unlink(missing_ok=True)


def _as_bytes(content: str | bytes) -> bytes:
    return content.encode("utf-8") if isinstance(content, str) else content
