"""A search on top of a best response: how much more the one who knows how the others play can gain.

The search asks the network what to do, draws deals by how likely the others were to act as they did, and plays them on
with the network in its own seat and the others as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

from agents import Agent
from agents.search.budget import Budget
from agents.search.look_ahead import LookAhead
from agents.search.playouts import CompiledPlayouts
from buck_env import Rules
from training.measuring.compare import lead
from training.measuring.estimates import Estimate

__all__ = ["SearchGain", "search_gain", "search_on_top"]

STREAM = 6
"""The stream of the deals on which the search is measured."""


@dataclass(frozen=True)
class SearchGain:
    """What a search on top of a network gains."""

    number: int
    """The deals that the search looks at for a decision."""
    deals: int
    """The duplicate deals that measured it."""
    lead: Estimate
    """The points a hand that it scores above the network in the same seats of the same deals."""
    gain: Estimate
    """The points a hand that it gains: the network's gain, from many other deals, and the lead on top.

    The network is the control variate. It plays most decisions alike, so that much of the luck with the cards is in
    neither interval.
    """


def search_on_top(rules: Rules, network: Agent, others: Agent, number: int) -> LookAhead:
    """A network that looks at a number of deals for each decision, among agents that it knows."""
    playouts = CompiledPlayouts(network, others, rules)
    return LookAhead(rules, Budget(deals=number), playouts, model=others, prior=network)


def search_gain(
    rules: Rules, network: Agent, others: Agent, gain: Estimate, *, number: int, deals: int, seed: int
) -> SearchGain:
    """Measure a search on top of a network whose own gain among the others is known from other deals."""
    searcher = search_on_top(rules, network, others, number)
    ahead = lead(rules, searcher, network, others, deals=deals, seed=seed, stream=STREAM)
    return SearchGain(number, deals, ahead, gain.plus(ahead))
