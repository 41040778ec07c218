"""Make a student's text harmless before anybody's browser or spreadsheet gets to see it.

Formgrader shows Markdown answers on the instructor's own origin, live HTML, `javascript:` links and
all. Spaces are put where HTML, links, pictures and the commands of MathJax that reach beyond
mathematics would begin. A space only ever parts what was joined, so no text can be made whose
harmless form is alive; and LaTeX reads as before.
"""

import re

CONTROLS = re.compile(
    r"[^\S\n ]|[\x00-\x08\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\u2424\ufeff]"
)
TAG = re.compile(r"<(?=[A-Za-z/!?])")
LINK = re.compile(r"\](?=[(:])")  # [text](address), ![picture](address), [reference]: address
REACHING = re.compile(
    r"\\(?=(?:href|url|style|class|cssId|data|html\w*|require|bbox|mmlToken|unicode|"
    r"includegraphics)(?![A-Za-z]))"
)
DIAGRAM = re.compile(r"([`~]{3,}[ ]*)(?=mermaid)")
# Some spreadsheets part fields by semicolons or tabs; the wide signs count in East Asia.
FORMULA = re.compile(r"(^|[;\t\r\n])(?=\s*[=+\-@\t\r＝＋－＠])")


def harmless(text: str) -> str:
    """Return Markdown that renders as text and mathematics only."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")
    text = CONTROLS.sub(" ", text)
    text = DIAGRAM.sub(r"\1text ", text)
    text = TAG.sub("< ", text)
    text = LINK.sub("] ", text)
    return REACHING.sub("\\\\ ", text)


def harmless_field(text: str) -> str:
    """Return the field of a table, such that no spreadsheet takes it for a formula."""
    return FORMULA.sub(r"\1'", text)
