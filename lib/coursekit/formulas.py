"""Draw formulas: TeX becomes MathML, which browsers draw by themselves, in a font of its own.

What a page needs besides is `CSS`, with the font inside, or `style(address)` where the font is
served: `FONT` has its bytes. A command that is not known here is an error, never left out.
"""

import base64
import re
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

FONT_FILE = Path(__file__).parent / "fonts" / "halfspaces-math.woff2"
FAMILY = "Halfspaces Math"
DEEPEST = 40  # braces in braces; nobody writes more, and an attacker must not exhaust the stack

RULES = """
math { font-family: "Halfspaces Math", math; font-size: 1.1em }
math[display=block] { margin: 1em 0; overflow: auto hidden }
math mtable.aligned > mtr > mtd { padding: .25em 0 }
math mtable.aligned > mtr > mtd:nth-child(odd) { text-align: right; text-align: -webkit-right }
math mtable.aligned > mtr > mtd:nth-child(2n+3) { padding-left: 1em }
math mtable.aligned > mtr > mtd:nth-child(even) { text-align: left; text-align: -webkit-left }
math mtable.cases > mtr > mtd { text-align: left; text-align: -webkit-left; padding: .1em .5em }
math .boxed { border: 1px solid; padding: .2em .3em }
"""


def _table(text: str) -> dict[str, str]:
    """Read pairs of a sign and its names: "≤ le leq, ≥ ge geq"."""
    found = {}
    for entry in text.split(","):
        sign, *names = entry.split()
        found |= dict.fromkeys(names, sign)
    return found


ORDINARY = _table(
    "α alpha, β beta, γ gamma, δ delta, ϵ epsilon, ε varepsilon, ζ zeta, η eta, θ theta,"
    "ϑ vartheta, ι iota, κ kappa, λ lambda, μ mu, ν nu, ξ xi, ο omicron, π pi, ϖ varpi, ρ rho,"
    "ϱ varrho, σ sigma, ς varsigma, τ tau, υ upsilon, ϕ phi, φ varphi, χ chi, ψ psi, ω omega,"
    "ℓ ell, ı imath, ȷ jmath"
)  # italic, as letters are
UPRIGHT = _table(
    "Γ Gamma, Δ Delta, Θ Theta, Λ Lambda, Ξ Xi, Π Pi, Σ Sigma, Υ Upsilon, Φ Phi, Ψ Psi, Ω Omega,"
    "∞ infty, ∂ partial, ∇ nabla, ∀ forall, ∃ exists, ∄ nexists, ∅ emptyset varnothing, ⊤ top,"
    "⊥ bot, ∠ angle, △ triangle, ℜ Re, ℑ Im, ℵ aleph, ℏ hbar, … ldots, ⋯ cdots,"
    "⋮ vdots, ⋱ ddots, □ square Box qed, ∎ blacksquare, ¬ neg lnot, # #, % %, & &, _ _, $ $, § S,"
    "† dagger, ★ bigstar, ✓ checkmark, ° degree"
) | {"dotsc": "…", "dotsb": "⋯", "dotsm": "⋯", "backslash": "\\"}
BINARY = _table(
    "± pm, ∓ mp, × times, ÷ div, ⋅ cdot, ∗ ast, ⋆ star, ∘ circ, ∙ bullet, ∩ cap, ∪ cup, ∧ wedge"
    " land, ∨ vee lor, ⊕ oplus, ⊖ ominus, ⊗ otimes, ⊙ odot, ∖ setminus smallsetminus, ⊎ uplus,"
    "⊓ sqcap, ⊔ sqcup, ⊻ veebar, ⋄ diamond"
)
RELATION = _table(
    "≤ le leq, ≥ ge geq, ≠ ne neq, < lt, > gt, ≪ ll, ≫ gg, ≡ equiv, ∼ sim, ≃ simeq, ≈ approx,"
    "≅ cong, ∝ propto, ∈ in, ∉ notin, ∋ ni, ⊂ subset, ⊆ subseteq, ⊊ subsetneq, ⊃ supset,"
    "⊇ supseteq, ⊈ nsubseteq, → to rightarrow, ← leftarrow gets, ↔ leftrightarrow, ↦ mapsto,"
    "⇒ Rightarrow, ⇐ Leftarrow, ⇔ Leftrightarrow, ⟶ longrightarrow, ⟵ longleftarrow,"
    "⟹ Longrightarrow implies, ⟸ Longleftarrow impliedby, ⟺ Longleftrightarrow iff,"
    "⟼ longmapsto, ↑ uparrow, ↓ downarrow, ↪ hookrightarrow, ↗ nearrow, ↘ searrow, ⇝ leadsto,"
    "⊥ perp, ∥ parallel, ∦ nparallel, ⊢ vdash, ⊨ models vDash, ≺ prec, ≻ succ, ⪯ preceq,"
    "⪰ succeq, ≼ preccurlyeq, ≽ succcurlyeq, ⩽ leqslant, ⩾ geqslant, ≲ lesssim, ≳ gtrsim,"
    "≐ doteq, ≜ triangleq, ≔ coloneqq, ∣ mid, ∤ nmid, ∴ therefore, ∵ because, ⌣ smile"
)
LARGE = _table(
    "∑ sum, ∏ prod, ∐ coprod, ⋂ bigcap, ⋃ bigcup, ⋀ bigwedge, ⋁ bigvee, ⨁ bigoplus, ⨂ bigotimes"
)
INTEGRAL = _table("∫ int, ∬ iint, ∭ iiint, ∮ oint")
OPENING = _table("⟨ langle, ‖ lVert, | lvert, ⌊ lfloor, ⌈ lceil, { { lbrace, [ lbrack")
CLOSING = _table("⟩ rangle, ‖ rVert, | rvert, ⌋ rfloor, ⌉ rceil, } } rbrace, ] rbrack")
BARS = _table("‖ | Vert, | vert, ′ prime")
FUNCTIONS = set(
    "arccos arcsin arctan arg cos cosh cot csc deg dim exp hom ker lg ln log sec sin sinh tan tanh"
    " coth".split()
)
WITH_LIMITS = {name: name for name in "det gcd inf lim max min Pr sup".split()} | {
    "limsup": "lim sup",
    "liminf": "lim inf",
}
ACCENTS = _table(
    "ˆ hat widehat, ˜ tilde widetilde, ¯ bar, ‾ overline, → vec overrightarrow, ˙ dot, ¨ ddot,"
    "ˇ check, ˘ breve, ´ acute, ` grave, ˚ mathring, ⏞ overbrace"
)
STRETCHED = {"widehat", "widetilde", "overline", "overrightarrow", "overbrace"}
BELOW = {"underline": "_", "underbrace": "⏟"}
SPACES = {
    "!": "-0.1667em",
    ",": "0.1667em",
    ":": "0.2222em",
    ">": "0.2222em",
    ";": "0.2778em",
    " ": "0.25em",
    "~": "0.25em",
    "nobreakspace": "0.25em",
    "thinspace": "0.1667em",
    "enspace": "0.5em",
    "quad": "1em",
    "qquad": "2em",
}
SIZES = {"big": "1.2em", "Big": "1.623em", "bigg": "2.047em", "Bigg": "2.47em"}
SIZED = re.compile(r"(bigg?|Bigg?)([lrm]?)")
STYLES = {
    "displaystyle": 'displaystyle="true" scriptlevel="0"',
    "textstyle": 'displaystyle="false" scriptlevel="0"',
    "scriptstyle": 'displaystyle="false" scriptlevel="1"',
}
KINDS = {
    "mathord": "ord",
    "mathbin": "bin",
    "mathrel": "rel",
    "mathop": "function",
    "mathopen": "open",
    "mathclose": "close",
    "mathpunct": "punct",
    "mathinner": "ord",
}
FENCES = {
    "matrix": ("", ""),
    "pmatrix": ("(", ")"),
    "bmatrix": ("[", "]"),
    "Bmatrix": ("{", "}"),
    "vmatrix": ("|", "|"),
    "Vmatrix": ("‖", "‖"),
    "smallmatrix": ("", ""),
    "array": ("", ""),
    "cases": ("{", ""),
}
ALIGNED = dict.fromkeys(
    ("aligned", "align", "alignat", "alignedat", "split", "eqnarray"),
    ' displaystyle="true" class="aligned"',
)
CENTRED = dict.fromkeys(
    ("gathered", "gather", "equation", "multline", "displaymath"), ' displaystyle="true"'
)
NOT = {"=": "≠", "∈": "∉", "⊂": "⊄", "⊆": "⊈", "≤": "≰", "≥": "≱", "≡": "≢", "∼": "≁", "∥": "∦"}
ALPHABETS = {  # where A, a and 0 stand in each, and what of it stands elsewhere
    "mathbf": (0x1D400, 0x1D41A, 0x1D7CE),
    "boldsymbol": (0x1D468, 0x1D482, 0x1D7CE),
    "mathbb": (0x1D538, 0x1D552, 0x1D7D8),
    "mathcal": (0x1D49C, 0x1D4B6, 0),
    "mathfrak": (0x1D504, 0x1D51E, 0),
    "mathsf": (0x1D5A0, 0x1D5BA, 0x1D7E2),
    "mathtt": (0x1D670, 0x1D68A, 0x1D7F6),
    "mathit": (0x1D434, 0x1D44E, 0),
}
SAME = {"mathscr": "mathcal", "bm": "boldsymbol"}
ELSEWHERE = {
    "mathbb": dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ")),
    "mathcal": dict(zip("BEFHILMRego", "ℬℰℱℋℐℒℳℛℯℊℴ")),
    "mathfrak": dict(zip("CHIRZ", "ℭℌℑℜℨ")),
    "mathit": {"h": "ℎ"},
}
BOLD_GREEK = 0x1D736  # where α stands, slanted
UPRIGHT_FONTS = {"mathrm"}
TEXTS = dict.fromkeys(("text", "textrm", "textnormal", "mbox"), "") | {
    "textit": "mathit",
    "emph": "mathit",
    "textbf": "mathbf",
    "textsf": "mathsf",
    "texttt": "mathtt",
}
NUMBER = re.compile(r"[0-9]+(?:\{,\}[0-9]{3})*(?:\.[0-9]+)?|\.[0-9]+")
COMMAND = re.compile(r"\\(?:[A-Za-z]+|[\s\S])")
THIN = '<mspace width="0.1667em"/>'
WIDE = '<mspace width="0.2778em"/>'
EMPTY = "<mrow></mrow>"
ENDS = {"", "}", "&", r"\\", r"\right", r"\middle", r"\end"}


@dataclass(frozen=True)
class Atom:
    """One part of a row: its TeX kind, and its MathML, or the sign of an operator."""

    kind: str  # ord, bin, rel, open, close, punct, large, function; "" for a space
    xml: str = ""
    sign: str = ""
    limits: bool = False  # scripts stand above and below
    is_spaced: bool = False  # an operator is in it, which brings its own space


@cache
def _font() -> bytes:
    return FONT_FILE.read_bytes()


def style(address: str = "") -> str:
    """Return the rules for formulas; the font is loaded from an address, or else inside."""
    data = base64.b64encode(_font()).decode()
    source = address or f"data:font/woff2;base64,{data}"
    face = f'font-family: "{FAMILY}"; src: url("{source}") format("woff2"); font-display: block'
    return f"@font-face {{ {face} }}{RULES}"


def __getattr__(name: str) -> str | bytes:
    """Read the font when it is asked for: not all who draw formulas send it."""
    if name == "FONT":
        return _font()
    if name == "FONT_CSS":
        return style()
    raise AttributeError(f"coursekit.formulas has nothing called {name}")


def to_html(latex: str, display: bool = False) -> str:
    """Return a formula as MathML, or as its source where it is not understood."""
    try:
        return to_mathml(latex, display)
    except ValueError:
        mark = "$$" if display else "$"
        return f'<code class="tex">{escape(f"{mark}{latex}{mark}")}</code>'


def to_mathml(latex: str, display: bool = False) -> str:
    r"""Return a formula as MathML; say in a ValueError what of it is not understood.

    >>> to_mathml(r"\sqrt t")
    '<math alttext="\\sqrt t"><msqrt><mi>t</mi></msqrt></math>'
    """
    reader = _Reader(latex)
    body = reader.row(reader.atoms(""))
    block = ' display="block"' if display else ""
    return f'<math{block} alttext="{escape(latex.strip())}">{body}</math>'


class _Reader:
    """Read TeX from left to right, a group at a time."""

    def __init__(self, text: str) -> None:
        self.text = re.sub(r"(?<!\\)%[^\n]*", "", text)
        self.at = 0
        self.depth = 0
        self.font = ""
        self.in_script = False

    def fail(self, what: str) -> ValueError:
        """Return a sentence on what is wrong, and where."""
        return ValueError(f"{what} in the formula {self.text.strip()!r}")

    def skip_space(self) -> None:
        """Pass over blanks, which mean nothing in a formula."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def peek(self) -> str:
        """Return the next token, a command or a character; nothing at the end."""
        self.skip_space()
        if self.at == len(self.text):
            return ""
        command = COMMAND.match(self.text, self.at)
        return command[0] if command else self.text[self.at]

    def take(self) -> str:
        """Return the next token, and pass over it."""
        token = self.peek()
        self.at += len(token)
        return token

    def accept(self, token: str) -> bool:
        """Pass over a token if it is the next."""
        found = self.peek() == token
        if found:
            self.take()
        return found

    def raw(self) -> str:
        """Return what stands in the next pair of braces, as it is written."""
        if not self.accept("{"):
            return self.take()
        start, depth = self.at, 1
        while depth:
            if self.at == len(self.text):
                raise self.fail("A brace is never closed")
            sign = self.text[self.at]
            self.at += 2 if sign == "\\" else 1
            depth += (sign == "{") - (sign == "}")
        return self.text[start : self.at - 1]

    def optional(self) -> str | None:
        """Return what stands in square brackets, if they come next."""
        if not self.accept("["):
            return None
        end = self.text.find("]", self.at)
        if end < 0:
            raise self.fail("A bracket is never closed")
        found = self.text[self.at : end]
        self.at = end + 1
        return found

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Go one level down, unless there are too many."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.fail("There are too many braces in braces")
        yield
        self.depth -= 1

    def inner(self, text: str) -> str:
        """Return the MathML of a text that has been cut out."""
        reader = _Reader(text)
        reader.depth, reader.font, reader.in_script = self.depth, self.font, self.in_script
        return reader.row(reader.atoms(""))

    def argument(self, script: bool = False, font: str | None = None) -> str:
        """Return the MathML of the next group or token."""
        before = self.in_script, self.font
        self.in_script = self.in_script or script
        self.font = self.font if font is None else font
        result = self.row([self.atom_of_argument()])
        self.in_script, self.font = before
        return result

    def atom_of_argument(self) -> Atom:
        """Return the next group or token as one atom, which stays an operator if it is one."""
        token = self.peek()
        if token in ENDS:
            raise self.fail("An argument is missing")
        with self.deeper():
            if token == "{":
                self.take()
                atoms = self.atoms("}")
                return atoms[0] if len(atoms) == 1 else Atom("ord", self.row(atoms))
            return self.letter(self.take()) if token.isdigit() else self.atom()

    def atoms(self, end: str) -> list[Atom]:
        """Return all atoms up to a token that ends them, and pass over it."""
        found = self.until(end)
        self.take()
        return found

    def until(self, *ends: str) -> list[Atom]:
        """Return all atoms up to one of the tokens that end them."""
        found: list[Atom] = []
        with self.deeper():
            while (token := self.peek()) not in ends:
                if token in ENDS:
                    raise self.fail(f"{token or 'The end'} comes where {ends[0]} was expected")
                if token[0] == "\\" and token[1:] in STYLES:
                    self.take()
                    rest = self.row(self.until(*ends))
                    found.append(Atom("ord", f"<mstyle {STYLES[token[1:]]}>{rest}</mstyle>"))
                else:
                    found.append(self.scripted())
        return found

    def scripted(self) -> Atom:
        """Return the next atom with its scripts and primes."""
        base = Atom("ord", EMPTY) if self.peek() in ("^", "_", "'") else self.atom()
        limits = base.limits
        below, above, primes = "", "", ""
        while True:
            token = self.peek()
            if token in (r"\limits", r"\nolimits"):
                self.take()
                limits = token == r"\limits"
            elif token == "'":
                self.take()
                primes += "′"
            elif token == "_" and not below:
                self.take()
                below = self.argument(script=True)
            elif token == "^" and not above:
                self.take()
                above = self.argument(script=True)
            elif token and token in "^_":
                raise self.fail(f"{token} stands twice")
            else:
                break
        if primes:
            marks = f"<mo>{primes}</mo>"
            above = f"<mrow>{marks}{above}</mrow>" if above else marks
        if not below and not above:
            return base
        tag = {(1, 0): "sub", (0, 1): "sup", (1, 1): "subsup"}[bool(below), bool(above)]
        if limits:
            tag = {"sub": "under", "sup": "over", "subsup": "underover"}[tag]
            if base.kind == "function" and base.sign:
                base = Atom(
                    "function", f'<mo movablelimits="true" lspace="0" rspace="0">{base.sign}</mo>'
                )
        xml = f"<m{tag}>{self.markup(base)}{below}{above}</m{tag}>"
        return Atom(base.kind, xml, is_spaced=base.is_spaced or bool(base.sign))

    def row(self, atoms: list[Atom]) -> str:
        """Return atoms in a row, with TeX's spaces between them, as one element."""
        parts: list[str] = []
        before = "none"
        shown = [atom for atom in atoms if atom.kind]
        count = 0
        for atom in atoms:
            if not atom.kind:
                parts.append(atom.xml)
                continue
            count += 1
            after = shown[count].kind if count < len(shown) else "none"
            kind = atom.kind
            if kind == "bin" and (
                before in ("none", "bin", "rel", "open", "punct", "large", "integral", "function")
                or after in ("none", "rel", "close", "punct")
            ):
                kind = "ord"
            parts += self.spaced(atom, kind, before, after)
            before = kind
        parts = [part for part in parts if part]
        return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"

    def spaced(self, atom: Atom, kind: str, before: str, after: str) -> list[str]:
        """Return an atom with the spaces that MathML would not give it by itself."""
        if self.in_script or not atom.kind:
            return [self.markup(atom, kind)]
        if kind == "function":
            left = THIN if before in ("ord", "close", "large", "function") else ""
            right = THIN if after in ("ord", "large", "integral") else ""
            return [left, self.markup(atom, kind), right]
        if kind == "rel" and not atom.sign:
            space = "" if atom.is_spaced else WIDE
            return [space, atom.xml, space]
        if kind == "rel" and "rel" in (before, after):
            left = "0" if before == "rel" else "0.2778em"
            right = "0" if after == "rel" else "0.2778em"
            return [f'<mo lspace="{left}" rspace="{right}">{escape(atom.sign)}</mo>']
        return [self.markup(atom, kind)]

    def markup(self, atom: Atom, kind: str = "") -> str:
        """Return an atom's MathML; as what it is used may differ from what it is."""
        if not atom.sign:
            return atom.xml
        kind = kind or atom.kind
        sign = escape(atom.sign)
        if kind == "function":
            return f"<mi>{sign}</mi>"
        if kind in ("open", "close"):
            form = ' form="prefix"' if kind == "open" else ' form="postfix"'
            return f'<mo{form if sign in "|‖" else ""} stretchy="false">{sign}</mo>'
        if atom.sign in ("|", "‖"):
            return f'<mo stretchy="false" lspace="0" rspace="0">{sign}</mo>'
        if kind == "ord" or self.in_script and kind not in ("large", "integral"):
            return f'<mo lspace="0" rspace="0">{sign}</mo>'
        if kind == "rel" and atom.sign in ("∣", ":"):
            return f'<mo stretchy="false" lspace="0.2778em" rspace="0.2778em">{sign}</mo>'
        return f"<mo>{sign}</mo>"

    def atom(self) -> Atom:
        """Return the next atom, without its scripts."""
        token = self.peek()
        if token == "{":
            only = self.atom_of_argument()
            kind = only.kind if only.kind in ("open", "close", "function") else "ord"
            return Atom("ord", self.markup(only, kind))
        if number := NUMBER.match(self.text, self.at):
            self.at = number.end()
            digits = "".join(_in_font(sign, self.font) for sign in number[0].replace("{,}", ","))
            return Atom("ord", f"<mn>{digits}</mn>")
        self.take()
        return self.command(token[1:]) if token[0] == "\\" else self.letter(token)

    def letter(self, sign: str) -> Atom:
        """Return the atom of one character."""
        if sign == "~":
            return Atom("", f'<mspace width="{SPACES["~"]}"/>')
        if sign in "([":
            return Atom("open", sign=sign)
        if sign in ")]":
            return Atom("close", sign=sign)
        if sign in "?!":
            return Atom("close", f"<mo>{sign}</mo>")
        if sign in ",;":
            return Atom("punct", sign=sign)
        if sign in "=<>:":
            return Atom("rel", sign=sign)
        if sign in "+-*":
            return Atom("bin", sign={"-": "−", "*": "∗"}.get(sign, sign))
        if sign in "/|.":
            return Atom("ord", sign=sign)
        if sign.isdigit():
            return Atom("ord", f"<mn>{_in_font(sign, self.font)}</mn>")
        for kind, signs in SIGNS.items():
            if sign in signs:
                return Atom(kind, sign=sign, limits=kind == "large")
        if sign.isalpha() or unicodedata.category(sign)[0] in "SP":
            return self.identifier(sign, sign.isascii() or "α" <= sign <= "ω")
        raise self.fail(f"The sign {sign!r} is not understood")

    def identifier(self, sign: str, is_italic: bool = True) -> Atom:
        """Return a letter in the alphabet that holds here."""
        shown = _in_font(sign, self.font)
        # A browser slants a lone letter by itself, unless it is told not to.
        upright = shown == sign and (not is_italic or self.font in UPRIGHT_FONTS)
        normal = ' mathvariant="normal"' if upright and (sign.isalpha() or sign == "∇") else ""
        return Atom("ord", f"<mi{normal}>{escape(shown)}</mi>")

    def command(self, name: str) -> Atom:
        """Return the atom that a command begins."""
        if name in ORDINARY:
            return self.identifier(ORDINARY[name])
        if name in UPRIGHT:
            return self.identifier(UPRIGHT[name], is_italic=False)
        for kind, table in TABLES.items():
            if name in table:
                return Atom(kind, sign=table[name], limits=kind == "large")
        if name in SPACES:
            return Atom("", f'<mspace width="{SPACES[name]}"/>')
        if name in FUNCTIONS:
            return Atom("function", sign=name)
        if name in WITH_LIMITS:
            return Atom("function", sign=WITH_LIMITS[name], limits=True)
        if name in ACCENTS:
            return self.accent(name)
        if name in ALPHABETS or name in SAME:
            return Atom("ord", self.argument(font=SAME.get(name, name)))
        if name in TEXTS:
            return Atom("ord", self.written(self.raw(), TEXTS[name]))
        if name in KINDS:
            return self.as_kind(KINDS[name])
        if sized := SIZED.fullmatch(name):
            return self.sized(*sized.groups())
        act = COMMANDS.get(name)
        if not act:
            raise self.fail(f"The command \\{name} is not understood")
        return act(self)

    def as_kind(self, kind: str) -> Atom:
        """Return something that is used as an operator."""
        body = self.atom_of_argument()
        limits = kind == "function"
        if body.sign and kind in ("bin", "rel") and body.sign not in ("|", "‖"):
            return Atom(kind, sign=body.sign)
        return Atom(kind, self.markup(body, "ord" if body.sign else ""), limits=limits)

    def accent(self, name: str) -> Atom:
        """Return something with a sign above it."""
        stretchy = "" if name in STRETCHED else ' stretchy="false"'
        body = self.argument()
        mark = f"<mo{stretchy}>{escape(ACCENTS[name])}</mo>"
        return Atom("ord", f'<mover accent="true">{body}{mark}</mover>', limits=name == "overbrace")

    def below(self, name: str) -> Atom:
        """Return something with a line or a brace below it."""
        body = f"<munder>{self.argument()}<mo>{BELOW[name]}</mo></munder>"
        return Atom("ord", body, limits=name == "underbrace")

    def fraction(self, attributes: str = "", opened: str = "", style: str = "") -> Atom:
        """Return a fraction, between brackets and in a style of its own if there are any."""
        body = f"<mfrac{attributes}>{self.argument()}{self.argument()}</mfrac>"
        if opened:
            body = _fenced(opened, body, ")")
        if style:
            body = f"<mstyle {STYLES[style]}>{body}</mstyle>"
        return Atom("ord", body)

    def root(self) -> Atom:
        """Return a square root, or another."""
        index = self.optional()
        body = self.argument()
        if index is None:
            return Atom("ord", f"<msqrt>{body}</msqrt>")
        return Atom("ord", f"<mroot>{body}{self.inner(index)}</mroot>")

    def stacked(self, tag: str) -> Atom:
        """Return something with something smaller above or below it, of the kind that it is."""
        mark = self.argument(script=True)
        base = self.atom_of_argument()
        xml = f"<m{tag}>{self.markup(base)}{mark}</m{tag}>"
        return Atom(base.kind, xml, is_spaced=bool(base.sign))

    def upright(self) -> Atom:
        """Return what is not slanted; a word of letters is one name."""
        start = self.at
        word = self.raw().strip() if self.peek() == "{" else ""
        if re.fullmatch("[A-Za-z]{2,}", word):
            return Atom("ord", f"<mi>{word}</mi>")
        self.at = start
        return Atom("ord", self.argument(font="mathrm"))

    def operator(self) -> Atom:
        """Return a function with a name of its own; the command with a star has limits."""
        has_limits = self.accept("*")
        name = self.raw()
        if re.fullmatch(r"[A-Za-z]+", name):
            return Atom("function", sign=name, limits=has_limits)
        words = re.sub(r"\\[,;: ]|~", " ", name)
        if not re.fullmatch(r"[A-Za-z0-9 \-]+", words):
            raise self.fail(f"The name {name!r} of a function is not understood")
        return Atom("function", sign=words, limits=has_limits)

    def sized(self, size: str, side: str) -> Atom:
        """Return a bracket of a fixed size."""
        sign = self.delimiter()
        form = {"l": ' form="prefix"', "r": ' form="postfix"'}.get(side, "")
        space = "" if form else ' lspace="0" rspace="0"'
        height = f'minsize="{SIZES[size]}" maxsize="{SIZES[size]}"'
        kind = {"l": "open", "r": "close", "m": "rel"}.get(side, "ord")
        return Atom(kind, f'<mo{form}{space} stretchy="true" {height}>{escape(sign)}</mo>')

    def delimiter(self) -> str:
        """Return the next bracket, or nothing for a dot."""
        token = self.take()
        if token in "()[]|/":
            return token
        if token in (".", "<", ">"):
            return {".": "", "<": "⟨", ">": "⟩"}[token]
        found = [
            t[token[1:]] for t in (OPENING, CLOSING, BARS) if token[1:] in t and token[0] == "\\"
        ]
        if not found:
            raise self.fail(f"{token or 'The end'} is not a bracket")
        return found[0]

    def left(self) -> Atom:
        r"""Return what stands between \left and \right."""
        opened = self.delimiter()
        body = self.row(self.until(r"\right", r"\middle"))
        while self.take() == r"\middle":
            body += f'<mo stretchy="true">{escape(self.delimiter())}</mo>'
            body += self.row(self.until(r"\right", r"\middle"))
        return Atom("ord", _fenced(opened, body, self.delimiter()))

    def negated(self) -> Atom:
        """Return a relation that is struck out."""
        base = self.atom_of_argument()
        return Atom("rel", sign=NOT.get(base.sign, f"{base.sign}\u0338"))

    def environment(self) -> Atom:
        """Return what stands between begin and end, in rows and columns."""
        name = self.raw()
        kind = name.removesuffix("*")
        if kind not in FENCES | ALIGNED | CENTRED:
            raise self.fail(f"The environment {name} is not understood")
        columns = self.raw() if kind in ("array", "alignat", "alignedat") else ""
        rows: list[list[str]] = [[]]
        while True:
            follows = kind in ALIGNED and len(rows[-1]) % 2 == 1
            rows[-1].append(self.cell(follows))
            match self.take():
                case r"\\":
                    self.optional()
                    rows.append([])
                case r"\end":
                    break
        if self.raw() != name:
            raise self.fail(f"\\end{{{name}}} is missing")
        if rows[-1] == [EMPTY]:  # after a last break
            rows.pop()
        cells = ("".join(f"<mtd>{cell}</mtd>" for cell in row) for row in rows)
        body = "".join(f"<mtr>{row}</mtr>" for row in cells)
        about = (ALIGNED | CENTRED).get(kind, "")
        if kind == "cases" or columns and set(columns) == {"l"}:
            about = ' class="cases"'
        opened, closed = FENCES.get(kind, ("", ""))
        return Atom("ord", _fenced(opened, f"<mtable{about}>{body}</mtable>", closed))

    def cell(self, follows: bool) -> str:
        """Return one cell of a table; one that continues a line begins as if something preceded."""
        atoms = self.until("&", r"\\", r"\end")
        return self.row([Atom("ord", "<mi></mi>"), *atoms] if follows else atoms)

    def written(self, text: str, font: str) -> str:
        """Return words in a font, with the formulas that stand in them."""
        pieces = re.split(r"(?<!\\)\$((?:\\.|[^$])*)\$", text)
        shown = []
        for place, piece in enumerate(pieces):
            if place % 2:
                shown.append(self.inner(piece))
            elif piece:
                words = re.sub(r"\\([ %$#&_{}])", r"\1", piece).replace("~", "\u00a0")
                if found := re.search(r"\\[A-Za-z]+|[{}]", words):
                    raise self.fail(f"{found[0]} is not understood within text")
                words = re.sub(r"^\s+|\s+$", "\u00a0", words)
                words = words.replace("``", "“").replace("''", "”")
                words = "".join(_in_font(sign, font) for sign in words)
                shown.append(f"<mtext>{escape(words)}</mtext>")
        return shown[0] if len(shown) == 1 else f"<mrow>{''.join(shown)}</mrow>"

    def tagged(self) -> Atom:
        """Return the name of a formula, in brackets."""
        brackets = "{}" if self.accept("*") else "({})"
        name = escape(brackets.format(self.raw()))
        return Atom("ord", f'<mrow><mspace width="2em"/><mtext>{name}</mtext></mrow>')

    def dots(self) -> Atom:
        """Return dots: on the line, or raised where an operator follows."""
        start = self.at
        follows = "" if self.peek() in {*ENDS, "^", "_", "'"} else self.atom().kind
        self.at = start
        return self.identifier("⋯" if follows in ("bin", "rel") else "…", is_italic=False)

    def modulus(self) -> Atom:
        """Return the modulus of a congruence."""
        body = _fenced("(", f"<mi>mod</mi>{WIDE}{self.argument()}", ")")
        return Atom("ord", f'<mrow><mspace width="1em"/>{body}</mrow>')

    def wrapped(self, opened: str, closed: str) -> Atom:
        """Return something within an element."""
        return Atom("ord", f"{opened}{self.argument()}{closed}")

    def nothing(self) -> Atom:
        """Pass over what names a formula for other formulas."""
        self.raw()
        return Atom("", "")


def _in_font(sign: str, font: str) -> str:
    """Return a character in an alphabet, if that has it."""
    if font not in ALPHABETS:
        return sign
    if found := ELSEWHERE.get(font, {}).get(sign):
        return found
    capital, small, zero = ALPHABETS[font]
    if "A" <= sign <= "Z":
        return chr(capital + ord(sign) - ord("A"))
    if "a" <= sign <= "z":
        return chr(small + ord(sign) - ord("a"))
    if "0" <= sign <= "9" and zero:
        return chr(zero + ord(sign) - ord("0"))
    if "α" <= sign <= "ω" and font == "boldsymbol":
        return chr(BOLD_GREEK + ord(sign) - ord("α"))
    return sign


def _fenced(opened: str, body: str, closed: str) -> str:
    """Return something between brackets as high as it is."""
    left = f'<mo form="prefix" stretchy="true">{escape(opened)}</mo>' if opened else ""
    right = f'<mo form="postfix" stretchy="true">{escape(closed)}</mo>' if closed else ""
    return f"<mrow>{left}{body}{right}</mrow>"


TABLES = {
    "bin": BINARY,
    "rel": RELATION,
    "large": LARGE,
    "integral": INTEGRAL,
    "open": OPENING,
    "close": CLOSING,
    "ord": BARS,
}
SIGNS = {kind: set(table.values()) for kind, table in TABLES.items()}
COMMANDS: dict[str, Callable[[_Reader], Atom]] = {
    "frac": _Reader.fraction,
    "cfrac": lambda read: read.fraction(style="displaystyle"),
    "dfrac": lambda read: read.fraction(style="displaystyle"),
    "tfrac": lambda read: read.fraction(style="textstyle"),
    "binom": lambda read: read.fraction(' linethickness="0"', "("),
    "dbinom": lambda read: read.fraction(' linethickness="0"', "(", "displaystyle"),
    "tbinom": lambda read: read.fraction(' linethickness="0"', "(", "textstyle"),
    "sqrt": _Reader.root,
    "underline": lambda read: read.below("underline"),
    "underbrace": lambda read: read.below("underbrace"),
    "overset": lambda read: read.stacked("over"),
    "stackrel": lambda read: read.stacked("over"),
    "underset": lambda read: read.stacked("under"),
    "mathrm": _Reader.upright,
    "operatorname": _Reader.operator,
    "left": _Reader.left,
    "not": _Reader.negated,
    "begin": _Reader.environment,
    "tag": _Reader.tagged,
    "label": _Reader.nothing,
    "nonumber": lambda read: Atom("", ""),
    "notag": lambda read: Atom("", ""),
    "colon": lambda read: Atom("punct", '<mo lspace="0" rspace="0.1667em">:</mo>'),
    "bmod": lambda read: Atom("rel", "<mi>mod</mi>"),
    "pmod": _Reader.modulus,
    "dots": _Reader.dots,
    "boxed": lambda read: read.wrapped('<mrow class="boxed">', "</mrow>"),
    "phantom": lambda read: read.wrapped("<mphantom>", "</mphantom>"),
}
