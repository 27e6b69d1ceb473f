"""What each legal action does to the chance to win the match: the hand is played on, and the match after it."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents import Agent, AgentError
from agents.beliefs.deals import draw_deals
from agents.compiled.brains import Brains, compile_agents, decide, make_room
from agents.rules_v1.player import RulesV1
from agents.search.look_ahead import Looked
from buck_env.base.compiled import compiling, kernel
from buck_env.game import engine
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.bits import BIT, left
from buck_env.game.options import Phase
from buck_env.game.rules import Rules
from buck_env.game.shuffle import shuffle, uniform
from buck_env.observation.views import Views
from training.measuring.arena import most_hands
from training.measuring.duplicate import deal_seeds

__all__ = ["look_at_matches", "match_player"]


def match_player(name: str, model: Agent, rules: Rules) -> tuple[str, Brains]:
    """Who plays matches to their end, by name: the model where compiled code can ask it, else `rules-v1`."""
    try:
        return name, compile_agents([(name, model)], rules)
    except AgentError:
        return "rules-v1", compile_agents([("rules-v1", RulesV1(rules))], rules)


def look_at_matches(
    views: Views, number: int, player: Brains, model: Agent | None, *, seed: int, stream: int
) -> Looked:
    """The share of the match (B, N, A) that each legal action wins in each of N deals: 1, or less where seats share it.

    `player` plays the hand on at every seat, and the match to its end. The hands after deal j are the same for every
    action, so that only what the action changes makes a difference. A match that goes on for as many deals as a
    measured match may have is cut off, and the best score has won it.
    """
    rules = views.rules
    deals = draw_deals(views, number, model=model, stream=stream)
    tables = deals.tables.reshape(-1)
    seeds = np.tile(deal_seeds(seed, number, 2 + stream), len(views))
    shares = np.zeros((len(tables), NUM_ACTIONS), np.float32)
    with compiling("matches", __file__):
        _match_rows(player, make_room(player), tables, rules.packed(), most_hands(rules), seeds, shares)
    return Looked(shares.reshape(len(views), number, NUM_ACTIONS), deals.weights, deals.effective)


@kernel
def _match_rows(player: Any, room: Any, tables: Any, packed: Any, most: int, seeds: Any, shares: Any) -> None:
    rules = packed[0]
    later, pack = tables[:1].copy(), np.empty(24, np.int8)
    for i in range(len(tables)):
        legal = engine.legal(tables[i], rules)
        for action in range(NUM_ACTIONS):
            if legal >> action & 1:
                later[0] = tables[i]
                engine.apply(later[0], rules, action)
                _play_match(player, room, later[0], rules, seeds[i], most, pack)
                shares[i, action] = _share(later[0], rules, tables[i].seat)


@kernel
def _play_match(player: Any, room: Any, table: Any, rules: Any, seed: Any, most: int, pack: Any) -> None:
    """Play the hand of a table to its end, and then hands of a seed until the match has ended or been cut off."""
    hands = 0
    while True:
        steps = 0
        while table.phase != Phase.OVER:
            engine.apply(table, rules, decide(player, room, 0, table, rules, uniform(seed, hands, steps)))
            steps += 1
        if table.winners or hands == most:
            return
        hands += 1
        shuffle(seed, hands, pack)
        engine.deal(table, rules, pack, left(table.dealer, rules, 1))


@kernel
def _share(table: Any, rules: Any, seat: int) -> float:
    """The share of a seat: of the winners, or of those with the best score where the match was cut off."""
    winners = table.winners
    if not winners:
        best = rules.toward * table.scores[0]
        for other in range(1, rules.seats):
            best = max(best, rules.toward * table.scores[other])
        for other in range(rules.seats):
            if rules.toward * table.scores[other] == best:
                winners |= BIT[other]
    sharers = 0
    for other in range(rules.seats):
        sharers += winners >> other & 1
    return (winners >> seat & 1) / sharers
