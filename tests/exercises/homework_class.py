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
    "proof1": "The distance of $x$ is $|\\langle w, x\\rangle - b|/\\lVert w\\rVert = 0$, "
    "for $a<b$ & $b>a$.",
}
RUN = "window.alive=1"
ELSEWHERE = "https://elsewhere.invalid"
ALIVE = {  # Markdown that does something in a browser if it is shown as it stands
    "script": f"<script>{RUN}</script> onerror",
    "handler": f'<img src=x onerror="{RUN}"> and <svg/onload={RUN}> and '
    f"<details open ontoggle={RUN}>",
    "link": f"[onerror](javascript:{RUN}) <a href=javascript:{RUN}>b</a> <javascript:{RUN}> "
    f"[c][d]\n\n[d]: javascript:{RUN}",
    "picture": f"![onerror]({ELSEWHERE}/a.png) ![e][f]\n\n[f]: {ELSEWHERE}/b.png",
    "attachment": "![onerror](attachment:none.png)",
    "mathematics": f"$\\href{{javascript:{RUN}}}{{onerror}}$ "
    "$$\\style{background:url(//elsewhere.invalid/c)}{x}$$ "
    f"$\\\\href{{javascript:{RUN}}}{{x}}$ $\\mmlToken{{mi}}[href=javascript:{RUN}]{{x}}$ "
    f"$<img src=x onerror={RUN}>$ \\begin{{align}}<img src=x onerror={RUN}>\\end{{align}}",
    "fence": f"```mermaid\n<img src=x onerror={RUN}>\n```\n\n~~~ mermaid\ngraph LR\n~~~\n\n"
    "`` ` <b onerror>``",
    "heading": f"# <img src=x onerror={RUN}>\n\n## &#60;img src=x onerror={RUN}&#62;\n\n"
    f"> - <script>{RUN}</script>",
    "frame": "<iframe src=//elsewhere.invalid/d></iframe><style>body{display:none}</style>"
    "<form action=//x> onerror",
    "comment": f"<!-- --><script>{RUN}</script> onerror <![CDATA[x]]> <?php ?> "
    f"<\x00script>{RUN}</script>",
}


def submission(source: Path = SOURCE, **answers: str | None) -> dict:
    """Return a release that was answered; an answer that is None was deleted."""
    book = json.loads(nbformat.writes(blank("hw00", source)))
    texts = MODEL | answers
    ids = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in book["cells"]]
    book["cells"] = [
        cell | ({"source": texts[id]} if id in texts else {})
        for id, cell in zip(ids, book["cells"])
        if texts.get(id, "") is not None
    ]
    return book


def with_everything_alive() -> dict:
    return submission(
        proof1="\n\n".join(text for kind, text in ALIVE.items() if kind != "attachment")
    )


def with_code_alive() -> dict:
    return submission(
        q1=f"'''<script>{RUN}</script>'''\n"
        f"def count_mistakes(y, labels):\n    return '<img src=x onerror={RUN}>'",
        q2="def my_point():\n"
        f"    raise ValueError('[onerror](javascript:{RUN}) <script>{RUN}</script>')",
    )


STUDENTS: dict[str, Callable[[], dict]] = {
    "student-01": submission,
    "student-02": lambda: submission(q1="def count_mistakes(y, labels):\n    return 1"),
    "alive-all": with_everything_alive,
    # an attachment stops formgrader from showing the page
    "alive-attachment": lambda: submission(proof1=ALIVE["attachment"]),
    "alive-code": with_code_alive,
    "alive-large": lambda: submission(
        proof1="onerror $\\rule{9999em}{9999em}$ $x\\hspace{9999em}y$ "
        "$\\begin{matrix}" + "1\\\\" * 300 + "\\end{matrix}$ https://elsewhere.invalid"
    ),
    "alive-long": lambda: submission(proof1="onerror " + "[" * 90_000),
}


def make_course(course: Path, students: dict[str, Callable[[], dict]]) -> Path:
    """Make the folder `exercises` of a course, with the trial homework and submissions."""
    shutil.copytree(SOURCE / "hw00", course / "source" / "hw00")
    shutil.copy(ROOT / "exercises" / "nbgrader_config.py", course)
    (course.parent / "course.py").touch()
    (course.parent / "notebooks").mkdir()
    for student, make in students.items():
        hand_in(course, student, signed(make(), student))
    return course


def signed(book: dict, student: str) -> bytes:
    """Return a notebook into which its student has written an id."""
    name = json.dumps(json.dumps(student, ensure_ascii=False))[1:-1]
    return json.dumps(book).replace(json.dumps('"your id"')[1:-1], name).encode()


def hand_in(course: Path, student: str, data: bytes) -> Path:
    """Write a submission where nbgrader has it, in place of any before."""
    path = course / "submitted" / student / "hw00" / "hw00.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def command(*args: str) -> list[str]:
    """Return the command line that grades the trial homework."""
    return [sys.executable, "-m", "coursekit", "grade", "hw00", *args]


def environment(course: Path) -> dict[str, str]:
    """Return what makes the command work on a course other than this one."""
    path = os.pathsep.join(filter(None, sys.path))
    return os.environ | {"PYTHONPATH": path, "HALFSPACES_COURSE": str(course.parent)}


def grade(course: Path, *args: str) -> subprocess.CompletedProcess:
    """Grade the trial homework in a process of its own; ours may run without a sandbox."""
    own = ["--own-files"] if missing() else []
    return subprocess.run(
        command(*args, *own),
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(course),
        timeout=540,
    )
