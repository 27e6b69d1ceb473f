"""What holds for every test."""

import signal

# A shell that starts the tests in the background ignores ctrl-C for them and for every program that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
