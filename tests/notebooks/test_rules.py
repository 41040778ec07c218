"""The rules: a sample notebook keeps them all, and each fails when the sample breaks it."""

import nbformat
import pytest
from coursekit.publish import refresh
from halfspaces.notebook.live import Slider, live
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from notebook_rules import RULES, Book
from notebook_runs import run
from test_solutions import assert_checks
from test_views import assert_behaves

QUESTION = """\
Question(
    id="04-{}", text="Is $1 < 2$? See Theorem 4.2.", choices=["Yes.", "No."], answer="A",
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
SOLUTION = """\
<details><summary>Solution</summary>

```python
{}
```

</details>"""
SAMPLE = [
    "# 4 · The perceptron\n\n**Time:** 60 minutes\n\n**Before this:** [3](03-other.ipynb)\n\n"
    "**You will:**\n\n- learn",
    "from halfspaces.notebook.exercises import check\n"
    "from halfspaces.notebook.live import Slider, live\n"
    "from halfspaces.notebook.questions import Predict, Question",
    "## 4.1 First things\n\n*Timing to here: 2 minutes.*\n\n"
    "> **Definition 4.1 (Tie).** $y\\langle w,x\\rangle=0$, as in Definition 3.1.",
    'guess = Predict(id="04-guess", text="How many?", number="points", why="Count.")\nguess',
    "guess.reveal(2)",
    VIEW.format("tilt"),
    "tilt.still()",
    VIEW.format("turn"),
    "turn.still(slope=-1)",
    "## 4.2 More\n\n*Timing to here: 30 minutes.*\n\n"
    "**Theorem 4.2 (Stop).** It stops; see [above](#4.1-First-things), Exercise 4.1 and "
    "[Take-away](03-other.ipynb#Take-away), but not theorem 7.",
    QUESTION.format("one"),
    QUESTION.format("two"),
    "**Exercise 4.1 (Double).** Double it.",
    "def double(x):\n    return ...  # your code here",
    "check(double, lambda x: 2 * x, [1, 2])",
    SOLUTION.format("def double(x):\n    return 2 * x"),
    "**Exercise 4.2 (Quadruple).** With `double`.",
    "def quadruple(x):\n    return ...",
    "check(quadruple, lambda x: 4 * x, [1, 2])",
    SOLUTION.format("def quadruple(x):\n    return double(double(x))"),
    "**Exercise 4.3 (A number).** How many?",
    "many = ...",
    "check(many, 322)",
    SOLUTION.format("many = 322"),
    "## Take-away\n\nIt stops.",
    "## What is loose\n\nNothing.\n\n## References\n\n- A book.\n\n"
    "[← previous](03-other.ipynb) · [homework](../exercises/README.md) · [next →](05-other.ipynb)",
]
OTHER = "# 3 · Other\n\n**Definition 3.1 (X).** x\n\n## Take-away\n\nx"


def is_code(source: str) -> bool:
    starts = "from ", "def ", "Question(", "check", "tilt", "turn", "many", "guess"
    return source.startswith(starts)


def write_others(folder) -> None:
    (folder.parent / "exercises").mkdir(exist_ok=True)
    (folder.parent / "exercises/README.md").touch()
    for number in "35":
        text = OTHER.replace("3", number)
        nbformat.write(
            new_notebook(cells=[new_markdown_cell(text)]), folder / f"0{number}-other.ipynb"
        )


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """Make a small course and run its notebook 04."""
    folder = tmp_path_factory.mktemp("course") / "notebooks"
    folder.mkdir()
    write_others(folder)
    cells = [
        new_code_cell(source) if is_code(source) else new_markdown_cell(source) for source in SAMPLE
    ]
    path = folder / "04-sample.ipynb"
    nbformat.write(new_notebook(cells=cells), path)
    assert refresh.refresh(path)
    return path


def test_the_sample_keeps_every_rule(sample):
    assert [problem for rule in RULES for problem in rule(Book(sample))] == []


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
    nbformat.write(nb, folder / "04-sample.ipynb")
    return folder / "04-sample.ipynb"


STUB = "many = ..."
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
        replace("It stops.", "![line](03-other.ipynb)"),
    ],
    "clean_file": [
        lambda nb: nb.metadata.update(author="x"),
        on(STUB, lambda cell: cell.metadata.update(execution={})),
        lambda nb: nb.metadata.language_info.update(version="3.11"),
        on("Question(", lambda cell: cell.metadata.clear()),
        replace("It stops.", "It stops." * 120_000),
    ],
    "opening": [
        replace("# 4 · The", "# The"),
        replace("# 4 · The", "# 5 · The"),
        replace("## 4.2 More", "# 4.2 More"),
        replace("60 minutes", "an hour"),
        replace("**You will:**", "You"),
        replace("**Before this:**", ""),
    ],
    "timing": [
        replace("*Timing to here: 30 minutes.*", ""),
        replace("here: 30", "here: 70"),
        replace("here: 30", "here: 1"),
        replace("## 4.2 More", "## 4.3 More"),
        replace("## 4.2 More", "## 3.2 More"),
    ],
    "closing": [
        replace("## Take-away", "## Summary"),
        drop("## Take-away"),
        replace("(05-other.ipynb)", ""),
        replace("← previous](03-other.ipynb)", "]"),
        replace("(../exercises/README.md)", ""),
        replace("## References", "### References"),
    ],
    "live_views": [
        drop("turn.still"),
        replace("turn = live(", "turn = other("),
        replace("\nturn", "\n0"),
        lambda nb: nb.cells.insert(5, nb.cells.pop(6)),
    ],
    "questions": [
        drop('"04-two"'),
        replace('"04-two"', '"03-two"'),
        replace('"04-two"', '"04-one"'),
        replace('Question(\n    id="04-two"', 'q = Question(\n    id="04-two"'),
        replace('id="04-two",', ""),
    ],
    "predictions": [
        drop("guess.reveal"),
        replace('id="04-guess"', 'id="05-guess"'),
        replace('id="04-guess", ', ""),
        replace("\nguess", "\n0"),
        lambda nb: nb.cells.insert(3, nb.cells.pop(4)),
    ],
    "exercises": [
        drop("**Exercise 4.3"),
        replace("**Exercise 4.3", "**Exercise 4.4"),
        replace(STUB, "many = 1"),
        drop("many = 322"),
        replace("```python\nmany", "```\nmany"),
        replace("check(many", "c = check(many"),
        drop("check(many"),
    ],
    "numbering": [
        replace("**Theorem 4.2", "**Theorem 4.3"),
        replace("**Theorem 4.2", "**Theorem 4.1"),
        replace("**Definition 4.1", "**Definition 3.1"),
    ],
    "references": [
        replace("Definition 3.1.", "Definition 3.2."),
        replace("Definition 3.1.", "Theorem 3.1."),
        replace("Exercise 4.1 and", "Exercise 4.9 and"),
        replace("See Theorem 4.2", "See Lemma 4.2"),
    ],
    "links": [
        replace("(#4.1-First-things)", "(#4.1-First)"),
        replace("03-other.ipynb#Take-away", "03-other.ipynb#No"),
        replace("(03-other.ipynb#Take-away)", "(missing.py)"),
    ],
}


@pytest.mark.parametrize(
    ("name", "change"), [(name, change) for name in BREAKS for change in BREAKS[name]]
)
def test_each_rule_fails_when_it_should(sample, tmp_path, name, change):
    rule = next(rule for rule in RULES if rule.__name__ == name)
    assert list(rule(Book(changed(sample, tmp_path, change))))


def test_no_rule_is_untried():
    assert set(BREAKS) | {"unique_questions"} == {rule.__name__ for rule in RULES}


def test_two_notebooks_may_not_share_a_question(sample, tmp_path):
    for name in ("04-a", "04-b"):
        (tmp_path / f"{name}.ipynb").write_bytes(sample.read_bytes())
    assert list(RULES[-1](Book(tmp_path / "04-a.ipynb")))


def test_solutions_and_stubs_of_the_sample(sample):
    assert list(run(sample).checks) == ["4.1", "4.2", "4.3"]  # 4.2 needs the solution of 4.1
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
