"""The report of an event: a table for the terminal, JSON and CSV for programs, a picture, and a page for a browser."""
