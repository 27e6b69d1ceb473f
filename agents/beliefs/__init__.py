"""Deals that fit: the hidden cards of a table drawn given all that one seat knows."""
