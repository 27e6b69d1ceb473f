"""Average strategies of regret minimisation: what they know of a hand, their files, and the agent that plays them."""
