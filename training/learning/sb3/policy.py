"""The network of `network.py` as a policy of stable-baselines3: the same layers, by the names that bots use."""

from __future__ import annotations

from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from agents.bots.network import input_scale, layer_names

__all__ = ["HiddenLayers", "bot_layers", "policy_settings"]


class HiddenLayers(BaseFeaturesExtractor):
    """Hidden ReLU layers over an observation (B, D) times a scale; policy and value head share them."""

    def __init__(self, observation_space: spaces.Box, hidden: list[int], objective: str) -> None:
        *layers, (_, features, _), _ = layer_names(hidden)
        super().__init__(observation_space, features)
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.from_numpy(input_scale(objective)), persistent=False)
        self.layers = nn.ModuleDict({name: nn.Linear(inputs, outputs) for name, inputs, outputs in layers})

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Features (B, F)."""
        x = observations * self.scale
        for layer in self.layers.values():
            x = torch.relu(layer(x))
        return x


def policy_settings(hidden: list[int], objective: str = "points") -> dict[str, Any]:
    """The `policy_kwargs` that give MaskablePPO's MlpPolicy this network; SB3 initialises it as ours is."""
    settings = {"hidden": hidden, "objective": objective}
    return {"features_extractor_class": HiddenLayers, "features_extractor_kwargs": settings, "net_arch": []}


def bot_layers(policy: MaskableActorCriticPolicy) -> nn.ModuleDict:
    """A policy's own layers, by the names that bots use."""
    extractor = policy.features_extractor
    assert isinstance(extractor, HiddenLayers)
    return nn.ModuleDict({**extractor.layers, "policy": policy.action_net, "value": policy.value_net})
