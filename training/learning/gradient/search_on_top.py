"""A search on top of a best response: how much more the one who knows how the others play can gain.

The search asks the network what to do, draws deals by how likely the others were to act as they did, and plays them on
with the network in its own seat and the others as they are.
"""

from __future__ import annotations

from agents import Agent
from agents.compiled.models import as_model
from agents.search.budget import Budget
from agents.search.look_ahead import LookAhead
from agents.search.playouts import CompiledPlayouts
from buck_env import Rules
from training.learning.gradient.findings import SearchGain
from training.measuring.compare import lead
from training.measuring.estimates import Estimate

__all__ = ["search_gain", "search_on_top"]

STREAM = 6
"""The stream of the deals on which the search is measured."""


def search_on_top(rules: Rules, network: Agent, others: Agent, number: int) -> LookAhead:
    """A network that looks at a number of deals for each decision, among agents that it knows."""
    playouts = CompiledPlayouts(network, others, rules)
    return LookAhead(rules, Budget(deals=number), playouts, model=as_model(others), prior=network)


def search_gain(
    rules: Rules, network: Agent, others: Agent, gain: Estimate, *, number: int, deals: int, seed: int
) -> SearchGain:
    """Measure a search on top of a network whose own gain among the others is known from other deals."""
    searcher = search_on_top(rules, network, others, number)
    ahead = lead(rules, searcher, network, others, deals=deals, seed=seed, stream=STREAM)
    return SearchGain(number, deals, ahead, gain.plus(ahead))
