"""The notebooks and homeworks as a browser gets them, each with the fingerprint of its edition."""

import json
from pathlib import Path
from typing import Any

from coursekit.contents import EXERCISES, METADATA, all_homeworks, all_notebooks, read_notebook
from coursekit.editions import fingerprint, sources

REVEALS = ".reveal("  # what a cell says that answers a prediction
KERNEL = {"display_name": "Python (in this browser)", "language": "python", "name": "python"}


def write_books(folder: Path) -> dict[str, Any]:
    """Write all notebooks and homeworks into a folder; return titles and editions by name."""
    folder.mkdir()
    homeworks = released_homeworks()
    found = {}
    for path in [*all_notebooks(), *homeworks]:
        book = read_notebook(path)
        edition = fingerprint(sources(book))
        (folder / path.name).write_text(as_copy(book), "utf-8")
        found[path.name] = {
            "title": title(book) or path.stem,
            "edition": edition,
            "homework": path in homeworks,
        }
    return found


def released_homeworks() -> list[Path]:
    """Return the homeworks as students get them."""
    release = EXERCISES / "release"
    return [release / name / f"{name}.ipynb" for name in all_homeworks(release)]


def as_copy(book: dict[str, Any]) -> str:
    """Return a notebook to work in: it shows what it showed, but not what is to be predicted.

    Texts are one string each, as JupyterLite wants them, not a list of lines.
    """
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            cell["execution_count"] = None
            if REVEALS in "".join(cell["source"]):
                cell["outputs"] = []
            for output in cell["outputs"]:
                output.pop("execution_count", None)
                if output["output_type"] == "execute_result":
                    output["execution_count"] = None
    book["metadata"] = book["metadata"] | METADATA | {"kernelspec": KERNEL}
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n"


def title(book: dict[str, Any]) -> str:
    """Return the first heading of a notebook."""
    lines = (line for source in sources(book) for line in source.splitlines())
    return next((line[2:].strip() for line in lines if line.startswith("# ")), "")
