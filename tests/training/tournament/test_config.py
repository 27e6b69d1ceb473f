"""The settings of an event."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import ROOT

from training.base.config import ConfigError, load_config
from training.tournament.event import TournamentConfig


def test_a_config_is_read_with_overrides(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text("rules: {base: bucked, target: 15}\nagents: {a: random, b: rules-v1}\nout: here\n")
    config = load_config(TournamentConfig, path, ["deals=50", "agents={a: random, c: random}"])
    assert (config.rules.target, config.deals, config.matches, config.out) == (15, 50, 0, Path("here"))
    assert config.agents == {"a": "random", "c": "random"}


@pytest.mark.parametrize("path", sorted(ROOT.glob("configs/tournaments/*.yaml")), ids=str)
def test_shipped_configs_can_be_read(path: Path) -> None:
    assert load_config(TournamentConfig, path).deals >= 2


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("agents=[random]", "agents: a number of 1 .*allowed: 2 to 32 agents"),
        ("agents=[random, random]", "agents: .*'random', listed twice, .*labels"),
        ("agents={a: 3, b: random}", "agents: 3 in {a: 3, b: random} .*a list of agents' names, or a mapping"),
        ('agents={"": rules-v1, b: random}', "the label '' is not allowed; allowed: 1 to 200 characters"),
        ('agents={"a\\e[31m": rules-v1, b: random}', "the label .* is not allowed; allowed: .* that can be printed"),
        ('agents={"\\ud800": rules-v1, b: random}', "the label|cannot be read"),
        ("deals=1", "deals: 1 .*2"),
        ("deals=true", "deals: true "),
        ("matches=1", "matches: 1, which gives no interval, .*at least 2"),
        ("until=0", "until.*: 0 "),
        ("until=narrow", "until.*: 'narrow' "),
        ("mixed=some", "mixed.*: 'some' "),
        ("processes=0", "processes: 0 "),
        ("ray=nowhere", r"ray: 'nowhere' .*HOST:PORT, auto or local"),
        ("ray=ray://head:10001", "ray: 'ray://head:10001' "),
        ('ray=""', "ray: '' "),
        ("seed=-1", "seed: -1 "),
        ("rules=whist", "rules: .*whist.*ohio"),
        ("games=4", "games: 4 is set, but there is no such key; allowed: rules, agents, deals"),
    ],
)
def test_a_config_that_cannot_be_played_names_the_key_and_what_is_allowed(override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_config(TournamentConfig, None, [override])
