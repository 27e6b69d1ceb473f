"""MaskablePPO of stable-baselines3 as a learner: the familiar path, and the yardstick of self-play."""
