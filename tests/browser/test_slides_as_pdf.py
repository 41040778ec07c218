"""Slides are printed whole. The command brings a browser of its own."""

import re

import pytest
from coursekit.contents import find_notebook
from coursekit.lecture import slides as lecture
from coursekit.lecture.deck import slides
from coursekit.lecture.slides import write_pdf
from coursekit.publish import export as publishing
from nbformat import read
from pypdf import PdfReader

pytestmark = pytest.mark.browser


def test_a_pdf_has_a_page_for_every_slide(tmp_path, monkeypatch):
    path = find_notebook("05")
    monkeypatch.setattr(publishing, "EXPORT", tmp_path)
    monkeypatch.setattr(publishing, "ROOT", tmp_path)
    write_pdf(path)
    pages = PdfReader(tmp_path / f"{path.stem}-slides.pdf").pages
    deck = slides(read(path, 4))
    assert len(pages) == len(deck)
    width, height = lecture.PAPER
    fonts = set()
    for made, slide in zip(pages, deck):
        assert (made.mediabox.width / made.mediabox.height) == pytest.approx(width / height)
        text = " ".join(made.extract_text().split())
        assert not {"◀", "▶"} & set(text)
        for cell in slide.cells:  # fragments among them
            for heading in re.findall(r"^#+ ([\w .,]+)$", cell.source, re.MULTILINE):
                assert heading in text, (slide.number, heading)
        images = sum("image/png" in str(cell.get("outputs")) for cell in slide.cells)
        live = sum("Live picture:" in str(cell.get("outputs")) for cell in slide.cells)
        assert len(made.images) >= images + live, slide.number
        fonts |= {
            str(font.get_object()["/BaseFont"]) for font in made["/Resources"]["/Font"].values()
        }
    assert any("HalfspacesMath" in font for font in fonts)
