"""Write the course as a folder of static files: pages to read here, pages to run by `lite`.

Every page stands in one folder and names others by relative addresses, so the site works below any
address and on any server that hands out files. Text is in the page before any script runs; scripts
move the pictures, ask the questions, search, and keep what a reader has done in the browser, in
localStorage under `halfspaces-progress`, in the form of progress.json.
"""

import html
import json
import re
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from halfspaces import __version__
from halfspaces.notebook import reading
from halfspaces.notebook.picture import SCRIPT
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from PIL import Image

from coursekit import ROOT
from coursekit.contents import (
    EXERCISES,
    all_homeworks,
    all_notebooks,
    is_side_path,
    number_of,
    read_notebook,
)
from coursekit.files import write_if_changed
from coursekit.formulas import FONT_FILE, style
from coursekit.publish import films
from coursekit.publish.crossing import link_mentions
from coursekit.publish.glossary import forms, read_terms, render_glossary
from coursekit.publish.player import page_style
from coursekit.publish.reference import render_reference
from coursekit.publish.rendering import (
    Rendered,
    Resolve,
    code_block,
    plain,
    render_markdown,
    render_notebook,
)

SITE = ROOT / "site"
PDF = "learning-halfspaces.pdf"
RUN = "run"  # the folder of the pages to run
RUN_LINK = RUN + "/index.html?path={}.ipynb"
TEMPLATES = Path(__file__).parent / "templates" / "site"
ASSETS = ("site.css", "progress.js", "site.js", "theme.js", "search.js")
TEXTS = {  # pages that are Markdown in the repository
    "homework": "exercises/README.md",
    "guide": "docs/guide/README.md",
    "claims": "docs/claims.md",
    "more-cases": "docs/more-cases.md",
    "accessibility": "docs/accessibility.md",
    "proofs": "proofs/README.md",
    "contributing": "CONTRIBUTING.md",
    "authors": "exercises/AUTHORS.md",
    "changes": "CHANGELOG.md",
    "security": "SECURITY.md",
}
FILES = {"LICENSE": "LICENSE.txt", "LICENSE-text": "LICENSE-text.txt"}  # copied as they are
MENU = [  # beside the notebooks
    ("To practise", ["homework", "glossary", "more-cases"]),
    ("To look up", ["reference", "proofs", "claims"]),
    ("To teach", ["guide"]),
    ("About", ["accessibility", "contributing", "changes"]),
]
SIDE_PATHS = {  # what they are about: the README's map has no room for it
    "02b-counting-halfspaces": "how few of all functions they are, and how large weights get",
    "03b-how-many-examples": "what a separator says of points not seen yet",
    "04b-variants": "which changes of the algorithm change the run",
    "05b-five-formulas": "the bound in five books, and two forms that are false",
    "06b-cones-and-stretching": "the proofs that tiny margins has left open",
    "08b-monomials": "what a degree buys, and what it costs",
}
TITLES = {"index": "Learning halfspaces", "search": "Search", "404": "There is no such page"}
ABOUT = {  # what the pages are about that have no text of their own here
    "index": "A course of notebooks on learning halfspaces: from the definition to the perceptron "
    "and its mistake bound, kernels and support vector machines, to read and to run in browsers.",
    "search": "Search the notebooks, the homework and the texts of the course on halfspaces.",
    "404": "The course on halfspaces has no page of this name.",
}


@dataclass
class Page:
    """Hold a page: what it says, and its place in the site."""

    name: str
    rendered: Rendered
    kind: str = "text"
    before: str = ""  # names of its neighbours
    after: str = ""
    links: list[tuple[str, str]] = field(default_factory=list)  # what belongs to it
    run: str = ""  # where it runs
    asks: str = ""  # the ids of what it asks, as JSON

    @property
    def title(self) -> str:
        """Return its title."""
        return self.rendered.title or TITLES[self.name]


def write_site(offline: bool = False, pdf: bool = False) -> int:
    """Write pages to read and to run into site/; say what came of it."""
    start = time.monotonic()
    pages = build_pages(SITE)
    seconds = time.monotonic() - start
    print(f"{SITE.relative_to(ROOT)}: {len(pages)} pages to read, in {seconds:.0f} s")
    try:
        from coursekit.publish.lite import build_lite
    except ModuleNotFoundError as error:
        if not str(error.name).startswith("coursekit.publish.lite"):
            raise
        print("The pages to run are not there: coursekit.publish.lite is missing.", file=sys.stderr)
    else:
        build_lite(SITE / RUN, offline)
        print(f"{SITE.relative_to(ROOT)}/{RUN}: every notebook, to run in the browser")
    if pdf:
        from coursekit.publish.paper import write_pdf

        read = [page.name for page in pages if page.kind in ("notebook", "homework")]
        write_pdf(SITE, [*read, "glossary"])
        build_pages(SITE)  # now the first page can name it
    print("python3 course.py site --serve shows it; any web server can serve the folder.")
    return 0


def build_pages(target: Path, frames: int = films.FRAMES) -> list[Page]:
    """Write the pages to read; live pictures get so many frames. What has not changed stays."""
    if target.is_dir() and any(target.iterdir()) and not (target / ".nojekyll").exists():
        raise ValueError(f"{target} holds files that are none of the site's: it is left alone.")
    books = {path: read_notebook(path) for path in all_notebooks()}
    found = films.all_films(books, frames)
    pages = {page.name: page for page in _all_pages(books)}
    statements = {
        number: f"{page.name}.html#{name}"
        for page in pages.values()
        if page.kind == "notebook"
        for number, name in page.rendered.statements.items()
    }
    terms = read_terms()
    pages["glossary"] = Page(
        "glossary", render_glossary(terms, statements, resolver(ROOT / "docs"))
    )
    for page in pages.values():
        linked = forms(terms) if page.kind in ("notebook", "homework") else {}
        page.rendered.body = link_mentions(page.rendered.body, page.name, statements, linked)
        page.rendered.body = page.rendered.body.replace("{{run}}", html.escape(page.run))
    files: dict[str, str | bytes] = {".nojekyll": ""}
    for page in pages.values():
        files |= page.rendered.files
        files[f"{page.name}.html"] = fill(page, pages, (target / PDF).exists())
    for path, shot in found.items():
        files |= {f"films/{path.stem}-{cell}.bin": data for cell, data in shot.items()}
    files["search.json"] = search_index(pages.values())
    files |= _assets()
    for name, content in files.items():
        write_if_changed(target / name, content)
    _prune(target, set(files))
    return list(pages.values())


def _prune(target: Path, files: set[str]) -> None:
    """Delete what an earlier build wrote and this one did not; the pages to run are not ours."""
    for path in target.rglob("*"):
        name = path.relative_to(target).as_posix()
        if path.is_file() and name not in files | {PDF} and not name.startswith(f"{RUN}/"):
            path.unlink()


# Pages


def _all_pages(books: dict[Path, Any]) -> Iterable[Page]:
    yield Page("index", render_markdown("# Learning halfspaces\n", resolver(ROOT)), "index")
    yield from chained(_notebook_page(path, book) for path, book in books.items())
    yield from chained(_homework_page(name) for name in all_homeworks(EXERCISES / "release"))
    for name, file in TEXTS.items():
        text = (ROOT / file).read_text("utf-8")
        yield Page(name, render_markdown(text, resolver((ROOT / file).parent)))
    yield from chained(_guide_page(path) for path in books)
    for path in sorted((ROOT / "proofs").glob("*.v")):
        yield _proof_page(path)
    yield Page("reference", render_reference())
    for name in ("search", "404"):
        yield Page(name, render_markdown(f"# {TITLES[name]}\n", resolver(ROOT)), name)


def chained(pages: Iterable[Page]) -> list[Page]:
    """Tell each page its neighbours."""
    found = list(pages)
    for before, after in zip(found, found[1:]):
        before.after, after.before = after.name, before.name
    return found


def _notebook_page(path: Path, book: Any) -> Page:
    number = number_of(path)
    homework = f"hw{number[:2]}"
    links = [("For lecturers", f"guide-{path.stem}.html")]
    if (EXERCISES / "release" / homework).is_dir():
        links.insert(0, (f"Homework {int(number[:2])}", f"{homework}.html"))
    read = reading.read_notebook(path)
    assert read is not None
    asked = {
        "predictions": read.predictions,
        "questions": [question.id for question in read.questions],
        "exercises": read.exercises,
    }
    return Page(
        path.stem,
        render_notebook(book, path.stem, resolver(path.parent)),
        "notebook",
        links=links,
        run=RUN_LINK.format(path.stem),
        asks=json.dumps(asked),
    )


def _homework_page(name: str) -> Page:
    """Show a homework as students get it: tasks without solutions."""
    path = EXERCISES / "release" / name / f"{name}.ipynb"
    rendered = render_notebook(read_notebook(path), name, resolver(path.parent))
    book = next((one for one in all_notebooks() if number_of(one) == name[2:]), None)
    links = [("Its notebook", f"{book.stem}.html")] if book else []
    return Page(name, rendered, "homework", links=links, run=RUN_LINK.format(name))


def _guide_page(path: Path) -> Page:
    file = ROOT / "docs" / "guide" / f"{path.stem}.md"
    rendered = render_markdown(file.read_text("utf-8"), resolver(file.parent))
    return Page(f"guide-{path.stem}", rendered, links=[("The notebook", f"{path.stem}.html")])


def _proof_page(path: Path) -> Page:
    rendered = render_markdown(f"# {path.name}\n", resolver(path.parent))
    rendered.body += "<p>A file of theorems, with their proofs for Coq to check.</p>\n"
    rendered.body += code_block(path.read_text("utf-8"), "coq")
    return Page(f"proof-{path.stem}", rendered, links=[("How to read it", "proofs.html")])


def resolver(folder: Path) -> Resolve:
    """Return the function that leads from the links of a folder's texts to the site's pages."""

    def resolve(url: str) -> str | None:
        parts = urlsplit(url)
        if parts.scheme or not parts.path:
            return url
        name = _page_of((folder / parts.path).resolve())
        return f"{name}#{parts.fragment}" if name and parts.fragment else name

    return resolve


def _page_of(path: Path) -> str | None:
    """Return where a file of the repository is shown, if it is."""
    if not path.is_relative_to(ROOT):
        return None
    file = PurePosixPath(path.relative_to(ROOT))
    for name, text in TEXTS.items():
        if str(file) == text or str(file) == str(PurePosixPath(text).parent):
            return f"{name}.html"
    match file.parts:
        case ("notebooks", _) if file.suffix == ".ipynb":
            return f"{file.stem}.html"
        case ("docs", "guide", _) if file.suffix == ".md":
            return f"guide-{file.stem}.html"
        case ("exercises", "release", name, _) if file.suffix == ".ipynb":
            return f"{name}.html"
        case ("proofs", _) if file.suffix == ".v":
            return f"proof-{file.stem}.html"
        case ("README.md",):
            return "index.html"
        case ("docs", "proof.gif"):
            return "proof.gif"
    return FILES.get(str(file))


# What all pages share


def fill(page: Page, pages: dict[str, Page], has_pdf: bool) -> str:
    """Return a page as HTML."""
    body = page.rendered.body
    toc = [(name, text) for level, name, text in page.rendered.sections if level == 2]
    words = plain(re.sub(r"(?s)<(h1|pre|figure|table).*?</\1>", "", body)).split()
    return ENVIRONMENT.get_template("page.html").render(
        page=page,
        body=body,
        toc=toc if len(toc) > 2 else [],
        pages=pages,
        notebooks=[one for one in pages.values() if one.kind == "notebook"],
        side=[path.stem for path in all_notebooks() if is_side_path(path)],
        menu=MENU,
        about=_about() if page.kind == "index" else {},
        description=ABOUT.get(page.name) or " ".join(words[:30]),
        version=__version__,
        pdf=PDF if has_pdf else "",
    )


def _about() -> dict[str, str]:
    """Return for each notebook what it is about, as the README's map says."""
    found = dict(SIDE_PATHS)
    for line in (ROOT / "README.md").read_text("utf-8").splitlines():
        row = re.fullmatch(r"\| \[.*?\]\(notebooks/(.+?)\.ipynb\) \| (.+?) \|.*", line)
        if row:
            found[row[1]] = row[2]
    return found


def search_index(pages: Iterable[Page]) -> str:
    """Return what can be found: for each section its page, heading, anchor and words."""
    rows = []
    for page in pages:
        if page.kind in ("search", "404", "index") or page.name.startswith(("proof-", "guide-")):
            continue
        parts = re.split(r'(?=<h2 id="|<div id="term-)', page.rendered.body)
        for part in parts:
            head = re.match(r'<(?:h2|div) id="([^"]+)">(?:<dt>)?(.*?)</(?:h2|dt)>', part)
            name, text = (head[1], plain(head[2])) if head else ("", "")
            words = re.sub(r"<(?=/?(?:p|li|td|th|div|dt|dd|br|h\d|summary))", " <", part)
            rows.append([page.name, page.title, name, text, " ".join(plain(words).split())])
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def _assets() -> dict[str, str | bytes]:
    moving = ROOT / "docs" / "proof.gif"
    with Image.open(moving) as picture:
        picture.seek(picture.n_frames - 1)
        still = _as_png(picture)
    files: dict[str, str | bytes] = {name: (TEMPLATES / name).read_text("utf-8") for name in ASSETS}
    files["site.css"] = style("math.woff2") + page_style() + str(files["site.css"])
    files |= {
        "picture.js": SCRIPT.read_text("utf-8"),
        "math.woff2": FONT_FILE.read_bytes(),
        "proof.gif": moving.read_bytes(),
        "proof.png": still,
    }
    return files | {new: (ROOT / old).read_bytes() for old, new in FILES.items()}


def _as_png(picture: Image.Image) -> bytes:
    import io

    file = io.BytesIO()
    picture.convert("RGB").save(file, "PNG", optimize=True)
    return file.getvalue()


ENVIRONMENT = Environment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


# Showing it


class Handler(SimpleHTTPRequestHandler):
    """Hand out files; where there is none, the site's own page says so."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".whl": "application/zip",
    }

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with the page 404.html."""
        page = Path(self.directory, "404.html")
        if code != 404 or not page.is_file():
            super().send_error(code, message, explain)
            return
        data = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of each request."""


def server(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """Return a server of the folder on loopback, not yet running."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, directory=str(folder)))


def serve_site(port: int, offline: bool) -> int:
    """Show the site on loopback, built first where it is missing."""
    if not (SITE / "index.html").exists():
        write_site(offline)
    with server(SITE, port) as running:
        host, bound = running.server_address[:2]
        print(f"http://{host!s}:{bound}/  (Ctrl-C ends it)")
        running.serve_forever()
    return 0
