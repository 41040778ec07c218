"""Read the glossary, docs/glossary.toml: the terms of the course, in the course's words."""

import tomllib
from dataclasses import dataclass

from coursekit import ROOT
from coursekit.publish.rendering import Rendered, Resolve, render_markdown, slug

FILE = ROOT / "docs" / "glossary.toml"


@dataclass(frozen=True)
class Term:
    """Hold a term, its other forms, what it means, and where the course introduces it."""

    name: str
    definition: str
    where: str  # such as "Definition 1.7", or a notebook's number and a section, "04#..."
    forms: tuple[str, ...] = ()
    linked: bool = True  # a word of everyday language is not linked wherever it stands

    @property
    def id(self) -> str:
        """Return its anchor."""
        return f"term-{slug(self.name)}"


def read_terms() -> list[Term]:
    """Return the terms in alphabetical order."""
    entries = tomllib.loads(FILE.read_text("utf-8"))["term"]
    terms = [Term(**entry | {"forms": tuple(entry.get("forms", ()))}) for entry in entries]
    return sorted(terms, key=lambda term: term.name.lower())


def render_glossary(terms: list[Term], places: dict[str, str], resolve: Resolve) -> Rendered:
    """Return the page; places say where statements and sections are."""
    rendered = Rendered()
    render_markdown(
        "# Glossary\n\nThe words of the course, each as the course uses it, with a link to where "
        "it comes in.\n",
        resolve,
        rendered,
    )
    letter = ""
    for term in terms:
        if term.name[0].upper() != letter:
            rendered.body += "</dl>\n" if letter else ""
            letter = term.name[0].upper()
            rendered.sections.append((2, f"letter-{letter.lower()}", letter))
            rendered.body += f'<h2 id="letter-{letter.lower()}">{letter}</h2>\n<dl class="terms">\n'
        text = render_markdown(term.definition, resolve).body
        target = places[term.where]
        rendered.body += (
            f'<div id="{term.id}"><dt>{term.name}</dt>'
            f'<dd>{text}<p class="where"><a href="{target}">{term.where}</a></p></dd></div>\n'
        )
    rendered.body += "</dl>\n"
    return rendered


def forms(terms: list[Term]) -> dict[str, str]:
    """Return for each form of a term where it is explained."""
    return {
        form.lower(): f"glossary.html#{term.id}"
        for term in terms
        if term.linked
        for form in (term.name, f"{term.name}s", *term.forms)
    }
