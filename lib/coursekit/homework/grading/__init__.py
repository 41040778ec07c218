"""Grading that trusts no submission: answers run in a sandbox, and what they return is graded."""
