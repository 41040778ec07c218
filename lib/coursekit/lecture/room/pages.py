"""Write the pages that phones show: a few kilobytes, with or without JavaScript, self-contained."""

import base64
import hashlib
import re
from functools import lru_cache
from typing import Any

from halfspaces.notebook.questions import Question
from markupsafe import Markup

from coursekit.formulas import style

from .html import FOLDER, fill
from .store import ROUNDS, Poll, Stage, state

STYLE = re.sub(r"\s*\n\s*", "", fill("phone.css"))
FORMULAS = style()
SCRIPT = (FOLDER / "phone.js").read_text("utf-8")
HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; "
    f"font-src data:; style-src 'self' 'sha256-{HASH}'"
)
HEADINGS = {
    Stage.FIRST: "Round one: vote on your own",
    Stage.DISCUSSION: "Discuss",
    Stage.SECOND: "Round two: vote again, after the discussion",
    Stage.CLOSED: "Both rounds are closed",
    Stage.SHOWN: "The answer",
}


def page(code: str, poll: Poll | None, device: str, said: str = "") -> str:
    """Return what one device sees now, below a sentence where there is one to say."""
    if not poll:
        title = "Wait for the next question"
        return write("wait.html", title, code, "0.wait", said=said, follow=True)
    first, second = (votes.get(device, "") for votes in poll.votes.values())
    return page_of(code, poll.question, poll.number, poll.stage, first, second, said)


@lru_cache(1000)  # a whole hall sees a few pages
def page_of(
    code: str, question: Question, number: int, stage: Stage, first: str, second: str, said: str
) -> str:
    """Return what all devices see that have voted the same."""
    about = {
        "title": HEADINGS[stage],
        "code": code,
        "state": state(number, stage),
        "said": said,
        "question": question,
        "note": note(stage, first, second),
    }
    if stage == Stage.SHOWN:
        voted = dict.fromkeys((first, second))
        wrong = [letter for letter in voted if letter in question.misconceptions]
        return write("answer.html", follow=True, wrong=wrong, **about)
    mine = second if stage in (Stage.SECOND, Stage.CLOSED) else first
    is_open = stage in ROUNDS
    follow = bool(mine) or not is_open  # while one thinks, the page stays
    return write("ballot.html", follow=follow, open=is_open, mine=mine, **about)


def note(stage: Stage, first: str, second: str) -> str:
    """Say what a device has voted, and what to do next."""
    match stage:
        case Stage.FIRST if first:
            return f"Your vote is {first}. You can change it until the round closes."
        case Stage.FIRST:
            return "Nobody sees what you choose."
        case Stage.DISCUSSION:
            voted = f": you voted {first}" if first else ""
            return (
                f"Round one is closed{voted}. Find a neighbour who thinks otherwise, "
                "and convince each other. Then comes round two."
            )
        case Stage.SECOND if second:
            return f"Your vote is {second}. You can change it until the round closes."
        case Stage.SECOND:
            return "Vote again, whether or not you have changed your mind."
        case Stage.CLOSED:
            voted = f"Your last vote was {second}. " if second else ""
            return f"{voted}Look to the front for the results."
        case Stage.SHOWN:
            votes = [vote or "nothing" for vote in (first, second)]
            return f"You voted {votes[0]} in round one and {votes[1]} in round two."


def refusal(sentence: str) -> str:
    """Return a page that says why there is nothing here."""
    return write("refusal.html", "This did not work", sentence=sentence)


def write(
    template: str,
    title: str,
    code: str = "",
    state: str = "",
    said: str = "",
    follow: bool = False,
    **values: Any,
) -> str:
    """Fill a page; one that follows the room reloads itself even without JavaScript."""
    return fill(
        template,
        title=title,
        code=code,
        state=state,
        said=said,
        follow=follow,
        style=Markup(STYLE),
        **values,
    )
