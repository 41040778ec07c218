"""The rules of the second edition: one story a notebook, within a budget that is counted.

They hold for every notebook that states two times, `**Time:** 20 minutes to read, 50 with
everything`. `FIRST_EDITION` names those that need not do so yet.
"""

import ast
import builtins
import re
import symtable
from collections.abc import Callable, Iterator
from typing import Any

from coursekit.publish.budget import TASK, count, is_hidden
from notebook_rules import (
    Book,
    calls,
    ending,
    find_exercises,
    is_call,
    label,
    parse,
    question_ids,
)

FIRST_EDITION: set[str] = set()  # notebooks that are still to be rewritten
MOST_WORDS = 2500
MOST_CELLS = 80
MOST_MINUTES = 60
MOST_MINUTES_TO_BEGIN = 15  # of notebook 00
WIDEST = 88
WITHOUT_LOOKING = "Without looking"
RETRIEVALS = 3
STEPS = ["A nudge", "The idea", "The first line", "Solution"]
LAST = "10"  # the notebook that may speak of what others have written
SOURCES = [  # how the first edition spoke of lecture notes that no reader has seen
    r"\b(?:our|the|these|those|five|several|other|all|some|two|three|most) sources?\b",
    r"\bsources (?:say|state|print|write|claim|disagree|differ)\b",
    r"\bone of (?:our|the|them) (?:sources|notes)\b",
    r"\b(?:the|our|lecture|five|these|other|some|all|two|three|set of|sets of) notes\b",
    r"\bnotes (?:00\d|say|state|print|write|claim)\b",
    r"\b(?:in|as|often|is|are|was|were|be|been|sometimes|usually) print(?:ed)?\b",
    r"\bprinted (?:proof|bound|form|formula|version|claim|statement|theorem|lemma|text)\b",
    r"\bmisprint",
    r"\bthe inventory\b",
    r"\bdocs/claims",
    r"\b00[0-4]-\d\d\b",
]
DRAWING = r"draw_\w+|set_plane|set_space|new_figure|show|live|proof_player|Still"
AUTHORS = r"[-–*] |\d+\. "
USED_BY_CODE = {"Alpaydin": "digits("}  # data are cited where they are loaded
OWN = re.compile(r"make (?:it|them) your own", re.IGNORECASE)
OWN_TAG = "your-data"


def is_core(book: Book) -> bool:
    """Tell whether a notebook is a lesson of the story."""
    return not book.is_side_path and not book.is_introduction


# How long


def budget(book: Book) -> Iterator[str]:
    """Words, cells and minutes stay within what is agreed."""
    found = count(book.nb.cells)
    minutes = round(found.everything)
    most = MOST_MINUTES_TO_BEGIN if book.is_introduction else MOST_MINUTES
    if found.words > MOST_WORDS:
        yield f"it has {found.words} words in sight, and {MOST_WORDS} are too many"
    if len(book.nb.cells) > MOST_CELLS:
        yield f"it has {len(book.nb.cells)} cells, and {MOST_CELLS} are expected at most"
    if minutes > most:
        yield f"it takes {minutes} minutes, and {most} are expected at most"


def columns(book: Book) -> Iterator[str]:
    """No line of code runs out of its cell."""
    for cell in book.code:
        longest = max(map(len, cell.source.splitlines()), default=0)
        if longest > WIDEST:
            yield f"{label(cell)} is {longest} columns wide, and {WIDEST} fit"
    for exercise in find_exercises(book):
        longest = max(map(len, exercise.solution.splitlines()), default=0)
        if longest > WIDEST:
            yield f"the solution of {exercise.number} is {longest} columns wide"


# What is said


def no_sources(book: Book) -> Iterator[str]:
    """No notebook but the last speaks of notes that its reader has not seen."""
    if book.number == LAST:
        return
    for cell in book.nb.cells:
        text = " ".join(cell.source.split())
        for pattern in SOURCES:
            found = re.search(pattern, text, re.IGNORECASE)
            if found:
                around = text[max(found.start() - 20, 0) : found.end() + 20]
                yield f"cell {cell.id} speaks of sources: …{around}…"


def references_are_used(book: Book) -> Iterator[str]:
    """The text names an author of every reference."""
    cells = [cell.source for cell in book.nb.cells]
    text = "\n".join(cells).partition("\n## References")[0]
    for line in references_of(book):
        names = surnames(line)
        if not names:
            yield f"no author is found in the reference {line[:60]!r}"
        elif not any(is_named(name, text) for name in names):
            yield f"no sentence names {' or '.join(names)}: {line[:60]!r}"


def is_named(name: str, text: str) -> bool:
    """Tell whether a text names an author, or uses the data of that author."""
    in_words = re.search(rf"\b{re.escape(name)}", text)
    return bool(in_words) or name in USED_BY_CODE and USED_BY_CODE[name] in text


def references_of(book: Book) -> list[str]:
    """Return the lines of the section "References"."""
    listed = dict(book.sections()).get("References", "")
    return [line for line in listed.splitlines() if re.match(AUTHORS, line)]


def surnames(reference: str) -> list[str]:
    """Return the surnames that a reference begins with, as far as its title.

    >>> surnames("- V. N. Vapnik, A. Ya. Chervonenkis. On the uniform convergence. *Theory*")
    ['Vapnik', 'Chervonenkis']
    >>> surnames("1. Leo Porter, Beth Simon: *A Study.*")
    ['Porter', 'Simon']
    """
    bare = re.sub(rf"^(?:{AUTHORS})", "", reference)
    # Authors end at a title: in quotes or italics, after a colon, or after a word's full stop.
    people = re.split(r"[*:“\"]|(?<=[^\W\d_]{3})\. ", bare, maxsplit=1)[0]
    parts = re.split(r",| and | & ", people)
    found = [re.findall(r"[^\W\d_][\w'’-]{2,}", part) for part in parts]
    return [words[-1] for words in found if words and words[-1][0].isupper()]


# What is asked


def check_cells(book: Book) -> Iterator[str]:
    """A check cell names its exercise and what the reader has made: no answer stands in it."""
    for exercise in find_exercises(book):
        wanted = f'check_exercise("{exercise.number}", name)'
        call = ending(exercise.check)
        alone = len(parse(exercise.check).body) == 1 and "#" not in exercise.check.source
        if not (alone and is_call(call, "check_exercise") and len(call.args) == 2):
            yield f"{label(exercise.check)} is not just {wanted}"
            continue
        number, answer = call.args
        parts = answer.elts if isinstance(answer, ast.Tuple | ast.List) else [answer]
        if call.keywords or not all(isinstance(part, ast.Name) for part in parts):
            yield f"{label(exercise.check)} checks something else than names: {wanted}"
        if getattr(number, "value", None) != exercise.number:
            yield f"{label(exercise.check)} is below exercise {exercise.number}"


def hints(book: Book) -> Iterator[str]:
    """Help comes in four steps, each in a fold of its own."""
    for exercise in find_exercises(book):
        at = book.nb.cells.index(exercise.check) + 1
        below = book.nb.cells[at].source if at < len(book.nb.cells) else ""
        steps = re.findall(r"<details>\s*<summary>(.*?)</summary>", below)
        if steps != STEPS:
            yield f"the help of exercise {exercise.number} has the steps {steps}, not {STEPS}"


def proof_exercise(book: Book) -> Iterator[str]:
    """A lesson asks for a step of a proof."""
    titles = TASK.findall("\n".join(cell.source for cell in book.prose))
    if is_core(book) and not any(title.endswith("; proof") for title in titles):
        yield "no exercise is marked as a proof: **Exercise N.M (name; proof).**"


def retrieval(book: Book) -> Iterator[str]:
    """A lesson ends with questions that are answered without looking."""
    if not is_core(book):
        return
    heads = [cell for cell in book.prose if f"## {WITHOUT_LOOKING}" in cell.source]
    if not heads:
        yield f"there is no section '## {WITHOUT_LOOKING}'"
        return
    below = Below(book, heads[0])
    if len(question_ids(below)) < RETRIEVALS:
        yield f"{RETRIEVALS} questions are expected under '## {WITHOUT_LOOKING}'"


class Below:
    """Hold the code cells of one section, as far as the next heading of its level."""

    def __init__(self, book: Book, head: Any):
        at = book.nb.cells.index(head) + 1
        self.code = []
        for cell in book.nb.cells[at:]:
            if cell.cell_type == "markdown" and re.search(r"^## ", cell.source, re.MULTILINE):
                break
            if cell.cell_type == "code":
                self.code.append(cell)


# What the code is


def visible_code(book: Book) -> Iterator[str]:
    """Code in sight teaches: it does not draw, does one thing a line, and pads no tables."""
    for cell in book.code:
        if is_hidden(cell):
            continue
        for node in ast.walk(parse(cell)):
            name = node.func if isinstance(node, ast.Call) else None
            drawn = getattr(name, "id", None) or ""
            if re.fullmatch(DRAWING, drawn) or getattr(name, "attr", "") == "still":
                yield f"{label(cell)} draws in sight: {ast.unparse(node)[:50]}"
            if isinstance(node, ast.FormattedValue) and node.format_spec:
                spec = ast.unparse(node.format_spec)
                if re.search(r"[<>^]\d", spec):
                    yield f"{label(cell)} pads what it prints; table(…) makes a table"
        for line in shared_lines(parse(cell)):
            yield f"{label(cell)} has two statements on line {line}"
        if re.search(r"\b0 \* \w+\[0\]", cell.source):
            yield f"{label(cell)} makes zeros by a product; np.zeros(d) says it"


def shared_lines(tree: ast.Module) -> list[int]:
    """Return the lines on which two statements stand."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.stmt):
            continue
        for name in ("body", "orelse", "finalbody"):
            rows = [statement.lineno for statement in getattr(node, name, [])]
            found += [row for row in set(rows) if rows.count(row) > 1]
            if getattr(node, "lineno", None) in rows:
                found.append(node.lineno)
    return found


def names_defined(book: Book) -> Iterator[str]:
    """What a cell uses is defined in a cell above that is no stub and no check."""
    stubs = {exercise.stub.id: exercise for exercise in find_exercises(book) if exercise.stub}
    checks = {exercise.check.id: exercise for exercise in find_exercises(book)}
    known = {*dir(builtins), "display", "__name__"}
    for cell in book.code:
        own = checks[cell.id].stub if cell.id in checks else None
        missing = needs(cell) - known - (defines(own) if own else set())
        if missing:
            yield f"{label(cell)} uses {', '.join(sorted(missing))}, defined in no cell above"
        if cell.id not in stubs and cell.id not in checks:
            known |= defines(cell)


def needs(cell: Any) -> set[str]:
    """Return the names that a cell uses and does not define itself."""
    tables = [symtable.symtable(ast.unparse(parse(cell)), cell.id, "exec")]
    found = set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        found |= {
            symbol.get_name()
            for symbol in table.get_symbols()
            if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module")
        }
    return found - defines(cell)


def defines(cell: Any) -> set[str]:
    """Return the names that a cell leaves behind."""
    table = symtable.symtable(ast.unparse(parse(cell)), cell.id, "exec")
    return {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
    }


def own_data(book: Book) -> Iterator[str]:
    """The data that a reader is asked to change have their tag, and are just X and y."""
    invited = False
    for cell in book.nb.cells:
        if cell.cell_type == "markdown":
            invited = invited or bool(OWN.search(cell.source))
            continue
        if invited and not is_own_data(cell):
            yield f"{label(cell)} is below 'make it your own' and has no tag {OWN_TAG!r}"
        if is_own_data(cell) and defines(cell) != {"X", "y"}:
            yield f"{label(cell)} is tagged {OWN_TAG!r} and does not set just X and y"
        invited = False


def is_own_data(cell: Any) -> bool:
    """Tell whether a reader is asked to change the data in a cell."""
    return OWN_TAG in cell.metadata.get("tags", [])


def pictures_are_hidden(book: Book) -> Iterator[str]:
    """Questions, predictions and pictures show themselves, and not their source."""
    for cell in book.code:
        asked = any(calls(cell, name) for name in ("Question", "Predict", "live", "proof_player"))
        still = re.search(r"\.still\(", cell.source)
        if (asked or still) and not is_hidden(cell):
            yield f"{label(cell)} shows its source: it is to be hidden"


def live_is_shown(book: Book) -> Iterator[str]:
    """A live picture is shown by the cell that makes it."""
    for cell in book.code:
        made = [
            node.targets[0].id
            for node in parse(cell).body
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and any(is_call(node.value, name) for name in ("live", "proof_player"))
        ]
        if made and getattr(ending(cell), "id", None) != made[-1]:
            yield f"{label(cell)} makes {made[-1]} and does not end with it"


EDITION_RULES: list[Callable[[Book], Iterator[str]]] = [
    budget,
    columns,
    no_sources,
    references_are_used,
    check_cells,
    hints,
    proof_exercise,
    retrieval,
    visible_code,
    names_defined,
    own_data,
    pictures_are_hidden,
    live_is_shown,
]
