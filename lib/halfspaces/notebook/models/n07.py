"""What is expected in the exercises of notebook 7, and what is tempting but wrong."""

from typing import Any

from ..exercises import Exercise, Trap

RING = [(i, (i + 1) % 5) for i in range(5)]
STAR = [(0, 1), (0, 2), (0, 3)]


class Cover(set[int]):
    """A set of vertices that remembers the edges it touches, and how large one may be."""

    edges: list[tuple[int, int]]
    most: int


def _cover_of(w: list[int], edges: list[tuple[int, int]]) -> Cover:
    """Let each mistake of w pay for a vertex."""
    wrong = [edge for edge in edges if w[edge[0]] + w[edge[1]] <= 0]
    vertices = [i for i, weight in enumerate(w) if weight >= 0]
    cover = Cover([*vertices, *(i for i, _ in wrong)])
    cover.edges, cover.most = edges, len(vertices) + len(wrong)
    return cover


def _is_cover(got: Any, model: Cover) -> bool | str:
    """Tell what keeps a set of vertices from being a small cover."""
    missed = [edge for edge in model.edges if not set(edge) & set(got)]
    if missed:
        return f"no vertex of it touches the edge {missed[0]}"
    if len(set(got)) > model.most:
        return f"it has {len(set(got))} vertices, and w makes only {model.most} mistakes"
    return True


def _vertices_only(w: list[int], edges: list[tuple[int, int]]) -> set[int]:
    return {i for i, weight in enumerate(w) if weight >= 0}


def _both_ends(w: list[int], edges: list[tuple[int, int]]) -> set[int]:
    ends = [end for i, j in edges if w[i] + w[j] <= 0 for end in (i, j)]
    return _vertices_only(w, edges) | set(ends)


def _minimise(n: int, q: int) -> tuple[int, int]:
    return (1, 0) if 1 + q < 2 * n else (0, 1)


def _count_against_distance(n: int, q: int) -> tuple[int, int]:
    return (1, 0) if q < n else (0, 1)


def _never_give_up(n: int, q: int) -> tuple[int, int]:
    return (1, 0)


EXERCISES = {
    "7.1": Exercise(
        expected=_cover_of,
        inputs=[
            ([3, -1, 2, -1, -1], RING),
            ([-1, -1, -1, -1, -1], RING),
            ([2, -1, -1, -1], STAR),
            ([-5, 1, 1, 1], STAR),
            ([0, 0], [(0, 1)]),
        ],
        same=_is_cover,
        traps=[
            Trap(_vertices_only, "An edge that is a mistake may have two negative ends."),
            Trap(_both_ends, "A mistaken edge pays for one of its ends, not for both."),
        ],
    ),
    "7.2": Exercise(
        expected=_minimise,
        inputs=[(2, 2), (2, 5), (5, 7), (5, 10), (10, 15), (10, 30), (1, 2)],
        traps=[
            Trap(
                _count_against_distance,
                "At (0, 1) each of the n points pays 2, and at (1, 0) the far one pays 1 + q.",
            ),
            Trap(
                _never_give_up,
                "At (1, 0) the far point pays 1 + q, which grows without end.",
            ),
        ],
    ),
}
