"""The command on a bot's card."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import pytest
from bots import untrained

from agents.bots.bot import read_bot
from buck_env import BuckError, load_rules
from training.base.config import find_config, load_config
from training.cli.card import best_response, bot_card, command
from training.cli.learners import LEARNERS, learner_of
from training.learning.gradient.findings import RESULT_FILE, Exploit, Response, SearchGain, write_exploit
from training.measuring.estimates import Estimate


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


def test_a_card_says_what_a_best_response_gains_and_how_to_find_it_again(tmp_path: Path) -> None:
    bot, _ = read_bot(untrained(tmp_path / "bot", load_rules("ohio"), config={"learner": "gradient"}))
    gain = Estimate(0.0213, 0.0147, 0.0279, 20_000)
    responses = tuple(Response(f"runs/x/seed-{seed}", seed, gain) for seed in (1, 2, 3))
    found = Exploit(
        "pretrained:ohio", "ohio", "runs/x/seed-2", 5.0, 1, 20_000, gain, 1_048_742, bot.sha256, responses,
        SearchGain(200, 2000, gain, gain.plus(gain)),
    )  # fmt: skip
    write_exploit(tmp_path, found)
    report = {"deals": {"name": "standard-v1", "count": 5}, "against": {}, "unrepeatable": []}
    card = bot_card(bot, {**report, "best_response": asdict(best_response(tmp_path / RESULT_FILE, bot))})
    assert (
        "buck exploit pretrained:ohio --rules ohio --minutes 5 --seeds 3 --seed 1 --deals 20000 --search 200 "
        "--search-deals 2000\n"
    ) in card
    assert "the best of 3 seeds, gains +0.021 [+0.015, +0.028] points a hand among them (20,000 deals)" in card
    assert "200 deals a decision, gains +0.043 [+0.033, +0.052] (2,000 deals" in card
    assert "best response" not in bot_card(bot, {**report, "best_response": None})
    assert "best response" not in bot_card(bot, report)  # of an earlier version
    write_exploit(tmp_path, replace(found, sha256="another"))
    with pytest.raises(BuckError, match="is of other weights than the bot's"):
        best_response(tmp_path / RESULT_FILE, bot)
