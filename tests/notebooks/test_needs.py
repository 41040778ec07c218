"""The self-check of notebook 00 asks for what pyproject.toml asks for."""

import ast
import re
import tomllib

import nbformat
from coursekit import ROOT


def test_the_self_check_knows_what_a_student_needs():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "dependencies"
    ]
    wanted = dict(re.match(r"([\w-]+)>=([\d.]+)", line).groups() for line in declared)
    cells = nbformat.read(ROOT / "notebooks" / "00-start-here.ipynb", 4).cells
    source = next(cell.source for cell in cells if "NEEDS = {" in cell.source)
    assigned = next(
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Assign) and node.targets[0].id == "NEEDS"
    )
    assert ast.literal_eval(assigned.value) == wanted
