r"""Show columns as a table, with a caption and header cells.

    table({"t": range(1, 4), r"$\langle w, z\rangle$": scores}, caption="The books of the run")

Headers, caption and texts may have Markdown and mathematics. The first column heads the rows.
"""

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from numbers import Rational, Real
from typing import Any

import numpy as np

from .markdown import to_html


class Table:
    """Hold the columns of a table as texts."""

    def __init__(self, columns: Mapping[str, Iterable[Any]], caption: str = ""):
        values = {str(name): list(column) for name, column in columns.items()}
        lengths = {name: len(column) for name, column in values.items()}
        if not values or len(set(lengths.values())) > 1:
            found = ", ".join(f"{name!r} has {length}" for name, length in lengths.items())
            raise ValueError(f"columns of one length are expected: {found or 'there are none'}")
        self.caption = caption
        self.headers = list(values)
        self.numeric = [all(map(_is_number, column)) for column in values.values()]
        self.rows = list(zip(*([write(value) for value in column] for column in values.values())))

    def __repr__(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.headers, *self.rows)]
        lines = [self._line(self.headers, widths), "  ".join("─" * width for width in widths)]
        lines += [self._line(row, widths) for row in self.rows]
        return "\n".join([self.caption, *lines] if self.caption else lines)

    def _line(self, cells: Iterable[str], widths: list[int]) -> str:
        aligned = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(cells, widths, self.numeric)
        ]
        return "  ".join(aligned).rstrip()

    def _repr_html_(self) -> str:
        caption = f"<caption>{to_html(self.caption)}</caption>" if self.caption else ""
        head = "".join(self._cell("th", "col", *pair) for pair in zip(self.headers, self.numeric))
        body = "".join(f"<tr>{self._row(row)}</tr>" for row in self.rows)
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _row(self, row: Iterable[str]) -> str:
        first, *others = zip(row, self.numeric)
        cells = [self._cell("th", "row", *first)]
        cells += [self._cell("td", "", *cell) for cell in others]
        return "".join(cells)

    @staticmethod
    def _cell(tag: str, scope: str, text: str, right: bool) -> str:
        scoped = f' scope="{scope}"' if scope else ""
        side = "right" if right else "left"
        return f'<{tag}{scoped} style="text-align:{side}">{to_html(text)}</{tag}>'


def table(columns: Mapping[str, Iterable[Any]], caption: str = "") -> Table:
    """Return a table, to be displayed, from the names of its columns and what stands in them."""
    return Table(columns, caption)


def write(value: Any) -> str:
    """Write what stands in a cell: exact numbers exactly, floats with four digits, vectors (1, 2).

    >>> write(-3), write(Fraction(1, 3)), write(0.123456), write(np.array([1, 2])), write(True)
    ('−3', '1/3', '0.1235', '(1, 2)', 'yes')
    """
    if isinstance(value, np.ndarray):
        value = tuple(value.tolist()) if value.ndim == 1 else value.tolist()
    if isinstance(value, tuple | list):
        return f"({', '.join(map(write, value))})"
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, Rational):
        return str(Fraction(value)).replace("-", "−")
    if isinstance(value, Real):
        number = float(value)
        text = f"{number:.4g}" if math.isfinite(number) else str(number).replace("inf", "∞")
        return text.replace("-", "−")
    return "" if value is None else str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
