"""Show submissions in formgrader without network: formulas drawn here, the proof in sight.

A server extension: it takes over when formgrader itself has been loaded.
"""

from pathlib import Path
from typing import Any

from jinja2 import pass_context
from nbconvert import HTMLExporter
from nbgrader.server_extensions.formgrader.handlers import template_path

from .rendered import draw

TEMPLATES = Path(__file__).parent / "templates"
PAUSE = 0.1  # seconds until the next look whether formgrader is there
PATIENCE = 600  # looks


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    server.io_loop.add_callback(take_over, server)  # extensions are loaded in any order


def take_over(server: Any, looks: int = PATIENCE) -> None:
    """Let formgrader show submissions by our page, as soon as it has been loaded."""
    settings = server.web_app.settings
    if "nbgrader_formgrader" not in settings:  # on a hub the loop runs while extensions are loaded
        if looks:
            server.io_loop.call_later(PAUSE, take_over, server, looks - 1)
        return
    settings["nbgrader_exporter"] = Page(config=settings["nbgrader_formgrader"].config)


def unchanged(page: str) -> str:
    """Return what there is."""
    return page


class Page(HTMLExporter):
    """A submission as a page to mark."""

    def __init__(self, **options: Any):
        super().__init__(
            template_name="marking",
            extra_template_basedirs=[str(TEMPLATES), template_path],
            filters={"strip_files_prefix": unchanged},  # it would look for links for minutes
            **options,
        )

    @pass_context
    def markdown2html(self, context: Any, source: str) -> str:
        """Draw one cell of text."""
        return draw(source)
