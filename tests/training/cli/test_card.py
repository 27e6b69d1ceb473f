"""The command on a bot's card."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import pytest
from bots import untrained

from agents.bots.bot import read_bot
from buck_env import load_rules
from training.base.config import find_config, load_config
from training.cli.card import command
from training.cli.learners import LEARNERS, learner_of


@pytest.mark.parametrize("config", ["ohio", "ohio-gradient"])
def test_a_bot_of_any_learner_names_the_configuration_that_made_it_and_what_differs(
    config: str, tmp_path: Path
) -> None:
    shipped = load_config(learner_of(config, [])[0], find_config(config, "train"))
    made = asdict(replace(shipped, out=str(tmp_path), minutes=7.0, hidden=[16]))
    bot, _ = read_bot(untrained(tmp_path, load_rules("ohio"), config=made))
    assert command(bot) == f"buck train {config} minutes=7.0 'hidden=[16]'"


def test_the_configuration_or_an_override_chooses_the_learner() -> None:
    chosen = {"ohio": "ppo", "ohio-gradient": "gradient"}
    for config, name in chosen.items():
        kind, train = learner_of(config, [])
        assert (kind.__module__, train.__module__) == (LEARNERS[name][0], LEARNERS[name][2])
    assert learner_of("ohio", ["learner=gradient"])[0].__name__ == "GradientConfig"
