"""What an instructor learns from a graded class: how questions worked, what answers share."""
