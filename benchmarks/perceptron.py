"""How fast the perceptron is, beside scikit-learn's and beside the textbook loop,
in the same run.

Where mistakes are many, at margin 0.01, the target of 2 is out of reach so far: each mistake ends
a block of points looked at together, and costs some calls of numpy that compiled code does without.
"""

from collections.abc import Callable, Iterator

import numpy as np
from halfspaces import run_perceptron
from sklearn.linear_model import Perceptron
from threadpoolctl import threadpool_limits

from benchmarks.measuring import Row, best_time, exponent, race


def separated(n: int, d: int, margin: float) -> tuple[np.ndarray, np.ndarray]:
    """Draw Gaussian points with a margin through the origin."""
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(int(1.2 * n), d)), rng.normal(size=d)
    X = X[np.abs(X @ w) > margin * np.linalg.norm(w)][:n]
    return X, np.where(X @ w > 0, 1, -1)


def textbook(X: np.ndarray, y: np.ndarray) -> list[int]:
    """Run the perceptron point by point; return its mistakes in order."""
    w, mistakes, before = np.zeros(X.shape[1]), [], -1
    while before < len(mistakes):
        before = len(mistakes)
        for i in range(len(X)):
            if y[i] * (w @ X[i]) <= 0:
                w = w + y[i] * X[i]
                mistakes.append(i)
    return mistakes


def rows(progress: Callable[[str], None]) -> Iterator[Row]:
    """Yield one row for each measurement."""
    for margin in (0.01, 0.05):  # many mistakes a pass, and few
        progress(f"perceptron, 200,000 × 20, margin {margin}")
        X, y = separated(200_000, 20, margin)
        run = run_perceptron(X, y)
        rival = Perceptron(fit_intercept=False, shuffle=False, tol=None, max_iter=run.passes)
        with threadpool_limits(1):
            ours, theirs = race(lambda: run_perceptron(X, y), lambda: rival.fit(X, y))
        same = np.allclose(rival.coef_[0], run.w)
        yield (
            f"perceptron, margin {margin}, against scikit-learn",
            ours,
            theirs,
            theirs / ours,
            2.0,
            f"{len(run.mistakes):,} mistakes in {run.passes} passes; "
            f"{'the same' if same else 'ANOTHER'} w",
        )
    progress("the textbook loop on the same data (some seconds)")
    mistakes = []
    slow = best_time(lambda: mistakes.append(textbook(X, y)), 1)
    same = mistakes[0] == run.mistakes.tolist()
    yield (
        f"perceptron, margin {margin}, against the textbook loop",
        ours,
        slow,
        slow / ours,
        None,
        "mistake for mistake identical" if same else "ANOTHER sequence of mistakes",
    )
    sizes, times = [25_000, 50_000, 100_000, 200_000], []
    for n in sizes:
        progress(f"growth of a pass, n = {n:,}")
        part = run_perceptron(X[:n], y[:n])
        times.append(best_time(lambda: run_perceptron(X[:n], y[:n])) / part.passes)
    yield (
        "growth over n: one pass of the perceptron",
        times[-1],
        float("nan"),
        float("nan"),
        None,
        f"time grows like n^{exponent(sizes, times):.2f}; seconds are a pass at n = {sizes[-1]:,}",
    )
