"""The room: students vote on a question from their phones."""
