"""Agents at many tables at once: given who sits where, what each seat scores.

A seat whose agent is a program at fault may forfeit. Random legal actions then take its place, so that the others play
the hand out and keep what they score in it. The seat itself pays the most that a hand can cost, or loses the match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from agents import Agent, tally_of
from agents.programs.faults import FORFEIT
from buck_env.base.errors import BuckError
from buck_env.environments.asking import ask_all
from buck_env.environments.tables import Tables
from buck_env.game.rules import Rules
from buck_env.game.scoring import worst_points
from buck_env.observation.views import Views, pick_evenly

__all__ = ["CHUNK", "Ended", "Matches", "most_hands", "play_hands", "play_matches"]

CHUNK = 4096
"""The number of tables in play at once: enough to keep a network busy, and few enough to stay in the cache."""

MAX_HANDS = 200
"""The number of deals after which a match is cut off."""

Ended = Callable[[slice, Tables, np.ndarray], None]
"""Called with the rows of a chunk, its tables, and which of its seats (B, S) forfeited."""


@dataclass(frozen=True)
class Matches:
    """The outcomes of N matches."""

    shares: np.ndarray
    """(N, S) float64: the share of the match each seat won; a row sums to 1."""
    hands: np.ndarray
    """(N,) int64: deals played, redeals included."""
    truncated: np.ndarray
    """(N,) bool: whether the match was cut off. The best score then won, as in the format `hands: N`."""


def most_hands(rules: Rules) -> int:
    """The number of deals after which a match is cut off: MAX_HANDS, or twice those that the rules give a match."""
    return max(MAX_HANDS, 2 * (rules.hands or 0))


def play_hands(
    rules: Rules,
    agents: Mapping[str, Agent],
    seating: np.ndarray,
    seeds: np.ndarray,
    *,
    chunk: int = CHUNK,
    ended: Ended | None = None,
) -> np.ndarray:
    """Play one hand at each of N tables, and return the points toward the target, shape (N, S) int64; a redeal is 0.

    `seating` (N, S) holds the places among `agents` of those who sit there. `seeds` (N,) decide what is dealt and by
    whom: tables of one seed play the same deal. Decisions with one legal action are taken without asking. A seat that
    forfeits scores `worst_points`. `ended` is called with the tables once their hands are over, chunk by chunk.

    BuckError where a seating does not fit, IllegalActionError where an agent answers with an illegal action.
    """
    points = np.empty(np.shape(seating), np.int64)
    for rows, tables, forfeited in _episodes(rules, agents, seating, seeds, "hand", None, chunk):
        scored = rules.toward * (_scores(tables) - rules.start)
        points[rows] = np.where(forfeited, worst_points(rules), scored)
        if ended:
            ended(rows, tables, forfeited)
    return points


def play_matches(
    rules: Rules,
    agents: Mapping[str, Agent],
    seating: np.ndarray,
    seeds: np.ndarray,
    *,
    max_hands: int | None = None,
    chunk: int = CHUNK,
) -> Matches:
    """Play one match at each of N tables, with the arguments of `play_hands`.

    A match is cut off after `max_hands` deals, by default after `most_hands`. A seat that forfeited a hand of a match
    does not win it: where nobody else has won, the best score among the others wins.
    """
    n = len(seeds)
    max_hands = max_hands or most_hands(rules)
    matches = Matches(np.empty(np.shape(seating), np.float64), np.empty(n, np.int64), np.empty(n, np.bool_))
    for rows, tables, forfeited in _episodes(rules, agents, seating, seeds, "match", max_hands, chunk):
        playing = ~forfeited | forfeited.all(axis=1, keepdims=True)  # where all forfeit nobody is the worse for it
        scores = np.where(playing, rules.toward * _scores(tables).astype(np.float64), -np.inf)
        best = scores == scores.max(axis=1, keepdims=True)
        won = tables.tables["winners"][:, None] >> np.arange(rules.seats) & 1 == 1
        matches.truncated[rows] = ~won.any(axis=1)
        won &= playing
        won = np.where(won.any(axis=1, keepdims=True), won, best)
        matches.shares[rows] = won / won.sum(axis=1, keepdims=True)
        matches.hands[rows] = tables.episodes["hands"]
    return matches


def _scores(tables: Tables) -> np.ndarray:
    return tables.tables["scores"][:, : tables.rules.seats].astype(np.int64)


def _episodes(
    rules: Rules,
    agents: Mapping[str, Agent],
    seating: np.ndarray,
    seeds: np.ndarray,
    episode: Literal["hand", "match"],
    max_hands: int | None,
    chunk: int,
) -> Any:
    """Yield chunks of rows, each with its tables after the last decision, and which seats (B, S) forfeited."""
    seating, seeds = np.asarray(seating), np.asarray(seeds)
    if seating.shape != (len(seeds), rules.seats) or seating.dtype.kind not in "iu":
        raise BuckError(
            f"seating: whole numbers of shape ({len(seeds)}, {rules.seats}) are needed, "
            f"not {seating.dtype} of shape {seating.shape}"
        )
    if seating.size and not 0 <= seating.min() <= seating.max() < len(agents):
        raise BuckError(
            f"seating: {seating.min()} to {seating.max()} is not within 0..{len(agents) - 1}, the places of the agents"
        )
    if chunk < 1:
        raise BuckError(f"chunk: {chunk!r} is not a whole number of at least 1")
    tables: Tables | None = None
    for start in range(0, len(seeds), chunk):
        rows = slice(start, min(start + chunk, len(seeds)))
        n = rows.stop - start
        if tables is None or tables.num_tables != n:
            tables = Tables(rules, n, episode=episode, max_hands=max_hands, skip_forced=True)
        tables.reset_seeds(seeds[rows])
        yield rows, tables, _play(tables, agents, seating[rows])


def _play(tables: Tables, agents: Mapping[str, Agent], seating: np.ndarray) -> np.ndarray:
    """Play all tables until their episodes are over, and return which seats (N, S) forfeited."""
    forfeited = np.zeros(seating.shape, np.bool_)

    def without_forfeits(rows: np.ndarray, agent: Agent, views: Views, answers: np.ndarray) -> np.ndarray:
        forfeits = (answers == FORFEIT) & bool(tally_of(agent))
        if not forfeits.any():
            return answers
        forfeited[rows[forfeits], tables.seats[rows[forfeits]]] = True
        return np.where(forfeits, pick_evenly(views.action_mask, views.uniforms), answers)

    seated, rows = list(agents.items()), np.arange(tables.num_tables)
    over = np.zeros(tables.num_tables, np.bool_)
    while not over.all():
        deciding = np.where(over, -1, seating[rows, tables.seats])
        if tables.step(ask_all(tables, seated, deciding, without_forfeits)):
            over = tables.episodes["over"] != 0
    return forfeited
