"""Settings for all tests."""

import matplotlib
from hypothesis import settings

matplotlib.use("agg")  # not by MPLBACKEND, which the kernels of the notebooks would inherit

settings.register_profile("course", deadline=None)  # a busy machine is not a failure
settings.load_profile("course")
