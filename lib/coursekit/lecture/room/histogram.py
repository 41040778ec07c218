"""Draw the numbers of a room: how many said what, where the truth is, and what the bound allows."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from halfspaces.notebook.questions import read_number
from halfspaces.notebook.tables import write

MOST = 12  # bars
STEPS = (1, 2, 5)
BEYOND = 1e15  # from where on a number is drawn in no bar
CROWDED = 0.6  # share of the numbers in one of many bars, from which on the bars grow in width


@dataclass(frozen=True)
class Histogram:
    """Hold the edges of the bars, how many numbers are in each, and how many are none of these."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]
    beyond: int
    whole: bool  # whether each bar is one whole number

    @property
    def labels(self) -> list[str]:
        """Say what each bar stands for."""
        if self.whole:
            return [f"{edge:g}" for edge in self.edges[:-1]]
        return [f"{short(a)} to {short(b)}" for a, b in zip(self.edges, self.edges[1:])]

    def place(self, value: float) -> float:
        """Return where a number is, in bars from the left."""
        if self.whole:
            return value - self.edges[0] + 0.5
        bar = min(bisect_right(self.edges, value) - 1, len(self.counts) - 1)
        return bar + (value - self.edges[bar]) / (self.edges[bar + 1] - self.edges[bar])


def histogram(said: Sequence[str], marks: Sequence[str] = ()) -> Histogram:
    """Count numbers, in bars of round widths that reach as far as the marks do.

    >>> histogram(["1", "2", "2", "∞"], marks=["4"])
    Histogram(edges=(1.0, 2.0, 3.0, 4.0, 5.0), counts=(1, 2, 0, 0), beyond=1, whole=True)
    >>> histogram(["3", "40", "41", "5000"]).labels[-3:]
    ['500 to 1000', '1000 to 2000', '2000 to 5000']
    """
    values = [value for text in said if abs(value := as_float(text)) <= BEYOND]
    within = [*values, *(value for mark in marks if abs(value := as_float(mark)) <= BEYOND)]
    within = within or [0.0]
    whole = all(value == int(value) for value in within) and max(within) - min(within) < MOST
    if whole:
        edges = [min(within) + i for i in range(int(max(within) - min(within)) + 2)]
    else:
        edges = even_edges(min(within), max(within))
        if 0 <= min(within) < max(within) and crowded(values, edges):
            edges = growing_edges(min(within), max(within))
    counts = [0] * (len(edges) - 1)
    for value in values:
        counts[min(bisect_right(edges, value), len(counts)) - 1] += 1
    return Histogram(tuple(edges), tuple(counts), len(said) - len(values), whole)


def as_float(text: str) -> float:
    """Return a number that was typed as a float, one that is too large as infinity."""
    number = read_number(text)
    if number is None:
        return math.nan
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def even_edges(least: float, most: float) -> list[float]:
    """Return edges with a round distance from each other."""
    wide = (most - least) / (MOST - 2) or 1.0
    power = 10.0 ** math.floor(math.log10(wide))
    step = next(step * power for step in (*STEPS, 10) if step * power >= wide * (1 - 1e-9))
    first = math.floor(least / step)
    last = max(first + 1, math.ceil(most / step - 1e-9))
    if last * step < most * (1 - 1e-9):
        last += 1
    return [i * step for i in range(first, last + 1)]


def crowded(values: list[float], edges: list[float]) -> bool:
    """Tell whether most of the numbers would be in one bar."""
    counts = [0] * len(edges)
    for value in values:
        counts[bisect_right(edges, value) - 1] += 1
    return max(counts) > CROWDED * len(values)


def growing_edges(least: float, most: float) -> list[float]:
    """Return edges 1, 2, 5, 10 … or powers of ten as far as they are needed, perhaps after 0."""
    floor = max(least, most / 1e6)
    powers = range(math.floor(math.log10(floor)), math.ceil(math.log10(most)) + 2)
    for steps in (STEPS, (1,)):
        edges = [step * 10.0**power for power in powers for step in steps]
        start = max([edge for edge in edges if edge <= least], default=0.0)
        above = [edge for edge in edges if edge > max(start, floor / 10)]
        enough = next(i for i, edge in enumerate(above) if edge >= most)
        if enough < MOST:
            break
    return [start, *above[: enough + 1]]


def short(value: float) -> str:
    """Write the edge of a bar.

    >>> short(2000), short(1e7), short(0.5)
    ('2000', '1e7', '0.5')
    """
    text = f"{value:.4g}" if abs(value) < 1e5 or value == 0 else f"{value:.3g}"
    return text.replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")


def summary(said: Sequence[str], unit: str, truth: str, bound: str) -> str:
    """Say in words what the picture shows."""
    if not said:
        return "Nobody has sent a number."
    values = sorted(map(as_float, said))
    middle = values[(len(values) - 1) // 2]
    text = f"{len(said)} numbers, from {written(values[0])} to {written(values[-1])} {unit}; "
    if len(said) == 1:
        text = f"1 number, {written(values[0])} {unit}; "
    text += f"half of them are at most {written(middle)}."
    if truth:
        right = as_float(truth)
        low = sum(value < right for value in values)
        high = sum(value > right for value in values)
        text += f" The truth is {truth}: {low} too low, {len(values) - low - high} exact, "
        text += f"{high} too high."
    if bound:
        above = sum(value > as_float(bound) for value in values)
        text += f" The bound is {bound}: {above} above it."
    return text


def written(value: float) -> str:
    """Write a number as the course does."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return write(int(value)) if value == int(value) and abs(value) < 1e15 else short(value)
