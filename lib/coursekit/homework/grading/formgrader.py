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


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    server.io_loop.add_callback(take_over, server)  # extensions are loaded in any order


def take_over(server: Any) -> None:
    """Let formgrader show submissions by our page."""
    settings = server.web_app.settings
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
