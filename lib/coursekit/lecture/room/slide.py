"""Write a slide for phones: its text, its pictures with what they show, and its code, to copy.

What a notebook shows may be any HTML. Phones get a few harmless tags of it, and nothing that loads,
runs or leads elsewhere.
"""

import os
import re
from functools import cache
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import mistune
from mistune.plugins.math import math
from mistune.plugins.table import table

from coursekit import NoCourseError, formulas

TAGS = set(
    """p br b strong i em u s sub sup code pre blockquote ul ol li table caption thead tbody tr th
    td div span details summary img math mrow mi mn mo ms mtext mspace msup msub msubsup mfrac
    msqrt mroot mover munder munderover mtable mtr mtd mstyle mpadded mphantom menclose
    mmultiscripts semantics""".split()
)
EMPTY = {"br", "img", "mspace"}
SILENT = {"script", "style", "template", "iframe", "object", "annotation", "svg"}  # nor what is in
HEADINGS = {f"h{level}" for level in range(1, 7)}
ATTRIBUTES = {
    "img": {"alt", "src", "width", "height"},
    "th": {"scope", "colspan", "rowspan"},
    "td": {"colspan", "rowspan"},
    "details": {"open"},
}
OF_MATH = set(
    """alttext display mathvariant stretchy fence separator accent accentunder columnalign
    rowspacing columnspacing displaystyle scriptlevel linethickness minsize maxsize lspace rspace
    width height depth form movablelimits largeop notation class""".split()
)
VALUES = {  # that some attributes must have
    "src": re.compile(r"data:image/(png|jpeg);base64,[A-Za-z0-9+/=\s]+"),
    "class": re.compile("aligned|cases|boxed"),
}
FOR_READERS = re.compile(r"^\W*(Timing to here|Time|Before this):.*$", re.MULTILINE)
LIVE = "Live picture"  # how the text of one that moves begins


def slide_html(cells: list[dict[str, Any]], typed: list[str], pictures: bool = True) -> str:
    """Return the cells of a slide, and all code that has been typed so far."""
    parts = [cell_html(cell, number, pictures) for number, cell in enumerate(cells)]
    # The first heading is the title of the page.
    text = re.sub("(?s)<h2>.*?</h2>", "", "".join(parts), count=1)
    if typed:
        code = copied("typed", "\n\n\n".join(typed))
        text += f"<details><summary>All code typed so far</summary>{code}</details>"
    return text


def cell_html(cell: dict[str, Any], number: int, pictures: bool) -> str:
    """Return one cell: its text, or its code and what that shows."""
    if cell["type"] == "markdown":
        return harmless(markdown(FOR_READERS.sub("", cell["source"])))
    outputs = (output_html(cell["id"], output, pictures) for output in cell["outputs"])
    shown = harmless("".join(outputs))
    code = cell["source"].strip()
    if cell["hidden"] or not code:
        return shown
    return copied(f"code-{number}", code) + shown


def output_html(cell: str, output: dict[str, Any], pictures: bool) -> str:
    """Return what a cell shows, in the form that a phone can best show."""
    if output["output_type"] == "stream":
        return f"<pre>{escape(joined(output['text']))}</pre>"
    data = {kind: joined(text) for kind, text in output.get("data", {}).items()}
    text = data.get("text/plain", "")
    if text.startswith(LIVE):
        data = dict(zip(("image/png", "alt"), twins().get(cell, ("", text))))
    if data.get("image/png"):
        about = output.get("metadata", {}).get("image/png", {})
        alt = data.get("alt") or about.get("alt") or "A picture without a description."
        if not pictures:
            return f"<p>{escape(alt)}</p>"
        picture = data["image/png"].replace("\n", "")
        return f'<p><img alt="{escape(alt)}" src="data:image/png;base64,{picture}"></p>'
    if "text/markdown" in data:
        return markdown(data["text/markdown"])
    if "text/html" in data:
        return draw_math(data["text/html"])
    return f"<pre>{escape(text)}</pre>" if text else ""


def joined(text: Any) -> str:
    """Return a text that a notebook may have as a list of lines."""
    return "".join(text) if isinstance(text, list) else str(text)


def twins() -> dict[str, tuple[str, str]]:
    """Return the static twins of this kernel's notebook."""
    return twins_of(Path(os.environ.get("JPY_SESSION_NAME", "")).stem)


@cache
def twins_of(name: str) -> dict[str, tuple[str, str]]:
    """Return the static twin of each live picture of a notebook, and what it shows, by cell.

    A twin stands below its live picture, in a cell that no slide shows, so it is taken from the
    course's own notebook.
    """
    found: dict[str, tuple[str, str]] = {}
    try:
        from coursekit.contents import all_notebooks, read_notebook
    except NoCourseError:
        return found
    for path in all_notebooks():
        if not name.startswith(path.stem):
            continue
        live = ""
        for cell in read_notebook(path).cells:
            for output in cell.get("outputs", []):
                data = output.get("data", {})
                if data.get("text/plain", "").startswith(LIVE):
                    live = cell.id
                elif live and "image/png" in data and ".still(" in cell.source:
                    alt = output["metadata"].get("image/png", {}).get("alt", "")
                    found.setdefault(live, (data["image/png"], alt))
    return found


class Text(mistune.HTMLRenderer):
    """Write Markdown with its mathematics as MathML."""

    def inline_math(self, tex: str) -> str:
        """Convert mathematics within a line."""
        return formulas.to_html(tex, False)

    def block_math(self, tex: str) -> str:
        """Convert mathematics of its own line."""
        return f"<p>{formulas.to_html(tex, True)}</p>"


MARKDOWN = mistune.create_markdown(renderer=Text(escape=False), plugins=[math, table])


def markdown(text: str) -> str:
    """Return the Markdown of a cell as HTML."""
    environments = re.sub(r"(?s)^(\\begin\{.*?\\end\{\w+\*?\})$", r"$$\n\1\n$$", text, flags=re.M)
    return str(MARKDOWN(environments))


def draw_math(html: str) -> str:
    """Return HTML whose TeX has become MathML."""
    parts = re.split(r"(?<!\\)\$((?:\\.|[^$\\])+)\$", html)
    parts[1::2] = [formulas.to_html(tex, False) for tex in parts[1::2]]
    return "".join(parts)


def harmless(html: str) -> str:
    """Return HTML of which only harmless tags are left, each closed."""
    reader = Harmless()
    reader.feed(html)
    reader.close()
    while reader.open:
        reader.end(reader.open[-1])
    return "".join(reader.parts)


class Harmless(HTMLParser):
    """Write down what is harmless of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.open: list[str] = []
        self.silent = 0  # tags around us whose content is dropped

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag, if it is one of ours, with what attributes it may have."""
        if tag in SILENT:
            self.silent += 1
        elif self.silent:
            return
        elif tag in HEADINGS:
            self.begin("h2", "")
        elif tag in TAGS:
            self.begin(tag, "".join(self.kept(tag, name, value) for name, value in attrs))

    def begin(self, tag: str, attributes: str) -> None:
        """Open a tag."""
        if tag in EMPTY:
            self.parts.append(f"<{tag}{attributes}/>")  # else an mspace would swallow what follows
        else:
            self.parts.append(f"<{tag}{attributes}>")
            self.open.append(tag)

    def kept(self, tag: str, name: str, value: str | None) -> str:
        """Return an attribute, if it is harmless."""
        allowed = ATTRIBUTES.get(tag, set())
        if tag.startswith("m"):
            allowed = OF_MATH
        if name not in allowed or name in VALUES and not VALUES[name].fullmatch(value or ""):
            return ""
        return f' {name}="{escape(value or "")}"'

    def handle_endtag(self, tag: str) -> None:
        """Close a tag, and those within it that are still open."""
        if tag in SILENT:
            self.silent = max(0, self.silent - 1)
        else:
            self.end("h2" if tag in HEADINGS else tag)

    def end(self, tag: str) -> None:
        """Write the end of a tag that is open."""
        while tag in self.open:
            last = self.open.pop()
            self.parts.append(f"</{last}>")
            if last == tag:
                return

    def handle_data(self, data: str) -> None:
        """Keep a text."""
        if not self.silent:
            self.parts.append(escape(data, quote=False))


def copied(name: str, code: str) -> str:
    """Return code with a button to copy it, which works where there is JavaScript."""
    return (
        f'<pre id="{name}" tabindex="0">{escape(code)}</pre>'
        f'<button class="plain" type="button" data-copy="{name}">Copy</button>'
    )
