"""What is expected in the exercises of notebook 2b, and what is tempting but wrong."""

from ..exercises import Exercise, Trap


def pairs(d: int, W: int) -> int:
    """Return how many pairs (w, b) there are, of whole numbers."""
    return int((2 * W + 1) ** d * (2 * d * W + 2))


def without_zero(d: int, W: int) -> int:
    """Forget the weight 0."""
    return int((2 * W) ** d * (2 * d * W + 2))


def threshold_like_a_weight(d: int, W: int) -> int:
    """Bound the threshold as the weights are."""
    return int((2 * W + 1) ** (d + 1))


def without_never(d: int, W: int) -> int:
    """Forget the threshold above all sums."""
    return int((2 * W + 1) ** d * (2 * d * W + 1))


def price_by_hand(k: int) -> int:
    """Return the squared length of the shortest vector for x₁ ∨ (x₂ ∧ … ∧ x_k)."""
    return 8 * k**2 - 16 * k + 9


def threshold_not_counted(k: int) -> int:
    """Forget that b is a coordinate of v."""
    return (2 * k - 2) ** 2 + 4 * (k - 1)


def scores_of_zero(k: int) -> int:
    """Take (k − 1)x₁ + x₂ + … + x_k ≥ k − 1, which is right, but touches the corners."""
    return (k - 1) ** 2 + (k - 1) + (k - 1) ** 2


def doubling(k: int) -> int:
    """Take the weights of the decision list with base 2."""
    return int(sum(4**j for j in range(1, k + 1)) + (2**k - 3) ** 2)


EXERCISES = {
    "2b.1": Exercise(
        expected=pairs,
        inputs=[(2, 1), (3, 1), (4, 1), (3, 2), (10, 5)],
        traps=[
            Trap(without_zero, "A weight may be 0 too: each has 2W + 1 values."),
            Trap(
                threshold_like_a_weight,
                "The threshold is compared with a sum of d weights: it has more values than one.",
            ),
            Trap(without_never, "With b = dW + 1 the halfspace is empty: that is a function too."),
        ],
    ),
    "2b.2": Exercise(
        expected=price_by_hand,
        inputs=[2, 3, 4, 5, 8],
        traps=[
            Trap(threshold_not_counted, "v = (w, b): the threshold counts in the length."),
            Trap(
                scores_of_zero,
                "These weights compute the formula, but some corners have score 0, not 1.",
            ),
            Trap(doubling, "These are the doubling votes; the shortest vector is far shorter."),
        ],
    ),
}
