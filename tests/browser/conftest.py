"""One JupyterLab for all tests of a process and one browser for those of a file, for they start
slowly; a page for each test."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from coursekit.browser import Sheet, open_page, serve, start_chromium
from playwright.sync_api import expect

expect.set_options(timeout=60_000)  # a busy machine is not a failure


@dataclass(frozen=True)
class Desk:
    """Hold a folder of one's own in a running JupyterLab."""

    url: str
    folder: Path

    def open(self, page: Any, name: str) -> Sheet:
        """Open a notebook of this folder."""
        return Sheet(page, self.url, f"{self.folder.name}/{name}")


@dataclass(frozen=True)
class Lab:
    """Hold a running JupyterLab and the folder that it serves."""

    url: str
    folder: Path

    def desk(self) -> Desk:
        """Make an empty folder that nobody else writes to."""
        return Desk(self.url, Path(tempfile.mkdtemp(prefix="desk", dir=self.folder)))


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Start JupyterLab."""
    folder = tmp_path_factory.mktemp("served")
    with serve(folder) as url:
        yield Lab(url, folder)


@pytest.fixture
def desk(lab: Lab) -> Desk:
    """Give a test its own folder in JupyterLab."""
    return lab.desk()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Start a browser."""
    with start_chromium() as browser:
        yield browser


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """Open a page; end the kernels that it started."""
    with open_page(browser) as page:
        yield page
        page.evaluate("window.jupyterapp?.serviceManager.sessions.shutdownAll()")
