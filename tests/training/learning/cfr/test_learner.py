"""A run of regret minimisation writes a strategy that plays, and goes on where it was left, bit for bit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents import load_agent
from agents.bots.bot import BotError
from agents.cfr.bot import read_cfr_bot
from buck_env import BuckError, load_rules
from buck_env.environments.tables import Tables
from buck_env.observation.agent import probabilities_of
from buck_env.observation.views import Views
from training.learning.cfr.config import CfrConfig
from training.learning.cfr.learner import train
from training.measuring.compare import compare

SMALL: dict[str, Any] = {"deals": 64, "decisions": 1500, "evaluate": 0, "checkpoint": 1, "rules": "bucked-3"}


def run(folder: Path, *, resume: bool = False, **changes: Any) -> Path:
    config = CfrConfig(out=str(folder), **{**SMALL, **changes})
    return train(config, lambda _: None, resume=resume).folder


def checksum(folder: Path) -> str:
    return str(json.loads((folder / "bot.json").read_text())["sha256"])


def test_a_run_that_was_stopped_ends_as_one_that_was_not(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole")
    run(tmp_path / "halves", decisions=700)
    assert checksum(tmp_path / "halves") != checksum(whole)
    run(tmp_path / "halves", resume=True)
    assert checksum(tmp_path / "halves") == checksum(whole)
    assert checksum(run(tmp_path / "other", seed=2)) != checksum(whole)


def test_a_strategy_learns_to_beat_random_players(tmp_path: Path) -> None:
    folder = run(tmp_path, decisions=60_000, deals=512)
    rules = load_rules("bucked-3")
    result = compare(rules, load_agent(f"cfr:{folder}", rules), load_agent("random", rules), deals=200)
    assert result.gain.low > 0.5


def test_probabilities_are_of_legal_actions_and_what_is_drawn_is_one_of_them(tmp_path: Path) -> None:
    folder = run(tmp_path)
    tables = Tables("bucked-3", 200, autoreset="same_step")
    tables.reset(5)
    agent = load_agent(f"cfr:{folder}@sampled", tables.rules)
    for _ in range(12):
        views = Views.of(tables.rules, tables.tables, tables.logs)
        probabilities = probabilities_of(agent, views)
        assert np.allclose(probabilities.sum(axis=1), 1)
        assert not probabilities[views.action_mask == 0].any()
        actions = agent.act(views)
        assert (probabilities[np.arange(len(actions)), actions] > 0).all()
        tables.step(actions)


def test_a_strategy_of_other_rules_or_a_damaged_one_is_refused_by_name(tmp_path: Path) -> None:
    folder = run(tmp_path)
    with pytest.raises(BotError, match="was trained for the rules bucked-3, not for ohio"):
        load_agent(f"cfr:{folder}", "ohio")
    with pytest.raises(BotError, match="cannot be read"):
        load_agent(f"cfr:{folder / 'nothing'}", "ohio")
    with pytest.raises(BotError, match="this version reads 'buck-euchre-bot-v1'"):
        load_agent(f"ppo:{folder}", "bucked-3")
    bot, situations, strategies = read_cfr_bot(folder)
    assert len(situations) == len(strategies)
    path = folder / bot.weights
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(BotError, match="truncated or exchanged"):
        load_agent(f"cfr:{folder}", "bucked-3")


def test_a_run_that_the_folder_holds_is_not_replaced_unasked(tmp_path: Path) -> None:
    run(tmp_path)
    with pytest.raises(BuckError, match="holds a run already"):
        run(tmp_path)
