"""What every network agent does alike: look at views, let a policy rate the legal actions, choose one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal

import numpy as np

from agents.bots.bot import BotError
from buck_env.observation.views import Views, original_actions

__all__ = ["PlayStyle", "PolicyAgent", "draw_actions", "encoded", "pick_actions", "split_style"]

PlayStyle = Literal["greedy", "sampled"]
"""How an action is chosen: the likeliest, or one drawn by the probabilities."""


def encoded(views: Views, canonical: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Observation (B, D) int8, mask (B, A) int8 and, where suits are relabelled, their labels (B,)."""
    return views.canonical if canonical else (views.observation, views.action_mask, None)


def pick_actions(log_probs: np.ndarray, uniforms: np.ndarray | None) -> np.ndarray:
    """The likeliest action of each row of (B, A), the first of equals; with uniforms (B,) one by `draw_actions`."""
    if uniforms is None:
        return log_probs.argmax(axis=1)
    return draw_actions(np.exp(log_probs), uniforms)


def draw_actions(probabilities: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    """An action (B,) of each row of probabilities (B, A), drawn by uniforms (B,) in [0, 1).

    It is the first at which the running sum of the probabilities exceeds the uniform's share of their total.
    """
    below = np.cumsum(probabilities, axis=1)
    return (below > (uniforms * below[:, -1])[:, None]).argmax(axis=1)


class PolicyAgent(ABC):
    """Plays a policy's likeliest legal action, or with `sampled` one drawn by its probabilities."""

    def __init__(self, canonical: bool, phases: list[str], sampled: bool) -> None:
        self.canonical = canonical
        """Whether the policy sees relabelled suits."""
        self.phases = tuple(phases)
        """The phases it learned to decide."""
        self.sampled = sampled

    @abstractmethod
    def policy(self, observation: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Log-probabilities (B, A) of the legal actions, -inf elsewhere, and values (B,), of (B, D) and (B, A) int8."""

    def act(self, views: Views) -> np.ndarray:
        """Legal actions (B,) of B views."""
        observation, mask, labels = encoded(views, self.canonical)
        log_probs, _ = self.policy(observation, mask)
        actions = pick_actions(log_probs, views.uniforms if self.sampled else None)
        return actions if labels is None else original_actions(actions, labels)

    def probabilities(self, views: Views) -> np.ndarray:
        """How likely the policy is to draw each action: (B, A) float64, 0 where illegal, suits as they are."""
        observation, mask, labels = encoded(views, self.canonical)
        drawn = np.exp(self.policy(observation, mask)[0].astype(np.float64))
        if labels is None:
            return drawn
        rows, actions = np.nonzero(mask)
        original = np.zeros_like(drawn)
        original[rows, original_actions(actions, labels[rows])] = drawn[rows, actions]
        return original


def split_style(path: str) -> tuple[str, str]:
    """A folder and how to play, "" where ``folder@greedy`` or ``folder@sampled`` does not say."""
    folder, at, play = path.partition("@")
    if at and play not in ("greedy", "sampled"):
        raise BotError(f"{path}: {play!r} is not a way to play; allowed: greedy, sampled")
    return folder, play
