"""Every live view of every notebook, at every extreme of its sliders and on a grid between."""

import math

import pytest
from coursekit.contents import NOTEBOOKS
from notebook_runs import run


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_views_behave_everywhere(path):
    for view in run(path).views:
        assert_behaves(view)


def assert_behaves(view):
    """Draw everywhere, paint the first and the last picture, and look for NaN in the numbers."""
    extremes = view.grid(2)
    between = max(
        (grid for grid in map(view.grid, (3, 5, 9)) if len(grid) <= 81), default=[], key=len
    )
    for chosen in extremes + between:
        numbers = view.draw(**chosen)
        values = numbers.values() if hasattr(numbers, "values") else [numbers]
        assert not any(is_nan(value) for value in values), f"{view!r} at {chosen} says {numbers}"
    assert view.frame(**extremes[0])[0] and view.frame(**extremes[-1])[0]


def is_nan(value):
    return math.isnan(value) if isinstance(value, float) else "nan" in str(value).lower().split()
