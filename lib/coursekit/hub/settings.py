"""Read what an instructor sets: deploy/hub.toml, or the file that HALFSPACES_HUB names."""

import os
import re
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from coursekit import ROOT

VARIABLE = "HALFSPACES_HUB"
UNITS = {"M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True)
class Limits:
    """What each student gets, and how many servers there are at a time."""

    memory: int  # bytes
    file: int  # bytes of the largest file
    cpus: float
    processes: int  # threads are counted too
    servers: int
    starting: int
    idle_minutes: int
    systemd: bool = False


@dataclass(frozen=True)
class Settings:
    """Where the hub keeps its things, who teaches, and what each student may use."""

    listen: str
    address: str  # where the class finds it, if that is another
    data: Path
    instructors: frozenset[str]
    domains: bool
    limits: Limits


def read_settings(path: Path | None = None) -> Settings:
    """Return the settings; raise ValueError with a sentence if they cannot serve."""
    path = path or Path(os.environ.get(VARIABLE) or ROOT / "deploy" / "hub.toml")
    try:
        about = tomllib.loads(path.read_text("utf-8"))
        return _settings(about, path.parent)
    except OSError as error:
        raise ValueError(f"There are no settings of a hub to read ({error}).") from None
    except (KeyError, TypeError, ValueError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise ValueError(f"{path.name} does not serve: {reason}.") from None


def _settings(about: dict[str, Any], folder: Path) -> Settings:
    _known(about, {field.name for field in fields(Settings)}, "it")
    limits = about["limits"]
    _known(limits, {field.name for field in fields(Limits)}, "[limits]")
    for name in ("cpus", "processes", "servers", "starting", "idle_minutes"):
        if not (isinstance(limits[name], (int, float)) and limits[name] > 0):
            raise ValueError(f"{name} = {limits[name]!r} is no number above 0")
    return Settings(
        listen=str(about["listen"]),
        address=str(about.get("address", "")),
        data=(folder / about["data"]).resolve(),
        instructors=frozenset(about["instructors"]),
        domains=bool(about["domains"]),
        limits=Limits(**limits | {name: _bytes(name, limits[name]) for name in ("memory", "file")}),
    )


def _known(about: dict[str, Any], names: set[str], where: str) -> None:
    odd = about.keys() - names
    if odd:
        raise ValueError(f"{where} has nothing called {', '.join(sorted(odd))}")


def _bytes(name: str, text: Any) -> int:
    """Return how many bytes "512M" or "2G" are."""
    found = re.fullmatch(r"(\d+)([MG])", str(text))
    if not found:
        raise ValueError(f'{name} = {text!r} is no size such as "512M" or "2G"')
    return int(found[1]) * UNITS[found[2]]
