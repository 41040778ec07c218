"""Grade on a Dask cluster: the same marks as here, and a worker that dies costs nothing."""

import json
import threading
from dataclasses import replace

import pytest

pytest.importorskip("nbgrader")
pytest.importorskip("distributed")

from coursekit.homework.grading import cluster as cluster_module
from coursekit.homework.grading.cluster import homework_here
from coursekit.homework.grading.grader import grade_all
from coursekit.homework.grading.loopback import LoopbackCluster
from coursekit.homework.grading.questions import load
from coursekit.homework.grading.sandbox import UnfitGraderError, missing
from coursekit.homework.grading.submission import find
from homework_class import grade, hand_in, make_course, submission

SECRET = "s" * 64
SLOW = "import time\ntime.sleep({})\ndef count_mistakes(y, labels):\n    return 1"
pytestmark = [
    pytest.mark.skipif(bool(missing()), reason=missing() or "there is a sandbox"),
    pytest.mark.filterwarnings("ignore"),  # of Dask's own, about ports and versions
]


@pytest.fixture
def course(tmp_path):
    course = make_course(tmp_path / "a course" / "exercises", {})
    for i in range(6):
        answers = {"q1": SLOW.format(0.5 + i / 100)} if i % 2 else {}
        hand_in(course, f"s{i}", json.dumps(submission(**answers)).encode())
    hand_in(course, "broken", b"no notebook")
    hand_in(course, "dies", json.dumps(submission(q1="import os\nos._exit(3)")).encode())
    return course


def marks(course, results, **options):
    entries = find(course / "submitted", "hw00")
    done = grade_all("hw00", entries, SECRET, results, source=course / "source", **options)
    return {record.student: (record.state, record.points, record.marks) for record in done}


def test_the_same_marks_as_here_though_a_worker_dies(course, tmp_path):
    here = marks(course, tmp_path / "here")
    graded: list[int] = []
    with LoopbackCluster(tmp_path, course, workers=2) as cluster:
        cluster.wait_for(2)

        def progress(done: int, total: int) -> None:
            graded.append(done)
            if done == 2:
                threading.Thread(target=cluster.kill_a_worker).start()

        there = marks(course, tmp_path / "there", cluster=cluster.address, progress=progress)
        assert there == here and len(here) == 8
        assert graded == sorted(graded) and graded[-1] == 8, "each is counted once"
        kept = {path.name for path in (tmp_path / "there").iterdir()}
        assert kept == {path.name for path in (tmp_path / "here").iterdir()}
    # What is kept is not graded again: the cluster is gone.
    assert marks(course, tmp_path / "there", cluster=cluster.address) == here


def test_the_command_grades_on_a_cluster(course, tmp_path):
    with LoopbackCluster(tmp_path, course, workers=1) as cluster:
        cluster.wait_for(1)
        done = grade(course, "--cluster", cluster.address)
    assert done.returncode == 0, done.stderr
    assert "8 submissions: 1 unreadable, 7 graded." in done.stdout


def test_no_scheduler_no_worker_and_another_version_are_sentences(course, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_module, "CONNECT", 2.0)
    with pytest.raises(ValueError, match="No Dask scheduler answers at"):
        marks(course, tmp_path / "r", cluster="tcp://127.0.0.1:1")
    with (
        LoopbackCluster(tmp_path, course, workers=0) as cluster,
        pytest.raises(ValueError, match="has no workers"),
    ):
        marks(course, tmp_path / "r", cluster=cluster.address)
    with pytest.raises(UnfitGraderError, match="another version of hw00"):
        homework_here("hw00", replace(load("hw00"), fingerprint="x").fingerprint)
