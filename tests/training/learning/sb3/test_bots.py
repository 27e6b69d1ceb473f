"""The bots of `buck ppo`: they play everywhere, and say how they were made."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from sb3_runs import silently, small

from agents import load_agent
from agents.bots.network import NetworkAgent
from buck_env import load_rules
from training.cli.app import main
from training.learning.sb3.ppo import MaskableLearner
from training.measuring.arena import play_hands
from training.tournament.event import TournamentConfig, play_tournament


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return silently(small(tmp_path_factory.mktemp("bots") / "bot"))


@pytest.mark.parametrize("mode", ["", "@sampled"])
def test_the_bot_plays_a_thousand_deals_in_strict_mode(bot: Path, mode: str) -> None:
    rules = load_rules("ohio")
    agents = {"bot": load_agent(f"ppo:{bot}{mode}", rules), "random": load_agent("random", rules)}
    play_hands(rules, agents, np.tile([0, 1, 0, 0], (1_000, 1)), np.arange(1_000))


def test_the_bot_sits_down_at_tournaments_and_in_the_terminal(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = TournamentConfig(agents=[f"ppo:{bot}", "random"], deals=10, out=str(bot.parent / "tournament"))
    assert play_tournament(config) is not None
    monkeypatch.setattr("builtins.input", lambda question: question.split("(")[1].split(")")[0].split(", ")[0].lower())
    assert main(["play", "--against", f"ppo:{bot}", "--seed", "1", "--hands", "3"]) == 0


def test_a_bot_says_how_it_was_made(bot: Path) -> None:
    card = json.loads((bot / "bot.json").read_text())
    assert card["decisions"] == 1_280
    assert card["config"]["n_steps"] == 32
    assert card["config"]["opponents"] == ["rules-v1"]
    assert (card["objective"], card["canonical"], card["hidden"]) == ("points", True, [16])


def test_a_run_begins_with_a_bot_of_either_learner(bot: Path, tmp_path: Path) -> None:
    learner = MaskableLearner(small(tmp_path, initial=str(bot)), load_rules("ohio"))
    learner.begin()
    agent = load_agent(f"ppo:{bot}", load_rules("ohio"))
    assert isinstance(agent, NetworkAgent)
    assert all(
        (array == agent.weights[name]).all() for name, array in learner.weights().items() if "hidden_0" not in name
    )
    learner.close()
