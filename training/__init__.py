"""Learning, evaluation, tournaments and the command line."""

import os

# Threads of torch that wait by spinning starve each other as soon as anything else runs on the machine.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
