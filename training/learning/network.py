"""The networks that learn: a policy with a value head, and a critic that sees every hand."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from agents.bots.network import input_scale, layer_names, read_network
from agents.pretrained import pretrained_folder
from buck_env import OBSERVATION_SIZE, BuckError, Rules
from training.learning.run.config import NetworkRunConfig
from training.learning.unseen_cards import UNSEEN_SIZE

__all__ = ["Critic", "Network", "checked_device", "initial_weights", "masked_log_softmax"]


class Network(nn.Module):
    """Hidden ReLU layers over an observation, then a policy and a value head."""

    def __init__(self, hidden: list[int], objective: str = "points") -> None:
        super().__init__()
        self.depth = len(hidden)
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.from_numpy(input_scale(objective)), persistent=False)
        for name, inputs, outputs in layer_names(hidden):
            self.add_module(name, _layer(inputs, outputs, {"policy": 0.01, "value": 1.0}.get(name, 2**0.5)))

    def forward(self, observation: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities (B, A), about -80 where illegal, and values (B,), of (B, D) float and (B, A)."""
        x = observation * self.scale
        for i in range(self.depth):
            x = torch.relu(self.get_submodule(f"hidden_{i}")(x))
        log_probs = masked_log_softmax(self.get_submodule("policy")(x), mask)
        return log_probs, self.get_submodule("value")(x)[:, 0]


def masked_log_softmax(logits: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Log-probabilities (B, A) of the legal actions; an illegal one has e to the -80 of the likeliest one's chance.

    That is nothing to a float32 beside it, and the smallest number whose exponential is quick: below it is subnormal.
    """
    illegal = mask == 0
    best = logits.detach().masked_fill(illegal, -torch.inf).amax(dim=1, keepdim=True)
    return torch.log_softmax((logits - best).masked_fill(illegal, -80.0), dim=1)


class Critic(nn.Module):
    """An oracle critic: a value of the observation and of the cards that it does not show. It never leaves training."""

    def __init__(self, hidden: list[int], objective: str = "points") -> None:
        super().__init__()
        scale = np.concatenate([input_scale(objective), np.ones(UNSEEN_SIZE, np.float32)])
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.from_numpy(scale), persistent=False)
        layers: list[nn.Module] = []
        inputs = OBSERVATION_SIZE + UNSEEN_SIZE
        for width in hidden:
            layers += [_layer(inputs, width, 2**0.5), nn.ReLU()]
            inputs = width
        self.layers = nn.Sequential(*layers, _layer(inputs, 1, 1.0))

    def forward(self, observation: torch.Tensor, unseen: torch.Tensor) -> torch.Tensor:
        """Values (B,) of observations (B, D) and unseen cards (B, H), both float."""
        value: torch.Tensor = self.layers(torch.cat([observation, unseen], dim=1) * self.scale)[:, 0]
        return value


def _layer(inputs: int, outputs: int, gain: float) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def initial_weights(config: NetworkRunConfig, rules: Rules) -> dict[str, torch.Tensor]:
    """The weights of a run's `initial` bot; entries that it did not see, as scores, get no weight yet.

    BuckError where the bot is of other rules, sizes or suits.
    """
    bot, weights = read_network(_folder_of(str(config.initial)), rules)
    if (bot.hidden, bot.canonical) != (list(config.hidden), config.canonical):
        raise BuckError(
            f"initial: {config.initial} has hidden {bot.hidden} and canonical {bot.canonical}; train with the same"
        )
    weights["hidden_0.weight"] = weights["hidden_0.weight"] * (input_scale(bot.objective) > 0)
    return {name: torch.from_numpy(array) for name, array in weights.items()}


def _folder_of(bot: str) -> str:
    """The folder of a bot, which is given as a folder or as ``pretrained:NAME``."""
    return pretrained_folder(bot.removeprefix("pretrained:")) if bot.startswith("pretrained:") else bot


def checked_device(name: str) -> torch.device:
    """Where torch is to compute; BuckError where there is no such device."""
    there = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
    if name not in there:
        raise BuckError(f"device: {name!r} is not allowed on this machine; allowed: {', '.join(there)}")
    return torch.device(name)
