"""Links of exported pages lead somewhere: to what is exported beside them, or into the course."""

import re

from coursekit.contents import all_notebooks, find_notebook, read_notebook
from coursekit.publish import export as publishing
from coursekit.publish.export import export
from small_project import ROOT


def links(page: str) -> list[str]:
    """Return the files that a page leads to, from where it stands."""
    found = re.findall(r'href="([^"]+)"', publishing.relink(page, (".html",), ()))
    return [link.partition("#")[0] for link in found if not re.match("https://|data:|#", link)]


def is_there(link: str) -> bool:
    return (ROOT / "export" / link).resolve().is_file()


def test_links_of_every_notebook_lead_somewhere():
    found = []
    for path in all_notebooks():
        cells = read_notebook(path).cells
        texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
        targets = re.findall(r"\]\(([^)\s]+)\)", "\n".join(texts))
        shown = [str(output.get("data")) for cell in cells for output in cell.get("outputs", [])]
        page = "".join(f'<a href="{target}">' for target in targets) + "".join(shown)
        found += [(path.name, link) for link in links(page)]
    assert len(found) > 150
    assert [link for link in found if not is_there(link[1])] == []


def test_a_link_that_leads_nowhere_is_seen():
    (link,) = links('<a href="99-no-such.ipynb#1">')
    assert link == "../notebooks/99-no-such.ipynb" and not is_there(link)


def test_places_within_a_page_are_there():
    page = export(find_notebook("09"), frames=0)
    assert all(is_there(link) for link in links(page))
    for place in re.findall(r'href="#([^"]+)"', page):
        assert f'id="{place}"' in page


def test_links_prefer_what_is_exported_beside(tmp_path, monkeypatch):
    monkeypatch.setattr(publishing, "EXPORT", tmp_path)
    link = '<a href="05-mistake-bound.ipynb#5.1-Data">'

    def lead(*endings: str, beside: tuple[str, ...] = ()) -> str:
        return publishing.relink(link, endings, beside)[9:-2]

    assert lead(".html") == "../notebooks/05-mistake-bound.ipynb#5.1-Data"
    assert lead(".html", beside=("05-mistake-bound.html",)) == "05-mistake-bound.html#5.1-Data"
    (tmp_path / "05-mistake-bound.html").touch()
    assert lead("-slides.html", ".html") == "05-mistake-bound.html#5.1-Data"
    (tmp_path / "05-mistake-bound-slides.html").touch()
    assert lead("-slides.html", ".html") == "05-mistake-bound-slides.html#5.1-Data"
