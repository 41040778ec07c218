"""What the notebooks need beside the mathematics: pictures, sliders, questions, checks."""
