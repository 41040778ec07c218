"""Find and read submitted notebooks, which may be anything: only the text of the answer cells gets out."""

import json
import os
import stat
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .marking import quote
from .questions import Homework

LARGEST = 20 << 20  # bytes of a notebook: pictures are in it
MOST_CELLS = 2_000
LONGEST = 100_000  # letters of an answer


class UnreadableError(ValueError):
    """A submission that cannot be graded; the message is a sentence for the summary."""


@dataclass(frozen=True)
class Entry:
    """A submission that was found: whose it is, where, what is odd, and why it cannot be graded, if so."""

    student: str
    path: Path | None
    notes: tuple[str, ...] = ()
    fault: str = ""


@dataclass(frozen=True)
class Submission:
    """The answers of a submission by grade_id, and sentences for what is odd."""

    answers: dict[str, str]
    notes: tuple[str, ...] = ()


def find(folder: Path, name: str) -> list[Entry]:
    """Return an entry for each student: <student>/<name>/<name>.ipynb, <student>/<name>.ipynb or <student>.ipynb."""
    students = defaultdict(list)
    for path in sorted(folder.iterdir()):
        is_folder = not path.is_symlink() and path.is_dir()
        if not path.name.startswith((".", "__MACOSX", "__pycache__")) and (
            ".ipynb" in path.name.lower() or is_folder or path.is_symlink()
        ):
            student = path.stem if path.suffix.lower() == ".ipynb" and not is_folder else path.name
            students[same_name(student)].append((student, path))
    entries = []
    for found in students.values():
        if len(found) > 1:
            places = " and ".join(quote(path.name) for _, path in found)
            fault = f"There are two submissions of one student, {places}: keep one."
            entries += [Entry(student, None, fault=fault) for student, _ in found[:1]]
        else:
            try:
                entries.append(_entry(*found[0], name))
            except OSError as error:  # a folder that may not be entered
                fault = f"{quote(found[0][1].name)} cannot be read ({error.strerror})."
                entries.append(Entry(found[0][0], None, fault=fault))
    return entries


def same_name(text: str) -> str:
    """Return a name as systems that ignore case and composition of letters compare it."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def _entry(student: str, path: Path, name: str) -> Entry:
    """Look for one student's notebook."""
    if path.is_symlink():
        return Entry(
            student, None, fault=f"{quote(path.name)} is a link, and links are not followed."
        )
    if any("\ud800" <= letter <= "\udfff" for letter in student):
        return Entry(student, None, fault="Its name is not written in UTF-8: rename it.")
    if path.is_file():
        named = path.suffix.lower() == ".ipynb"
        fault = (
            ""
            if named
            else f"{quote(path.name)} is no notebook by its name, which must end in .ipynb."
        )
        return Entry(student, path if named else None, fault=fault)
    if not path.is_dir():
        return Entry(student, None, fault=f"{quote(path.name)} is no ordinary file.")
    inner = path / name
    places = [inner, path] if inner.is_dir() and not inner.is_symlink() else [path]
    if inner.is_symlink():
        return Entry(
            student, None, fault=f"{quote(student)}/{name} is a link, and links are not followed."
        )
    for place in places:
        os.listdir(place)  # or glob would find nothing where nothing may be read
        if os.path.lexists(place / f"{name}.ipynb"):
            others = sorted(p.name for p in place.glob("*.ipynb") if p.name != f"{name}.ipynb")
            notes = (
                (f"Other notebooks beside it are not read: {quote(', '.join(others))}.",)
                if others
                else ()
            )
            return Entry(student, place / f"{name}.ipynb", notes)
        others = sorted(place.glob("*.ipynb"))
        if len(others) == 1:
            note = f"The notebook is named {quote(others[0].name)}, and {name}.ipynb is expected."
            return Entry(student, others[0], (note,))
        if others:
            return Entry(
                student,
                None,
                fault=f"There are {len(others)} notebooks, and none is named {name}.ipynb.",
            )
    return Entry(student, None, fault=f"There is no notebook {name}.ipynb.")


def fetch(path: Path) -> bytes:
    """Return the bytes of a submitted file, if it is a file, not a link, and not too large."""
    try:
        fd = os.open(
            path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        )
    except OSError as error:
        reason = (
            "is a link, and links are not followed"
            if path.is_symlink()
            else f"cannot be read ({error.strerror})"
        )
        raise UnreadableError(f"{quote(path.name)} {reason}.") from None
    if not stat.S_ISREG(os.fstat(fd).st_mode) or path.is_symlink():
        os.close(fd)
        raise UnreadableError(f"{quote(path.name)} is no ordinary file.")
    with open(fd, "rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise UnreadableError(f"The notebook is larger than {LARGEST >> 20} MB.")
    return data


def read(data: bytes, homework: Homework) -> Submission:
    """Return the answers in a notebook's bytes; raise UnreadableError if there is no making sense of them."""
    notebook = _parse(data)
    notes = list(_notes_on_kernel(notebook))
    texts: dict[str, list[str]] = defaultdict(list)
    for cell in _cells(notebook)[:MOST_CELLS]:
        id, text = _grade_id(cell), _text(cell)
        if (wanted := homework.answers.get(id)) is None or text is None:
            continue
        texts[id].append(text)
        if (cell.get("cell_type") == "code") != (wanted.role == "answer"):
            kind = "code" if wanted.role == "answer" else "Markdown"
            notes.append(f"{id} is not a {kind} cell any more; its text is taken as if it were.")
    answers = {}
    for id in homework.answers:
        found = texts.get(id, [])
        if not found:
            notes.append(f"{id} is missing: the notebook has no cell with this id.")
            continue
        if len(found) > 1:
            notes.append(
                f"{id} stands in {len(found)} cells; they are taken together, in their order."
            )
        answers[id] = "\n\n".join(found)
        if len(answers[id]) > LONGEST:
            notes.append(f"{id} has more than {LONGEST:,} letters and is not graded.")
            del answers[id]
    if not answers:
        raise UnreadableError(
            "The notebook has none of the homework's answer cells: is it another notebook?"
        )
    return Submission(answers, tuple(notes))


def _parse(data: bytes) -> dict[str, Any]:
    if not data.strip():
        raise UnreadableError("The file is empty.")
    try:
        notebook = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError, MemoryError):
        raise UnreadableError("The file is no notebook: its JSON is damaged.") from None
    version = notebook.get("nbformat") if isinstance(notebook, dict) else None
    if not isinstance(notebook, dict) or not isinstance(version, int):
        raise UnreadableError("The file is no notebook: JSON of another kind.")
    if version not in (3, 4):
        raise UnreadableError(
            f"The notebook has format {quote(str(version))}, and 4 is expected: save it in "
            "JupyterLab."
        )
    return notebook


def _cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    sheets = notebook.get("worksheets") if notebook["nbformat"] == 3 else [notebook]
    cells = (
        [
            cell
            for sheet in sheets or []
            if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)
            for cell in sheet["cells"]
        ]
        if isinstance(sheets, list)
        else []
    )
    if len(cells) > MOST_CELLS:
        raise UnreadableError(
            f"The notebook has {len(cells):,} cells; at most {MOST_CELLS:,} are read."
        )
    return [cell for cell in cells if isinstance(cell, dict)]


def _grade_id(cell: dict[str, Any]) -> str:
    metadata = cell.get("metadata")
    about = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    id = about.get("grade_id") if isinstance(about, dict) else None
    return id if isinstance(id, str) else ""


def _text(cell: dict[str, Any]) -> str | None:
    source = cell.get("source", cell.get("input"))
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    return source.encode("utf-8", "replace").decode() if isinstance(source, str) else None


def _notes_on_kernel(notebook: dict[str, Any]) -> list[str]:
    metadata = notebook.get("metadata")
    kernel = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    name = kernel.get("name", "python3") if isinstance(kernel, dict) else "python3"
    language = kernel.get("language", "python") if isinstance(kernel, dict) else "python"
    notes = []
    if name != "python3" or language != "python":
        notes.append(
            f"The notebook names the kernel {quote(str(name))}; it is graded with the course's Python."
        )
    if notebook["nbformat"] == 3:
        notes.append("The notebook has the old format 3.")
    return notes
