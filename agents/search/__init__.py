"""Agents that look ahead: hands solved exactly, and the deals that a seat cannot rule out searched."""
