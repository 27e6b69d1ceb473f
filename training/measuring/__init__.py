"""How good an agent is: playing loops, counts, estimates, ratings."""
