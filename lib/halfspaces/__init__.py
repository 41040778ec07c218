"""Halfspaces: the mathematics of the course, in which every answer carries its certificate.

Verbs are functions, nouns are frozen dataclasses, and what a function returns can `check()` itself. The pictures
(`halfspaces.notebook.figures`) and sliders (`halfspaces.notebook.live`) are imported by name, for they bring matplotlib.
"""

from . import datasets
from .validation import CertificateError
from .boolean import (
    AtLeast,
    Conjunction,
    DecisionList,
    Disjunction,
    count_threshold_functions,
    cube,
)
from .halfspace import Halfspace, homogenise
from .kernels import check_kernel, geometric, gram, linear, monomials, polynomial, rbf
from .losses import best_halfspace, descend, hinge, hinge_at_zero, logistic, squared_hinge, zero_one
from .mistake_bound import MistakeBound, prove_mistake_bound
from .perceptron import (
    from_sets,
    run_kernel_perceptron,
    run_modified_perceptron,
    run_perceptron,
    run_rescaled_perceptron,
)
from .runs import Run
from .separability import Separation, radon_partition, separate, shatters
from .svm import SVM, NotSeparableError, solve_svm

__version__ = "0.2.0"  # pyproject.toml takes it from here
