"""Link what a page mentions: statements by their numbers, terms of the glossary."""

import re
from collections.abc import Iterable

from coursekit.publish.rendering import KINDS

MENTION = re.compile(rf"\b(({KINDS}) (\d+b?\.\d+))\b")
LEFT_ALONE = {
    "a", "code", "pre", "math", "h1", "h2", "h3", "h4", "h5", "h6", "summary", "script", "style",
    "button", "caption", "th", "svg", "title",
}  # fmt: skip
TAG = re.compile(r"(<[^>]*>)")


def link_mentions(body: str, here: str, statements: dict[str, str], terms: dict[str, str]) -> str:
    """Return a page whose mentions are links: every statement, and each term the first time."""
    wanted = sorted(terms, key=len, reverse=True)
    pattern = re.compile(
        "|".join([MENTION.pattern, *(rf"\b({re.escape(term)})\b" for term in wanted)]),
        re.IGNORECASE,
    ) if wanted else MENTION  # fmt: skip
    linked: set[str] = set()

    def replace(match: re.Match[str]) -> str:
        text = match[0]
        if match[1]:
            target = statements.get(f"{match[2].capitalize()} {match[3].lower()}")
            kind = "ref"
        else:
            target = terms[text.lower()]
            kind = "term"
            if target in linked:
                return text
            linked.add(target)
        if not target:
            return text
        return f'<a class="{kind}" href="{target.removeprefix(f"{here}.html")}">{text}</a>'

    return "".join(_outside(TAG.split(body), pattern, replace))


def _outside(parts: Iterable[str], pattern: re.Pattern[str], replace) -> Iterable[str]:  # type: ignore[no-untyped-def]
    """Replace in what stands between tags, but not inside of some."""
    depth = 0
    for part in parts:
        if part.startswith("<"):
            name = re.match(r"</?(\w+)", part)
            if name and name[1].lower() in LEFT_ALONE:
                depth += -1 if part.startswith("</") else 1
            yield part
        else:
            yield part if depth else pattern.sub(replace, part)
