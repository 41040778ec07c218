"""Find every formula of the course, wherever a page may show it."""

import ast
import re
from collections.abc import Iterator

import numpy as np
from coursekit.contents import read_notebook
from halfspaces.notebook import drawn
from halfspaces.notebook.markdown import MATH
from small_project import ROOT

DRAWN = 10  # questions of each kind
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
FORMULA = re.compile(rf"(?<!\\){MATH}")
ENVIRONMENT = re.compile(r"\\begin\{([a-z]+\*?)\}.*?\\end\{\1\}", re.DOTALL)


def course_formulas() -> list[tuple[str, bool]]:
    """Return each formula once, and whether it has a line of its own."""
    return sorted({formula for text in texts() for formula in formulas_in(text)})


def formulas_in(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the formulas of a text in Markdown."""
    text = CODE.sub("", text)
    for found in FORMULA.finditer(text):
        yield found["math_tex"].strip(), found["math_mark"] == "$$"
    for found in ENVIRONMENT.finditer(FORMULA.sub("", text)):
        yield found[0], True


def texts() -> Iterator[str]:
    """Yield all that is written: notebooks, homeworks, schemes, guide, claims, questions."""
    for folder in ("notebooks", "exercises"):
        for path in sorted((ROOT / folder).rglob("*.ipynb")):
            for cell in read_notebook(path).cells:
                yield from [cell.source] if cell.cell_type == "markdown" else strings(cell.source)
    for path in sorted(ROOT.glob("[!.]*/**/*.md")):
        if "node_modules" in path.parts:
            continue  # what npm has installed for the hub
        yield path.read_text(encoding="utf-8")
    for folder in ("lib/halfspaces/notebook", "exercises/source"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield from strings(path.read_text(encoding="utf-8"))
    for draw in drawn.DRAWN.values():
        for seed in range(DRAWN):
            question = draw(np.random.default_rng(seed))
            yield from [question.text, question.hint, question.explanation, *question.choices]
            yield from question.misconceptions.values()


def strings(source: str) -> Iterator[str]:
    """Yield the texts in a program, but for what explains it; what it puts in becomes a seven."""
    tree = ast.parse(re.sub(r"(?m)^(\s*)[%!].*", r"\1", source))
    passed = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            passed.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            passed |= set(node.values)
            parts = (part.value if isinstance(part, ast.Constant) else "7" for part in node.values)
            yield "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in passed:
            yield node.value
