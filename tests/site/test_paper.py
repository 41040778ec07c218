"""The course as a PDF: tagged, with an outline, and with links that lead to their pages."""

import os
import re
import shutil

import pytest
from coursekit.browser import browse
from coursekit.publish import paper
from coursekit.publish.site import PDF
from pypdf import PdfReader

pytestmark = pytest.mark.browser
NAMES = ["04-perceptron", "05-mistake-bound", "hw02", "glossary"]
PAPER = {"width": 658, "height": 963}  # of A4, what the margins leave
CUT = """([width, height]) => [...document.querySelectorAll("article *")].filter(part => {
    const {right} = part.getBoundingClientRect()
    const whole = part.matches("img, blockquote, math[display=block]")
    const clipped = getComputedStyle(part).overflowX !== "visible" && !part.closest(".said")
    return !part.closest("math *") && (right > width + 1 || (whole && part.offsetHeight > height)
        || (clipped && part.scrollWidth > part.clientWidth + 1)) })
    .map(part => part.closest("article").id + ": " + part.outerHTML.slice(0, 80))"""


def test_the_pdf_is_a_document_and_no_pile_of_pages(site, tmp_path):
    folder = tmp_path / "site"  # other tests know of no PDF
    shutil.copytree(site.folder, folder, copy_function=os.link)
    paper.write_pdf(folder, NAMES)
    printed = PdfReader(folder / PDF)
    check_tags(printed)
    check_contents(printed, [chapter.title for chapter in paper.read_chapters(folder, NAMES)])
    check_links(printed)
    check_folds(printed)


def check_tags(printed):
    """Look for what a reader's software asks for: title, language, structure, fonts."""
    root = printed.trailer["/Root"]
    assert root["/Lang"] == "en" and printed.metadata.title == "Learning halfspaces"
    assert root["/MarkInfo"]["/Marked"] and root["/ViewerPreferences"]["/DisplayDocTitle"]
    parts = list(elements(root["/StructTreeRoot"]["/K"].get_object()))
    kinds = {part["/S"] for part in parts}
    assert {"/H1", "/H2", "/P", "/L", "/Table", "/TH", "/Code", "/Link"} <= kinds
    pictures = [part for part in parts if part["/S"] == "/Figure"]
    assert all(part.get("/Alt") for part in pictures)
    assert r"\langle w_t,w^*\rangle\ge t\hat\gamma" in {part["/Alt"] for part in pictures}
    fonts = [
        font["/DescendantFonts"][0].get_object()["/FontDescriptor"]
        for page in printed.pages
        for font in (one.get_object() for one in page["/Resources"]["/Font"].values())
        if font["/Subtype"] == "/Type0"
    ]
    assert fonts and all("/FontFile2" in font for font in fonts)


def elements(part):
    """Yield an element of the structure, and all below it."""
    yield part
    below = part.get("/K", [])
    for one in below if isinstance(below, list) else [below]:
        child = one.get_object()
        if isinstance(child, dict) and "/S" in child:
            yield from elements(child)


def check_contents(printed, titles):
    """Compare contents, outline, headings and the numbers of pages."""
    top = [one for one in printed.outline if not isinstance(one, list)]
    assert [one.title for one in top] == ["Learning halfspaces", "Contents", *titles]
    texts = [page.extract_text() for page in printed.pages]
    starts = [printed.get_destination_page_number(one) for one in top]
    assert starts[:2] == [0, 1] and sorted(set(starts)) == starts
    contents = " ".join(" ".join(texts[1 : starts[2]]).split())
    for title, start in zip(titles, starts[2:]):
        assert title in " ".join(texts[start].split())
        assert re.search(rf"{re.escape(title)} {start + 1}\b", contents), title
    assert "000" not in contents
    for number, text in enumerate(texts[1:], 2):
        assert str(number) in text.split("\n")[:2], number


def check_links(printed):
    """Follow links from chapter to chapter; none leads to the site that was printed."""
    places = {
        name: printed.get_destination_page_number(place)
        for name, place in printed.named_destinations.items()
    }
    across = set()
    for number, page in enumerate(printed.pages):
        for one in page.get("/Annots", []):
            link = one.get_object()
            if "/Dest" not in link:
                assert link["/A"]["/URI"].startswith("https://")
            elif "--theorem-" in link["/Dest"] and places[link["/Dest"]] != number:
                across.add(link["/Dest"])
    assert "/05-mistake-bound--theorem-5-1" in across
    for name in across:
        number = re.search(r"theorem-(\d+b?)-(\d+)", name)
        assert f"Theorem {number[1]}.{number[2]}" in printed.pages[places[name]].extract_text()


def check_folds(printed):
    """Read what the website has folded."""
    text = " ".join(" ".join(page.extract_text() for page in printed.pages).split())
    assert "Hint." in text and "Why C." in text
    assert text.count("def exact_bound(") == 2  # what is given, and the solution
    assert "Your answer is checked" not in text


def test_nothing_is_wider_or_higher_than_the_paper(site):
    names = [*site.of_kind("notebook"), *site.of_kind("homework"), "glossary"]
    with browse(viewport=PAPER) as page:
        page.emulate_media(media="print")
        page.goto((site.folder / "index.html").as_uri())
        page.set_content(paper.document(paper.read_chapters(site.folder, names), ""))
        page.evaluate(paper.READY)
        assert page.evaluate(CUT, list(PAPER.values())) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= PAPER["width"]
        folds = "document.querySelectorAll('details:not([open], .source)').length"
        assert page.evaluate(folds) == 0
