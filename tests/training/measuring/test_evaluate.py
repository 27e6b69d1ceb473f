"""The yardstick: fixed deals, and figures that repeat."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from bots import untrained
from programs import Program

from agents.bots.bot import read_bot
from buck_env import BuckError, load_rules
from buck_env.environments.tables import Tables
from training.cli.app import main
from training.cli.card import bot_card, trained_bot
from training.learning.self_play import TrainConfig, train
from training.measuring.duplicate import deal_seeds
from training.measuring.evaluate import STANDARD, evaluate

FIRST_CARDS = [[0, 15, 1, 4, 13], [1, 7, 2, 16, 17], [18, 15, 21, 13, 16]]


def test_the_standard_deals_never_change() -> None:
    """Figures on standard-v1 are cited: other deals would be a standard-v2."""
    assert STANDARD == "standard-v1"
    seeds = deal_seeds(1_000_000_007, 20_000)
    tables = Tables("ohio", 3)
    tables.reset_seeds(seeds[[0, 1, 19_999]])
    assert tables.logs["pack"][:, :5].tolist() == FIRST_CARDS


def test_evaluation_is_a_line_and_json_and_repeats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "e.json"
    assert main(["evaluate", "rules-v1", "--rules", "bucked-3", "--deals", "200", "--json", str(out)]) == 0
    told = capsys.readouterr()
    assert "standard-v1 bucked-3, 200 deals: rules-v1 v random: gain +" in told.out + told.err
    report = json.loads(out.read_text())
    assert report["against"]["random"]["gain"]["low"] > 0 > report["against"]["random"]["gain_of_other"]["high"]
    assert report["deals"]["name"] == "standard-v1"
    again = evaluate("rules-v1", "bucked-3", deals=200)
    same: list[Any] = [{key: value for key, value in one.items() if key != "seconds"} for one in (report, again)]
    assert same[0] == same[1]
    assert main(["evaluate", "rules-v1", "--deals", "20001"]) == 1


def test_both_directions_are_shown_and_a_program_has_the_seconds_that_are_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, program = tmp_path / "e.json", Program(tmp_path).name("hang", after=3)
    limits = ["--deals", "2", "--timeout", "0.4", "--json", str(out)]
    assert main(["evaluate", program, "--rules", "bucked-3", "--against", "random", *limits]) == 0
    shown = capsys.readouterr()
    assert re.search(r": gain [+-].*, edge [+-].*; random among it: gain [+-].*, edge [+-]", shown.out + shown.err)
    report = json.loads(out.read_text())
    assert report["programs"][program]["timeout"] >= 1
    assert set(report["against"]["random"]) == {"gain", "edge", "points", "gain_of_other", "edge_of_other"}
    assert main(["evaluate", "random", "--timeout", "0"]) == 1
    assert "--timeout: 0 is not allowed; allowed: seconds above 0" in capsys.readouterr().err


def test_agents_that_decide_by_a_clock_are_marked_in_figures_line_and_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    timed = "search:rules-v1,1ms,stay"
    report = evaluate("rules-v1", "bucked-3", against=["random", timed], deals=2)
    assert report["unrepeatable"] == [timed]
    told = capsys.readouterr()
    lines = [line for line in (told.out + told.err).splitlines() if line.startswith("standard-v1")]
    assert [line.endswith(f"; not repeatable: {timed}") for line in lines] == [False, True]
    bot, _ = read_bot(untrained(tmp_path, load_rules("bucked-3")))
    assert f"Not repeatable: `{timed}`. They decide by a clock" in bot_card(bot, report)
    assert "epeatable" not in bot_card(bot, {**report, "unrepeatable": []})


def test_a_bots_card_tells_the_command_that_makes_it_again(tmp_path: Path) -> None:
    config = TrainConfig(
        out=str(tmp_path / "bot"), rules="bucked-3", seed=4, tables=64, steps=16, hidden=[16], minibatch=256,
        decisions=2_000, evaluate=1, evaluate_deals=10, checkpoint=0,
    )  # fmt: skip
    folder = train(config, say=lambda _: None).folder
    report = evaluate(f"ppo:{folder}", "bucked-3", deals=50)
    (tmp_path / "CARD.md").write_text(bot_card(trained_bot(f"ppo:{folder}", "bucked-3"), report))
    told = (tmp_path / "CARD.md").read_text()
    line = next(line for line in told.splitlines() if line.strip().startswith("buck train"))
    assert main([*shlex.split(line)[1:], f"out={tmp_path / 'again'}"]) == 0
    cards = [json.loads((path / "bot.json").read_text()) for path in (folder, tmp_path / "again")]
    assert cards[0]["sha256"] == cards[1]["sha256"]
    assert "| `rules-v1` | " in told
    with pytest.raises(BuckError, match="no trained bot"):
        trained_bot("random", "bucked-3")
