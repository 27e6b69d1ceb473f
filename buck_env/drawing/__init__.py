"""A table for people: as text, as a picture, and in a window."""
