"""Where a reader may put in data of their own, the cells below survive the worst of them."""

import numpy as np
import pytest
from coursekit.contents import NOTEBOOKS
from edition_rules import is_own_data
from notebook_rules import Book
from notebook_runs import run_with_data

RNG = np.random.default_rng(5)
BAD = {
    "inseparable": ([[1, 0], [-1, 0], [2, 0], [-2, 0]], [1, 1, -1, -1]),
    "three dimensions": ([[1, 2, 3], [-1, 0, 1], [2, -2, 0], [0, 1, -3]], [1, -1, 1, -1]),
    "floats": (RNG.normal(size=(6, 2)).round(3), [1, -1, 1, -1, 1, -1]),
    "one class": ([[1, 2], [2, 1], [3, 3]], [1, 1, 1]),
    "a point in the origin": ([[0, 0], [1, 2], [-2, 1]], [1, 1, -1]),
    "labels of zero and one": ([[1, 2], [2, -1], [-1, -1]], [1, 0, 0]),
    "one label too few": ([[1, 2], [2, -1], [-1, -1]], [1, -1]),
}
PATHS = [
    path for path in sorted(NOTEBOOKS.glob("*.ipynb")) if any(map(is_own_data, Book(path).code))
]


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_cells_below_survive(path, kind):
    assert_survives(path, kind)


def assert_survives(path, kind):
    for view in run_with_data(path, *BAD[kind]):
        view.draw(**view.grid(2)[0])
