"""Fill the room's templates: what goes into them is escaped, unless it was made here."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from halfspaces.notebook import palette
from halfspaces.notebook.markdown import to_html
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from coursekit import formulas

FOLDER = Path(__file__).parent / "templates"
COLOURS = {name: value for name, value in vars(palette).items() if name.isupper()}


def fill(template: str, **values: Any) -> str:
    """Return a template with its places filled."""
    return TEMPLATES.get_template(template).render(values)


def markdown(text: str) -> Markup:
    """Turn a text of a question into HTML, its mathematics as it is, for MathJax."""
    return Markup(to_html(text))


@lru_cache(1000)
def with_math(text: str) -> Markup:
    """Turn a text of a question into HTML that needs no script: its mathematics becomes MathML."""
    return Markup(to_html(text, formulas.to_html))


TEMPLATES = Environment(
    loader=FileSystemLoader(FOLDER),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)
TEMPLATES.globals.update(COLOURS)
TEMPLATES.filters.update(markdown=markdown, with_math=with_math)
