"""What runs the course: one module for each command of course.py, with `main(argv)`."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
