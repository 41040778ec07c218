"""Pictures: each function draws what it says, moves it exactly, and never through pyplot."""

import io
import subprocess
import sys
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from halfspaces import (
    Halfspace,
    cube,
    datasets,
    hinge,
    hinge_at_zero,
    polynomial,
    prove_mistake_bound,
    rbf,
    run_kernel_perceptron,
    run_perceptron,
    separate,
    solve_svm,
    zero_one,
)
from halfspaces.notebook import figures as draw
from PIL import Image
from without import NO_PROCESSES

RNG = np.random.default_rng(3)
X, Y = datasets.separable(30, 2, 0.2, RNG)
SVM = solve_svm(X, Y)


@pytest.fixture
def ax():
    ax = draw.new_figure(5, 4).add_subplot()
    draw.set_plane(ax, X)
    return ax


def render(ax):
    ax.figure.canvas.draw()
    return np.asarray(ax.figure.canvas.buffer_rgba()).copy()


def pixel(ax, point):
    image = render(ax)
    x, y = ax.transData.transform(point)
    return "#" + "".join(f"{v:02X}" for v in image[image.shape[0] - 1 - int(y), int(x), :3])


@NO_PROCESSES
def test_pyplot_is_not_imported():
    code = "import sys, halfspaces.notebook.live, halfspaces.notebook.panel; print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "matplotlib.pyplot" not in result.stdout.split()


def test_plane_shows_all_points_and_true_angles(ax):
    ax.figure.canvas.draw()
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert (
        left < min(0, X[:, 0].min())
        and right > X[:, 0].max()
        and bottom < X[:, 1].min()
        and top > X[:, 1].max()
    )
    across, up = ax.transData.transform([[1, 0], [0, 1]]) - ax.transData.transform([0, 0])
    assert across[0] == pytest.approx(up[1])


@pytest.mark.parametrize(
    "points", [[[0, 0]], [[3, 3]], [[1e-9, 0]], [[Fraction(1, 3), 2], [5, 10**6]]]
)
def test_plane_of_few_points(points):
    ax = draw.new_figure().add_subplot()
    draw.set_plane(ax, points)
    assert np.diff(ax.get_xlim()) > 0 and np.diff(ax.get_ylim()) > 0


def test_classes_differ_in_colour_and_shape(ax):
    draw.draw_points(ax, X, Y, numbers=True)
    plus, minus = ax.collections
    assert not np.array_equal(plus.get_facecolor(), minus.get_facecolor())
    assert len(plus.get_paths()[0].vertices) != len(minus.get_paths()[0].vertices)
    assert len(plus.get_offsets()) == (Y > 0).sum() and [t.get_text() for t in ax.texts] == [
        str(i) for i in range(30)
    ]


def test_halfspace_shades_each_side(ax):
    move = draw.draw_halfspace(ax, Halfspace([1, 0], 0))
    assert pixel(ax, (0.5, 0)) == draw.LIGHT[1] and pixel(ax, (-0.5, 0)) == draw.LIGHT[-1]
    move(Halfspace([0, Fraction(-1, 3)], Fraction(1, 9)))  # below −1/3
    assert pixel(ax, (0, -0.5)) == draw.LIGHT[1] and pixel(ax, (0, -0.2)) == draw.LIGHT[-1]
    move(Halfspace([0, 0], -1))
    assert pixel(ax, (0.5, 0)) == draw.LIGHT[1] == pixel(ax, (-0.5, 0))


def test_line_lies_on_the_boundary_and_leaves_the_axes(ax):
    h = Halfspace([2.0, -1.0], 0.3)
    draw.draw_halfspace(ax, h)
    ends = ax.lines[0].get_xydata()
    assert np.allclose(h.score(ends), 0)
    assert all(not (ax.viewLim.contains(*end)) for end in ends)


def test_band_has_the_width_of_the_margin(ax):
    move = draw.draw_band(ax, Halfspace([3.0, 4.0], 1.0), 0.1)
    move(Halfspace([3.0, 4.0], 1.0), 0.2)
    for line, side in zip(ax.lines, (1, -1)):
        assert np.allclose((line.get_xydata() @ [3, 4] - 1) / 5, side * 0.2)
    corners = ax.patches[0].get_xy()
    assert np.abs((corners @ [3, 4] - 1) / 5).max() == pytest.approx(0.2)


def test_normal_starts_on_the_boundary(ax):
    draw.draw_normal(ax, Halfspace([3.0, 4.0], 10.0), unit=True)
    arrow = ax.collections[0]
    assert np.allclose(arrow.get_offsets() @ [3, 4], 10) and np.allclose(
        [arrow.U, arrow.V], [[0.6], [0.8]]
    )


def test_hulls_and_witness(ax):
    points = np.array([[0, 0], [2, 0], [2, 2], [0, 2], [1, 1], [5, 1]])
    y = np.array([1, 1, 1, 1, -1, -1])
    move = draw.draw_hulls(ax, points, y, separate(points, y))
    plus, minus = ax.patches
    assert {tuple(p) for p in plus.get_xy()} == {(0, 0), (2, 0), (2, 2), (0, 2)}
    star = ax.lines[0].get_xydata()[0]
    assert 1 <= star[0] <= 2 and star[1] == 1
    points[4] = (4, 1)
    move(points, y, separate(points, y))
    assert len(ax.lines[0].get_xydata()) == 0


@pytest.mark.parametrize(
    "points", [np.zeros((0, 2)), [[1, 2]], [[0, 0], [1, 1]], [[0, 0], [1, 1], [2, 2]]]
)
def test_hulls_of_few_points(points):
    points = np.array(points, float)
    corners = draw._hull(points)
    assert len(corners) <= max(2, len(points)) and {tuple(c) for c in corners} <= {
        tuple(p) for p in points
    }


def test_trace_goes_step_by_step(ax):
    run = run_perceptron(*datasets.three_points())
    move = draw.draw_trace(ax, run)
    assert np.allclose(ax.lines[0].get_xydata(), run.path())
    move(1)
    assert len(ax.lines[0].get_xydata()) == 2


def test_squeeze_is_squeezed():
    ax = draw.new_figure().add_subplot()
    run = run_perceptron(X, Y)
    proof = prove_mistake_bound(run, solve_svm(X, Y, bias=False).w)
    draw.draw_squeeze(ax, proof)
    low, high, gains, norms, end = ax.lines
    t, gain, norm = *map(np.array, gains.get_data()), np.array(norms.get_ydata())
    assert len(t) == len(run.mistakes) and (gain >= t * proof.gamma - 1e-9).all()
    assert (gain <= norm + 1e-9).all() and (norm <= proof.R * np.sqrt(t) + 1e-9).all()
    assert end.get_xdata()[0] == float(proof.bound) < ax.get_xlim()[1]
    assert np.interp(float(proof.bound), *low.get_data()) == pytest.approx(
        proof.R**2 / proof.gamma, rel=1e-3
    )


def test_a_long_run_has_a_dot_for_some_of_its_updates():
    ax = draw.new_figure().add_subplot()
    curves = draw.Squeeze(np.copy, np.sqrt, [1.0, 2, 3, 4, 5], [2.0, 3, 4, 5, 6], 5, 5, every=2)
    draw.draw_squeeze(ax, curves)
    gains = next(line for line in ax.lines if line.get_marker() == "o")
    assert [list(data) for data in gains.get_data()] == [[2, 4], [2, 4]]


def test_losses_are_their_functions():
    ax = draw.new_figure().add_subplot()
    draw.draw_losses(ax, [zero_one, hinge_at_zero, hinge])
    for loss, line in zip((zero_one, hinge_at_zero, hinge), ax.lines[::2]):
        assert np.allclose(line.get_ydata(), loss(line.get_xdata()).astype(float))


@pytest.mark.parametrize(
    "model",
    [
        solve_svm(X, Y, 1.0, rbf(3.0)),
        solve_svm(X, Y, 1.0, polynomial(2, 1)),
        SVM,
        run_kernel_perceptron(X, Y, rbf(3.0)),
        Halfspace([1.0, 2.0], 0.5),
    ],
)
def test_grid_scores_are_the_scores(model):
    xs, ys = np.linspace(-1, 1, 7), np.linspace(-2, 2, 5)
    grid = draw.score_grid(model, xs, ys)
    assert np.allclose(grid, [[model.score([[x, y]])[0] for x in xs] for y in ys])


def test_region_is_that_of_the_model(ax):
    model = solve_svm(X, Y, 1.0, rbf(3.0))
    move = draw.draw_region(ax, solve_svm(X, Y, 1.0, polynomial(2, 1)))
    move(model)
    for point in [
        x for x, score in zip(X, model.score(X)) if 0.1 < abs(score) < 0.8
    ]:  # away from all lines
        assert pixel(ax, point) == draw.LIGHT[model.predict([point])[0]]
    border = np.vstack(ax.collections[0].get_segments())
    assert np.abs(model.score(border)).max() < 0.05


def test_support_vectors_are_ringed_by_alpha(ax):
    draw.draw_support(ax, SVM)
    rings = ax.collections[0]
    assert np.allclose(rings.get_offsets(), X[SVM.support])
    assert np.argmax(rings.get_sizes()) == np.argmax(SVM.alpha[SVM.support])


def test_weights_and_gap():
    left, right = draw.new_figure(9, 4).subplots(1, 2)
    soft = solve_svm(X, Y, 1.0)
    move = draw.draw_weights(left, soft.alpha, Y)
    move(2 * soft.alpha)
    assert np.allclose([bar.get_height() for bar in left.patches], 2 * soft.alpha)
    assert left.get_ylim()[1] >= 2 * soft.alpha.max()
    assert {bar.get_hatch() or "" for bar, y in zip(left.patches, Y) if y < 0} == {"//"}
    show = draw.draw_gap(right, soft)
    show(3)
    primal, dual = (line.get_ydata() for line in right.lines[:2])
    assert len(primal) == 3 and (primal >= dual).all()
    right.figure.canvas.draw()


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_cube_has_its_points_and_edges(d):
    ax = draw.new_figure().add_subplot()
    y = np.where(cube(d).sum(axis=1) > d / 2, 1, -1)
    move = draw.draw_cube(ax, y)
    edges, plus, minus = ax.collections
    assert len(edges.get_segments()) == d * 2 ** (d - 1)
    assert len(plus.get_offsets()) == (y > 0).sum()
    assert len({tuple(p) for c in (plus, minus) for p in c.get_offsets().round(6)}) == 2**d
    move(-y)
    assert len(minus.get_offsets()) == (y > 0).sum()
    ax.figure.canvas.draw()


def test_votes_sum_to_the_score():
    ax = draw.new_figure().add_subplot()
    rules = datasets.alternating_list(4)
    move = draw.draw_votes(ax, rules, [0, 1, 1, 1])
    for x in cube(4):
        move(x)
        *votes, total = (bar.get_width() for bar in ax.containers[0])
        assert total == sum(votes) == rules.halfspace().score(x)


def test_space():
    ax = draw.new_figure().add_subplot(projection="3d")
    points, y = datasets.animals()
    draw.set_space(ax, points, datasets.ANIMAL_FEATURES)
    draw.draw_points_in_space(ax, points, y, datasets.ANIMALS)
    h = run_perceptron(points, y).halfspace
    draw.draw_plane(ax, h)
    draw.draw_paraboloid(ax, 1)
    ends = np.array([ax.get_xlim(), ax.get_ylim(), ax.get_zlim()])
    corners = draw._section(ends, np.array(h.w, float), float(h.b))
    assert len(corners) >= 3 and np.allclose(corners @ np.array(h.w, float), float(h.b))
    assert (corners >= ends[:, 0] - 1e-9).all() and (corners <= ends[:, 1] + 1e-9).all()
    draw.draw_plane(ax, Halfspace([0, 0, 1], 99))  # misses the box
    ax.figure.canvas.draw()


def test_stills_are_the_same_bytes_and_have_alt_text(capsys):
    def still():
        ax = draw.new_figure(4, 3).add_subplot()
        draw.set_plane(ax, X)
        draw.draw_halfspace(ax, SVM)
        draw.draw_points(ax, X, Y)
        return draw.Still(ax.figure, "Two classes and a line.")

    data, about = still()._repr_mimebundle_()
    assert data["image/png"] == still()._repr_mimebundle_()[0]["image/png"]
    assert about["image/png"] == {"alt": "Two classes and a line.", "width": 400, "height": 300}
    assert Image.open(io.BytesIO(still().png)).size == (800, 600)
    assert len(still().png) < 60_000
    draw.show(draw.new_figure(), "An empty figure.")
    assert "An empty figure." in capsys.readouterr().out
    for alt in ("", "  "):
        with pytest.raises(ValueError, match="alt text"):
            draw.show(draw.new_figure(), alt)


def test_halfspaces_may_be_anything_with_w_and_b(ax):
    draw.draw_halfspace(ax, SimpleNamespace(w=np.array([Fraction(1), 10**30], object), b=1))
    across, up = ax.lines[0].get_data()
    left, right = ax.get_xlim()
    assert min(across) <= left and right <= max(across)
    assert np.allclose(up, 0)  # x + 10³⁰y = 1
    assert pixel(ax, (0, 0.5)) == draw.LIGHT[1] and pixel(ax, (0, -0.5)) == draw.LIGHT[-1]


def test_a_digit_is_ink_on_paper_and_moves():
    ax = draw.new_figure(3, 3).add_subplot()
    X, _ = datasets.digits()
    move = draw.draw_digit(ax, X[0])
    (image,) = ax.images
    assert np.array_equal(image.get_array(), X[0].reshape(8, 8))
    assert image.get_clim() == (0, 16)
    move(X[1])
    assert np.array_equal(image.get_array(), X[1].reshape(8, 8))
    row, column = np.unravel_index(X[1].argmax(), (8, 8))
    assert pixel(ax, (column, row)) == draw.INK


def test_weights_of_pixels_are_told_by_colour_and_sign():
    ax = draw.new_figure(3, 3).add_subplot()
    move = draw.draw_weights(ax, np.zeros(64))
    weights = np.zeros(64, object)
    weights[9], weights[20], weights[30] = Fraction(10**30), -(10**30), 1
    move(weights)
    plus, minus = ax.collections
    assert plus.get_offsets().tolist() == [[1, 1]] and minus.get_offsets().tolist() == [[4, 2]]
    assert pixel(ax, (1.4, 1.4)) == draw.BLUE and pixel(ax, (4.4, 2.4)) == draw.ORANGE
    assert pixel(ax, (6.4, 3.4)) > "#FAFAFA"


def test_a_picture_that_is_no_square_is_refused():
    ax = draw.new_figure(3, 3).add_subplot()
    with pytest.raises(ValueError, match="63 values make no square picture"):
        draw.draw_digit(ax, np.zeros(63))
