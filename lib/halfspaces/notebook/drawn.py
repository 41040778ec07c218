"""Draw questions with fresh numbers, for reviews: the numbers change, the idea stays."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ..halfspace import Halfspace
from .questions import LETTERS, Question

Draw = Callable[[np.random.Generator], Question]
TRIPLES = ((3, 4, 5), (5, 12, 13), (6, 8, 10), (8, 15, 17))


def which_side(rng: np.random.Generator) -> Question:
    """Ask which of three points a halfspace labels +1."""
    while True:
        w, X = _vector(rng), rng.integers(-4, 5, (3, 2))
        b = int(rng.integers(1, 4))
        scores = X @ w
        labels = Halfspace(w, b)(X)
        if (labels == 1).sum() == 1 and len(set(scores.tolist())) == 3:
            break
    right = int(np.argmax(labels))
    wrong = {
        _write(X[i]): rf"$\langle w, x\rangle = {scores[i]}$, and that is less than $b = {b}$."
        for i in range(3)
        if i != right
    }
    return _ask(
        rng,
        id="01-drawn-side",
        text=rf"Which of these points does the halfspace $w = {_tex(w)}$, $b = {b}$ label $+1$?",
        right=_write(X[right]),
        wrong=wrong,
        hint=r"Compute $\langle w, x\rangle$ for each, and compare it with $b$.",
        explanation=rf"$\langle w, x\rangle = {scores[right]} \ge {b}$.",
    )


def which_mistake(rng: np.random.Generator) -> Question:
    """Ask which of three labelled points the perceptron gets wrong."""
    while True:
        w, X = _vector(rng), rng.integers(-4, 5, (3, 2))
        y = rng.choice([-1, 1], 3)
        margins = y * (X @ w)
        if (margins < 0).sum() == 1 and (margins != 0).all() and len({*map(tuple, X)}) == 3:
            break
    right = int(np.argmin(margins))
    names = [f"{_write(x)} with label ${label:+d}$" for x, label in zip(X, y)]
    wrong = {
        names[i]: rf"$y\langle w, x\rangle = {margins[i]}$ is positive: $w$ is right there."
        for i in range(3)
        if i != right
    }
    return _ask(
        rng,
        id="04-drawn-mistake",
        text=rf"The perceptron is at $w = {_tex(w)}$. Which of these points is a mistake?",
        right=names[right],
        wrong=wrong,
        hint=r"The sign of $y\langle w, x\rangle$ decides.",
        explanation=rf"$y\langle w, x\rangle = {margins[right]} < 0$.",
    )


def which_update(rng: np.random.Generator) -> Question:
    """Ask where an update leads."""
    while True:
        w, x = _vector(rng), _vector(rng)
        if w @ x > 0:
            break
    return _ask(
        rng,
        id="04-drawn-update",
        text=(
            rf"The perceptron is at $w = {_tex(w)}$ and sees $x = {_tex(x)}$ with label $-1$, "
            "a mistake. Where is it next?"
        ),
        right=_write(w - x),
        wrong={
            _write(w + x): "The label is $-1$, and its sign belongs into the update.",
            _write(-x): "An update adds to $w$; it does not replace it.",
        },
        hint="It adds $yx$.",
        explanation=rf"$w + yx = {_tex(w)} - {_tex(x)}$.",
    )


def which_bound(rng: np.random.Generator) -> Question:
    """Ask for the mistake bound."""
    ratio, gamma = int(rng.integers(2, 8)), int(rng.integers(2, 5))
    R = ratio * gamma
    return _ask(
        rng,
        id="05-drawn-bound",
        text=(
            rf"No point is longer than $R = {R}$, and a separator through the origin has margin "
            rf"$\gamma = {gamma}$. At most how many mistakes does the perceptron make?"
        ),
        right=str(ratio**2),
        wrong={
            str(ratio): r"That is $R/\gamma$, without the square.",
            str(ratio**2 * gamma): r"That is $R^2/\gamma$: the margin is squared as well.",
        },
        hint=r"$m\gamma \le \|w\| \le R\sqrt{m}$.",
        explanation=rf"$(R/\gamma)^2 = ({R}/{gamma})^2 = {ratio**2}$.",
    )


def which_kernel(rng: np.random.Generator) -> Question:
    """Ask for a value of the polynomial kernel."""
    while True:
        x, z = _vector(rng), _vector(rng)
        s = int(x @ z)
        if 2 <= s <= 12:
            break
    return _ask(
        rng,
        id="08-drawn-kernel",
        text=(
            rf"What is $K(x, z) = (\langle x, z\rangle + 1)^2$ for $x = {_tex(x)}$, "
            rf"$z = {_tex(z)}$?"
        ),
        right=str((s + 1) ** 2),
        wrong={
            str(s**2 + 1): "The 1 is added before the square.",
            str(2 * (s + 1)): "It is squared, not doubled.",
        },
        hint=r"First $\langle x, z\rangle$.",
        explanation=rf"$\langle x, z\rangle = {s}$, and $({s} + 1)^2 = {(s + 1) ** 2}$.",
    )


def which_street(rng: np.random.Generator) -> Question:
    """Ask how wide the street of a support vector machine is."""
    a, b, norm = TRIPLES[rng.integers(len(TRIPLES))]
    width = Fraction(2, norm)
    return _ask(
        rng,
        id="09-drawn-street",
        text=(
            r"The street lies between $\langle w, x\rangle = b - 1$ and "
            rf"$\langle w, x\rangle = b + 1$, and $w = {_tex((a, b))}$. How wide is it?"
        ),
        right=str(width),
        wrong={
            str(width / 2): "That is the margin: the way from the middle to one kerb.",
            str(2 * norm): r"The longer $w$, the narrower the street.",
        },
        hint=r"What is $\|w\|$?",
        explanation=rf"$2/\|w\| = 2/{norm} = {width}$.",
    )


DRAWN: dict[str, Draw] = {
    "01-drawn-side": which_side,
    "04-drawn-mistake": which_mistake,
    "04-drawn-update": which_update,
    "05-drawn-bound": which_bound,
    "08-drawn-kernel": which_kernel,
    "09-drawn-street": which_street,
}


def _ask(
    rng: np.random.Generator,
    right: str,
    wrong: Mapping[str, str],
    **parts: Any,
) -> Question:
    """Return a question whose choices are in any order."""
    choices = [right, *wrong]
    order = [choices[i] for i in rng.permutation(len(choices))]
    letters = dict(zip(order, LETTERS))
    return Question(
        choices=order,
        answer=letters[right],
        misconceptions={letters[choice]: reason for choice, reason in wrong.items()},
        **parts,
    )


def _vector(rng: np.random.Generator) -> np.ndarray:
    """Return a vector of two whole numbers, none of them 0."""
    return rng.integers(1, 5, 2) * rng.choice([-1, 1], 2)


def _tex(x: Any) -> str:
    return f"({', '.join(str(int(v)) for v in x)})"


def _write(x: Any) -> str:
    return f"${_tex(x)}$"
