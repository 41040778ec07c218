"""One site for all tests of the pages to run; it is built with Pyodide in it, or not at all."""

from pathlib import Path

import pytest
from coursekit.publish.lite import build_lite
from coursekit.publish.lite.pyodide import NotToBeHadError, fetch


@pytest.fixture(scope="session")
def pyodide() -> Path:
    """Return the folder of Pyodide's files."""
    try:
        return fetch()
    except NotToBeHadError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def site(pyodide: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the pages."""
    folder = tmp_path_factory.mktemp("lite") / "run"
    build_lite(folder, offline=True)
    return folder
