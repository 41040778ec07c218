"""The exported page: one file, no network, sliders without a kernel, mathematics, alt text."""

import re
from pathlib import Path

import nbformat
import pytest
from coursekit.contents import KERNEL
from coursekit.publish.export import WithMathML, export
from coursekit.publish.player import MOST, some_of, some_places
from halfspaces.notebook.live import Choice, Points, Slider
from nbconvert.filters.markdown_mistune import MarkdownWithMath

CELLS = [
    """from halfspaces.notebook.figures import new_figure, show
from halfspaces.notebook.live import Slider, live
def tilt(fig):
    line, = fig.add_subplot().plot([0, 1], [0, 0])
    def update(a, b=0, c=0):
        line.set_ydata([b, a])
        if a == 3:
            raise ValueError("three </script> fails")
        return {"sum": a + b}
    return update
live(tilt, alt='One "line".', size=(4, 3), a=Slider(0, 3, 1, value=1, label="slope"))""",
    """live(tilt, alt='Two.', size=(4, 3),
     a=Slider(0, 2, 1), b=Slider(0, 1, 0.1, value=0.5), c=Slider(0, 1))""",
    "show(new_figure(3, 2), 'Nothing at all.')",
]
HIDDEN = """from halfspaces.notebook.tables import table
table({r"$\\alpha<1$": [1], "price": [r"\\$5"]})"""


@pytest.fixture(scope="module")
def page_path(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("export")
    text = nbformat.v4.new_markdown_cell(
        r"# Title"
        "\n\n"
        r"Let $\langle w, x\rangle \ge b$ and `$code$`, cost \$5."
        "\n\n"
        r"$$\sum_{i=1}^n \alpha_i y_i = 0$$"
        "\n\n"
        r"\begin{align} a &= b \\ c &= d \end{align}"
    )
    hidden = nbformat.v4.new_code_cell(HIDDEN, metadata={"jupyter": {"source_hidden": True}})
    book = nbformat.v4.new_notebook(cells=[text, *map(nbformat.v4.new_code_cell, CELLS), hidden])
    book.metadata["kernelspec"] = KERNEL
    nbformat.write(book, folder / "01-sample.ipynb")
    (folder / "page.html").write_text(export(folder / "01-sample.ipynb"), encoding="utf-8")
    return folder / "page.html"


def test_page_has_everything(page_path):
    page = page_path.read_text(encoding="utf-8")
    drawn = re.sub(' alttext="[^"]*"', "", page)
    assert page.count("<math") == 4 and r"\langle" not in drawn and "<code>$code$</code>" in page
    assert 'alt="Nothing at all."' in page
    assert page.count('<details class="hidden-source"><summary>Code</summary>') == 1
    assert ">$5</td>" in page
    assert "install_player" not in page and "<title>01-sample</title>" in page
    assert "http-equiv" not in page and "cdnjs" not in page


def test_steps_hold_both_ends_and_the_start():
    places = some_of(Slider(0, 1, 0.001, value=0.333), 9)
    assert places[0] == 0 and places[-1] == 1000 and 333 in places and len(places) == 10


def test_there_are_not_too_many_frames():
    points = Points([[0, 0]], [1])
    one = some_places({"a": Slider(0, 99), "p": points})
    assert len(one[0]) == 100 and one[1] == [[[0.0, 0.0, 1]]]
    many = some_places({name: Slider(0, 99) for name in "abc"} | {"d": Choice(["x", "y"])})
    steps = [len(places) for places in many]
    assert steps[0] > steps[1] and steps[-1] == 2
    assert steps[0] * steps[1] * steps[2] * steps[3] <= 2 * MOST  # each may have one step more


@pytest.mark.parametrize(
    "tex",
    [
        r"\|w\|^2",
        r"\lVert w \rVert",
        r"\operatorname{sign}(x)",
        r"\{0,1\}^d",
        r"\mathbb{R}",
        r"\text{if } x",
        r"\begin{cases} 1 & x > 0 \\ 0 & \text{else} \end{cases}",
        r"\left(\frac{R}{\gamma}\right)^2",
        r"\tilde O(n)",
        r"\bigvee_i x_i \wedge \neg y",
        r"\binom{n}{k}",
        r"x^\top",
        r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}",
        r"\xi_i \geq 0 \quad \forall i",
        r"\mathcal{H}",
        r"\tfrac12",
    ],
)
def test_mathematics_is_converted(tex):
    html = MarkdownWithMath(renderer=WithMathML(escape=False)).render(f"${tex}$")
    drawn = re.sub(' alttext="[^"]*"', "", html)
    assert "<math" in drawn and "\\" not in drawn


@pytest.mark.browser
def test_sliders_move_without_kernel_or_network(page, page_path):
    requests, errors = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: line.type == "error" and errors.append(line.text))
    page.goto(page_path.as_uri())
    page.locator(".live-view").nth(1).wait_for()
    one, two = page.locator(".live-view").all()

    def shown() -> str:
        return " ".join(one.locator(".live-numbers").inner_text().split())

    picture = one.locator("svg").first
    assert picture.get_attribute("aria-label") == 'One "line".'
    assert one.locator("output").inner_text() == "1" and shown() == "sum 1"
    first = picture.inner_html()
    one.locator("input").focus()
    page.keyboard.press("ArrowRight")
    assert one.locator("output").inner_text() == "2" and shown() == "sum 2"
    assert picture.inner_html() != first
    page.keyboard.press("End")
    assert "three </script> fails" in shown()
    page.keyboard.press("Home")
    assert shown() == "sum 0"
    assert two.locator("input").count() == 3
    two.locator("input").nth(0).press("End")
    two.locator("input").nth(1).press("Home")
    assert two.locator("output").all_inner_texts() == ["2", "0.0", "0"]
    assert "sum 2" in " ".join(two.inner_text().split())
    assert page.evaluate("[...document.images].every(image => image.alt && image.naturalWidth)")
    assert {url.partition(":")[0] for url in requests} <= {"file", "data"} and errors == []
