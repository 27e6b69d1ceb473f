"""One decision analysed: table, JSON and picture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from moments import last_choices

from agents import load_agent
from agents.programs.position import position_of
from buck_env import load_rules
from training.analysis.analysis import analyse, analysis_record, analysis_table, low_deals
from training.analysis.analyst import make_analyst
from training.cli.app import main

RULES = load_rules("bucked")


def test_each_legal_action_has_points_and_a_chance_the_best_first() -> None:
    view = last_choices(RULES, load_agent("rules-v1", RULES), trick=2, number=1)
    found = analyse(view, make_analyst(RULES, "rules-v1"), 60, 8)
    assert len(found.points) == view.action_mask.sum()
    assert list(found.points) == list(found.chances)
    values = [figure.value for figure in found.points.values()]
    assert values == sorted(values, reverse=True)
    table = analysis_table(found)
    assert all(action in table for action in found.points)
    record = json.loads(json.dumps(analysis_record(found)))
    assert record["analyst"]["model"] == record["match_player"] == "rules-v1"
    for action, figure in record["actions"].items():
        assert figure["points"]["low"] <= figure["points"]["mean"] <= figure["points"]["high"]
        assert figure["match"]["mean"] == pytest.approx(found.chances[action].value)


def test_few_deals_are_pointed_out() -> None:
    view = last_choices(RULES, load_agent("rules-v1", RULES), trick=2, number=1)
    assert "warning" in analysis_table(analyse(view, make_analyst(RULES, "rules-v1"), 8))


def test_deals_that_do_not_follow_the_model_are_said_to_reveal_nothing() -> None:
    assert "say nothing about what their actions reveal" in low_deals(0.0)[0]
    assert "worth only 3.0" in low_deals(3.0)[0]


def test_the_command_prints_and_writes_the_same_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    view = last_choices(RULES, load_agent("rules-v1", RULES), trick=2, number=1)
    position = tmp_path / "position.json"
    position.write_text(json.dumps(position_of(view, 0)))
    said = []
    for name in ("a", "b"):
        files = ["--json", str(tmp_path / f"{name}.json"), "--picture", str(tmp_path / f"{name}.svg")]
        budget = ["--deals", "20", "--matches", "4"]
        assert main(["analyse", str(position), "--model", "rules-v1", *budget, *files]) == 0
        said.append(capsys.readouterr().out.replace(f"{name}.", "."))
    assert said[0] == said[1]
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert main(["analyse", str(position), "--picture", str(tmp_path / "a.gif")]) == 1
    assert "does not end in" in capsys.readouterr().err
    assert main(["analyse", str(position), "--deals", "3"]) == 1
    assert main(["analyse", str(position), "--seat", "1"]) == 1
