"""Grading many: resumable after any death, stopped by no submission, refused without a sandbox, and always the same."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from coursekit.homework.grading import grader
from coursekit.homework.grading import sandbox
from coursekit.homework.grading.grader import grade, grade_all, read_secret
from coursekit.homework.grading.marking import Failure, mark
from coursekit.homework.grading.questions import SOURCE, load, trusted
from coursekit.homework.grading.sandbox import NoSandboxError, Sandbox
from coursekit.homework.grading.session import Limits, Sandboxed, Unprotected
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
    return [record["points"] for record in records]


@needs_bubblewrap
def test_the_same_submission_always_gets_the_same_mark(hw00, sandbox):
    records = [
        grade(hw00, as_bytes(notebook(q1=WRONG)), "student-01", SECRET, sandbox) for _ in range(2)
    ]
    assert records[0] == records[1] and records[0]["points"] == 2
    other = grade(hw00, as_bytes(notebook(q1=WRONG)), "student-02", SECRET, sandbox)
    assert (
        other["questions"]["q1"]["reasons"] != records[0]["questions"]["q1"]["reasons"]
    )  # inputs of their own
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
    assert bank.points == inside["questions"]["q1"]["points"] == 0


@needs_bubblewrap
def test_calls_go_on_after_a_death(hw00, sandbox):
    code = {"q1": "import os\ndef count_mistakes(y, labels):\n    return os._exit(1) if y else 7"}
    session = Sandboxed(sandbox, hw00.program("student-01", code), Limits())
    assert session.call("count_mistakes", ([1], [1])).kind == "died"
    assert session.call("count_mistakes", ([], [])) == 7
    assert session.call("nothing", ()).kind == "missing"
    session.end = time.monotonic()
    assert session.call("count_mistakes", ([], [])).kind in ("died", "timeout")
    session.close()


@needs_bubblewrap
def test_on_a_busy_machine_waiting_for_a_processor_does_not_count(hw00):
    code = {
        "q1": "import time\ndef count_mistakes(y, labels):\n    time.sleep(60 * bool(y))\n"
        "    while time.process_time() < 0.7: pass\n    return 7"
    }
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(everywhere)})  # and all that start here compete for one processor
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4)]
    try:
        with Sandbox() as crowded:
            session = Sandboxed(crowded, hw00.program("student-01", code), Limits(call=1))
            start = time.monotonic()
            assert session.call("count_mistakes", ([], [])) == 7 and time.monotonic() - start > 1
            assert session.call("count_mistakes", ([1], [])).kind == "timeout"
            session.close()
    finally:
        os.sched_setaffinity(0, everywhere)
        for other in others:
            other.kill()
            other.wait()


@needs_bubblewrap
def test_chance_has_no_say(hw00, sandbox):
    code = (
        "import random, numpy as np\ndef count_mistakes(y, labels):\n"
        "    return [random.random(), np.random.rand(), hash('a')]"
    )
    reasons = [
        grade(hw00, as_bytes(notebook(q1=code)), "student-01", SECRET, sandbox)["questions"]["q1"][
            "reasons"
        ]
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
    setting = ("hw00", str(SOURCE), SECRET, str(tmp_path), Limits(), False)
    assert points(grader.work(setting, tasks())) == [4, 4] and len(made) == 3


def test_failures_are_told_apart(hw00):
    code = "def f(x): x.append(1)\ndef g(): return 1 / 0\nraise KeyError"
    session = Unprotected(hw00.program("student-01", {"q1": code}))
    assert session.call("f", ([],)) == Failure("changed", "changes its input: [] has become [1]")
    assert session.call("g", ()) == Failure("error", "raises ZeroDivisionError: division by zero")
    assert session.faults == {"q1": "stops with KeyError"}


SLOW = "import time\ntime.sleep(.3)\ndef count_mistakes(y, labels):\n    return sum(a != b for a, b in zip(y, labels))"
RUN = """
import sys
from pathlib import Path
from coursekit.homework.grading.grader import grade_all
from coursekit.homework.grading.submission import find
if __name__ == "__main__":
    folder = Path(sys.argv[1])
    grade_all("hw00", find(folder / "submitted", "hw00"), "the tests secret", folder / "results", jobs=2)
"""


@needs_bubblewrap
def test_a_run_that_is_killed_goes_on_and_nothing_is_graded_twice_or_lost(tmp_path, monkeypatch):
    entries, results = a_class(tmp_path / "submitted", 12, q1=SLOW), tmp_path / "results"
    (tmp_path / "run.py").write_text(RUN)
    lib = str(Path(grader.__file__).parents[2])
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "run.py"), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": lib},
    )
    deadline = time.monotonic() + 60
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
    assert points(records) == [4] * 12 and [r["student"] for r in records] == [
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
from coursekit.homework.grading.questions import Behaviour, Question
def judge(got, want, args, given):
    if given["STUDENT"] == "student-02": raise RuntimeError("a slip")
    if given["STUDENT"] == "student-03": os._exit(1)
    while given["STUDENT"] == "student-04": pass
    return True
QUESTIONS = [Question("q1", "count_mistakes", 2, [Behaviour("a", 2, lambda rng: [([], [])])]),
             Question("q2", "my_point", 2, [Behaviour("b", 2, lambda rng: [()], judge)], needs=("q1",))]
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
    monkeypatch.setattr(grader, "GRACE", 2)
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
    states = [record["state"] for record in records]
    assert states == ["graded", "flagged", "flagged", "flagged", "graded", "unreadable", "graded"]
    assert points(records)[::4] == [4, 4] and records[1]["questions"]["q2"] == {
        "points": None,
        "of": 2,
        "reasons": [],
        "bug": "q2, b: accept fails on (Fraction(2, 1), 0) (RuntimeError: a slip)",
    }
    assert (
        records[1]["points"] == 2
        and records[2]["questions"] == {}
        and "by hand" in records[2]["notes"][0]
    )
    assert "damaged" in records[5]["notes"][0]
    assert (
        records[6]["questions"]["q2"]["reasons"][-1]
        == "It builds on q1, where points were lost: look there first."
    )
    assert (
        seen[-1] == (7, 7) and len(list((tmp_path / "results").glob("*.json"))) == 5
    )  # no fault is for ever


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


def test_a_result_depends_on_all_that_decides_it(hw00, tmp_path):
    usual = ("student-01", b"data", SECRET, tmp_path, Limits(), False)
    others = [
        ("student-02", *usual[1:]),
        ("student-01", b"other", *usual[2:]),
        (*usual[:2], "other", *usual[3:]),
        (*usual[:4], Limits(call=6), False),
        (*usual[:5], True),
    ]
    places = [grader.place(hw00, *about) for about in [usual, *others]]
    shutil.copytree(SOURCE / "hw00", tmp_path / "hw00")
    assert grader.place(load("hw00", tmp_path), *usual) == places[0]
    (tmp_path / "hw00" / "grading.py").write_text(
        (SOURCE / "hw00" / "grading.py").read_text() + "\n"
    )
    places.append(grader.place(load("hw00", tmp_path), *usual))
    assert len(set(places)) == 7


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
    """A submission that busies many processes shall not take the time of one that is graded beside it."""
    code = (
        "import os, sys; from coursekit.homework.grading.pool import restrict; restrict(int(sys.argv[1])); "
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
