"""`python3 course.py bench [PART …]`: one table, each row a ratio measured in one run."""

import importlib
import sys
import time

from benchmarks.measuring import line

PARTS = ("perceptron", "svm", "sliders", "room", "grading")


def measure(parts: list[str]) -> int:
    """Measure the parts that are named, or all of them; return 1 if a target is missed."""
    start = time.monotonic()

    def progress(text: str) -> None:
        print(f"  {time.monotonic() - start:4.0f} s  {text}", file=sys.stderr, flush=True)

    missed = 0
    print(f"{'':<52}{'ours':>9}{'theirs':>9}{'ratio':>9}  target        note")
    for part in parts or PARTS:
        for row in importlib.import_module(f"benchmarks.{part}").rows(progress):
            print(line(row), flush=True)
            *_, ratio, target, _ = row
            if target is not None and not ratio >= target:
                missed = 1
    return missed


if __name__ == "__main__":
    from coursekit.cli import main

    sys.exit(main(["bench", *sys.argv[1:]]))
