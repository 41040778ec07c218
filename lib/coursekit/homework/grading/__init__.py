"""Grading that trusts no submission: the answers run in a sandbox, and what is graded is what they return."""
