"""Print the course as one PDF: its pages are joined to one document, which Chromium prints."""

import io
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from halfspaces import __version__

from coursekit.browser import browse, missing
from coursekit.files import write_atomically
from coursekit.publish.rendering import plain
from coursekit.publish.site import ENVIRONMENT, PDF, TEMPLATES

ARTICLE = re.compile(r"<article[^>]*>(.*)</article>", re.DOTALL)
HEADING = re.compile(r'<h([12]) id="([^"]+)">(.*?)</h\1>', re.DOTALL)
ANCHOR = re.compile(r'(<[^>]* id=")([^"]+)')
LINK = re.compile(r'<a\b([^>]*) href="([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)
FORMULA = re.compile(r'<math alttext="([^"]*)"')
FOLD = re.compile(r'<details(?! class="source")')
READY = """async () => {
    for (const image of document.images) image.loading = "eager"
    await Promise.all([...document.images].map(image => image.decode()))
    await document.fonts.ready }"""


@dataclass(frozen=True)
class Chapter:
    """Hold a page as a part of the document, where all its anchors begin with its own."""

    anchor: str
    title: str
    sections: list[tuple[str, str]]  # anchor and heading
    body: str


def write_pdf(folder: Path, names: list[str]) -> None:
    """Print pages of a built site, in this order, into one file with contents and an outline."""
    if missing():
        raise ValueError(f"The PDF cannot be printed: {missing()}.")
    chapters = read_chapters(folder, names)
    with browse() as page:
        page.goto((folder / "index.html").as_uri())
        lead = page.locator(".lead").inner_text()
        print("Printing the course, a minute or more …", file=sys.stderr)
        draft = printed(page, document(chapters, lead))
        numbers = page_numbers(draft)  # which only the printed document knows
        print("Printing it again, with the numbers of its pages …", file=sys.stderr)
        final = printed(page, document(chapters, lead, numbers))
    if page_numbers(final) != numbers:
        raise ValueError("The PDF cannot be printed: its contents have moved its pages.")
    write_atomically(folder / PDF, final)
    print(f"{folder.name}/{PDF}: {len(final) / 1e6:.1f} MB")


def read_chapters(folder: Path, names: list[str]) -> list[Chapter]:
    """Read the chapters; links between them stay, to other pages of the site they become text."""
    return [_read_chapter(folder / f"{name}.html", set(names)) for name in names]


def _read_chapter(file: Path, names: set[str]) -> Chapter:
    article = ARTICLE.search(file.read_text("utf-8"))
    assert article, f"{file.name} has no article"
    body = _as_part(article[1], file.stem, names)
    (_, _, title), *sections = HEADING.findall(body)
    numbered = [
        (name, text) for level, name, text in sections if level == "2" and text[0].isdigit()
    ]
    return Chapter(file.stem, plain(title), numbered, body)


def _as_part(body: str, here: str, names: set[str]) -> str:
    """Return a page's text with anchors of its own, links within the document, folds open."""

    def lead_within(match: re.Match[str]) -> str:
        about, target, text = match.groups()
        file, _, anchor = target.partition("#")
        name = file.removesuffix(".html") or here
        if name in names:
            target = f"#{name}--{anchor}" if anchor else f"#{name}"
        elif not target.startswith("https://"):
            return text
        return f'<a{about} href="{target}">{text}</a>'

    body = FORMULA.sub(r'<math role="img" aria-label="\g<1>"', body)  # or it is read sign by sign
    body = body.replace("<figure", "<div").replace("</figure>", "</div>")  # one figure a picture
    body = ANCHOR.sub(rf"\g<1>{here}--\g<2>", body)
    return FOLD.sub("<details open", LINK.sub(lead_within, body))


def document(chapters: list[Chapter], lead: str, numbers: Mapping[str, int] = {}) -> str:
    """Return the document as HTML; numbers say on which page each anchor stands."""
    return ENVIRONMENT.get_template("paper.html").render(
        chapters=chapters,
        lead=lead,
        numbers=numbers,
        style=(TEMPLATES / "paper.css").read_text("utf-8"),
        version=__version__,
    )


def printed(page: Any, text: str) -> bytes:
    """Print a document that lies beside the page that is open."""
    page.set_content(text)
    page.evaluate(READY)
    return page.pdf(prefer_css_page_size=True, print_background=True, tagged=True, outline=True)


def page_numbers(data: bytes) -> dict[str, int]:
    """Return on which page each anchor of a PDF stands."""
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(data))
    return {
        name.removeprefix("/"): reader.get_destination_page_number(place) + 1
        for name, place in reader.named_destinations.items()
    }
