"""Halfspaces: the mathematics of the course, in which every answer carries its certificate.

Verbs are functions, nouns are frozen dataclasses, and what a function returns can `check()` itself.
What notebooks need beside it, pictures, sliders, questions and checks, is in `halfspaces.notebook`,
imported by name, for it brings matplotlib.
"""

from . import datasets
from .boolean import (
    AtLeast,
    Conjunction,
    DecisionList,
    Disjunction,
    Formula,
    count_threshold_functions,
    cube,
)
from .certificates import CertificateError
from .halfspace import Halfspace, homogenise
from .kernels import (
    Kernel,
    KernelCheck,
    check_kernel,
    geometric,
    gram,
    linear,
    monomials,
    polynomial,
    rbf,
)
from .losses import (
    BestHalfspace,
    Descent,
    Loss,
    best_halfspace,
    descend,
    hinge,
    hinge_at_zero,
    logistic,
    squared_hinge,
    zero_one,
)
from .mistake_bound import MistakeBound, Row, prove_mistake_bound
from .perceptron import (
    from_sets,
    run_kernel_perceptron,
    run_modified_perceptron,
    run_perceptron,
    run_rescaled_perceptron,
)
from .runs import ConeRun, KernelRun, Phase, RescaledRun, Run
from .separability import Separation, radon_partition, separate, shatters
from .svm import SVM, NotSeparableError, solve_svm

__all__ = [
    "SVM",
    "AtLeast",
    "BestHalfspace",
    "CertificateError",
    "ConeRun",
    "Conjunction",
    "DecisionList",
    "Descent",
    "Disjunction",
    "Formula",
    "Halfspace",
    "Kernel",
    "KernelCheck",
    "KernelRun",
    "Loss",
    "MistakeBound",
    "NotSeparableError",
    "Phase",
    "RescaledRun",
    "Row",
    "Run",
    "Separation",
    "best_halfspace",
    "check_kernel",
    "count_threshold_functions",
    "cube",
    "datasets",
    "descend",
    "from_sets",
    "geometric",
    "gram",
    "hinge",
    "hinge_at_zero",
    "homogenise",
    "linear",
    "logistic",
    "monomials",
    "polynomial",
    "prove_mistake_bound",
    "radon_partition",
    "rbf",
    "run_kernel_perceptron",
    "run_modified_perceptron",
    "run_perceptron",
    "run_rescaled_perceptron",
    "separate",
    "shatters",
    "solve_svm",
    "squared_hinge",
    "zero_one",
]

__version__ = "0.2.0"  # pyproject.toml takes it from here
