"""A strategy at the table: it decides where it knows the situation, and rules-v1 elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.cfr.agent import CfrAgent, load_cfr
from agents.cfr.bot import write_cfr_bot
from agents.cfr.phases import LEARNED
from agents.cfr.situations import situations_of
from agents.rules_v1.player import RulesV1
from buck_env import load_rules
from buck_env.environments.tables import Tables
from buck_env.game.options import PHASES
from buck_env.observation.views import Views

RULES = load_rules("bucked-3")
LAST = [0.0, 0.25, 0.75]
"""It prefers the last of three options, and of two the second."""


def first_views(tables: int = 60) -> Views:
    game = Tables(RULES, tables)
    game.reset(5)
    return Views.of(RULES, game.tables, game.logs)


def agent_of(folder: Path, situations: np.ndarray, style: str = "") -> CfrAgent:
    facts: dict[str, Any] = {"seed": 1, "decisions": 2, "seconds": 0.5, "cores": 1, "config": {}}
    strategies = np.tile(LAST, (len(situations), 1))
    write_cfr_bot(folder, situations, strategies, rules=RULES.as_dict(), **facts)
    return load_cfr(f"{folder}{style}", RULES)


def test_known_situations_are_decided_by_the_strategy_and_others_by_rules_v1(tmp_path: Path) -> None:
    views = first_views()
    situations, _ = situations_of(views)
    some = np.unique(situations[:20])
    agent = agent_of(tmp_path, some)
    known = agent.knows(views)
    assert (known == np.isin(situations, some)).all()
    assert known.any()
    assert not known.all()
    assert (agent.act(views)[~known] == RulesV1(RULES).act(views)[~known]).all()
    assert {PHASES[phase] for phase in views.tables["phase"]} <= set(LEARNED)


def test_probabilities_are_of_legal_actions_in_the_order_of_the_options(tmp_path: Path) -> None:
    views = first_views()
    situations, options = situations_of(views)
    agent = agent_of(tmp_path, np.unique(situations))
    probabilities = agent.probabilities(views)
    assert probabilities.sum(axis=1) == pytest.approx(1)
    assert not probabilities[views.action_mask == 0].any()
    for row in np.flatnonzero(np.array([int(mask).bit_count() for mask in options]) == 2):
        pair = [action for action in range(probabilities.shape[1]) if int(options[row]) >> action & 1]
        assert probabilities[row, pair].tolist() == [0.0, 1.0]


def test_a_greedy_strategy_takes_the_likeliest_and_a_sampled_one_what_its_number_draws(tmp_path: Path) -> None:
    views = first_views()
    situations = np.unique(situations_of(views)[0])
    greedy, sampled = agent_of(tmp_path, situations), agent_of(tmp_path, situations, "@sampled")
    probabilities = greedy.probabilities(views)
    assert (greedy.act(views) == probabilities.argmax(axis=1)).all()
    drawn = sampled.act(views)
    assert (probabilities[np.arange(len(drawn)), drawn] > 0).all()
    assert greedy.sha256 == sampled.sha256
