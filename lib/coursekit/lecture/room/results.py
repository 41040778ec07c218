"""Draw what the lecturer's panel shows: where to vote, how many have, and both rounds side by side.

It is HTML, which is sharp on every projector, takes the colours of JupyterLab's theme, and is read out as a table.
"""

from html import escape

from halfspaces.notebook.questions import as_html

from .store import Poll

BAR, RIGHT = (
    "#0072B2",
    "#009E73",
)  # told apart by those who see no red or green, and the right one has a tick


def address_html(address: str, network: bool | str, code: str) -> str:
    """Say where to vote and who can, with the address as a QR code."""
    who = (
        f"Open to the network: anyone in it who knows the code <b>{code}</b> can vote."
        if network
        else "On this computer only: phones cannot reach it. “Let phones in” opens it to the network."
    )
    shown = escape(address.removeprefix("http://")).replace("/", "/<wbr>")  # where a line may break
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:1.5em;align-items:center;line-height:1.3;'
        'margin:.5em 2em .5em 0">'
        f'{qr_code(address)}<div><div style="font-size:1.3em">Vote with your phone:</div>'
        f'<a href="{escape(address)}" target="_blank" style="font-size:2em;font-weight:700;'
        f'color:inherit">{shown}</a><div style="max-width:27em">{who}</div></div></div>'
    )


def qr_code(address: str) -> str:
    """Return the address as a QR code, or nothing where segno is not installed."""
    try:
        import segno
    except ImportError:
        return ""
    picture = segno.make(address, error="m", micro=False).svg_inline(
        scale=1, border=4, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None
    )
    picture = picture.replace(
        "<svg",
        f'<svg role="img" aria-label="QR code of {escape(address)}" '
        'style="width:13em;height:13em;flex:none"',
        1,
    )
    return picture


def standing_html(poll: Poll, now: bool, phones: int, left: float) -> str:
    """Say in large letters how many have voted, or how long there is to discuss."""
    if poll.stage == "shown":
        return ""
    if not now:
        return (
            '<p role="status">This vote is over: the room is closed, or has another question.</p>'
        )
    count = len(poll.votes[2 if poll.stage in ("second", "closed") else 1])
    votes = f"{count} vote{'' if count == 1 else 's'}"
    open_pages = f"{phones} phone{' has' if phones == 1 else 's have'} the page open"
    big, small = {
        "first": (votes, f"Round one, everyone alone. {open_pages}."),
        "discussion": (clock(left), f"Convince your neighbour. Round one had {votes}."),
        "second": (votes, f"Round two, after the discussion. {open_pages}."),
        "closed": (votes, "Round two is closed."),
    }[poll.stage]
    return (
        f'<div style="line-height:1.2;margin:.3em 0"><span style="font-size:4em;font-weight:700;'
        f'font-variant-numeric:tabular-nums">{big}</span>'
        f'<div style="font-size:1.3em;max-width:14em">{small}</div></div>'
    )


def clock(seconds: float) -> str:
    """Write what is left of the discussion.

    >>> clock(83.2), clock(-1)
    ('1:23', 'Time is up')
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}" if seconds > 0 else "Time is up"


def results_html(poll: Poll) -> str:
    """Draw both rounds as a table with a bar in each cell, then explain."""
    question, totals = poll.question, [len(poll.votes[round]) for round in (1, 2)]
    heads = "".join(
        f'<th scope="col" style="text-align:left;padding:.2em .6em">Round {name}: {total} '
        f"vote{'' if total == 1 else 's'}</th>"
        for name, total in zip(("one", "two"), totals)
    )
    rows = "".join(row_html(poll, letter, totals) for letter in question.letters)
    wrong = sorted(question.misconceptions, key=lambda letter: -poll.counts(1)[letter])
    texts = [
        f"**Why {question.answer}.** {question.explanation}",
        *(f"**Behind {letter}:** {question.misconceptions[letter]}" for letter in wrong),
    ]
    return (
        f'<div style="font-size:1.15em;line-height:1.3"><table style="border-collapse:collapse;width:100%;'
        f'table-layout:fixed"><caption style="text-align:left;padding:.3em 0">{escape(summary(poll))}</caption>'
        f'<tr><th scope="col" style="width:5.8em;text-align:left">Choice</th>{heads}</tr>{rows}</table>'
        f"{''.join(map(as_html, texts))}</div>"
    )


def row_html(poll: Poll, letter: str, totals: list[int]) -> str:
    """Draw the bars of one choice; the right one has a tick, an outline and a colour of its own."""
    right = letter == poll.question.answer
    most = max(1, *(count for round in (1, 2) for count in poll.counts(round).values()))
    cells = ""
    for round, total in zip((1, 2), totals):
        count = poll.counts(round)[letter]
        share = f"{count} · {100 * count / total:.0f} %" if total else "–"
        cells += (
            f'<td style="padding:.12em .6em"><div style="display:flex;align-items:center;gap:.5em">'
            f'<span style="height:1.3em;border-radius:.15em;width:{65 * count / most:.1f}%;flex:none;'
            f'background:{RIGHT if right else BAR}"></span><span style="white-space:nowrap">{share}</span>'
            "</div></td>"
        )
    name = f"{letter} ✓ right" if right else letter
    line = f"outline:3px solid {RIGHT};outline-offset:-2px" if right else ""
    head = (
        f'<th scope="row" style="text-align:left;padding:.12em .4em;white-space:nowrap">{name}</th>'
    )
    return f'<tr style="{line}">{head}{cells}</tr>'


def summary(poll: Poll) -> str:
    """Say how the votes have changed."""
    answer, first, second = poll.question.answer, poll.votes[1], poll.votes[2]
    shares = [
        f"{100 * sum(vote == answer for vote in votes.values()) / len(votes):.0f} %"
        if votes
        else "nobody"
        for votes in (first, second)
    ]
    both = [
        (first[device] == answer, second[device] == answer)
        for device in first.keys() & second.keys()
    ]
    better, worse = both.count((False, True)), both.count((True, False))
    return (
        f"{shares[0]} right in round one, {shares[1]} in round two. Of the {len(both)} who voted twice, "
        f"{better} went from wrong to right and {worse} from right to wrong."
    )
