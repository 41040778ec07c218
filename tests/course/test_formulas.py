"""Formulas in pages: everything the course writes is understood, and what is not is shown."""

import re
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

import pytest
from course_formulas import course_formulas
from coursekit import formulas
from coursekit.formulas import to_html, to_mathml
from coursekit.publish.font import subset
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st

FORMULAS = course_formulas()
TOKENS = r"a 1 { } [ ] ( ) ^ _ ' & | \\ \frac \sqrt \sum \max \left \right \middle \begin{cases}"
TOKENS += r" \end{cases} \text \bigl \mathbb \hat \underbrace \operatorname \mathrel \not \dots"
TOKENS += r" \displaystyle \tag \foo . , = - $ % ~ é"


def test_every_formula_of_the_course_is_understood():
    assert len(FORMULAS) > 3500
    for tex, display in FORMULAS:
        tree = ElementTree.fromstring(to_mathml(tex, display))
        assert tree.get("alttext") == tex
        assert "\\" not in "".join(tree.itertext()), tex


def test_every_sign_of_the_course_is_in_the_font():
    held = TTFont(formulas.FONT_FILE).getBestCmap()
    for tex, display in FORMULAS:
        for token in ElementTree.fromstring(to_mathml(tex, display)).iter():
            text = token.text or ""
            if token.tag == "mi" and len(text) == 1 and not token.get("mathvariant"):
                text = slanted(text)  # as browsers do
            missing = [sign for sign in text if ord(sign) not in held]
            assert not missing, (tex, missing)


def slanted(sign: str) -> str:
    """Return a letter as a browser shows it when it stands alone."""
    if sign == "h":
        return "ℎ"
    name = re.sub("^(LATIN|GREEK)", "MATHEMATICAL ITALIC", unicodedata.name(sign))
    return unicodedata.lookup(name.replace("LETTER ", ""))


def test_the_font_can_draw_roots_and_brackets_of_every_height():
    font = TTFont(formulas.FONT_FILE)
    variants = font["MATH"].table.MathVariants
    grown = set(variants.VertGlyphCoverage.glyphs)
    assert {font.getBestCmap()[ord(sign)] for sign in "√()[]{|‖⟨⟩⌊∑∏∫"} <= grown
    assert formulas.FONT_FILE.stat().st_size < 120_000
    assert formulas.FONT == formulas.FONT_FILE.read_bytes()
    assert "data:font/woff2;base64,d09GMg" in formulas.FONT_CSS
    assert '"/font.woff2"' in formulas.style("/font.woff2")
    assert "data:" not in formulas.style("/font.woff2")
    assert "SIL OPEN FONT LICENSE" in (formulas.FONT_FILE.parent / "OFL.txt").read_text("utf-8")


def test_a_font_without_mathematics_is_refused():
    import matplotlib

    plain = Path(matplotlib.get_data_path()) / "fonts/ttf/cmr10.ttf"
    with pytest.raises(ValueError, match="no MATH table"):
        subset(plain)


@pytest.mark.parametrize(
    ("tex", "body"),
    [
        (r"\mathbb R^d", "<msup><mi>ℝ</mi><mi>d</mi></msup>"),
        (r"\frac\eta{\sqrt t}", "<mfrac><mi>η</mi><msqrt><mi>t</mi></msqrt></mfrac>"),
        (
            r"\lVert w\rVert",
            '<mrow><mo form="prefix" stretchy="false">‖</mo><mi>w</mi>'
            '<mo form="postfix" stretchy="false">‖</mo></mrow>',
        ),
        (
            "(-1)",
            '<mrow><mo stretchy="false">(</mo><mo lspace="0" rspace="0">−</mo><mn>1</mn>'
            '<mo stretchy="false">)</mo></mrow>',
        ),
        ("1-2", "<mrow><mn>1</mn><mo>−</mo><mn>2</mn></mrow>"),
        ("2^10", "<mrow><msup><mn>2</mn><mn>1</mn></msup><mn>0</mn></mrow>"),
        ("12{,}345.6", "<mn>12,345.6</mn>"),
        ("x''", "<msup><mi>x</mi><mo>′′</mo></msup>"),
        (r"\mathbf w", "<mi>𝐰</mi>"),
        (r"\Phi", '<mi mathvariant="normal">Φ</mi>'),
        (r"\text{if }x", "<mrow><mtext>if\u00a0</mtext><mi>x</mi></mrow>"),
        (r"\cos x", '<mrow><mi>cos</mi><mspace width="0.1667em"/><mi>x</mi></mrow>'),
        (r"a<b", "<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow>"),
        (
            r"\begin{aligned}a&=b\\c\end{aligned}",
            '<mrow><mtable displaystyle="true" class="aligned">'
            "<mtr><mtd><mi>a</mi></mtd><mtd><mrow><mi></mi><mo>=</mo><mi>b</mi></mrow></mtd></mtr>"
            "<mtr><mtd><mi>c</mi></mtd></mtr></mtable></mrow>",
        ),
    ],
)
def test_what_tex_means(tex, body):
    assert re.sub("^<math[^>]*>|</math>$", "", to_mathml(tex)) == body


@pytest.mark.parametrize(
    ("tex", "why"),
    [
        (r"a\foo b", r"The command \\foo is not understood in the formula"),
        (r"\begin{tikzpicture}\end{tikzpicture}", "The environment tikzpicture is not understood"),
        ("{a", "The end comes where } was expected"),
        ("a}", "} comes where"),
        (r"\frac a", "An argument is missing"),
        (r"\left( a", "The end comes where"),
        (r"\left a", "a is not a bracket"),
        (r"\begin{cases}a\end{matrix}", r"\\end{cases} is missing"),
        ("a_b_c", "_ stands twice"),
        (r"\text{\foo}", r"\\foo is not understood within text"),
        (r"\text{a", "A brace is never closed"),
        ("{" * 50 + "}" * 50, "too many braces"),
        (r"\sqrt" * 50 + "a", "too many braces"),
    ],
)
def test_what_is_not_understood_is_an_error_and_is_shown(tex, why):
    with pytest.raises(ValueError, match=why):
        to_mathml(tex)
    assert to_html(tex).startswith('<code class="tex">$') and "<math" not in to_html(tex)


def test_what_is_shown_is_escaped():
    assert to_html("<b>\\x", True) == '<code class="tex">$$&lt;b&gt;\\x$$</code>'
    assert "<b>" not in to_mathml('<b>"', True)
    assert "<b>" not in to_mathml(r"\text{<b>}\operatorname{a}")


@given(st.lists(st.sampled_from(TOKENS.split()), max_size=30))
def test_whatever_is_written_ends_in_mathml_or_in_a_sentence(tokens):
    try:
        shown = to_mathml(" ".join(tokens))
    except ValueError:
        return
    ElementTree.fromstring(shown)
