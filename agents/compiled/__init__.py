"""Agents that kernels can ask, and whole hands played by them without leaving compiled code."""
