"""Projects and packages to try course.py on."""

import base64
import hashlib
import zipfile
from pathlib import Path

import pytest
from small_project import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a project in a folder with a space and a letter outside ASCII in its path."""
    return Project(tmp_path / "ä b" / "course")


@pytest.fixture
def sample_wheel(tmp_path: Path) -> tuple[Path, str]:
    """Return a folder with a wheel of one module, and the line that locks it."""
    files = {
        "sample.py": "ANSWER = 42\n",
        "sample-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: sample\nVersion: 1.0\n",
        "sample-1.0.dist-info/WHEEL": (
            "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        ),
    }
    digests = {
        name: base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
        for name, text in files.items()
    }
    record = [f"{name},sha256={digests[name]},{len(text)}" for name, text in files.items()]
    files["sample-1.0.dist-info/RECORD"] = "\n".join([*record, "sample-1.0.dist-info/RECORD,,", ""])
    wheel = tmp_path / "wheels" / "sample-1.0-py3-none-any.whl"
    wheel.parent.mkdir()
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return (
        wheel.parent,
        f"sample==1.0 --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n",
    )
