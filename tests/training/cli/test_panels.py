"""Help lists every setting and every shipped configuration."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from buck_env.base.shipped import shipped_configs
from training.base.settings import settings_of
from training.cli.app import main
from training.learning.cfr.config import CfrConfig
from training.learning.gradient.config import GradientConfig
from training.learning.sb3.config import PPOConfig
from training.learning.train_config import TrainConfig
from training.tournament.config import TournamentConfig

CONFIGURED = [
    ("train", TrainConfig, "train"),
    ("train", GradientConfig, "train"),
    ("train", CfrConfig, "train"),
    ("ppo", PPOConfig, "ppo"),
    ("tournament", TournamentConfig, "tournaments"),
]


@pytest.mark.parametrize(("command", "kind", "folder"), CONFIGURED)
def test_help_lists_every_setting_with_meaning_type_and_default(
    command: str, kind: type, folder: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    assert main([command, "--help"]) == 0
    page = capsys.readouterr().out
    for setting in settings_of(kind).values():
        rows = re.findall(rf"^│ {setting.name} +(.*?) *│$", page, re.MULTILINE)
        assert f"{setting.meaning} Allowed: {setting.allowed}. [default: {setting.default}]" in rows
        assert re.search(rf"^╭─ Settings( with learner: \w+)?: {re.escape(setting.section)} ─", page, re.MULTILINE)
    for name, path in shipped_configs(folder).items():
        purpose = path.read_text().splitlines()[0].removeprefix("# ")
        assert re.search(rf"^│ {name} +{re.escape(purpose)} *│$", page, re.MULTILINE)


def test_every_shipped_configuration_says_what_it_is_for() -> None:
    for folder in ("train", "ppo", "tournaments", "rules"):
        assert shipped_configs(folder)
        for name, path in shipped_configs(folder).items():
            first = path.read_text().splitlines()[0]
            assert first.startswith("# "), name
            purpose = first.removeprefix("# ")
            assert not Path(purpose).suffix, name
