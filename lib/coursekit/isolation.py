"""An environment that no personal setting reaches: notebooks give the same output everywhere."""

import os
import sys
from pathlib import Path

from coursekit.files import write_if_changed


def isolate() -> None:
    """Keep the user's settings from Jupyter, IPython and matplotlib, also in child processes.

    What the reader has done is left out, too.
    """
    home = Path(sys.prefix, "var", "isolated")
    profile = home / "ipython" / "profile_default"
    # Two kernels at once would lock each other out of one history file.
    write_if_changed(
        profile / "ipython_config.py",
        'c = get_config()\nc.HistoryManager.hist_file = ":memory:"\n',
    )
    for name in ("MPLBACKEND", "MATPLOTLIBRC", "JUPYTER_PATH", "JUPYTER_CONFIG_PATH"):
        os.environ.pop(name, None)
    os.environ.update(
        IPYTHONDIR=str(home / "ipython"),
        JUPYTER_CONFIG_DIR=str(home / "jupyter"),
        JUPYTER_DATA_DIR=str(home / "jupyter"),
        MPLCONFIGDIR=str(home / "matplotlib"),
        HALFSPACES_PROGRESS="",  # what a reader has done changes what is shown
    )
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")  # one process for each core already
