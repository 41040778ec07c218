"""Open JupyterLab on the first notebook."""

import json
import os
import sys
from pathlib import Path

from coursekit import ROOT
from coursekit.files import write_if_changed

FIRST = "notebooks/00-start-here.ipynb"
EXTENSIONS = Path(__file__).parent / "lecture" / "labextensions"
SLIDES = [  # options by which JupyterLab learns to show slides: in the browser, and in the server
    f"--LabApp.extra_labextensions_path={EXTENSIONS}",
    "--ServerApp.jpserver_extensions=coursekit.lecture.extension=True",
]
SETTINGS = {
    # No questions about news and updates, since the version is locked.
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
    },
    "@jupyterlab/docmanager-extension:plugin": {"defaultViewers": {"markdown": "Markdown Preview"}},
}


def open_first(options: list[str]) -> None:
    """Open the first notebook."""
    open_lab(f"/lab/tree/{FIRST}" if (ROOT / FIRST).exists() else "/lab", options)


def open_lab(address: str, options: list[str]) -> None:
    """Start the server in the project's folder, with options of jupyter lab."""
    from jupyterlab.labapp import LabApp

    preset()
    ours = [
        f"--ServerApp.root_dir={ROOT}",
        f"--LabApp.default_url={address}",
        *SLIDES,
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        ours.append("--allow-root")  # containers often have no other user
    LabApp.launch_instance(ours + options)  # later options win


def preset() -> None:
    """Set beforehand what nobody should be asked, in this environment, if it can be written to."""
    lab = Path(sys.prefix) / "share" / "jupyter" / "lab"
    if lab.is_dir() and os.access(lab, os.W_OK):
        write_if_changed(lab / "settings" / "overrides.json", json.dumps(SETTINGS))
