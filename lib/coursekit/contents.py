"""The notebooks and homeworks of the course: where they are, and what they may be called."""

import re
from pathlib import Path, PurePath
from typing import Any

from coursekit import ROOT

NOTEBOOKS = ROOT / "notebooks"
EXERCISES = ROOT / "exercises"
KERNEL_NAME = "python3"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": KERNEL_NAME}
METADATA = {"kernelspec": KERNEL, "language_info": {"name": "python"}}  # of every notebook
CORE_WITH_LETTER = {"07b", "09b"}  # the second halves of a story; other letters are side paths


def all_notebooks() -> list[Path]:
    """Return the notebooks in the order of the course."""
    return sorted(NOTEBOOKS.glob("*.ipynb"))


def find_notebook(text: str) -> Path:
    """Return what "5", "05", "05-mistake-bound", the name of its file or its path means."""
    paths = all_notebooks()
    for path in paths:
        if is_path(text):
            found = path in (Path(text).resolve(), (ROOT / text).resolve())
        else:
            found = is_name(text, path.stem, number_of(path))
        if found:
            return path
    raise ValueError(_which("notebook", text, [path.stem for path in paths]))


def number_of(path: Path) -> str:
    """Return the number by which the file of a notebook begins, such as "05" or "05b"."""
    return path.stem.partition("-")[0]


def is_side_path(path: Path) -> bool:
    """Tell whether a notebook stands beside the story, as 05b does and 05 does not."""
    number = number_of(path)
    return not number.isdigit() and number not in CORE_WITH_LETTER


def all_homeworks(folder: Path) -> list[str]:
    """Return the names of the homeworks in a folder that has a folder for each."""
    return sorted(
        path.stem for path in folder.glob("hw*/hw*.ipynb") if path.stem == path.parent.name
    )


def find_homework(text: str, folder: Path) -> str:
    """Return the name that "3", "03", "hw03", "hw03.ipynb" or a path that ends in it means."""
    names = all_homeworks(folder)
    for name in names:
        if is_name(PurePath(text).name, name, name.removeprefix("hw")):
            return name
    raise ValueError(_which("homework", text, names))


def is_path(text: str) -> bool:
    """Tell a path from a name."""
    return text != PurePath(text).name


def is_name(text: str, name: str, number: str) -> bool:
    """Tell whether a text is a name, the file of that name, or the number that stands for it."""
    bare = text.lower().removesuffix(".ipynb")
    return bare == name or re.sub(r"^0+(?=\d)", "", bare) == re.sub(r"^0+(?=\d)", "", number)


def read_notebook(path: Path) -> Any:
    """Return a notebook of any version of the format as one of ours."""
    import nbformat  # slow to import, and students' commands do without

    return nbformat.read(path, as_version=4)


def notebook_text(book: Any) -> str:
    """Return a notebook as it stands in a file."""
    import nbformat

    return nbformat.writes(book) + "\n"


def _which(kind: str, text: str, names: list[str]) -> str:
    """Ask for one of the names."""
    question = f"There is no {kind} {text}" if text else f"Which {kind}?"
    there = f"there are {', '.join(names) or 'none'}."
    return f"{question}: {there}" if text else f"{question} T{there[1:]}"
