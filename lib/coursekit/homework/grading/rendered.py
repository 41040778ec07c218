"""Draw Markdown of unknown origin as HTML: text, tables and formulas, and nothing that is alive.

HTML, links and pictures stay text; formulas become MathML, which browsers draw by themselves. What
would take long to parse, or is no formula at all, is shown as it was written.
"""

import re
from functools import cache
from html import escape
from typing import Any

import mistune
from markupsafe import Markup
from mistune.plugins.table import table

from coursekit.formulas import to_mathml

from .harmless import harmless, is_long

LONGEST_FORMULA = 2_000
FORMULA = re.compile(
    r"(?P<code>`[^`\n]*`|\\(?!begin\{)[\s\S])"  # or what is escaped: neither holds a formula
    r"|\$\$(?P<block>(?:\\[\s\S]|[^\\$])+)\$\$"
    r"|\$(?P<inline>(?:\\[\s\S]|[^\\$\n]|\n(?!\s*\n))+)\$"
    r"|\\begin\{(?P<name>[a-z]+\*?)\}(?P<body>(?:(?!\\(?:begin|end)\{(?P=name)\})[\s\S])*)"
    r"\\end\{(?P=name)\}"
)
PLACE = re.compile("\ue000(\\d+)\ue001")  # letters that no text has: they are taken out before
UNWANTED = {"ref_link", "raw_html", "link", "auto_link", "inline_html"}


def draw(text: str) -> Markup:
    """Return Markdown as HTML."""
    text = re.sub("[\ue000\ue001]", " ", harmless(text))
    if is_long(text):
        return Markup("<pre>{}</pre>").format(text)
    formulas: list[str] = []

    def keep(found: re.Match[str]) -> str:
        if found["code"]:
            return found[0]
        formulas.append(_formula(found))
        return f"\ue000{len(formulas) - 1}\ue001"

    page = _markdown()(FORMULA.sub(keep, text))
    return Markup(PLACE.sub(lambda place: formulas[int(place[1])], page))


def _formula(found: re.Match[str]) -> str:
    """Return a formula as MathML, or as it was written."""
    tex = found["block"] or found["inline"] or found[0]
    try:
        if len(tex) > LONGEST_FORMULA:
            raise ValueError("too long")
        return to_mathml(tex, display=not found["inline"])
    except ValueError:
        return f"<code>{escape(found[0])}</code>"


@cache
def _markdown() -> Any:
    block = mistune.BlockParser()
    for rules in (block.rules, block.block_quote_rules, block.list_rules):
        rules[:] = [rule for rule in rules if rule not in UNWANTED]
    inline = mistune.InlineParser()
    inline.rules = [rule for rule in inline.rules if rule not in UNWANTED]
    return mistune.Markdown(mistune.HTMLRenderer(escape=True), block, inline, plugins=[table])
