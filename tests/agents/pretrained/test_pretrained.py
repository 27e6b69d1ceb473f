"""The bots that come with the package: small, torch-free, and as good as their cards say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import agents.pretrained
from agents import load_agent
from agents.bots.bot import read_bot
from agents.pretrained import pretrained_names
from buck_env import PROFILES, load_rules
from training.cli.card import command
from training.measuring.compare import compare
from training.measuring.evaluate import STANDARD

FOLDER = Path(agents.pretrained.__file__).parent


def test_there_is_one_for_every_profile() -> None:
    assert pretrained_names() == sorted(PROFILES)


@pytest.mark.parametrize("name", pretrained_names())
def test_it_is_small_and_its_card_is_of_it(name: str) -> None:
    folder = FOLDER / name
    assert sum(path.stat().st_size for path in folder.iterdir()) < 1_000_000
    bot, _ = read_bot(folder, load_rules(name))
    report = json.loads((folder / "standard-v1.json").read_text())
    assert report["sha256"] == bot.sha256
    assert report["deals"] == {**report["deals"], "name": STANDARD, "count": 20_000}
    card = (folder / "README.md").read_text()
    assert command(bot) in card
    assert f"Seed {bot.seed}, from {bot.config.get('initial') or 'random weights'}: {bot.decisions:,} decisions" in card


@pytest.mark.parametrize("name", pretrained_names())
def test_it_is_as_good_as_its_card_says(name: str) -> None:
    rules = load_rules(name)
    said = json.loads((FOLDER / name / "standard-v1.json").read_text())["against"]
    for reference in ("random", "rules-v1"):
        found = compare(rules, load_agent(f"pretrained:{name}", rules), load_agent(reference, rules), deals=300, seed=3)
        for measure in ("gain", "edge"):
            estimate, card = getattr(found, measure), said[reference][measure]
            assert abs(estimate.mean - card["mean"]) < 2 * (estimate.high - estimate.low), (reference, measure)


def test_it_plays_without_torch() -> None:
    code = (
        "import sys\n"
        "from agents import load_agent\n"
        "from buck_env.environments.tables import Tables\n"
        "from buck_env.observation.views import Views\n"
        f"tables = Tables({pretrained_names()[0]!r}, 3)\n"
        "tables.reset(0)\n"
        f"agent = load_agent({'pretrained:' + pretrained_names()[0]!r}, tables.rules)\n"
        "agent.act(Views.of(tables.rules, tables.tables, tables.logs))\n"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=FOLDER.parent.parent)
