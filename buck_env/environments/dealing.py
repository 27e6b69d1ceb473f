"""Compiled dealing: the next hand of a table's stream, and the first one of an episode."""

from __future__ import annotations

from typing import Any

from buck_env.base.compiled import borrowing_kernel as kernel
from buck_env.base.compiled import rare_kernel
from buck_env.game import engine
from buck_env.game.shuffle import draw_dealer, shuffle
from buck_env.game.table import NONE

__all__ = ["begin", "begin_episode", "deal_next"]


@rare_kernel
def deal_next(table: Any, log: Any, episode: Any, rules: Any, dealer: int) -> None:
    """Deal the next hand of the stream, and log what it was dealt."""
    shuffle(episode.seed, episode.deals, log.pack)
    log.seed = episode.seed
    log.number = episode.deals
    log.hands_played = table.hands_played
    log.steps = 0
    log.dealer = dealer
    for seat in range(4):
        log.scores[seat] = table.scores[seat]
    episode.deals += 1
    episode.hands += 1
    engine.deal(table, rules, log.pack, dealer)


@rare_kernel
def begin_episode(table: Any, log: Any, episode: Any, rules: Any) -> None:
    """Begin a new episode on the same stream of deals."""
    for seat in range(4):
        table.scores[seat] = rules.start if seat < rules.seats else 0
    table.hands_played = 0
    episode.hands = 0
    episode.over = 0
    dealer = episode.first_dealer
    if dealer == NONE:
        dealer = draw_dealer(episode.seed, episode.deals, rules.seats)
    deal_next(table, log, episode, rules, dealer)


@kernel
def begin(packed: Any, tables: Any, logs: Any, episodes: Any, chosen: Any) -> None:
    """Begin a new episode at the chosen tables, a bool each, shape (N,)."""
    for i in range(len(tables)):
        if chosen[i]:
            begin_episode(tables[i], logs[i], episodes[i], packed[0])
