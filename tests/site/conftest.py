"""One site for all tests of a run, built once, its live pictures with few frames."""

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from coursekit.publish.site import build_pages, server

FRAMES = 6  # of a live picture: enough to see that it moves
PATIENCE = 900  # seconds that another process may take to build


@dataclass(frozen=True)
class Site:
    """Hold a built site: its folder, its pages by kind, and its address once it is served."""

    folder: Path
    kinds: dict[str, str]
    url: str = ""

    def text(self, name: str) -> str:
        """Return a page as it stands in its file."""
        return (self.folder / f"{name}.html").read_text("utf-8")

    def of_kind(self, kind: str) -> list[str]:
        """Return the names of the pages of a kind."""
        return [name for name, one in self.kinds.items() if one == kind]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Site:
    """Build the site; of several processes the first does, and the others wait."""
    base = tmp_path_factory.getbasetemp()
    place = (base if worker_id == "master" else base.parent) / "halfspaces"
    done = place.with_suffix(".json")
    try:
        place.mkdir()
    except FileExistsError:
        deadline = time.monotonic() + PATIENCE
        while not done.exists():
            assert time.monotonic() < deadline, "the process that builds the site has not finished"
            time.sleep(0.5)
    else:
        kinds = {page.name: page.kind for page in build_pages(place, FRAMES)}
        fresh = done.with_suffix(".new")
        fresh.write_text(json.dumps(kinds))
        fresh.replace(done)
    return Site(place, json.loads(done.read_text()))


@pytest.fixture(scope="session")
def served(site: Site) -> Iterator[Site]:
    """Serve the folder above, so that the site stands below an address, as on GitHub Pages."""
    with server(site.folder.parent) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        port = running.server_address[1]
        yield Site(site.folder, site.kinds, f"http://127.0.0.1:{port}/{site.folder.name}")
        running.shutdown()
