"""Questions and predictions: refused when faulty, shown alike every time, and remembered."""

import copy
import re
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from halfspaces.notebook import memory, questions
from halfspaces.notebook.figures import Still, new_figure
from halfspaces.notebook.questions import Ballot, Commitment, Predict, Question, read_number
from halfspaces.notebook.tables import table
from without import NO_PROCESSES

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
def new_kernel(monkeypatch):
    monkeypatch.setattr(questions, "TRUTHS", {})
    memory.forget_kernel()


def committed():
    return {name: entry["said"] for name, entry in memory.recall_all("predictions").items()}


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


def enabled(box):
    return [letter for letter, button in box.buttons.items() if not button.disabled]


def test_vote_think_again_vote_again():
    ballot = Ballot(QUESTION)
    assert not said(ballot).strip() and ballot.again.layout.display == "none"
    ballot.buttons["A"].click()
    assert (
        GOOD["hint"] in said(ballot)
        and "$b$ alone" not in said(ballot)
        and "Why" not in said(ballot)
    )
    assert enabled(ballot) == ["A", "B", "C"]
    ballot.buttons["B"].click()
    assert "from  A  to  B , which is right" in said(ballot)
    assert (
        "$b$ alone" in said(ballot)
        and "Only the direction" not in said(ballot)
        and r"\langle 2w" in said(ballot)
    )
    assert ballot.buttons["B"].icon == "check"
    assert enabled(ballot) == ["B"]  # or the focus would be lost
    ballot.buttons["B"].click()
    assert "from  A  to  B , which is right" in said(ballot)
    ballot.again.click()
    assert not said(ballot).strip() and not ballot.buttons["B"].icon
    assert enabled(ballot) == ["A", "B", "C"]


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


@NO_PROCESSES
def test_widgets_are_imported_when_a_question_is_shown_and_not_before():
    code = "import sys, halfspaces.notebook.questions; print('ipywidgets' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
        == "False\n"
    )


TIES = dict(id="05-ties", text=r"How many ties, if $w_0 = 0$?", why=r"The first is: $w_0 = 0$.")
COUNT = TIES | {"number": "ties"}
LETTER = TIES | {"choices": ["None.", "One.", "All."]}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"choices": ["One."]}, "1 choices"),
        ({"choices": ["One.", "One."]}, "the same"),
        ({"choices": ["One.", "Two."], "number": "ties"}, "not for both"),
        ({"why": ""}, "none is empty"),
        ({"text": "a $ sign"}, r"a \$ is missing"),
        ({"why": "$\theta$"}, "control character"),
    ],
)
def test_faulty_predictions_are_refused(change, fault):
    with pytest.raises(ValueError, match=f"prediction '05-ties': .*{fault}"):
        Predict(**TIES | change)


@pytest.mark.parametrize(
    ("parts", "truth", "fault"),
    [
        (COUNT, "two", "it asks for a number, and 'two' is revealed"),
        (COUNT, True, "it asks for a number"),
        (LETTER, "D", "it has the choices A, B, C, and 'D' is revealed"),
        (LETTER, 1, "it has the choices"),
        (TIES, 3, "all its parts are text"),
    ],
)
def test_an_answer_fits_its_prediction(parts, truth, fault):
    with pytest.raises(ValueError, match=f"prediction '05-ties': {fault}"):
        Predict(**parts).reveal(truth)


@pytest.mark.parametrize("parts", [COUNT, LETTER, TIES])
def test_a_prediction_looks_the_same_every_time_and_tells_no_reason(parts):
    first, second = (Predict(**parts)._repr_mimebundle_() for _ in range(2))
    widget = "application/vnd.jupyter.widget-view+json"
    assert first.pop(widget)["model_id"] != second.pop(widget)["model_id"]
    assert first == second and set(first) == {"text/plain", "text/markdown"}
    for text in first.values():
        assert TIES["text"] in text and "The first" not in text and "0x" not in text


@pytest.mark.parametrize(
    ("parts", "said", "truth", "verdict"),
    [
        (COUNT, "2", np.int64(2), "You said **2**. It is **2** ties: exactly."),
        (COUNT, "2", 3, "You said **2**. It is **3** ties: your number is too low by 1."),
        (COUNT, "1e6", 2, "It is **2** ties: your number is too high by a factor of 5e+05."),
        (COUNT, "1/2", 0.7, "It is **0.7** ties: your number is too low by 0.2."),
        (COUNT, "−1", 0, "It is **0** ties: your number is too low by 1."),
        (COUNT, "∞", 5, "It is **5** ties: your number is too high."),
        (COUNT, "1e999999999", 5, "It is **5** ties: your number is too high."),
        (COUNT, "3", Fraction(7, 2), "It is **7/2** ties: your number is too low by 1/2."),
        (LETTER, "B", "B", "You said **B**, and so it is: One."),
        (LETTER, "A", "B", "You said **A**, but it is **B**: One."),
        (TIES, "It *stops*.", "It goes on.", r"You wrote: “It \*stops\*.”"),
    ],
)
def test_a_commitment_is_compared_with_the_answer(parts, said, truth, verdict):
    asked = Predict(**parts)
    Commitment(asked).commit(said)
    shown = asked.reveal(truth)
    assert verdict in repr(shown) and r"**Why.** The first is: $w_0 = 0$." in repr(shown)
    assert "<details>" not in shown._repr_html_() and "<em>stops" not in shown._repr_html_()


def test_without_a_commitment_the_answer_is_folded_with_what_would_give_it_away():
    still = Still(new_figure(1, 1), "Two dots on the line.")
    shown = Predict(**COUNT).reveal(2, table({"t": [1, 2]}), still, "So $2 < 3$.", {"a": 1})
    html = shown._repr_html_()
    assert html.startswith("<details><summary>Answer: open it when you have committed")
    assert html.endswith("</details>") and html.count("<details>") == 1
    for part in ("2 ties", "<table>", 'alt="Two dots on the line."', "$2 &lt; 3$", "&#x27;a&#x27;"):
        assert part in html
    assert "Two dots on the line." in repr(shown)


def test_what_is_shown_by_itself_cannot_be_folded():
    with pytest.raises(ValueError, match="None would be shown; a picture is shown as Still"):
        Predict(**COUNT).reveal(2, print())


def test_a_box_takes_what_fits_once_and_says_what_does_not():
    box = Commitment(Predict(**COUNT))
    for text, sentence in (("", "Write your prediction first"), ("two", "A number is expected")):
        box.field.value = text
        box.send.click()
        assert sentence in said(box) and not committed()
    box.field.value = "3/4"
    box.send.click()
    assert "Noted" in said(box) and box.field.disabled and box.send.description == "Committed"
    box.send.click()
    assert "Noted" in said(box)
    box.commit("5")
    assert committed() == {"05-ties": "3/4"}
    again = Commitment(Predict(**COUNT))
    assert again.field.value == "3/4" and "Noted" in said(again)


def test_a_prediction_made_after_the_answer_is_compared_in_its_box():
    asked = Predict(**LETTER)
    asked.reveal("B")
    box = Commitment(asked)
    assert not said(box).strip()
    box.buttons["A"].click()
    assert "but it is  B" in said(box) and enabled(box) == ["A"]
    box.buttons["A"].click()
    assert committed() == {"05-ties": "A"}


def test_an_edited_prediction_is_asked_anew():
    Commitment(Predict(**LETTER)).commit("C")
    box = Commitment(Predict(**LETTER | {"choices": ["None.", "One."]}))
    assert enabled(box) == ["A", "B"] and not said(box).strip()
    box.buttons["A"].click()
    assert committed() == {"05-ties": "A"}


def test_numbers_are_read_as_they_are_written():
    written = ("12", " 1,000 ", "3/4", "−2", "1e3", "-∞", "1,5", "1/0", "many", "")
    read = [12, 1000, Fraction(3, 4), -2, 1000, -float("inf"), None, None, None, None]
    assert [read_number(text) for text in written] == read


def test_a_bound_is_said_and_rules_a_number_out(tmp_path, monkeypatch):
    monkeypatch.setenv("HALFSPACES_PROGRESS", str(tmp_path / "progress.json"))
    asked = Predict(**COUNT)
    assert "**Bound.** At most 9 " in repr(asked.reveal(2, bound=9))
    assert "Bound" not in repr(asked.reveal(2))
    Commitment(asked).commit("10")
    assert "above it, so the theorem had ruled it out" in repr(asked.reveal(2, bound=9))
    assert "ruled" not in repr(asked.reveal(2, bound=10))
    for bound in (1, True, "9", [9]):
        with pytest.raises(ValueError, match="bound"):
            asked.reveal(2, bound=bound)
    with pytest.raises(ValueError, match="bound"):
        Predict(**LETTER).reveal("A", bound=3)
