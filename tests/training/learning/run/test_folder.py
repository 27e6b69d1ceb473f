"""The bot that a run leaves: what it carries, and what of it is refused where it is loaded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from runs import run

from agents import load_agent
from agents.bots.bot import BotError, read_bot
from buck_env import load_rules


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(tmp_path_factory.mktemp("bots") / "bot")


def test_a_bot_carries_its_weights_configuration_rules_versions_and_seed(bot: Path) -> None:
    card = json.loads((bot / "bot.json").read_text())
    assert card["environment"] == "buck_euchre_v0"
    assert card["rules"]["base"] == "ohio"
    assert len(card["rules"]) > 30
    assert {"rules_version", "observation_version", "actions_version", "seed", "config", "decisions"} <= set(card)
    assert len(list(bot.glob("weights-*.safetensors"))) == 1
    assert list((bot / "logs").iterdir())


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda card: card.update(observation_version=7), "observation_version is 7"),
        (lambda card: card.update(actions_version=None), "actions_version is None"),
        (lambda card: card.update(environment="buck_euchre_v9"), "environment is 'buck_euchre_v9'"),
        (lambda card: card.update(format="zip"), "format is 'zip'"),
        (lambda card: card.update(seed="x"), "seed"),
        (lambda card: card.update(note=1), "note"),
        (lambda card: card.pop("weights"), "weights"),
        (lambda card: card.update(weights="../x.safetensors"), "not a file name"),
        (lambda card: card.update(weights="other.safetensors"), "cannot be read"),
        (lambda card: card.update(hidden=[64]), "float32 of shape"),
        (lambda card: card["rules"].update(target=1), "trained for the rules"),
    ],
)
def test_a_bot_that_does_not_fit_is_refused_by_name(bot: Path, tmp_path: Path, edit: Any, said: str) -> None:
    card = json.loads((bot / "bot.json").read_text())
    weights = bot / card["weights"]
    (tmp_path / weights.name).write_bytes(weights.read_bytes())
    edit(card)
    (tmp_path / "bot.json").write_text(json.dumps(card))
    with pytest.raises(BotError, match=said):
        load_agent(f"ppo:{tmp_path}", load_rules("ohio"))


def test_a_damaged_bot_is_refused(bot: Path, tmp_path: Path) -> None:
    card = json.loads((bot / "bot.json").read_text())
    data = (bot / card["weights"]).read_bytes()
    for text, weights, said in (
        ("{", data, "JSON"),
        ("[1]", data, "JSON"),
        (json.dumps(card), data[:-5], "checksum"),
        (json.dumps(card), b"", "checksum"),
    ):
        (tmp_path / "bot.json").write_text(text)
        (tmp_path / card["weights"]).write_bytes(weights)
        with pytest.raises(BotError, match=said):
            read_bot(tmp_path, load_rules("ohio"))
    with pytest.raises(BotError, match="cannot be read"):
        read_bot(tmp_path / "nothing", load_rules("ohio"))
    with pytest.raises(BotError, match="trained for the rules ohio, not for bucked"):
        read_bot(bot, load_rules("bucked"))
