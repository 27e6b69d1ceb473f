"""A network in training, whoever learns: steps down its loss, and the running mean of its policy."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import torch
from torch import nn

from buck_env import BuckError
from training.learning.losses import Term, scheduled, total_loss
from training.learning.run.ranks import ALONE, Ranks
from training.learning.run.state import arrays, load, load_optimizer, marked, optimizer_arrays, part

__all__ = ["Descent", "StepSettings"]


class StepSettings(Protocol):
    """The settings of a run that steps need."""

    @property
    def learning_rate(self) -> float: ...

    @property
    def max_grad_norm(self) -> float: ...

    @property
    def averaging(self) -> float: ...


class Descent:
    """Adam on some networks, of which `policy` is one or all, and the running mean of that one."""

    def __init__(
        self, config: StepSettings, networks: nn.Module, policy: nn.Module, *, fused: bool = True, ranks: Ranks = ALONE
    ) -> None:
        self._config = config
        self._ranks = ranks
        self._networks = networks
        self._policy = policy
        self.mean = copy.deepcopy(policy)
        """The running mean of the policy: the bot."""
        self._parameters = list(networks.parameters())
        self._averaged = list(zip(self.mean.parameters(), policy.parameters(), strict=True))
        self._optimizer = torch.optim.Adam(self._parameters, lr=config.learning_rate, eps=1e-5, fused=fused)
        self.steps = 0
        """Steps taken so far."""

    def step(self, terms: list[Term], progress: float) -> dict[str, np.ndarray]:
        """One step down the terms of a loss, at a progress of the run from 0 to 1; the terms by name, () or (B,) each.

        BuckError where the loss is not finite.
        """
        rate = scheduled(self._config.learning_rate, self._config.learning_rate / 10, progress)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        loss = total_loss(terms)
        if not torch.isfinite(loss):
            raise BuckError(
                f"training: the loss is {loss.item()} after {self.steps:,} updates; "
                "a smaller learning_rate or weight keeps it finite; go on from the last checkpoint with --resume"
            )
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        self._ranks.average_gradients(self._parameters)
        nn.utils.clip_grad_norm_(self._parameters, self._config.max_grad_norm)
        self._optimizer.step()
        self.steps += 1
        self._average()
        return {term.name: term.value.detach().cpu().numpy() for term in terms}

    @torch.no_grad()
    def _average(self) -> None:
        """Move the running mean; it soon forgets the first steps."""
        share = 1 - min(self._config.averaging, self.steps / (self.steps + 9))
        for mean, parameter in self._averaged:
            mean.lerp_(parameter, share)

    def begin_with(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Give the policy and its mean these weights."""
        self._policy.load_state_dict(weights)
        self.mean.load_state_dict(weights)

    def save(self, name: str) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays, those of the networks under a name, and facts that `restore` takes."""
        state = marked(name, arrays(self._networks)) | marked("mean", arrays(self.mean))
        return state | marked("optimizer", optimizer_arrays(self._optimizer)), {"steps": self.steps}

    def restore(self, name: str, state: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go back to what `save` returned."""
        self.steps = facts["steps"]
        load(self._networks, part(state, name))
        load(self.mean, part(state, "mean"))
        load_optimizer(self._optimizer, part(state, "optimizer"), stepped=self.steps > 0)
