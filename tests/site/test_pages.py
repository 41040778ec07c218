"""The site's files, without a browser: links, anchors, sizes, what each page must have."""

import ast
import html
import http.client
import json
import re
import threading
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import halfspaces
import pytest
from coursekit import ROOT
from coursekit.contents import EXERCISES, all_homeworks, all_notebooks, read_notebook
from coursekit.publish.crossing import link_mentions
from coursekit.publish.films import needed, shows_live
from coursekit.publish.glossary import read_terms
from coursekit.publish.reference import public_names
from coursekit.publish.rendering import render_markdown, render_notebook
from coursekit.publish.site import RUN, build_pages, server
from halfspaces.notebook.reading import read_course

LIMIT = 1_500_000  # bytes that a page may load
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", re.DOTALL)


class Reader(HTMLParser):
    """Collect what a page refers to, its anchors and its headings; note what is not closed."""

    def __init__(self, text: str):
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.ids: list[str] = []
        self.headings: list[int] = []
        self.images: list[dict[str, str | None]] = []
        self.open: list[str] = []
        self.faults: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = dict(attrs)
        if about.get("id"):
            self.ids.append(str(about["id"]))
        if tag == "a" and "href" in about:
            self.links.append(str(about["href"]))
        elif tag == "link" and about.get("rel") == "stylesheet":
            self.loads.append(str(about["href"]))
        for name in ("src", "data-film", "data-moving"):
            if about.get(name):
                self.loads.append(str(about[name]))
        if tag == "img":
            self.images.append(about)
        if re.fullmatch("h[1-6]", tag) and "nav" not in self.open:
            self.headings.append(int(tag[1]))
        if tag not in VOID and tag not in ("path", "circle"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if tag == "p" and self.open[-1] != "p":
            return
        while self.open and self.open[-1] in ("p", "li") and self.open[-1] != tag:
            self.open.pop()
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)


@pytest.fixture(scope="module")
def read(site):
    return {name: Reader(site.text(name)) for name in site.kinds}


def test_all_pages_are_there(site):
    kinds = list(site.kinds.values())
    assert kinds.count("notebook") == len(all_notebooks())
    assert kinds.count("homework") == len(all_homeworks(EXERCISES / "release"))
    wanted = {"glossary", "reference", "claims", "more-cases", "accessibility", "proofs", "guide"}
    assert wanted | {"contributing", "search", "404", "index"} <= site.kinds.keys()


def test_links_and_anchors_lead_somewhere(site, read):
    runnable = {path.name for path in all_notebooks()}
    runnable |= {f"{name}.ipynb" for name in all_homeworks(EXERCISES / "release")}
    lost = []
    for name, page in read.items():
        for link in [*page.links, *page.loads]:
            parts = urlsplit(link)
            if parts.scheme in ("http", "https", "mailto"):
                continue
            target, anchor = unquote(parts.path) or f"{name}.html", unquote(parts.fragment)
            if target.startswith(f"{RUN}/"):
                found = parts.query.removeprefix("path=") in runnable
            elif anchor:
                stem = target.removesuffix(".html")
                found = stem in read and anchor in read[stem].ids
            else:
                found = (site.folder / target).is_file() and not target.startswith("/")
            if not found:
                lost.append(f"{name}: {link}")
    assert lost == []


def test_nothing_is_loaded_from_elsewhere(site, read):
    loads = {load for page in read.values() for load in page.loads}
    assert {load for load in loads if urlsplit(load).scheme or load.startswith("/")} == set()
    style = (site.folder / "site.css").read_text("utf-8")
    assert set(re.findall(r'url\("?([^")]+)', style)) == {"math.woff2"} and "@import" not in style


def test_pages_are_small(site, read):
    fixed = ["site.css", "progress.js", "site.js", "theme.js", "picture.js", "math.woff2"]
    common = sum((site.folder / name).stat().st_size for name in fixed)
    sizes = {
        name: common
        + len(site.text(name).encode())
        + sum((site.folder / load).stat().st_size for load in {*page.loads} - {*fixed})
        for name, page in read.items()
    }
    sizes["search"] += (site.folder / "search.json").stat().st_size
    assert {name: size for name, size in sizes.items() if size > LIMIT} == {}


def test_pages_are_well_formed(read):
    for name, page in read.items():
        assert len(page.ids) == len(set(page.ids)), name
        assert page.faults == [] and page.open == [], name
        assert page.headings.count(1) == 1 and page.headings[0] == 1, name
        steps = [after - before for before, after in zip(page.headings, page.headings[1:])]
        assert max(steps, default=0) <= 1, (name, page.headings)
        assert all(image.get("alt") for image in page.images), name


def test_every_statement_has_an_anchor(read):
    pattern = re.compile(
        r"^(?:> )?\*\*(Theorem|Lemma|Definition|Proposition|Corollary|Algorithm|Example|Exercise)"
        r" (\d+b?\.\d+)",
        re.MULTILINE,
    )
    total = 0
    for path in all_notebooks():
        for cell in read_notebook(path).cells:
            for kind, number in pattern.findall(
                cell.source if cell.cell_type == "markdown" else ""
            ):
                assert f"{kind.lower()}-{number.replace('.', '-')}" in read[path.stem].ids
                total += 1
    assert total > 150


def test_every_question_and_prediction_can_be_answered(site):
    books = read_course(ROOT)
    assert sum(len(book.questions) for book in books) > 50
    for book in books:
        text = site.text(book.path.stem)
        asked = re.findall(r'class="question" data-id="([^"]+)" data-answer="([^"]+)"', text)
        assert asked == [(question.id, question.answer) for question in book.questions]
        predicted = re.findall(r'class="prediction" data-id="([^"]+)"', text)
        assert predicted == list(book.predictions)
        revealed = dict(re.findall(r'data-reveals="([^"]+)" data-truth="([^"]+)"', text))
        assert set(revealed) == set(predicted)


def test_every_live_picture_has_a_film(site):
    for path in all_notebooks():
        ids = [c.id for c in read_notebook(path).cells if shows_live(c.source)]
        films = re.findall(r'data-film="films/([^"]+)\.bin"', site.text(path.stem))
        assert films == [f"{path.stem}-{name}" for name in ids]


def test_mathematics_is_drawn(site):
    for name in site.kinds:
        text = re.sub(r"(?s)<(pre|code)\b.*?</\1>", "", site.text(name))
        assert r"\langle" not in re.sub(r'alttext="[^"]*"', "", text), name
        assert 'class="tex"' not in text, name


def test_no_solution_is_shown(site):
    hidden = 0
    for name in all_homeworks(EXERCISES / "source"):
        shown = re.sub(r"<[^>]+>", "", site.text(name))
        given = (EXERCISES / "release" / name / f"{name}.ipynb").read_text("utf-8")
        for cell in read_notebook(EXERCISES / "source" / name / f"{name}.ipynb").cells:
            for solution in SOLUTION.findall(cell.source):
                lines = [line.strip() for line in solution.splitlines() if len(line.strip()) > 25]
                lines = [line for line in lines if json.dumps(line)[1:-1] not in given]
                assert not any(html.escape(line) in shown for line in lines), name
                hidden += len(lines)
    assert hidden > 50


def test_glossary_and_reference_are_complete(site):
    terms = read_terms()
    assert len({term.name for term in terms}) == len(terms) > 40
    assert all(f'id="{term.id}"' in site.text("glossary") for term in terms)
    modules = {"datasets", "Kernel"}  # a module, and a type
    assert set(halfspaces.__all__) - modules <= public_names()
    assert all(f'id="{name}"' in site.text("reference") for name in public_names())


def test_every_page_says_what_it_is(site):
    heads = {name: site.text(name).partition("</head>")[0] for name in site.kinds}
    titles = [re.search("<title>(.+?)</title>", head)[1] for head in heads.values()]
    assert len(set(titles)) == len(titles)
    for name, head in heads.items():
        about = re.search('<meta name="description" content="([^"]*)">', head)[1]
        assert len(about.split()) >= 8 and '<html lang="en">' in head, name
        assert '<link rel="icon"' in head, name


def test_links_to_homework_are_kept(site):
    for name in all_homeworks(EXERCISES / "release"):
        book = next(one for one in all_notebooks() if one.stem.startswith(name[2:]))
        assert f'href="{name}.html"' in site.text(f"guide-{book.stem}"), name


def test_types_are_called_by_their_names(site):
    shown = html.unescape(re.sub(r"<[^>]+>", "", site.text("reference")))
    assert "separate(X: ArrayLike | Sequence[Any], y: ArrayLike" in shown
    assert "_SupportsArray" not in shown and "NoneType" not in shown


def test_search_finds_each_term(site):
    rows = json.loads((site.folder / "search.json").read_text("utf-8"))
    found = {(anchor, heading) for page, _, anchor, heading, _ in rows if page == "glossary"}
    assert {(term.id, term.name) for term in read_terms()} <= found


def test_formulas_keep_their_full_stops():
    whole = render_markdown("From $-4$ to $4$).", lambda url: url).body
    assert re.search(r'<span class="whole"><math[^>]*>(?:(?!</math>).)*</math>\)\.</span>', whole)
    assert whole.count("<span") == 1
    long = render_markdown(f"${'a+' * 20}b$.", lambda url: url).body
    assert "</math>.</span>" in long and 'class="long"' in long


def test_a_second_build_writes_nothing_and_takes_away_what_is_old(site):
    frames = 6
    (site.folder / "old.html").write_text("an earlier edition")
    before = {path: path.stat().st_mtime_ns for path in site.folder.rglob("*") if path.is_file()}
    build_pages(site.folder, frames)
    after = {path: path.stat().st_mtime_ns for path in site.folder.rglob("*") if path.is_file()}
    assert before.keys() - after.keys() == {site.folder / "old.html"}
    assert after.items() <= before.items()


def test_a_folder_of_others_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(ValueError, match="left alone"):
        build_pages(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_the_server_has_a_page_for_what_is_missing(site):
    with server(site.folder) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        asking = http.client.HTTPConnection("127.0.0.1", running.server_address[1])
        asking.request("GET", "/no/such/page")
        answer = asking.getresponse()
        assert answer.status == 404 and b"There is no such page" in answer.read()
        running.shutdown()


def test_a_picture_runs_the_cells_it_needs():
    cells = ["import math", "fig = 1\nprint(fig)", "def f(fig):\n    return math.pi", "d = {}"]
    cells += ["d[1] = f(2)", "other = 3", "d"]
    assert needed(cells) == [cells[0], cells[2], cells[3], cells[4], cells[6]]


def test_mentions_become_links():
    statements = {"Theorem 5.1": "05.html#theorem-5-1"}
    terms = {"margin": "glossary.html#term-margin"}
    text = "<p>A margin, the margin: Theorem 5.1, <code>margin</code> <a>Theorem 5.1</a></p>"
    linked = link_mentions(text, "05", statements, terms)
    assert linked.count('class="term" href="glossary.html#term-margin"') == 1
    assert linked.count('class="ref" href="#theorem-5-1"') == 1
    assert "Theorem 9.9" in link_mentions("Theorem 9.9", "05", statements, terms)


def test_a_notebook_page_reads_what_is_stored_and_runs_nothing():
    book = read_notebook(all_notebooks()[0])
    for cell in book.cells:
        if cell.cell_type == "code":
            ast.parse(cell.source)
    body = render_notebook(book, "x", lambda url: url).body
    assert "Progress is switched off" not in body or "switched off" in str(book)
