"""The pictures in the README: a table in play, how the pretrained bots learned, and the payoffs of a tournament."""
