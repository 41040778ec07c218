"""Answers to the trial homework: right ones, and wrong ones with the mark that each gets."""

RIGHT = {
    "q1": [
        "def count_mistakes(y, labels):\n    return [a * b for a, b in zip(y, labels)].count(-1)",
        """
import numpy as np

def count_mistakes(y, labels):
    return np.sum(np.array(y) != np.array(labels))
""",
    ],
    "q2": [
        "def my_point():\n    return [0, Fraction(b, w[1])]",
        """
import numpy as np

def my_point():
    return np.array([Fraction(b - w[1], w[0]), 1])
""",
    ],
}

WRONG = {
    "q1": {
        "counts what agrees": (
            "def count_mistakes(y, labels):\n    return sum(a == b for a, b in zip(y, labels))",
            0,
        ),
        "the first one is not looked at": (
            "def count_mistakes(y, labels):\n"
            "    return sum(a != b for a, b in zip(y[1:], labels[1:]))",
            0,
        ),
        "a share": (
            "def count_mistakes(y, labels):\n"
            "    return sum(a != b for a, b in zip(y, labels)) / max(1, len(y))",
            0,
        ),
        "fails without labels": (
            "def count_mistakes(y, labels):\n"
            "    return sum(a != b for a, b in zip(y, labels)) + 0 * y[0]",
            1,
        ),
        "never a mistake": ("def count_mistakes(y, labels):\n    return 0", 0),
        "a text": (
            "def count_mistakes(y, labels):\n"
            "    return str(sum(a != b for a, b in zip(y, labels)))",
            0,
        ),
    },
    "q2": {
        "floats": ("def my_point():\n    return b / w[0], 0", 1),
        "the other axis": ("def my_point():\n    return 0, Fraction(b, w[0])", 0),
        "w itself": ("def my_point():\n    return w", 0),
        "one number": ("def my_point():\n    return Fraction(b, w[0])", 0),
        "three numbers": ("def my_point():\n    return Fraction(b, w[0]), 0, 0", 0),
        "the line through 0": ("def my_point():\n    return -w[1], w[0]", 0),
    },
}
