"""The command line, `buck`."""
