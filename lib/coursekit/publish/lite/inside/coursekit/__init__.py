"""What homeworks ask of coursekit, as far as a browser can answer."""
