"""Levels of play made from one bot: it draws its actions from its own probabilities, flattened by a temperature.

Its errors are then those of a player who sees less clearly: near ties go either way, what is plainly bad stays rare.
How far a temperature weakens a bot depends on how sure it is of itself. A level therefore names the share of its
choices in which it departs from the likeliest action; the temperature that brings this about is found on positions that
the bot comes to.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np

from agents import Agent
from agents.bots.policy import PolicyAgent, encoded
from buck_env.game.rules import Rules
from training.measuring.arena import play_hands
from training.measuring.duplicate import deal_seeds, own, rotations
from training.measuring.estimates import Estimate
from training.measuring.reachable import reachable

__all__ = ["LEVELS", "apart", "level_points", "temperatures"]

LEVELS: Mapping[str, float] = {"easy": 0.50, "medium": 0.40, "hard": 0.0}
"""The share of choices in which a level departs from the bot's likeliest action; 0 is the bot itself, greedy."""

_HOTTEST = 1000.0
"""Beyond it every legal action is as likely as any other."""


def temperatures(agent: PolicyAgent, rules: Rules) -> dict[str, float]:
    """The temperature at which a bot that draws its actions plays each level; 1 for the bot itself."""
    views, _ = reachable(rules, agent, tables=256, hands=2)
    observation, mask, _ = encoded(views, agent.canonical)
    log_probs, _ = agent.policy(observation, mask)
    return {level: _temperature(departs, log_probs) if departs else 1.0 for level, departs in LEVELS.items()}


def _temperature(departs: float, log_probs: np.ndarray) -> float:
    low, high = 1 / _HOTTEST, _HOTTEST
    for _ in range(40):
        middle = (low * high) ** 0.5
        low, high = (low, middle) if _departs(log_probs, middle) > departs else (middle, high)
    return float(f"{middle:.3g}")


def _departs(log_probs: np.ndarray, temperature: float) -> float:
    """The mean probability of not taking the likeliest action, of log-probabilities (B, A)."""
    relative = log_probs - log_probs.max(axis=1, keepdims=True)
    return float(1 - (1 / np.exp(relative / temperature).sum(axis=1)).mean())


def level_points(rules: Rules, agents: Mapping[str, Agent], *, deals: int, seed: int) -> dict[str, Estimate]:
    """Each agent's points a hand alone among each of the others, in every seat of the same deals."""
    names, seats = list(agents), rules.seats
    pairs = [(x, y) for x in range(len(names)) for y in range(len(names)) if x != y]
    lineups = np.concatenate([rotations(x, y, seats) for x, y in pairs])
    seeds = np.repeat(deal_seeds(seed, deals), len(lineups))
    points = play_hands(rules, agents, np.tile(lineups, (deals, 1)), seeds).reshape(deals, len(pairs), seats, seats)
    mine = own(points).sum(axis=-1)
    first, scores = np.array([x for x, _ in pairs]), seats * (len(names) - 1)
    return {name: Estimate.of(mine[:, first == x].sum(axis=1), scores) for x, name in enumerate(names)}


def apart(points: Mapping[str, Estimate]) -> bool:
    """Whether each agent's interval lies above that of the one before."""
    estimates = list(points.values())
    return all(lower.high < higher.low for lower, higher in itertools.pairwise(estimates))
