"""The arithmetic of masked PPO, each function small enough to check by hand."""

from __future__ import annotations

import torch

__all__ = ["clipped_policy_loss", "entropy_of", "kl_of", "playout_loss", "playout_points", "scheduled"]

_NEVER = -60.0  # the log-probability of what will not happen: illegal actions are below it


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


def playout_loss(log_probs: torch.Tensor, mask: torch.Tensor, outcomes: torch.Tensor, points: float) -> torch.Tensor:
    """How far the policy is from one that prefers an action to another by e for every so many points that it brings
    more, squared in points, a scalar, of log-probabilities, masks and points by action (B, A)."""
    legal = (mask != 0).float()
    gap = (points * log_probs - outcomes) * legal
    gap = gap - legal * gap.sum(dim=1, keepdim=True) / legal.sum(dim=1, keepdim=True)
    return gap.square().sum(dim=1).mean()


def playout_points(log_probs: torch.Tensor, outcomes: torch.Tensor) -> torch.Tensor:
    """What the policy's actions bring on average, weighed by their probabilities, a scalar in points, of
    log-probabilities and points by action (B, A), 0 where illegal. Its gradient is the all-action policy gradient."""
    return (log_probs.exp() * outcomes).sum(dim=1).mean()


def scheduled(start: float, end: float, progress: float) -> float:
    """A value on the straight line from start to end, at a progress of 0 to 1."""
    return start + (end - start) * min(max(progress, 0.0), 1.0)
