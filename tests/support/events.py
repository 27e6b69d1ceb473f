"""Events that tests play, and agents that enter them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from entrants import AnyLegal

from agents import Agent
from buck_env.game.actions import DROP, NUM_ACTIONS
from buck_env.observation.views import Views
from training.tournament.config import TournamentConfig
from training.tournament.event import play_tournament
from training.tournament.results import Results
from training.tournament.run import SHARD


class Eager:
    """The last legal action but dropping: it makes trump, stays and plays its highest card."""

    def act(self, views: Views) -> np.ndarray:
        mask = views.action_mask.copy()
        mask[:, DROP] = 0
        return np.asarray(NUM_ACTIONS - 1 - mask[:, ::-1].argmax(axis=1))


class Interrupted(Eager):
    """Eager, and ctrl-C comes once it has been asked for so many decisions."""

    def __init__(self, decisions: int) -> None:
        self.decisions = decisions

    def act(self, views: Views) -> np.ndarray:
        self.decisions -= len(views)
        if self.decisions < 0:
            raise KeyboardInterrupt
        return super().act(views)


AGENTS: dict[str, Agent] = {"eager": Eager(), "any": AnyLegal(), "other": AnyLegal(101.0)}


def small(**different: Any) -> TournamentConfig:
    """The settings of a small event of AGENTS."""
    settings = {"agents": ["eager", "any", "other"], "deals": 30, "matches": 3, "seed": 5}
    return TournamentConfig(**{**settings, **different})


def run(shard: int = SHARD, agents: dict[str, Agent] | None = None, **different: Any) -> Results:
    """A small event."""
    return play_tournament(small(**different), agents or AGENTS, shard=shard, progress=False)


def kept(folder: Path, agents: dict[str, Agent] | None = None, **different: Any) -> Results:
    """A small event that is kept in a folder."""
    options = {key: different.pop(key) for key in ("resume", "anew") if key in different}
    config = small(**{"deals": 170, "out": str(folder), **different})
    return play_tournament(config, agents or AGENTS, keep=True, shard=1, progress=False, **options)


def played(agents: dict[str, Agent] | None = None, **settings: Any) -> Results:
    """An event of these agents, or of rules-v1 and two random ones."""
    names = {"rules-v1": "rules-v1", "random": "random", "other": "random"}
    chosen = {label: label for label in agents} if agents else names
    config = TournamentConfig(**{"agents": chosen, "deals": 120, "seed": 3, **settings})
    return play_tournament(config, agents, progress=False)
