"""What is expected in the exercises of the notebooks, a module for each."""
