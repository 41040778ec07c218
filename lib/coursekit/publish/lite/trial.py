"""Run the built pages in Chromium, from a server on loopback, and compare what notebooks say."""

import json
import re
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from coursekit.browser import CONTRAST, OURS, WCAG, browse, missing, violations_in_sight
from coursekit.contents import all_notebooks, read_notebook
from coursekit.publish.lite.build import build_lite, run_link
from coursekit.publish.lite.contents import released_homeworks
from coursekit.testing import PICTURE_IN_TEXT

PATIENCE = 240_000  # milliseconds for what takes half a minute on a machine at rest
POLLING = 200  # milliseconds: at every frame would take a share of the core that Python needs
TEXTS = ("text/markdown", "text/html", "text/plain")
ROUNDED = {  # what a cell says: why its numbers may differ, and nothing else of it
    "curves.reveal(": "40 steps of ascent: how sums are rounded decides a tie, then 17 rises for 16"
}
READY = "document.getElementById('halfspaces-bar')?.dataset.python === 'Python is ready.'"
RUN = """() => { window.finished = false
    jupyterapp.commands.execute("notebook:run-all-cells").finally(() => { finished = true }) }"""


class Server(ThreadingHTTPServer):
    """Serve a folder on loopback, and count the bytes."""

    daemon_threads = True

    def __init__(self, folder: Path):
        super().__init__(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        self.sent = 0
        self.url = f"http://127.0.0.1:{self.server_address[1]}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a browser that has gone away."""


class Handler(SimpleHTTPRequestHandler):
    """Answer without a word, by names and types as any server has them."""

    server: Server
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file, and count it."""
        while block := source.read(1 << 16):
            outputfile.write(block)
            self.server.sent += len(block)


@contextmanager
def serve(folder: Path) -> Iterator[Server]:
    """Serve a folder while the block runs."""
    with Server(folder) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()


class RunPage:
    """Drive one notebook that runs in the browser alone."""

    def __init__(self, page: Any, url: str, name: str, more: str = ""):
        self.page = page
        self.elsewhere: list[str] = []
        self.errors: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: self.note(request.url, url))
        page.on("pageerror", lambda error: self.errors.append(f"page: {error}"))
        page.goto(url + run_link(name) + more)

    def note(self, wanted: str, url: str) -> None:
        """Keep the addresses of other hosts."""
        if not wanted.startswith((url, "data:", "blob:")):
            self.elsewhere.append(wanted)

    def wait_for_text(self) -> None:
        """Wait until the notebook can be read."""
        self.page.wait_for_function("window.jupyterapp?.shell.currentWidget?.context?.isReady")
        self.page.wait_for_selector(".jp-Notebook .jp-RenderedMarkdown h1")

    def wait_for_python(self) -> None:
        """Wait until Python is ready."""
        self.page.wait_for_function(READY, polling=POLLING)

    def keep_progress(self, kept: bool) -> None:
        """Let the kernel keep what is done, as it does by itself, or not, as in stored outputs."""
        file = "/home/pyodide/progress.json" if kept else ""
        self.ask(f"import os; os.environ['HALFSPACES_PROGRESS'] = '{file}'", "0")

    def run_all(self) -> None:
        """Run all cells, and wait for the last."""
        self.page.evaluate(RUN)
        self.page.wait_for_function("finished", polling=POLLING)

    def book(self) -> Any:
        """Return the notebook as it stands."""
        return self.page.evaluate("jupyterapp.shell.currentWidget.context.model.toJSON()")

    def barriers(self) -> list[str]:
        """Return what axe finds in the notebook's texts and outputs, in both themes."""
        found = []
        for theme, rules in (("Light", WCAG), ("Dark", CONTRAST)):
            self.page.emulate_media(color_scheme=theme.lower())
            worn = f"body[data-jp-theme-name='JupyterLab {theme}']"
            self.page.locator(worn).wait_for(state="attached")
            found += [f"{theme}: {line}" for line in violations_in_sight(self.page, OURS, rules)]
        return found

    def ask(self, code: str, expression: str) -> Any:
        """Evaluate an expression in the kernel; its value travels as JSON."""
        said = self.page.evaluate(
            """async code => {
            const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel
            const future = kernel.requestExecute({code, store_history: false})
            let said = ""
            future.onIOPub = ({content}) => { said += content.text ?? content.evalue ?? "" }
            await future.done
            return said }""",
            f"{code}\nimport json\nprint(json.dumps({expression}))",
        )
        return json.loads(said)


@dataclass
class Trial:
    """Hold what happened to one notebook."""

    text: float = 0.0  # seconds until it could be read,
    ready: float = 0.0  # until Python was ready,
    end: float = 0.0  # until the last cell had run
    megabytes: float = 0.0
    cells: int = 0
    differences: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        times = f"{self.text:6.0f} {self.ready:6.0f} {self.end:6.0f} {self.megabytes:6.1f}"
        counts = f"{self.cells:6d} {len(self.differences):6d} {len(self.errors):6d}"
        return f"{times} {counts}"


HEADER = " " * 32 + "  text  ready    end     MB  cells differ errors"


def check_all() -> int:
    """Build the pages with Python in them, and run every notebook and homework."""
    if missing():
        print(f"Nothing is checked: {missing()}.")
        return 2
    print("Building the pages, with Python in them.", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        site = Path(temporary) / "run"
        build_lite(site, offline=True)
        return try_all(site)


def try_all(site: Path, paths: list[Path] | None = None) -> int:
    """Run notebooks to their end, print a table and what differs; return 1 if anything does."""
    paths = paths or [*all_notebooks(), *released_homeworks()]
    start = time.monotonic()
    print(HEADER, flush=True)
    trials = []
    for number, path in enumerate(paths, 1):
        print(f"{number:2d}/{len(paths)} {path.stem:<26}", end=" ", flush=True)  # while it runs
        trials.append(try_book(site, path))
        print(trials[-1], flush=True)
        for line in trials[-1].errors + trials[-1].differences:
            print(f"    {line}", flush=True)
    wrong = sum(bool(trial.errors or trial.differences) for trial in trials)
    seconds = time.monotonic() - start
    print(f"{len(trials) - wrong} of {len(trials)} run as they should, in {seconds:.0f} s.")
    return 1 if wrong else 0


def try_book(site: Path, path: Path) -> Trial:
    """Run one notebook in a browser that has never been here."""
    trial = Trial()
    start = time.monotonic()
    with serve(site) as server, browse() as page:
        sheet = RunPage(page, server.url, path.name)
        sheet.wait_for_text()
        trial.text = time.monotonic() - start
        sheet.wait_for_python()
        trial.ready = time.monotonic() - start
        sheet.keep_progress(False)
        sheet.run_all()
        trial.end = time.monotonic() - start
        trial.megabytes = server.sent / 1e6
        now = sheet.book()
        trial.errors = sheet.barriers()
        page.goto("about:blank")
    trial.errors += sheet.errors + [f"another host is asked: {url}" for url in sheet.elsewhere]
    trial.errors += faults(now)
    trial.cells = sum(cell["cell_type"] == "code" for cell in now["cells"])
    if path in all_notebooks():  # of a homework nothing is stored
        trial.differences = differences(read_notebook(path), now)
    return trial


def faults(book: Any) -> list[str]:
    """Return the errors and warnings that a notebook shows."""
    return [
        f"cell {number}: {output.get('evalue') or output.get('text')}"
        for number, cell in enumerate(book["cells"])
        for output in cell.get("outputs", [])
        if output["output_type"] == "error" or output.get("name") == "stderr"
    ]


def differences(stored: Any, now: Any) -> list[str]:
    """Return in which cells two runs of a notebook say something else."""
    return [
        f"cell {number}: {was!r} has become {is_!r}"
        for number, (old, new) in enumerate(zip(stored["cells"], now["cells"], strict=True))
        if (was := shown(old)) != (is_ := shown(new))
    ]


def shown(cell: Any) -> list[str]:
    """Return what a cell says: the text that is printed, and the first text of each output."""
    said = []
    for output in cell.get("outputs", []):
        if output["output_type"] == "stream":
            said.append(output["text"])
        elif "data" in output:
            said += [output["data"][kind] for kind in TEXTS if kind in output["data"]]
    texts = [text if isinstance(text, str) else "".join(text) for text in said]
    if any(mark in "".join(cell["source"]) for mark in ROUNDED):
        texts = [re.sub(r"\d+", "N", text) for text in texts]
    return [re.sub(PICTURE_IN_TEXT, "PICTURE", text).strip() for text in texts]
