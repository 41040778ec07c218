"""Write the pages that phones show: a few kilobytes, with or without JavaScript, nothing from outside in them."""

import base64
import hashlib
import re
from functools import lru_cache
from html import escape, unescape

from halfspaces.notebook.questions import Question, as_html

from .store import Poll

STYLE = """
*{box-sizing:border-box}
html{color-scheme:light dark;-webkit-text-size-adjust:100%}
body{margin:0 auto;padding:1rem;max-width:40rem;font:1.125rem/1.45 system-ui,-apple-system,Roboto,sans-serif;
color:#1f1f1f;background:#fff;overflow-wrap:break-word}
h1{font-size:1.1rem;margin:0 0 .75rem;color:#005a8c}
form,fieldset{margin:0;padding:0;border:0;min-width:0}
legend{padding:0;margin-bottom:.75rem}
button,.choice{display:block;width:100%;min-height:56px;margin:0 0 .6rem;padding:.7rem 1rem .7rem 3.2rem;
position:relative;font:inherit;text-align:left;color:inherit;background:none;border:2px solid #6b7780;
border-radius:.6rem;-webkit-appearance:none}
button{cursor:pointer}
button b:first-child,.choice b:first-child{position:absolute;left:1.1rem;font-size:1.25em;line-height:1.2}
button:focus{outline:3px solid #d55e00;outline-offset:2px}
.mine{border:4px solid #0072b2;background:#dcebf5}
.right{border:4px solid #00704f;background:#dff3ec}
.tag{display:block;font-weight:700;font-size:.9em}
.said{padding:.7rem 1rem;border-left:5px solid #d55e00;background:#fbe6d9}
p{margin:0 0 .75rem}
math{font-size:1.08em}math[display=block]{overflow-x:auto}
a{color:#005a8c}
@media(prefers-color-scheme:dark){body{color:#eee;background:#141414}h1,a{color:#7cc4f0}
.mine{border-color:#7cc4f0;background:#12354a}.right{border-color:#5fd0a5;background:#123d2f}
.said{background:#4a2a14}}
""".replace("\n", "")
SCRIPT = """(function () {
  var root = document.documentElement, state = root.getAttribute('data-state'), path = location.pathname
  function later() { setTimeout(look, 3000 + 2000 * Math.random()) }
  function look() {
    if (document.hidden) return later()
    var ask = new XMLHttpRequest()
    ask.onload = function () {
      if (ask.status === 200 && ask.responseText !== state) location.replace(path)
      else later()
    }
    ask.onerror = ask.ontimeout = later
    ask.open('GET', path + '/state')
    ask.timeout = 8000
    ask.send()
  }
  if (state) later()
  // A browser that cannot draw MathML would run the symbols together: it gets the TeX instead.
  var math = document.getElementsByTagName('math'), probe = document.createElement('div')
  probe.innerHTML = '<math><mspace height="30px" width="30px"></mspace></math>'
  document.body.appendChild(probe)
  if (probe.firstChild.getBoundingClientRect().height < 25)
    while (math.length) math[0].parentNode.replaceChild(
      document.createTextNode(math[0].getAttribute('alttext')), math[0])
  if (probe.parentNode) probe.parentNode.removeChild(probe)
})()
"""
POLICY = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; "
    f"style-src 'sha256-{base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'"
)
HEADINGS = {
    "first": "Round one: vote on your own",
    "discussion": "Discuss",
    "closed": "Both rounds are closed",
    "second": "Round two: vote again, after the discussion",
    "shown": "The answer",
}


def page(code: str, poll: Poll | None, device: str, said: str = "") -> str:
    """Return what one device sees now, below a sentence where there is one to say."""
    if not poll:
        return frame(
            "Wait for the next question",
            "<p>It will appear here.</p>",
            code,
            "0.wait",
            said,
            follow=True,
        )
    first, second = (poll.votes[round].get(device, "") for round in (1, 2))
    mine = second if poll.stage in ("second", "closed") else first
    notes = {
        "first": f"Your vote is {first}. You can change it until the round closes."
        if first
        else "Nobody sees what you choose.",
        "discussion": f"Round one is closed{f': you voted {first}' if first else ''}. Find a neighbour who "
        "thinks otherwise, and convince each other. Then comes round two.",
        "second": f"Your vote is {second}. You can change it until the round closes."
        if second
        else "Vote again, whether or not you have changed your mind.",
        "closed": f"{f'Your last vote was {second}. ' if second else ''}Look to the front for the results.",
        "shown": f"You voted {first or 'nothing'} in round one and {second or 'nothing'} in round two.",
    }
    note = f'<p role="status">{notes[poll.stage]}</p>'
    body = (
        answer(poll.question, first, second) if poll.stage == "shown" else ballot(code, poll, mine)
    )
    return frame(
        HEADINGS[poll.stage],
        note + body,
        code,
        poll.state,
        said,
        follow=bool(mine or not poll.round),
    )


def ballot(code: str, poll: Poll, mine: str) -> str:
    """Write the question and its choices, as buttons where a round is open."""
    rows = []
    for letter in poll.question.letters:
        look = ' class="mine"' if letter == mine else ""
        text = f"<b>{letter}</b> {with_math(poll.question.choice(letter))}"
        text += '<span class="tag">✓ your vote</span>' if letter == mine else ""
        rows.append(
            f'<button name="choice" value="{letter}"{look}>{text}</button>'
            if poll.round
            else f'<div class="choice{" mine" if letter == mine else ""}">{text}</div>'
        )
    question = with_math(poll.question.text)
    if not poll.round:
        return f"<p>{question}</p>{''.join(rows)}"
    return (
        f'<form method="post" action="/{code}"><input type="hidden" name="state" value="{poll.state}">'
        f"<fieldset><legend>{question}</legend>{''.join(rows)}</fieldset></form>"
    )


def answer(question: Question, *votes: str) -> str:
    """Write the right choice, why it is, and what was behind the votes that were not."""
    right = question.answer
    behind = "".join(
        f"<p><b>Behind {letter}:</b> {with_math(question.misconceptions[letter])}</p>"
        for letter in dict.fromkeys(votes)
        if letter in question.misconceptions
    )
    return (
        f'<p>{with_math(question.text)}</p><div class="choice right"><b>{right}</b> '
        f'{with_math(question.choice(right))}<span class="tag">✓ right</span></div>'
        f"<p><b>Why:</b> {with_math(question.explanation)}</p>{behind}"
    )


def refusal(sentence: str) -> str:
    """Return a page that says why there is nothing here."""
    return frame("This did not work", f"<p>{escape(sentence)}</p>")


def frame(
    title: str, body: str, code: str = "", state: str = "", said: str = "", follow: bool = False
) -> str:
    """Put a page together; without JavaScript it reloads itself while there is nothing to be typed or chosen."""
    script = f'<script src="/{code}/room.js" defer></script>' if code else ""
    if follow:
        script += '<noscript><meta http-equiv="refresh" content="10"></noscript>'
    alert = f'<p class="said" role="alert">{escape(said)}</p>' if said else ""
    return (
        f'<!DOCTYPE html><html lang="en" data-state="{state}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><title>{title}</title>'
        f'<link rel="icon" href="data:,"><style>{STYLE}</style>{script}</head>'
        f"<body><main><h1>{title}</h1>{alert}{body}</main></body></html>"
    )


@lru_cache(1000)
def with_math(text: str) -> str:
    """Turn a text of a question into HTML that needs no script: its mathematics becomes MathML."""
    html = as_html(text).partition(">")[2].removesuffix("</div>")  # the policy forbids its style
    html = re.sub(
        r"(?<!\\)(\$\$?)(.+?)(?<!\\)\1",
        lambda found: mathml(unescape(found[2]), found[1]),
        html,
        flags=re.DOTALL,
    )
    return html.replace(r"\$", "$")


def mathml(tex: str, mark: str) -> str:
    """Convert TeX to MathML, or leave it as it is where that is not installed or fails."""
    try:
        from latex2mathml.converter import convert

        math = convert(tex, display="block" if mark == "$$" else "inline")
    except Exception:  # of many kinds: it is a parser
        return escape(f"{mark}{tex}{mark}")
    math = re.sub(r' xmlns="[^"]*"', "", math)
    return math.replace("<math", f'<math alttext="{escape(tex)}"', 1)
