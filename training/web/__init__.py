"""Bots over HTTP by `buck serve`, whose requests README.md describes, and the table in the browser as a folder."""
