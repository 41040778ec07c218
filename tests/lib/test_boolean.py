"""Formulas against brute force over the cube,
and the count of halfspaces against published numbers.
"""

from itertools import product

import numpy as np
import pytest
from halfspaces import (
    AtLeast,
    CertificateError,
    Conjunction,
    DecisionList,
    Disjunction,
    Halfspace,
    count_threshold_functions,
    cube,
)
from halfspaces.boolean import Formula


def literal_sets(d):
    """Every choice of absent, positive or negated for each variable."""
    for signs in product((0, 1, -1), repeat=d):
        yield [s * (i + 1) for i, s in enumerate(signs) if s]


def holds(literal, x):
    return x[abs(literal) - 1] == (literal > 0)


@pytest.mark.parametrize("d", range(1, 6))
def test_every_conjunction_disjunction_and_threshold(d):
    X = cube(d)
    for literals in literal_sets(d):
        counts = np.array([sum(holds(v, x) for v in literals) for x in X.tolist()])
        for formula, truth in [
            (Conjunction(literals, d), counts == len(literals)),
            (Disjunction(literals, d), counts >= 1),
            *((AtLeast(literals, d, k), counts >= k) for k in range(len(literals) + 2)),
        ]:
            expected = np.where(truth, 1, -1)
            assert (formula(X) == expected).all() and (formula.halfspace()(X) == expected).all()


def brute_force_list(rules, default, x):
    return next((output for literal, output in rules if holds(literal, x)), default)


@pytest.mark.parametrize("d, length", [(1, 3), (2, 3), (3, 3), (4, 2), (5, 2)])
def test_every_decision_list(d, length):
    """Any literals, repeated and contradictory ones included, any outputs, either default."""
    X = cube(d)
    choices = [(s * i, o) for i in range(1, d + 1) for s in (1, -1) for o in (True, False)]
    for rules in product(choices, repeat=length):
        for default in (True, False):
            formula = DecisionList(rules, default, d)
            expected = [1 if brute_force_list(rules, default, x) else -1 for x in X.tolist()]
            assert formula(X).tolist() == expected and formula.halfspace()(X).tolist() == expected


def test_every_list_over_five_variables_in_order():
    """All 2·4^5 lists that ask the five variables in turn, with either sign and output."""
    X = cube(5)
    for signs in product((1, -1), repeat=5):
        for outputs in product((True, False), repeat=6):
            rules = [(s * i, o) for i, (s, o) in enumerate(zip(signs, outputs), 1)]
            formula = DecisionList(rules, outputs[-1], 5)
            assert (formula(X) == formula.halfspace()(X)).all()


def test_a_list_of_a_hundred_rules_is_exact():
    rng = np.random.default_rng(0)
    rules = [
        (int(s) * i, bool(o))
        for i, (s, o) in enumerate(zip(rng.choice([-1, 1], 100), rng.integers(0, 2, 100)), 1)
    ]
    formula, h = DecisionList(rules, True, 100), DecisionList(rules, True, 100).halfspace()
    assert all(type(v) is int for v in (*h.w, h.b)) and max(abs(v) for v in h.w) == 2**100
    # points on which exactly the last rules can fire are the ones that floating point gets wrong
    X = np.array(
        [[int(s * i < 0) for i, s in ((abs(v), np.sign(v)) for v, _ in rules)] for _ in range(100)]
    )
    for j in range(100):
        X[j, j:] = rng.integers(0, 2, 100 - j)
    assert (formula(X) == h(X)).all()
    assert (formula(X) == [1 if brute_force_list(rules, True, x) else -1 for x in X.tolist()]).all()


def test_the_encoding_of_a_list_keeps_a_distance_of_one():
    formula = DecisionList([(1, True), (-2, False), (3, True)], False, 3)
    scores = formula(cube(3)) * formula.halfspace().score(cube(3))
    assert scores.min() == 1 and all(s % 2 for s in scores)


def test_a_base_below_two_breaks_a_long_list():
    formula = DecisionList([(i, i == 1) for i in range(1, 7)], False, 6)
    assert (formula.halfspace(1.5)(cube(6)) != formula(cube(6))).any()


def test_constants():
    assert (Conjunction([], 2)(cube(2)) == 1).all() and (Disjunction([], 2)(cube(2)) == -1).all()
    for formula in (
        Conjunction([], 2),
        Disjunction([], 2),
        DecisionList([], True, 2),
        DecisionList([], False, 2),
    ):
        formula.check()


def test_check_names_the_point_where_formula_and_halfspace_differ():
    class Wrong(Conjunction):
        def halfspace(self):
            return Halfspace([1, 1], 1)

    with pytest.raises(CertificateError, match=r"x = \(0, 1\)"):
        Wrong([1, 2], 2).check()


def test_the_cube_is_in_lexicographic_order():
    assert cube(2).tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]] and len(cube(10)) == 1024


@pytest.mark.parametrize(
    "d, count", [(1, 4), (2, 14), (3, 104), (4, 1882), (5, 94572)]
)  # OEIS A000609
def test_number_of_halfspaces_on_the_cube(d, count):
    assert count_threshold_functions(d) == count


def test_count_agrees_with_enumerated_weights():
    """For d = 3 the weights −2 … 2 and all thresholds realise every halfspace."""
    X = cube(3)
    tables = {
        tuple(X @ w >= b) for w in product(range(-2, 3), repeat=3) for b in np.arange(-6.5, 7)
    }
    assert len(tables) == count_threshold_functions(3)


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: Conjunction([3], d=2), "out of range"),
        (lambda: Conjunction([0], d=2), "out of range"),
        (lambda: Conjunction([True], d=2), "out of range"),
        (lambda: Disjunction([1.5], d=2), "out of range"),
        (lambda: Conjunction(3, d=2), "list of signed indices"),
        (lambda: Conjunction("12", d=2), "list of signed indices"),
        (lambda: Conjunction([1, -1], d=2), "both x1 and ¬x1"),
        (lambda: Conjunction([1], d=0), "d is 0"),
        (lambda: AtLeast([1], 1, -1), "k is -1"),
        (lambda: DecisionList([1, 2], True, 2), "pairs"),
        (lambda: DecisionList([(1, 2)], True, 2), "True or False"),
        (lambda: DecisionList([(1, True)], None, 2), "True or False"),
        (lambda: DecisionList([(5, True)], True, 2), "out of range"),
        (lambda: Conjunction([1], 2)([[0.5, 1]]), "0 and 1"),
        (lambda: Conjunction([1], 2)([[0, 1, 1]]), "dimension 3"),
        (lambda: cube(40), r"2\^40"),
        (lambda: count_threshold_functions(6), r"2\^6 points"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_formulas_are_values():
    assert Conjunction([1, -3], d=4) == Conjunction([1, -3, 1], d=4)
    assert repr(Conjunction([1, -3], d=4)) == "Conjunction([1, -3], d=4)"
    assert issubclass(DecisionList, Formula)
