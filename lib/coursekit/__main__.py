"""`python -m coursekit COMMAND`: what course.py calls, for environments that are set up already."""

import importlib
import sys

from coursekit import ROOT

COMMANDS = {
    "lab": "coursekit.lab",
    "test": "coursekit.test",
    "proofs": "coursekit.proofs",
    "bench": "benchmarks.__main__",
    "slides": "coursekit.lecture.slides",
    "live": "coursekit.lecture.typed",
    "guide": "coursekit.lecture.guide",
    "homework": "coursekit.homework.handout",
    "release": "coursekit.homework.release",
    "grade": "coursekit.homework.grade",
    "export": "coursekit.publish.export",
    "refresh": "coursekit.publish.refresh",
    "claims": "coursekit.publish.claims",
    "picture": "coursekit.publish.picture",
    "lock": "coursekit.publish.lock",
}


def main(args: list[str]) -> int | str | None:
    """Run the command's module with the arguments that follow its name."""
    name, *rest = args or [""]
    if name not in COMMANDS:
        print(
            f"There is no command '{name}': python3 course.py lists those there are.",
            file=sys.stderr,
        )
        return 2
    sys.path.insert(0, str(ROOT))  # for the benchmarks
    return importlib.import_module(COMMANDS[name]).main(rest)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
