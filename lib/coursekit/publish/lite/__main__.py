"""Write the pages to run: python -m coursekit.publish.lite TARGET [--offline]."""

import argparse
from pathlib import Path

from coursekit.publish.lite import build_lite

parser = argparse.ArgumentParser(prog="python -m coursekit.publish.lite", description=__doc__)
parser.add_argument("target", type=Path, help="the folder to write, which is emptied first")
parser.add_argument("--offline", action="store_true", help="pack Python itself, too")
arguments = parser.parse_args()
build_lite(arguments.target, arguments.offline)
