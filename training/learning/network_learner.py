"""What every learner whose bot is a network does alike: it starts from a bot's weights, and writes one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch

from agents.bots.bot import write_bot
from agents.bots.network import NetworkAgent
from buck_env import Rules
from training.learning.network import initial_weights
from training.learning.run.config import NetworkRunConfig

__all__ = ["NetworkLearner"]


class NetworkLearner(ABC):
    """A learner of a network, as a run knows it."""

    prefix: ClassVar[str] = "ppo"
    config: NetworkRunConfig
    rules: Rules
    phases: list[str]
    objective: str
    """What the bot plays for: ``points`` or ``win``."""

    @property
    def origin(self) -> str:
        """What the network starts from, in words."""
        return f"the weights of {self.config.initial}" if self.config.initial else "random weights"

    def begin(self) -> None:
        """Take over the weights of the run's initial bot, if there is one."""
        if self.config.initial is not None:
            self.start_from(initial_weights(self.config, self.rules))

    @abstractmethod
    def start_from(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Take over weights."""

    @abstractmethod
    def weights(self) -> dict[str, np.ndarray]:
        """The bot's weights as they are now."""

    def write_bot(self, folder: Path, facts: Mapping[str, Any]) -> NetworkAgent:
        """Write the bot as it is now into a folder, with these facts about the run; it, as an agent."""
        weights = self.weights()
        bot = write_bot(
            folder,
            weights,
            canonical=self.config.canonical,
            objective=self.objective,
            phases=self.phases,
            hidden=list(self.config.hidden),
            **facts,
        )
        return NetworkAgent(bot, weights)
