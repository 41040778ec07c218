"""The proofs, compiled once for all tests of this folder."""

import pytest
from coursekit import proofs


@pytest.fixture(scope="session")
def checked(tmp_path_factory):
    """Return what each theorem rests on, what is wrong, the lines of progress, and the folder."""
    if proofs.missing():
        pytest.skip(proofs.missing())
    folder, progress = tmp_path_factory.mktemp("proofs"), []
    answers, faults = proofs.check(folder, proofs.SOURCE, progress.append)
    return answers, faults, progress, folder


@pytest.fixture(scope="session")
def compiled(checked):
    """Return the folder with the compiled proofs."""
    return checked[3]
