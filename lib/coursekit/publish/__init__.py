"""What is derived from the sources: outputs, pages, verdicts, locks, pictures."""
