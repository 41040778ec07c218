"""Views of points that a reader drags: the answer, and beside it what proves it."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..boolean import count_regions
from ..exact import as_integers
from ..halfspace import Halfspace, homogenise
from ..losses import best_halfspace
from ..perceptron import run_perceptron
from ..runs import Run
from ..separability import Separation, radon_partition, separate
from ..svm import SVM, solve_svm
from .figures import draw_band, draw_cone, draw_halfspace, draw_hulls, draw_points, round_up
from .live import Data, Update
from .palette import GREEN, GREY, INK, ORANGE, PURPLE

NOWHERE = SimpleNamespace(w=(0, 0), b=math.nan)  # draws neither a line nor a side
LONGEST = 60  # updates of a run that is shown
PENALTY = 0.02  # λ of the hinge optimum


def separation_view(fig: Figure) -> Update:
    """Show a separator of the points, or the point that both hulls have in common."""
    ax = _plane(fig)
    line = draw_halfspace(ax, NOWHERE)
    hulls, dots = draw_hulls(ax, [[0, 0]], [1]), draw_points(ax, [[0, 0]], [1])

    def update(data: Data) -> dict[str, Any]:
        found = separate(*data)
        found.check()
        line(found.halfspace or NOWHERE)
        hulls(*data, found)
        dots(*data)
        return _certificate(found)

    return update


def _certificate(found: Separation) -> dict[str, Any]:
    """Return the numbers that prove the answer."""
    if found.halfspace is not None:
        scores = found.y * found.halfspace.decision_function(found.X)
        return {
            "separable": "yes",
            "w": _row(found.halfspace.w),
            "b": str(found.halfspace.b),
            "least y(⟨w,x⟩ − b)": str(min(scores)),
        }
    return {
        "separable": "no",
        "in both hulls": _row(found.common_point()),
        "weights λ": _weights(found),
    }


def shatter_view(fig: Figure) -> Update:
    """Show labels that no line gives to the points, if there are any, and count those it gives."""
    ax = _plane(fig)
    line, hulls = draw_halfspace(ax, NOWHERE), draw_hulls(ax, [[0, 0]], [1])
    dots = draw_points(ax, [[0, 0]], [1])

    def update(data: Data) -> dict[str, Any]:
        refused = radon_partition(data.X)
        shown = separate(*data) if refused is None else refused
        line(shown.halfspace or NOWHERE)
        hulls(data.X, shown.y, shown)
        dots(data.X, shown.y)
        return {
            "labelled at will": "yes" if refused is None else "no",
            "labellings that a line has": f"{_count_labellings(data.X)} of {2 ** len(data.X)}",
        }

    return update


def _count_labellings(X: np.ndarray) -> int:
    """Count the labellings that halfspaces give: each is a region of their weights."""
    return count_regions(np.array(as_integers(homogenise(X))[0], np.int64))


def _weights(found: Separation) -> str:
    """Write the weights that prove that nothing separates."""
    assert found.weights is not None  # or it would not have passed its check
    weights = [f"{weight} of point {i}" for i, weight in enumerate(found.weights) if weight]
    return ", ".join(weights)


def walk_view(fig: Figure) -> Update:
    """Show a perceptron's run after t updates, among the data and among the weights.

    In the plane of weights each point is a line, and what separates them all is the green cone.
    """
    data_plane, weight_plane = fig.subplots(1, 2)
    _limit(data_plane, 5)
    data_plane.set_title("the data")
    weight_plane.set(aspect="equal", xlabel="$w_1$", ylabel="$w_2$", title="the weights")
    side, dots = draw_halfspace(data_plane, NOWHERE), draw_points(data_plane, [[0, 0]], [1])
    ring = data_plane.scatter([], [], s=230, fc="none", ec=INK, lw=2, zorder=5)
    weight_plane.plot(0, 0, "+", color=GREY, ms=10)
    cone = draw_cone(weight_plane, [[0, 0]])
    (push,) = weight_plane.plot([], [], ":", color=PURPLE)
    (way,) = weight_plane.plot([], [], "-o", color=PURPLE, ms=4)
    (tip,) = weight_plane.plot([], [], "o", color=PURPLE, ms=10, mec="white", zorder=5)

    def update(data: Data, t: int) -> dict[str, Any]:
        run = run_perceptron(*data, max_updates=LONGEST)
        t, path = min(t, len(run.mistakes)), run.path().astype(float)
        room = round_up(1.1 * max(1, np.abs(path).max()))
        weight_plane.set(xlim=(-room, room), ylim=(-room, room))
        cone(data.y[:, None] * data.X)
        dots(*data)
        side(Halfspace(path[t], -1e-9))  # w = 0 says +1 everywhere
        ring.set_offsets(data.X[run.mistakes[t : t + 1]])
        push.set_data(*path[t : t + 2].T)
        way.set_data(*path[: t + 1].T)
        tip.set_data(*path[t][:, None])
        return _state(run, t)

    return update


def _state(run: Run, t: int) -> dict[str, Any]:
    """Return where a run is after t updates."""
    w = run.path()[t]
    last = f"{len(run.mistakes)}" if run.converged else f"{len(run.mistakes)}, and no end"
    return {
        "updates": f"{t} of {last}",
        "w": _row(w),
        "mistakes of w": int((run.y * (run.X @ w) <= 0).sum()),
        "next mistake": f"point {run.mistakes[t]}" if t < len(run.mistakes) else "none",
    }


def two_optima_view(fig: Figure) -> Update:
    """Show the hinge optimum and a halfspace with the fewest mistakes, both through 0."""
    ax = _plane(fig)
    soft = draw_halfspace(ax, NOWHERE)
    exact = draw_halfspace(ax, NOWHERE, colour=GREEN, shade=False)
    ax.lines[-1].set_linestyle("--")
    ax.legend(ax.lines[-2:], ["hinge optimum", "fewest mistakes"], loc="lower left")
    dots = draw_points(ax, [[0, 0]], [1])

    def update(data: Data) -> dict[str, Any]:
        X, y = data
        hinge = solve_svm(X, y, C=1 / (PENALTY * len(y)), bias=False).halfspace
        best = best_halfspace(X, y, bias=False)
        soft(hinge)
        exact(best.halfspace)
        dots(X, y)
        margins = (y * (X.astype(float) @ hinge.w)).round(6)
        return {
            "mistakes, hinge optimum": int((margins <= 0).sum()),
            "fewest mistakes": best.errors,
            "mean hinge": round(float(np.maximum(0, 1 - margins).mean()), 3),
        }

    return update


def margin_view(fig: Figure) -> Update:
    """Show the widest street with its support vectors, or the point of both hulls."""
    ax = _plane(fig)
    line, band = draw_halfspace(ax, NOWHERE), draw_band(ax, NOWHERE, 0)
    hulls, dots = draw_hulls(ax, [[0, 0]], [1]), draw_points(ax, [[0, 0]], [1])
    rings = ax.scatter([], [], fc="none", ec=INK, lw=1.5, zorder=5)

    def update(data: Data) -> dict[str, Any]:
        found = separate(*data)
        dots(*data)
        both = len(set(data.y.tolist())) == 2
        if not found or not both:
            line(NOWHERE)
            band(NOWHERE, 0)
            hulls(*data, found)
            rings.set_offsets(np.empty((0, 2)))
            return _certificate(found) if both else {"street": "one class has none"}
        svm = solve_svm(*data)
        line(svm.halfspace)
        band(svm.halfspace, svm.margin)
        hulls(*data)
        rings.set_offsets(data.X[svm.support])
        rings.set_sizes(120 + 500 * svm.alpha[svm.support] / svm.alpha.max())
        return _street(svm)

    return update


def origin_street_view(fig: Figure) -> Update:
    """Show the widest street through 0, and its proof: two curves that touch where it is best."""
    plane, chart = fig.subplots(1, 2)
    _limit(plane, 5)
    line, band = draw_halfspace(plane, NOWHERE), draw_band(plane, NOWHERE, 0)
    dots = draw_points(plane, [[0, 0]], [1])
    rings = plane.scatter([], [], fc="none", ec=INK, lw=1.5, zorder=5)
    (above,) = chart.plot(
        [], [], color=ORANGE, ls="--", label=r"$\frac{1}{2}\|sv\|^2$, allowed $s$"
    )
    (below,) = chart.plot([], [], color=GREEN, label=r"$g(s\alpha)$")
    (star,) = chart.plot([], [], "*", color=INK, ms=16, zorder=4)
    chart.axvline(1, color=INK, ls=":", lw=1.5)
    chart.set(xlim=(0, 2), xlabel="stretch $s$", ylabel="value")
    fig.legend(handles=[above, below], loc="outside upper right", ncols=2)
    over, under = np.linspace(1, 2, 51), np.linspace(0, 2, 101)

    def update(data: Data) -> dict[str, Any]:
        found = separate(*data, bias=False)
        dots(*data)
        if not found:
            line(NOWHERE)
            band(NOWHERE, 0)
            rings.set_offsets(np.empty((0, 2)))
            for curve in (above, below, star):
                curve.set_data([], [])
            return {"street": "none", "weights λ of Σ λyx = 0": _weights(found)}
        svm = solve_svm(*data, bias=False)
        line(svm.halfspace)
        band(svm.halfspace, svm.margin)
        rings.set_offsets(data.X[svm.support])
        rings.set_sizes(120 + 500 * svm.alpha[svm.support] / svm.alpha.max())
        chart.set_ylim(0, round_up(3 * svm.primal))
        above.set_data(over, svm.primal * over**2)
        below.set_data(under, svm.dual * (2 * under - under**2))
        star.set_data([1], [svm.dual])
        return _street(svm)

    return update


def _street(svm: SVM) -> dict[str, Any]:
    """Return the width of a street, and the numbers that prove it the widest."""
    return {
        "street 2/‖v‖": f"{2 * svm.margin:.4g}",
        "α": ", ".join(f"{a:.3g}" for a in svm.alpha),
        "primal": f"{svm.primal:.6f}",
        "dual": f"{svm.dual:.6f}",
        "gap": f"{svm.gap:.0e}" if svm.gap > 1e-9 else "below 1e-9",
    }


def _plane(fig: Figure) -> Axes:
    """Make a plane from −5 to 5 in which lengths are true."""
    ax = fig.add_subplot()
    _limit(ax, 5)
    return ax


def _limit(ax: Axes, reach: float) -> None:
    room = (-reach - 0.4, reach + 0.4)
    ax.set(xlim=room, ylim=room, aspect="equal", xlabel="$x_1$", ylabel="$x_2$")
    ax.plot(0, 0, "+", color=GREY, ms=10)


def _row(values: Any) -> str:
    """Write a vector, minus signs as such."""
    return f"({', '.join(str(value) for value in values)})".replace("-", "−")
