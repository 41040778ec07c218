"""Make a student's text harmless before anybody's browser or spreadsheet gets to see it.

Formgrader shows Markdown answers on the instructor's own origin, live HTML, `javascript:` links and
all. Spaces are put where HTML, links, pictures and the commands of MathJax that reach beyond
mathematics would begin. A space only ever parts what was joined, so no text can be made whose
harmless form is alive; and LaTeX reads as before.
"""

import re

INDENTATION = " " * 4  # which makes a text plain
LINE = 200  # letters, then
CONTROLS = re.compile(
    r"[^\S\n ]|[\x00-\x08\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\u2424\ufeff]"
)
TAG = re.compile(r"<(?=[A-Za-z/!?])")
LINK = re.compile(r"\](?=[(:])")  # [text](address), ![picture](address), [reference]: address
ADDRESS = re.compile(r"(?<=[A-Za-z]):(?=//)|(?<=\bwww)\.", re.IGNORECASE)  # a link by itself
REACHING = re.compile(
    r"\\(?=(?:href|url|style|class|cssId|data|html\w*|require|bbox|mmlToken|unicode|"
    r"includegraphics|rule)(?![A-Za-z]))"
)
# Distances of a hundred of any unit, which would push all else off the page.
DISTANCE = re.compile(
    r"\\(?=(?:[hvm]space|Space|m?kern|[hm]skip|raise|lower|moveleft|moveright)"
    r"\*?\s*\{?[^\d\n]{0,9}\d{3})"
)
DIAGRAM = re.compile(r"(?<![`~])([`~]{3,}+ *+)(?=mermaid)")
# Some spreadsheets part fields by semicolons or tabs; the wide signs count in East Asia.
LONGEST = 20_000  # letters of a text that is parsed: some parsers take the square of that
MOST_MARKS = 2_000  # letters in it that mean something to Markdown
FORMULA = re.compile(r"(^|[;\t\r\n])(?=\s*[=+\-@\t\r＝＋－＠])")


def harmless(text: str) -> str:
    """Return Markdown that renders as text and mathematics only."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")
    text = CONTROLS.sub(" ", text)
    text = DIAGRAM.sub(r"\1text ", text)
    text = TAG.sub("< ", text)
    text = LINK.sub("] ", text)
    text = ADDRESS.sub(lambda found: f"{found[0]} ", text)
    return DISTANCE.sub("\\\\ ", REACHING.sub("\\\\ ", text))


def displayed(text: str) -> str:
    """Return harmless Markdown that is also quickly drawn; where it might not be, as plain text."""
    text = harmless(text)
    if not is_long(text) or text.startswith(INDENTATION):
        return text
    # In short lines, for nbconvert looks for links in each, from every bracket on.
    lines = [
        line[i : i + LINE] for line in text.split("\n") for i in range(0, len(line) or 1, LINE)
    ]
    return "\n".join(f"{INDENTATION}{line}" for line in lines)


def is_long(text: str) -> bool:
    """Tell whether a text might keep a parser of Markdown busy for more than a moment."""
    marks = sum(text.count(mark) for mark in "[]()*_`~<>!&")
    return len(text) > LONGEST or marks > MOST_MARKS


def harmless_field(text: str) -> str:
    """Return the field of a table, such that no spreadsheet takes it for a formula."""
    return FORMULA.sub(r"\1'", text)
