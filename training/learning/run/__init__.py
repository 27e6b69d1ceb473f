"""A training run, whoever learns in it: its settings, its loop, its folder and its checkpoint."""
