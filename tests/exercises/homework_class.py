"""A class that hands in the trial homework: right, wrong, odd, broken and malicious."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
from coursekit import ROOT
from coursekit.homework.grading.copies import blank
from coursekit.homework.grading.questions import SOURCE
from coursekit.homework.grading.sandbox import missing

MODEL = {
    "q1": "def count_mistakes(y, labels):\n    return sum(a != b for a, b in zip(y, labels))",
    "q2": "def my_point():\n    return 0, Fraction(b, w[1])",
    "proof1": "The distance of $x$ is $|\\langle w, x\\rangle - b|/\\lVert w\\rVert = 0$, for $a<b$ & $b>a$.",
}
RUN = "window.alive=1"
ALIVE = {  # Markdown that does something in a browser if it is shown as it stands
    "script": f"<script>{RUN}</script> onerror",
    "handler": f'<img src=x onerror="{RUN}"> and <svg/onload={RUN}> and <details open ontoggle={RUN}>',
    "link": f"[onerror](javascript:{RUN}) <a href=javascript:{RUN}>b</a> <javascript:{RUN}> [c][d]\n\n"
    f"[d]: javascript:{RUN}",
    "picture": "![onerror](https://elsewhere.invalid/a.png) ![e][f]\n\n[f]: https://elsewhere.invalid/b.png",
    "attachment": "![onerror](attachment:none.png)",
    "mathematics": f"$\\href{{javascript:{RUN}}}{{onerror}}$ $$\\style{{background:url(//elsewhere.invalid/c)}}{{x}}$$ "
    f"$\\\\href{{javascript:{RUN}}}{{x}}$ $\\mmlToken{{mi}}[href=javascript:{RUN}]{{x}}$ "
    f"$<img src=x onerror={RUN}>$ \\begin{{align}}<img src=x onerror={RUN}>\\end{{align}}",
    "fence": f"```mermaid\n<img src=x onerror={RUN}>\n```\n\n~~~ mermaid\ngraph LR\n~~~\n\n`` ` <b onerror>``",
    "heading": f"# <img src=x onerror={RUN}>\n\n## &#60;img src=x onerror={RUN}&#62;\n\n> - <script>{RUN}</script>",
    "frame": "<iframe src=//elsewhere.invalid/d></iframe><style>body{display:none}</style><form action=//x> onerror",
    "comment": f"<!-- --><script>{RUN}</script> onerror <![CDATA[x]]> <?php ?> <\x00script>{RUN}</script>",
}


def submission(source: Path = SOURCE, **answers: str | None) -> dict:
    """Return a notebook that was taken from the release and answered; an answer that is None was deleted."""
    book = json.loads(nbformat.writes(blank("hw00", source)))
    texts = MODEL | answers
    ids = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in book["cells"]]
    book["cells"] = [
        cell | ({"source": texts[id]} if id in texts else {})
        for id, cell in zip(ids, book["cells"])
        if texts.get(id, "") is not None
    ]
    return book


STUDENTS: dict[str, Callable[[], dict]] = {
    "student-01": submission,
    "student-02": lambda: submission(q1="def count_mistakes(y, labels):\n    return 1"),
    "alive-all": lambda: submission(
        proof1="\n\n".join(text for kind, text in ALIVE.items() if kind != "attachment")
    ),
    "alive-attachment": lambda: submission(
        proof1=ALIVE["attachment"]
    ),  # which stops formgrader from showing the page
    "alive-code": lambda: submission(
        q1=f"'''<script>{RUN}</script>'''\ndef count_mistakes(y, labels):\n    return '<img src=x onerror={RUN}>'",
        q2=f"def my_point():\n    raise ValueError('[onerror](javascript:{RUN}) <script>{RUN}</script>')",
    ),
}


def make_course(course: Path, students: dict[str, Callable[[], dict]]) -> Path:
    """Make a course folder with the trial homework, and submissions in nbgrader's layout."""
    shutil.copytree(SOURCE / "hw00", course / "source" / "hw00")
    shutil.copy(ROOT / "exercises" / "nbgrader_config.py", course)
    for student, make in students.items():
        hand_in(course, student, json.dumps(make()).encode())
    return course


def hand_in(course: Path, student: str, data: bytes) -> Path:
    """Write a submission where nbgrader has it, in place of any before."""
    path = course / "submitted" / student / "hw00" / "hw00.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


GRADE = """import sys
from pathlib import Path
from coursekit import cli, contents
contents.EXERCISES = Path(sys.argv[1]).absolute()
sys.exit(cli.main(["grade", *sys.argv[2:]]))"""


def command(course: Path, *args: str) -> list[str]:
    """Return the command line that grades a course other than this one."""
    return [sys.executable, "-c", GRADE, str(course), *args]


def grade(course: Path, *args: str) -> subprocess.CompletedProcess:
    """Grade the trial homework, in a process of its own; these files are ours, so they may run without a sandbox."""
    path = os.pathsep.join(filter(None, sys.path))
    own = ["--own-files"] if missing() else []
    return subprocess.run(
        command(course, "hw00", *args, *own),
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": path},
        timeout=240,
    )
