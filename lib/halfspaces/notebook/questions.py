r"""Ask multiple-choice questions that are voted on twice, with time to think again between the votes.

    Question(
        id="01-scale",
        text=r"Replace $(w, b)$ by $(2w, 2b)$. What happens to $\{x : \langle w, x\rangle \ge b\}$?",
        choices=["It moves away from the origin.", "It stays the same.", "It turns."],
        answer="B",
        misconceptions={"A": r"$b$ alone is no distance: $b/\|w\|$ is.", "C": r"Only the direction of $w$ turns it."},
        hint="Multiply the inequality by 2.",
        explanation=r"$\langle 2w, x\rangle \ge 2b$ holds exactly where $\langle w, x\rangle \ge b$ does.",
    )

A question is data, and knows nothing of who votes; `Ballot` is the vote of one reader in a notebook. In a
lecturer's kernel HALFSPACES_ROOM names a module whose `button(question)` is shown below the ballot.
"""

import importlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .markdown import to_html

# By the question's id, so that a cell that is run again shows what was voted.
VOTES: dict[str, list[str]] = {}
LETTERS = "ABCDEFGH"


@dataclass(frozen=True)
class Question:
    """Hold a question, its choices A, B, C …, the right one, and what is thought by those who take another."""

    id: str
    text: str
    choices: Sequence[str]
    answer: str
    misconceptions: Mapping[str, str] = field(hash=False)
    hint: str
    explanation: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "choices", tuple(self.choices))
        object.__setattr__(self, "misconceptions", dict(self.misconceptions))
        for fault in filter(None, (self._fault_in_choices(), self._fault_in_texts())):
            raise ValueError(f"question {self.id!r}: {fault}")

    @property
    def letters(self) -> str:
        """Name the choices in order: "ABC" if there are three."""
        return LETTERS[: len(self.choices)]

    def choice(self, letter: str) -> str:
        """Return the text of a choice."""
        return self.choices[self.letters.index(letter)]

    def _fault_in_choices(self) -> str:
        letters, named = set(self.letters), set(self.misconceptions)
        if not 2 <= len(self.choices) <= len(LETTERS):
            return f"it has {len(self.choices)} choices; 2 to {len(LETTERS)} are expected"
        if len(set(self.choices)) < len(self.choices):
            return "two of its choices are the same"
        if self.answer not in letters:
            return f"its answer is {self.answer!r}, which is none of {', '.join(self.letters)}"
        if missing := letters - named - {self.answer}:
            return f"{', '.join(sorted(missing))} is wrong but has no misconception"
        if odd := named - (letters - {self.answer}):
            return f"a misconception belongs to {', '.join(sorted(odd))}, which is no wrong choice"
        return ""

    def _fault_in_texts(self) -> str:
        texts = [
            self.id,
            self.text,
            *self.choices,
            *self.misconceptions.values(),
            self.hint,
            self.explanation,
        ]
        for text in texts:
            if not isinstance(text, str) or not text.strip():
                return "its id, text, choices, misconceptions, hint and explanation are text, and none is empty"
            if re.search(r"[\x00-\x09\x0b-\x1f]", text):
                return f'{text!r} has a control character; write TeX in a raw string, r"…"'
            if re.sub(r"\\.", "", text).count("$") % 2:
                return f"a $ is missing in {text!r}"
        return ""

    def __repr__(self) -> str:
        return "\n".join(
            [self.text, *(f"{letter}. {self.choice(letter)}" for letter in self.letters)]
        )

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Display the ballot, or where there is no kernel the question as text."""
        choices = "\n".join(f"- **{letter}.** {self.choice(letter)}" for letter in self.letters)
        box = Ballot(self).box
        if room := os.environ.get("HALFSPACES_ROOM"):
            box.children += (importlib.import_module(room).button(self),)
        return {
            "text/plain": repr(self),
            "text/markdown": f"{self.text}\n\n{choices}",
            **{
                kind: data for kind, data in box._repr_mimebundle_().items() if kind != "text/plain"
            },
        }


class Ballot:
    """Let one reader vote, think again with the hint, vote again, and see the explanation."""

    def __init__(self, question: Question):
        import ipywidgets as ui

        self.question = question
        self.votes = VOTES.setdefault(question.id, [])
        if not set(self.votes) <= set(question.letters):
            self.votes.clear()  # the question was edited since
        # Buttons, since JupyterLab takes the arrow keys that radio buttons need; Tab and Space reach these.
        self.buttons = {
            letter: ui.Button(
                description=letter,
                tooltip=f"Vote {letter}: {question.choice(letter)}",
                layout={"width": "4em"},
            )
            for letter in question.letters
        }
        rows = [
            ui.HBox(
                [button, ui.HTMLMath(as_block(question.choice(letter)))],
                layout={"align_items": "center"},
            )
            for letter, button in self.buttons.items()
        ]
        self.said, self.again = ui.HTMLMath(), ui.Button(description="Start again", icon="undo")
        self.box = ui.VBox([ui.HTMLMath(as_block(question.text)), *rows, self.said, self.again])
        for letter, button in self.buttons.items():
            button.on_click(lambda _, letter=letter: self.vote(letter))
        self.again.on_click(lambda _: self.vote(None))
        self.refresh()

    def vote(self, letter: str | None) -> None:
        """Count the first or the second vote; None starts again."""
        self.votes[:] = [*self.votes, letter][:2] if letter else []
        self.refresh()

    def refresh(self) -> None:
        """Show what belongs to the number of votes cast."""
        done = len(self.votes) == 2
        for letter, button in self.buttons.items():
            right, chosen = letter == self.question.answer, letter in self.votes[-1:]
            look = (
                ("success", "check")
                if done and right
                else ("danger", "times")
                if done
                else ("info", "")
            )
            button.button_style, button.icon = look if chosen or done and right else ("", "")
            button.disabled = done
        paragraphs = (list, self._think_again, self._verdict)[len(self.votes)]()
        self.said.value = (
            '<div role="status" aria-live="polite">' + "".join(map(as_block, paragraphs)) + "</div>"
        )
        self.again.layout.display = None if done else "none"

    def _think_again(self) -> list[str]:
        return [
            f"You voted **{self.votes[0]}**. Think again, or convince a neighbour, then vote again.",
            f"**Hint.** {self.question.hint}",
        ]

    def _verdict(self) -> list[str]:
        (first, last), answer = self.votes, self.question.answer
        way = (
            f"You voted **{first}** both times"
            if first == last
            else f"You went from **{first}** to **{last}**"
        )
        right = "which is right" if last == answer else f"but **{answer}** is right"
        wrong = [
            f"**Behind {v}:** {self.question.misconceptions[v]}"
            for v in dict.fromkeys(self.votes)
            if v != answer
        ]
        return [f"{way}, {right}.", *wrong, f"**Why {answer}.** {self.question.explanation}"]


def as_block(text: str) -> str:
    """Return a text as HTML with a little room above and below."""
    return f'<div style="margin:.4em 0">{to_html(text)}</div>'
