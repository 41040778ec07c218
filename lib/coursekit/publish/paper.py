"""Print the course as one PDF: Chromium prints the pages, pypdf joins them."""

import io
import sys
import threading
from pathlib import Path

from coursekit.browser import browse, missing
from coursekit.publish.site import PDF, server

# On paper nothing is folded, and a link to a page of this server leads nowhere.
UNFOLD = """async () => {
    for (const image of document.images) image.loading = "eager"
    for (const link of document.querySelectorAll("a[href]:not([href^='#'])"))
        if (link.origin === location.origin) link.removeAttribute("href")
    for (const fold of document.querySelectorAll("article details:not(.source)")) fold.open = true
    await Promise.all([...document.images].map(image => image.decode().catch(() => 0)))
    await document.fonts.ready }"""
LAYOUT = {
    "format": "A4",
    "print_background": True,
    "tagged": True,
    "prefer_css_page_size": True,
    "display_header_footer": True,
    "header_template": "<span></span>",
    "footer_template": (
        '<div style="width:100%;text-align:center;font:8pt sans-serif;color:#444">'
        '<span class="title"></span></div>'
    ),
}


def write_pdf(folder: Path, names: list[str]) -> None:
    """Print pages of a built site, in this order, into one file with an outline."""
    if missing():
        raise ValueError(f"The PDF cannot be printed: {missing()}.")
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter()
    with server(folder) as running, browse() as page:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        for name in ["index", *names, "glossary"]:
            page.goto(f"http://127.0.0.1:{running.server_address[1]}/{name}.html")
            page.evaluate(UNFOLD)
            part = PdfReader(io.BytesIO(page.pdf(**LAYOUT)))
            first = len(writer.pages)
            for sheet in part.pages:
                writer.add_page(sheet)
            writer.add_outline_item(page.title().partition(" · Learning")[0], first)
            print(f"{name}: {len(part.pages)} pages", file=sys.stderr)
        running.shutdown()
    writer.add_metadata({"/Title": "Learning halfspaces"})
    writer.compress_identical_objects()
    fresh = folder / f".{PDF}.new"
    writer.write(fresh)
    fresh.replace(folder / PDF)
    size = (folder / PDF).stat().st_size
    print(f"{folder.name}/{PDF}: {len(writer.pages)} pages, {size / 1e6:.1f} MB")
