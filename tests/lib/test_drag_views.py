"""Views of points that are dragged: their numbers are the library's, wherever the points go."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from halfspaces import best_halfspace, prove_mistake_bound, run_perceptron, separate, solve_svm
from halfspaces.notebook import drag_views
from halfspaces.notebook.live import Points, Slider, live
from halfspaces.notebook.proof_player import own_points, proof_player

START = Points([[1, 2], [-1, -1]], [1, -1], snap=1, most=14)
ODD = {
    "one point": ([[1, 2]], [1]),
    "the origin": ([[0, 0]], [-1]),
    "one class": ([[1, 2], [0, 1], [3, 3]], [-1, -1, -1]),
    "one place": ([[1, 2], [1, 2]], [1, -1]),
    "on a line": ([[-2, -2], [-1, -1], [1, 1], [2, 2]], [1, -1, 1, -1]),
}

VIEWS = [
    "separation_view",
    "shatter_view",
    "two_optima_view",
    "margin_view",
    "origin_street_view",
    "walk_view",
]


def samples():
    rng = np.random.default_rng(3)
    for _ in range(12):
        n = int(rng.integers(2, 8))
        yield rng.integers(-4, 5, (n, 2)), rng.choice([-1, 1], n)


def view_of(name, **more):
    return live(getattr(drag_views, name), size=(4, 3), data=START, **more)


@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
@pytest.mark.parametrize("name", VIEWS)
def test_views_bear_any_points(name, data):
    more = {"t": Slider(0, 9, value=9)} if name == "walk_view" else {}
    view = view_of(name, **more)
    assert view.draw(data=data) and view.figure(data=data)
    rows = [[*x, s] for x, s in zip(*data)]
    assert "error" not in view.sketch.frame(
        [rows, *(control.steps[-1] for control in more.values())]
    )


def test_separator_or_common_point():
    view = view_of("separation_view")
    for X, y in samples():
        shown, found = view.draw(data=(X, y)), separate(X, y)
        assert shown["separable"] == ("yes" if found else "no")
        if not found:
            used = np.count_nonzero(found.weights)
            assert shown["weights λ"].count("of point") == used


@pytest.mark.parametrize(
    ("points", "at_will", "count"),
    [
        ([[0, 0], [3, 1], [1, 4]], "yes", "8 of 8"),
        ([[0, 0], [1, 1], [3, 3]], "no", "6 of 8"),  # the middle one cannot be alone
        ([[0, 0], [3, 0], [4, 4], [0, 3]], "no", "14 of 16"),
        ([[0, 0], [4, 0], [0, 4], [1, 1]], "no", "14 of 16"),
        ([[2, 1], [-1, 3], [-3, -1], [0, -3], [3, -2]], "no", "22 of 32"),  # Cover: 2(1 + 4 + 6)
    ],
)
def test_labellings_are_counted(points, at_will, count):
    shown = view_of("shatter_view").draw(data=(points, [1] * len(points)))
    assert shown == {"labelled at will": at_will, "labellings that a line has": count}


def test_the_cone_is_where_the_separators_are():
    view = view_of("walk_view", t=Slider(0, 60))
    for X, y in samples():
        ax = view.figure(data=(X, y), t=60).axes[1]
        corners = ax.patches[0].get_xy()[:-1]  # matplotlib repeats the first
        u, v = corners.T
        area = abs(u @ np.roll(v, 1) - v @ np.roll(u, 1)) / 2
        assert (area > 1e-9) == separate(X, y, bias=False).separable
        if area > 1e-9:
            inside = corners.mean(axis=0)
            assert (y * (X @ inside) > 0).all()


def test_walk_ends_as_the_run_does():
    view = view_of("walk_view", t=Slider(0, 60))
    for X, y in samples():
        run = run_perceptron(X, y, max_updates=60)
        shown = view.draw(data=(X, y), t=60)
        assert shown["w"] == f"({', '.join(map(str, run.path()[-1]))})".replace("-", "−")
        assert ("no end" in shown["updates"]) == (not run.converged)
        assert (shown["mistakes of w"] == 0) == run.converged


def test_fewest_mistakes_are_the_fewest():
    view = view_of("two_optima_view")
    for X, y in samples():
        shown = view.draw(data=(X, y))
        assert shown["fewest mistakes"] == best_halfspace(X, y, bias=False).errors
        assert shown["fewest mistakes"] <= shown["mistakes, hinge optimum"]


def test_street_through_the_origin_is_the_widest():
    view = view_of("origin_street_view")
    streets = 0
    for X, y in samples():
        shown, found = view.draw(data=(X, y)), separate(X, y, bias=False)
        assert ("street 2/‖v‖" in shown) == bool(found)
        if found:
            streets += 1
            width = 2 * solve_svm(X, y, bias=False).margin
            assert float(shown["street 2/‖v‖"]) == pytest.approx(width, rel=1e-3)
            assert shown["primal"] == shown["dual"]
        else:
            used = np.count_nonzero(found.weights)
            assert shown["weights λ of Σ λyx = 0"].count("of point") == used
    assert 0 < streets < 12


def test_street_is_the_widest():
    view = view_of("margin_view")
    for X, y in samples():
        shown = view.draw(data=(X, y))
        if separate(X, y) and len(set(y.tolist())) == 2:
            assert float(shown["street 2/‖v‖"]) == pytest.approx(
                2 * solve_svm(X, y).margin, rel=1e-3
            )
            assert "below" in shown["gap"] or float(shown["gap"]) < 1e-6
        else:
            assert "street 2/‖v‖" not in shown


def test_the_chain_of_the_proof_holds_at_every_step():
    played, player = 0, proof_player(*START.nearest(None), updates=60)
    for X, y in samples():
        found = separate(X, y, bias=False)
        if not found:
            assert "silent" in player.draw(points=(X, y))
            continue
        proof = prove_mistake_bound(run_perceptron(X, y), found.halfspace.w)
        for t in range(len(proof.rows) + 1):
            shown = player.draw(t=t, points=(X, y))
            chain = [shown[name] for name in ("t γ̂", "⟨w,w*⟩", "‖w‖‖w*‖", "R√t‖w*‖")]
            assert all(a <= b + 1e-9 for a, b in zip(chain, chain[1:])), (t, chain)
            if t:
                assert chain[1] == float(proof.rows[t - 1].progress)
        assert shown["bound (R/γ)²"] == f"{float(proof.bound):.1f}"
        assert shown["next mistake"] == "none"
        played += 1
    assert played >= 3


@pytest.mark.parametrize("name", VIEWS)
def test_quarters_are_exact(name):
    more = {"t": Slider(0, 9, value=9)} if name == "walk_view" else {}
    start = Points([[0.25, 2], [-1, -1.75]], [1, -1], snap=Fraction(1, 4))
    view = live(getattr(drag_views, name), size=(4, 3), data=start, **more)
    assert view.draw(data=([[0.3, 2], [0.25, 2], [1, 1]], [1, -1, 1]))


SPARE = ([[1, 2], [1, -1]], [1, 1])


@pytest.mark.parametrize(
    ("X", "y", "word"),
    [
        ([[1, 0], [-1, 0]], [1, 1], "silent"),
        ([[0, 0], [1, 2]], [1, 1], "silent"),
        ([[1, 2, 3], [1, 0, 1]], [1, -1], "3 coordinates"),
        ([[1.5, 2], [1, 1]], [1, 1], "Whole numbers"),
        ([[9, 2], [1, 1]], [1, 1], "Whole numbers"),
        ([[1, 2]], [1], "2 to 8"),
        ([[1, 2], [2]], [1, 1], "cannot be used"),
        ([[1, 2], [2, 1]], [1, 0], "cannot be used"),
    ],
)
def test_own_points_that_cannot_be_played_are_refused_in_a_sentence(X, y, word):
    used, labels, refusal = own_points(X, y, SPARE)
    assert word in refusal and refusal.endswith(".")
    assert (used.tolist(), labels.tolist()) == SPARE


@pytest.mark.parametrize("y", [[1, 1, 1], (1, 1, 1), np.ones(3)])
def test_own_points_of_one_class_or_typed_as_floats_are_whole_numbers(y):
    used, labels, refusal = own_points([[1.0, 2], [2, 0], [3, 1]], y, SPARE)
    assert not refusal and used.dtype == labels.dtype == np.int64
    assert used.tolist() == [[1, 2], [2, 0], [3, 1]] and labels.tolist() == [1, 1, 1]
    assert proof_player(used, labels).draw(t=3)


def test_labellings_are_counted_as_by_trying_all():
    rng = np.random.default_rng(3)
    for _ in range(20):
        X = rng.integers(-2, 3, (rng.integers(1, 6), 2))  # in rows and duplicated, often
        tried = sum(separate(X, y).separable for y in product((1, -1), repeat=len(X)))
        assert drag_views._count_labellings(X) == tried, X
