"""Who judges decisions: deals that fit, each played on from every legal action by a model of all seats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from agents import Agent, load_agent
from agents.compiled.brains import Brains
from agents.compiled.models import as_model
from agents.pretrained import pretrained_for
from agents.search.look_ahead import look
from agents.search.playouts import Playouts, playouts_by
from buck_env.game.rules import Rules
from buck_env.observation.views import Views
from training.analysis.matches import look_at_matches, match_player
from training.analysis.values import Judged, judge
from training.base.provenance import checksum_of

__all__ = ["LOW", "Analyst", "default_model", "make_analyst"]

LOW: Final = 30
"""The effective number of deals below which figures come with a warning."""
_AT_ONCE: Final = 32
"""Decisions that are looked at together, which bounds the memory."""


def default_model(rules: Rules) -> str:
    """The name of the model where none is given: the pretrained bot of the rules if there is one, else `rules-v1`."""
    return pretrained_for(rules) or "rules-v1"


@dataclass(frozen=True)
class Analyst:
    """Judges decisions by playing them on. The same decisions and settings give the same figures."""

    rules: Rules
    name: str
    """The model's name: how the others are believed to have decided, and how all seats play the hand on."""
    model: Agent | None
    """The model; None where all deals that fit are as likely."""
    playouts: Playouts
    match_name: str
    """The name of who plays matches to their end."""
    match_player: Brains
    seed: int

    def points(self, views: Views, deals: int) -> Judged:
        """Points toward the target that each legal action of B views brings, over `deals` deals, 4 or more."""
        parts = [self._points(part, deals) for part in _batches(views)]
        return Judged(*map(np.concatenate, zip(*parts, strict=True)))

    def match_chances(self, views: Views, matches: int) -> Judged:
        """The chance of the seat to act to win the match after each legal action, over `matches` matches, 4 or more."""
        parts = [self._match_chances(part, matches) for part in _batches(views)]
        return Judged(*map(np.concatenate, zip(*parts, strict=True)))

    def as_record(self) -> dict[str, Any]:
        """The model, its checksum and the seed, for files of results."""
        return {"model": self.name, "sha256": self.model and checksum_of(self.model), "seed": self.seed}

    def _points(self, views: Views, deals: int) -> Judged:
        first, second = (look(views, number, self.playouts, self.model, stream) for stream, number in _halves(deals))
        return judge(first, second, views.action_mask)

    def _match_chances(self, views: Views, matches: int) -> Judged:
        first, second = (
            look_at_matches(views, number, self.match_player, self.model, seed=self.seed, stream=stream)
            for stream, number in _halves(matches)
        )
        return judge(first, second, views.action_mask)


def make_analyst(rules: Rules, model: str | None = None, *, seed: int = 0) -> Analyst:
    """The analyst with a model of this name; AgentError where it names no agent of these rules."""
    name = model or default_model(rules)
    agent = load_agent(name, rules)
    return Analyst(rules, name, as_model(agent), playouts_by(agent, rules), *match_player(name, agent, rules), seed)


def _halves(number: int) -> list[tuple[int, int]]:
    """The stream and the size of each half."""
    return [(0, number - number // 2), (1, number // 2)]


def _batches(views: Views) -> list[Views]:
    rows = np.arange(len(views))
    return [views.take(rows[first : first + _AT_ONCE]) for first in range(0, len(views), _AT_ONCE)]
