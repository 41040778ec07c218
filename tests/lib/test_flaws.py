"""The claims of notebook 10 break where they should, survive elsewhere, and bear any example."""

from itertools import product

import numpy as np
import pytest
from halfspaces import DecisionList, cube, run_perceptron, separate, solve_svm
from halfspaces.notebook import flaws
from halfspaces.notebook.flaws import Fate

SMALL = [p for p in product((-1, 0, 1), repeat=2) if any(p)]
BROKEN = {
    "list_as_sum": ([0, 1, 1, 0],),
    "kernel_loop": ([[2, 1], [1, 1]], [1, -1]),
    "last_vector": ([[1]], [1]),
    "two_separators": ([(0, 1)], [(1, 1)], [(-1, 0)]),
    "one_more_feature": ([[1], [-1]], [1, -1], [10, 9]),
    "two_halves": ([(1, 0), (1, -2)], [(-1, 3)]),
    "one_point_fewer": ([(1, 1), (1, 0), (0, 1)],),
}
ODD = [None, 3, "abc", [], [[]], [1, 2], [[1, 2], [3]], [[0.5, 1]], [["a"]], [[10**9]], [[0, 0]]]


@pytest.mark.parametrize("name", BROKEN)
def test_each_claim_can_be_broken(name):
    verdict = getattr(flaws, name)(*BROKEN[name])
    assert verdict.fate is Fate.BROKEN and "✗ Broken" in repr(verdict)
    assert "<strong>✗ Broken:</strong>" in verdict._repr_html_()


@pytest.mark.parametrize("odd", ODD, ids=str)
@pytest.mark.parametrize("name", BROKEN)
def test_odd_examples_get_a_sentence(name, odd):
    for place in range(len(BROKEN[name])):
        example = list(BROKEN[name])
        example[place] = odd
        verdict = getattr(flaws, name)(*example)
        assert verdict.fate in list(Fate) and verdict.sentence.endswith(".")


def test_the_list_is_wrong_at_one_corner():
    for k in (3, 4, 6):
        rules = [(1, True)] + [(-i, False) for i in range(2, k + 1)]
        listed = DecisionList(rules, default=True, d=k)(cube(k))
        verdicts = [flaws.list_as_sum(x) for x in cube(k).tolist()]
        said = [
            f"the list says {int(value > 0)};" in v.sentence for value, v in zip(listed, verdicts)
        ]
        assert all(said)
        broken = [tuple(x) for x, v in zip(cube(k).tolist(), verdicts) if v.fate is Fate.BROKEN]
        assert broken == [(0, *[1] * (k - 2), 0)]


def test_the_loop_listens_to_row_sums_alone():
    for p, q in product(SMALL, repeat=2):
        X, y = np.array([p, q]), [1, -1]
        verdict = flaws.kernel_loop(X.tolist(), y)
        sums = (X @ X.T).sum(axis=1)
        assert (verdict.fate is Fate.UNTESTED) == (not separate(X, y, bias=False))
        if verdict.fate is not Fate.UNTESTED:
            assert ("never ends" in verdict.sentence) == (min(sums) <= 0)


def test_the_index_moves_a_line_and_not_the_conclusion():
    for p, q in product(SMALL, repeat=2):
        verdict = flaws.last_vector([p, q], [1, 1])
        if verdict.fate is not Fate.UNTESTED:
            assert "which is true" in verdict.sentence


def test_separators_are_found_where_there_are_some():
    fates = set()
    for a, b, c in product(SMALL, repeat=3):
        verdict = flaws.two_separators([a], [b], [c])
        fates.add(verdict.fate)
        if verdict.fate is not Fate.UNTESTED:
            expected = separate([a, b, c], [1, -1, -1], bias=False).separable
            assert (verdict.fate is Fate.SURVIVES) == expected
    assert fates == set(Fate)


def test_a_feature_is_weighed_by_bound_and_run():
    for f, g in product(range(-3, 4), repeat=2):
        verdict = flaws.one_more_feature([[1], [-1]], [1, -1], [f, g])
        X = [[1, f], [-1, g]]
        bound = (1 + max(f * f, g * g)) / solve_svm(X, [1, -1], bias=False).margin ** 2
        assert (verdict.fate is Fate.SURVIVES) == (bound <= 1 + 1e-9)
        assert f"now makes {len(run_perceptron(X, [1, -1]).mistakes)} mistakes" in verdict.sentence


def test_halves_and_a_point_fewer():
    assert flaws.two_halves([(1, 0), (2, 2)], [(0, 1)]).fate is Fate.SURVIVES
    assert flaws.two_halves([(1, 0)], [(-1, 0)]).fate is Fate.UNTESTED
    assert flaws.one_point_fewer([(1, 0), (1, 1), (0, 1)]).fate is Fate.SURVIVES
    assert flaws.one_point_fewer([(1, 0)]).fate is Fate.UNTESTED
