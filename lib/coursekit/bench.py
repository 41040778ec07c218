"""`python3 course.py bench [PART …]`: one table, each row a ratio measured in one run."""

import importlib
import sys
import time
from collections.abc import Callable

import numpy as np

Row = tuple[str, float, float, float, float | None, str]  # what, ours, theirs, ratio, target, note
PARTS = ("perceptron", "svm", "sliders", "room", "grading")


def best_time(task: Callable[[], object], repeats: int = 3) -> float:
    """Return the shortest of a few runs, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return min(times)


def exponent(sizes: list[int], times: list[float]) -> float:
    """Return p such that the times grow like nᵖ."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def line(row: Row) -> str:
    """Write a row: what, ours, theirs, ratio, whether the target is met, a note."""
    what, ours, theirs, ratio, target, note = row
    cells = [f"{value:9.4g}" if value == value else "        –" for value in (ours, theirs, ratio)]
    verdict = "" if target is None else f"≥ {target:g} {'met' if ratio >= target else 'MISSED'}"
    return f"{what:<52}{cells[0]}{cells[1]}{cells[2]}  {verdict:<12}{note}"


def main(argv: list[str]) -> int:
    """Measure the parts that are named, or all of them, and print each row as it comes."""
    odd = [name for name in argv if name not in PARTS]
    if odd:
        print(f"There is no benchmark '{odd[0]}': they are {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    start, met = time.monotonic(), True

    def progress(text: str) -> None:
        print(f"  {time.monotonic() - start:4.0f} s  {text}", file=sys.stderr, flush=True)

    print(f"{'':<52}{'ours':>9}{'theirs':>9}{'ratio':>9}  target      note")
    for part in argv or PARTS:
        for row in importlib.import_module(f"coursekit.bench_{part}").rows(progress):
            print(line(row), flush=True)
            met &= row[4] is None or row[3] >= row[4]
    return 0 if met else 1
