"""Tell the page that shows slides what they are: their cells, titles, notes, and the plans."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from coursekit.lecture.deck import LENGTHS, NOTES, Slide, about, group, plan, slides_of, unlinked
from coursekit.lecture.room.html import with_math


def outline(cells: Sequence[Any]) -> dict[str, Any]:
    """Describe the slides of these cells, and lectures of all lengths, as data for a page."""
    places = group([about(cell).get("slide_type") for cell in cells])
    deck = slides_of(cells)
    return {
        "slides": [
            {"cells": there, **describe(slide)} for there, slide in zip(places, deck, strict=True)
        ],
        "plans": [asdict(plan(deck, length)) for length in (*LENGTHS, None)],
    }


def describe(slide: Slide) -> dict[str, Any]:
    """Describe one slide; texts are HTML, their formulas MathML."""
    return {
        "title": with_math(unlinked(slide.title)),
        "heading": not slide.heading,  # which the page must show: no cell does
        "words": with_math(slide.words),
        "minutes": slide.minutes,
        "notes": {name: with_math(slide.note(name)) for name in NOTES if slide.note(name)},
        "code": [cell.metadata["solution"] for cell in slide.cells if "solution" in cell.metadata],
        "asks": slide.votes,
    }
