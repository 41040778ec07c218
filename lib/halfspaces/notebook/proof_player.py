"""Play the proof of the mistake bound on points that can be dragged.

Left the data with the next mistake ringed, in the middle w and its shadow on w* inside the disc
that it cannot leave, on the right the chain of inequalities with the numbers of this step.
"""

import math
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..halfspace import Halfspace
from ..perceptron import run_perceptron
from ..runs import Run
from ..separability import separate
from ..validation import as_sample
from .figures import Move, draw_halfspace, draw_points, round_up
from .live import Data, Live, Points, Slider, Update, live
from .palette import GREEN, GREY, INK, ORANGE, PURPLE

REACH = 4  # coordinates of the points go from −4 to 4
LONGEST = 60  # updates of a run that is played
ALT = (
    "Left: labelled points, the halfspace of w, a ring around the next mistake. Middle: the way "
    "of w inside a disc, and its shadow on the line of w*. Right: four bars, none longer than the "
    "next: what t mistakes gain at least, what w has gained, its length, and its greatest length."
)
FEWEST, MOST = 2, 8  # points
SILENT = "No halfspace through the origin separates these points: the theorem is silent."
TERMS = (
    r"$t\,\hat\gamma$",
    r"$\langle w,w^*\rangle$",
    r"$\|w\|\,\|w^*\|$",
    r"$R\sqrt{t}\,\|w^*\|$",
)


def proof_player(X: Any, y: Any, updates: int = 15) -> Live:
    """Make the player for a few points of whole numbers; its slider has so many updates."""
    return live(
        show_proof,
        alt=ALT,
        size=(11.2, 3.7),
        t=Slider(0, updates, value=0, label="updates t", play=True),
        points=Points(X, y, snap=1, label="points", least=FEWEST, most=MOST),
    )


def own_points(X: Any, y: Any, spare: tuple[Any, Any]) -> tuple[np.ndarray, np.ndarray, str]:
    """Return a reader's own points and labels; or the spare ones, and a sentence that says why."""
    refusal = _refuse(X, y)
    X, y = spare if refusal else (X, y)
    return np.array(X).astype(np.int64), np.array(y).astype(np.int64), refusal


def _refuse(X: Any, y: Any) -> str:
    """Say what is wrong with points that are to be played; nothing if nothing is."""
    try:
        X, y = as_sample(X, y)
    except ValueError as error:
        return f"These points cannot be used: {error}."
    if X.shape[1] != 2:
        return f"These points have {X.shape[1]} coordinates; points of the plane are expected."
    if (X != X.astype(float).round()).any() or abs(X).max() > REACH:
        return f"Whole numbers from −{REACH} to {REACH} are expected as coordinates."
    if not FEWEST <= len(X) <= MOST:
        return f"{FEWEST} to {MOST} points are expected, and these are {len(X)}."
    return "" if separate(X, y, bias=False) else SILENT


def show_proof(fig: Figure) -> Update:
    """Draw the three panes, and return what moves them."""
    data, plane, chain = fig.subplots(1, 3, width_ratios=(5, 5, 8))
    move_data, move_plane, move_chain = _data(data), _plane(plane), _chain(chain)

    def update(t: int, points: Data) -> dict[str, Any] | str:
        found = separate(*points, bias=False)
        move_data(points, None, 0)
        move_plane(None, None, 0)
        move_chain(None, None, 0)
        if found.halfspace is None:
            return SILENT
        run, w_star = run_perceptron(*points, max_updates=LONGEST), found.halfspace.w
        t = min(t, len(run.mistakes))
        move_data(points, run, t)
        move_plane(run, w_star, t)
        least, gained, length, most = move_chain(run, w_star, t)
        ended = t == len(run.mistakes) and run.converged
        return {
            "updates t": f"{t} of {len(run.mistakes)}" + (", no mistake is left" if ended else ""),
            "next mistake": "none" if t == len(run.mistakes) else f"point {run.mistakes[t]}",
            "t γ̂": least,
            "⟨w,w*⟩": gained,
            "‖w‖‖w*‖": length,
            "R√t‖w*‖": most,
            "bound (R/γ)²": f"{_bound(run, w_star):.1f}",
        }

    return update


def _bound(run: Run, w_star: np.ndarray) -> float:
    Z = run.y[:, None] * run.X
    return float((Z**2).sum(1).max() * (w_star @ w_star) / min(Z @ w_star) ** 2)


def _data(ax: Axes) -> Move:
    """Draw the points, the halfspace of w and the next mistake."""
    room = REACH + 0.6
    ax.set(xlim=(-room, room), ylim=(-room, room), aspect="equal", xlabel="$x_1$", ylabel="$x_2$")
    ax.set(title="the data", xticks=range(-4, 5, 2), yticks=range(-4, 5, 2))
    side = draw_halfspace(ax, Halfspace([0, 0], 1))
    dots = draw_points(ax, [[0, 0]], [1])
    ax.plot(0, 0, "+", color=GREY, ms=9)
    ring = ax.scatter([], [], s=230, fc="none", ec=INK, lw=2, zorder=5)

    def move(points: Data, run: Run | None, t: int) -> None:
        dots(*points)
        if run is None:
            side(Halfspace([0, 0], 1))
            ring.set_offsets(np.empty((0, 2)))
        else:
            side(Halfspace(run.path()[t], -1e-9))  # w = 0 says +1 everywhere
            ring.set_offsets(points.X[run.mistakes[t : t + 1]])

    return move


def _plane(ax: Axes) -> Move:
    """Draw the way of w, its shadow on w*, and the disc of radius R√t."""
    ax.set(aspect="equal", xlabel="$w_1$", ylabel="$w_2$", title="$w$ and its shadow on $w^*$")
    disc = ax.fill([], [], fc=ORANGE, ec=ORANGE, alpha=0.18, lw=2, zorder=1)[0]
    (ray,) = ax.plot([], [], color=GREEN, lw=1, zorder=2)
    (shadow,) = ax.plot([], [], color=GREEN, lw=6, alpha=0.6, solid_capstyle="butt", zorder=3)
    (floor,) = ax.plot([], [], color=INK, lw=2.5, zorder=4)
    (fall,) = ax.plot([], [], ":", color=INK, lw=1.5, zorder=3)
    (way,) = ax.plot([], [], "-o", color=PURPLE, lw=1, ms=3, alpha=0.6, zorder=4)
    (arrow,) = ax.plot([], [], "-", color=PURPLE, lw=3, zorder=5)
    (tip,) = ax.plot([], [], "o", color=PURPLE, ms=8, zorder=6)
    tag = ax.text(0, 0, "$R\\sqrt{t}$", color=ORANGE, ha="center", va="bottom", clip_on=True)
    turn = np.linspace(0, 2 * np.pi, 73)

    def move(run: Run | None, w_star: Any, t: int) -> None:
        parts = (ray, shadow, floor, fall, way, arrow, tip)
        for part in (*parts, disc, tag):
            part.set_visible(run is not None)
        if run is None:
            return
        path, Z = run.path().astype(float), run.y[:, None] * run.X
        R, unit = math.sqrt((Z**2).sum(1).max()), w_star / math.hypot(*w_star)
        room = round_up(1.1 * R * math.sqrt(len(run.mistakes)))
        ax.set(xlim=(-room, room), ylim=(-room, room))
        w, radius = path[t], R * math.sqrt(t)
        foot, least = (w @ unit) * unit, t * min(Z @ unit) * unit
        across = 0.05 * room * np.array([-unit[1], unit[0]])
        disc.set_xy(radius * np.column_stack([np.cos(turn), np.sin(turn)]))
        tag.set_position((0, radius + 0.02 * room))
        ray.set_data(*np.outer([-2 * room, 2 * room], unit).T)
        shadow.set_data(*np.array([np.zeros(2), foot]).T)
        floor.set_data(*np.array([least - across, least + across]).T)
        fall.set_data(*np.array([w, foot]).T)
        way.set_data(*path[: t + 1].T)
        arrow.set_data(*np.array([np.zeros(2), w]).T)
        tip.set_data(*w[:, None])

    return move


def _chain(ax: Axes) -> Any:
    """Draw the four terms as bars, and between them the lemma with what this step has done."""
    ax.set(xlim=(0, 1), ylim=(0.2, 7.6))
    ax.axis("off")
    rows = (7, 5, 3, 1)
    bars = ax.barh(rows, 0, left=0.27, height=0.62)
    for bar, colour, hollow in zip(
        bars, (GREEN, GREEN, ORANGE, ORANGE), (True, False, False, True)
    ):
        bar.set(ec=colour, fc="none" if hollow else colour, lw=2, ls="--" if hollow else "-")
    for row, term in zip(rows, TERMS):
        ax.text(0.25, row, term, ha="right", va="center", fontsize=14)
    numbers = [ax.text(0, row, "", va="center", fontsize=12) for row in rows]
    notes = [ax.text(0.27, row - 1, "", va="center", fontsize=10, color=PURPLE) for row in rows[:3]]

    for text in ax.texts:
        text.set_in_layout(False)  # or the panes would shrink to make room

    def move(run: Run | None, w_star: Any, t: int) -> Any:
        terms, said = ([0.0] * 4, [""] * 3) if run is None else _links(run, w_star, t)
        for bar, number, value in zip(bars, numbers, terms):
            bar.set_width(0.56 * value / (max(terms) or 1))
            number.set_position((0.29 + bar.get_width(), number.get_position()[1]))
            number.set_text(f"{value:.4g}")
        for note, text in zip(notes, said):
            note.set_text(text)
        return terms

    return move


def _links(run: Run, w_star: np.ndarray, t: int) -> tuple[list[float], list[str]]:
    """Return the four terms after t updates, and a sentence for each inequality between them."""
    Z, w = run.y[:, None] * run.X, run.path()[t].astype(float)
    R2, star, least = int((Z**2).sum(1).max()), math.hypot(*w_star), min(Z @ w_star)
    terms = [t * least, w @ w_star, math.hypot(*w) * star, math.sqrt(R2 * t) * star]
    said = [
        f"≤  Lemma 5.2: at least +{least:g}",
        "≤  Lemma 5.4: a shadow is no longer",
        rf"≤  Lemma 5.3: $\|w\|^2$ at most +{R2}",
    ]
    if t:
        z, before = Z[run.mistakes[t - 1]], run.path()[t - 1]
        grown = int(2 * before @ z + z @ z)
        said[0] += f", now +{z @ w_star:g}"
        said[2] += f", now {grown:+d}".replace("-", "−")
    return [float(term) for term in terms], said
