"""Open JupyterLab on the first notebook."""

import os

from coursekit import ROOT
from coursekit.browser import Sheet, browse, missing, serve  # noqa: F401

FIRST = "notebooks/00-start-here.ipynb"


def main(argv: list[str]) -> None:
    """Start the server in the project's folder; later options win, so the caller's go last."""
    from jupyterlab.labapp import LabApp

    options = [
        f"--ServerApp.root_dir={ROOT}",
        f"--LabApp.default_url=/lab/tree/{FIRST}" if (ROOT / FIRST).exists() else "--LabApp.default_url=/lab",
        # JupyterLab's version is locked: no questions about news or updates over the first notebook.
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")  # containers often have no other user
    LabApp.launch_instance(options + argv)
