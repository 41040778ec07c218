"""Turn a text into HTML: the Markdown that stands within a line, and mathematics."""

import re
from collections.abc import Callable
from functools import cache
from html import escape
from typing import Any

import mistune
from mistune.helpers import PUNCTUATION

MATH = r"(?P<math_mark>\$\$?)(?P<math_tex>(?:\\[\s\S]|[^\\$])+)(?P=math_mark)"
Draw = Callable[[str, bool], str]  # from TeX, and whether it has a line of its own, to HTML


def to_html(text: str, draw: Draw | None = None) -> str:
    """Return a text as HTML, everything escaped that is not Markdown.

    Mathematics is drawn by a function, or stays as it is for MathJax; there a dollar that is none
    stays escaped. Paragraphs are parted by line breaks, so that they can stand in a label.

    >>> to_html("**Is** $a<b$?")
    '<strong>Is</strong> $a&lt;b$?'
    """
    parse = _parser()
    renderer = _Renderer(draw)
    paragraphs = re.split(r"\n\s*\n", text.strip())
    return "<br>".join(
        renderer.render_tokens(parse(paragraph, {}), mistune.BlockState())
        for paragraph in paragraphs
    )


@cache
def _parser() -> mistune.InlineParser:
    parser = mistune.InlineParser()
    parser.register("inline_math", MATH, _read_math, before="escape")
    parser.register("dollar", r"\\\$", _read_dollar, before="escape")
    parser.specification["escape"] = rf"(?:\\(?!\$){PUNCTUATION})+"
    return parser


class _Renderer(mistune.HTMLRenderer):
    def __init__(self, draw: Draw | None):
        super().__init__(escape=True)
        self.draw = draw

    def inline_math(self, tex: str, mark: str) -> str:
        if self.draw:
            return self.draw(tex, mark == "$$")
        return f"{mark}{escape(tex, quote=False)}{mark}"

    def dollar(self) -> str:
        return "$" if self.draw else r"\$"


def _read_math(_: Any, match: re.Match[str], state: mistune.InlineState) -> int:
    attributes = {"mark": match["math_mark"]}
    state.append_token({"type": "inline_math", "raw": match["math_tex"], "attrs": attributes})
    return match.end()


def _read_dollar(_: Any, match: re.Match[str], state: mistune.InlineState) -> int:
    state.append_token({"type": "dollar"})
    return match.end()
