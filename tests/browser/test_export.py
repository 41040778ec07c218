"""The exported page: one file, no network, sliders without a kernel, mathematics, alt text."""

from pathlib import Path

import nbformat
import pytest
from coursekit.publish.export import WithMathML, export, some_steps
from halfspaces.notebook.live import Slider
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
    book = nbformat.v4.new_notebook(cells=[text, *map(nbformat.v4.new_code_cell, CELLS)])
    book.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    nbformat.write(book, folder / "01-sample.ipynb")
    (folder / "page.html").write_text(export(folder / "01-sample.ipynb"), encoding="utf-8")
    return folder / "page.html"


def test_page_has_everything(page_path):
    page = page_path.read_text(encoding="utf-8")
    assert page.count("<math") == 3 and r"\langle" not in page and "<code>$code$</code>" in page
    assert 'alt="Nothing at all."' in page and "alt='One \"line\".'" in page
    assert "install_player" not in page and "<title>01-sample</title>" in page
    assert "http-equiv" not in page and "cdnjs" not in page


def test_steps_hold_both_ends_and_the_start():
    steps = some_steps(Slider(0, 1, 0.001, value=0.333), 9)
    assert steps[0] == 0 and steps[-1] == 1 and 0.333 in steps and len(steps) == 10


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
    assert "<math" in html and "\\" not in html and "merror" not in html


@pytest.mark.browser
def test_sliders_move_without_kernel_or_network(page, page_path):
    requests, errors = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: line.type == "error" and errors.append(line.text))
    page.goto(page_path.as_uri())
    one, two = page.locator(".player").all()
    assert one.locator("output").inner_text() == "1" and "sum 1" in " ".join(
        one.inner_text().split()
    )
    first = one.locator("img").get_attribute("src")
    one.locator("input").focus()
    page.keyboard.press("ArrowRight")
    assert one.locator("output").inner_text() == "2" and "sum 2" in " ".join(
        one.inner_text().split()
    )
    assert one.locator("img").get_attribute("src") != first
    page.keyboard.press("End")
    assert "three </script> fails" in one.inner_text()
    assert two.locator("input").count() == 2
    two.locator("input").nth(0).press("End")
    two.locator("input").nth(1).press("Home")
    assert [text for text in two.locator("output").all_inner_texts()] == ["2", "0"]
    assert "sum 2" in " ".join(two.inner_text().split())
    assert page.evaluate("[...document.images].every(image => image.alt && image.naturalWidth)")
    assert {url.partition(":")[0] for url in requests} <= {"file", "data"} and errors == []
