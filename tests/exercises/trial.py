"""The trial homework as somebody hands it in."""

import json
from pathlib import Path

from coursekit.homework.grading.questions import SOURCE

BOOK = json.loads((SOURCE / "hw00" / "hw00.ipynb").read_text("utf-8"))
SECRET = "the tests secret"


def notebook(**answers: str) -> dict:
    """Return the trial homework as handed in, with the model's answers where none is given."""
    book = json.loads(json.dumps(BOOK))
    for cell in book["cells"]:
        id = cell["metadata"].get("nbgrader", {}).get("grade_id")
        cell["source"] = answers.get(id, cell["source"])
    return book


def as_bytes(book: dict) -> bytes:
    return json.dumps(book).encode()


def hand_in(folder: Path, student: str, data: bytes) -> Path:
    """Write a submission where nbgrader has it."""
    path = folder / student / "hw00" / "hw00.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    return path
