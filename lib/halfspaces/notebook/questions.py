r"""Ask multiple-choice questions that are voted on twice, with time to think in between.

    Question(
        id="01-scale",
        text=r"Replace $(w, b)$ by $(2w, 2b)$. What happens to the halfspace?",
        choices=["It moves away from the origin.", "It stays the same.", "It turns."],
        answer="B",
        misconceptions={
            "A": r"$b$ alone is no distance: $b/\|w\|$ is.",
            "C": r"Only the direction of $w$ turns it.",
        },
        hint="Multiply the inequality by 2.",
        explanation=r"$\langle 2w, x\rangle \ge 2b$ holds where $\langle w, x\rangle \ge b$ does.",
    )

A question is data, and knows nothing of who votes; `Ballot` is the vote of one reader in a
notebook. In a lecturer's kernel HALFSPACES_ROOM names a module whose `button(question)` is shown
below it.
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
    """Hold a question, its choices A, B, C …, the right one, and what is behind the others."""

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
        fault = self._fault_in_choices() or self._fault_in_texts()
        if fault:
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
                return "all its parts are text, and none is empty"
            if re.search(r"[\x00-\x09\x0b-\x1f]", text):
                return f'{text!r} has a control character; write TeX in a raw string, r"…"'
            if re.sub(r"\\.", "", text).count("$") % 2:
                return f"a $ is missing in {text!r}"
        return ""

    def __repr__(self) -> str:
        choices = [f"{letter}. {self.choice(letter)}" for letter in self.letters]
        return "\n".join([self.text, *choices])

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Display the ballot, or where there is no kernel the question as text."""
        choices = "\n".join(f"- **{letter}.** {self.choice(letter)}" for letter in self.letters)
        box = Ballot(self).box
        room = os.environ.get("HALFSPACES_ROOM")
        if room:
            box.children += (importlib.import_module(room).button(self),)
        return {
            **box._repr_mimebundle_(),
            "text/plain": repr(self),
            "text/markdown": f"{self.text}\n\n{choices}",
        }


class Ballot:
    """Let one reader vote, think again with the hint, vote again, and see the explanation."""

    def __init__(self, question: Question):
        import ipywidgets as ui

        self.question = question
        self.votes = VOTES.setdefault(question.id, [])
        if not set(self.votes) <= set(question.letters):
            self.votes.clear()  # the question was edited since
        # Buttons, since JupyterLab takes the arrow keys that radio buttons need.
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
        self.said = ui.HTMLMath()
        self.again = ui.Button(description="Start again", icon="undo")
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
            button.button_style, button.icon = self._look(letter)
            button.disabled = done
        paragraphs = "".join(as_block(text) for text in self._paragraphs())
        self.said.value = f'<div role="status" aria-live="polite">{paragraphs}</div>'
        self.again.layout.display = None if done else "none"

    def _look(self, letter: str) -> tuple[str, str]:
        """Return the style and the icon of a choice's button."""
        chosen = letter in self.votes[-1:]
        if len(self.votes) < 2:
            return ("info", "") if chosen else ("", "")
        if letter == self.question.answer:
            return "success", "check"
        return ("danger", "times") if chosen else ("", "")

    def _paragraphs(self) -> list[str]:
        """Return what there is to say after the last vote."""
        if not self.votes:
            return []
        return self._think_again() if len(self.votes) == 1 else self._verdict()

    def _think_again(self) -> list[str]:
        return [
            f"You voted **{self.votes[0]}**. Think again, or convince a neighbour, "
            "then vote again.",
            f"**Hint.** {self.question.hint}",
        ]

    def _verdict(self) -> list[str]:
        first, last = self.votes
        answer = self.question.answer
        way = f"You went from **{first}** to **{last}**"
        if first == last:
            way = f"You voted **{first}** both times"
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
