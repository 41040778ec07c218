"""The library as a whole: small, light to import, and importing nothing it should not."""

import subprocess
import sys
from pathlib import Path

import halfspaces
import pytest

ROOM = Path(halfspaces.__file__).parent
MATHEMATICS = sorted(
    p
    for p in ROOM.glob("*.py")
    if p.name not in {"figures.py", "live.py", "questions.py", "exercises.py"}
)


def test_import_brings_neither_pictures_nor_widgets():
    code = (
        "import halfspaces, sys; "
        "print(sorted({'matplotlib', 'ipywidgets', 'IPython', 'sklearn', 'coursekit'} & set(sys.modules)))"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.strip()
        == "[]"
    )


def test_the_contract_of_names():
    import halfspaces.boolean
    import halfspaces.kernels
    import halfspaces.losses
    import halfspaces.perceptron

    contract = {
        "halfspace": "Halfspace homogenise",
        "boolean": "Conjunction Disjunction DecisionList cube count_threshold_functions",
        "separability": "separate Separation shatters",
        "perceptron": "run_perceptron run_modified_perceptron run_kernel_perceptron",
        "runs": "Run",
        "mistake_bound": "prove_mistake_bound MistakeBound",
        "losses": "zero_one hinge_at_zero hinge descend best_halfspace",
        "kernels": "linear polynomial geometric rbf gram check_kernel",
        "svm": "solve_svm SVM",
        "datasets": "animals separable xor circles",
    }
    for module, names in contract.items():
        for name in names.split():
            assert hasattr(getattr(halfspaces, module), name), f"{module}.{name}"
