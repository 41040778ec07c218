"""The inventory of claims is whole, well formed, and matched one to one by tests."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest
from coursekit.publish.claims import KINDS, Verdict, count_errors, derived, read, sections

NOTES, CLAIMS, CONVENTIONS = read()


def ids_with_a_test() -> list[str]:
    """Return the ids that the test functions of this folder carry in their names, in order."""
    return [
        f"{found[1]}-{found[2]}"
        for path in sorted(Path(__file__).parent.glob("test_notes_*.py"))
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
        if (found := re.match(r"test_(\d{3})_(\d{2})_", node.name))
    ]


def test_every_claim_that_code_can_decide_has_exactly_one_test():
    assert ids_with_a_test() == [claim.id for claim in CLAIMS if not claim.unrun]


def test_no_test_of_a_claim_goes_without_a_number():
    for path in Path(__file__).parent.glob("test_notes_*.py"):
        names = [
            node.name
            for node in ast.parse(path.read_text("utf-8")).body
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
        ]
        assert all(re.match(rf"test_{path.stem[-3:]}_\d\d_[a-z0-9_]+$", name) for name in names), (
            path.name
        )


def test_ids_count_up_within_each_set_of_notes():
    for name in NOTES:
        ids = [claim.id for claim in CLAIMS if claim.notes == name]
        assert ids == [f"{name}-{k:02}" for k in range(1, len(ids) + 1)]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_records_are_complete(claim):
    assert claim.verdict in list(Verdict) and claim.kind in KINDS
    assert claim.says and claim.where
    if claim.verdict in ("wrong", "slip", "imprecise"):
        assert claim.corrected, "a claim that does not stand says what does"
    if claim.verdict == "wrong":
        assert claim.counterexample or claim.unrun, "what is wrong has a counterexample"
    assert bool(claim.taught) != bool(claim.untaught), "it is taught, or there is a reason why not"
    if claim.kind == "citation":
        assert claim.source, (
            "a fact about the outside has a reference, or says that it is unverified"
        )
    for place in claim.taught:
        assert re.fullmatch(r"\d\db?( §\d+b?\.\d+)?", place), place
        if "§" in place:
            number, section = place.split(" §")
            assert section in sections(number), f"there is no section {section}"


def test_no_topic_notebook_is_without_claims():
    numbers = Counter(place.split()[0] for claim in CLAIMS for place in claim.taught)
    assert all(numbers[f"{n:02}"] for n in range(1, 11))


def test_every_convention_speaks_of_every_set_of_notes():
    assert all(set(row) == {"topic", "here", "translate", *NOTES} for row in CONVENTIONS)


def test_what_is_made_from_the_inventory_is_up_to_date():
    for path, text in derived().items():
        assert path.read_text("utf-8") == text, f"{path.name} is stale: python3 course.py claims"


def test_an_error_that_is_repeated_is_an_error_elsewhere():
    first = {claim.id for claim in CLAIMS if claim.verdict == "wrong" and not claim.repeats}
    repeated = [claim for claim in CLAIMS if claim.repeats]
    assert all(claim.verdict == "wrong" and claim.repeats in first for claim in repeated)
    said = [int(number) for number in re.findall(r"\d+", count_errors(CLAIMS))]
    assert said == [len(first) + len(repeated), len(first)]
