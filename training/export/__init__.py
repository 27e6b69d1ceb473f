"""Bots that leave as bundles."""
