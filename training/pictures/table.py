"""A picture of one table in the middle of a hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agents import choose, load_agent
from buck_env import buck_euchre_v0
from buck_env.game.actions import action_id
from buck_env.records import view_of

__all__ = ["table_in_play"]


def table_in_play(
    rules: str, agent: str, seed: int, plays: int, scores: Sequence[int] | None = None, viewer: int = 0
) -> np.ndarray:
    """A table as one seat sees it, (H, W, 3) uint8, as soon as a hand has come to so many cards played.

    The hands are those of the seed, from these scores on, with the agent in every seat. If the match ends before, the
    picture shows its end.
    """
    env = buck_euchre_v0.raw_env(rules=rules, episode="match", render_mode="rgb_array", viewer=viewer)
    player = load_agent(agent, rules)
    env.reset(seed=seed, options={"scores": list(scores)} if scores else None)
    while not any(env.terminations.values()):
        record = env.record()
        if sum(step["phase"] == "play" for step in record["steps"]) == plays:
            break
        seat = env.agents.index(env.agent_selection)
        env.step(action_id(choose(player, view_of(record, seat))))
    return np.asarray(env.render())
