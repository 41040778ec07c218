"""Draw halfspaces, runs and certificates.

Each function takes an `Axes` and adds one thing to it. Where that thing can move, it returns the
function that moves it: `move = draw_halfspace(ax, h)`, and later `move(another)`. Colour never
speaks alone: +1 is a blue circle, −1 an orange cross.
"""

import io
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import contourpy
import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap, ListedColormap
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d.art3d import Poly3DCollection
from PIL import Image

from ..boolean import cube
from .palette import BLUE, GREEN, GREY, INK, LIGHT, ORANGE, PURPLE

DPI, SHARP_DPI = 100, 200  # pixels an inch on the page, and in a picture to be looked at
COLOUR, MARKER, SIZE = {1: BLUE, -1: ORANGE}, {1: "o", -1: "X"}, {1: 62, -1: 78}
# Set once for all: a context would have to be entered by every thread that draws, and rcParams are
# global.
matplotlib.rcParams.update(
    {
        "font.family": "DejaVu Sans",
        "font.size": 12,
        "mathtext.fontset": "dejavusans",
        "figure.facecolor": "white",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "axes.edgecolor": INK,
        "axes.labelcolor": INK,
        "text.color": INK,
        "lines.linewidth": 2,
        "legend.frameon": False,
        "legend.fontsize": 11,
    }
)
Move = Callable[..., None]
GREYS = LinearSegmentedColormap.from_list("ink on paper", ["white", INK])
SIGNED = LinearSegmentedColormap.from_list("minus to plus", [ORANGE, "white", BLUE])
DARKEST = 16  # a grey value of the digits


def new_figure(width: float = 6.4, height: float = 4.2) -> Figure:
    """Make a figure of so many inches.

    Pyplot knows nothing of it: threads cannot mix it up with another.
    """
    fig = Figure((width, height), dpi=DPI, layout="constrained", facecolor="white")
    FigureCanvasAgg(fig)
    return fig


class Still:
    """Hold a picture and the text that stands for it where it cannot be seen."""

    def __init__(self, fig: Figure, alt: str):
        if not alt.strip():
            raise ValueError("alt text is missing: say in a sentence what the picture shows")
        file = io.BytesIO()
        fig.savefig(file, format="png", dpi=SHARP_DPI)
        small = (
            Image.open(file).convert("RGB").quantize(256, dither=Image.Dither.NONE)
        )  # a third of the size
        file = io.BytesIO()
        small.save(file, "PNG", optimize=True)
        self.png, self.alt = file.getvalue(), alt
        self.width, self.height = (fig.get_size_inches() * DPI).round().astype(int).tolist()

    def __repr__(self) -> str:
        return f"[{self.alt}]"

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return (
            {"image/png": b64encode(self.png).decode(), "text/plain": repr(self)},
            {"image/png": {"alt": self.alt, "width": self.width, "height": self.height}},
        )


def show(fig: Figure, alt: str) -> None:
    """Display a figure with its alt text."""
    from IPython.display import display

    display(Still(fig, alt))


# The plane: points, halfspaces, margins


def set_plane(ax: Axes, X: Any, pad: float = 0.2) -> None:
    """Make room for the points and the origin.

    A unit is as long in both directions, so that angles are true.
    """
    low, high = np.minimum(_plain(X).min(0), 0), np.maximum(_plain(X).max(0), 0)
    box = ax.get_window_extent()
    shape = np.array([box.width / box.height, 1])  # fill the place there is
    (left, bottom), (right, top) = (low + high) / 2 + np.array([[-1], [1]]) * shape * (
        max((high - low) / shape) * (1 + pad) / 2 or 1.0
    )
    ax.set(xlim=(left, right), ylim=(bottom, top), aspect="equal", xlabel="$x_1$", ylabel="$x_2$")


def draw_points(ax: Axes, X: Any, y: Any, numbers: bool = False) -> Move:
    """Draw labelled points, numbered if asked for, above everything else."""
    groups = {
        s: ax.scatter(
            [],
            [],
            c=COLOUR[s],
            marker=MARKER[s],
            s=SIZE[s],
            ec="white",
            lw=0.8,
            zorder=4,
            label=f"{s:+d}".replace("-", "−"),
        )
        for s in (1, -1)
    }
    tags = [
        ax.annotate(str(i), x, (6, 5), textcoords="offset points", fontsize=10, zorder=4.5)
        for i, x in enumerate(_plain(X))
        if numbers
    ]

    def move(X: Any, y: Any) -> None:
        for s, dots in groups.items():
            dots.set_offsets(_plain(X)[np.asarray(y) == s])
        for tag, x in zip(tags, _plain(X)):
            tag.xy, tag.stale = x, True

    move(X, y)
    return move


def draw_halfspace(ax: Axes, h: Any, colour: str = INK, shade: bool = True) -> Move:
    """Draw the boundary of a halfspace, its two sides shaded."""
    sides = [
        ax.fill([], [], fc=LIGHT[s], lw=0, zorder=1)[0] for s in (-1, 1) if shade
    ]  # +1 owns the ties
    (line,) = ax.plot([], [], color=colour, zorder=3)

    def move(h: Any) -> None:
        w, b = _plain(h.w), float(h.b)
        line.set_data(*_boundary(ax, w, b))
        for s, side in zip((-1, 1), sides):
            side.set_xy(_cut(_frame(ax), s * w, s * b))

    move(h)
    return move


def draw_normal(ax: Axes, h: Any, label: str = "$w$", unit: bool = False) -> Move:
    """Draw w as an arrow that starts on the boundary; of length 1 if asked for."""
    arrow = ax.quiver(
        [0],
        [0],
        [0],
        [0],
        angles="xy",
        scale_units="xy",
        scale=1,
        color=PURPLE,
        width=0.009,
        zorder=5,
    )
    text = ax.text(
        0, 0, label, color=PURPLE, fontsize=14, zorder=5, clip_on=True, ha="center", va="center"
    )

    def move(h: Any) -> None:
        w = _plain(h.w)
        norm = np.linalg.norm(w) or 1.0
        foot, tip = w * float(h.b) / norm**2, w / (norm if unit else 1)
        arrow.set_offsets([foot])
        arrow.set_UVC(*tip[:, None])
        beyond = 0.06 * np.ptp(ax.get_ylim()) / norm
        text.set_position(foot + tip + beyond * w)  # past the tip, wherever it points

    move(h)
    return move


def draw_band(ax: Axes, h: Any, margin: float) -> Move:
    """Draw the band of all points nearer to the boundary than the margin."""
    band = ax.fill([], [], fc=GREEN, alpha=0.22, lw=0, zorder=2)[0]
    edges = [ax.plot([], [], color=GREEN, ls="--", lw=1.5, zorder=2)[0] for _ in range(2)]

    def move(h: Any, margin: float) -> None:
        w, b, off = _plain(h.w), float(h.b), margin * float(np.linalg.norm(_plain(h.w)))
        band.set_xy(_cut(_cut(_frame(ax), w, b - off), -w, -b - off))
        for edge, side in zip(edges, (1, -1)):
            edge.set_data(*_boundary(ax, w, b + side * off))

    move(h, margin)
    return move


def draw_hulls(ax: Axes, X: Any, y: Any, separation: Any = None) -> Move:
    """Draw the convex hull of each class, and the point in both if the certificate has one."""
    hulls = {
        s: ax.fill([], [], fc=COLOUR[s], ec=COLOUR[s], alpha=0.25, lw=2, zorder=2)[0]
        for s in (1, -1)
    }
    (witness,) = ax.plot([], [], marker="*", ms=20, color=INK, mec="white", ls="", zorder=6)

    def move(X: Any, y: Any, separation: Any = None) -> None:
        for s, hull in hulls.items():
            hull.set_xy(_hull(_plain(X)[np.asarray(y) == s]))
        meet = separation is not None and not separation.separable
        witness.set_data(*(_plain(separation.common_point())[:, None] if meet else ([], [])))

    move(X, y, separation)
    return move


# Runs and their proof


def draw_trace(ax: Axes, run: Any, numbers: bool = True) -> Move:
    """Draw the way of w from update to update; it moves to the first t updates."""
    path = _plain(run.path())
    (line,) = ax.plot([], [], "-o", color=PURPLE, ms=5, zorder=5)
    tags = [
        ax.annotate(f"$w_{{{t}}}$", w, (5, 4), textcoords="offset points", color=PURPLE, zorder=5)
        for t, w in enumerate(path)
        if numbers
    ]

    def move(t: int) -> None:
        line.set_data(*path[: t + 1].T)
        for k, tag in enumerate(tags):
            tag.set_visible(k == t or len(path) < 12 and k < t)

    move(len(path) - 1)
    return move


def draw_cone(ax: Axes, Z: Any) -> Move:
    """Draw, among the weights, a line ⟨w,z⟩ = 0 for each signed point and the cone of separators.

    The cone is where all ⟨w,z⟩ are positive; there is none if nothing separates.
    """
    cone = ax.fill([], [], fc=GREEN, alpha=0.3, lw=0, zorder=1)[0]
    (lines,) = ax.plot([], [], color=GREY, lw=1, zorder=2)

    def move(Z: Any) -> None:
        inside, stroke = _frame(ax), [np.zeros((2, 1))]
        for z in _plain(Z):
            inside = _cut(inside, z, 0) if z.any() else inside[:0]
            stroke += [_boundary(ax, z, 0), np.zeros((2, 1))]  # all lines go through 0
        cone.set_xy(inside)
        lines.set_data(*np.hstack(stroke))

    move(Z)
    return move


@dataclass(frozen=True)
class Squeeze:
    """Two curves that must not cross, and between them the dots of a run.

    The lower curve is what t updates gain at least, the upper one what is possible at most; where
    they meet the updates have come to an end.
    """

    low: Callable[[np.ndarray], Any]
    high: Callable[[np.ndarray], Any]
    gained: Sequence[float]  # after 1, 2, … updates
    lengths: Sequence[float]
    end: float
    height: float  # of the picture
    every: int = 1  # of a long run, so many updates have one dot

    @classmethod
    def of(cls, proof: Any) -> "Squeeze":
        """Return the two inequalities of the mistake bound."""
        star = float(np.linalg.norm(_plain(proof.w_star)))
        return cls(
            low=lambda t: t * proof.gamma,
            high=lambda t: proof.R * np.sqrt(t),
            gained=[float(row.progress) / star for row in proof.rows],
            lengths=[float(row.norm2) ** 0.5 for row in proof.rows],
            end=float(proof.bound),
            height=proof.R**2 / proof.gamma,
        )


SQUEEZE = (  # what the curves of the mistake bound are, and where they meet
    r"$t\,\gamma$: the least progress",
    r"$R\sqrt{t}$: the greatest length",
    r"$(R/\gamma)^2$: the bound",
)


def draw_squeeze(ax: Axes, proof: Any, names: Sequence[str] = SQUEEZE) -> Move:
    """Draw both sides of the mistake bound, or of another proof that is a Squeeze.

    They are what a mistake gains at least, and how long w gets at most.
    """
    (low,) = ax.plot([], [], color=GREEN, label=names[0])
    (high,) = ax.plot([], [], color=ORANGE, ls="--", label=names[1])
    (gains,) = ax.plot([], [], "o", color=GREEN, ms=5, label=r"$\langle w_t, w^*\rangle/\|w^*\|$")
    (norms,) = ax.plot([], [], "X", color=ORANGE, ms=6, label=r"$\|w_t\|$")
    end = ax.axvline(1, color=INK, ls=":", label=names[2])
    ax.set(xlabel="mistakes $t$", ylabel="length")
    ax.figure.legend(handles=[low, high, end, gains, norms], loc="outside upper center", ncols=3)

    def move(proof: Any) -> None:
        squeeze = proof if isinstance(proof, Squeeze) else Squeeze.of(proof)
        _make_room(ax, 1.1 * squeeze.end, 1.1 * squeeze.height)
        t = np.linspace(0, ax.get_xlim()[1], 200)
        low.set_data(t, squeeze.low(t))
        high.set_data(t, squeeze.high(t))
        some = slice(squeeze.every - 1, None, squeeze.every)
        shown = range(1, len(squeeze.gained) + 1)[some]
        gains.set_data(shown, squeeze.gained[some])
        norms.set_data(shown, squeeze.lengths[some])
        end.set_xdata([squeeze.end, squeeze.end])

    move(proof)
    return move


def draw_losses(ax: Axes, losses: Sequence[Any], low: float = -2, high: float = 2.5) -> None:
    """Draw losses as functions of the margin z = y⟨w, x⟩, with a dot at the tie z = 0."""
    z = np.linspace(low, high, 901)
    for loss, colour, dashes in zip(
        losses, (INK, ORANGE, BLUE, PURPLE, GREEN), ("-", "--", "-.", ":", (0, (5, 1)))
    ):
        ax.plot(z, _plain(loss(z)), color=colour, ls=dashes, lw=2.5, label=loss.name)
        ax.plot(0, float(loss(0.0)), "o", color=colour)
    ax.set(xlabel=r"margin $z = y\langle w, x\rangle$", ylabel="loss", xlim=(low, high))
    ax.legend()


# Kernels and duality


def score_grid(model: Any, xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
    """Return the scores on a grid, a row for each y.

    A Gaussian is a product, so two thin matrices do.
    """
    if not getattr(getattr(model, "kernel", None), "name", "").startswith("rbf"):
        return _plain(model.score(np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2))).reshape(
            len(ys), len(xs)
        )
    weights = (
        _plain(getattr(model, "alpha", None) if hasattr(model, "alpha") else model.counts) * model.y
    )
    X, block = _plain(model.X)[weights != 0], model.kernel.block
    down, across = block(ys[:, None], X[:, 1:]), block(xs[:, None], X[:, :1])
    return (down * weights[weights != 0]) @ across.T - float(getattr(model, "b", 0))


def draw_region(ax: Axes, model: Any, n: int = 100, levels: Sequence[float] = (-1, 1)) -> Move:
    """Draw where a model says +1 and −1, the boundary, and other levels dashed.

    Any score of two numbers will do for a model.
    """
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    xs, ys = np.linspace(left, right, n), np.linspace(bottom, top, n)
    image = ax.imshow(
        np.zeros((n, n)),
        cmap=ListedColormap([LIGHT[-1], LIGHT[1]]),
        vmin=-1,
        vmax=1,
        zorder=1,
        extent=(left, right, bottom, top),
        origin="lower",
        aspect="equal",
        interpolation="nearest",
    )
    border = LineCollection([], colors=INK, zorder=3)
    others = LineCollection([], colors=GREEN, linestyles="dashed", linewidths=1.5, zorder=3)
    ax.add_collection(border, autolim=False)
    ax.add_collection(others, autolim=False)

    def move(model: Any) -> None:
        scores = score_grid(model, xs, ys)
        image.set_data(np.sign(scores))
        contours: Any = contourpy.contour_generator(xs, ys, scores)  # lines of a dozen types
        border.set_segments(contours.lines(0))
        others.set_segments([line for level in levels for line in contours.lines(level)])

    move(model)
    return move


def draw_support(ax: Axes, svm: Any) -> Move:
    """Ring the support vectors, the larger the ring the larger α."""
    rings = ax.scatter([], [], fc="none", ec=INK, lw=1.5, zorder=5)

    def move(svm: Any) -> None:
        alpha = svm.alpha[svm.support]
        rings.set_offsets(_plain(svm.X)[svm.support])
        rings.set_sizes(120 + 500 * alpha / alpha.max(initial=1e-300))

    move(svm)
    return move


def draw_weights(ax: Axes, weights: Any, y: Any = None, name: str = r"$\alpha$") -> Move:
    """Draw a bar for each labelled point, those of −1 hatched; without labels, a picture.

    Weights without labels are those of the pixels of a square picture: blue with + where they are
    positive, orange with − where they are negative.
    """
    if y is None:
        return _draw_signed(ax, weights)
    weights, y = _plain(weights), np.asarray(y)
    bars = ax.bar(
        range(len(y)),
        weights,
        color=[COLOUR[s] for s in y],
        ec="white",
        hatch=["" if s > 0 else "//" for s in y],
    )
    ax.set(xlabel="point", ylabel=name, xticks=range(len(y)) if len(y) <= 20 else [], ylim=(0, 1))

    def move(weights: Any) -> None:
        _make_room(ax, None, 1.1 * max(_plain(weights)))
        for bar, height in zip(bars, _plain(weights)):
            bar.set_height(height)

    move(weights)
    return move


def draw_gap(ax: Axes, svm: Any) -> Move:
    """Draw the primal and the dual value closing in; it moves to the solver's first k steps."""
    primal, dual = np.array(svm.history).reshape(-1, 2).T  # empty where rounding spoilt them
    (above,) = ax.plot([], [], "-o", color=ORANGE, ms=5, label="primal")
    (below,) = ax.plot([], [], "--o", color=BLUE, ms=5, label="dual")
    ax.axhline(svm.dual, color=INK, ls=":", lw=1.5, label="optimum")
    room = abs(svm.dual) or 1.0
    ax.set(
        xlabel="step",
        ylabel="value",
        xlim=(0, len(primal) + 1),
        ylim=(svm.dual - room, svm.dual + 2 * room),
    )
    ax.figure.legend(loc="outside upper center", ncols=3)

    def move(k: int) -> None:
        for line, values in ((above, primal), (below, dual)):
            line.set_data(1 + np.arange(len(values[:k])), values[:k])

    move(len(primal))
    return move


# Pictures of digits


def draw_digit(ax: Axes, x: Any) -> Move:
    """Draw a handwritten digit, given by its grey values row by row."""
    image = _draw_pixels(ax, x, cmap=GREYS, vmin=0, vmax=DARKEST)

    def move(x: Any) -> None:
        image.set_data(_square(x))

    return move


def _draw_signed(ax: Axes, weights: Any) -> Move:
    """Draw the weights of pixels around 0, with a sign on those that are not small."""
    image = _draw_pixels(ax, weights, cmap=SIGNED, vmin=-1, vmax=1)
    signs = {
        1: ax.scatter([], [], marker="+", s=16, c=INK, lw=0.7, zorder=2),
        -1: ax.scatter([], [], marker="_", s=16, c=INK, lw=0.7, zorder=2),
    }

    def move(weights: Any) -> None:
        shares = _square(weights)
        shares = shares / (np.abs(shares).max() or 1)
        image.set_data(shares)
        for sign, marks in signs.items():
            rows, columns = np.nonzero(sign * shares > 0.1)
            marks.set_offsets(np.column_stack([columns, rows]))

    move(weights)
    return move


def _draw_pixels(ax: Axes, values: Any, **look: Any) -> Any:
    """Draw an image in a frame, without ticks."""
    image = ax.imshow(_square(values), interpolation="nearest", zorder=1, **look)
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set(visible=True, color=GREY)
    return image


def _square(values: Any) -> np.ndarray:
    """Return the values of a square picture, row by row, as a matrix."""
    flat = _plain(values).ravel()
    side = round(len(flat) ** 0.5)
    if side**2 != len(flat):
        raise ValueError(f"{len(flat)} values make no square picture; 64 are expected of a digit")
    return flat.reshape(side, side)


# Boolean functions


def draw_cube(ax: Axes, y: Any) -> Move:
    """Draw a truth table of up to four variables on the cube, in the order of `cube`."""
    d = len(y).bit_length() - 1
    corners = cube(d)
    flat = corners @ np.array([[1, 0], [0, 1], [0.42, 0.3], [2.1, 0]])[:d]
    edges = [(i, i ^ 1 << j) for i in range(2**d) for j in range(d) if not i >> j & 1]
    ax.add_collection(
        LineCollection([flat[list(edge)] for edge in edges], colors=GREY, linewidths=1.2, zorder=1)
    )
    for corner, place in zip(corners, flat):
        ax.annotate(
            "".join(map(str, corner)), place, (9, -15), textcoords="offset points", fontsize=11
        )
    ax.set(
        aspect="equal", xlim=(-0.2, flat[:, 0].max() + 0.4), ylim=(-0.25, flat[:, 1].max() + 0.2)
    )
    ax.axis("off")
    move = draw_points(ax, flat, y)
    return lambda y: move(flat, y)


def draw_votes(ax: Axes, rules: Any, x: Any, base: float = 2) -> Move:
    """Draw the votes of a decision list at a point.

    A rule that holds has ±baseʲ votes; where it does not they are dotted.
    """
    literals = [literal for literal, _ in rules.rules]
    names = [f"$x_{{{v}}}$" if v > 0 else rf"$\neg x_{{{-v}}}$" for v in literals] + [
        "default",
        "sum",
    ]
    signs = [1 if output else -1 for _, output in rules.rules] + [1 if rules.default else -1]
    bars, ghosts = (
        ax.barh(range(len(names)), 0, height=0.7, ec=INK, fc="none", ls=style)
        for style in ("-", ":")
    )
    ax.axvline(0, color=INK, lw=1)
    ax.set(
        yticks=range(len(names)),
        yticklabels=names,
        xlabel="vote",
        ylim=(len(names) - 0.5, -0.5),
        xlim=np.array([-1.1, 1.1]) * base ** len(signs),
    )

    def move(x: Any, base: float = 2) -> None:
        holds = [x[abs(v) - 1] == (v > 0) for v in literals] + [True]
        might = [s * base**j for s, j in zip(signs, range(len(literals), -1, -1))]
        votes = [vote * held for vote, held in zip(might, holds)]
        for ghost, vote in zip(ghosts, might):
            ghost.set_width(vote)
        for bar, vote in zip(bars, [*votes, sum(votes)]):
            bar.set(
                width=vote,
                facecolor=COLOUR[1 if vote >= 0 else -1],
                hatch="" if vote >= 0 else "//",
            )

    move(x, base)
    return move


# Space


def set_space(ax: Any, X: Any, names: Sequence[str] = ("$x_1$", "$x_2$", "$x_3$")) -> None:
    """Make room for the points in three dimensions."""
    low, high = np.minimum(_plain(X).min(0), 0), np.maximum(_plain(X).max(0), 0)
    pad = 0.15 * (high - low)
    ax.locator_params(nbins=5)
    ax.set_box_aspect(None, zoom=0.88)
    ax.set(
        **{f"{axis}lim": ends for axis, ends in zip("xyz", zip(low - pad, high + pad))},
        **{f"{axis}label": name for axis, name in zip("xyz", names)},
    )


def draw_points_in_space(ax: Any, X: Any, y: Any, names: Sequence[str] = ()) -> None:
    """Draw labelled points in three dimensions, with their names."""
    X, y = _plain(X), np.asarray(y)
    for s in (1, -1):
        ax.scatter(
            *X[y == s].T, c=COLOUR[s], marker=MARKER[s], s=SIZE[s], ec="white", depthshade=False
        )
    for x, name in zip(X, names):
        ax.text(*x, f"  {name}", fontsize=11)


def draw_plane(ax: Any, h: Any) -> Move:
    """Draw the boundary of a halfspace in space, as far as the box reaches."""
    plane = Poly3DCollection([np.zeros((3, 3))], fc=GREEN, ec=GREEN, alpha=0.35)
    ax.add_collection3d(plane)

    def move(h: Any) -> None:
        ends = np.array([ax.get_xlim(), ax.get_ylim(), ax.get_zlim()])
        plane.set_verts([_section(ends, _plain(h.w), float(h.b))])

    move(h)
    return move


def draw_paraboloid(ax: Any, radius: float) -> None:
    """Draw z = x² + y², onto which the plane is lifted."""
    r, angle = np.meshgrid(np.linspace(0, radius, 13), np.linspace(0, 2 * np.pi, 37))
    ax.plot_surface(
        r * np.cos(angle), r * np.sin(angle), r**2, color=GREY, alpha=0.18, lw=0.3, ec=GREY
    )


# Geometry


def _plain(values: Any) -> np.ndarray:
    """Return floats: exact weights may be ints or Fractions of any size."""
    return np.asarray(values).astype(float)


def _frame(ax: Axes) -> np.ndarray:
    """Return the corners of what the axes show."""
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    return np.array([[left, bottom], [right, bottom], [right, top], [left, top]])


def _boundary(ax: Axes, w: np.ndarray, b: float) -> np.ndarray:
    """Return xs and ys of the line ⟨w, x⟩ = b, long enough to leave the axes; nothing if w = 0."""
    if not w.any():
        return np.empty((2, 0))
    frame, norm = _frame(ax), np.linalg.norm(w)
    middle = frame.mean(0)
    foot = middle + w * (b - middle @ w) / norm**2
    reach = np.linalg.norm(frame[2] - frame[0])
    return np.array(
        [
            foot - reach * np.array([-w[1], w[0]]) / norm,
            foot + reach * np.array([-w[1], w[0]]) / norm,
        ]
    ).T


def _cut(polygon: np.ndarray, w: np.ndarray, b: float) -> np.ndarray:
    """Return the part of a convex polygon where ⟨w, x⟩ ≥ b (Sutherland and Hodgman)."""
    scores, kept = polygon @ w - b, []
    for p, q, s, t in zip(polygon, np.roll(polygon, -1, 0), scores, np.roll(scores, -1)):
        if s >= 0:
            kept.append(p)
        if s * t < 0:
            kept.append(p + (q - p) * s / (s - t))
    return np.array(kept).reshape(-1, 2)


def _hull(points: np.ndarray) -> np.ndarray:
    """Return the corners of the convex hull in order (Andrew's chain).

    It works for one point and for points on a line.
    """
    rows = sorted(map(tuple, points))

    def chain(rows: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        kept: list[tuple[float, float]] = []
        for x, y in rows:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], (x, y)) <= 0:
                kept.pop()
            kept.append((x, y))
        return kept

    return np.array(chain(rows)[:-1] + chain(rows[::-1])[:-1] or rows).reshape(-1, 2)


def _turn(a: Sequence[float], b: Sequence[float], c: Sequence[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _section(ends: np.ndarray, w: np.ndarray, b: float) -> np.ndarray:
    """Return the corners, in order, of the polygon in which a plane cuts a box."""
    box = np.array(list(product(*ends)))
    pairs = [(p, q) for p, q in combinations(box, 2) if (p != q).sum() == 1]
    cuts = [
        p + (q - p) * (b - p @ w) / ((q - p) @ w) for p, q in pairs if (p @ w - b) * (q @ w - b) < 0
    ]
    if len(cuts) < 3:
        return np.zeros((3, 3)) + ends[:, 0]
    middle, (u, v) = np.mean(cuts, 0), np.linalg.svd(w[None])[2][1:]
    return np.array(sorted(cuts, key=lambda p: np.arctan2((p - middle) @ u, (p - middle) @ v)))


def _make_room(ax: Axes, width: float | None, height: float | None) -> None:
    """Let the axes reach from 0 to the next round number.

    So they change in steps, not with every move.
    """
    for value, get, put in ((width, ax.get_xlim, ax.set_xlim), (height, ax.get_ylim, ax.set_ylim)):
        if value and np.isfinite(value) and get() != (0, round_up(value)):
            put(0, round_up(value))


def round_up(value: float) -> float:
    """Return the next round number."""
    power = 10.0 ** np.floor(np.log10(value))
    return next(step * power for step in (1.5, 2, 3, 5, 7, 10) if step * power >= value)
