"""Tables: header cells, a caption, numbers to the right, and the same as plain text."""

from fractions import Fraction
from html.parser import HTMLParser

import numpy as np
import pytest
from halfspaces.notebook.tables import table

BOOKS = table(
    {
        "t": range(1, 4),
        r"$\langle w,z\rangle$": np.array([0.0, -1.25, 10]),
        "z": [np.array([1, -2]), (3, Fraction(1, 2)), []],
        "tie": [True, False, np.False_],
        "who": ["a < b", "**b**", None],
    },
    caption="The *books* of the run",
)


class Cells(HTMLParser):
    """List the tags with their attributes."""

    def __init__(self, html):
        super().__init__()
        self.tags = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def test_html_has_a_caption_and_headers_of_columns_and_rows():
    html = BOOKS._repr_html_()
    tags = Cells(html).tags
    scopes = [attributes.get("scope") for tag, attributes in tags if tag == "th"]
    assert scopes == ["col"] * 5 + ["row"] * 3
    assert "<caption>The <em>books</em> of the run</caption>" in html
    assert "a &lt; b" in html and "<strong>b</strong>" in html
    sides = [attributes["style"][11:] for tag, attributes in tags if tag in ("th", "td")]
    assert sides == ["right", "right", "left", "left", "left"] * 4
    assert "color" not in html  # the theme's


def test_plain_text_is_aligned():
    assert repr(BOOKS).split("\n") == [
        "The *books* of the run",
        r"t  $\langle w,z\rangle$  z         tie  who",
        "─  ────────────────────  ────────  ───  ─────",
        "1                     0  (1, −2)   yes  a < b",
        "2                 −1.25  (3, 1/2)  no   **b**",
        "3                    10  ()        no",
    ]


@pytest.mark.parametrize("columns", [{}, {"a": [1], "b": [1, 2]}])
def test_columns_have_one_length(columns):
    with pytest.raises(ValueError, match="columns of one length are expected"):
        table(columns)


def test_strange_numbers():
    assert repr(table({"x": [float("inf"), -float("inf"), 1e-9, 10**20]})).split("\n")[2:] == [
        "                    ∞",
        "                   −∞",
        "                1e−09",
        "100000000000000000000",
    ]
