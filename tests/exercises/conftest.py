"""What the tests of the homework share."""

import shutil

import pytest
from coursekit.homework.grading.questions import load
from coursekit.homework.grading.sandbox import Sandbox


@pytest.fixture(scope="session")
def hw00():
    return load("hw00")


@pytest.fixture(scope="session")
def sandbox():
    if not shutil.which("bwrap"):
        pytest.skip("bubblewrap is not installed")
    with Sandbox() as sandbox:
        yield sandbox
