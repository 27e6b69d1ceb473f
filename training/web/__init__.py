"""Bots over HTTP by `buck serve`, whose requests README.md describes, and the folder of the table in the browser."""
