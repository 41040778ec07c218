"""How fast homework is graded, beside `nbgrader autograde` on the same submissions."""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from coursekit import ROOT
from coursekit.homework.grading.grader import grade_all
from coursekit.homework.grading.loopback import LoopbackCluster
from coursekit.homework.grading.questions import SOURCE
from coursekit.homework.grading.submission import find
from coursekit.isolation import isolate

from benchmarks.measuring import Row, exponent

NAME = "hw00"
CLASS = 30
SIZES = [10, 100, 1000]
CLUSTER = 120
WORKERS = [1, 2, 4]
SECRET = "bench" * 8
CONFIG = 'c = get_config()\nc.CourseDirectory.course_id = "bench"\n'
NAN = float("nan")


def rows(progress: Callable[[str], None] = lambda message: None) -> Iterator[Row]:
    """Yield one row for each measurement; seconds are of whole commands, start included."""
    isolate()
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder, "ours"), Path(folder, "theirs")
        progress(f"nbgrader autograde, {CLASS} submissions")
        hand_in(theirs / "submitted", CLASS)
        other = time_nbgrader(theirs) / CLASS
        progress(f"the same {CLASS} submissions in the sandbox")
        mine = measure(theirs / "submitted", ours / "class")["seconds"] / CLASS
        yield (
            f"grading {NAME}, seconds a submission, {CLASS} of them",
            mine,
            other,
            other / mine,
            12.0,
            "sandboxed and start included; nbgrader runs the code unprotected",
        )
        found = []
        for n in SIZES:
            progress(f"{n:,} submissions")
            hand_in(ours / str(n), n)
            found.append(measure(ours / str(n), ours / f"{n} results"))
        seconds = [each["seconds"] for each in found]
        yield (
            f"growth: {NAME}, {SIZES[-1]:,} submissions",
            seconds[-1],
            NAN,
            NAN,
            None,
            f"{', '.join(f'{n:,}: {s:.1f} s' for n, s in zip(SIZES, seconds))}; time grows like "
            f"n^{exponent(SIZES[1:], seconds[1:]):.2f}",
        )
        small, large = found[0]["memory"], found[-1]["memory"]
        yield (
            f"memory of the grader, {SIZES[0]} beside {SIZES[-1]:,} submissions",
            large,
            small,
            small / large,
            0.8,
            "MiB at its peak: the larger number first, and how flat it is",
        )
        yield from cluster_rows(ours, progress)


def cluster_rows(folder: Path, progress: Callable[[str], None]) -> Iterator[Row]:
    """Yield the throughput of a Dask cluster on this machine with 1, 2 and 4 workers."""
    hand_in(folder / "cluster", CLUSTER)
    entries = find(folder / "cluster", NAME)
    speeds = []
    for workers in WORKERS:
        progress(f"{CLUSTER} submissions on a cluster of {workers}")
        place = folder / f"{workers} workers"
        place.mkdir()
        with LoopbackCluster(place, SOURCE.parent, workers) as cluster:
            cluster.wait_for(workers)
            # Sandboxes start with the first tasks.
            grade_all(NAME, entries[:workers], SECRET, place / "first", cluster=cluster.address)
            start = time.perf_counter()
            grade_all(NAME, entries, SECRET, place / "results", cluster=cluster.address)
            speeds.append(CLUSTER / (time.perf_counter() - start))
    shown = ", ".join(f"{n}: {speed:.1f}/s" for n, speed in zip(WORKERS, speeds))
    hours = 100_000 / speeds[0] / 3600
    yield (
        f"a Dask cluster on {os.cpu_count()} cores, submissions a second, {WORKERS[1]} workers",
        speeds[1],
        speeds[0],
        speeds[1] / speeds[0],
        None,
        f"workers {shown}; 100,000 submissions take {hours:.1f} hours of one core",
    )


def hand_in(folder: Path, n: int) -> None:
    """Hand in the model answers n times, in nbgrader's layout."""
    for i in range(n):
        place = folder / f"student-{i:04}" / NAME
        place.mkdir(parents=True)
        shutil.copy(SOURCE / NAME / f"{NAME}.ipynb", place)


def time_nbgrader(course: Path) -> float:
    """Return the seconds of `nbgrader autograde` for what is in the course's folder."""
    shutil.copytree(
        SOURCE / NAME, course / "source" / NAME, ignore=shutil.ignore_patterns("*.py", "*.md")
    )
    (course / "nbgrader_config.py").write_text(CONFIG)
    run(["nbgrader", "generate_assignment", NAME], course)
    start = time.perf_counter()
    run(["nbgrader", "autograde", NAME], course)
    return time.perf_counter() - start


def measure(submitted: Path, results: Path) -> dict[str, float]:
    """Grade a folder in a process of its own; return its seconds and its memory in MiB."""
    start = time.perf_counter()
    said = run(
        [sys.executable, "-m", "benchmarks.grading", str(submitted), str(results)], submitted
    )
    return {"seconds": time.perf_counter() - start, "memory": json.loads(said)}


def run(argv: list[str], folder: Path) -> str:
    """Run a program of this environment with the course's library, and return what it prints."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        argv,
        cwd=folder,
        env={
            **os.environ,
            "PATH": path,
            "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "lib"))),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=900,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(argv[:3])} fails: {done.stderr.strip()[-500:]}")
    return done.stdout


def main(argv: list[str]) -> None:
    """Grade a folder and print the peak of the grader's memory, in MiB."""
    submitted, results = map(Path, argv)
    records = grade_all(NAME, find(submitted, NAME), SECRET, results)
    if any(record.points < record.of for record in records):
        raise RuntimeError("A model answer has lost points: the benchmark would measure nothing.")
    peaks = [
        resource.getrusage(who).ru_maxrss / 1024
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    ]
    print(json.dumps(max(peaks)))


if __name__ == "__main__":
    main(sys.argv[1:])
