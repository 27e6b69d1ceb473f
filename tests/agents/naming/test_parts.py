"""Agents made of parts, short names, and the yardstick that measures them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents import AgentError, load_agent, phases_of
from agents.naming.composite import Composite, composite_name
from buck_env import PROFILES, BuckError, load_rules
from buck_env.environments.tables import Tables
from buck_env.game.table import PHASES
from buck_env.observation.views import Views
from training.cli.app import main
from training.learning.self_play import TrainConfig, train
from training.measuring.evaluate import STANDARD, evaluate
from training.measuring.measures import deal_seeds


@pytest.fixture(scope="module")
def stayer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bot that has learned only whether to stay, a little."""
    config = TrainConfig(
        out=str(tmp_path_factory.mktemp("bots") / "stayer"), rules="dirty-clubs", learn=["stay"],
        tables=64, steps=16, hidden=[16], minibatch=256, decisions=2_000, evaluate=0, checkpoint=0,
    )  # fmt: skip
    return train(config, say=lambda _: None)


def test_a_part_alone_is_refused_and_told_how_to_complete(stayer: Path) -> None:
    with pytest.raises(AgentError, match=r"has not learned bid, name, play; as in phases:stay=ppo:.*,else=rules-v1"):
        load_agent(f"ppo:{stayer}", load_rules("dirty-clubs"))


def test_a_name_of_parts_is_one_that_can_be_loaded() -> None:
    rules = load_rules("dirty-clubs")
    assert composite_name(rules.phases, "random", "rules-v1", rules) == "random"
    for otherwise, name in (
        ("rules-v1", "phases:stay=random,else=rules-v1"),
        ("phases:stay+bid=rules-v1,else=random", "phases:stay=random,bid=rules-v1,else=random"),
        ("phases:stay=rules-v1,bid+name+play=random", "phases:stay=random,bid+name+play=random"),
    ):
        assert composite_name(["stay"], "random", otherwise, rules) == name
        assert load_agent(name, rules)


def test_each_phase_is_decided_by_its_agent(stayer: Path) -> None:
    rules = load_rules("dirty-clubs")
    agent = load_agent(f"phases:stay=ppo:{stayer},bid=random,else=rules-v1", rules)
    assert isinstance(agent, Composite)
    assert phases_of(agent, rules) == rules.phases
    parts = {"stay": agent.parts["stay"], "bid": load_agent("random", rules)}
    tables = Tables(rules, 300)
    tables.reset(1)
    met = set()
    for _ in range(12):
        going = np.flatnonzero(tables.episodes["over"] == 0)
        views = Views.of(rules, tables.tables.take(going), tables.logs.take(going))
        actions = np.zeros(300, np.int64)
        actions[going] = agent.act(views)
        for phase in np.unique(views.tables["phase"]):
            rows = np.flatnonzero(views.tables["phase"] == phase)
            expected = parts.get(PHASES[phase], load_agent("rules-v1", rules)).act(views.take(rows))
            assert np.array_equal(actions[going[rows]], expected)
            met.add(PHASES[phase])
        tables.step(actions)
    assert {"bid", "name", "stay", "play"} <= met


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("stay=rules-v1", "nobody decides order, call, discard, play"),
        ("stay=rules-v1,stay=random,else=random", "stay is given twice"),
        ("bid=rules-v1,else=random", "'bid' is no phase of these rules; allowed: order"),
        ("stay,else=random", "'stay' is not PHASE"),
        ("stay=,else=random", "'stay=' is not PHASE"),
        ("stay=nobody,else=random", "'nobody' is not known"),
    ],
)
def test_a_faulty_list_of_phases_is_told(text: str, said: str) -> None:
    with pytest.raises(AgentError, match=said):
        load_agent(f"phases:{text}", load_rules("ohio"))


def test_a_part_may_not_decide_what_it_has_not_learned(stayer: Path) -> None:
    with pytest.raises(AgentError, match="has not learned bid"):
        load_agent(f"phases:bid=ppo:{stayer},else=random", load_rules("dirty-clubs"))


def test_a_file_gives_agents_short_names(stayer: Path, tmp_path: Path) -> None:
    names = tmp_path / "mine.yaml"
    names.write_text(f"drop: ppo:{stayer}\nwhole: phases:stay=drop,else=base\nbase: rules-v1\na: b\nb: a\nbad: 3\n")
    rules = load_rules("dirty-clubs")
    assert isinstance(load_agent(f"{names}:whole", rules), Composite)
    for name, said in (
        ("none", "'none' names no agent; allowed: drop, whole"),
        ("a", "a is named by itself: a → b → a"),
        ("bad", "'bad' names no agent"),
        ("drop", "has not learned"),
    ):
        with pytest.raises(AgentError, match=said):
            load_agent(f"{names}:{name}", rules)
    with pytest.raises(AgentError, match="cannot be read"):
        load_agent(f"{tmp_path / 'nothing.yaml'}:x", rules)


def test_an_unknown_pretrained_bot_is_told() -> None:
    with pytest.raises(BuckError, match=r"pretrained:nobody: no such bot; allowed: "):
        load_agent("pretrained:nobody", load_rules("ohio"))


def test_the_standard_deals_never_change() -> None:
    """Figures on standard-v1 are cited: other deals would be a standard-v2."""
    assert STANDARD == "standard-v1"
    seeds = deal_seeds(1_000_000_007, 20_000)
    tables = Tables("ohio", 3)
    tables.reset_seeds(seeds[[0, 1, 19_999]])
    assert tables.logs["pack"][:, :5].tolist() == FIRST_CARDS


FIRST_CARDS = [[0, 15, 1, 4, 13], [1, 7, 2, 16, 17], [18, 15, 21, 13, 16]]


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


def test_a_bots_card_tells_the_command_that_makes_it_again(tmp_path: Path) -> None:
    config = TrainConfig(
        out=str(tmp_path / "bot"), rules="bucked-3", seed=4, tables=64, steps=16, hidden=[16], minibatch=256,
        decisions=2_000, evaluate=1, evaluate_deals=10, checkpoint=0,
    )  # fmt: skip
    folder = train(config, say=lambda _: None)
    evaluate(f"ppo:{folder}", "bucked-3", deals=50, card=tmp_path / "CARD.md")
    told = (tmp_path / "CARD.md").read_text()
    line = next(line for line in told.splitlines() if line.strip().startswith("buck train"))
    assert main([*shlex.split(line)[1:], f"out={tmp_path / 'again'}"]) == 0
    cards = [json.loads((path / "bot.json").read_text()) for path in (folder, tmp_path / "again")]
    assert cards[0]["sha256"] == cards[1]["sha256"]
    assert "| `rules-v1` | " in told
    with pytest.raises(BuckError, match="no trained bot"):
        evaluate("random", "bucked-3", deals=50, card=tmp_path / "none.md")


def test_the_phases_of_a_game_are_those_its_rules_ask() -> None:
    assert PROFILES["ohio"].phases == ("order", "call", "discard", "stay", "play")
    assert PROFILES["stick-the-dealer"].phases == ("discard", "name", "play")
    assert PROFILES["cutthroat"].phases == ("exchange", "bid", "name", "stay", "play")
    for name, rules in PROFILES.items():
        tables = Tables(rules, 500, episode="match", max_hands=3)
        tables.reset(0)
        met = set()
        rng = np.random.default_rng(0)
        while (going := tables.episodes["over"] == 0).any():
            met |= {PHASES[phase] for phase in tables.tables["phase"][going]}
            noise = rng.random(tables.masks.shape)
            tables.step((noise * tables.masks).argmax(axis=1))
        assert met == set(rules.phases), name
