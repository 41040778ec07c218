"""Honest results of every kind, small, exact and in floats, at any scale:
what the forger starts from.
"""

from fractions import Fraction

import numpy as np
from halfspaces import (
    Conjunction,
    DecisionList,
    best_halfspace,
    check_kernel,
    cube,
    datasets,
    descend,
    hinge,
    hinge_at_zero,
    homogenise,
    polynomial,
    prove_mistake_bound,
    radon_partition,
    rbf,
    run_kernel_perceptron,
    run_modified_perceptron,
    run_perceptron,
    run_rescaled_perceptron,
    separate,
    solve_svm,
)

NOT_A_GRAM = np.array([[1, 0.9, 0], [0.9, 1, 0.9], [0, 0.9, 1]])


def results(scale: float = 1.0) -> dict:
    """Return results by name; `scale` multiplies the points wherever they are floats.

    Where C, γ or a penalty goes with its square, it stays between 1e-30 and 1e30: the library takes
    no number beyond 1e75.
    """
    mild = min(max(scale, 1e-30), 1e30)
    animals, cute = datasets.animals()
    float_animals = scale * animals
    plane, labels = datasets.separable(12, 2, 0.2, 3)
    plane = scale * plane
    noisy, said = datasets.noisy(12, 2, 0.3, 4)
    noisy = mild * noisy
    ring, inside = datasets.circles(10, 5)
    ring = mild * ring
    gamma = 1 / mild**2
    thirds = [[Fraction(1, 3), 1], [-1, Fraction(2, 3)], [Fraction(1, 2), -2]]
    star = solve_svm(plane, labels, bias=False).w
    slow, signs = datasets.two_slow_points(3)
    return {
        "separator": separate(animals, cute),
        "separator of floats": separate(plane, labels),
        "separator through 0": separate(animals, cute, bias=False),
        "no separator": separate(*datasets.xor()),
        "no separator of floats": separate(scale * datasets.xor()[0], datasets.xor()[1]),
        "no separator among many": separate(noisy, said),
        "no separator through 0": separate([[1, 2], [2, 4]], [1, -1], bias=False),
        "radon": radon_partition(scale * np.array([[0.1, 0.2], [1, 0], [0, 1], [0.4, 0.3]])),
        "run": run_perceptron(animals, cute),
        "run of fractions": run_perceptron(thirds, [1, 1, -1], start=[1, -2], step=Fraction(1, 2)),
        "run of floats": run_perceptron(plane, labels),
        "run that is cut short": run_perceptron(*datasets.xor(), max_updates=7),
        "run that does not end": run_perceptron(
            homogenise(datasets.xor()[0]), datasets.xor()[1], max_passes=3
        ),
        "run without a mistake": run_perceptron([[1, 0]], [1], start=[1, 0]),
        "normalised run": run_perceptron(float_animals, cute, normalise=True),
        "bound": prove_mistake_bound(run_perceptron(animals, cute), [-6, 4, 10]),
        "bound of slow points": prove_mistake_bound(run_perceptron(slow, signs), [-1, 5]),
        "bound of floats": prove_mistake_bound(run_perceptron(plane, labels), star),
        "bound from a start": prove_mistake_bound(
            run_perceptron(animals, cute, start=[3, -1, 2], step=3), [-6, 4, 10]
        ),
        "kernel run": run_kernel_perceptron(*datasets.xor(), polynomial(2, 1)),
        "kernel run of floats": run_kernel_perceptron(ring, inside, rbf(gamma)),
        "cone run": run_modified_perceptron(
            homogenise(cube(3)), Conjunction([1, -2], 3)(cube(3)), 0.3
        ),
        "cone run without an update": run_modified_perceptron([[1.0, 2.0]], [1], 0.5, rng=2),
        "cone run of one start": run_modified_perceptron(plane, labels, 0.05, rng=3),
        "rescaled run": run_rescaled_perceptron(*datasets.separable(30, 3, 1e-4, 1), rng=1),
        "Gram matrix": check_kernel(rbf(gamma)(ring, ring)),
        "no Gram matrix": check_kernel(scale * NOT_A_GRAM),
        "descent": descend(hinge, noisy, said, penalty=0.1 * mild**2, steps=20),
        "descent in a ball": descend(
            hinge, noisy, said, radius=0.5 / mild, steps=20, step_size=1 / mild**2
        ),
        "perceptron as descent": descend(
            hinge_at_zero, noisy, said, steps=15, step_size=1 / mild**2, rng=2
        ),
        "best halfspace": best_halfspace(*datasets.xor()),
        "best halfspace of floats": best_halfspace(noisy[:7], said[:7]),
        "best through 0": best_halfspace(noisy[:6], said[:6], bias=False),
        "hard margin": solve_svm(plane, labels),
        "hard margin through 0": solve_svm(plane, labels, bias=False),
        "soft margin": solve_svm(noisy, said, C=1 / mild**2),
        "soft margin through 0": solve_svm(noisy, said, C=1 / mild**2, bias=False),
        "kernel margin": solve_svm(ring, inside, kernel=rbf(gamma)),
        "soft kernel margin": solve_svm(ring, inside, C=1.0, kernel=rbf(gamma)),
        "conjunction": Conjunction([1, -3], d=4),
        "decision list": DecisionList([(1, True), (-2, False), (3, True)], default=False, d=4),
    }
