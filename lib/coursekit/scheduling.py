"""A pytest plugin: a notebook's cells share a kernel, so one process must run them all."""

from xdist.scheduler import LoadScopeScheduling


class WholeNotebooks(LoadScopeScheduling):
    """Deal out the longest notebooks first, then the single tests."""

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0]
        if path.endswith(("test_solutions.py", "test_views.py")):
            return nodeid.partition("[")[2]  # they share one run of the notebook
        if path.startswith("tests/proofs/"):
            return "proofs"  # they share what Coq has compiled
        return path if path.endswith(".ipynb") else nodeid


def pytest_xdist_make_scheduler(config, log) -> WholeNotebooks:
    """Tell pytest-xdist to use it."""
    return WholeNotebooks(config, log)
