r"""Ask: questions that are voted on twice, and predictions that are made before the answer is seen.

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
notebook. In a lecturer's kernel HALFSPACES_ROOM names a module whose `offer(question, box)` puts a
button below it, and below predictions of a number.

    ties = Predict(
        id="05-ties",
        text="How many of these mistakes are ties?",
        number="ties",  # or choices=[…]; with neither, a sentence is asked for
        why="The first always is, since $w_0 = 0$.",
    )
    ties  # a box to commit in; a later cell ends with
    ties.reveal(2, table(…))  # the answer, the reason, and what else would give it away
    ties.reveal(2, bound=9)  # and what a theorem had promised beforehand

Where nothing was committed, on a page without a kernel or by somebody in a hurry, the answer is
folded.
"""

import importlib
import math
import os
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from numbers import Real
from typing import Any

from . import memory
from .markdown import to_html
from .tables import write

TRUTHS: dict[str, str] = {}  # what this kernel has revealed, by the prediction's id
LETTERS = "ABCDEFGH"
BOX = "halfspaces-asked"
FOCUS = f"""<style>.{BOX} :is(button, input, textarea):focus-visible {{
    outline: 3px solid var(--jp-brand-color1, #1976d2) !important; outline-offset: 1px
}}</style>"""  # since the ring of ipywidgets is too pale to be seen


class Asked:
    """Hold what questions and predictions share: an id, a text, and choices A, B, C …"""

    id: str
    text: str
    choices: Sequence[str]

    @property
    def letters(self) -> str:
        """Name the choices in order: "ABC" if there are three."""
        return LETTERS[: len(self.choices)]

    def choice(self, letter: str) -> str:
        """Return the text of a choice."""
        return self.choices[self.letters.index(letter)]

    def _fault_in_choices(self) -> str:
        if not 2 <= len(self.choices) <= len(LETTERS):
            return f"it has {len(self.choices)} choices; 2 to {len(LETTERS)} are expected"
        if len(set(self.choices)) < len(self.choices):
            return "two of its choices are the same"
        return ""

    def _as_text(self) -> str:
        choices = [f"{letter}. {self.choice(letter)}" for letter in self.letters]
        return "\n".join([self.text, *choices])

    def _as_markdown(self) -> str:
        choices = "\n".join(f"- **{letter}.** {self.choice(letter)}" for letter in self.letters)
        return f"{self.text}\n\n{choices}".strip()


@dataclass(frozen=True)
class Question(Asked):
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
        fault = self._fault_in_choices() or self._fault_in_answer() or fault_in_texts(self._texts())
        if fault:
            raise ValueError(f"question {self.id!r}: {fault}")

    def _fault_in_answer(self) -> str:
        letters, named = set(self.letters), set(self.misconceptions)
        if self.answer not in letters:
            return f"its answer is {self.answer!r}, which is none of {', '.join(self.letters)}"
        if missing := letters - named - {self.answer}:
            return f"{', '.join(sorted(missing))} is wrong but has no misconception"
        if odd := named - (letters - {self.answer}):
            return f"a misconception belongs to {', '.join(sorted(odd))}, which is no wrong choice"
        return ""

    def _texts(self) -> list[str]:
        named = [self.id, self.text, *self.choices, *self.misconceptions.values()]
        return [*named, self.hint, self.explanation]

    def __repr__(self) -> str:
        return self._as_text()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Display the ballot, or where there is no kernel the question as text."""
        box = Ballot(self).box
        if room := find_room():
            room.offer(self, box)
        return {
            **box._repr_mimebundle_(),
            "text/plain": repr(self),
            "text/markdown": self._as_markdown(),
        }


@dataclass(frozen=True)
class Predict(Asked):
    """Ask for a number with its unit, a choice or a sentence before the answer is shown."""

    id: str
    text: str
    why: str
    number: str = ""
    choices: Sequence[str] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "choices", tuple(self.choices))
        fault = fault_in_texts([self.id, self.text, self.why, *self.choices])
        if self.choices:
            fault = fault or self._fault_in_choices()
        if self.choices and self.number:
            fault = fault or "it asks for a number or for a choice, and not for both"
        if fault:
            raise ValueError(f"prediction {self.id!r}: {fault}")

    def __repr__(self) -> str:
        return f"{self._as_text()}\n{self.wanted}: ____"

    @property
    def wanted(self) -> str:
        """Say what is to be committed."""
        if self.number:
            return f"Your prediction ({self.number})"
        return "Your prediction (a letter)" if self.choices else "Your prediction (a sentence)"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Display the box to commit in, or where there is no kernel the question as text."""
        box = Commitment(self).box
        room = find_room()
        if room and self.number:
            room.offer(self, box)
        return {
            **box._repr_mimebundle_(),
            "text/plain": repr(self),
            "text/markdown": f"{self._as_markdown()}\n\n*{self.wanted}:* ____",
        }

    def reveal(self, truth: Any, *shown: Any, bound: Any = None) -> "Reveal":
        """Return the answer, to be displayed, with the reason and what else belongs to it."""
        fault = self._fault_in_truth(truth)
        if bound is not None:
            fault = fault or self._fault_in_bound(truth, bound)
        if any(part is None for part in shown):
            fault = "None would be shown; a picture is shown as Still(fig, alt)"
        if fault:
            raise ValueError(f"prediction {self.id!r}: {fault}")
        text = write(truth) if self.number else str(truth)
        TRUTHS[self.id] = text
        if self.said is not None:
            memory.change("predictions", self.id, lambda entry: entry | {"truth": text})
        promised = "" if bound is None else write(bound)
        room = find_room()
        voted = room.reveal(self, text, promised) if room and self.number else ""
        return Reveal(self, text, shown, promised, voted)

    @property
    def said(self) -> str | None:
        """Return what the reader has committed to, if it fits; the prediction may be a new one."""
        said = memory.recall("predictions", self.id).get("said")
        return None if said is None or self.fault_in(said) else said

    def fault_in(self, said: str) -> str:
        """Say what is wrong with a prediction, if anything."""
        if not said:
            return "Write your prediction first."
        if self.number and read_number(said) is None:
            return "A number is expected here, such as 12, 0.5, 3/4 or 1e6."
        if self.choices and said not in list(self.letters):
            return f"One of {', '.join(self.letters)} is expected here."
        return ""

    def _fault_in_truth(self, truth: Any) -> str:
        if self.number and (isinstance(truth, bool) or not isinstance(truth, Real)):
            return f"it asks for a number, and {truth!r} is revealed"
        if self.choices and truth not in list(self.letters):
            return f"it has the choices {', '.join(self.letters)}, and {truth!r} is revealed"
        if not self.number and not self.choices:
            return fault_in_texts([truth])
        return ""

    def _fault_in_bound(self, truth: Any, bound: Any) -> str:
        if not self.number or isinstance(bound, bool) or not isinstance(bound, Real):
            return f"a bound is a number, above another one, and not {bound!r}"
        return "" if truth <= bound else f"the bound {bound!r} is below {truth!r}"

    def promise(self, said: str | None, bound: str) -> str:
        """Say what a theorem allowed, and of a commitment whether it was ruled out beforehand."""
        text = f"**Bound.** At most {bound} {self.number}."
        guess, most = read_number(said or ""), read_number(bound)
        if guess is None or most is None or guess <= most:
            return text
        return f"{text} Your number is above it, so the theorem had ruled it out."

    def verdict(self, said: str, truth: str) -> list[str]:
        """Return what there is to say of a commitment, in paragraphs of Markdown."""
        if self.number:
            first = f"You said **{said}**. {compare_numbers(said, truth, self.number)}"
        elif self.choices:
            way = "and so it is" if said == truth else f"but it is **{truth}**"
            first = f"You said **{said}**, {way}: {self.choice(truth)}"
        else:
            first = f"You wrote: “{escape_markdown(said)}”\n\n**What happens.** {truth}"
        return [first, f"**Why.** {self.why}"]

    def answer(self, truth: str) -> list[str]:
        """Return what there is to say without a commitment."""
        said = truth
        if self.number:
            said = f"{truth} {self.number}"
        elif self.choices:
            said = f"**{truth}.** {self.choice(truth)}"
        return [f"**Answer.** {said}", f"**Why.** {self.why}"]


class Reveal:
    """Show the answer to a prediction beside it, or folded where none was made.

    What a room has voted was made by somebody: then nothing is folded.
    """

    def __init__(
        self,
        prediction: Predict,
        truth: str,
        shown: Sequence[Any],
        bound: str = "",
        voted: str = "",
    ):
        self.prediction, self.truth, self.shown = prediction, truth, shown
        self.bound, self.voted = bound, voted

    def __repr__(self) -> str:
        parts = [*self._paragraphs(self.prediction.said), *(repr(one) for one in self.shown)]
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        said = self.prediction.said
        parts = [as_block(text) for text in self._paragraphs(said)]
        body = "".join([*parts, *map(as_html, self.shown)])
        if self.voted:  # side by side, where there is room
            columns = f'<div style="flex:3 1 24em">{self.voted}</div>'
            columns += f'<div style="flex:2 1 16em">{body}</div>'
            return (
                f'<div role="status" style="display:flex;flex-wrap:wrap;gap:0 2em">{columns}</div>'
            )
        if said is not None:
            return f'<div role="status">{body}</div>'
        summary = "Answer: open it when you have committed to a prediction"
        return f"<details><summary>{summary}</summary>{body}</details>"

    def _paragraphs(self, said: str | None) -> list[str]:
        answer = self.prediction.answer(self.truth)
        if said is not None:
            answer = self.prediction.verdict(said, self.truth)
        if self.bound:
            answer.insert(1, self.prediction.promise(said, self.bound))
        return answer


class Ballot:
    """Let one reader vote, think again with the hint, vote again, and see the explanation.

    A fresh ballot asks again what may have been voted on before.
    """

    def __init__(self, question: Question, fresh: bool = False):
        import ipywidgets as ui

        self.question, self.fresh = question, fresh
        voted = [] if fresh else memory.recall("questions", question.id).get("votes", [])
        fits = set(voted) <= set(question.letters)  # or else the question was edited since
        self.votes: list[str] = list(voted) if fits else []
        self.buttons, rows = choice_buttons(question, "Vote", self.vote)
        self.said = ui.HTMLMath()
        self.again = ui.Button(description="Start again", icon="undo")
        self.box = box_for(question, *rows, self.said, self.again)
        self.again.on_click(lambda _: self.start_again())
        self.refresh()

    def vote(self, letter: str | None) -> None:
        """Count the first or the second vote; None starts again."""
        if letter and len(self.votes) == 2:
            return
        self.votes[:] = [*self.votes, letter] if letter else []
        memory.change("questions", self.question.id, self._note)
        self.refresh()

    def start_again(self) -> None:
        """Ask anew, and lead from the button that goes to the first choice."""
        self.vote(None)
        self.buttons[LETTERS[0]].focus()

    def _note(self, entry: memory.Entry) -> memory.Entry:
        """Return what is kept of the question: the votes, and how well it went each time."""
        if not self.fresh:
            entry["votes"] = list(self.votes)
        if len(self.votes) == 2:
            entry["history"] = [*entry.get("history", []), [memory.now(), self.grade]]
        return entry

    @property
    def grade(self) -> str:
        """Say how well it went: right at once, right in the end, or wrong."""
        first, last = self.votes
        if last != self.question.answer:
            return "again"
        return "good" if first == last else "hard"

    def refresh(self) -> None:
        """Show what belongs to the number of votes cast."""
        done = len(self.votes) == 2
        for letter, button in self.buttons.items():
            button.button_style, button.icon = self._look(letter)
            button.disabled = done and letter != self.votes[-1]  # which has the focus, and keeps it
        self.said.value = as_status(self._paragraphs())
        # Not None, which pages that run in a browser alone would not hear of
        self.again.layout.display = "block" if done and not self.fresh else "none"

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


class Commitment:
    """Let one reader commit to a prediction, once, and compare it when the answer is known."""

    def __init__(self, prediction: Predict):
        import ipywidgets as ui

        self.prediction = prediction
        self.buttons: dict[str, Any] = {}
        self.fault = ""
        if prediction.choices:
            self.buttons, parts = choice_buttons(prediction, "Predict", self.commit)
        else:
            make = ui.Text if prediction.number else ui.Textarea
            self.field = make(
                description=prediction.wanted,
                style={"description_width": "initial"},
                layout={"width": "24em" if prediction.number else "95%"},
            )
            self.send = ui.Button(description="Commit", tooltip="Commit to this prediction")
            self.send.on_click(lambda _: self.commit(self.field.value))
            parts = [ui.HBox([self.field, self.send], layout={"flex_flow": "wrap"})]
        self.said = ui.HTMLMath()
        self.box = box_for(prediction, *parts, self.said)
        self.refresh()

    def commit(self, text: str) -> None:
        """Keep a prediction, unless it is none; the first one counts."""
        text = " ".join(text.split())
        self.fault = self.prediction.fault_in(text)
        if not self.fault and self.prediction.said is None:
            entry = {"said": text, "at": memory.now()}
            memory.change("predictions", self.prediction.id, lambda _: entry)
        self.refresh()

    def refresh(self) -> None:
        """Show what was committed, and what is known by now."""
        said = self.prediction.said
        done = said is not None
        for letter, button in self.buttons.items():
            button.button_style = "info" if letter == said else ""
            button.disabled = done and letter != said  # which has the focus, and keeps it
        if not self.buttons and done:
            self.field.value, self.field.disabled = said, True
            self.send.description = "Committed"
        self.said.value = as_status(self._paragraphs(said))

    def _paragraphs(self, said: str | None) -> list[str]:
        if said is None:
            return [self.fault] if self.fault else []
        kept = memory.recall("predictions", self.prediction.id)
        truth = TRUTHS.get(self.prediction.id, kept.get("truth"))
        if truth is None or self.prediction.choices and truth not in self.prediction.letters:
            return ["Noted. Now read on, and see."]
        return self.prediction.verdict(said, truth)


def find_room() -> Any:
    """Return the module that asks a room, in a lecturer's kernel, or None."""
    name = os.environ.get("HALFSPACES_ROOM")
    return importlib.import_module(name) if name else None


def fault_in_texts(texts: Iterable[Any]) -> str:
    """Say what is wrong with one of the texts, if anything."""
    for text in texts:
        if not isinstance(text, str) or not text.strip():
            return "all its parts are text, and none is empty"
        if re.search(r"[\x00-\x09\x0b-\x1f]", text):
            return f'{text!r} has a control character; write TeX in a raw string, r"…"'
        if re.sub(r"\\.", "", text).count("$") % 2:
            return f"a $ is missing in {text!r}"
    return ""


def box_for(asked: Asked, *parts: Any) -> Any:
    """Return the widget that has a question's text above, and its parts below."""
    import ipywidgets as ui

    box = ui.VBox([ui.HTMLMath(FOCUS + as_block(asked.text)), *parts])
    box.add_class(BOX)
    return box


def choice_buttons(
    asked: Asked, verb: str, act: Callable[[str], None]
) -> tuple[dict[str, Any], list[Any]]:
    """Return a button for each choice, by its letter, and the rows in which they stand."""
    import ipywidgets as ui

    # Buttons, since JupyterLab takes the arrow keys that radio buttons need.
    buttons = {
        letter: ui.Button(
            description=letter,
            tooltip=f"{verb} {letter}: {asked.choice(letter)}",
            layout={"width": "4em"},
        )
        for letter in asked.letters
    }
    for letter, button in buttons.items():
        button.on_click(lambda _, letter=letter: act(letter))
    rows = [
        ui.HBox(
            [button, ui.HTMLMath(as_block(asked.choice(letter)))],
            layout={"align_items": "center"},
        )
        for letter, button in buttons.items()
    ]
    return buttons, rows


def read_number(text: str) -> Fraction | float | None:
    """Return the number that a text means, or None.

    >>> [read_number(text) for text in ("1,000", "3/4", "−2", "∞", "1,5", "many")]
    [Fraction(1000, 1), Fraction(3, 4), Fraction(-2, 1), inf, None, None]
    """
    bare = text.strip().lower().replace("−", "-").replace("∞", "inf").replace(" ", "")
    if re.fullmatch(r"-?\d{1,3}(,\d{3})+(\.\d+)?", bare):
        bare = bare.replace(",", "")
    if bare.lstrip("-") in ("inf", "infinity"):
        return -math.inf if bare.startswith("-") else math.inf
    try:
        return float(bare) if "e" in bare else Fraction(bare)  # 1e999999 has too many digits
    except (ValueError, ZeroDivisionError):
        return None


def compare_numbers(said: str, truth: str, unit: str) -> str:
    """Say in a sentence how far a number is from the truth."""
    guess, right = read_number(said), read_number(truth)
    it_is = f"It is **{truth}** {unit}"
    if guess is None or right is None:
        return f"{it_is}."
    if guess == right:
        return f"{it_is}: exactly."
    way = "too low" if guess < right else "too high"
    if math.isinf(guess) or math.isinf(right):
        return f"{it_is}: your number is {way}."
    ratio = float(guess / right) if right else 0.0
    factor = max(ratio, 1 / ratio) if ratio > 0 else 0.0
    if factor >= 2:
        return f"{it_is}: your number is {way} by a factor of {factor:.3g}."
    gap = abs(Fraction(guess) - Fraction(right))
    exact = "/" in truth or gap.denominator == 1
    return f"{it_is}: your number is {way} by {write(gap if exact else float(gap))}."


def escape_markdown(text: str) -> str:
    """Keep what a reader wrote from being taken for Markdown or mathematics."""
    return re.sub(r"([\\`*_{}\[\]()#$<>!|~])", r"\\\1", text)


def as_html(shown: Any) -> str:
    """Return anything that a cell could show as HTML."""
    if hasattr(shown, "_repr_html_"):
        return f'<div style="margin:.6em 0">{shown._repr_html_()}</div>'
    if hasattr(shown, "png"):  # a picture
        data = b64encode(shown.png).decode()
        size = f'width="{shown.width}" height="{shown.height}"'
        return f'<img alt="{escape(shown.alt)}" {size} src="data:image/png;base64,{data}">'
    if isinstance(shown, str):
        return as_block(shown)
    return f"<pre>{escape(repr(shown))}</pre>"


def as_status(paragraphs: Iterable[str]) -> str:
    """Return paragraphs as HTML that is read aloud when it changes."""
    blocks = "".join(map(as_block, paragraphs))
    return f'<div role="status" aria-live="polite">{blocks}</div>'


def as_block(text: str) -> str:
    """Return a text as HTML with a little room above and below."""
    return f'<div style="margin:.4em 0">{to_html(text)}</div>'
