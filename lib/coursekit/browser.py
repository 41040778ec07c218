"""Open notebooks in a real JupyterLab and Chromium, for tests and benchmarks, on loopback."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from coursekit.lab import SLIDES

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
NOT_OURS = (
    "Could not restore the debugger state",  # JupyterLab says so when a kernel restarts
    "Error: Shared module @jupyterlite",  # its extension is for pages without a server
)
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {"windowingMode": "none"},
}  # so that every cell is in the page
PAGE = {"buildCheck": False}  # else each page asks Node whether JupyterLab should be built anew
# The rules of axe that a public course must meet, and the one that another theme can break.
WCAG = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}
CONTRAST = {"type": "rule", "values": ["color-contrast"]}
OURS = ".jp-OutputArea-output, .jp-RenderedMarkdown"  # what the course puts into JupyterLab
STEADY = """async root => {
    const frame = () => new Promise(requestAnimationFrame)
    const images = [...root.querySelectorAll("img")]
    const measure = () => JSON.stringify([root, ...root.querySelectorAll("*")].map(element => {
        const {x, y, width, height} = element.getBoundingClientRect()
        return [x, y, width, height] }))
    let before = "", since = performance.now()
    while (performance.now() - since < 100) {
        await Promise.all(images.map(image => image.decode().catch(() => 0)))
        await document.fonts.ready
        await frame()
        const now = measure()
        if (now !== before) [before, since] = [now, performance.now()]
    } }"""

# axe takes for hidden what lies outside of an ancestor that hides what overflows: in JupyterLab all
# that is scrolled out of sight, in JupyterLite, whose body has no height, all. Clipped it is seen.
AXE = """async ([include, exclude, runOnly]) => {
    const context = {include: [[include]], exclude: exclude.map(selector => [selector])}
    const changed = []
    for (const element of document.querySelectorAll(include))
        for (let above = element.parentElement; above; above = above.parentElement)
            if (getComputedStyle(above).overflow === "hidden") {
                changed.push([above, above.getAttribute("style") ?? ""])
                above.style.setProperty("overflow", "clip", "important")
            }
    try {
        const wanted = {runOnly, resultTypes: ["violations"]}  // what passes need not be described
        const {violations} = await axe.run(context, wanted)
        return violations.flatMap(({id, help, nodes}) => nodes.map(({target, failureSummary}) =>
            `${id}: ${help}: ${target.flat().join(" ")}: ` +
            failureSummary.split("\\n").slice(1).map(line => line.trim()).join(" ")))
    } finally {
        for (const [element, style] of changed) element.setAttribute("style", style)
    } }"""

PALE = """include => {
    const seen = [...document.querySelectorAll(include)].filter(one => one.offsetHeight > 0)
    const line = Object.assign(document.createElement("p"), {id: "pale", textContent: "Pale"})
    line.style.color = "color-mix(in srgb, currentColor 20%, transparent)"
    seen.at(-1).append(line) }"""
BELOW = """() => {
    const pale = document.getElementById("pale")
    let below = 0
    for (let above = pale.parentElement; above; above = above.parentElement)
        if (getComputedStyle(above).overflowY === "auto") {
            above.scrollTop = 0
            const end = above.getBoundingClientRect().bottom
            below = Math.max(below, pale.getBoundingClientRect().bottom - end)
        }
    return Math.ceil(below) }"""  # how far the last line lies outside of what scrolls


def missing() -> str:
    """Say what a browser session lacks here, or nothing."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is not installed"
    return "" if executable() else "chromium is not installed"


def executable() -> str | None:
    """Return the path of Chromium, by one of its names."""
    found = map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
    return next(filter(None, found), None)


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serve a folder in JupyterLab; yield the address."""
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary)
        port = free_port()
        config = home / "config/labconfig/page_config.json"
        config.parent.mkdir(parents=True)
        config.write_text(json.dumps(PAGE))
        for name, settings in SETTINGS.items():
            file = home / "settings/@jupyterlab" / f"{name}.jupyterlab-settings"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(settings))
        server = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "jupyterlab",
                "--no-browser",
                "--ip=127.0.0.1",
                f"--port={port}",
                "--allow-root",
                "--IdentityProvider.token=",
                "--expose-app-in-browser",
                f"--ServerApp.root_dir={folder}",
                *SLIDES,
            ],
            env=os.environ
            | {
                "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
                "PATH": _path(),
                "JUPYTERLAB_WORKSPACES_DIR": str(home / "work"),
                "JUPYTER_CONFIG_DIR": str(home / "config"),
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            },
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/api", server)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(30)


@contextmanager
def start_chromium() -> Iterator[Any]:
    """Start Chromium; end it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def open_page(browser: Any, **options: Any) -> Iterator[Any]:
    """Open a page that shares nothing with others; close it."""
    page = browser.new_page(**{"viewport": {"width": 1280, "height": 1000}} | options)
    try:
        yield page
    finally:
        page.close()


@contextmanager
def browse(**options: Any) -> Iterator[Any]:
    """Start Chromium; yield a page."""
    with start_chromium() as browser, open_page(browser, **options) as page:
        yield page


def wait_until_steady(target: Any) -> None:
    """Wait until the pictures of an element have loaded, and nothing in it moves any more."""
    target.evaluate(STEADY)


def violations(
    page: Any, within: str = "html", without: tuple[str, ...] = (), rules: Mapping[str, Any] = WCAG
) -> list[str]:
    """Return what axe finds against WCAG 2.1, A and AA, in a part of a page: a line a node."""
    from axe_playwright_python.base import AXE_SCRIPT

    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return page.evaluate(AXE, [within, list(without), rules])


def violations_in_sight(page: Any, within: str, rules: Mapping[str, Any] = WCAG) -> list[str]:
    """Ask as `violations` does, in a window so high that nothing is scrolled out of sight.

    What lies outside of a part that scrolls has no background for axe. That it looks at all is made
    sure of: it must find a line too pale.
    """
    size = page.viewport_size
    page.evaluate(PALE, within)
    below = page.evaluate(BELOW)
    page.set_viewport_size(size | {"height": size["height"] + below})
    page.wait_for_function(f"({BELOW})() === 0")
    told = violations(page, within, rules=rules)
    page.set_viewport_size(size)
    if below:  # JupyterLab takes its time to shrink: who asks again too soon finds nothing below
        page.wait_for_function(f"({BELOW})() > 0")
    page.evaluate("document.getElementById('pale').remove()")
    found = [line for line in told if "#pale:" in line]
    if len(found) != 1:
        raise RuntimeError(f"axe does not see what stands in {within}")
    return [line for line in told if line not in found]


class Sheet:
    """Drive one open notebook."""

    def __init__(self, page: Any, url: str, name: str):
        self.page = page
        self.errors: list[str] = []
        page.set_default_timeout(180_000)
        page.on("pageerror", lambda error: self.errors.append(f"page: {error}"))
        page.on("console", self.note)
        page.goto(f"{url}/doc/tree/{name}")
        self.wait_for_kernel()

    def wait_for_kernel(self) -> None:
        """Wait until the kernel is there, and has nothing to do."""
        self.page.wait_for_function("""() => {
            const session = window.jupyterapp?.shell.currentWidget?.sessionContext
            return session?.isReady && session.kernelDisplayStatus === "idle" }""")

    def note(self, line: Any) -> None:
        """Keep what the page's console calls an error."""
        if line.type == "error" and not line.text.startswith(NOT_OURS):
            self.errors.append(f"console: {line.text}")

    def command(self, name: str) -> None:
        """Run a command of JupyterLab, say yes to what it asks, and wait until it is done."""
        self.page.evaluate(
            """name => { window.finished = false
            jupyterapp.commands.execute(name).finally(() => { window.finished = true }) }""",
            name,
        )
        if "restart" in name:
            self.page.click(".jp-Dialog .jp-mod-accept")
        self.page.wait_for_function("finished", timeout=600_000)
        self.wait_for_kernel()  # a restart is called done before the kernel answers

    def ask(self, setup: str, expression: str) -> Any:
        """Evaluate an expression in the kernel of the notebook; its value travels as JSON."""
        return json.loads(
            self.page.evaluate(
                """async ([code, answer]) => {
            const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel
            const reply = (await kernel.requestExecute(
                {code, silent: true, user_expressions: {answer}}).done).content
            const found = reply.user_expressions?.answer
            if (found?.status !== "ok") throw new Error(JSON.stringify(found ?? reply))
            return found.data["text/plain"] }""",
                [f"import json\n{setup}", f"json.dumps({expression})"],
            )[1:-1]
            .encode()
            .decode("unicode_escape")
        )

    def tracebacks(self) -> list[str]:
        """Return the errors that the notebook shows."""
        return self.page.locator(
            "[data-mime-type='application/vnd.jupyter.error'], "
            "[data-mime-type='application/vnd.jupyter.stderr']"
        ).all_inner_texts()

    def box(self, target: Any) -> tuple[float, float, float, float]:
        """Return left, top, width and height of an element in sight."""
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        return box["x"], box["y"], box["width"], box["height"]


def _path() -> str:
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(url: str, server: subprocess.Popen[bytes], seconds: float = 300) -> None:
    """Wait until a server answers that has just been started; a busy machine takes its time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(url).close()
            return
        except OSError:
            if server.poll() is not None:
                break
            time.sleep(0.2)
    raise RuntimeError(f"no server answers at {url}: it ended, or did not start in {seconds:.0f} s")
