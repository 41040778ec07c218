"""Draw what the lecturer's panel shows: where to vote, how many have, and both rounds side by side.

It is HTML, which is sharp on every projector, takes the colours of JupyterLab's theme, and is read
out as a table.
"""

from typing import Any

from markupsafe import Markup

from .html import fill
from .store import Poll, Stage

WIDEST = 65  # per cent of its cell that the longest bar takes


def address_html(address: str, network: bool | str, code: str) -> str:
    """Say where to vote and who can, with the address as a QR code."""
    return fill(
        "address.html",
        address=address,
        parts=address.removeprefix("http://").split("/"),  # after which a line may break
        network=network,
        code=code,
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
    return fill("standing.html", large=large, small=small[poll.stage])


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
    """Draw both rounds as a table with a bar in each cell, then explain."""
    question = poll.question
    first = poll.counts(1)
    wrong = sorted(question.misconceptions, key=lambda letter: -first[letter])
    return fill(
        "results.html",
        summary=summary(poll),
        rounds=[("one", len(poll.votes[1])), ("two", len(poll.votes[2]))],
        rows=[
            {
                "letter": letter,
                "right": letter == question.answer,
                "bars": [bar(poll, round, letter) for round in poll.votes],
            }
            for letter in question.letters
        ],
        texts=[
            f"**Why {question.answer}.** {question.explanation}",
            *(f"**Behind {letter}:** {question.misconceptions[letter]}" for letter in wrong),
        ],
    )


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
