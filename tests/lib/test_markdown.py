"""Text becomes HTML, with its mathematics untouched and all else escaped."""

import pytest
from halfspaces.notebook.markdown import to_html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("if $a < b$ & c", "if $a &lt; b$ &amp; c"),
        ("**why $x*y*z$**", "<strong>why $x*y*z$</strong>"),
        ("*so $x*y$ is*", "<em>so $x*y$ is</em>"),
        (r"$\{x : \langle w, x\rangle \ge b\}$", r"$\{x : \langle w, x\rangle \ge b\}$"),
        (r"$a_i$ and $b_i$", r"$a_i$ and $b_i$"),
        ("$$a\n<b$$", "$$a\n&lt;b$$"),
        ("`a*b*c` and `$x$`", "<code>a*b*c</code> and <code>$x$</code>"),
        ("one\n \ntwo", "one<br>two"),
        ("1. is no list, # no heading", "1. is no list, # no heading"),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("<b onclick=x>", "&lt;b onclick=x&gt;"),
        ("&lt;", "&amp;lt;"),
        (r"It costs \$5, not $5$.", r"It costs \$5, not $5$."),
        ("a $ alone", "a $ alone"),
    ],
)
def test_text_becomes_html(text, html):
    assert to_html(text) == html


def test_links_lead_to_no_script():
    assert "javascript" not in to_html("[x](javascript:alert(1))")


def test_mathematics_is_drawn_by_whoever_can():
    def draw(tex: str, displayed: bool) -> str:
        return f"<math {displayed}>{tex}</math>"

    html = to_html(r"**At \$5** $a<b$ or $$c\$d$$", draw)
    assert html == r"<strong>At $5</strong> <math False>a<b</math> or <math True>c\$d</math>"
