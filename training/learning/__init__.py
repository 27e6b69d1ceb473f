"""Learning: rollouts, losses, learners, runs."""
