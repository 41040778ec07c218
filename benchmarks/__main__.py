"""`python3 course.py bench [PART …]`: one table, each row a ratio measured in one run."""

import importlib
import sys
import time

from benchmarks.measuring import line

PARTS = ("perceptron", "svm", "sliders", "room", "grading")


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
        for row in importlib.import_module(f"benchmarks.{part}").rows(progress):
            print(line(row), flush=True)
            met &= row[4] is None or row[3] >= row[4]
    return 0 if met else 1
