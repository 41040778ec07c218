"""The proofs, compiled once for all tests of this folder, by the command itself."""

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

import pytest

from coursekit import proofs


@pytest.fixture(scope="session")
def answer(tmp_path_factory):
    """Return the exit code of the command, what it printed, its progress, and where it worked."""
    if proofs.missing():
        pytest.skip(proofs.missing())
    folder = tmp_path_factory.mktemp("proofs")
    with redirect_stdout(StringIO()) as table, redirect_stderr(StringIO()) as progress:
        code = proofs.main([], folder=folder)
    return code, table.getvalue(), progress.getvalue(), folder


@pytest.fixture(scope="session")
def compiled(answer):
    """Return the folder with the compiled proofs."""
    return answer[3]
