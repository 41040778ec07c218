"""Pages to run: every notebook in JupyterLite, which has Python itself in the browser.

`build_lite` writes them; `run_link` names the page of a notebook. What is downloaded is pinned in
pyodide.json, and `pyodide` fetches it; `wheels` packs what a notebook imports, `contents` the
notebooks; `page/` has what a browser gets besides, `inside/` what its Python gets.
"""

from .build import build_lite, run_link

__all__ = ["build_lite", "run_link"]
