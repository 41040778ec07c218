"""The rules: a sample notebook keeps them all, and each fails when the sample breaks it."""

import re

import nbformat
import pytest
from coursekit.publish import refresh
from edition_rules import EDITION_RULES, surnames
from halfspaces.notebook.live import Slider, live
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from notebook_rules import RULES, Book
from notebook_runs import run
from test_own_data import BAD, assert_survives
from test_solutions import assert_checks
from test_views import assert_behaves

QUESTION = """\
Question(
    id="77-{}", text="Is $1 < 2$? See Theorem 77.2.",
    choices=["Yes.", "No."], answer="A",
    misconceptions={{"B": "It is."}}, hint="Count.", explanation="It is.")"""
VIEW = '''\
def {0}_view(fig):
    """A line through the origin that the slider tilts."""
    line, = fig.add_subplot().plot([0, 1], [0, 0])
    def update(slope):
        line.set_ydata([0, slope])
        return {{"slope": slope}}
    return update

{0} = live({0}_view, slope=Slider(-1, 1, 0.5, value=0.5))
{0}'''
HELP = """\
<details><summary>A nudge</summary>

Think.

</details>
<details><summary>The idea</summary>

Add.

</details>
<details><summary>The first line</summary>

`return`

</details>
<details><summary>Solution</summary>

```python
{}
```

</details>"""
MODELS = '''\
"""What is expected in the sample."""
from halfspaces.notebook.exercises import Exercise, Trap

EXERCISES = {
    "77.1": Exercise(lambda x: 2 * x, [1, 2], traps=[Trap(lambda x: x, "Twice.")]),
    "77.2": Exercise(lambda x: 4 * x, [1, 2]),
    "77.3": Exercise(322),
}
'''


def text(source):
    return new_markdown_cell(source)


def code(source, **metadata):
    return new_code_cell(source, metadata=metadata)


def hidden(source):
    return code(source, jupyter={"source_hidden": True})


def sample_cells():
    """Return the cells of a notebook that keeps every rule."""
    return [
        text(
            "# 77 · The perceptron\n\n"
            "**Time:** 0 minutes to read, 0 with everything\n\n"
            "**Before this:** [76](76-other.ipynb)\n\n**You will:**\n\n- learn"
        ),
        code("import numpy as np"),
        hidden(
            "from halfspaces.notebook import models\n"
            "from halfspaces.notebook.exercises import check_exercise\n"
            "from halfspaces.notebook.live import Slider, live\n"
            "from halfspaces.notebook.questions import Predict, Question\n\n"
            'models.__path__.append("models")'
        ),
        text(
            "## 77.1 First things\n\n*Timing to here: 0 minutes.*\n\n"
            "> **Definition 77.1 (Tie).** $y\\langle w,x\\rangle=0$, as in Definition 76.1 of "
            "Rosenblatt; **make them your own**."
        ),
        code("X = np.array([[1, 2]])\ny = np.array([1])", tags=["your-data"]),
        code("least = (X @ X[0]).min()\nprint(least)"),
        code('guess = Predict(id="77-guess", text="How?", number="points", why="So.")\nguess'),
        code("guess.reveal(2)"),
        hidden(VIEW.format("tilt")),
        hidden("tilt.still()"),
        hidden(VIEW.format("turn")),
        hidden("turn.still(slope=-1)"),
        text(
            "## 77.2 More\n\n*Timing to here: 0 minutes.*\n\n"
            "**Theorem 77.2 (Stop).** It stops; see [above](#77.1-First-things), Exercise 77.1 and "
            "[Take-away](76-other.ipynb#Take-away), but not theorem 7."
        ),
        code(QUESTION.format("one")),
        code(QUESTION.format("two")),
        text("**Exercise 77.1 (Double).** Double it."),
        code("def double(x):\n    return ...  # your code here"),
        code('check_exercise("77.1", double)'),
        text(HELP.format("def double(x):\n    return 2 * x")),
        text("**Exercise 77.2 (Quadruple; proof).** With `double`."),
        code("def quadruple(x):\n    return ..."),
        code('check_exercise("77.2", quadruple)'),
        text(HELP.format("def quadruple(x):\n    return double(double(x))")),
        text("**Exercise 77.3 (A number).** How many?"),
        code("many = ..."),
        code('check_exercise("77.3", many)'),
        text(HELP.format("many = 322")),
        text("## Take-away\n\nIt stops."),
        text("## Without looking\n\nThree questions."),
        *(code(QUESTION.format(name)) for name in ("three", "four", "five")),
        text(
            "## What is loose\n\nNothing.\n\n## References\n\n"
            "- F. Rosenblatt, A. N. Other. The perceptron. *Review* 65, 1958.\n\n"
            "[← previous](76-other.ipynb) · [homework](../exercises/README.md) · "
            "[next →](78-other.ipynb)"
        ),
    ]


OTHER = "# 76 · Other\n\n**Definition 76.1 (X).** x\n\n## Take-away\n\nx"


def write_others(folder) -> None:
    (folder.parent / "exercises").mkdir(exist_ok=True)
    (folder.parent / "exercises/README.md").touch()
    (folder / "models").mkdir()
    (folder / "models/n77.py").write_text(MODELS, "utf-8")
    for number in ("76", "78"):
        other = new_notebook(cells=[text(OTHER.replace("76", number))])
        nbformat.write(other, folder / f"{number}-other.ipynb")


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """Make a small course and run its notebook 77."""
    folder = tmp_path_factory.mktemp("course") / "notebooks"
    folder.mkdir()
    write_others(folder)
    path = folder / "77-sample.ipynb"
    nbformat.write(new_notebook(cells=sample_cells()), path)
    assert refresh.refresh(path)
    return path


def test_the_sample_keeps_every_rule(sample):
    book = Book(sample)
    assert book.is_second_edition
    assert [problem for rule in RULES + EDITION_RULES for problem in rule(book)] == []


def cell(text):
    return lambda nb: next(cell for cell in nb.cells if text in cell.source)


def replace(old, new):
    def change(nb):
        found = cell(old)(nb)
        found.source = found.source.replace(old, new, 1)

    return change


def drop(text):
    return lambda nb: nb.cells.remove(cell(text)(nb))


def on(text, action):
    return lambda nb: action(cell(text)(nb))


def add_output(**output):
    return lambda cell: cell.outputs.append(nbformat.from_dict(output))


def tag(name):
    return lambda cell: cell.metadata.update(tags=[name])


def changed(sample, tmp_path, change):
    """Write a copy of the sample with one change, beside the same neighbours."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    write_others(folder)
    nb = nbformat.read(sample, 4)
    change(nb)
    nbformat.write(nb, folder / "77-sample.ipynb")
    return folder / "77-sample.ipynb"


def retime(section, minutes):
    def change(nb):
        found = cell(section)(nb)
        found.source = re.sub(r"here: \d+", f"here: {minutes}", found.source)

    return change


def unhide(cell):
    cell.metadata.pop("jupyter", None)


def add_cells(*cells):
    return lambda nb: nb.cells.extend(cells)


STUB = "many = ..."
PLAIN = "print(least)"  # a line of code in sight
BREAKS = {
    "executed": [
        on(STUB, lambda cell: cell.update(execution_count=99)),
        on(STUB, lambda cell: cell.update(source=" ")),
    ],
    "plain_python": [
        replace(STUB, "%time many = ..."),
        replace(STUB, "import sklearn"),
        replace(STUB, "from scipy.linalg import svd"),
        replace(STUB, "import coursekit.lab"),
    ],
    "short_cells": [
        lambda nb: [
            replace(f"def {n}_", "print()\n" * 20 + f"def {n}_")(nb) for n in ("tilt", "turn")
        ],
        replace(STUB, "many = (" + "\n1 +" * 41 + "1)"),
    ],
    "one_thing_a_line": [
        replace(STUB, "print(1), print(2)\nmany = ..."),
        replace(STUB, "few, many = len([]), ..."),
        replace(STUB, "many = (few := ...)"),
    ],
    "good_outputs": [
        on(STUB, add_output(output_type="stream", name="stderr", text="Warning")),
        on(STUB, add_output(output_type="error", ename="E", evalue="", traceback=[])),
        on(STUB, add_output(output_type="stream", name="stdout", text="<f at 0x7f12>")),
    ],
    "known_tags": [on(STUB, tag("hide-celll")), on(STUB, tag("nbval-ignore-output"))],
    "alt_texts": [
        on("tilt.still()", lambda cell: cell.outputs[0].metadata.pop("image/png")),
        on(
            "tilt.still()", lambda cell: cell.outputs[0].metadata["image/png"].update(alt="A line.")
        ),
        replace("It stops.", "![line](76-other.ipynb)"),
    ],
    "clean_file": [
        lambda nb: nb.metadata.update(author="x"),
        on(STUB, lambda cell: cell.metadata.update(execution={})),
        lambda nb: nb.metadata.language_info.update(version="3.11"),
        on("Question(", lambda cell: cell.metadata.clear()),
        on("Predict(", lambda cell: cell.metadata.clear()),
        replace("It stops.", "It stops." * 120_000),
        replace("minutes to read, ", "minutes to read, 1"),
        retime("## 77.2", 59),
    ],
    "opening": [
        replace("# 77 · The", "# The"),
        replace("# 77 · The", "# 5 · The"),
        replace("## 77.2 More", "# 77.2 More"),
        replace(" minutes to read", " hours to read"),
        replace("**You will:**", "You"),
        replace("**Before this:**", ""),
    ],
    "timing": [
        replace("*Timing to here: ", "*Timing: "),
        retime("## 77.2", 99),
        retime("## 77.1", 98),
        replace("## 77.2 More", "## 77.3 More"),
        replace("## 77.2 More", "## 76.2 More"),
    ],
    "closing": [
        replace("## Take-away", "## Summary"),
        drop("## Take-away"),
        replace("(78-other.ipynb)", ""),
        replace("← previous](76-other.ipynb)", "]"),
        replace("(../exercises/README.md)", ""),
        replace("## References", "### References"),
    ],
    "live_views": [
        drop("turn.still"),
        replace("turn = live(", "turn = other("),
        replace("\nturn", "\n0"),
        lambda nb: nb.cells.insert(8, nb.cells.pop(9)),
    ],
    "questions": [
        lambda nb: [drop("Question(\n")(nb) for _ in range(4)],
        replace('"77-two"', '"76-two"'),
        replace('"77-two"', '"77-one"'),
        replace('Question(\n    id="77-two"', 'q = Question(\n    id="77-two"'),
        replace('id="77-two",', ""),
    ],
    "predictions": [
        drop("guess.reveal"),
        replace('id="77-guess"', 'id="78-guess"'),
        replace('id="77-guess", ', ""),
        replace("\nguess", "\n0"),
        lambda nb: nb.cells.insert(6, nb.cells.pop(7)),
    ],
    "exercises": [
        drop("**Exercise 77.3"),
        replace("**Exercise 77.3", "**Exercise 77.4"),
        replace(STUB, "many = 1"),
        drop("many = 322"),
        replace("```python\nmany", "```\nmany"),
        replace('check_exercise("77.3"', 'c = check_exercise("77.3"'),
        drop('check_exercise("77.3"'),
    ],
    "numbering": [
        replace("**Theorem 77.2", "**Theorem 77.3"),
        replace("**Theorem 77.2", "**Theorem 77.1"),
        replace("**Definition 77.1", "**Definition 76.1"),
    ],
    "references": [
        replace("Definition 76.1 of", "Definition 76.2 of"),
        replace("Definition 76.1 of", "Theorem 76.1 of"),
        replace("Exercise 77.1 and", "Exercise 77.9 and"),
        replace("See Theorem 77.2", "See Lemma 77.2"),
    ],
    "links": [
        replace("(#77.1-First-things)", "(#77.1-First)"),
        replace("76-other.ipynb#Take-away", "76-other.ipynb#No"),
        replace("(76-other.ipynb#Take-away)", "(missing.py)"),
    ],
    "budget": [
        replace("It stops.", "word " * 2501),
        add_cells(*(text("word") for _ in range(60))),
        replace(PLAIN, "print(1)\n" * 600),
    ],
    "columns": [
        replace(PLAIN, f"print({'1' * 90})"),
        replace("Predict(", f"Predict({' ' * 90}"),
        replace("    return 2 * x", f"    return 2 * x  # {'long ' * 20}"),
    ],
    "no_sources": [
        replace("It stops.", "It stops, as one of our sources says."),
        replace("It stops.", "The printed proof is wrong."),
        replace("It stops.", "It is in print."),
        replace("It stops.", "The notes disagree."),
        replace("It stops.", "See claim 003-41."),
        replace('hint="Count."', 'hint="Two sources\\nsay so."'),
    ],
    "references_are_used": [
        replace(" of Rosenblatt", ""),
        replace("- F. Rosenblatt, A. N. Other. The perceptron.", "- perceptrons."),
        replace("## References\n", "## References\n\n1. R. A. Fisher: *Iris*, 1936."),
    ],
    "check_cells": [
        replace('check_exercise("77.3", many)', 'check_exercise("77.3", 322)'),
        replace('check_exercise("77.3", many)', 'check_exercise("77.3", (many, 322))'),
        replace('check_exercise("77.3", many)', 'check_exercise("77.2", many)'),
        replace('check_exercise("77.3", many)', "check(many, 322)"),
        replace('check_exercise("77.3"', 'few = 1\ncheck_exercise("77.3"'),
        replace('check_exercise("77.3", many)', 'check_exercise("77.3", many)  # 322'),
    ],
    "hints": [
        replace("<summary>A nudge", "<summary>Nudge"),
        replace("<details><summary>The idea</summary>", "<details><summary>Idea</summary>"),
        drop("<summary>The first line"),
    ],
    "proof_exercise": [replace("; proof)", ")")],
    "retrieval": [replace("## Without looking", "## Questions"), drop('"77-five"')],
    "visible_code": [
        on("turn_view", unhide),
        replace(PLAIN, "print(least); print(1)"),
        replace(PLAIN, "if least: print(least)"),
        replace(PLAIN, 'print(f"{least:>8}")'),
        replace(PLAIN, "w = 0 * X[0]"),
        replace(PLAIN, "draw_points(X)"),
    ],
    "names_defined": [
        replace(PLAIN, "print(double(3))"),
        replace(PLAIN, "print(most)"),
        replace(PLAIN, "def f(x):\n    return most"),
        replace("tilt.still()", "many"),
        replace("import numpy as np", "import numpy"),
        lambda nb: nb.cells.insert(4, nb.cells.pop(5)),
    ],
    "own_data": [
        on("X = ", lambda cell: cell.metadata.clear()),
        replace("y = np", "n = 1\ny = np"),
        replace("y = np", "z = np"),
        on(PLAIN, tag("your-data")),
    ],
    "pictures_are_hidden": [
        on("turn_view", unhide),
        on("turn.still", unhide),
        on("Question(\n", unhide),
        on("Predict(id", unhide),
    ],
    "live_is_shown": [replace(")\nturn", ")\n0")],
}


@pytest.mark.parametrize(
    ("name", "change"), [(name, change) for name in BREAKS for change in BREAKS[name]]
)
def test_each_rule_fails_when_it_should(sample, tmp_path, name, change):
    rule = next(rule for rule in RULES + EDITION_RULES if rule.__name__ == name)
    assert list(rule(Book(changed(sample, tmp_path, change))))


def test_no_rule_is_untried():
    names = {rule.__name__ for rule in RULES + EDITION_RULES}
    assert set(BREAKS) | {"unique_questions"} == names


def test_two_notebooks_may_not_share_a_question(sample, tmp_path):
    for name in ("77-a", "77-b"):
        (tmp_path / f"{name}.ipynb").write_bytes(sample.read_bytes())
    assert list(RULES[-1](Book(tmp_path / "77-a.ipynb")))


def test_solutions_and_stubs_of_the_sample(sample):
    assert list(run(sample).checks) == ["77.1", "77.2", "77.3"]  # 77.2 needs 77.1
    assert_checks(run(sample).checks)


@pytest.mark.parametrize(
    "change",
    [
        replace("return 2 * x\n```", "return 3 * x\n```"),
        replace(STUB, "many = 0"),
        replace("many = 322\n", "many = 323\n"),
    ],
)
def test_wrong_solutions_and_solved_stubs_are_noticed(sample, tmp_path, change):
    with pytest.raises(AssertionError):
        assert_checks(run(changed(sample, tmp_path, change)).checks)


def test_views_of_the_sample_are_found(sample):
    views = run(sample).views
    assert len(views) == 2
    for view in views:
        assert_behaves(view)


@pytest.mark.parametrize(
    "update",
    [
        lambda a: {"x": float("nan")},
        lambda a: {"x": 1 / (a - 8)},
        lambda a: "nan points",
        lambda a: {"x": 1 / (a - 4)},
    ],
)
def test_views_that_misbehave_are_noticed(update):
    with pytest.raises((AssertionError, ZeroDivisionError)):
        assert_behaves(live(lambda fig: update, a=Slider(0, 8)))


def test_every_extreme_is_visited():
    seen = set()
    view = live(
        lambda fig: lambda **chosen: seen.add(tuple(chosen.values())) or {},
        a=Slider(0, 9),
        b=Slider(1, 5),
    )
    assert_behaves(view)
    assert {(0, 1), (0, 5), (9, 1), (9, 5)} < seen and len(seen) > 20


@pytest.mark.parametrize(
    ("reference", "names"),
    [
        ("- V. N. Vapnik, A. Ya. Chervonenkis. On the uniform. *Theory*", "Vapnik Chervonenkis"),
        ("1. Leo Porter, Beth Simon: *A Study.*", "Porter Simon"),
        ('1. J. Håstad, "On the size of weights", *SIAM*', "Håstad"),
        ("- H. D. Block and S. A. Levin. On the boundedness. *AMS*", "Block Levin"),
        ("- W. Karush. *Minima of Functions*. Chicago, 1939.", "Karush"),
    ],
)
def test_surnames_are_found_however_a_reference_is_written(reference, names):
    assert surnames(reference) == names.split()


@pytest.mark.parametrize("kind", BAD)
def test_the_sample_survives_data_of_any_kind(sample, kind):
    assert_survives(sample, kind)


def test_cells_that_do_not_survive_are_noticed(sample, tmp_path):
    path = changed(sample, tmp_path, replace(PLAIN, "print(X[0] @ [1, 2])"))
    with pytest.raises(ValueError, match="size"):
        assert_survives(path, "three dimensions")
