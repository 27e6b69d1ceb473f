"""The learner at the tables: the policy as it was when a rollout began, which plays while its copy learns."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from training.learning.run.state import load

__all__ = ["Decisions", "Player"]


class Decisions(NamedTuple):
    """What a player decides at B decisions."""

    action: np.ndarray
    """(B,) int64,"""
    log_prob: np.ndarray
    """(B,) float32: the log-probability of each,"""
    value: np.ndarray
    """(B,) float32: and the value of each decision, by the oracle critic where there is one."""


class Player:
    """Plays by copies of the networks `policy` and, where there is one, `critic`; chance is its own generator's."""

    def __init__(self, networks: nn.ModuleDict, device: torch.device, seed: int) -> None:
        self.networks = copy.deepcopy(networks)
        self.generator = torch.Generator(device).manual_seed(seed)
        self._device = device
        self._snapshot = copy.deepcopy(networks["policy"])
        self._snapshot_weights: Mapping[str, np.ndarray] | None = None

    @torch.no_grad()
    def decide(self, observation: np.ndarray, mask: np.ndarray, unseen: np.ndarray) -> Decisions:
        """Decisions drawn by the policy, of observations (B, D), masks (B, A) and unseen cards (B, H, or 0 without a
        critic)."""
        seen = self._tensor(observation).float()
        log_probs, value = self.networks["policy"](seen, self._tensor(mask))
        if "critic" in self.networks:
            value = self.networks["critic"](seen, self._tensor(unseen).float())
        action = self._draw(log_probs)
        log_prob = log_probs.gather(1, action[:, None])[:, 0]
        return Decisions(action.cpu().numpy(), log_prob.cpu().numpy(), value.cpu().numpy())

    @torch.no_grad()
    def critic_values(self, observation: np.ndarray, unseen: np.ndarray) -> np.ndarray:
        """The oracle critic's values (B,) of observations (B, D) and unseen cards (B, H)."""
        value: torch.Tensor = self.networks["critic"](self._tensor(observation).float(), self._tensor(unseen).float())
        values: np.ndarray = value.cpu().numpy()
        return values

    @torch.no_grad()
    def decide_as(self, weights: Mapping[str, np.ndarray], observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Actions (B,) drawn by the policy of other weights, of observations (B, D) and masks (B, A)."""
        if weights is not self._snapshot_weights:
            load(self._snapshot, weights)
            self._snapshot_weights = weights
        log_probs, _ = self._snapshot(self._tensor(observation).float(), self._tensor(mask))
        actions: np.ndarray = self._draw(log_probs).cpu().numpy()
        return actions

    def _tensor(self, array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(array).to(self._device)

    def _draw(self, log_probs: torch.Tensor) -> torch.Tensor:
        """An action of each row by its probabilities."""
        noise = torch.empty_like(log_probs).exponential_(generator=self.generator)
        return (log_probs - noise.log()).argmax(dim=1)
