"""All of coursekit that the sandbox sees; nothing here imports the rest of it."""
