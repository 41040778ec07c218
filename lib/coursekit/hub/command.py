"""Start the hub, and let a class in."""

import csv
import os
import shutil
import sys
from pathlib import Path

from coursekit import ROOT
from coursekit.contents import EXERCISES
from coursekit.homework.platforms.roster import read_roster

from .accounts import invite
from .places import find_places
from .settings import read_settings
from .walls import missing

DEPLOY = ROOT / "deploy"
CONFIGURATION = DEPLOY / "jupyterhub_config.py"
PROXY = "configurable-http-proxy"


def find_proxy() -> str | None:
    """Return the path of the proxy: the one that is locked here, or one of the system's."""
    own = DEPLOY / "node_modules" / ".bin" / PROXY
    return str(own) if own.exists() else shutil.which(PROXY)


def serve(options: list[str]) -> int:
    """Start the hub in place of this process; say in a sentence what it lacks."""
    try:
        data = read_settings().data
        fault = missing(data)
        if not fault:
            find_places(data, EXERCISES).prepare()
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    if not fault and not find_proxy():
        fault = (
            f"{PROXY} is not installed: npm ci --prefix deploy does that, with Node 20 or newer."
        )
    if fault:
        print(fault, file=sys.stderr)
        return 2
    words = [sys.executable, "-m", "jupyterhub", f"--config={CONFIGURATION}", *options]
    os.execv(sys.executable, words)


def invite_class(roster: Path) -> int:
    """Print a fresh password for everybody in a roster who has none yet."""
    try:
        settings = read_settings()
        places = find_places(settings.data, EXERCISES)
        places.prepare()
        names = [row["id"] for row in read_roster(roster).rows]
        fresh = invite(places, [*names, *sorted(settings.instructors - set(names))])
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    csv.writer(sys.stdout).writerows([("id", "password"), *fresh.items()])
    print(f"{len(fresh)} can log in from now on; the others could before.", file=sys.stderr)
    return 0
