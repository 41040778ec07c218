"""Serve the course to a class by JupyterHub on one machine, each student behind walls."""
