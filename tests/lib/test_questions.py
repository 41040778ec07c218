"""Questions: refused when they are faulty, shown alike every time, voted on twice."""

import copy
import re
import subprocess
import sys

import pytest
from halfspaces.notebook import questions
from halfspaces.notebook.questions import Ballot, Question

GOOD = dict(
    id="01-scale",
    text=r"Replace $(w, b)$ by $(2w, 2b)$, if $a<b$ & so on. What happens?",
    choices=["It moves.", r"It stays $\le$ the same.", "It turns."],
    answer="B",
    misconceptions={"A": r"$b$ alone is no distance.", "C": r"Only the direction of $w$ turns it."},
    hint="Multiply by 2.",
    explanation=r"$\langle 2w, x\rangle \ge 2b$ is the same.",
)
QUESTION = Question(**GOOD)


@pytest.fixture(autouse=True)
def no_votes(monkeypatch):
    monkeypatch.setattr(questions, "VOTES", {})


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"choices": ["It moves."]}, "1 choices"),
        ({"choices": list("abcdefghi")}, "9 choices"),
        ({"choices": ["It moves.", "It stays.", "It moves."]}, "the same"),
        ({"answer": "D"}, "'D', which is none of A, B, C"),
        ({"answer": "It moves."}, "none of A, B, C"),
        ({"misconceptions": {"A": "x"}}, "C is wrong but has no misconception"),
        ({"misconceptions": {"A": "x", "B": "x", "C": "x"}}, "B, which is no wrong choice"),
        ({"misconceptions": {"A": "x", "C": " "}}, "none is empty"),
        ({"hint": ""}, "none is empty"),
        ({"explanation": "$\theta$"}, "control character; write TeX in a raw string"),
        ({"text": "a $ sign"}, r"a \$ is missing"),
    ],
)
def test_faulty_questions_are_refused(change, fault):
    with pytest.raises(ValueError, match=f"question '01-scale': .*{fault}"):
        Question(**GOOD | change)


def test_a_question_is_plain_data():
    assert QUESTION == copy.deepcopy(QUESTION) and hash(QUESTION) == hash(Question(**GOOD))
    assert (QUESTION.letters, QUESTION.choice("C")) == ("ABC", "It turns.")
    with pytest.raises(AttributeError):
        QUESTION.answer = "A"
    Question(**GOOD | {"text": r"It costs \$5."})  # a dollar may be escaped


def test_what_is_shown_without_a_kernel_is_the_same_every_time_and_tells_no_answer():
    first, second = QUESTION._repr_mimebundle_(), Question(**GOOD)._repr_mimebundle_()
    widget = "application/vnd.jupyter.widget-view+json"
    assert first.pop(widget)["model_id"] != second.pop(widget)["model_id"]
    assert first == second and set(first) == {"text/plain", "text/markdown"}
    for text in first.values():
        assert all(part in text for part in [GOOD["text"], *GOOD["choices"]]) and "0x" not in text
        assert not any(
            part in text
            for part in [GOOD["hint"], GOOD["explanation"], *GOOD["misconceptions"].values()]
        )
    assert re.findall(r"^([A-Z])\. ", first["text/plain"], re.MULTILINE) == ["A", "B", "C"]


def said(ballot):
    return re.sub(r"<.*?>", " ", ballot.said.value)


def test_vote_think_again_vote_again():
    ballot = Ballot(QUESTION)
    assert not said(ballot).strip() and ballot.again.layout.display == "none"
    ballot.buttons["A"].click()
    assert (
        GOOD["hint"] in said(ballot)
        and "$b$ alone" not in said(ballot)
        and "Why" not in said(ballot)
    )
    assert not any(button.disabled for button in ballot.buttons.values())
    ballot.buttons["B"].click()
    assert "from  A  to  B , which is right" in said(ballot)
    assert (
        "$b$ alone" in said(ballot)
        and "Only the direction" not in said(ballot)
        and r"\langle 2w" in said(ballot)
    )
    assert ballot.buttons["B"].icon == "check" and all(
        button.disabled for button in ballot.buttons.values()
    )
    ballot.again.click()
    assert not said(ballot).strip() and not ballot.buttons["B"].icon


@pytest.mark.parametrize(
    ("votes", "verdict"),
    [
        ("BB", "voted  B  both times, which is right"),
        ("AA", "voted  A  both times, but  B  is right"),
        ("BC", "from  B  to  C , but  B  is right"),
        ("AC", "from  A  to  C , but  B  is right"),
    ],
)
def test_the_verdict_tells_how_the_answer_changed(votes, verdict):
    ballot = Ballot(QUESTION)
    for letter in votes:
        ballot.vote(letter)
    assert verdict in said(ballot)
    assert [v for v in "ABC" if f"Behind {v}" in said(ballot)] == sorted(set(votes) - {"B"})
    ballot.vote("A")
    assert "".join(ballot.votes) == votes  # there is no third vote


def test_votes_survive_a_rerun_but_not_an_edit():
    Ballot(QUESTION).vote("C")
    assert GOOD["hint"] in said(Ballot(Question(**GOOD)))
    assert not said(Ballot(Question(**GOOD | {"id": "01-other"}))).strip()
    shorter = GOOD | {"choices": GOOD["choices"][:2], "misconceptions": {"A": "x"}}
    assert not said(Ballot(Question(**shorter))).strip()


def test_buttons_are_named_for_those_who_hear_them():
    buttons = Ballot(QUESTION).buttons
    assert [button.description for button in buttons.values()] == ["A", "B", "C"]
    assert buttons["A"].tooltip == "Vote A: It moves."
    assert 'role="status"' in Ballot(QUESTION).said.value


def test_widgets_are_imported_when_a_question_is_shown_and_not_before():
    code = "import sys, halfspaces.notebook.questions; print('ipywidgets' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
        == "False\n"
    )
