"""The self-check of notebook 00 asks for what pyproject.toml asks for."""

import ast
import re
import tomllib

import nbformat
from coursekit import ROOT


def test_the_self_check_knows_what_a_student_needs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = project["dependencies"] + project["optional-dependencies"]["notebooks"]
    wanted = dict(re.match(r"([\w-]+)>=([\d.]+)", line).groups() for line in declared)
    cells = nbformat.read(ROOT / "notebooks" / "00-start-here.ipynb", 4).cells
    source = next(cell.source for cell in cells if "NEEDS = {" in cell.source)
    assigned = next(
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Assign) and node.targets[0].id == "NEEDS"
    )
    needs = ast.literal_eval(assigned.value)
    assert needs.items() <= wanted.items()
    # The others come along with these.
    assert {"numpy", "scipy", "matplotlib", "ipywidgets", "jupyterlab"} <= needs.keys()
