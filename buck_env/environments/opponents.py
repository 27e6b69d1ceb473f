"""The players that a learner sits down with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from buck_env.base.errors import BuckError
from buck_env.game.rules import Rules
from buck_env.observation.agent import Agent, RandomAgent, is_agent

__all__ = ["Loader", "Opponents", "named_players"]

Opponents = str | Agent | Sequence[str | Agent]

Loader = Callable[[str, Rules], Agent]
"""Loads the agent of a name for a game of these rules."""


def named_players(opponents: Opponents | None, rules: Rules, load: Loader) -> list[tuple[str, Agent]]:
    """The S - 1 other players, clockwise from the learner's left, each with its name, of one agent or one each.

    Names are loaded by `load`, each once; None stands for random players. BuckError where there are too many or too
    few, or one is no agent.
    """
    single = not isinstance(opponents, list | tuple)
    chosen: list[Any] = [opponents] * (rules.seats - 1) if single else list(opponents)  # type: ignore[arg-type]
    if len(chosen) != rules.seats - 1:
        raise BuckError(
            f"opponents: {len(chosen)} are given, but {rules.seats - 1} seats are to fill: give one, or one each"
        )
    loaded: dict[str | None, Agent] = {}
    players: list[tuple[str, Agent]] = []
    for opponent in chosen:
        if opponent is None or isinstance(opponent, str):
            if opponent not in loaded:
                loaded[opponent] = RandomAgent(rules) if opponent is None else load(opponent, rules)
            players.append((opponent or "random", loaded[opponent]))
        elif is_agent(opponent):
            players.append((type(opponent).__name__, opponent))
        else:
            raise BuckError(f"opponents: {opponent!r} has no method `act`; give an agent, or an agent's name")
    return players
