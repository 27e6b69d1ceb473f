"""Networks that are asked how likely they are to act in compiled code, as beliefs ask them: thousands of times for one
decision."""

from __future__ import annotations

import numpy as np

from agents.bots.compiled_network import pack_networks, rate_tables
from agents.bots.network import NetworkAgent
from buck_env.observation.agent import Agent
from buck_env.observation.views import Views

__all__ = ["CompiledModel", "as_model"]


class CompiledModel(NetworkAgent):
    """A network whose probabilities are computed where an observation is mostly zeros: in less than half the time."""

    def __init__(self, agent: NetworkAgent) -> None:
        super().__init__(agent.bot, agent.weights, agent.sampled)
        self._networks = pack_networks([agent])

    def probabilities(self, views: Views) -> np.ndarray:
        """How likely the policy is to draw each action: (B, A) float64, 0 where illegal, suits as they are."""
        return np.exp(rate_tables(self._networks, 0, views.tables, views.rules).astype(np.float64))


def as_model(agent: Agent) -> Agent:
    """The agent as others are believed to play: a network compiled, anybody else as it is."""
    return CompiledModel(agent) if isinstance(agent, NetworkAgent) else agent
