"""Bots over HTTP: `buck serve` answers for the bots that its command names, and README.md describes the requests."""
