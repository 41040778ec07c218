"""A small copy of the project, with commands that only tell what they were given."""

import importlib.util
import json
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TELL = """\
import json, os, sys
told = {"args": sys.argv[1:], "cwd": os.getcwd(), "python": sys.prefix, "here": __file__}
print(json.dumps(told))
sys.exit(3 if "fail" in sys.argv else 0)
"""


def load_course(path: Path):
    """Import a copy of course.py as a module."""
    spec = importlib.util.spec_from_file_location("course", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Project:
    """A folder with course.py in it, and what it has to find there."""

    def __init__(self, folder: Path):
        self.folder = folder
        for name in ("requirements", "lib/coursekit"):
            (folder / name).mkdir(parents=True)
        (folder / "course.py").write_bytes((ROOT / "course.py").read_bytes())
        (folder / "lib/coursekit/__init__.py").touch()
        (folder / "lib/coursekit/__main__.py").write_text(TELL)
        self.lock("")

    @property
    def course(self):
        """The copy of course.py as a module."""
        return load_course(self.folder / "course.py")

    def lock(self, text: str) -> None:
        """Write the same lock for all groups."""
        for group in ("student", "instructor", "dev"):
            (self.folder / "requirements" / f"{group}.txt").write_text(text)

    def fake_set_up(self) -> None:
        """Do what set_up does, without pip."""
        course = self.course
        venv.create(course.VENV, symlinks=os.name != "nt")
        (course.SITE / "course.pth").write_text(os.path.relpath(self.folder / "lib", course.SITE))
        course.STAMP.write_text(json.dumps(course.wanted("dev")))

    def start(self, *args: str, cwd: Path | None = None, **env: str) -> subprocess.Popen:
        """Start course.py in a process of its own."""
        env = os.environ | {"PIP_CONFIG_FILE": os.devnull} | env
        return subprocess.Popen(
            [sys.executable, str(self.folder / "course.py"), *args],
            cwd=cwd,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def call(self, *args: str, **options) -> subprocess.CompletedProcess:
        """Run course.py to its end."""
        process = self.start(*args, **options)
        out, err = process.communicate(timeout=300)
        assert "Traceback" not in err, err
        return subprocess.CompletedProcess(args, process.returncode, out, err)
