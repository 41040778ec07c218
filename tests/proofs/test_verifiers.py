"""Coq accepts the library's certificates, refuses forged ones, and agrees on weights."""

import re

import numpy as np
from coq_certificates import Ledger, Separator, Weights, forged, honest, vector
from coursekit import proofs
from halfspaces import Conjunction, DecisionList, Disjunction

FORGED = 400  # of some two thousand


def evaluate(folder, stem: str, terms: list[str]) -> list[str]:
    """Let Coq compute terms of a file; return what it prints for each, as one line."""
    lines = [
        f"From {proofs.LIBRARY} Require Import {stem}.",
        "From Coq Require Import ZArith List.",
    ]
    lines += ["Import ListNotations.", "Open Scope Z_scope.", "Set Printing Width 1000000."]
    lines += ["Set Printing Depth 1000000."]
    lines += [f"Eval vm_compute in ({term})." for term in terms]
    (folder / "compute.v").write_text("\n".join(lines) + "\n", "utf-8")
    answer = proofs.run_coq("coqc", "compute.v", folder=folder)
    return [" ".join(part.split()) for part in re.findall(r"= (.*?)\n\s+: ", answer, re.DOTALL)]


def verdicts(folder, certificates) -> list[bool]:
    """Return what the verifier that Coq has proved sound says of each certificate."""
    terms = "; ".join(certificate.coq() for certificate in certificates)
    (answer,) = evaluate(folder, "verifiers", [f"map verify [{terms}]"])
    return [word == "true" for word in re.findall(r"true|false", answer)]


def test_coq_accepts_the_honest_certificates_and_refuses_the_forged_ones(compiled):
    rng = np.random.default_rng(18)
    good = list(honest(rng))
    bad = list(forged(good))
    bad = [bad[k] for k in rng.permutation(len(bad))[:FORGED]]
    for kind in (Separator, Weights, Ledger):
        assert sum(isinstance(one, kind) for one in good) >= 60
        assert sum(isinstance(one, kind) for one in bad) >= 60
    assert all(one.holds() for one in good) and not any(one.holds() for one in bad)
    refused = [one for one, yes in zip(good, verdicts(compiled, good), strict=True) if not yes]
    assert not refused, f"{len(refused)} honest ones are refused, such as {refused[0]}"
    taken = [one for one, yes in zip(bad, verdicts(compiled, bad), strict=True) if yes]
    assert not taken, f"{len(taken)} forgeries are accepted, such as {taken[0]}"


def test_data_of_the_wrong_form_are_refused(compiled):
    short = Separator((((1, 2), 1), ((-1,), -1)), (1, 0), 0)
    label = Separator((((1, 2), 2), ((-1, 0), -1)), (1, 0), 0)
    assert verdicts(compiled, [short, label, Separator((), (1,), 0)]) == [False] * 3


def test_the_weights_of_formulas_are_those_of_the_library(compiled):
    rng, terms, expected = np.random.default_rng(18), [], []
    for _ in range(60):
        d = int(rng.integers(1, 7))
        some = rng.permutation(d)[: rng.integers(0, d + 1)] + 1
        literals = [int(v) for v in some * rng.choice([-1, 1], len(some))]
        for formula, k in (
            (Conjunction(literals, d), len(literals)),
            (Disjunction(literals, d), 1),
        ):
            h = formula.halfspace()
            terms.append(
                f"(literal_weights {vector(literals)} {d}%nat, {k} - negated {vector(literals)})"
            )
            expected.append((h.w.tolist(), int(h.b)))
        picks = rng.integers(1, d + 1, rng.integers(0, 8)) * rng.choice([-1, 1])
        rules = [(int(v), bool(rng.integers(2))) for v in picks]
        default = bool(rng.integers(2))
        h = DecisionList(rules, default, d).halfspace()
        source = "; ".join(f"({v}, {str(o).lower()})" for v, o in rules)
        pair = f"list_weights [{source}] {d}%nat, - list_constant [{source}] {str(default).lower()}"
        terms.append(f"({pair})")
        expected.append((h.w.tolist(), int(h.b)))
    answers = evaluate(compiled, "encodings", terms)
    for answer, (w, b) in zip(answers, expected, strict=True):
        assert [int(value) for value in re.findall(r"-?\d+", answer)] == [*w, b]
