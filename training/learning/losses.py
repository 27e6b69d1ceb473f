"""The loss of masked PPO: its arithmetic, each function small enough to check by hand, and the list of its terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import torch

from training.learning.train_config import TrainConfig

__all__ = [
    "Minibatch",
    "Term",
    "clipped_policy_loss",
    "entropy_of",
    "kl_of",
    "loss_terms",
    "scheduled",
    "squared_error",
    "total_loss",
]

_NEVER = -60.0  # the log-probability of what will not happen: illegal actions are below it


@dataclass(frozen=True)
class Minibatch:
    """B decisions as the loss sees them."""

    columns: Mapping[str, torch.Tensor]
    """The columns of the rollout, (B, ...) each."""
    log_probs: torch.Tensor
    """(B, A): the policy as it is now."""
    value: torch.Tensor
    """(B,): the policy network's value."""
    log_ratio: torch.Tensor
    """(B,): the log-probability of the action taken, now less then."""
    advantage: torch.Tensor
    """(B,): with a mean of 0 and a standard deviation of 1."""
    returns: torch.Tensor
    """(B,): what the value should have been."""
    magnet: torch.Tensor | None = None
    """(B, A): the running mean of the policy, with `magnet`."""
    critic: torch.Tensor | None = None
    """(B,): the oracle critic's value, where there is one,"""
    critic_target: torch.Tensor | None = None
    """(B,): and what that should have been."""


class Term(NamedTuple):
    """One term of the loss, logged by its name."""

    name: str
    weight: float | None
    """Below 0 for what is to grow; None for a figure that is logged and not learned from."""
    value: torch.Tensor
    """(): a mean over the decisions; or (B,): a value of each, whose mean counts and is also logged by phase."""


def loss_terms(batch: Minibatch, config: TrainConfig, progress: float) -> list[Term]:
    """The terms that need no playouts, at a progress of the run from 0 to 1."""
    entropy_end = config.entropy if config.entropy_end is None else config.entropy_end
    terms = [
        Term("policy/loss", 1.0, clipped_policy_loss(batch.log_ratio, batch.advantage, config.clip)),
        Term("value/loss", config.value, squared_error(batch.value, batch.returns)),
        Term("policy/entropy", -scheduled(config.entropy, entropy_end, progress), entropy_of(batch.log_probs)),
    ]
    if batch.magnet is not None:
        terms.append(Term("policy/magnet_kl", config.magnet, kl_of(batch.log_probs, batch.magnet).mean()))
    if batch.critic is not None and batch.critic_target is not None:
        terms.append(Term("value/critic_loss", config.value, squared_error(batch.critic, batch.critic_target)))
    with torch.no_grad():
        ratio = batch.log_ratio.exp()
        terms += [
            Term("policy/kl", None, ratio - 1 - batch.log_ratio),
            Term("policy/clip_share", None, ((ratio - 1).abs() > config.clip).float()),
        ]
    return terms


def total_loss(terms: Iterable[Term]) -> torch.Tensor:
    """The weighted sum of the terms, a scalar."""
    loss = torch.zeros(())
    for term in terms:
        if term.weight is not None:
            loss = loss + term.weight * term.value.mean()
    return loss


def entropy_of(log_probs: torch.Tensor) -> torch.Tensor:
    """(B,): the entropy in nats over the legal actions, of (B, A); 0, not NaN, where there is one."""
    terms = log_probs.exp() * log_probs
    return -terms.masked_fill(log_probs < _NEVER, 0.0).sum(dim=1)


def kl_of(log_probs: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
    """(B,): the divergence KL(p || q) of two policies over the same legal actions, log-probabilities (B, A) each."""
    return (log_probs.exp() * (log_probs - others)).sum(dim=1)


def clipped_policy_loss(log_ratio: torch.Tensor, advantage: torch.Tensor, clip: float) -> torch.Tensor:
    """PPO's loss (Schulman et al., 2017, eq. 7), a scalar, of log-ratios and advantages (B,)."""
    ratio = log_ratio.exp()
    return -torch.min(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage).mean()


def squared_error(value: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Half the mean squared error, a scalar, of values and targets (B,)."""
    return 0.5 * (value - target).square().mean()


def scheduled(start: float, end: float, progress: float) -> float:
    """A value on the straight line from start to end, at a progress of 0 to 1."""
    return start + (end - start) * min(max(progress, 0.0), 1.0)
