"""What a bot would do: its action, how likely it is to take each, and what it expects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.bots.policy import PolicyAgent, encoded
from agents.programs.position import action_texts
from buck_env.game.actions import action_text
from buck_env.game.options import PHASES
from buck_env.observation.agent import Agent, HasProbabilities, parts_of
from buck_env.observation.views import Views

__all__ = ["Advice", "advise"]


@dataclass(frozen=True)
class Advice:
    """What a bot would do in one decision."""

    action: str
    """The action it takes, as hand records write it."""
    probabilities: dict[str, float] | None
    """Legal action: how likely the bot's policy is to draw it, the likeliest first; None for a bot without a policy."""
    value: float | None
    """What a network expects for the seat from here: points in this hand, or the share of the match where that is what
    it was trained for; None for any other bot."""


def advise(agent: Agent, views: Views) -> list[Advice]:
    """The advice of an agent in each of B decisions."""
    parts = parts_of(agent)
    if not parts:
        return _advise(agent, views)
    found: list[Advice | None] = [None] * len(views)
    phases = np.array([PHASES[phase] for phase in views.tables["phase"]])
    for part in dict.fromkeys(parts.values()):
        rows = np.flatnonzero([parts[phase] is part for phase in phases])
        if len(rows):
            for row, advice in zip(rows, _advise(part, views.take(rows)), strict=True):
                found[row] = advice
    return [advice for advice in found if advice is not None]


def _advise(agent: Agent, views: Views) -> list[Advice]:
    actions = action_texts(agent.act(views), views)
    drawn = agent.probabilities(views) if isinstance(agent, HasProbabilities) else None
    values = _values(agent, views) if isinstance(agent, PolicyAgent) else None
    return [
        Advice(
            action,
            None if drawn is None else _by_action(drawn[row], views, row),
            None if values is None else float(values[row]),
        )
        for row, action in enumerate(actions)
    ]


def _values(agent: PolicyAgent, views: Views) -> np.ndarray:
    observation, mask, _ = encoded(views, agent.canonical)
    return agent.policy(observation, mask)[1]


def _by_action(drawn: np.ndarray, views: Views, row: int) -> dict[str, float]:
    phase = PHASES[views.tables["phase"][row]]
    legal = np.flatnonzero(views.action_mask[row])
    order = sorted(legal, key=lambda action: -drawn[action])
    return {action_text(int(action), phase): float(drawn[action]) for action in order}
