"""The leaderboard of agents/README.md: a table a profile of how strong agents are and how long they think."""
