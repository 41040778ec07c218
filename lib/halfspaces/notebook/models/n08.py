"""What is expected in the exercises of notebook 8, and what is tempting but wrong."""

from collections.abc import Callable, Sequence
from typing import Any

from ..exercises import Exercise, Trap

Point = Sequence[int]
PlaneKernel = Callable[[Point, Point], int]
Pair = tuple[list[int], list[int]]


def square_kernel(x: Point, z: Point) -> int:
    """Return (1 + ⟨x,z⟩)² in the plane."""
    return (1 + x[0] * z[0] + x[1] * z[1]) ** 2


def _distance2(K: PlaneKernel, x: Point, z: Point) -> int:
    return K(x, x) - 2 * K(x, z) + K(z, z)


def _one_of_two(K: PlaneKernel, x: Point, z: Point) -> int:
    return K(x, x) - K(x, z) + K(z, z)


def _kernel_of_difference(K: PlaneKernel, x: Point, z: Point) -> int:
    step = [a - b for a, b in zip(x, z)]
    return K(step, step)


def _all_products(phi: list[int], psi: list[int]) -> list[int]:
    return [a * b for a in phi for b in psi]


def _same_features(got: Any, expected: list[int]) -> bool | str:
    """Compare features up to their order."""
    if len(got) != len(expected):
        return f"there are {len(got)} features, and {len(expected)} pairs of features"
    return sorted(got) == sorted(expected)


def _entry_by_entry(phi: list[int], psi: list[int]) -> list[int]:
    return [a * b for a, b in zip(phi, psi)]


def _side_by_side(phi: list[int], psi: list[int]) -> list[int]:
    return [*phi, *psi]


EXERCISES = {
    "8.1": Exercise(
        expected=_distance2,
        inputs=[
            (square_kernel, (0, 0), (1, 2)),
            (square_kernel, (3, -1), (3, -1)),
            (square_kernel, (1, 1), (-1, -1)),
        ],
        traps=[
            Trap(_one_of_two, "The mixed inner product occurs twice: ⟨x,z⟩ and ⟨z,x⟩."),
            Trap(
                _kernel_of_difference,
                "φ(x − z) is not φ(x) − φ(z): the feature map need not be linear.",
            ),
        ],
    ),
    "8.2": Exercise(
        expected=_all_products,
        inputs=[([1, 2], [3, 4, 5]), ([2], [7, -1]), ([1, -1, 2], [1, 3, 0])],
        same=_same_features,
        traps=[
            Trap(_entry_by_entry, "A product of sums has all pairs, not only those in step."),
            Trap(_side_by_side, "Features side by side make the sum K + K′."),
        ],
    ),
}
