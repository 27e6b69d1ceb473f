"""What a decision was worth: action values over deals that fit, for one position, for a game, and in bulk."""
