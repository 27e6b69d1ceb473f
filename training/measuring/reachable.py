"""Positions that a bot can reach in play, so that others can look at what it does there."""

from __future__ import annotations

import numpy as np

from agents import Agent, load_agent, phases_of
from agents.naming.composite import Composite
from buck_env.environments.asking import ask, views_at
from buck_env.environments.tables import Tables
from buck_env.game.options import PHASES
from buck_env.game.rules import Rules
from buck_env.observation.views import Views, pick_evenly

__all__ = ["reachable", "whole"]


def reachable(
    rules: Rules, agent: Agent, *, tables: int = 64, hands: int = 3, astray: float = 0.0, seed: int = 0
) -> tuple[Views, np.ndarray]:
    """The views (B) of all choices that an agent has in matches among its like, and the logs (B,) LOG of their hands.

    A choice is a decision with two legal actions or more, in a phase that the agent has learned. A share `astray` of
    all decisions is replaced by a legal action drawn evenly.
    """
    played = Tables(rules, tables, episode="match", max_hands=hands, skip_forced=True)
    played.reset(seed)
    player, learned = whole(agent, rules), phases_of(agent, rules)
    draws = np.random.default_rng(seed)
    found, logs = [], []
    while (live := np.flatnonzero(played.episodes["over"] == 0)).size:
        log = played.logs.take(live)
        views = views_at(played, live)
        ours = np.flatnonzero(np.isin(views.tables["phase"], [PHASES.index(phase) for phase in learned]))
        found.append(views.take(ours))
        logs.append(log.take(ours))
        strayed = pick_evenly(views.action_mask, draws.random(len(live)))
        actions = np.full(tables, -1, np.int64)
        chosen = ask(type(agent).__name__, player, views, played.permitted[live])
        actions[live] = np.where(draws.random(len(live)) < astray, strayed, chosen)
        played.step(actions)
    return Views.join(found), np.concatenate(logs)


def whole(agent: Agent, rules: Rules) -> Agent:
    """An agent for every phase, in which rules-v1 decides the phases that the agent has not learned."""
    learned = phases_of(agent, rules)
    if set(rules.phases) <= set(learned):
        return agent
    otherwise = load_agent("rules-v1", rules)
    return Composite({phase: agent if phase in learned else otherwise for phase in rules.phases})
