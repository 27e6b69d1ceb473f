"""Where a bot's weights may lie."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.bots.bot import BotError
from agents.bots.network import load_bot
from buck_env import PROFILES


@pytest.mark.parametrize("weights", ["a\0b", "\ud800", "../x", ""])
def test_a_bot_names_a_file_beside_it(weights: str, tmp_path: Path) -> None:
    card = {"weights": weights}
    (tmp_path / "bot.json").write_text(json.dumps(card))
    with pytest.raises(BotError):
        load_bot(str(tmp_path), PROFILES["ohio"])
