"""Settings for all tests."""

import sys

import matplotlib
import pytest
from coursekit.browser import missing
from hypothesis import settings

matplotlib.use("agg")  # not by MPLBACKEND, which the kernels of the notebooks would inherit

FEW = {"max_examples": 5} if sys.platform == "emscripten" else {}  # where Python is slow
settings.register_profile("course", deadline=None, **FEW)  # a busy machine is not a failure
settings.load_profile("course")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what drives a browser where there is none."""
    if item.get_closest_marker("browser") and missing():
        pytest.skip(missing())
