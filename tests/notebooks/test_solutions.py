"""The checks of the exercises: the stub is still missing, the folded solution is correct."""

import pytest
from coursekit.contents import NOTEBOOKS
from notebook_runs import run


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_solutions_are_correct_and_stubs_are_missing(path):
    assert_checks(run(path).checks)


def assert_checks(checks):
    assert {number: stub.rung for number, (stub, _) in checks.items()} == dict.fromkeys(
        checks, "missing"
    )
    assert {
        number: repr(solved) for number, (_, solved) in checks.items() if solved.rung != "correct"
    } == {}
