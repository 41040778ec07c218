"""Grading many: resumable after any death, stopped by none, refused without a sandbox."""

import ast
import json
import os
import platform
import shutil
import signal
import stat
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy
from coursekit import ROOT
from coursekit.homework.grading import grader, presence, sandbox
from coursekit.homework.grading import sandbox as sandbox_module
from coursekit.homework.grading.grader import (
    Setting,
    grade,
    grade_all,
    grade_and_file,
    look_up,
    read_secret,
)
from coursekit.homework.grading.inside import limits
from coursekit.homework.grading.inside.limits import Limits
from coursekit.homework.grading.marking import Failure, FailureKind, mark
from coursekit.homework.grading.questions import SOURCE, load, trusted
from coursekit.homework.grading.records import Mark, Record, State, digest_of
from coursekit.homework.grading.sandbox import NoSandboxError, Sandbox
from coursekit.homework.grading.session import Sandboxed, Unprotected
from coursekit.homework.grading.submission import find
from trial import BOOK, SECRET, as_bytes, hand_in, notebook

needs_bubblewrap = pytest.mark.skipif(
    not shutil.which("bwrap"), reason="bubblewrap is not installed"
)
needs_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the sandbox is Linux's"
)
WRONG = "def count_mistakes(y, labels):\n    return 1"


def a_class(folder, size, **answers):
    for i in range(1, size + 1):
        hand_in(folder, f"student-{i:02}", as_bytes(notebook(**answers)))
    return find(folder, "hw00")


def points(records):
    return [record.points for record in records]


@needs_bubblewrap
def test_the_same_submission_always_gets_the_same_mark(hw00, sandbox):
    records = [
        grade(hw00, as_bytes(notebook(q1=WRONG)), "student-01", SECRET, sandbox) for _ in range(2)
    ]
    assert records[0] == records[1] and records[0].points == 2
    other = grade(hw00, as_bytes(notebook(q1=WRONG)), "student-02", SECRET, sandbox)
    assert other.marks["q1"].reasons != records[0].marks["q1"].reasons  # inputs of their own
    assert (
        grade(hw00, as_bytes(notebook(q1=WRONG)), "student-01", "another secret", sandbox)
        != records[0]
    )


@needs_bubblewrap
@pytest.mark.parametrize(
    "code",
    [
        "",
        "x = 1/0",
        WRONG,
        "def count_mistakes(y, labels):\n    y.append(1)\n    return 0",
        "def count_mistakes(y, labels):\n    return ...",
        "def count_mistakes(y): pass",
        "def count_mistakes(y, labels):\n    pass",
        "count_mistakes = 3",
        "def count_mistakes(y, labels):\n    return print",
    ],
)
def test_in_and_out_of_the_sandbox_marks_are_the_same(code, hw00, sandbox):
    data = as_bytes(notebook(q1=code))
    inside, outside = (grade(hw00, data, "student-01", SECRET, place) for place in (sandbox, None))
    assert inside == outside
    bank = mark(
        hw00.questions[0], trusted(hw00, "student-01", {"q1": code}), hw00, "student-01", SECRET
    )
    assert bank.points == inside.marks["q1"].points == 0


@needs_bubblewrap
def test_calls_go_on_after_a_death(hw00, sandbox):
    code = {"q1": "import os\ndef count_mistakes(y, labels):\n    return os._exit(1) if y else 7"}
    session = Sandboxed(sandbox, hw00.program("student-01", code), Limits())
    assert session.call("count_mistakes", ([1], [1])).kind is FailureKind.DIED
    assert session.call("count_mistakes", ([], [])) == 7
    assert session.call("nothing", ()).kind is FailureKind.MISSING
    session.end = presence.now()  # not time.monotonic(): this clock stands still while we do
    assert session.call("count_mistakes", ([], [])).kind is FailureKind.TIMEOUT
    session.close()


@needs_bubblewrap
def test_waiting_for_a_processor_does_not_count_up_to_a_bound(hw00, sandbox, monkeypatch):
    code = {
        "q1": "import time\ndef count_mistakes(y, labels):\n    time.sleep(60 if y else .8)\n"
        "    return 7"
    }
    session = Sandboxed(sandbox, hw00.program("student-01", code), Limits(call=0.5))
    start = time.monotonic()
    monkeypatch.setattr(sandbox, "waited", lambda: 0.0)
    assert session.call("count_mistakes", ([], [])).kind is FailureKind.TIMEOUT
    monkeypatch.setattr(sandbox, "waited", lambda: 100 * (time.monotonic() - start))
    assert session.call("count_mistakes", ([], [])) == 7
    assert session.call("count_mistakes", ([1], [])).kind is FailureKind.TIMEOUT
    session.close()


@needs_bubblewrap
def test_the_wait_for_a_processor_is_measured(hw00):
    code = {
        "q1": "import time\ndef count_mistakes(y, labels):\n"
        "    end = time.process_time() + .3\n    while time.process_time() < end: pass"
    }
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(everywhere)})  # and all that start here compete for one processor
    other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        with Sandbox() as crowded:
            session = Sandboxed(crowded, hw00.program("student-01", code), Limits(call=50))
            session.call("count_mistakes", ([], []))
            assert crowded.waited() > 0.05
            session.close()
    finally:
        os.sched_setaffinity(0, everywhere)
        other.kill()
        other.wait()


@needs_bubblewrap
@pytest.mark.parametrize("waits", ["os.waitpid(0, 0)", ""])
def test_who_waits_for_processes_of_its_own_gets_no_more_time(hw00, sandbox, waits):
    code = {
        "q1": "import os, time\ndef count_mistakes(y, labels):\n    child = os.fork()\n"
        "    while time.process_time() < .6: pass\n"
        "    if not child: os._exit(0) if y else time.sleep(60)\n"
        f"    {waits}\n    return time.process_time()"
    }
    session = Sandboxed(sandbox, hw00.program("student-01", code), Limits(call=60))
    assert session.call("count_mistakes", ([1] if waits else [], [])) >= 0.6
    child = sandbox_module._children(sandbox_module._children(sandbox.process.pid)[-1])[-1]
    raw = int(Path(f"/proc/{child}/schedstat").read_text().split()[1]) / 1e9
    assert sandbox.waited() < raw - 0.3  # of at least .5 that the other took
    session.close()


@needs_bubblewrap
def test_chance_has_no_say(hw00, sandbox):
    code = (
        "import random, numpy as np\ndef count_mistakes(y, labels):\n"
        "    return [random.random(), np.random.rand(), hash('a')]"
    )
    reasons = [
        grade(hw00, as_bytes(notebook(q1=code)), "student-01", SECRET, sandbox).marks["q1"].reasons
        for _ in range(2)
    ]
    assert reasons[0] == reasons[1] and "0.5488" in reasons[0][0]


@needs_bubblewrap
def test_a_sandbox_that_dies_is_started_again(tmp_path, monkeypatch):
    entries, made = a_class(tmp_path / "submitted", 2), []

    class Watched(Sandbox):
        def start(self):
            made.append(self)
            super().start()

    def tasks():
        for entry in entries:
            for pid, _ in descendants(made[0].process.pid):
                os.kill(pid, signal.SIGKILL)
            made[0].process.wait()
            yield entry

    monkeypatch.setattr(grader, "Sandbox", Watched)
    setting = Setting("hw00", SOURCE, SECRET, tmp_path)
    assert points(grader.work(setting, tasks())) == [4, 4] and len(made) == 3


def with_cell(book, code, about=None):
    """Return a notebook with one more cell, before all others."""
    cell = {
        "id": f"more-{len(book['cells'])}",
        "cell_type": "code",
        "metadata": {"nbgrader": about} if about else {},
        "source": code,
        "outputs": [],
        "execution_count": None,
    }
    return {**book, "cells": [cell, *book["cells"]]}


HELPER = "def differ(a, b):\n    return a != b"
USES_IT = "def count_mistakes(y, labels):\n    return sum(map(differ, y, labels))"


def test_a_helper_in_a_cell_that_is_not_read_is_said(hw00):
    data = as_bytes(with_cell(notebook(q1=USES_IT), HELPER))
    found = grade(hw00, data, "student-01", SECRET, None)
    assert found.marks["q1"].points == 0
    assert found.notes[-1].startswith("differ is defined in a cell that is not read: move it into")
    alone = grade(hw00, as_bytes(notebook(q1=USES_IT)), "student-01", SECRET, None)
    assert not any("differ" in note for note in alone.notes)


def test_helpers_are_read_where_the_release_has_a_cell_for_them(hw00):
    assert [question.id for question in hw00.questions] == ["q1", "q2"]
    data = as_bytes(notebook(q1=USES_IT, helpers=HELPER))
    assert grade(hw00, data, "student-01", SECRET, None).points == 4
    lost = grade(
        hw00, as_bytes(with_cell(notebook(q1=USES_IT), HELPER)), "student-01", SECRET, None
    )
    assert "move it into the cell for helpers" in lost.notes[-1]


@pytest.mark.parametrize("own_files", [True, pytest.param(False, marks=needs_bubblewrap)])
def test_nobody_is_graded_where_the_model_solution_loses_points(tmp_path, own_files):
    entries = a_class(tmp_path / "submitted", 2)
    source = tmp_path / "source/hw00"
    shutil.copytree(SOURCE / "hw00", source)
    grading = (source / "grading.py").read_text()
    slip = grading.replace("return math.isclose(", "return not math.isclose(")
    assert slip != grading
    (source / "grading.py").write_text(slip)
    with pytest.raises(
        NoSandboxError, match="hw00 itself gets 3 of 4 points here.*q2: lies on your line"
    ):
        grade_all(
            "hw00",
            entries,
            SECRET,
            tmp_path / "results",
            source=source.parent,
            own_files=own_files,
            jobs=1,
        )
    assert not list((tmp_path / "results").glob("*.json"))


@needs_bubblewrap
@pytest.mark.parametrize("name", sorted(path.parent.name for path in SOURCE.glob("*/grading.py")))
def test_every_model_solution_gets_full_points_in_the_sandbox(name, sandbox, tmp_path):
    grader.prove(Setting(name, SOURCE, SECRET, tmp_path), load(name), sandbox)


@needs_bubblewrap
@pytest.mark.skipif(ROOT.is_relative_to("/tmp"), reason="the sandbox hides /tmp")
def test_a_course_inside_pythons_own_folder_shows_nothing(hw00, monkeypatch):
    """Python lives around the course here, as if this were a course in a conda environment."""
    monkeypatch.setattr(sys, "base_prefix", str(ROOT.parent))
    seek = (
        "import os\ndef count_mistakes(y, labels):\n"
        f"    return os.listdir({str(ROOT)!r}) + [os.path.exists({str(SOURCE)!r})]"
    )
    with Sandbox() as crowded:
        session = Sandboxed(crowded, hw00.program("student-01", {"q1": seek}))
        found = session.call("count_mistakes", ([], []))
        session.close()
    assert set(found) <= {".venv", False}


@needs_linux
def test_a_python_that_the_sandbox_hides_is_refused(monkeypatch):
    monkeypatch.setattr(sys, "prefix", "/tmp/course/.venv")
    assert "/tmp/course/.venv, and the sandbox hides /tmp: move the course" in sandbox.missing()


@needs_linux
def test_a_processor_without_a_filter_is_refused(monkeypatch):
    from coursekit.homework.grading.inside import jail

    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert "no filter of system calls for the processor riscv64" in sandbox.missing()
    with pytest.raises(OSError, match="riscv64"):
        jail.filter_calls()


def test_failures_are_told_apart(hw00):
    code = "def f(x): x.append(1)\ndef g(): return 1 / 0\nraise KeyError"
    session = Unprotected(hw00.program("student-01", {"q1": code}))
    changed = Failure(FailureKind.CHANGED, "changes its input: [] has become [1]")
    assert session.call("f", ([],)) == changed
    raised = Failure(FailureKind.ERROR, "raises ZeroDivisionError: division by zero")
    assert session.call("g", ()) == raised
    assert session.faults == {"q1": "stops with KeyError"}


SUSPENDED = """
import time
def count_mistakes(y, labels):
    time.sleep(.2)
    return sum(a != b for a, b in zip(y, labels))
"""
RUN_WITH_LIMITS = """
import sys
from pathlib import Path
from coursekit.homework.grading.grader import grade_all
from coursekit.homework.grading.inside.limits import Limits
from coursekit.homework.grading.submission import find
if __name__ == "__main__":
    folder = Path(sys.argv[1])
    entries = find(folder / "submitted", "hw00")
    options = {"jobs": 2, "limits": Limits(cell=2, call=2, total=6)}
    found = grade_all("hw00", entries, "the tests secret", folder / "results", **options)
    print([record.points for record in found])
"""


@needs_bubblewrap
def test_who_suspends_the_grader_costs_nobody_a_point(tmp_path):
    a_class(tmp_path / "submitted", 6, q1=SUSPENDED)
    (tmp_path / "run.py").write_text(RUN_WITH_LIMITS)
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "run.py"), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(Path(grader.__file__).parents[3])},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # a group of its own, as a shell gives it
    )
    results = tmp_path / "results"
    while not list(results.glob("*.json")):
        assert process.poll() is None
        time.sleep(0.02)
    for _ in range(2):
        os.killpg(process.pid, signal.SIGSTOP)  # Ctrl-Z; the sandboxes have sessions of their own
        time.sleep(9)  # longer than all limits
        os.killpg(process.pid, signal.SIGCONT)
        time.sleep(0.5)
    said, _ = process.communicate(timeout=300)
    assert said == f"{[4.0] * 6}\n"


SLOW = """
import time
time.sleep(.3)
def count_mistakes(y, labels):
    return sum(a != b for a, b in zip(y, labels))
"""
RUN = """
import sys
from pathlib import Path
from coursekit.homework.grading.grader import grade_all
from coursekit.homework.grading.submission import find
if __name__ == "__main__":
    folder = Path(sys.argv[1])
    entries = find(folder / "submitted", "hw00")
    grade_all("hw00", entries, "the tests secret", folder / "results", jobs=2)
"""


@needs_bubblewrap
def test_a_run_that_is_killed_goes_on_and_nothing_is_graded_twice_or_lost(tmp_path, monkeypatch):
    entries, results = a_class(tmp_path / "submitted", 12, q1=SLOW), tmp_path / "results"
    (tmp_path / "run.py").write_text(RUN)
    lib = str(Path(grader.__file__).parents[3])
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "run.py"), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": lib},
    )
    deadline = time.monotonic() + 300  # on a busy machine; nothing waits so long otherwise
    while len(list(results.glob("*.json"))) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    family = descendants(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert len(family) >= 4  # two processes of the pool and their sandboxes
    while any(map(alive, family)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(alive, family))
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in results.glob("*.json")}
    assert 3 <= len(before) < 12 and all(json.loads(data) for _, data in before.values())
    next(iter(before)).with_suffix(".json.1.new").write_text(
        "half a resu"
    )  # what a death may leave
    records = grade_all("hw00", entries, SECRET, results, jobs=2)
    assert points(records) == [4] * 12 and [r.student for r in records] == [
        e.student for e in entries
    ]
    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in before} == before
    assert len(list(results.glob("*.json"))) == 12
    monkeypatch.setattr(
        grader, "Pool", None
    )  # nothing is left to do, and one damaged result would be noticed
    with pytest.raises(TypeError):
        next(iter(before)).write_text("{")
        grade_all("hw00", entries, SECRET, results)


def descendants(pid):
    family, found = {pid}, True
    while found:
        found = set()
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) in family and int(path.parent.name) not in family:
                found.add(int(path.parent.name))
        family |= found
    return {(member, start_time(member)) for member in family - {pid}}


def start_time(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return None


def alive(member):
    pid, start = member
    return start is not None and start_time(pid) == start


BROKEN = """
import os
from coursekit.homework.grading.marking import Behaviour, Question
def judge(got, want, args, given):
    if given["STUDENT"] == "student-02": raise RuntimeError("a slip")
    if given["STUDENT"] == "student-03": os._exit(1)
    while given["STUDENT"] == "student-04": pass
    return True
QUESTIONS = [
    Question("q1", "count_mistakes", 2, [Behaviour("a", 2, lambda rng: [([], [])])]),
    Question("q2", "my_point", 2, [Behaviour("b", 2, lambda rng: [()], judge)], needs=("q1",)),
]
"""


@needs_bubblewrap
def test_faults_of_our_own_are_flagged_and_stop_nobody_else(tmp_path, monkeypatch):
    shutil.copytree(SOURCE / "hw00", tmp_path / "source" / "hw00")
    (tmp_path / "source" / "hw00" / "grading.py").write_text(BROKEN)
    entries = a_class(tmp_path / "submitted", 5)
    hand_in(tmp_path / "submitted", "student-06", b"no notebook")
    hand_in(
        tmp_path / "submitted",
        "student-07",
        as_bytes(notebook(q1=WRONG, q2="def my_point():\n    return 1 / 0")),
    )
    entries = find(tmp_path / "submitted", "hw00")
    monkeypatch.setattr(limits, "GRACE", 2)
    seen = []
    records = grade_all(
        "hw00",
        entries,
        SECRET,
        tmp_path / "results",
        source=tmp_path / "source",
        jobs=2,
        limits=Limits(total=6),
        progress=lambda done, total: seen.append((done, total)),
    )
    states = [record.state for record in records]
    assert states == ["graded", "flagged", "flagged", "flagged", "graded", "unreadable", "graded"]
    bug = "q2, b: accept fails on (Fraction(2, 1), 0) (RuntimeError: a slip)"
    assert points(records)[::4] == [4, 4]
    assert records[1].marks["q2"] == Mark(None, 2, bug=bug) and records[1].points == 2
    assert records[2].marks == {} and "by hand" in records[2].notes[0]
    assert set(records[2].answers) == {
        "helpers",
        "q1",
        "q2",
        "proof1",
    }  # for the person who must look
    assert "damaged" in records[5].notes[0]
    hint = "It builds on q1, where points were lost: look there first."
    assert records[6].marks["q2"].reasons[-1] == hint
    assert seen[-1] == (7, 7)
    assert len(list((tmp_path / "results").glob("*.json"))) == 5  # no fault is for ever


def test_no_sandbox_no_grading_of_others(tmp_path, monkeypatch):
    entries = a_class(tmp_path / "submitted", 1)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "platform", "linux")
        patch.setenv("PATH", str(tmp_path))
        with pytest.raises(NoSandboxError, match="sudo apt install bubblewrap.*--own-files"):
            grade_all("hw00", entries, SECRET, tmp_path / "results")
        patch.setattr(sys, "platform", "darwin")
        with pytest.raises(NoSandboxError, match="Linux"):
            grade_all("hw00", entries, SECRET, tmp_path / "results")
    assert not list((tmp_path / "results").glob("*")) if (tmp_path / "results").exists() else True


@needs_linux
def test_a_sandbox_that_does_not_start_is_refused_too(tmp_path, monkeypatch):
    entries = a_class(tmp_path / "submitted", 1)
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(NoSandboxError, match="No permissions to create new namespace.*--own-files"):
        grade_all("hw00", entries, SECRET, tmp_path / "results")
    assert points(grade_all("hw00", entries, SECRET, tmp_path / "results", own_files=True)) == [4]


@needs_linux
def test_the_sandbox_sees_neither_the_course_nor_the_graders_environment():
    words = sandbox.command()
    bound = [
        Path(words[i + 1])
        for i, word in enumerate(words)
        if word.startswith(("--ro-bind", "--bind"))
    ]
    secret = [
        SOURCE,
        SOURCE.parent / "secret",
        SOURCE.parent / "gradebook.db",
        SOURCE.parent / "submitted",
    ]
    assert not any(path.is_relative_to(place) for path in secret for place in bound)
    assert "--bind" not in words and not any(word.startswith("--dev-bind") for word in words)


def test_inside_imports_no_coursekit_and_holds_nothing_else():
    names = {path.name for path in sandbox.INSIDE.iterdir() if path.name != "__pycache__"}
    assert names == {
        "__init__.py",
        "channel.py",
        "jail.py",
        "limits.py",
        "plain.py",
        "versions.py",
        "worker.py",
    }
    for path in sandbox.INSIDE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                modules = [node.module]
            else:
                assert not isinstance(node, ast.ImportFrom) or node.level == 1
                continue
            for module in modules:
                top = module.partition(".")[0]
                assert top in {*sys.stdlib_module_names, "numpy", "halfspaces"}, (path, module)


@needs_bubblewrap
def test_the_sandbox_sees_the_library_and_inside_and_no_more_of_the_course(hw00, sandbox):
    code = (
        "import os\n"
        "def count_mistakes(y, labels):\n"
        "    return sorted(os.listdir('/course')), sorted(os.listdir('/course/inside'))"
    )
    session = Sandboxed(sandbox, hw00.program("student-01", {"q1": code}))
    folders, files = session.call("count_mistakes", ([], []))
    session.close()
    assert folders == ["halfspaces", "inside"]
    assert {name for name in files if name.endswith(".py")} == {
        path.name for path in Path(grader.__file__).with_name("inside").glob("*.py")
    }


def test_the_readme_names_the_limits():
    text = (SOURCE.parent / "README.md").read_text("utf-8")
    usual = Limits()
    seconds = f"{usual.cell} seconds for a cell, {usual.call} for a call, {usual.total} for all"
    assert f"{seconds}, and about {limits.SUBMISSION_MEMORY >> 30} GB of memory" in text


def test_a_result_depends_on_all_that_decides_it(hw00, tmp_path, monkeypatch):
    usual = Setting("hw00", SOURCE, SECRET, tmp_path)
    places = [
        usual.place(hw00, "student-01", "digest"),
        usual.place(hw00, "student-02", "digest"),
        usual.place(hw00, "student-01", "other"),
        replace(usual, secret="other").place(hw00, "student-01", "digest"),
        replace(usual, limits=Limits(call=6)).place(hw00, "student-01", "digest"),
        replace(usual, own_files=True).place(hw00, "student-01", "digest"),
    ]
    shutil.copytree(SOURCE / "hw00", tmp_path / "hw00")
    assert usual.place(load("hw00", tmp_path), "student-01", "digest") == places[0]
    grading = tmp_path / "hw00" / "grading.py"
    grading.write_text(grading.read_text("utf-8") + "\n", "utf-8")
    places.append(usual.place(load("hw00", tmp_path), "student-01", "digest"))
    for name in ("python", "numpy", "scipy"):  # of the sandbox, and of the grader itself
        for module in (sandbox, grader):
            with monkeypatch.context() as patch:
                other = module.versions() | {name: "0"}
                patch.setattr(module, "versions", lambda other=other: other)
                places.append(usual.place(hw00, "student-01", "digest"))
    assert len(set(places)) == 13


def test_versions_are_those_of_the_sandbox_whatever_the_environment_says(tmp_path, monkeypatch):
    about = tmp_path / "numpy-9.9.dist-info" / "METADATA"
    about.parent.mkdir()
    about.write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 9.9\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    sandbox.versions.cache_clear()
    found = sandbox.versions()
    assert found["numpy"] == np.__version__ and found["scipy"] == scipy.__version__
    assert found["python"] == platform.python_version()


def test_a_result_is_kept_and_read_as_it_was(hw00):
    marks = {
        "q1": Mark(1.5, 2, ("a", "ü\n")),
        "q2": Mark(None, 2, bug="a slip"),
    }
    full = Record("hw00", "Zoë", State.FLAGGED, 4, "d", {"q1": "x = 1"}, marks, ("odd",))
    for record in (full, grade(hw00, b"{", "student-01", SECRET, None)):
        assert Record.from_json(record.as_json()) == record


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data.pop("answers"),
        lambda data: data.update(state="done"),
        lambda data: data.update(marks=[]),
        lambda data: data.update(notes="odd"),
        lambda data: data.update(extra=1),
        lambda data: data["marks"]["q1"].update(points="2"),
        lambda data: data["marks"]["q1"].update(points=True),
        lambda data: data["answers"].update(q1=7),
    ],
)
def test_a_kept_result_that_does_not_fit_is_graded_again(spoil, hw00, tmp_path):
    [entry] = a_class(tmp_path / "submitted", 1)
    setting = Setting("hw00", SOURCE, SECRET, tmp_path, own_files=True)
    record = grade_and_file(setting, hw00, entry, None)
    assert look_up(setting, hw00, entry) == record
    [path] = tmp_path.glob("*.json")
    data = json.loads(path.read_text())
    spoil(data)
    path.write_text(json.dumps(data))
    with pytest.raises(ValueError, match="no record"):
        Record.from_json(path.read_text())
    assert look_up(setting, hw00, entry) is None


def test_a_kept_result_of_another_submission_does_not_count(hw00, tmp_path):
    [entry] = a_class(tmp_path / "submitted", 1)
    setting = Setting("hw00", SOURCE, SECRET, tmp_path, own_files=True)
    record = grade_and_file(setting, hw00, entry, None)
    assert record.digest == digest_of(entry.path.read_bytes())
    [path] = tmp_path.glob("*.json")
    path.write_text(replace(record, digest="0" * 64).as_json())
    assert look_up(setting, hw00, entry) is None


def test_the_secret_is_made_once_for_its_owner_alone(tmp_path):
    secret = read_secret(tmp_path / "secret")
    assert len(secret) == 64 and read_secret(tmp_path / "secret") == secret != read_secret(
        tmp_path / "other"
    )
    assert os.name == "nt" or stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    (tmp_path / "secret").write_text("")
    with pytest.raises(ValueError, match="holds no secret"):
        read_secret(tmp_path / "secret")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("points=2", "points=3", "behaviours of q1 do not add up"),
        ('"q2"', '"q3"', "answer cells are"),
        (
            'function="my_point",',
            'function="my_point", needs=("q9",),',
            "needs .*q9",
        ),
        ('differ", 1', 'differ", 2', "add up"),
    ],
)
def test_notebook_and_grading_must_agree(old, new, says, tmp_path):
    shutil.copytree(SOURCE / "hw00", tmp_path / "hw00")
    path = tmp_path / "hw00" / "grading.py"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ValueError, match=says):
        load("hw00", tmp_path)


def test_the_students_own_name_is_not_asked(hw00):
    steps = hw00.program("O'Brien \\ \n", {})
    assert [code for _, code in steps if code.startswith("STUDENT")] == [
        'STUDENT = "O\'Brien \\\\ \\n"'
    ] * 2
    assert (
        all(BOOK["cells"][i]["metadata"]["tags"] == ["given"] for i in (1, 2)) and len(steps) == 4
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux lets us choose a core")
def test_each_process_keeps_to_its_own_core():
    """A submission that busies many processes shall not take the time of the one beside it."""
    code = (
        "import os, sys\n"
        "from coursekit.homework.grading.pool import restrict\n"
        "restrict(int(sys.argv[1]))\n"
        "print(*os.sched_getaffinity(0))"
    )
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    cores = [
        subprocess.run(
            [sys.executable, "-c", code, seat],
            env=env,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout.split()
        for seat in ("0", "1")
    ]
    assert [len(core) for core in cores] == [1, 1] and (cores[0] != cores[1]) == (
        len(os.sched_getaffinity(0)) > 1
    )
