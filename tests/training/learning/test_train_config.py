"""The settings of a run: what is refused, and by what words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from buck_env import load_rules
from training.base.config import ConfigError, find_config, load_config
from training.learning.self_play import TrainConfig


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (["suit_augmentation=true"], "suit_augmentation: true is not allowed; allowed: false where canonical is true"),
        (
            ["snapshots=2", "opponent_share=0"],
            "opponent_share: 0.0 is not allowed; allowed: above 0 where there are snapshots",
        ),
        (
            ["opponents=[random]", "opponent_share=0"],
            "opponent_share: 0.0 is not allowed; allowed: above 0 where there are opp",
        ),
        (["playouts=true"], "playouts: true is not allowed; allowed: false where oracle_critic is false"),
        (["critic_hidden=[8]"], "critic_hidden: [8] is not allowed; allowed: null where oracle_critic is false"),
        (
            ["oracle_critic=true", "playout_weight=1"],
            "playout_weight: 1.0 is not allowed; allowed: 0 where playouts is false",
        ),
        (
            ["oracle_critic=true", "playout_gradient=1"],
            "playout_gradient: 1.0 is not allowed; allowed: 0 where playouts is false",
        ),
        (
            ["oracle_critic=true", "playouts=true", "playout_correction=true"],
            "playout_correction: true is not allowed; allowed: false where playout_weight and playout_gradient are 0",
        ),
        (
            [
                "oracle_critic=true",
                "playouts=true",
                "playout_gradient=1",
                "playout_correction=true",
                "learn=[order, call]",
                "otherwise=random",
            ],
            "playout_correction: true is not allowed; allowed: false where otherwise, here random, is not rules-v1",
        ),
        (
            ["oracle_critic=true", "playouts=true", "gamma=0.9"],
            "gamma: 0.9 is not allowed; allowed: 1 where playouts is true",
        ),
        (
            ["oracle_critic=true", "playouts=true", "objective=win"],
            "playouts: true is not allowed; allowed: false where objective",
        ),
        (["steps=4"], "steps: 4 is not allowed; allowed: more than 4, the seats of these rules"),
        (["rules=bucked-3", "steps=3"], "steps: 3 is not allowed; allowed: more than 3"),
        (["initial=''"], "initial"),
        (["out=''"], "out"),
        (["learn=[]"], "learn: [] is not allowed; allowed: at least one phase"),
        (["learn=[name]"], "learn: name, which does not occur in these rules, is not allowed; allowed: order"),
    ],
)
def test_options_that_exclude_one_another_are_refused(overrides: list[str], said: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(said)):
        load_config(TrainConfig, None, overrides)


@pytest.mark.parametrize(
    ("text", "overrides", "said"),
    [
        ("seed: x", [], "seed: 'x'"),
        ("sead: 1", [], "sead.*allowed: rules"),
        ("seed: 1\nseed: 2", [], "line 2"),
        ("seed: [", [], "c.yaml"),
        ("- 1", [], "mapping"),
        ("seed: 1", ["tables=0"], "override: tables: 0"),
        ("seed: 1", ["tables"], "key=value"),
        ("seed: 1", ["learning_rate=fast"], "learning_rate"),
    ],
)
def test_a_bad_configuration_is_refused(tmp_path: Path, text: str, overrides: list[str], said: str) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=said):
        load_config(TrainConfig, path, overrides)
    with pytest.raises(ConfigError, match=r"shipped: .*demo"):
        find_config("nothing", "train")


def test_overrides_lie_over_the_file(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("seed: 4\nlearning_rate: 1e-3\nrules: {base: ohio, target: -5}")
    config = load_config(TrainConfig, path, ["seed=5", "hidden=[8, 8]"])
    assert (config.seed, config.learning_rate, config.hidden) == (5, 1e-3, [8, 8])
    assert load_rules(config.rules).target == -5
