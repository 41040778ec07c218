"""The proofs, compiled once for all tests of this folder."""

import pytest

from coursekit import proofs


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """Return a folder with the compiled proofs; without Coq, skip."""
    if proofs.missing():
        pytest.skip(proofs.missing())
    folder = tmp_path_factory.mktemp("proofs")
    for _ in proofs.compile_all(folder):
        pass
    return folder
