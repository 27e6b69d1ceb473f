"""The decisions of whole hands, and how long agents think about them."""

from __future__ import annotations

import time

import numpy as np

from agents import Agent
from buck_env.environments.asking import ask, views_at
from buck_env.environments.tables import Tables
from buck_env.game.rules import Rules
from buck_env.observation.views import Views
from training.measuring.duplicate import deal_seeds

__all__ = ["decisions_of_hands", "milliseconds_of"]


def decisions_of_hands(rules: Rules, agent: Agent, hands: int, seed: int = 0) -> Views:
    """Every decision with a choice, in any order, of so many hands that an agent plays at every seat.

    BuckError or IllegalActionError where the agent fails.
    """
    tables = Tables(rules, hands, skip_forced=True)
    tables.reset_seeds(deal_seeds(seed, hands))
    met = []
    while (rows := np.flatnonzero(tables.episodes["over"] == 0)).size:
        views = views_at(tables, rows)
        met.append(views)
        actions = np.full(hands, -1, np.int64)
        actions[rows] = ask("agent", agent, views, tables.permitted[rows])
        tables.step_some(actions, tables.episodes["over"] == 0)
    decisions = Views.join(met)
    return decisions.take(np.flatnonzero(decisions.action_mask.sum(axis=1) > 1))


def milliseconds_of(agent: Agent, decisions: Views, seconds: float, least: int = 20) -> np.ndarray:
    """The milliseconds (n,) float64 that an agent thinks about single decisions, drawn evenly from those given.

    They are taken for so many seconds, at least `least` of them and each at most once. A first one, which may compile,
    is not counted.
    """
    drawn = np.random.default_rng(0).permutation(len(decisions))
    agent.act(decisions.take(drawn[:1]))
    began, taken = time.perf_counter(), []
    for row in drawn:
        view = decisions.take(np.array([row]))
        start = time.perf_counter()
        agent.act(view)
        end = time.perf_counter()
        taken.append(1000 * (end - start))
        if end - began >= seconds and len(taken) >= least:
            break
    return np.array(taken)
