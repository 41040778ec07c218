"""Write how a class did: marks by question, a histogram, and how each question worked."""

import io
from functools import lru_cache
from pathlib import Path

import jinja2
import numpy as np
from halfspaces.notebook.palette import BLUE, INK
from markupsafe import Markup, escape
from matplotlib.figure import Figure

from coursekit.files import write_atomically
from coursekit.homework.grading.feedback import titles
from coursekit.homework.grading.gradebook import Book

from .marks import Item, Marks, items, read_marks

MOST_LISTED = 5  # behaviours of a question


def write_report(book: Book) -> Path:
    """Write the page, and return where it is."""
    marks = read_marks(book)
    if not marks:
        raise ValueError(f"The gradebook has no submission for {book.name}: grade first.")
    folder = book.course / "reports"
    folder.mkdir(exist_ok=True)
    path = folder / f"{book.name}.html"
    write_atomically(path, page(book, marks))
    return path


@lru_cache
def environment() -> jinja2.Environment:
    """Return templates that escape whatever is put into them."""
    return jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(book: Book, marks: list[Marks]) -> str:
    """Return the page."""
    found = items(book, marks, titles(book))
    totals = np.array([mark.total for mark in marks])
    of = sum(item.of for item in found)
    return (
        environment()
        .get_template("report.html")
        .render(
            title=f"How the class did: {book.name}",
            blue=BLUE,
            marks=marks,
            items=found,
            of=of,
            totals=totals,
            unmarked=[mark.student for mark in marks if not mark.is_final],
            commonest={item.id: item.lost.most_common(MOST_LISTED) for item in found},
            histogram=Markup(histogram(totals, of)),
            places=Markup(places(found)),
        )
    )


def histogram(totals: np.ndarray, of: float) -> str:
    """Draw how many students have how many points."""
    fig = Figure(figsize=(7, 2.8), layout="constrained")
    ax = fig.subplots()
    ax.hist(totals, bins=np.linspace(0, max(of, 1.0), 16), color=BLUE, edgecolor="white")
    ax.set_xlabel("points")
    ax.set_ylabel("students")
    ax.yaxis.get_major_locator().set_params(integer=True)
    middle = float(np.median(totals))
    ax.axvline(middle, color=INK, linestyle="--")
    ax.set_title(f"median {middle:g}", loc="right", fontsize="medium")
    low, high = np.percentile(totals, [25, 75])
    return svg(
        fig,
        f"Histogram of points: {len(totals)} students, median {middle:g} of {of:g}, "
        f"half of them between {low:g} and {high:g}.",
    )


def places(found: list[Item]) -> str:
    """Draw each question by difficulty and discrimination."""
    fig = Figure(figsize=(7, 3.2), layout="constrained")
    ax = fig.subplots()
    known = [item for item in found if item.discrimination is not None]
    ax.axhline(0, color=INK, linewidth=0.8)
    ax.scatter(
        [item.difficulty for item in known], [item.discrimination for item in known], color=BLUE
    )
    for item in known:
        place = (item.difficulty, item.discrimination)
        ax.annotate(item.id, place, (5, 3), textcoords="offset points")
    ax.set(xlim=(-0.02, 1.06), ylim=(-1.05, 1.05))
    ax.set_xlabel("share of the points that the class got")
    ax.set_ylabel("correlation with the rest")
    said = "; ".join(
        f"{item.id} at {item.difficulty:.0%} and {item.discrimination:.2f}" for item in known
    )
    return svg(fig, f"Questions by difficulty and discrimination: {said or 'too few to tell'}.")


def svg(fig: Figure, alt: str) -> str:
    """Return a figure as SVG to stand in a page, with its description."""
    file = io.StringIO()
    fig.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    text = file.getvalue()
    start = text.index("<svg")
    label = escape(alt)
    return text[start:].replace("<svg", f'<svg role="img" aria-label="{label}"', 1)
