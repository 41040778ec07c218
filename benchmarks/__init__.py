"""What is measured, beside what a user would pick instead; each row is a ratio of one run."""
