"""Data sets for offline learning: the hands of an event as episodes, in the format of Farama's Minari."""
