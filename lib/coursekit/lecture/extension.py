"""Let JupyterLab's server tell the browser how cells fall into slides, and what these need."""

import json
import re
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from tornado import web

from coursekit.contents import NOTEBOOKS
from coursekit.editions import sources
from coursekit.lecture.deck import group
from coursekit.lecture.steps import next_steps, read_cells


class SlidesHandler(APIHandler):
    """Take the slide types of all cells, and return each slide as the places of its cells."""

    @web.authenticated
    def post(self) -> None:
        """Group the cells."""
        types = self.get_json_body()
        if not isinstance(types, list) or not all(isinstance(t, str | None) for t in types):
            raise web.HTTPError(400, "A list is expected, of texts and nulls.")
        self.finish(json.dumps(group(types)))


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
