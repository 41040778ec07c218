"""The pytest plugin of this project; pyproject.toml names it, so that plain `pytest` is enough."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

from coursekit.isolation import isolate

PICTURE_IN_TEXT = r"data:image/png;base64,[^\"]*"  # its bytes differ from machine to machine
LONGEST = (  # what begins first, in this order
    "tests/site/test_pages.py::test_all_pages_are_there",  # builds the site that others wait for
    "tests/lite/test_library_in_pyodide.py",
    "tests/browser/",
    "tests/site/",
    "tests/lecture/test_lectures.py",
)
SUBJECTS = {  # package: what stays untested without it
    "chromium": "what happens in a browser",
    "bubblewrap": "the sandbox of the grader",
    "coq": "the proofs",
    "configurable-http-proxy": "the hub",
    "nodejs": "the library in a browser's Python",
}


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Keep personal settings away before anything is imported that reads them."""
    isolate()


class WholeNotebooks(LoadScopeScheduling):
    """Deal out the longest notebooks first, then the single tests.

    A notebook's cells share a kernel, so one process must run them all. Marks of pytest-xdist's own
    kind (`--dist loadgroup`) cannot say so: version 3.8 appends the group to `item._nodeid`, which
    pytest 9.2 no longer reads.
    """

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0]
        if path.endswith(("test_solutions.py", "test_views.py")):
            return nodeid.partition("[")[2]  # they share one run of the notebook
        if path.startswith("tests/proofs/"):
            return "proofs"  # they share what Coq has compiled
        if path.startswith("tests/deploy/test_hub.py"):
            return "hub"  # they share one class
        if path.endswith(("test_run_pages.py", "test_formulas.py", "test_formgrader.py")):
            return path  # they share a site, all formulas, a course: each takes long to make
        return path if path.endswith(".ipynb") else nodeid


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest tests first: with short ones at the end no process waits for another."""
    items.sort(key=lambda item: [not item.nodeid.startswith(start) for start in LONGEST])


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> WholeNotebooks:
    """Tell pytest-xdist to use it."""
    return WholeNotebooks(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Compare the pictures of a notebook's cell once nbval has found its text right."""
    if hasattr(item, "test_outputs"):  # only nbval's cells have them
        item.parent.sanitize_patterns[PICTURE_IN_TEXT] = "PICTURE"
    result = yield
    outputs = getattr(item, "test_outputs", None)
    if outputs is not None and item.options["check"] and item.cell.execution_count:
        from coursekit.publish.pictures import differences

        found = differences(item.cell.outputs, outputs)
        if found:
            item.raise_cell_error("Pictures differ", "\n".join(found))
    return result


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in a sentence for each missing program what was not tested."""
    reasons = [report.longrepr[2] for report in terminalreporter.stats.get("skipped", [])]
    for sentence in untested(reasons):
        terminalreporter.write_line(sentence, yellow=True)


def untested(reasons: list[str]) -> list[str]:
    """Return a sentence for each package that tests were skipped for.

    >>> untested(["Skipped: coq is not installed", "Skipped: coq is not installed", "other"])
    ['Not tested: the proofs (2 tests). The package coq would test it.']
    """
    found = (re.search(r"([\w-]+) is not installed\b", reason) for reason in reasons)
    counts = Counter(match[1].lower() for match in found if match)
    sentences = []
    for package, count in counts.items():
        tests = "1 test" if count == 1 else f"{count} tests"
        subject = SUBJECTS.get(package, f"what needs {package}")
        sentences.append(f"Not tested: {subject} ({tests}). The package {package} would test it.")
    return sentences
