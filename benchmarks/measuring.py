"""Rows of the benchmark's table, and how they are measured."""

import time
from collections.abc import Callable

import numpy as np

Row = tuple[str, float, float, float, float | None, str]  # what, ours, theirs, ratio, target, note


def best_time(
    task: Callable[[], object], repeats: int = 3, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Return the shortest of a few runs, in seconds."""
    times = []
    for _ in range(repeats):
        start = clock()
        task()
        times.append(clock() - start)
    return min(times)


def race(
    ours: Callable[[], object], theirs: Callable[[], object], repeats: int = 5
) -> tuple[float, float]:
    """Return the shortest times of two tasks that take turns, in seconds of the processor.

    These do not count the wait for a processor that others use. A task of over a second runs once.
    """
    times = [], []
    for _ in range(repeats):
        for task, found in zip((ours, theirs), times):
            if not found or found[0] <= 1:
                found.append(best_time(task, 1, time.process_time))
    return min(times[0]), min(times[1])


def exponent(sizes: list[int], times: list[float]) -> float:
    """Return p such that the times grow like nᵖ."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def line(row: Row) -> str:
    """Write a row: what, ours, theirs, ratio, whether the target is met, a note."""
    what, ours, theirs, ratio, target, note = row
    cells = [f"{value:9.4g}" if value == value else "        –" for value in (ours, theirs, ratio)]
    verdict = "" if target is None else f"≥ {target:g} {'met' if ratio >= target else 'MISSED'}"
    return f"{what:<52}{cells[0]}{cells[1]}{cells[2]}  {verdict:<14}{note}"
