"""Make Python in a browser do what a course expects: read its notebooks, and fetch what is large.

The page's script start.mjs imports this once, before any cell runs.
"""

import importlib
import os
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import halfspaces_page  # of start.mjs

os.environ["HALFSPACES_COURSE"] = str(Path(__file__).parent)


class Later:
    """Find packages that are not here yet, by fetching them at the first import."""

    def __init__(self, names):
        self.names = set(names)

    def find_spec(self, name, path=None, target=None):
        """Unpack the package that is imported for the first time, then look as usual."""
        if name not in self.names:
            return None
        if PathFinder.find_spec(name) is None:  # an import in a cell's text has it fetched before
            halfspaces_page.unpack(name)
            importlib.invalidate_caches()
        self.names.remove(name)
        return PathFinder.find_spec(name)


sys.meta_path.insert(0, Later(halfspaces_page.later))
