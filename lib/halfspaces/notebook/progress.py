"""Show what is done and what is due: `show_map()`; and ask again what is due: `review()`.

What was voted, predicted and solved stands in the file that `memory` keeps. A question that was
voted on twice comes back after days, then weeks; when, is decided by fsrs, from how well it went
each time. Some come back with fresh numbers.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from typing import Any

import numpy as np

from . import memory
from .drawn import DRAWN
from .questions import Ballot, Question, as_block, as_status
from .reading import Notebook, read_course
from .tables import Table, table

OFF = "Progress is switched off: nothing is kept, and nothing comes back."
NO_SCHEDULER = "Questions come back after days and weeks once fsrs is installed: pip install fsrs."
LONGEST = 180  # days until a question comes back
GRADES = ("again", "hard", "good")
History = list[list[str]]  # when, and how well it went


def show_map() -> "Map":
    """Return the map of the course, to be displayed, with what is done and what is due."""
    return Map(read_course(memory.find_course()))


def review() -> "Review":
    """Return the questions that are due today, to be displayed one after the other."""
    return Review(read_course(memory.find_course()))


class Map:
    """Count for each notebook what is done of what there is."""

    def __init__(self, notebooks: Sequence[Notebook], today: date | None = None):
        self.notebooks = notebooks
        self.today = today or date.today()
        self.sentence = self._sentence()

    def _sentence(self) -> str:
        if memory.find_file() is None:
            return OFF
        if not self.notebooks:
            return "The notebooks are not found: open this in the folder of the course."
        if not has_scheduler():
            return NO_SCHEDULER
        return ""

    def table(self, linked: bool) -> Table:
        """Return the map as a table, its notebooks with links if asked for."""
        names = [
            f"[{book.title}]({book.path.name})" if linked else book.title for book in self.notebooks
        ]
        if memory.find_file() is None:
            return table({"notebook": names}, caption="The course")
        kept = {kind: memory.recall_all(kind) for kind in ("predictions", "questions", "exercises")}
        said = {name for name, entry in kept["predictions"].items() if "said" in entry}
        asked = {name for name, entry in kept["questions"].items() if entry.get("history")}
        solved = {
            name for name, entry in kept["exercises"].items() if entry.get("rung") == "correct"
        }
        due = [id[: id.index("-")] for id in due_ids(self.notebooks, self.today)]
        columns: dict[str, list[Any]] = {
            "notebook": names,
            "predictions": [_share(said, book.predictions) for book in self.notebooks],
            "questions": [
                _share(asked, [question.id for question in book.questions])
                for book in self.notebooks
            ],
            "exercises": [_share(solved, book.exercises) for book in self.notebooks],
            "due today": [due.count(book.prefix) or None for book in self.notebooks],
        }
        return table(columns, caption="What is done, and what is due today")

    def __repr__(self) -> str:
        parts = [repr(self.table(linked=False))] if self.notebooks else []
        return "\n\n".join(filter(None, [*parts, self.sentence]))

    def _repr_html_(self) -> str:
        parts = [self.table(linked=True)._repr_html_()] if self.notebooks else []
        return "".join([*parts, as_block(self.sentence) if self.sentence else ""])


class Review:
    """Ask what is due, one question after the other."""

    def __init__(self, notebooks: Sequence[Notebook], today: date | None = None):
        self.today = today or date.today()
        self.due = due_ids(notebooks, self.today)
        self.questions = [draw(id, notebooks) for id in self.due]
        self.next = next_date(notebooks, self.today)
        self.place = 0

    def __repr__(self) -> str:
        if memory.find_file() is None:
            return OFF
        if not has_scheduler():
            return NO_SCHEDULER
        if self.due:
            count = "1 question is" if len(self.due) == 1 else f"{len(self.due)} questions are"
            return f"{count} due today."
        if self.next:
            return f"Nothing is due today. The next question comes back on {_write(self.next)}."
        return "Nothing is due: questions come back some days after you have voted on them."

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Display the first question, or a sentence where none is due."""
        shown = {"text/plain": repr(self), "text/markdown": repr(self)}
        return {**self.box()._repr_mimebundle_(), **shown} if self.due else shown

    def box(self) -> Any:
        """Return the widget in which one question follows the other."""
        import ipywidgets as ui

        self.head = ui.HTML()
        self.ballot = ui.VBox()
        self.forth = ui.Button(description="Next question", icon="arrow-right")
        self.forth.on_click(lambda _: self.show(self.place + 1))
        self.show(0)
        return ui.VBox([self.head, self.ballot, self.forth])

    def show(self, place: int) -> None:
        """Show the question of that place, or say that there are no more."""
        self.place = place
        if place >= len(self.questions):
            self.head.value = as_status(["That was all for today."])
            self.ballot.children = ()
            self.forth.description, self.forth.icon = "Done", "check"  # it keeps the focus
            return
        question = self.questions[place]
        number = question.id.partition("-")[0].lstrip("0") or "0"
        where = f"Question {place + 1} of {len(self.questions)}, from notebook {number}."
        self.head.value = as_status([where])
        self.ballot.children = (Ballot(question, fresh=True).box,)


# When questions come back


def has_scheduler() -> bool:
    """Tell whether fsrs is installed."""
    try:
        import fsrs  # noqa: F401
    except ImportError:
        return False
    return True


def due_date(history: History) -> date:
    """Return the day on which a question comes back."""
    from fsrs import Card, Rating, Scheduler

    scheduler = Scheduler(
        learning_steps=(),  # of minutes: here a day is the least
        relearning_steps=(),
        maximum_interval=LONGEST,
        enable_fuzzing=False,
    )
    card = Card(card_id=0)
    for when, grade in sorted(history):
        time = datetime.fromisoformat(when).astimezone(UTC)
        card, _ = scheduler.review_card(card, Rating[grade.capitalize()], time)
    return card.due.astimezone().date()


def due_dates(notebooks: Sequence[Notebook]) -> dict[str, date]:
    """Return for each question that was voted on when it comes back, drawn ones included."""
    if not has_scheduler() or memory.find_file() is None:
        return {}
    kept = memory.recall_all("questions")
    read = {name: _history(entry) for name, entry in kept.items()}
    histories = {name: history for name, history in read.items() if history}
    known = {question.id for book in notebooks for question in book.questions}
    dates = {name: due_date(histories[name]) for name in known & histories.keys()}
    for name in DRAWN:
        begun = [min(histories[id])[0] for id in histories if _prefix(id) == _prefix(name)]
        if name in histories:
            dates[name] = due_date(histories[name])
        elif begun:  # a day after the first question of its notebook
            first = datetime.fromisoformat(min(begun)).astimezone()
            dates[name] = first.date() + timedelta(days=1)
    return dates


def due_ids(notebooks: Sequence[Notebook], today: date) -> list[str]:
    """Return the questions that are due, the longest waiting first."""
    dates = due_dates(notebooks)
    return sorted((id for id in dates if dates[id] <= today), key=lambda id: (dates[id], id))


def next_date(notebooks: Sequence[Notebook], today: date) -> date | None:
    """Return the next day on which a question comes back."""
    return min((day for day in due_dates(notebooks).values() if day > today), default=None)


def draw(name: str, notebooks: Sequence[Notebook]) -> Question:
    """Return a question by its id; one with fresh numbers stays the same until it is answered."""
    if name not in DRAWN:
        questions = [question for book in notebooks for question in book.questions]
        return next(question for question in questions if question.id == name)
    times = len(memory.recall("questions", name).get("history", []))
    seed = sha256(f"{name} {times}".encode()).digest()
    return DRAWN[name](np.random.default_rng(int.from_bytes(seed, "big")))


def _history(entry: memory.Entry) -> History:
    """Return how well a question went each time; what a hand has garbled is left out."""
    found = []
    for event in entry.get("history", []):
        try:
            when, grade = event
            datetime.fromisoformat(when)
        except (TypeError, ValueError):
            continue
        if grade in GRADES:
            found.append([when, grade])
    return found


def _prefix(name: str) -> str:
    return name.partition("-")[0]


def _share(done: set[str], there: Sequence[str]) -> str:
    """Write how many of those there are are done."""
    if not there:
        return ""
    count = len(done & set(there))
    return f"{count} of {len(there)}{' ✓' if count == len(there) else ''}"


def _write(day: date) -> str:
    return f"{day.day} {day:%B}"
