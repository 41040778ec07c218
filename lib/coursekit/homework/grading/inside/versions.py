"""The versions of what computes an answer; run as a program, it prints those of its interpreter."""

import json
import platform
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version


@lru_cache
def versions() -> dict[str, str]:
    """Return the versions of Python, numpy and scipy as this interpreter finds them."""
    found = {"python": platform.python_version()}
    for name in ("numpy", "scipy"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "none"
    return found


if __name__ == "__main__":
    print(json.dumps(versions()))
