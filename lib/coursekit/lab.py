"""Open JupyterLab on the reader's own copy of a notebook."""

import json
import os
import sys
from importlib import import_module
from pathlib import Path

from coursekit import ROOT
from coursekit.files import write_if_changed

FIRST = "00-start-here.ipynb"
PROGRESS = "HALFSPACES_PROGRESS"  # names the file where halfspaces keeps what a reader has done
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


def open_copy(path: Path | None, options: list[str]) -> None:
    """Open the reader's copy of a notebook, or of the first one, and say what is done and due."""
    import_module("jupyterlab")  # if it is missing, that is all there is to say
    os.environ.setdefault(PROGRESS, str(ROOT / "progress.json"))
    show_progress()
    name = path.name if path else FIRST
    folder = study_folder()
    there = (ROOT / folder / name).exists()
    open_lab(f"/lab/tree/{folder}/{name}" if there else "/lab", options)


def study_folder() -> str:
    """Make the copies that are missing; return the name of the folder to work in."""
    from coursekit.study import FOLDER, make_copies

    try:
        make_copies()
        return FOLDER.name
    except OSError as error:
        print(
            f"Your own copies cannot be written ({error}): these are the course's notebooks, with "
            "their outputs.",
            file=sys.stderr,
        )
        return "notebooks"


def show_progress() -> None:
    """Print the map of the course."""
    from halfspaces.notebook.progress import Map
    from halfspaces.notebook.reading import read_course

    print(Map(read_course(ROOT)), file=sys.stderr)


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
