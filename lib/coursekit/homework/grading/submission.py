"""Find and read submitted notebooks, which may be anything: only the text of answers gets out."""

import ast
import json
import os
import re
import stat
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from halfspaces.notebook.exercises import normal_form

from coursekit.contents import KERNEL_NAME

from .inside import limits
from .inside.worker import tolerate
from .marking import quote
from .questions import CODE, Homework, Role, typed_name

PICTURE = re.compile(r"!\[|<img\b", re.IGNORECASE)
NOT_SUBMISSIONS = (".", "__MACOSX", "__pycache__")


class UnreadableError(ValueError):
    """A submission that cannot be graded; the message is a sentence for the summary."""


@dataclass(frozen=True)
class Entry:
    """A submission that was found: whose, where, what is odd, and why it cannot be graded."""

    student: str
    path: Path | None
    notes: tuple[str, ...] = ()
    fault: str = ""
    folder: Path | None = None  # in which all submissions were found


@dataclass(frozen=True)
class Submission:
    """The answers of a submission by grade_id, and sentences for what is odd."""

    answers: dict[str, str]
    notes: tuple[str, ...] = ()
    unread: frozenset[str] = frozenset()  # names that are defined in cells that are not read
    outputs: dict[str, str] = field(default_factory=dict)  # what answers had shown, by grade_id
    name: str | None = None  # what STUDENT is, if it is set


def find(folder: Path, name: str) -> list[Entry]:
    """Return an entry for each student.

    <student>/<name>/<name>.ipynb, <student>/<name>.ipynb and <student>.ipynb are looked for.
    """
    students = defaultdict(list)
    for path in sorted(folder.iterdir()):
        if _may_be_submission(path):
            student = _student_of(path)
            students[same_name(student)].append((student, path))
    return [_entry_of(found, name) for found in students.values()]


def same_name(text: str) -> str:
    """Return a name as systems that ignore case and composition of letters compare it."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def twice(student: str, places: list[str]) -> Entry:
    """Return the entry of a student who is there more than once."""
    listed = " and ".join(map(quote, places))
    fault = f"There are two submissions of one student, {listed}: keep one."
    return Entry(student, None, fault=fault)


def _is_folder(path: Path) -> bool:
    return not path.is_symlink() and path.is_dir()


def _may_be_submission(path: Path) -> bool:
    if path.name.startswith(NOT_SUBMISSIONS):
        return False
    return ".ipynb" in path.name.lower() or path.is_symlink() or path.is_dir()


def _student_of(path: Path) -> str:
    is_notebook = path.suffix.lower() == ".ipynb" and not _is_folder(path)
    return path.stem if is_notebook else path.name


def _entry_of(found: list[tuple[str, Path]], name: str) -> Entry:
    """Return the entry of one student, of whom one path is expected."""
    student, path = found[0]
    if len(found) > 1:
        return twice(student, [path.name for _, path in found])
    try:
        return _entry(student, path, name)
    except OSError as error:  # a folder that may not be entered
        fault = f"{quote(path.name)} cannot be read ({error.strerror})."
        return Entry(student, None, fault=fault)


def _entry(student: str, path: Path, name: str) -> Entry:
    """Look for one student's notebook."""

    def no_entry(fault: str) -> Entry:
        return Entry(student, None, fault=fault)

    if path.is_symlink():
        return no_entry(f"{quote(path.name)} is a link, and links are not followed.")
    if any("\ud800" <= letter <= "\udfff" for letter in student):
        return no_entry("Its name is not written in UTF-8: rename it.")
    if path.is_file():
        if path.suffix.lower() == ".ipynb":
            return Entry(student, path)
        return no_entry(f"{quote(path.name)} is no notebook by its name, which must end in .ipynb.")
    if not path.is_dir():
        return no_entry(f"{quote(path.name)} is no ordinary file.")
    inner = path / name
    if inner.is_symlink():
        return no_entry(f"{quote(student)}/{name} is a link, and links are not followed.")
    for place in (inner, path) if inner.is_dir() else (path,):
        os.listdir(place)  # or glob would find nothing where nothing may be read
        wanted = place / f"{name}.ipynb"
        others = sorted(other for other in place.glob("*.ipynb") if other != wanted)
        if os.path.lexists(wanted):
            if not others:
                return Entry(student, wanted)
            listed = quote(", ".join(other.name for other in others))
            return Entry(student, wanted, (f"Other notebooks beside it are not read: {listed}.",))
        if len(others) == 1:
            note = f"The notebook is named {quote(others[0].name)}, and {name}.ipynb is expected."
            return Entry(student, others[0], (note,))
        if others:
            return no_entry(f"There are {len(others)} notebooks, and none is named {name}.ipynb.")
    return no_entry(f"There is no notebook {name}.ipynb.")


def fetch(path: Path) -> bytes:
    """Return the bytes of a submitted file, if it is a file, not a link, and not too large."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        fd = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except OSError as error:
        if path.is_symlink():
            reason = "is a link, and links are not followed"
        else:
            reason = f"cannot be read ({error.strerror})"
        raise UnreadableError(f"{quote(path.name)} {reason}.") from None
    if not stat.S_ISREG(os.fstat(fd).st_mode) or path.is_symlink():
        os.close(fd)
        raise UnreadableError(f"{quote(path.name)} is no ordinary file.")
    with open(fd, "rb") as file:
        data = file.read(limits.NOTEBOOK_BYTES + 1)
    if len(data) > limits.NOTEBOOK_BYTES:
        raise UnreadableError(f"The notebook is larger than {limits.NOTEBOOK_BYTES >> 20} MB.")
    return data


def read(data: bytes, homework: Homework, student: str | None = None) -> Submission:
    """Return the answers in a notebook's bytes; raise UnreadableError if they make no sense."""
    notebook = _parse(data)
    notes = [*_notes_on_kernel(notebook), *_notes_on_release(notebook, homework)]
    texts: dict[str, list[str]] = defaultdict(list)
    others = []
    shown: dict[str, str] = defaultdict(str)
    for cell in _cells(notebook):
        id = _grade_id(cell)
        text = _text(cell)
        wanted = homework.answers.get(id)
        is_code = cell.get("cell_type") == "code"
        if wanted is None or text is None:
            if is_code and text is not None:
                others.append(text)
            continue
        texts[id].append(text)
        shown[id] += _shown(cell)
        if is_code != (wanted.role in CODE):
            kind = "code" if wanted.role in CODE else "Markdown"
            notes.append(f"{id} is not a {kind} cell any more; its text is taken as if it were.")
        notes += _notes_on_pictures(id, cell, text, wanted.role)
    answers = {}
    for id in homework.answers:
        found = texts.get(id, [])
        answer = "\n\n".join(found)
        if not found:
            notes.append(f"{id} is missing: the notebook has no cell with this id.")
            continue
        if len(found) > 1:
            count = f"{id} stands in {len(found)} cells"
            notes.append(f"{count}; they are taken together, in their order.")
        if len(answer) > limits.ANSWER_LETTERS:
            notes.append(f"{id} has more than {limits.ANSWER_LETTERS:,} letters and is not graded.")
        else:
            answers[id] = answer
    if not answers:
        raise UnreadableError(
            "The notebook has none of the homework's answer cells: is it another notebook?"
        )
    name = next((name for name in map(typed_name, others) if name is not None), None)
    if student is not None:
        notes += _notes_on_name(name, homework, student)
    outputs = {id: text[: limits.SHOWN_LETTERS] for id, text in shown.items() if text.strip()}
    return Submission(answers, tuple(notes), _names_in(others, homework), outputs, name)


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
    """Return the cells of a notebook, in format 3 those of all its worksheets."""
    sheets = notebook.get("worksheets") if notebook["nbformat"] == 3 else [notebook]
    cells = []
    for sheet in sheets if isinstance(sheets, list) else []:
        found = sheet.get("cells") if isinstance(sheet, dict) else None
        if isinstance(found, list):
            cells += found
    if len(cells) > limits.NOTEBOOK_CELLS:
        raise UnreadableError(
            f"The notebook has {len(cells):,} cells; at most {limits.NOTEBOOK_CELLS:,} are read."
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


def _shown(cell: dict[str, Any]) -> str:
    """Return the text that a cell shows as its output, printable and not too long."""
    parts = []
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else []:
        if not isinstance(output, dict):
            continue
        data = output.get("data")
        source = output.get("text", data.get("text/plain") if isinstance(data, dict) else None)
        if output.get("output_type") == "error":
            source = f"{output.get('ename')}: {output.get('evalue')}"
        parts.append(_text({"source": source}) or "")
    text = "\n".join(parts)[: limits.SHOWN_LETTERS]
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in text)


def _notes_on_kernel(notebook: dict[str, Any]) -> Iterator[str]:
    metadata = notebook.get("metadata")
    kernel = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    if not isinstance(kernel, dict):
        kernel = {}
    name = kernel.get("name", KERNEL_NAME)
    if name != KERNEL_NAME or kernel.get("language", "python") != "python":
        named = f"The notebook names the kernel {quote(str(name))}"
        yield f"{named}; it is graded with the course's Python."
    if notebook["nbformat"] == 3:
        yield "The notebook has the old format 3."


def _notes_on_release(notebook: dict[str, Any], homework: Homework) -> Iterator[str]:
    """Say that a notebook comes from another release than the one that is graded."""
    metadata = notebook.get("metadata")
    stamp = metadata.get("release") if isinstance(metadata, dict) else None
    if stamp and homework.release and stamp != homework.release:
        number = homework.name.removeprefix("hw")
        yield (
            f"It was made from another release of {homework.name} than the one that is graded, so "
            "what has changed since may have cost points: python3 course.py homework "
            f"{number} puts the newest beside it, to move the answers over and hand in again."
        )


def _notes_on_name(typed: str | None, homework: Homework, student: str) -> Iterator[str]:
    """Say that the data a student saw were another's, since STUDENT was."""
    if homework.nobody is None:
        return
    if typed is not None and normal_form(typed) == normal_form(student):
        return
    if typed is None:
        fault = "STUDENT is not set any more"
    elif typed == homework.nobody:
        fault = f'STUDENT is still "{quote(typed)}"'
    else:
        fault = f'STUDENT is "{quote(typed)}"'
    yield (
        f'{fault}, and this is graded with the data of "{quote(student)}", as the course lists '
        "its author: answers made for other data lose points. Set STUDENT to that id, run all "
        "cells, look at the answers again, and hand in."
    )


def _notes_on_pictures(id: str, cell: dict[str, Any], text: str, role: Role) -> Iterator[str]:
    """Say that pictures in a proof are not shown."""
    attached = cell.get("attachments")
    count = max(len(attached) if isinstance(attached, dict) else 0, len(PICTURE.findall(text)))
    if role is Role.PROOF and count:
        what = "a picture" if count == 1 else f"{count} pictures"
        yield (
            f"{id} has {what}, which whoever marks it here does not see: it is in the notebook "
            "that was handed in, and words and formulas would be read at once."
        )


def _names_in(cells: list[str], homework: Homework) -> frozenset[str]:
    """Return the names that cells define which are neither read nor the homework's own."""
    known = {cell.source.strip() for cell in homework.cells}
    names: set[str] = set()
    for text in cells:
        if text.strip() in known or len(text) > limits.ANSWER_LETTERS:
            continue
        try:
            tree = ast.parse(tolerate(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names.add(node.name)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                names |= {(found.asname or found.name).partition(".")[0] for found in node.names}
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return frozenset(names)
