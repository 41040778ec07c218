"""Write the pages that phones show: a few kilobytes, with or without JavaScript, self-contained."""

import base64
import hashlib
import re
from functools import lru_cache
from typing import Any

from halfspaces.notebook.questions import Predict
from markupsafe import Markup

from coursekit.formulas import style

from .html import FOLDER, fill
from .store import NUMBER, ROUNDS, SENTENCE, Asked, Slide, Stage, Store, state

STYLE = re.sub(r"\s*\n\s*", "", fill("phone.css"))
FORMULAS = style()
SCRIPT = (FOLDER / "phone.js").read_text("utf-8")
HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; "
    f"font-src data:; style-src 'self' 'sha256-{HASH}'"
)
# The lecturer's own page has the results as they are drawn for the notebook, with styles.
DESK_POLICY = re.sub("style-src .*", "style-src 'self' 'unsafe-inline'", POLICY)
HEADINGS = {
    Stage.FIRST: "Round one: vote on your own",
    Stage.DISCUSSION: "Discuss",
    Stage.SECOND: "Round two: vote again, after the discussion",
    Stage.CLOSED: "Both rounds are closed",
    Stage.SHOWN: "The answer",
}
HEADINGS_OF_NUMBERS = {
    Stage.FIRST: "Your number, on your own",
    Stage.CLOSED: "The numbers are in",
    Stage.SHOWN: "The numbers are in",
}


def page(store: Store, device: str, said: str = "") -> str:
    """Return what one device sees now, below a sentence where there is one to say."""
    poll = store.poll
    about = {"code": store.code, "page_state": store.state, "said": said, "slides": store.followed}
    if not poll:
        title = "Wait for the next question"
        return write("wait.html", title, follow=True, **about)
    first, second = (votes.get(device, "") for votes in poll.votes.values())
    why = poll.sentences.get(device, "") if poll.why else None
    if poll.asks_number:
        return number_page(poll.question, poll.number, poll.stage, first, poll.truth, why, **about)
    votes = (first, second)[: poll.rounds]
    return page_of(poll.question, poll.number, poll.stage, votes, why, **about)


@lru_cache(1000)  # a whole hall sees a few pages
def page_of(
    question: Asked,
    number: int,
    stage: Stage,
    votes: tuple[str, ...],
    why: str | None,
    **about: Any,
) -> str:
    """Return what all devices see that have voted the same; `why` is a sentence if one is asked."""
    about |= {
        "title": HEADINGS[stage],
        "state": state(number, stage),
        "question": question,
        "note": note(stage, votes),
        "why": why,
        "longest": SENTENCE,
    }
    if stage == Stage.SHOWN:
        wrong = [letter for letter in dict.fromkeys(votes) if letter in question.misconceptions]
        return write("answer.html", follow=why is None, wrong=wrong, **about)
    mine = votes[-1]
    is_open = stage in ROUNDS
    # While one thinks or writes, the page stays.
    follow = (bool(mine) or not is_open) and why is None
    return write("ballot.html", follow=follow, open=is_open, mine=mine, **about)


@lru_cache(1000)
def number_page(
    question: Predict,
    number: int,
    stage: Stage,
    mine: str,
    truth: str,
    why: str | None,
    **about: Any,
) -> str:
    """Return what all devices see that have sent the same number."""
    is_open = stage in ROUNDS
    verdict = question.verdict(mine, truth) if mine and truth and not is_open else []
    return write(
        "number.html",
        HEADINGS_OF_NUMBERS[stage],
        state=state(number, stage),
        question=question,
        note=number_note(is_open, mine, bool(verdict)),
        open=is_open,
        mine=mine,
        verdict=verdict,
        why=why,
        longest=SENTENCE,
        digits=NUMBER,
        follow=(bool(mine) or not is_open) and why is None,
        **about,
    )


def number_note(is_open: bool, mine: str, known: bool) -> str:
    """Say which number a device has sent, and what to do next."""
    if is_open:
        if mine:
            return f"Your number is {mine}. You can change it until the round closes."
        return "Nobody sees who said what."
    if known:
        return "Now look to the front."
    voted = f"You said {mine}. " if mine else ""
    return f"{voted}Look to the front: now it is counted."


def note(stage: Stage, votes: tuple[str, ...]) -> str:
    """Say what a device has voted, and what to do next."""
    last = votes[-1]
    match stage:
        case Stage.FIRST | Stage.SECOND if last:
            return f"Your vote is {last}. You can change it until the round closes."
        case Stage.FIRST:
            return "Nobody sees what you choose."
        case Stage.DISCUSSION:
            voted = f": you voted {last}" if last else ""
            return (
                f"Round one is closed{voted}. Find a neighbour who thinks otherwise, "
                "and convince each other."
            )
        case Stage.SECOND:
            return "Vote again, whether or not you have changed your mind."
        case Stage.CLOSED:
            voted = f"Your last vote was {last}. " if last else ""
            return f"{voted}Look to the front for the results."
        case Stage.SHOWN:
            voted = [vote or "nothing" for vote in votes]
            if len(voted) == 1:
                return f"You voted {voted[0]}."
            return f"You voted {voted[0]} in round one and {voted[1]} in round two."


def slide_page(store: Store, device: str) -> str:
    """Return the slide in front, as a device sees it."""
    slide = store.slide
    return slide_page_of(
        slide,
        store.code,
        store.slide_state,
        lost=slide is not None and device in store.lost.get(slide.number, ()),
        asked=store.poll is not None,
        voting=store.poll is not None and bool(store.poll.round or store.poll.why),
    )


@lru_cache(10)
def slide_page_of(
    slide: Slide | None, code: str, state: str, lost: bool, asked: bool, voting: bool
) -> str:
    """Return what all devices see that follow."""
    return write(
        "slide.html",
        slide.title if slide else "The slides",
        code=code,
        page_state=state,
        look=f"/{code}/slide",
        follow=True,
        slides=asked,  # before the first question there is nothing else
        slide=slide,
        content=Markup(slide.html if slide else ""),
        lost=lost,
        voting=voting,
    )


def refusal(sentence: str) -> str:
    """Return a page that says why there is nothing here."""
    return write("refusal.html", "This did not work", sentence=sentence)


def write(
    template: str,
    title: str,
    code: str = "",
    page_state: str = "",
    look: str = "",
    said: str = "",
    follow: bool = False,
    slides: bool = False,
    **values: Any,
) -> str:
    """Fill a page; one that follows the room reloads itself even without JavaScript."""
    return fill(
        template,
        title=title,
        code=code,
        page_state=page_state,
        look=look or f"/{code}",
        said=said,
        follow=follow,
        slides=slides,
        style=Markup(STYLE),
        **values,
    )
