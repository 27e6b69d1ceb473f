"""How likely a model was to lead to each deal that fits, by playing every one of them again through the engine."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
from beliefs.fitting import Fit

from agents import Agent
from buck_env.game.actions import action_id
from buck_env.game.cards import CARDS, cards_in
from buck_env.game.engine import apply
from buck_env.game.hidden import hide
from buck_env.game.rules import Rules
from buck_env.observation.agent import probabilities_of
from buck_env.observation.views import Views
from buck_env.records import deal_table, view_from_table


def chances_of(view: Views, fits: list[Fit], model: Agent) -> np.ndarray:
    """The share of each fit, (K,) float64, where all are as likely before the hand as each other."""
    seat, rules, seen = int(view.seats[0]), view.rules, view.tables
    steps = view_from_table(_without_cuts(view), seat, rules)["steps"]
    tables, owners, orders = [], [], []
    for place, fit in enumerate(fits):
        hidden = [card for card in cards_in(fit.discards) if card not in seen["discards"][0]]
        for order in permutations(hidden):
            tables.append(_dealt(seen[0], seat, rules, fit, list(order)))
            owners.append(place)
            orders.append(order)
    stack = np.concatenate(tables)
    chances = np.ones(len(stack))
    made = 0
    for step in steps:
        if step["action"] == "discard:?":
            actions = np.array([order[made] for order in orders])
            made += 1
        else:
            actions = np.full(len(stack), action_id(step["action"]))
        actor = np.full(len(stack), step["seat"])
        assert (stack["seat"] == actor).all()
        if step["seat"] != seat:
            views = Views(rules, hide(stack, actor, rules), actor, np.full(len(stack), view.uniforms[0]))
            chances *= probabilities_of(model, views)[np.arange(len(stack)), actions]
        for i, action in enumerate(actions):
            apply(stack[i], rules.packed()[0], int(action))
    assert (stack["seat"] == seat).all()
    shares = np.bincount(owners, chances, len(fits))
    return shares / shares.sum()


def _without_cuts(view: Views) -> np.ndarray:
    """The view as it was before some hidden cards were shown."""
    seat = np.array(view.seats)
    return hide(view.tables, seat, view.rules)


def _dealt(seen: Any, seat: int, rules: Rules, fit: Fit, order: list[int]) -> np.ndarray:
    """The table, shape (1,), as it was dealt where a fit holds; any of the dealer's cards may have been the buck."""
    rest = [int(card) for card in seen.rest[: 24 - 5 * rules.seats]]
    hands = [set(cards_in(hand)) for hand in fit.hands]
    for play in seen.plays[: seen.played]:
        hands[int(play) >> 5].add(int(play) & 31)
    hands[seen.dealer] |= set(cards_in(fit.discards))
    top: list[int] = []
    takers = [int(s) for s in range(rules.seats) if seen.exchanged >> s & 1]
    if takers:  # the first alone, in the profiles
        top = sorted(hands[takers[0]])
        hands[takers[0]] = set(cards_in(fit.laid or int(seen.laid[seat])))
    elif rules.making == "dealer":
        top = sorted(hands[seen.dealer])[:4] if seat != seen.dealer else rest[:4]
        hands[seen.dealer] -= set(top)
    elif rules.turn_up:
        top = rest[:1]
        hands[seen.dealer] -= set(top)
    beside = iter(cards_in(fit.rest))
    rest = [top[i] if i < len(top) else card if card >= 0 else next(beside) for i, card in enumerate(rest)]
    pack = np.array([card for hand in hands for card in sorted(hand)] + rest, np.int8)
    assert sorted(pack) == list(range(len(CARDS)))
    scores = (seen.scores - seen.deltas).tolist()
    return deal_table(rules, pack, int(seen.dealer), scores, int(seen.hands_played))
