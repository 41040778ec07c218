"""Hostile submissions get the marks they deserve, and do nothing to the machine or to others."""

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from coursekit import ROOT
from coursekit.homework.grading.grader import grade
from coursekit.homework.grading.inside.limits import Limits
from coursekit.homework.grading.records import State
from hostile import ACT, ACTS, ANSWERS, GOOD, INSIDE_ACTS, SLOW
from trial import SECRET, as_bytes, notebook

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the sandbox is Linux's"
)
LIMITS = Limits(cell=1.2, call=0.8, total=9)
FORBIDDEN_IN_CONTAINERS = {
    "makes a user namespace",
    "clones into a user namespace",
    "traces",
    "adds a key",
}
EVERYTHING = [*ACTS, *INSIDE_ACTS, *ANSWERS, *SLOW]


@pytest.fixture(scope="module")
def around(tmp_path_factory):
    """Lay out what an attack is after: files, listeners, a variable of the environment."""
    folder = tmp_path_factory.mktemp("around")
    other = folder / "student-02.ipynb"
    other.write_text("the work of another")
    listeners = [
        socket.create_server(("127.0.0.1", 0)),
        socket.socket(socket.AF_UNIX),
        socket.socket(socket.AF_UNIX),
    ]
    abstract, file = f"canary-{os.getpid()}", os.path.relpath(folder / "s")
    listeners[1].bind("\0" + abstract)
    listeners[2].bind(file)
    heard = []

    def hear(listener):
        while True:
            try:
                listener.accept()[0].close()
                heard.append(listener)
            except OSError:
                return

    for listener in listeners:
        listener.listen()
        threading.Thread(target=hear, args=(listener,), daemon=True).start()
    source = ROOT / "exercises" / "source" / "hw00"
    yield {
        "folder": folder,
        "other": str(other),
        "heard": heard,
        "port": listeners[0].getsockname()[1],
        "abstract": abstract,
        "file": str(folder / "s"),
        "course": str(ROOT),
        "grading": str(source / "grading.py"),
        "source": str(source / "hw00.ipynb"),
    }
    for listener in listeners:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def cell(name, around):
    """Return the q1 of an attack, and the marks of q1 and q2 that it deserves."""
    if name in ANSWERS or name in SLOW:
        return (ANSWERS | SLOW)[name]
    return ACT.format(act=(ACTS | INSIDE_ACTS)[name].format(**around)), 2, 2


def marks(homework, sandbox, book, student="student-01", limits=LIMITS):
    record = grade(homework, as_bytes(book), student, SECRET, sandbox, limits)
    assert record.state is State.GRADED, record
    points = [found.points for found in record.marks.values()]
    assert sum(points) == record.points
    return points, record


def processes(sandbox):
    """Return the processes of the sandbox, as the machine sees them."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text(errors="replace")  # a process may call itself anything
            parents[int(path.parent.name)] = int(text.rpartition(")")[2].split()[1])
        except OSError:
            continue
    family = {sandbox.process.pid}
    while more := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= more
    return family - {sandbox.process.pid}


def state(around, sandbox):
    """Return what must be as before: files, who has called, processes, and files of the course."""
    sandbox.end_child()
    files = {
        path.name: path.read_bytes() if path.is_file() else b""
        for path in around["folder"].iterdir()
    }
    course = {
        path: path.stat().st_mtime_ns
        for path in (ROOT / "exercises" / "source" / "hw00").rglob("*")
    }
    return files, len(around["heard"]), processes(sandbox), course


@pytest.mark.parametrize("name", EVERYTHING)
def test_hostile_answers(name, hw00, sandbox, around, monkeypatch):
    monkeypatch.setenv("CANARY", "1")
    before = state(around, sandbox)
    code, q1, q2 = cell(name, around)
    got, record = marks(hw00, sandbox, notebook(q1=code))
    assert got == [q1, q2], sentences(record)
    assert marks(hw00, sandbox, notebook(q1=GOOD), "student-02", Limits())[0] == [2, 2]
    assert state(around, sandbox) == before
    assert all(
        text.isprintable() and len(text) < 600 and SECRET not in text for text in sentences(record)
    )


def sentences(record):
    return [
        *record.notes,
        *(reason for found in record.marks.values() for reason in found.reasons),
    ]


@pytest.mark.parametrize("name", ACTS)
def test_the_acts_succeed_without_a_sandbox(name, around, tmp_path):
    """An attack that fails by a slip of its own would prove nothing."""
    shutil.copy(around["other"], tmp_path / "other.ipynb")
    code = (
        cell(name, around | {"other": str(tmp_path / "other.ipynb")})[0]
        + "\nprint('won' if won else 'lost')"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "CANARY": "1"},
        cwd=tmp_path,
        timeout=30,
        capture_output=True,
        text=True,
    )
    if name in FORBIDDEN_IN_CONTAINERS and run.stdout == "lost\n":
        pytest.skip("this machine forbids it to everybody")
    assert run.stdout == "won\n", run.stderr


def test_what_one_student_leaves_no_other_finds(hw00, sandbox):
    places = [
        "/tmp/left",
        "/dev/shm/left",
        "/tmp/sitecustomize.py",
        "/var/tmp/left",
        "/course/left",
    ]
    plant = f"""
for p in {places}:
    try:
        open(p, 'w').write('x = 1')
    except OSError:
        pass
{GOOD}
import sys
sys.mark = 1
"""
    seek = f"""
import os, sys
left = [p for p in {places} if os.path.exists(p)]
if 'mark' in dir(sys):
    left.append('mark')
def count_mistakes(y, labels):
    return left
"""
    assert marks(hw00, sandbox, notebook(q1=plant))[0] == [2, 2]
    record = marks(hw00, sandbox, notebook(q1=seek), "student-02")[1]
    assert "returns []" in record.marks["q1"].reasons[0]


@pytest.mark.parametrize(
    "hides",
    [
        "libc.prctl(15, b'\\xff', 0, 0, 0); fill()",
        "threading.Thread(target=fill).start()\n"
        "libc.syscall({'x86_64': 60}.get(os.uname().machine, 93), 0)",
    ],
)
def test_no_process_hides_its_memory(hides):
    """Neither by a name that is no text nor by the end of its first thread."""
    from coursekit.homework.grading.inside.jail import memory_of  # which only Linux can import

    code = (
        "import ctypes, os, sys, threading\nlibc = ctypes.CDLL(None)\n"
        "def fill():\n    kept = b'x' * (50 << 20)\n"
        f"    os.write(1, b'.')\n    os.read(0, 1)\n{hides}"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout.read(1) == b"." and memory_of(process.pid) > 50 << 20
        finally:
            process.kill()


def tamper_points(book):
    for cell in book["cells"]:
        if about := cell["metadata"].get("nbgrader"):
            about.update(points=100, grade=True, locked=False)


def tamper_checks(book):
    for cell in book["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id", "").endswith("-check"):
            cell.update(
                source="assert True", metadata={**cell["metadata"], "tags": ["skip-execution"]}
            )


def tamper_given(book):
    for cell in book["cells"]:
        if "given" in cell["metadata"].get("tags", ()):
            cell["source"] = "w, b = [1, 1], 0\nSTUDENT = 'student-02'\ncheck = mine = print"


def tamper_ids(book):
    answers = [
        cell
        for cell in book["cells"]
        if cell["metadata"].get("nbgrader", {}).get("grade_id") in ("q1", "q2")
    ]
    for cell, id in zip(answers, ("q2", "q1")):
        cell["metadata"]["nbgrader"]["grade_id"] = id


def tamper_id(book):
    for cell in book["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "q1":
            cell["metadata"]["nbgrader"]["grade_id"] = "q1-check"


def add_cells(book):
    extra = {
        "cell_type": "code",
        "source": "import os; os._exit(1)",
        "metadata": {"tags": ["given"]},
        "outputs": [],
    }
    book["cells"] = [extra, *book["cells"], extra]


def double_cell(book):
    copies = [
        cell
        for cell in book["cells"]
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "q1"
    ]
    book["cells"] += [{**copies[0], "source": "def count_mistakes(y, labels):\n    return 7"}]


def add_outputs(book):
    for cell in book["cells"]:
        cell["outputs"] = [
            {"output_type": "display_data", "data": {"text/html": "<script>alert(1)</script>"}}
        ]


@pytest.mark.parametrize(
    "tamper",
    [
        tamper_points,
        tamper_checks,
        tamper_given,
        tamper_ids,
        tamper_id,
        add_cells,
        double_cell,
        add_outputs,
    ],
)
def test_tampered_notebooks(tamper, hw00, sandbox):
    """Only answers count, by the instructor's ids, whatever else a notebook says."""
    book = notebook(q1="def count_mistakes(y, labels):\n    return 7")
    tamper(book)
    got, record = marks(hw00, sandbox, book)
    assert (got, record.of) == ([0, 2], 4)
    book = notebook()
    tamper(book)
    assert marks(hw00, sandbox, book)[0] == (
        [0, 2] if tamper in (double_cell, tamper_id) else [2, 2]
    )


def test_reasons_give_neither_code_nor_secret_away(hw00, sandbox):
    record = marks(hw00, sandbox, notebook(q1="def count_mistakes(y, labels):\n    return 7"))[1]
    text = " ".join(sentences(record))
    assert re.search(
        r"that differ \(1 of 2 points lost\): count_mistakes\(.*\) returns 7, which is not right",
        text,
    )
    assert not any(
        word in text for word in ("zip", "lambda", "expected", "Traceback", "draw_labels")
    )


def test_the_suite_is_large_enough():
    assert len(EVERYTHING) >= 40
