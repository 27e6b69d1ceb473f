"""Sweeps: a grid of settings times seeds, each trained and measured, in one table and one picture."""
