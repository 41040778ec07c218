"""Anything at all, thrown at every public function:
a right answer or a ValueError, and nothing else.
"""

import math
import warnings
from fractions import Fraction

import halfspaces
import numpy as np
import pytest
from halfspaces import datasets
from halfspaces.validation import as_points, as_sample
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

SHAPES = st.tuples(st.integers(0, 5), st.integers(0, 3))
ARRAYS = st.one_of(
    hnp.arrays(float, SHAPES, elements=st.floats(allow_nan=True, allow_infinity=True)),
    hnp.arrays(float, SHAPES, elements=st.floats(-1e80, 1e80)),
    hnp.arrays(
        float,
        SHAPES,
        elements=st.sampled_from([0.0, -0.0, 0.1, 0.2, 0.3, 1e-300, 1e75, 1.0, 5e-324]),
    ),
    hnp.arrays(np.int64, SHAPES, elements=st.integers(-(2**63), 2**63 - 1)),
    hnp.arrays(np.int64, SHAPES, elements=st.integers(-2, 2)),
    hnp.arrays(
        np.int64, st.tuples(st.integers(1, 5), st.integers(1, 3)), elements=st.integers(-2, 2)
    ),
    hnp.arrays(float, st.tuples(st.integers(1, 5), st.integers(1, 3)), elements=st.floats(-10, 10)),
    st.lists(
        st.lists(st.one_of(st.fractions(), st.integers(), st.floats()), min_size=2, max_size=2),
        min_size=1,
        max_size=4,
    ),
    st.lists(st.lists(st.integers(-3, 3), max_size=3), max_size=4),  # ragged
    st.sampled_from(
        [
            None,
            "halfspace",
            [["a", "b"]],
            [[1j]],
            [[None]],
            3,
            [1, 2],
            [[[1]]],
            np.array([["x"]]),
            [[True, False]],
            np.array([[1 + 2j]]),
            {1: 2},
            [[10**400]],
            [[Fraction(1, 3)]],
            np.ones((2, 2), np.float32),
        ]
    ),
)
LABELS = st.one_of(
    st.lists(st.sampled_from([-1, 1]), max_size=6),
    hnp.arrays(float, st.integers(0, 6), elements=st.sampled_from([-1.0, 1.0, 0.0, math.nan, 2.0])),
    st.sampled_from([None, "+-", [[1], [-1]], [True, False], 1, ["+1", "-1"]]),
)
NUMBERS = st.one_of(
    st.floats(),
    st.integers(-5, 5),
    st.fractions(),
    st.sampled_from([None, "1", [1], math.inf, 10**400]),
)
RNG = np.random.default_rng
UNPROVEN = (halfspaces.Halfspace, halfspaces.MistakeBound)  # their check needs a true premise


def labelled(call):
    """Draw labels that fit the points half of the time."""
    return lambda X, y, number: call(
        X, [1, -1, 1, -1, 1, -1][: np.shape(X)[0]] if _fits(X) and number != 0 else y, number
    )


def _fits(X):
    return isinstance(X, np.ndarray) and X.ndim == 2


CALLS = {
    "Halfspace": lambda X, y, number: halfspaces.Halfspace(y, number).score(X),
    "margin": labelled(
        lambda X, y, number: halfspaces.Halfspace(
            [1] * np.shape(X)[-1] if _fits(X) else [1], number
        ).margin(X, y)
    ),
    "homogenise": lambda X, y, number: halfspaces.homogenise(X, number),
    "separate": labelled(lambda X, y, number: halfspaces.separate(X, y, bias=number != 1)),
    "shatters": lambda X, y, number: halfspaces.shatters(X),
    "radon_partition": lambda X, y, number: halfspaces.radon_partition(X),
    "run_perceptron": labelled(
        lambda X, y, number: halfspaces.run_perceptron(X, y, step=number, max_updates=50)
    ),
    "run_perceptron, normalised": labelled(
        lambda X, y, _: halfspaces.run_perceptron(X, y, normalise=True, max_updates=50)
    ),
    "prove_mistake_bound": labelled(
        lambda X, y, number: halfspaces.prove_mistake_bound(
            halfspaces.run_perceptron(X, y, max_updates=20),
            [number] * (np.shape(X)[-1] if _fits(X) else 1),
        )
    ),
    "run_modified_perceptron": labelled(
        lambda X, y, number: halfspaces.run_modified_perceptron(X, y, number, max_updates=50)
    ),
    "run_rescaled_perceptron": labelled(
        lambda X, y, _: halfspaces.run_rescaled_perceptron(X, y, max_updates=50)
    ),
    "run_kernel_perceptron": labelled(
        lambda X, y, _: halfspaces.run_kernel_perceptron(
            X, y, halfspaces.polynomial(2, 1), max_updates=20
        )
    ),
    "from_sets": lambda X, y, number: halfspaces.from_sets(X, y),
    "hinge": lambda X, y, number: halfspaces.hinge(number),
    "descend": labelled(
        lambda X, y, number: halfspaces.descend(halfspaces.hinge, X, y, penalty=number, steps=5)
    ),
    "descend in a ball": labelled(
        lambda X, y, number: halfspaces.descend(halfspaces.logistic, X, y, radius=number, steps=5)
    ),
    "best_halfspace": labelled(lambda X, y, number: halfspaces.best_halfspace(X, y)),
    "polynomial": lambda X, y, number: halfspaces.gram(halfspaces.polynomial(2, number), X),
    "geometric": lambda X, y, number: (
        halfspaces.gram(halfspaces.geometric(number), X) if number not in (4, 5) else None
    ),
    "rbf": lambda X, y, number: halfspaces.gram(halfspaces.rbf(number), X),
    "check_kernel": lambda X, y, number: halfspaces.check_kernel(X),
    "solve_svm": labelled(lambda X, y, number: halfspaces.solve_svm(X, y)),
    "solve_svm, soft": labelled(
        lambda X, y, number: halfspaces.solve_svm(X, y, C=number, bias=False)
    ),
    "solve_svm, rbf": labelled(
        lambda X, y, number: halfspaces.solve_svm(X, y, C=1.0, kernel=halfspaces.rbf(0.5))
    ),
    "Conjunction": lambda X, y, number: halfspaces.Conjunction(y, number).halfspace(),
    "AtLeast": lambda X, y, number: halfspaces.AtLeast(y, 3, number).halfspace(),
    "DecisionList": lambda X, y, number: halfspaces.DecisionList(X, number, 3).halfspace(),
    "cube": lambda X, y, number: halfspaces.cube(number),
    "count_threshold_functions": lambda X, y, number: halfspaces.count_threshold_functions(
        number if number not in (4, 5) else 9
    ),
    "separable": lambda X, y, number: datasets.separable(6, 2, number, RNG(0)),
    "noisy": lambda X, y, number: datasets.noisy(6, 2, number, RNG(0)),
    "circles": lambda X, y, number: datasets.circles(6, RNG(0), number),
    "alternating_list": lambda X, y, number: datasets.alternating_list(number),
}


def silent_nans(value, depth=0):
    """Tell whether a result holds a NaN anywhere."""
    if isinstance(value, float):
        return math.isnan(value)
    if isinstance(value, np.ndarray):
        return (
            value.dtype.kind == "f"
            and bool(np.isnan(value).any())
            or value.dtype == object
            and any(map(silent_nans, value.ravel()))
        )
    if hasattr(value, "__dataclass_fields__") and depth < 3:
        return any(
            silent_nans(getattr(value, name), depth + 1) for name in value.__dataclass_fields__
        )
    return isinstance(value, (tuple, list)) and any(silent_nans(v, depth + 1) for v in value)


@pytest.mark.parametrize("name", CALLS)
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(X=ARRAYS, y=LABELS, number=NUMBERS)
@example(X=np.array([[1e75]]), y=[], number=3)  # whose kernel overflows
@example(X=np.array([[-(2**63), -(2**63)]]), y=[], number=0.0)  # which has no abs
def test_an_answer_or_a_value_error(name, X, y, number):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a warning is an answer that hides something
        warnings.filterwarnings("ignore", "JsProxy.as_object_map")  # threadpoolctl's, in Pyodide
        try:
            answer = CALLS[name](X, y, number)
            if (
                hasattr(answer, "check")
                and getattr(answer, "converged", True)
                and not isinstance(answer, UNPROVEN)
            ):
                answer.check()
        except ValueError as error:
            assert len(str(error)) > 10
            return
    assert not silent_nans(answer)


@pytest.mark.parametrize(
    "X, words",
    [
        ([], "empty|shape"),
        ([[]], "empty"),
        ([[1, 2], [3]], "one length|same length"),
        ([[math.nan]], "NaN or infinity"),
        ([[math.inf]], "NaN or infinity"),
        ([1, 2], r"shape \(n, d\)"),
        ([[[1]]], r"shape \(n, d\)"),
        ([["a"]], "real numbers"),
        ([[1j]], "real numbers"),
        ([[1e200]], "rescale"),
        ([[1e-200]], "rescale"),
        (None, "shape"),
        ([[None]], "real numbers"),
    ],
)
def test_points_are_refused_with_a_sentence(X, words):
    with pytest.raises(ValueError, match=words):
        as_points(X)


@pytest.mark.parametrize(
    "y, words",
    [
        ([1], "2 points and y has 1 labels"),
        ([1, 0], "y contains 0"),
        ([1, 2], "y contains 2"),
        ([[1], [-1]], "vector"),
        (["+", "-"], "real numbers"),
        ([1, math.nan], "NaN"),
        ([], "empty"),
    ],
)
def test_labels_are_refused_with_a_sentence(y, words):
    with pytest.raises(ValueError, match=words):
        as_sample([[1], [2]], y)


def test_one_class_where_two_are_needed():
    with pytest.raises(ValueError, match=r"all labels are \+1"):
        halfspaces.solve_svm([[1], [2]], [1, 1])


@pytest.mark.parametrize("C", [0, -1, math.nan, "1", None])
def test_C_out_of_range(C):
    with pytest.raises(ValueError, match="C "):
        halfspaces.solve_svm([[1], [2]], [1, -1], C=C)


def test_integers_keep_their_value():
    for value in (2**53 - 1, 2**53 + 1, 2**63, 2**64 + 1, -(2**63)):
        assert as_points([[value]])[0, 0] == value
    assert as_points(np.array([[2**64 - 1]], np.uint64))[0, 0] == 2**64 - 1
    assert as_points(np.array([[-(2**63)]]))[0, 0] == -(2**63)
