"""Agents by name."""
