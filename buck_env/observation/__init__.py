"""What a seat sees: the observation, its encoding, and the views that agents are given."""
