"""`rules-v1`, the hand-written player."""
