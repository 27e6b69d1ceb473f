"""Agents that are programs, and programs that ask agents: one decision as JSON."""
