"""Turn Markdown and notebooks into HTML for the site's pages: text that needs no script.

Every theorem, definition and exercise gets an anchor by its number, `theorem-5-1`; questions and
predictions carry what the site's script needs to ask them.
"""

import ast
import base64
import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from halfspaces.notebook import reading
from halfspaces.notebook.markdown import to_html
from halfspaces.notebook.questions import Predict, Question
from nbconvert.filters.markdown_mistune import MarkdownWithMath
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from coursekit.formulas import to_html as draw_formula
from coursekit.lecture.deck import asks, predicts
from coursekit.publish.export import WithMathML, draw_math
from coursekit.publish.films import shows_live

KINDS = "Theorem|Lemma|Definition|Proposition|Corollary|Algorithm|Example|Exercise"
STATEMENT = re.compile(rf"^<strong>(({KINDS}) (\d+b?\.\d+))\b")
TWIN = re.compile(r"\s*\w+\.still\(\)\s*")
CHECK = re.compile(r"\s*check_exercise\(.*\)\s*", re.DOTALL)
NEIGHBOURS = re.compile(r"^\[(?:← |homework\]).*\Z", re.MULTILINE | re.DOTALL)
DATA = re.compile(r'src="data:image/png;base64,([^"]+)"')
LONG = re.compile(
    r'<math alttext="[^"]{28,}">.*?</math>[).,;:?!]*', re.DOTALL
)  # scrolls if it must
SHORT = re.compile(  # stays with its brackets and its full stop
    r'\(?<math alttext="[^"]{,20}">(?:(?!</math>).)*</math>[).,;:?!]+', re.DOTALL
)
WORD = re.compile(r'<span class="(\w+)">([^<]*)</span>')
COLOURED = re.compile(
    r"c\w*|k\w*|ow|s\w?|m\w?|nf|nc|nd|fm|gp"
)  # classes that site.css has a colour for
Resolve = Callable[[str], str | None]  # from a link in a text to one on the site, if it has that


@dataclass
class Rendered:
    """Hold a text as HTML: its sections, its statements, and the files that it shows."""

    body: str = ""
    sections: list[tuple[int, str, str]] = field(default_factory=list)  # level, id, heading
    statements: dict[str, str] = field(default_factory=dict)  # "Theorem 5.1": its id
    files: dict[str, bytes] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Return the first heading."""
        return plain(self.sections[0][2]) if self.sections else ""


class Renderer(WithMathML):
    """Render Markdown with anchors, and links that stay within the site."""

    def __init__(self, rendered: Rendered, resolve: Resolve):
        super().__init__(escape=False, exclude_anchor_links=True)
        self.rendered, self.resolve = rendered, resolve

    def heading(self, text: str, level: int, **_: Any) -> str:
        """Give a heading its id."""
        taken = {name for _, name, _ in self.rendered.sections}
        name = slug(text)
        while name in taken:
            name += "-"
        self.rendered.sections.append((level, name, text))
        return f'<h{level} id="{name}">{text}</h{level}>\n'

    def paragraph(self, text: str) -> str:
        """Give a statement its anchor."""
        found = STATEMENT.match(text)
        if not found or found[1] in self.rendered.statements:
            return f"<p>{text}</p>\n"
        name = f"{found[2].lower()}-{found[3].replace('.', '-')}"
        self.rendered.statements[found[1]] = name
        linked = f'<strong><a class="own" href="#{name}">{found[1]}</a>'
        kind = "exercise" if found[2] == "Exercise" else "statement"
        return f'<p id="{name}" class="{kind}">{linked}{text[found.end() :]}</p>\n'

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """Lead to where the page stands on the site; what has no page there is no link."""
        target = self.resolve(url)
        return f'<a href="{html.escape(target)}">{text}</a>' if target else text

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Show a picture of the site."""
        return f'<img src="{html.escape(self.resolve(url) or "")}" alt="{html.escape(text)}">'

    def block_code(self, code: str, info: str | None = None) -> str:
        """Colour code."""
        return code_block(code, (info or "text").split()[0])

    def table(self, text: str) -> str:
        """Let a wide table scroll by itself."""
        return f'<div class="wide"><table>{text}</table></div>\n'


def render_markdown(text: str, resolve: Resolve, rendered: Rendered | None = None) -> Rendered:
    """Return a text of Markdown as HTML, added to what is rendered already."""
    rendered = rendered or Rendered()
    body = MarkdownWithMath(renderer=Renderer(rendered, resolve)).render(text)
    rendered.body += _hold_formulas(body)
    return rendered


def render_notebook(book: Any, name: str, resolve: Resolve) -> Rendered:
    """Return a notebook with its stored outputs as HTML."""
    rendered = Rendered()
    predictions = _predictions(book)
    for cell in book.cells:
        if cell.cell_type == "markdown":
            render_markdown(NEIGHBOURS.sub("", cell.source), resolve, rendered)
        else:
            rendered.body += _code_cell(cell, name, rendered, predictions, resolve)
    return rendered


def _code_cell(
    cell: Any, name: str, rendered: Rendered, predictions: dict[str, Predict], resolve: Resolve
) -> str:
    if CHECK.fullmatch(cell.source):
        return (
            '<p class="checked">Your answer is checked where it runs: '
            '<a href="{{run}}">run this page</a>.</p>\n'
        )
    shown = _outputs(cell, name, rendered, predictions, resolve)
    if asks(cell) or predicts(cell):
        return shown
    source = code_block(cell.source, "python")
    if cell.metadata.get("jupyter", {}).get("source_hidden"):
        source = f'<details class="source"><summary>Code</summary>{source}</details>'
    return f'<div class="cell" id="cell-{cell.id}">{source}{shown}</div>\n'


def _outputs(
    cell: Any, name: str, rendered: Rendered, predictions: dict[str, Predict], resolve: Resolve
) -> str:
    if shows_live(cell.source) and "nbgrader" in cell.metadata:
        return "<p>The picture is drawn from your answers, where this page runs.</p>\n"
    if shows_live(cell.source):
        return (
            f'<div class="live-player" data-film="films/{name}-{cell.id}.bin">'
            '<p class="waiting" hidden>The moving picture comes when it is in sight.</p></div>\n'
        )
    asked = [_question(question) for question in reading.questions(cell.source)]
    asked += [_prediction(one) for one in _predictions_in(cell.source).values()]
    if asked:
        return "".join(asked)
    parts = []
    for place, output in enumerate(cell.get("outputs", [])):
        data = output.get("data", {})
        if "image/png" in data:
            file = f"pictures/{name}-{cell.id}-{place}.png"
            rendered.files[file] = base64.b64decode(data["image/png"])
            parts.append(_picture(file, output.metadata.get("image/png", {}), cell.source))
        elif "text/html" in data:
            parts.append(_shown(data["text/html"], cell, name, rendered, predictions, resolve))
        elif "text/markdown" in data:
            parts.append(render_markdown(data["text/markdown"], resolve).body)
        else:
            text = output.get("text") or data.get("text/plain", "")
            parts.append(f"<pre>{html.escape(text.rstrip())}</pre>")
    return f'<div class="output">{"".join(parts)}</div>\n' if parts else ""


def _picture(file: str, about: Any, source: str) -> str:
    size = "".join(f' {side}="{about[side]}"' for side in ("width", "height") if side in about)
    twin = " twin" if TWIN.fullmatch(source) else ""
    alt = html.escape(about.get("alt", ""))
    own = f' style="--width: {about["width"]}px"' if "width" in about else ""
    image = f'<img src="{file}" alt="{alt}"{size}{own} loading="lazy">'
    return f'<figure class="picture{twin}">{image}</figure>'


def _shown(
    text: str,
    cell: Any,
    name: str,
    rendered: Rendered,
    predictions: dict[str, Predict],
    resolve: Resolve,
) -> str:
    """Return HTML that a cell shows, for this site: its formulas, links, pictures and tables."""
    revealed = re.search(r"(\w+)\.reveal\(", cell.source)
    if revealed and revealed[1] in predictions:
        text = _with_truth(text, predictions[revealed[1]])

    def to_file(match: re.Match[str]) -> str:
        file = f"pictures/{name}-{cell.id}-shown{len(rendered.files)}.png"
        rendered.files[file] = base64.b64decode(match[1])
        return f'loading="lazy" src="{file}"'

    def to_link(match: re.Match[str]) -> str:
        return f'href="{html.escape(resolve(match[1]) or match[1])}"'

    text = re.sub(r'href="([^"]+)"', to_link, DATA.sub(to_file, draw_math(text)))
    text = re.sub(r' style="(?:margin|color):[^"]*"', "", text)  # the site has its own
    return re.sub(r"(<table.*?</table>)", r'<div class="wide">\1</div>', text, flags=re.DOTALL)


def _with_truth(text: str, prediction: Predict) -> str:
    """Mark the answer to a prediction, so that the script can compare."""
    found = re.search(r"<strong>Answer\.</strong> (.*?)</div>", text, re.DOTALL)
    if not found:
        return text
    truth = plain(found[1]).strip()
    if prediction.number:
        truth = truth.removesuffix(prediction.number).strip()
    elif prediction.choices:
        truth = truth[0]
    about = f'class="reveal" data-reveals="{prediction.id}" data-truth="{html.escape(truth)}"'
    return text.replace("<details>", f"<details {about}>", 1)


# Questions and predictions


def _question(question: Question) -> str:
    behind = "".join(
        f'<p data-behind="{letter}"><strong>Behind {letter}:</strong> {_inline(text)}</p>'
        for letter, text in question.misconceptions.items()
    )
    return (
        f'<section class="question" data-id="{question.id}" data-answer="{question.answer}" '
        f'aria-label="Question"><div class="asked">{_inline(question.text)}</div>'
        f"{_choices(question)}"
        f'<details class="solution"><summary>Hint and answer</summary>'
        f'<p class="hint"><strong>Hint.</strong> {_inline(question.hint)}</p>{behind}'
        f'<p class="why"><strong>Why {question.answer}.</strong> '
        f"{_inline(question.explanation)}</p>"
        "</details></section>\n"
    )


def _prediction(prediction: Predict) -> str:
    kind = "number" if prediction.number else "choice" if prediction.choices else "sentence"
    return (
        f'<section class="prediction" data-id="{prediction.id}" data-kind="{kind}" '
        f'data-unit="{html.escape(prediction.number)}" aria-label="Prediction">'
        f'<div class="asked">{_inline(prediction.text)}</div>{_choices(prediction)}'
        f'<p class="wanted">{html.escape(prediction.wanted)}</p></section>\n'
    )


def _choices(asked: Question | Predict) -> str:
    rows = "".join(
        f'<li data-letter="{letter}"><span class="letter">{letter}</span> '
        f"<span>{_inline(asked.choice(letter))}</span></li>"
        for letter in asked.letters
    )
    return f'<ul class="choices">{rows}</ul>' if rows else ""


def _inline(text: str) -> str:
    return _hold_formulas(to_html(text, lambda tex, displayed: draw_formula(tex, displayed)))


def _hold_formulas(text: str) -> str:
    """Let long formulas scroll by themselves, and short ones keep their brackets and full stops."""
    text = LONG.sub(r'<span class="long">\g<0></span>', text)
    return SHORT.sub(r'<span class="whole">\g<0></span>', text)


def _predictions(book: Any) -> dict[str, Predict]:
    """Return the predictions of a notebook by the names that its cells give them."""
    found: dict[str, Predict] = {}
    for cell in book.cells:
        if cell.cell_type == "code":
            found |= _predictions_in(cell.source)
    return found


def _predictions_in(source: str) -> dict[str, Predict]:
    if Predict.__name__ not in source:
        return {}
    found = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            call = node.value
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == Predict.__name__:
                parts = {one.arg: ast.literal_eval(one.value) for one in call.keywords}
                found[node.targets[0].id] = Predict(**parts)
    return found


# Code and plain text


def code_block(code: str, language: str) -> str:
    """Return code with its words marked by what they are."""
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text")
    marked = highlight(code.rstrip("\n"), lexer, HtmlFormatter(nowrap=True)).rstrip("\n")
    marked = WORD.sub(lambda word: word[0 if COLOURED.fullmatch(word[1]) else 2], marked)
    return f'<pre class="code"><code>{marked}</code></pre>\n'


def plain(text: str) -> str:
    """Return HTML without its tags, as one would read it out."""
    return html.unescape(re.sub(r"<[^>]+>", "", text))


def slug(text: str) -> str:
    """Return the name of a section by its heading, as GitHub does.

    >>> slug("5.7 Any order, <em>any</em> stream")
    '57-any-order-any-stream'
    """
    words = re.sub(r"[^\w\- ]", "", plain(text).lower()).strip()
    return words.replace(" ", "-") or "section"
