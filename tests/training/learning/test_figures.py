"""The figures that a run logs."""

from __future__ import annotations

import numpy as np
import pytest

from buck_env import load_rules
from buck_env.environments.tables import Tables
from buck_env.game.options import PHASES
from training.learning.figures import HandCounts, by_phase
from training.learning.self_play import SelfPlayLearner, TrainConfig


def test_figures_by_phase_are_means_of_the_decisions_of_each() -> None:
    phases = np.array([PHASES.index(name) for name in ("stay", "play", "stay", "play", "play")], np.int8)
    assert by_phase(np.array([1.0, 3.0, 2.0, 4.0, 5.0]), phases) == {"stay": 1.5, "play": 4.0}


def test_seven_successful_bids_in_a_hundred_are_logged_as_7_percent_of_100() -> None:
    """Lesson D11: counts are kept whole until they are divided, and each share is logged with its denominator."""
    rules = load_rules("dirty-clubs")
    tables = Tables(rules, 100)
    counts = HandCounts(rules, 100)
    own = np.zeros((100, 4), bool)
    own[:, 2] = True
    finals = tables.finals.copy()
    finals["trump"], finals["maker"], finals["contract"] = 1, 2, 3
    finals["stayed"] = 0b1011  # three others; the maker's seat takes no stay decision
    finals["tricks"][:] = [1, 1, 2, 1]
    finals["tricks"][:7] = [1, 1, 3, 0]
    counts.watch(np.zeros(100, np.int64), finals, own)
    counts.watch(np.ones(100, np.int64), finals, own)
    figures = counts.figures()
    assert figures["game/bid_success"] == pytest.approx(0.07)
    assert figures["game/bid_success/of"] == 100
    assert figures["game/bid_level"] == 3
    assert figures["game/hands_without_decision"] == 1
    assert "game/stay_rate" not in figures, "nothing to divide by is no figure"


def test_learner_reports_finite_figures() -> None:
    config = TrainConfig(tables=32, steps=8, hidden=[16], minibatch=64, rules="cutthroat", threads=1)
    learner = SelfPlayLearner(config, load_rules("cutthroat"))
    for _ in range(3):
        assert all(np.isfinite(list(learner.iterate(0.0).values())))
    learner.close()
