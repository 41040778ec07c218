"""`python -m coursekit COMMAND`: what course.py calls, for environments that are set up already."""

import sys

from coursekit.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
