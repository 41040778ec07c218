"""Let JupyterLab's server tell the browser how cells fall into slides, and what these need."""

import json
import re
from functools import lru_cache
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import Any

from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from tornado import web

from coursekit.contents import NOTEBOOKS
from coursekit.editions import sources
from coursekit.lecture.outline import outline
from coursekit.lecture.steps import next_steps, read_cells

EXPECTED = {"cell_type": str, "source": str, "metadata": dict}  # of each cell


class SlidesHandler(APIHandler):
    """Take all cells without their outputs, and return what slides they make."""

    @web.authenticated
    def post(self) -> None:
        """Describe the slides."""
        cells = self.get_json_body()
        if not isinstance(cells, list) or not all(map(is_cell, cells)):
            raise web.HTTPError(400, f"A list of cells is expected, each with {list(EXPECTED)}.")
        self.finish(json.dumps(outline([SimpleNamespace(**cell) for cell in cells])))


def is_cell(given: Any) -> bool:
    """Tell whether something has what a cell must have."""
    return isinstance(given, dict) and all(
        isinstance(given.get(name), kind) for name, kind in EXPECTED.items()
    )


class StepsHandler(APIHandler):
    """Take all cells and what became of them, and return the steps that a slide needs."""

    @web.authenticated
    def post(self) -> None:
        """Decide the steps."""
        told = self.get_json_body()
        try:
            cells = read_cells(told["cells"], originals(told["path"]))
            steps = next_steps(cells, told["first"], told["last"])
        except (KeyError, TypeError, ValueError) as error:
            raise web.HTTPError(
                400, f"A path, cells and the places of a slide's cells are expected ({error!r})."
            ) from error
        self.finish(
            json.dumps(
                [
                    {"place": step.place, "how": step.how, "code": cells[step.place].model}
                    for step in steps
                ]
            )
        )


def originals(path: str) -> dict[str, str]:
    """Return the sources of the course's notebook that a file is a copy of, by the ids of cells."""
    stem = re.sub(r"-\d+$", "", PurePosixPath(path).stem)  # copies beside copies are numbered
    original = NOTEBOOKS / f"{stem}.ipynb"
    return _sources(original, original.stat().st_mtime_ns) if original.exists() else {}


@lru_cache
def _sources(path: Path, _changed: int) -> dict[str, str]:
    book = json.loads(path.read_text("utf-8"))
    return dict(zip((cell["id"] for cell in book["cells"]), sources(book), strict=True))


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    base = url_path_join(server.web_app.settings["base_url"], "halfspaces-deck")
    server.web_app.add_handlers(
        ".*$",
        [
            (url_path_join(base, "slides"), SlidesHandler),
            (url_path_join(base, "steps"), StepsHandler),
        ],
    )
