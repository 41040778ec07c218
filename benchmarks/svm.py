"""How fast the SVM solver is, beside scikit-learn's SVC in the same run."""

import tracemalloc
from collections.abc import Callable, Iterator

import numpy as np
from halfspaces.kernels import rbf
from halfspaces.svm import solve_svm
from sklearn.svm import SVC

from benchmarks.measuring import Row, best_time, exponent


def two_clouds(n: int, d: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw two Gaussian clouds that overlap: one point in six lies on the wrong side."""
    y = rng.choice([-1, 1], n)
    return rng.normal(size=(n, d)) + y[:, None] / np.sqrt(d), y


def ring(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw points of the plane, labelled by a noisy circle."""
    X = rng.normal(size=(n, 2))
    return X, np.where((X**2).sum(axis=1) + 0.6 * rng.normal(size=n) > 2, 1, -1)


def rows(progress: Callable[[str], None] = lambda message: None) -> Iterator[Row]:
    """Yield one row for each measurement; a row without a rival has NaN for it."""
    rng = np.random.default_rng(0)

    progress("linear SVM, 10,000 × 20")
    X, y = two_clouds(10_000, 20, rng)
    svm = solve_svm(X, y, C=1)
    ours, theirs = (
        best_time(lambda: solve_svm(X, y, C=1)),
        best_time(lambda: SVC(kernel="linear").fit(X, y), 1),
    )
    yield (
        "linear SVM, 10,000 × 20",
        ours,
        theirs,
        theirs / ours,
        3.0,
        f"certified gap {max(svm.relative_gap, 0):.0e}; SVC at its default tolerance",
    )

    for n in (200, 1000):
        for tolerance in (1e-3, 1e-8):
            progress(f"RBF SVM, n = {n}, SVC at {tolerance:g}")
            X, y = ring(n, rng)
            svm = solve_svm(X, y, C=1, kernel=rbf(0.5))
            ours = best_time(lambda: solve_svm(X, y, C=1, kernel=rbf(0.5)))
            theirs = best_time(lambda: SVC(gamma=0.5, tol=tolerance).fit(X, y))
            yield (
                f"RBF SVM in the plane, n = {n}",
                ours,
                theirs,
                theirs / ours,
                None,
                f"certified gap {max(svm.relative_gap, 0):.0e}; SVC at tolerance {tolerance:g}",
            )

    for name, sizes, draw, options, rival in (
        ("linear, d = 20", [4000, 8000, 16000, 32000], lambda n: two_clouds(n, 20, rng), {}, None),
        (
            "RBF in the plane",
            [500, 1000, 2000, 4000],
            lambda n: ring(n, rng),
            {"kernel": rbf(0.5)},
            {"gamma": 0.5},
        ),
    ):
        mine, others = [], []
        for n in sizes:
            progress(f"growth, {name}, n = {n}")
            X, y = draw(n)
            mine.append(best_time(lambda: solve_svm(X, y, C=1, **options), 2))
            if rival or n <= 8000:  # SVC takes minutes beyond
                others.append(best_time(lambda: SVC(**rival or {"kernel": "linear"}).fit(X, y), 1))
        p, q = exponent(sizes, mine), exponent(sizes[: len(others)], others)
        yield (
            f"growth over n: {name}",
            mine[-1],
            others[-1] if rival else float("nan"),
            others[-1] / mine[-1] if rival else float("nan"),
            None,
            f"time grows like n^{p:.2f} (SVC: n^{q:.2f}); seconds are at n = {sizes[-1]:,}",
        )

    progress("peak memory")
    X, y = two_clouds(20_000, 20, rng)
    tracemalloc.start()
    solve_svm(X, y, C=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    yield (
        "peak memory, linear, 20,000 × 20",
        float("nan"),
        float("nan"),
        8 * len(X) ** 2 / peak,
        None,
        f"{peak / 2**20:.0f} MiB; "
        f"the ratio is to an n × n array ({8 * len(X) ** 2 / 2**20:,.0f} MiB)",
    )
