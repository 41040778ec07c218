"""Every notebook keeps the conventions of the course; `notebook_rules.py` has them as rules.

A notebook is `notebooks/NN-name.ipynb`, written back by `python3 course.py refresh`. Cells hold
plain Python that imports halfspaces, numpy, matplotlib, ipywidgets and the standard library, as
`ruff format` lays it out in 88 columns, one thing a line; nine in ten have 15 statements at most,
and none has more than 40 lines.

- First cell: `# N · Title`, a paragraph, `**Time:** 20 minutes to read, 50 with everything`,
  `**Before this:** …`, `**You will:**` with a list.
- Sections: `## N.1 Title`, `## N.2 Title`, …, and below each `*Timing to here: 25 minutes.*`;
  refresh counts the minutes and writes them. Side paths are called 05b, and their sections 5b.1,
  5b.2, …
- Statements: `> **Definition 5.1 (margin).** …`, `> **Theorem 5.2 (Novikoff).** …`; all kinds share
  one count. "Theorem 5.2" anywhere must exist; what other people number is written small,
  "theorem 3".
- Live views: `name = live(view, alt=…, …)`, shown by a cell that ends with `name`; a later cell has
  `name.still()`. Both have their source hidden.
- Predictions: `name = Predict(id="05-…", …)`, shown by the same cell; a later one ends with
  `name.reveal(…)`.
- Questions: `Question(id="05-…", …)` ends its cell. Refresh hides the source, for the answer stands
  in it.
- Exercises: `**Exercise 5.1 (title).** …`, with `; proof` where a step of one is asked for; a code
  cell with `...` to replace; a code cell `check_exercise("5.1", name)`; a cell with four folds, A
  nudge, The idea, The first line, Solution, the last with a ```` ```python ```` block. Cells that
  come later must run whether or not it is solved.
- Pictures: `show(fig, alt)` or `.still()`, with alt text of 20 characters or more.
- Links: relative, `03-separability.ipynb`, `03-separability.ipynb#3.2-Heading-with-hyphens`.
- Closing: `## Take-away`, `## What is loose` if anything is, three questions under `## Without
  looking`, `## References`; the last cell links to the notebooks before and after and to
  `../exercises/README.md`.

Notebook 00 and side paths may have fewer live views, questions and exercises; 00 shows HTML with
IPython. `edition_rules.py` has what is new in the second edition.
"""

import pytest
from coursekit.contents import NOTEBOOKS
from edition_rules import EDITION_RULES, FIRST_EDITION
from notebook_rules import RULES, Book


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_convention(path, rule):
    assert list(rule(Book(path))) == []


@pytest.mark.parametrize("rule", EDITION_RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_convention_of_the_second_edition(path, rule):
    book = Book(path)
    if book.is_second_edition:
        assert list(rule(book)) == []


def test_all_notebooks_are_of_the_second_edition():
    """Fails for a notebook that states one time alone, unless FIRST_EDITION still names it."""
    books = map(Book, NOTEBOOKS.glob("*.ipynb"))
    assert {book.path.stem for book in books if not book.is_second_edition} <= FIRST_EDITION
