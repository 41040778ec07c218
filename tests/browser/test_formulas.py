"""Formulas in pages against MathJax, which JupyterLab draws them with: their trees, and pixels."""

import io
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from course_formulas import course_formulas
from coursekit.browser import FLAGS, browse, executable
from coursekit.formulas import FONT_CSS, to_mathml
from PIL import Image

ROWS = {"math", "mrow", "inferredMrow", "TeXAtom", "mstyle", "mpadded"}
TOKENS = {"mi", "mo", "mn", "mtext"}
ALIKE = str.maketrans("ˆ˜∥", "^~‖", "\u2061\u00a0 ")  # signs that look alike, and blanks
STYLES = {"bold", "italic", "script", "fraktur", "sans", "monospace", "double"}
KKT = r"\begin{aligned}\alpha_i&\ge0\\y_i(\langle w,x_i\rangle-b)&\ge1\end{aligned}"
LOST = [  # a formula, what of it was lost, and what stood there
    (r"\frac{\eta}{\sqrt t}", "msqrt", "mrow"),
    (r"\mathbb{R}^d", "ℝ", "R"),
    (r"\lVert w\rVert", "‖", ""),
    (KKT, "</mtd></mtr><mtr><mtd>", ""),
    (r"\mathbf{w}", "𝐰", "w"),
    (r"\operatorname{sign} x", "sign", "s"),
    ("x'", "′", ""),
    (r"\text{if } x", "if", ""),
    (r"\underbrace{a}_b", "⏟", ""),
]
TREES = """async formulas => {
    await jupyterapp.started
    const services = jupyterapp.pluginRegistry._services.keys()
    const token = [...services].find(({name}) => name.endsWith(":ILatexTypesetter"))
    const mathjax = await (await jupyterapp.resolveOptionalService(token)).mathDocument()
    const tree = node => node.kind === "text" ? node.text :
        [node.kind, node.attributes.get("mathvariant"), node.childNodes.filter(Boolean).map(tree)]
    const read = 20  // how far: not yet laid out
    return formulas.map(([tex, display]) => tree(mathjax.convert(tex, {display, end: read}))) }"""


@pytest.fixture(scope="module")
def trees(lab: Any) -> dict[tuple[str, bool], Any]:
    """Ask the MathJax of JupyterLab what it makes of each formula."""
    formulas = [*course_formulas(), *((tex, True) for tex, _, _ in LOST)]
    with browse() as page:
        page.goto(f"{lab.url}/lab")
        page.wait_for_function("window.jupyterapp?.started")
        return dict(zip(formulas, page.evaluate(TREES, formulas)))


def of_mathjax(tree: Any) -> str:
    """Write MathJax's tree in the way in which ours is written."""
    kind, variant, children = tree
    if kind in TOKENS:
        return "".join(styled(sign, variant) for sign in "".join(children).translate(ALIKE))
    parts = [of_mathjax(child) for child in children]
    if kind == "mtable" and children[0][0] == "mlabeledtr":  # a formula with a tag
        return parts[0]
    if kind == "mlabeledtr":
        tag, body = (of_mathjax(cell[2][0]) for cell in children)
        return body + tag
    return write(kind, parts)


def of_page(tree: ElementTree.Element) -> str:
    """Write our tree: what is drawn, in which style, and which element holds it."""
    if tree.tag in TOKENS:
        text = tree.text or ""
        is_slanted = tree.tag == "mi" and len(text) == 1 and tree.get("mathvariant") != "normal"
        variant = "italic" if is_slanted else "normal"  # unless the sign itself says otherwise
        return "".join(styled(sign, variant) for sign in text.translate(ALIKE))
    return write(tree.tag, [of_page(child) for child in tree])


def write(kind: str, parts: list[str]) -> str:
    """Write an element with its parts; a row is the parts themselves."""
    if kind in ROWS:
        return "".join(parts)
    return "" if kind == "mspace" else f"{kind}({'|'.join(parts)})"


def styled(sign: str, variant: str) -> str:
    """Write a letter with its style, whether an attribute or its place in Unicode says it."""
    plain = unicodedata.normalize("NFKC", sign)
    if not plain.isalpha():
        return plain
    words = variant.replace("calligraphic", "script").replace("mathit", "italic").split("-")
    if plain != sign:
        words = re.split("[ -]", unicodedata.name(sign).lower())
    return " ".join([*sorted(STYLES & set(words)), plain])


def test_every_formula_is_what_mathjax_draws(trees):
    differ = {}
    for (tex, display), tree in trees.items():
        wanted = of_mathjax(tree)
        found = of_page(ElementTree.fromstring(to_mathml(tex, display)))
        if found != wanted:
            differ[tex] = f"{found} instead of {wanted}"
    assert differ == {}


@pytest.mark.parametrize(("tex", "right", "wrong"), LOST)
def test_what_is_lost_is_seen(trees, tex, right, wrong):
    wanted, ours = of_mathjax(trees[tex, True]), to_mathml(tex, True)
    assert right in ours and of_page(ElementTree.fromstring(ours)) == wanted
    assert of_page(ElementTree.fromstring(ours.replace(right, wrong))) != wanted


# Pixels, where no font of the system has mathematics


@pytest.fixture(scope="module")
def bare(tmp_path_factory) -> Iterator[Any]:
    """Start a Chromium whose only font knows neither roots nor double-struck letters."""
    from playwright.sync_api import sync_playwright

    folder = tmp_path_factory.mktemp("fonts")
    (folder / "cmr10.ttf").write_bytes(
        (Path(matplotlib.get_data_path()) / "fonts/ttf/cmr10.ttf").read_bytes()
    )
    config = folder / "fonts.conf"
    config.write_text(
        f"<fontconfig><dir>{folder}</dir><cachedir>{folder}/cache</cachedir></fontconfig>"
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable(), args=FLAGS, env={"FONTCONFIG_FILE": str(config)}
        )
        yield browser.new_page(viewport={"width": 400, "height": 200}, device_scale_factor=2)
        browser.close()


def ink(page: Any, tex: str, css: str = FONT_CSS) -> np.ndarray:
    """Return where a formula is dark."""
    page.set_content(f"<style>{css} body {{ font-size: 40px }}</style>{to_mathml(tex)}")
    page.evaluate("document.fonts.ready")
    picture = Image.open(io.BytesIO(page.screenshot())).convert("L")
    return np.asarray(picture) < 128


def rows(picture: np.ndarray) -> tuple[int, int]:
    """Return the first and the last row that has ink."""
    dark = np.flatnonzero(picture.any(axis=1))
    return dark[0], dark[-1]


def test_a_root_is_drawn_where_no_font_is_installed(bare):
    t, root = ink(bare, "t"), ink(bare, r"\sqrt t")
    assert root.sum() > 1.5 * t.sum()
    columns = np.flatnonzero(root.any(axis=0))
    line = root[rows(root)[0]]  # above the letter
    assert line.sum() > 0.25 * (columns[-1] - columns[0])


def test_without_the_font_this_would_be_seen(bare):
    assert ink(bare, r"\sqrt t", "").sum() < 1.5 * ink(bare, "t", "").sum()


def test_double_struck_letters_are_not_the_radius(bare):
    assert ink(bare, r"\mathbb R").sum() > 0 and (ink(bare, r"\mathbb R") != ink(bare, "R")).any()
    assert (ink(bare, r"\mathbb R") != ink(bare, r"\mathbb Q")).any()


def test_bars_stand_at_the_height_of_the_letters(bare):
    top, bottom = rows(ink(bare, r"\lVert w\rVert"))
    letter = ink(bare, r"\lVert w\rVert") & ~ink(bare, r"\lVert\phantom{w}\rVert")
    letter_top, letter_bottom = rows(letter)
    assert top < letter_top and bottom > letter_bottom
    above, below = letter_top - top, bottom - letter_bottom
    assert below < 1.5 * above
