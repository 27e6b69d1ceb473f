"""The decisions of whole hands, and how long agents think about them."""

from __future__ import annotations

import time

import numpy as np

from agents import Agent
from buck_env.game.rules import Rules
from buck_env.observation.views import Views
from training.measuring.reachable import reachable

__all__ = ["decisions_of_hands", "milliseconds_of"]


def decisions_of_hands(rules: Rules, agent: Agent, hands: int, seed: int = 0) -> Views:
    """Every decision with a choice, in any order, of so many hands that an agent plays at every seat.

    BuckError or IllegalActionError where the agent fails.
    """
    return reachable(rules, agent, tables=hands, hands=1, seed=seed)[0]


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
