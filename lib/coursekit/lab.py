"""Open JupyterLab on the first notebook."""

import json
import os
import sys
from pathlib import Path

from coursekit import ROOT
from coursekit.files import write_if_changed

FIRST = "notebooks/00-start-here.ipynb"
EXTENSIONS = (
    Path(__file__).parent / "lecture" / "labextensions"
)  # what JupyterLab learns from this course: slides


def main(argv: list[str]) -> None:
    """Open the first notebook."""
    open_lab(f"/lab/tree/{FIRST}" if (ROOT / FIRST).exists() else "/lab", argv)


def open_lab(address: str, argv: list[str]) -> None:
    """Start the server in the project's folder; later options win, so the caller's go last."""
    from jupyterlab.labapp import LabApp

    ask_nothing()
    options = [
        f"--ServerApp.root_dir={ROOT}",
        f"--LabApp.default_url={address}",
        f"--LabApp.extra_labextensions_path={EXTENSIONS}",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")  # containers often have no other user
    LabApp.launch_instance(options + argv)


def ask_nothing() -> None:
    """Set beforehand: no questions about news and updates, for the version is locked; Markdown as a page."""
    path = Path(sys.prefix) / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    answers = json.dumps(
        {
            "@jupyterlab/apputils-extension:notification": {
                "fetchNews": "false",
                "checkForUpdates": False,
            },
            "@jupyterlab/docmanager-extension:plugin": {
                "defaultViewers": {"markdown": "Markdown Preview"}
            },
        }
    )
    if not path.parents[1].is_dir() or not os.access(path.parents[1], os.W_OK):
        return
    write_if_changed(path, answers)
