"""Lecture from the notebooks: decks, slides, typed editions, the guide, and the room that votes."""
