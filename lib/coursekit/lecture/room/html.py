"""Fill the room's templates: what goes into them is escaped, unless it was made here."""

import re
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

from halfspaces.notebook import palette
from halfspaces.notebook.markdown import to_html
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

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
    return Markup(to_html(text, mathml))


def mathml(tex: str, displayed: bool) -> str:
    """Convert TeX to MathML, or leave it as it is where that is not installed or fails."""
    try:
        from latex2mathml.converter import convert

        math = convert(tex, display="block" if displayed else "inline")
    except Exception:  # of many kinds: it is a parser
        mark = "$$" if displayed else "$"
        return escape(f"{mark}{tex}{mark}")
    math = re.sub(r' xmlns="[^"]*"', "", math)
    return math.replace("<math", f'<math alttext="{escape(tex)}"', 1)


TEMPLATES = Environment(
    loader=FileSystemLoader(FOLDER),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)
TEMPLATES.globals.update(COLOURS)
TEMPLATES.filters.update(markdown=markdown, with_math=with_math)
