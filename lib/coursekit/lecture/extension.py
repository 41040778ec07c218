"""Let JupyterLab's server tell the browser how the cells of a notebook fall into slides."""

import json
from typing import Any

import nbformat
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from tornado import web

from coursekit.lecture.outline import outline

EXPECTED = {"cell_type": str, "source": str, "metadata": dict}  # of each cell


class SlidesHandler(APIHandler):
    """Take all cells without their outputs, and return what slides they make."""

    @web.authenticated
    def post(self) -> None:
        """Describe the slides."""
        cells = self.get_json_body()
        if not isinstance(cells, list) or not all(map(is_cell, cells)):
            raise web.HTTPError(400, f"A list of cells is expected, each with {list(EXPECTED)}.")
        self.finish(json.dumps(outline([nbformat.from_dict(cell) for cell in cells])))


def is_cell(given: Any) -> bool:
    """Tell whether something has what a cell must have."""
    return isinstance(given, dict) and all(
        isinstance(given.get(name), kind) for name, kind in EXPECTED.items()
    )


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    address = url_path_join(server.web_app.settings["base_url"], "halfspaces-deck", "slides")
    server.web_app.add_handlers(".*$", [(address, SlidesHandler)])
