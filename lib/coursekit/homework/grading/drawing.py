"""What many homeworks need to draw inputs: exact vectors, and cases that tell answers apart."""

from collections.abc import Callable
from typing import Any

MOST = 100_000  # draws, before we say that none is good


def draw(rng: Any, make: Callable[..., tuple], good: Callable[..., Any], n: int = 1) -> list[tuple]:
    """Draw cases with make(rng) until n of them are good, which tells right answers from wrong."""
    cases: list[tuple] = []
    for _ in range(MOST):
        if len(cases) == n:
            return cases
        case = make(rng)
        if good(*case):
            cases.append(case)
    raise ValueError(
        f"{good.__name__} accepts fewer than {n} of {MOST:,} cases drawn by {make.__name__}"
    )


def vector(rng: Any, d: int, size: int = 9) -> list[int]:
    """Draw a list of d whole numbers from −size to size."""
    return rng.integers(-size, size + 1, d).tolist()


def once(rng: Any) -> list[tuple]:
    """Let a function without arguments be called once."""
    return [()]


def inner(u: Any, v: Any) -> Any:
    """Return ⟨u, v⟩."""
    return sum(a * b for a, b in zip(u, v))


def add(u: Any, v: Any) -> list[Any]:
    """Return u + v."""
    return [a + b for a, b in zip(u, v)]
