"""Make the font of the formulas again: of STIX Two Math, the signs that formulas here can have."""

import io
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from coursekit import ROOT, formulas
from coursekit.files import write_if_changed

TABLES = [
    formulas.ORDINARY,
    formulas.UPRIGHT,
    *formulas.TABLES.values(),
    formulas.ACCENTS,
    formulas.BELOW,
    formulas.NOT,
    *formulas.ELSEWHERE.values(),
]
MORE = "√−∗⁡\u00a0\u0338“”–—·²³"
GREEK = {0x1D6E4: 25, 0x1D6FC: 32, formulas.BOLD_GREEK: 25}  # slanted, large and small, and bold
PRIMES = {ord("′"): "minute.ssty", ord("″"): "second.ssty"}
NAMES = {1: formulas.FAMILY, 3: formulas.FAMILY, 4: formulas.FAMILY, 6: "HalfspacesMath"}


def make_font(source: Path) -> None:
    """Write the part of a font that the course needs into lib/coursekit/fonts."""
    write_if_changed(formulas.FONT_FILE, subset(source))
    size = formulas.FONT_FILE.stat().st_size
    print(f"{formulas.FONT_FILE.relative_to(ROOT)}  {size / 1e3:.0f} kB", file=sys.stderr)


def signs() -> set[int]:
    """Return the code points that formulas can have, those that browsers slant included."""
    found = {*range(0x20, 0x7F), *map(ord, MORE)}
    for table in TABLES:
        found |= {ord(sign) for text in table.values() for sign in text}
    for capital, small, zero in formulas.ALPHABETS.values():
        found |= {*range(capital, capital + 26), *range(small, small + 26)}
        found |= set(range(zero, zero + 10)) if zero else set()
    for first, count in GREEK.items():
        found |= set(range(first, first + count))
    return found


def subset(source: Path) -> bytes:
    """Return a font with the signs of formulas, their variants and its MATH table, as woff2."""
    font = TTFont(source, recalcTimestamp=False)
    if "MATH" not in font:
        raise ValueError(f"{source} has no MATH table: expected STIX Two Math")
    for table in font["cmap"].tables:  # primes stand in scripts only: take the shapes made for them
        table.cmap |= {sign: name for sign, name in PRIMES.items() if sign in table.cmap}
    options = Options()
    options.layout_features = []
    options.hinting = False
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.drop_tables += ["DSIG"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=signs())
    subsetter.subset(font)
    for record in font["name"].names:  # a changed font does not go by its maker's name
        record.string = NAMES.get(record.nameID, record.string)
    font.flavor = "woff2"
    file = io.BytesIO()
    font.save(file)
    return file.getvalue()
