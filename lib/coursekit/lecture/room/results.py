"""Draw what the lecturer's panel shows: where to vote, how many have, and both rounds side by side.

It is HTML, which is sharp on every projector, takes the colours of JupyterLab's theme, and is read
out as a table.
"""

from typing import Any

from markupsafe import Markup

from . import histogram
from .html import fill
from .store import Poll, Stage

WIDEST = 65  # per cent of its cell that the longest bar takes
WIDTH, HEIGHT = 640, 260  # of the picture of numbers, in its own units
LABEL = 110  # what the name of a mark takes
LEFT, TOP, BOTTOM = 16, 60, 26  # what is left free of bars


def address_html(address: str, network: bool | str, code: str, votes: bool = True) -> str:
    """Say where to vote, or to follow, with a QR code; or what to press before phones can."""
    if not network:
        return fill("closed.html", address=address)
    return fill(
        "address.html",
        address=address,
        parts=address.removeprefix("http://").split("/"),  # after which a line may break
        code=code,
        votes=votes,
        qr_code=qr_code(address),
    )


def qr_code(address: str) -> Markup:
    """Return the address as a QR code, or nothing where segno is not installed."""
    try:
        import segno
    except ImportError:
        return Markup()
    picture = segno.make(address, error="m", micro=False).svg_inline(
        scale=1, border=4, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None
    )
    return Markup(picture)


def standing_html(poll: Poll, now: bool, phones: int, left: float) -> str:
    """Say in large letters how many have voted, or how long there is to discuss."""
    if poll.stage == Stage.SHOWN:
        return ""
    if not now:
        return fill("over.html")
    late = poll.stage in (Stage.SECOND, Stage.CLOSED)
    votes = plural(len(poll.votes[2 if late else 1]), "vote")
    pages = f"{plural(phones, 'phone')} {'has' if phones == 1 else 'have'} the page open"
    large = clock(left) if poll.stage == Stage.DISCUSSION else votes
    small = {
        Stage.FIRST: f"Round one, everyone alone. {pages}.",
        Stage.DISCUSSION: f"Convince your neighbour. Round one had {votes}.",
        Stage.SECOND: f"Round two, after the discussion. {pages}.",
        Stage.CLOSED: "Round two is closed.",
    }
    if poll.asks_number:
        large = plural(len(poll.votes[1]), "number")
        small = {Stage.FIRST: f"Everyone alone. {pages}.", Stage.CLOSED: "The numbers are in."}
    why = plural(len(poll.sentences), "sentence") if poll.why or poll.sentences else ""
    return fill("standing.html", large=large, small=small[poll.stage], why=why)


def plural(count: int, noun: str) -> str:
    """Count things.

    >>> plural(1, "vote"), plural(2, "vote")
    ('1 vote', '2 votes')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def clock(seconds: float) -> str:
    """Write what is left of the discussion.

    >>> clock(83.2), clock(-1)
    ('1:23', 'Time is up')
    """
    if seconds <= 0:
        return "Time is up"
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def results_html(poll: Poll) -> str:
    """Draw what was voted, then explain."""
    return fill("results.html", chart=chart(poll), texts=texts(poll))


def sentences_html(poll: Poll) -> str:
    """Quote the sentences that the lecturer has picked."""
    return fill("sentences.html", sentences=poll.chosen)


def chart(poll: Poll) -> Markup:
    """Draw what was voted: numbers, or the rounds side by side, as a table with bars."""
    if poll.asks_number:
        return numbers(poll)
    rounds = [("one", len(poll.votes[1])), ("two", len(poll.votes[2]))][: poll.rounds]
    rows = [
        {
            "letter": letter,
            "right": letter == poll.question.answer and poll.stage == Stage.SHOWN,
            "bars": [bar(poll, round, letter) for round in range(1, len(rounds) + 1)],
        }
        for letter in poll.question.letters
    ]
    return Markup(fill("bars.html", summary=summary(poll), rounds=rounds, rows=rows))


def texts(poll: Poll) -> list[str]:
    """Return what there is to explain, in Markdown."""
    question = poll.question
    if poll.asks_number:
        return [f"**Why {poll.truth}.** {question.why}"] if poll.truth else []
    first = poll.counts(1)
    wrong = sorted(question.misconceptions, key=lambda letter: -first[letter])
    return [
        f"**Why {question.answer}.** {question.explanation}",
        *(f"**Behind {letter}:** {question.misconceptions[letter]}" for letter in wrong),
    ]


def numbers(poll: Poll) -> Markup:
    """Draw the numbers as a histogram, with the truth and the bound where they are known."""
    said = list(poll.votes[1].values())
    found = histogram.histogram(said, [mark for mark in (poll.truth, poll.bound) if mark])
    wide = (WIDTH - 2 * LEFT) / len(found.counts)
    high = (HEIGHT - TOP - BOTTOM) / max(1, *found.counts)
    bars = [
        {
            "x": round(LEFT + i * wide + 1, 1),
            "y": round(HEIGHT - BOTTOM - count * high, 1),
            "width": round(wide - 2, 1),
            "height": round(count * high, 1),
            "count": count,
            "middle": round(LEFT + (i + 0.5) * wide, 1),
        }
        for i, count in enumerate(found.counts)
    ]
    if found.whole:
        ticks = [(bar["middle"], label) for bar, label in zip(bars, found.labels)]
    else:
        edges = map(histogram.short, found.edges)
        ticks = [(round(LEFT + i * wide, 1), text) for i, text in enumerate(edges)]
    marks = [
        {
            "name": name,
            "text": f"{name} {text}",
            "x": round(LEFT + found.place(histogram.as_float(text)) * wide, 1),
            "y": 16 + 20 * row,
            "left": is_left(name, LEFT + found.place(histogram.as_float(text)) * wide),
        }
        for row, (name, text) in enumerate([("truth", poll.truth), ("bound", poll.bound)])
        if text and abs(histogram.as_float(text)) <= histogram.BEYOND
    ]
    return Markup(
        fill(
            "numbers.html",
            summary=histogram.summary(said, poll.question.number, poll.truth, poll.bound),
            table=list(zip(found.labels, found.counts)),
            beyond=found.beyond,
            unit=poll.question.number,
            size=(WIDTH, HEIGHT),
            base=HEIGHT - BOTTOM,
            bars=bars,
            ticks=ticks,
            marks=marks,
        )
    )


def is_left(name: str, x: float) -> bool:
    """Tell on which side of a mark its name stands: the bound's is right of the truth's."""
    return x > LABEL if name == "truth" else x > WIDTH - LABEL


def bar(poll: Poll, round: int, letter: str) -> dict[str, Any]:
    """Return how long a choice's bar is in one round, and what stands beside it."""
    count = poll.counts(round)[letter]
    total = len(poll.votes[round])
    most = max(1, *(max(poll.counts(each).values()) for each in poll.votes))
    share = f"{count} · {100 * count / total:.0f} %" if total else "–"
    return {"width": f"{WIDEST * count / most:.1f}", "share": share}


def summary(poll: Poll) -> str:
    """Say how the votes have changed."""
    first, second = poll.votes.values()
    right = poll.question.answer
    twice = first.keys() & second.keys()
    if poll.rounds == 1:
        return f"{share_right(first, right)} right."
    both = [(first[device] == right, second[device] == right) for device in twice]
    better = both.count((False, True))
    worse = both.count((True, False))
    return (
        f"{share_right(first, right)} right in round one, {share_right(second, right)} in round "
        f"two. Of the {len(both)} who voted twice, {better} went from wrong to right and {worse} "
        "from right to wrong."
    )


def share_right(votes: dict[str, str], right: str) -> str:
    """Say which part of the votes is right."""
    if not votes:
        return "nobody"
    return f"{100 * list(votes.values()).count(right) / len(votes):.0f} %"
