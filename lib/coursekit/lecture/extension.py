"""Let JupyterLab's server tell the browser how the cells of a notebook fall into slides."""

import json
from typing import Any

from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from tornado import web

from coursekit.lecture.deck import group


class SlidesHandler(APIHandler):
    """Take the slide types of all cells, and return each slide as the places of its cells."""

    @web.authenticated
    def post(self) -> None:
        """Group the cells."""
        types = self.get_json_body()
        if not isinstance(types, list) or not all(isinstance(t, str | None) for t in types):
            raise web.HTTPError(400, "A list is expected, of texts and nulls.")
        self.finish(json.dumps(group(types)))


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    address = url_path_join(server.web_app.settings["base_url"], "halfspaces-deck", "slides")
    server.web_app.add_handlers(".*$", [(address, SlidesHandler)])
