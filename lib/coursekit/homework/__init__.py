"""Homework: handed out, released, graded, returned."""
