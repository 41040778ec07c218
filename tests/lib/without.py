"""Marks for tests of what Python in a browser is without."""

import sys

import pytest

IN_A_BROWSER = sys.platform == "emscripten"
NO_PROCESSES = pytest.mark.skipif(IN_A_BROWSER, reason="a browser has no processes")
NO_THREADS = pytest.mark.skipif(IN_A_BROWSER, reason="a browser's Python has no threads")
