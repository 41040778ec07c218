"""Draw the README's picture: a halfspace of largest margin and the points that hold it."""

import sys

import numpy as np
from halfspaces import datasets, solve_svm
from halfspaces.notebook.figures import (
    Still,
    draw_band,
    draw_halfspace,
    draw_points,
    draw_support,
    new_figure,
    set_plane,
)

from coursekit import ROOT
from coursekit.files import write_if_changed


def draw_picture() -> None:
    """Write docs/margin.png."""
    X, y = datasets.separable(40, 2, 0.18, np.random.default_rng(12))
    svm = solve_svm(X, y)
    fig = new_figure(8, 4)
    ax = fig.add_subplot()
    set_plane(ax, X)
    draw_halfspace(ax, svm.halfspace)
    draw_band(ax, svm.halfspace, svm.margin)
    draw_support(ax, svm)
    draw_points(ax, X, y)
    ax.set_axis_off()
    path = ROOT / "docs" / "margin.png"
    write_if_changed(path, Still(fig, "the largest margin").png)
    print(f"{path.relative_to(ROOT)} written", file=sys.stderr)
