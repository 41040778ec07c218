"""`python -m coursekit COMMAND`: what course.py calls, for environments that are set up already."""

import importlib
import importlib.util
import sys


def main(args: list[str]) -> int | str | None:
    """Run the command's module with the arguments that follow its name."""
    name, *rest = args or [""]
    if not name.isidentifier() or importlib.util.find_spec(f"coursekit.{name}") is None:
        print(f"There is no command '{name}': python3 course.py lists those there are.", file=sys.stderr)
        return 2
    return importlib.import_module(f"coursekit.{name}").main(rest)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
