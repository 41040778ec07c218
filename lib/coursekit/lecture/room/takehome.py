"""Write one page to take home: what was typed, drawn and voted in a lecture.

It is a file of its own, needs no network, and names nobody. What was typed and drawn is read from
the lecturer's copy of the notebook, as it was last saved; what was voted, from the room's file.
"""

import re
import sys
import time
from base64 import b64decode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from markupsafe import Markup

from coursekit.files import write_atomically
from coursekit.formulas import style
from coursekit.lecture.deck import slides

from .html import COLOURS, fill
from .results import chart, texts
from .slide import twins_of
from .store import Record, Stage, newest_files

INK = {"ink": COLOURS["INK"], "blue": COLOURS["BLUE"], "orange": COLOURS["ORANGE"]}
MARGIN = 12  # around what was drawn, in its own units
PICTURES = ("img", "svg", "canvas")


@dataclass(frozen=True)
class Drawing:
    """Hold strokes on one paragraph or picture, as SVG."""

    slide: int
    title: str
    svg: Markup


def write_takehome(name: str, votes: Path) -> Path:
    """Write the page of the newest lecture from a notebook of this name; return where it is.

    It goes into export/, and the copy is looked for in the folders, beside that of the votes.
    """
    files = newest_files(votes, f"{name}*")
    course = votes.parent
    record = Record()
    if files:
        record.read(files[0].read_bytes())
        name = files[0].name.partition(".")[0]
    copies = sorted(course.glob(f"*/{name}.ipynb"), key=lambda path: path.stat().st_mtime)
    copies = [path for path in copies if path.parent.name != "notebooks"]
    target = course / "export" / f"{name}-takehome.html"
    book = nbformat.read(copies[-1], as_version=4) if copies else None
    text = takehome_page(name, record, book)
    target.parent.mkdir(exist_ok=True)
    write_atomically(target, text)
    return target


def takehome_page(name: str, record: Record, book: Any = None) -> str:
    """Return the page, or say that there is nothing to take home."""
    typed = list(record.typed.values()) or typed_in(book)
    drawn = drawings(book, name)
    shown = [poll for poll in record.polls if poll.stage == Stage.SHOWN or poll.truth]
    if not typed and not drawn and not shown:
        raise ValueError(
            f"There is nothing to take home from {name}: nothing typed or drawn in its copy, and "
            "no vote whose results were shown."
        )
    return fill(
        "takehome.html",
        formulas=Markup(style()),
        title=title_of(name, book),
        date=time.strftime("%d %B %Y").lstrip("0"),
        typed=typed,
        drawn=drawn,
        polls=[
            {
                "question": poll.question,
                "chart": chart(poll),
                "texts": texts(poll),
                "sentences": poll.chosen,
            }
            for poll in shown
        ],
    )


def title_of(name: str, book: Any) -> str:
    """Return the notebook's heading, or its name."""
    cells = book.cells if book else []
    heading = re.search(r"^# (.+)$", "\n".join(cell.source for cell in cells), re.MULTILINE)
    return heading[1].strip() if heading else name


def typed_in(book: Any) -> list[dict[str, Any]]:
    """Return what was typed into a copy, with the slides where that was."""
    return [
        {"slide": slide.number, "title": slide.title, "code": cell.source.strip()}
        for slide in (slides(book) if book else [])
        for cell in slide.cells
        if "solution" in cell.metadata and "\n" in cell.source.strip()
    ]


def drawings(book: Any, name: str) -> list[Drawing]:
    """Return what was drawn on the slides of a copy, with the pictures it was drawn on."""
    found = []
    for slide in slides(book) if book else []:
        for cell in slide.cells:
            parts: dict[Any, list[Any]] = {}
            for stroke in cell.metadata.get("ink", []):
                parts.setdefault(tuple(stroke["on"] or ()), []).append(stroke)
            for on, strokes in parts.items():
                picture = picture_of(cell, on, name)
                svg = drawing_svg(strokes, picture)
                found.append(Drawing(slide.number, slide.title, svg))
    return found


def picture_of(cell: Any, on: tuple[Any, ...], name: str) -> tuple[str, str]:
    """Return the picture that was drawn on and what it shows, or nothing."""
    if not on or on[0] not in PICTURES:
        return "", ""
    found = [
        (output.data["image/png"], output.metadata.get("image/png", {}).get("alt", ""))
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    twin = twins_of(name).get(cell.id)
    return found[on[1]] if on[1] < len(found) else twin or ("", "")


def drawing_svg(strokes: list[Any], picture: tuple[str, str]) -> Markup:
    """Return strokes as SVG, over their picture, whose width is their unit, if there is one."""
    data, alt = picture
    points = [stroke["points"] for stroke in strokes]
    xs = [x for each in points for x in each[::2]]
    ys = [y for each in points for y in each[1::2]]
    on = strokes[0]["on"]
    scale = 1000 if on and on[0] in PICTURES else 1  # in widths of a picture, or in pixels
    left, top = scale * min(xs) - MARGIN, scale * min(ys) - MARGIN
    right, bottom = scale * max(xs) + MARGIN, scale * max(ys) + MARGIN
    height = 0.0
    if data:
        width, tall = png_size(data)
        height = 1000 * tall / width
        left, top, right, bottom = min(left, 0), min(top, 0), max(right, 1000), max(bottom, height)
    paths = [
        {
            "line": " ".join(
                f"{scale * x:.1f},{scale * y:.1f}" for x, y in zip(each[::2], each[1::2])
            ),
            "colour": INK.get(stroke["colour"], INK["ink"]),
        }
        for stroke, each in zip(strokes, points)
    ]
    box = f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}"
    return Markup(
        fill(
            "drawing.html",
            box=box,
            width=round(right - left),
            height=height,
            picture=data.replace("\n", ""),
            alt=alt,
            paths=paths,
        )
    )


def png_size(data: str) -> tuple[int, int]:
    """Return width and height of a picture, which are in its first bytes."""
    head = b64decode(data[:64])
    return int.from_bytes(head[16:20]), int.from_bytes(head[20:24])


def take_home(name: str, votes: Path) -> int | None:
    """Write the page of the newest lecture from a notebook, and tell where it lost somebody."""
    try:
        print(write_takehome(name, votes).relative_to(votes.parent))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    for file in newest_files(votes, f"{name}*")[:1]:
        record = Record()
        record.read(file.read_bytes())
        lost = lost_table(record)
        print("Lost me here:" if lost else "No slide has lost anybody who said so.")
        print("\n".join(f"  {line}" for line in lost))
    return None


def lost_table(record: Record) -> list[str]:
    """List the slides that have lost somebody, for the lecturer's notes."""
    return [
        f"slide {number}, {record.titles[number]}: {len(who)}"
        for number, who in sorted(record.lost.items())
        if who
    ]
