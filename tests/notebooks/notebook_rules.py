"""The conventions as rules: each takes a notebook and says in sentences what breaks it."""

import ast
import re
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import nbformat
import numpy as np
from coursekit.contents import is_side_path, number_of
from coursekit.publish.budget import states_both_times
from coursekit.publish.refresh import clean

TAGS = {"live-code", "solution", "nbval-ignore-output", "your-data"}
KINDS = "Definition|Theorem|Lemma|Proposition|Corollary|Algorithm|Example"
MODULES = {"halfspaces", "numpy", "matplotlib", "ipywidgets"} | set(sys.stdlib_module_names)
MODULES_BY_NUMBER = {
    "0": {"IPython"},
    "8": {"sklearn"},
    "8b": {"sklearn"},
    "9": {"sklearn"},
    "9b": {"sklearn"},
}
NUMBER = r"\d+b?\.\d+"  # of a section, a statement, an exercise
EXERCISE = rf"^\*\*Exercise ({NUMBER}) \("
CHECKS = ("check", "check_exercise")
VIEWS = ("live", "proof_player")
HOMEWORK = "../exercises/README.md"
SHORTEST_ALT = 20
MOST_STATEMENTS = 15
TALLEST_CELL = 40
LARGEST_FILE = 1_000_000


class Book:
    """Give names to the parts of a notebook."""

    def __init__(self, path: Path):
        self.path = path
        self.nb = nbformat.read(path, 4)
        self.prefix = number_of(path)  # "05b", by which the ids of its questions begin
        self.number = self.prefix.lstrip("0") or "0"  # "5b", as it stands in the text
        self.is_introduction = self.number == "0"
        self.is_side_path = is_side_path(path)
        self.is_second_edition = states_both_times(self.nb)
        self.code = [cell for cell in self.nb.cells if cell.cell_type == "code"]
        self.prose = [cell for cell in self.nb.cells if cell.cell_type == "markdown"]

    @cached_property
    def text(self) -> str:
        """All prose, without its code."""
        return re.sub(
            r"```.*?```", "", "\n\n".join(cell.source for cell in self.prose), flags=re.DOTALL
        )

    @cached_property
    def headings(self) -> list[tuple[int, str]]:
        """Level and text of each heading, without marks."""
        found = re.findall(r"^(#{1,6}) +(.+?) *$", self.text, re.MULTILINE)
        return [(len(marks), re.sub(r"[*`$]", "", text)) for marks, text in found]

    def anchors(self) -> set[str]:
        """Return what JupyterLab calls the headings in links."""
        return {text.replace(" ", "-") for _, text in self.headings}

    def sections(self) -> Iterator[tuple[str, str]]:
        """Return title and text of each section of the second level."""
        parts = re.split(r"^## +(.+?) *$", self.text, flags=re.MULTILINE)
        return zip(parts[1::2], parts[2::2])

    def neighbours(self) -> list[str]:
        """Return the names of the notebooks before and after this one."""
        names = sorted(path.name for path in self.path.parent.glob("*.ipynb"))
        at = names.index(self.path.name)
        return names[max(at - 1, 0) : at] + names[at + 1 : at + 2]

    def labels(self) -> list[str]:
        """Return what others can refer to, such as "Theorem 5.1", in order."""
        return [
            f"{kind} {number}"
            for kind, number in re.findall(
                rf"^(?:> ?)?\*\*({KINDS}) ({NUMBER})", self.text, re.MULTILINE
            )
        ]

    def exercises(self) -> list[str]:
        """Return the numbers of the exercises, in order."""
        return re.findall(EXERCISE, self.text, re.MULTILINE)


@dataclass(frozen=True)
class Exercise:
    """Hold the cells of one exercise and the code of its folded solution."""

    number: str
    stub: Any
    check: Any
    solution: str


def find_exercises(book: Book) -> list[Exercise]:
    """Find each cell that ends with a check, its stub and task above and its solution below."""
    found, number, stub = [], "", None
    for cell, after in zip(book.nb.cells, [*book.nb.cells[1:], None]):
        if cell.cell_type == "markdown":
            number = (re.findall(EXERCISE, cell.source, re.MULTILINE) or [number])[-1]
        elif any(is_call(ending(cell), name) for name in CHECKS):
            found.append(Exercise(number, stub, cell, solution_in(after)))
        else:
            stub = cell
    return found


def solution_in(cell: Any) -> str:
    """Return the code of the folded solution in a cell."""
    fold = cell and re.search(
        r"<details>\s*<summary>Solution.*?</summary>(.*?)</details>", cell.source, re.DOTALL
    )
    return (
        "\n".join(re.findall(r"^```python\n(.*?)^```", fold[1], re.DOTALL | re.MULTILINE))
        if fold
        else ""
    )


def label(cell: Any) -> str:
    """Name a code cell by its count and first line."""
    return f"cell [{cell.execution_count}], {(cell.source.splitlines() or [''])[0]!r},"


def parse(cell: Any) -> ast.Module:
    """Return the syntax tree of a cell, empty if it is not Python."""
    try:
        return ast.parse(cell.source)
    except SyntaxError:
        return ast.parse("")


def is_call(node: ast.AST | None, name: str) -> bool:
    """Tell whether a node calls the function of that name (and no method)."""
    return isinstance(node, ast.Call) and getattr(node.func, "id", None) == name


def calls(cell: Any, name: str) -> list[ast.Call]:
    """Return the calls of a function in a cell."""
    return [node for node in ast.walk(parse(cell)) if is_call(node, name)]


def ending(cell: Any) -> ast.expr | None:
    """Return the expression that a cell ends with, which is what it displays."""
    last = parse(cell).body[-1:]
    return last[0].value if last and isinstance(last[0], ast.Expr) else None


# What a cell may be


def executed(book: Book) -> Iterator[str]:
    """Every code cell was run, in order."""
    if [cell.execution_count for cell in book.code] != list(range(1, len(book.code) + 1)):
        yield "not every code cell was run, in order: python3 course.py refresh"
    if not all(cell.source.strip() for cell in book.nb.cells):
        yield "a cell is empty"


def plain_python(book: Book) -> Iterator[str]:
    """Cells hold Python alone, and import what every reader has."""
    allowed = MODULES | MODULES_BY_NUMBER.get(book.number, set())
    for cell in book.code:
        try:
            tree = ast.parse(cell.source)
        except SyntaxError:
            yield f"{label(cell)} is not plain Python (no magics, no shell)"
            continue
        for node in ast.walk(tree):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            yield from (
                f"{label(cell)} imports {name}"
                for name in names
                if name.split(".")[0] not in allowed
            )


def statements(cell: Any) -> int:
    """Count the statements, which cannot be squeezed as lines can; docstrings are none."""
    nodes = [node for node in ast.walk(parse(cell)) if isinstance(node, ast.stmt)]
    return sum(
        not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in nodes
    )


def short_cells(book: Book) -> Iterator[str]:
    """Nine in ten code cells have at most 15 statements, and none is tall.

    Questions and predictions do not count: their source is hidden.
    """
    cells = [cell for cell in book.code if not calls(cell, "Question") + calls(cell, "Predict")]
    counts = [statements(cell) for cell in cells]
    if counts and np.percentile(counts, 90) > MOST_STATEMENTS:
        yield (
            f"a tenth of the code cells have more than {MOST_STATEMENTS} statements: "
            f"the longest have {sorted(counts)[-3:]}"
        )
    for cell in cells:
        lines = len(re.findall(r"\S.*", cell.source))
        if lines > TALLEST_CELL:
            yield f"{label(cell)} has {lines} lines, and {TALLEST_CELL} are expected at most"


def one_thing_a_line(book: Book) -> Iterator[str]:
    """No line joins calls by commas or assigns inside an expression."""
    for cell in book.code:
        for node in ast.walk(parse(cell)):
            value = getattr(node, "value", None)
            if isinstance(node, ast.NamedExpr):
                yield f"{label(cell)} assigns to {node.target.id} inside an expression"
            if not isinstance(value, ast.Tuple) or value is ending(cell):
                continue
            joined = any(isinstance(part, ast.Call) for part in value.elts)
            if joined and isinstance(node, ast.Expr):
                yield f"{label(cell)} joins calls by commas: {ast.unparse(node)}"
            if joined and isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
                yield f"{label(cell)} assigns several things at once: {ast.unparse(node)}"


def good_outputs(book: Book) -> Iterator[str]:
    """No output is an error or a warning."""
    for cell in book.code:
        for output in cell.outputs:
            if output.output_type == "error" or output.get("name") == "stderr":
                yield f"{label(cell)} shows {output.get('ename', 'text on stderr')}"
            if re.search(
                r"\bat 0x[0-9a-f]+",
                str(output.get("data", {}).get("text/plain")) + output.get("text", ""),
            ):
                yield f"{label(cell)} shows an address in memory"


def known_tags(book: Book) -> Iterator[str]:
    """Tags are on the list, and only a live view goes unchecked."""
    for cell in book.nb.cells:
        tags = set(cell.metadata.get("tags", []))
        yield from (
            f"unknown tag {tag!r}: there are {', '.join(sorted(TAGS))}"
            for tag in sorted(tags - TAGS)
        )
        shown = [output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", [])]
        if "nbval-ignore-output" in tags and not any(
            text.startswith("Live picture") for text in shown
        ):
            yield f"{label(cell)} has nbval-ignore-output and shows no live view"


def alt_texts(book: Book) -> Iterator[str]:
    """Every picture has alt text."""
    for cell in book.code:
        for output in cell.outputs:
            alt = output.get("metadata", {}).get("image/png", {}).get("alt", "")
            if "image/png" in output.get("data", {}) and len(alt) < SHORTEST_ALT:
                yield f"{label(cell)} shows a picture with the alt text {alt!r}"
    for alt in re.findall(r"!\[(.*?)\]\(", book.text, re.DOTALL):
        if len(alt) < SHORTEST_ALT:
            yield f"a picture in the text has the alt text {alt!r}"


def clean_file(book: Book) -> Iterator[str]:
    """The file is as refresh writes it, and not large."""
    if nbformat.writes(clean(deepcopy(book.nb))) + "\n" != book.path.read_text("utf-8"):
        yield "the file is not clean: python3 course.py refresh"
    if book.path.stat().st_size >= LARGEST_FILE:
        yield f"the file has {book.path.stat().st_size:,} bytes, and {LARGEST_FILE:,} are too many"


# What a notebook has


def opening(book: Book) -> Iterator[str]:
    """It opens with its title, time, objectives and prerequisites."""
    first = book.nb.cells[0].source
    start = "# " if book.is_introduction else f"# {book.number} · "
    if not first.startswith(start) or [level for level, _ in book.headings].count(1) != 1:
        yield f"the first cell starts with the only title, '{start}…'"
    parts = {
        "**Time:** N minutes": r"\*\*Time:\*\* \d+ minutes",
        "**You will:**": r"\*\*You will:\*\*",
        "**Before this:**": r"\*\*Before this:\*\*",
    }
    missing = [part for part, pattern in parts.items() if not re.search(pattern, first)]
    yield from (f"{part} is missing in the first cell" for part in missing)


def timing(book: Book) -> Iterator[str]:
    """Each numbered section says how many minutes in the reader is."""
    numbered = [(title, text) for title, text in book.sections() if re.match(rf"{NUMBER} ", title)]
    numbers = [title.split()[0] for title, _ in numbered]
    if numbers != [f"{book.number}.{k}" for k in range(1, len(numbers) + 1)] or not numbers:
        yield f"sections are not numbered {book.number}.1, {book.number}.2, …: {numbers}"
    for title, text in numbered:
        if not re.match(r"\s*\*Timing to here: \d+ minutes?\.\*", text):
            yield f"'*Timing to here: N minutes.*' is missing below '## {title}'"
    minutes = [int(m) for m in re.findall(r"\*Timing to here: (\d+)", book.text)]
    total = re.search(r"\*\*Time:\*\* (?:\d+ minutes to read, )?(\d+)", book.text)
    if minutes != sorted(minutes) or total and minutes and minutes[-1] >= int(total[1]):
        yield f"minutes do not grow up to the whole time: {minutes}"


def closing(book: Book) -> Iterator[str]:
    """It closes with a take-away, references, and links to its neighbours and its homework."""
    titles = [title for title, _ in book.sections()]
    if "Take-away" not in titles or titles[-1] != "References":
        yield f"'## Take-away' and, last of all, '## References' are missing: {titles[-3:]}"
    for name in [*book.neighbours(), HOMEWORK]:
        if f"({name})" not in book.nb.cells[-1].source:
            yield f"the last cell has no link to {name}"


def live_views(book: Book) -> Iterator[str]:
    """It has two live views or more, each shown, and followed later by its static twin.

    One will do for a side path.
    """
    made = [
        target.id
        for cell in book.code
        for node in parse(cell).body
        if isinstance(node, ast.Assign) and any(is_call(node.value, name) for name in VIEWS)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    shown = {getattr(ending(cell), "id", None): i for i, cell in enumerate(book.code)}
    stills = {
        match: i
        for i, cell in enumerate(book.code)
        for match in re.findall(r"(\w+)\.still\(", cell.source)
    }
    least = 0 if book.is_introduction else 1 if book.is_side_path else 2
    if len(made) < least:
        yield f"it has {len(made)} live views (name = live(…)), and {least} are expected"
    for name in made:
        if name not in shown:
            yield f"no cell ends with the live view {name}"
        elif stills.get(name, -1) <= shown[name]:
            yield f"no cell after the live view {name} has {name}.still(…)"


def question_ids(book: Book) -> list[str]:
    """Return the ids of its questions."""
    return ids_of(book, "Question")


def ids_of(book: Book, name: str) -> list[str]:
    """Return the ids of its questions or of its predictions."""
    return [
        keyword.value.value
        for cell in book.code
        for call in calls(cell, name)
        for keyword in call.keywords
        if keyword.arg == "id" and isinstance(keyword.value, ast.Constant)
    ]


def questions(book: Book) -> Iterator[str]:
    """It has two questions or more, each at the end of its cell, with an id of its own."""
    cells = [cell for cell in book.code if calls(cell, "Question")]
    ids = question_ids(book)
    if len(cells) < 2 and not book.is_introduction:
        yield f"it has {len(cells)} questions, and 2 are expected"
    for cell in cells:
        if len(calls(cell, "Question")) > 1 or not is_call(ending(cell), "Question"):
            yield f"{label(cell)} does not end with its only Question(…)"
    if (
        len(ids) < len(cells)
        or len(set(ids)) < len(ids)
        or not all(i.startswith(f"{book.prefix}-") for i in ids)
    ):
        yield f"questions have no ids of their own that start with '{book.prefix}-': {ids}"


def predictions(book: Book) -> Iterator[str]:
    """Each prediction has a name and an id of its own, ends its cell, and is revealed later."""
    cells = [cell for cell in book.code if calls(cell, "Predict")]
    ids = ids_of(book, "Predict")
    if len(ids) < len(cells) or len(set(ids)) < len(ids):
        yield f"predictions have no ids of their own: {ids}"
    yield from (
        f"the id {i!r} of a prediction does not start with '{book.prefix}-'"
        for i in ids
        if not i.startswith(f"{book.prefix}-")
    )
    revealed = {
        name: at
        for at, cell in enumerate(book.code)
        for name in re.findall(r"\b(\w+)\.reveal\(", cell.source)
    }
    for cell in cells:
        shown = getattr(ending(cell), "id", None)
        if shown is None or len(calls(cell, "Predict")) > 1:
            yield f"{label(cell)} does not end with the name of its only Predict(…)"
        elif revealed.get(shown, -1) <= book.code.index(cell):
            yield f"no cell after the prediction {shown} has {shown}.reveal(…)"


def exercises(book: Book) -> Iterator[str]:
    """It has some exercises: task, stub, check, solution."""
    found, numbers = find_exercises(book), book.exercises()
    least = 1 if book.is_side_path else 2 if book.is_second_edition else 3
    if not least <= len(numbers) <= 5 and not book.is_introduction:
        yield f"it has {len(numbers)} exercises, and {least} to 5 are expected"
    if numbers != [f"{book.number}.{k}" for k in range(1, len(numbers) + 1)]:
        yield f"exercises are not numbered {book.number}.1, {book.number}.2, …: {numbers}"
    if [exercise.number for exercise in found] != numbers:
        checked = [exercise.number for exercise in found]
        yield f"tasks are {numbers}, and cells that end with a check belong to {checked}"
    for exercise in found:
        here = f"exercise {exercise.number}"
        if not exercise.stub or "..." not in exercise.stub.source:
            yield f"{here}: the code cell before its check has no ... to replace"
        if not exercise.solution:
            yield f"{here}: the cell after its check has no folded Solution with ```python in it"


# What holds between notebooks


def numbering(book: Book) -> Iterator[str]:
    """Definitions, theorems and the like share one count."""
    numbers = [text.split()[1] for text in book.labels()]
    if numbers != [f"{book.number}.{k}" for k in range(1, len(numbers) + 1)]:
        wanted = f"{book.number}.1, {book.number}.2, …"
        yield f"definitions and theorems are not numbered {wanted} in order: {numbers}"


def references(book: Book) -> Iterator[str]:
    """What a notebook refers to exists, as far as the notebook it is in does."""
    others = {other.number: other for other in map(Book, book.path.parent.glob("*.ipynb"))}
    known = {
        n: {*other.labels(), *(f"Exercise {e}" for e in other.exercises())}
        for n, other in others.items()
    }
    text = "\n".join(cell.source for cell in book.nb.cells)
    for kind, number in sorted(set(re.findall(rf"\b({KINDS}|Exercise)s? ({NUMBER})", text))):
        home = known.get(number.split(".")[0])
        if home is not None and f"{kind} {number}" not in home:
            yield f"there is no {kind} {number}"


def links(book: Book) -> Iterator[str]:
    """Links inside the course resolve, headings included."""
    text = re.sub(r"\$\$.+?\$\$|\$.+?\$|`.+?`", "", book.text, flags=re.DOTALL)
    targets = re.findall(r"\]\(<?([^)\s>]+)", text) + re.findall(r"(?:href|src)=\"([^\"]+)\"", text)
    for target in targets:
        if re.match(r"https?:|mailto:", target):
            continue
        file, _, anchor = unquote(target).partition("#")
        path = book.path.parent / file if file else book.path
        if not path.exists():
            yield f"the link {target} leads nowhere"
        elif anchor and path.suffix == ".ipynb" and anchor not in Book(path).anchors():
            yield f"the link {target} leads to no heading"


def unique_questions(book: Book) -> Iterator[str]:
    """No other notebook has a question or a prediction of the same id."""
    others = [
        i
        for path in book.path.parent.glob("*.ipynb")
        if path != book.path
        for i in all_ids(Book(path))
    ]
    yield from (f"another notebook has a question {i!r} too" for i in all_ids(book) if i in others)


def all_ids(book: Book) -> list[str]:
    """Return the ids of its questions and predictions."""
    return question_ids(book) + ids_of(book, "Predict")


RULES: list[Callable[[Book], Iterator[str]]] = [
    executed,
    plain_python,
    short_cells,
    one_thing_a_line,
    good_outputs,
    known_tags,
    alt_texts,
    clean_file,
    opening,
    timing,
    closing,
    live_views,
    questions,
    predictions,
    exercises,
    numbering,
    references,
    links,
    unique_questions,
]
