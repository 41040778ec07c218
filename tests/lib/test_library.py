"""The library as a whole: light to import, and importing nothing it should not."""

import subprocess
import sys

from without import NO_PROCESSES


@NO_PROCESSES
def test_import_brings_neither_pictures_nor_widgets():
    code = "import halfspaces, sys; print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    unwanted = {"matplotlib", "ipywidgets", "IPython", "sklearn", "coursekit"}
    assert not unwanted & set(result.stdout.split())


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
