"""Strategies on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.bots.bot import BotError
from agents.cfr.bot import read_cfr_bot, write_cfr_bot
from buck_env import load_rules

RULES = load_rules("bucked-3")
SITUATIONS = np.array([9, 4])
STRATEGIES = np.array([[0.25, 0.75], [1.0, 0.0]])


def written(folder: Path, situations: np.ndarray = SITUATIONS, strategies: np.ndarray = STRATEGIES) -> Any:
    facts: dict[str, Any] = {"seed": 1, "decisions": 2, "seconds": 0.5, "cores": 1, "config": {}}
    return write_cfr_bot(folder, situations, strategies, rules=RULES.as_dict(), **facts)


def test_a_strategy_is_read_as_it_was_returned_in_rising_order(tmp_path: Path) -> None:
    bot, situations, strategies = written(tmp_path)
    assert situations.tolist() == [4, 9]
    assert strategies.tolist() == [[1.0, 0.0], [0.25, 0.75]]
    again = read_cfr_bot(tmp_path, RULES)
    assert again[0] == bot
    assert (again[1] == situations).all()
    assert (again[2] == strategies).all()


def test_a_strategy_of_other_rules_is_refused_by_name(tmp_path: Path) -> None:
    written(tmp_path)
    with pytest.raises(BotError, match="was trained for the rules bucked-3, not for ohio"):
        read_cfr_bot(tmp_path, load_rules("ohio"))
    with pytest.raises(BotError, match="cannot be read"):
        read_cfr_bot(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("situations", "strategies", "fault"),
    [
        (np.array([4, 4]), STRATEGIES, "do not rise"),
        (np.array([4.0, 9.0]), STRATEGIES, "are not int64"),
        (SITUATIONS, STRATEGIES / 2, "are not probabilities"),
        (SITUATIONS, STRATEGIES - 1, "are not probabilities"),
        (SITUATIONS, STRATEGIES * np.nan, "are not probabilities"),
    ],
)
def test_tables_that_are_no_strategy_are_refused(
    situations: np.ndarray, strategies: np.ndarray, fault: str, tmp_path: Path
) -> None:
    written(tmp_path, situations, strategies)
    with pytest.raises(BotError, match=fault):
        read_cfr_bot(tmp_path)


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    bot, _, _ = written(tmp_path)
    path = tmp_path / bot.weights
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(BotError, match="truncated or exchanged"):
        read_cfr_bot(tmp_path)
