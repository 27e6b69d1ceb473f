"""What the names of searching agents say."""

from __future__ import annotations

import pytest

from agents import AgentError
from agents.search.budget import Budget, budget, split_search


def test_a_budget_is_deals_or_a_time() -> None:
    assert budget("200") == Budget(deals=200)
    assert budget("20ms") == Budget(milliseconds=20)
    assert budget("200").repeatable
    assert not budget("20ms").repeatable


@pytest.mark.parametrize("text", ["", "0", "0ms", "-1", "1.5", "many", "1000001", "200 ", "3s", "٣"])
def test_anything_else_is_no_budget(text: str) -> None:
    with pytest.raises(AgentError, match="allowed: a number of deals"):
        budget(text)


@pytest.mark.parametrize(
    ("argument", "bot", "phases"),
    [
        ("rules-v1,200", "rules-v1", ()),
        ("rules-v1,200,stay", "rules-v1", ("stay",)),
        ("ppo:runs/a,200,bid+stay", "ppo:runs/a", ("bid", "stay")),
        ("phases:stay=random,else=rules-v1,200", "phases:stay=random,else=rules-v1", ()),
        ("phases:stay=random,else=rules-v1,200,play", "phases:stay=random,else=rules-v1", ("play",)),
    ],
)
def test_a_search_names_a_bot_a_budget_and_phases(argument: str, bot: str, phases: tuple[str, ...]) -> None:
    found = split_search(argument)
    assert (found.bot, found.budget, found.phases) == (bot, Budget(deals=200), phases)


@pytest.mark.parametrize("argument", ["200", "rules-v1", ",200", "rules-v1,,200", "rules-v1,stay"])
def test_a_search_without_bot_or_budget_is_refused(argument: str) -> None:
    with pytest.raises(AgentError, match="allowed"):
        split_search(argument)
