"""Pages to run: every notebook in JupyterLite, which has Python itself in the browser.

`build_lite` writes them; `run_link` names the page of a notebook. What is downloaded is pinned in
pyodide.json; `pyodide` fetches it, `wheels` packs what a notebook imports, `contents` the notebooks,
and `page/` has what a browser gets besides.
"""

from .build import build_lite, run_link

__all__ = ["build_lite", "run_link"]
