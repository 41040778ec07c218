"""What moves a live picture: values a view gets, texts a reader sees, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest
from halfspaces.notebook.controls import Choice, Points, Slider

SQUARE = [[0, 0], [1, 0], [0, 1], [1, 1]]


def test_readouts_tell_the_steps_apart():
    sliders = [Slider(-1, 1, 0.05), Slider(0, 12), Slider(0.01, 1e4, 0.1, log=True)]
    for slider in sliders:
        texts = [slider.text(value) for value in slider.steps]
        assert len(set(texts)) == len(texts)
    assert Slider(-1, 1, 0.05).text(-0.5) == "−0.50"
    assert Slider(10, 1e4, 1, log=True).text(1e4) == "10000"


def test_a_script_names_steps_by_their_place():
    assert Slider(0, 1, 0.25).at(3) == 0.75 and Choice(["and", "or"]).at(1) == "or"
    for place in (-1, 5, "2", 1.0, None):
        with pytest.raises(ValueError, match="no step"):
            Slider(0, 1, 0.25).at(place)


def test_a_script_is_told_where_to_start():
    about = Slider(0, 1, 0.25, value=0.7, label="angle", unit="°", play=True).describe("a")
    assert about["label"] == "angle (°)" and about["start"] == 3 and about["play"]
    assert about["steps"] == ["0.00", "0.25", "0.50", "0.75", "1.00"]
    assert Choice(["and", "or"], "or").describe("kind")["start"] == 1


def test_points_come_as_a_view_wants_them():
    X, y = Points(SQUARE, [1, 1, -1, -1]).nearest(None)
    assert X.dtype == float and y.tolist() == [1, 1, -1, -1]
    whole = Points(SQUARE, [1, 1, -1, -1], snap=1)
    data = whole.at([[0.4, 1.6, 1], [-0.6, 2, -1.0]])
    assert data.X.tolist() == [[0, 2], [-1, 2]] and data.X.dtype == data.y.dtype == np.int64
    quarters = Points([[0, 0]], [1], snap=Fraction(1, 4))
    assert quarters.at([[0.7, -1, 1]]).X.tolist() == [[Fraction(3, 4), Fraction(-1)]]
    halves = Points([[0.0, 0.0]], [1], snap=0.5)
    assert halves.at([[0.7, -0.3, 1]]).X.tolist() == [[0.5, -0.5]]


def test_points_start_as_rows_for_a_script():
    about = Points([[0, 2], [1, 3]], [1, -1], snap=1, most=5).describe("data")
    assert about["start"] == [[0, 2, 1], [1, 3, -1]] and about["label"] == "data"
    assert about["snap"] == 1 and about["most"] == 5


@pytest.mark.parametrize(
    ("X", "y", "complaint"),
    [
        ([1, 2], [1, 1], "rows of two"),
        ([[1, 2, 3]], [1], "rows of two"),
        ([[1, np.nan]], [1], "finite"),
        ([[1, 2]], [0], "−1 or"),
        ([[1, 2]], [1, 1], "as many labels"),
        (np.zeros((0, 2)), [], "not among"),
        (np.zeros((31, 2)), [1] * 31, "not among"),
    ],
)
def test_what_is_no_set_of_points_is_refused(X, y, complaint):
    with pytest.raises(ValueError, match=complaint):
        Points(X, y)


@pytest.mark.parametrize("place", [3, [], [[1, 2]], [[1, 2, 3]], [["a", 0, 1]], [[1e400, 0, 1]]])
def test_a_script_that_sends_nonsense_is_refused(place):
    with pytest.raises(ValueError):
        Points(SQUARE, [1, 1, -1, -1]).at(place)
