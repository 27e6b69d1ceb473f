"""Who decides what at the tables, and what of it is recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents import load_agent
from buck_env import BuckError, load_rules
from buck_env.environments.tables import Tables
from buck_env.game.options import PHASES
from training.learning.collector import Collector
from training.learning.opponents import LEARNER, OpponentPool
from training.learning.player import Decisions
from training.learning.playouts import PlayoutTeacher
from training.learning.rollout import Rollout
from training.learning.self_play import SelfPlayLearner, TrainConfig


class Randomly:
    """Plays any legal action, and has no earlier selves and no critic."""

    def __init__(self) -> None:
        self._rng = np.random.default_rng(0)

    def decide(self, observation: np.ndarray, mask: np.ndarray, unseen: np.ndarray) -> Decisions:
        n = len(mask)
        return Decisions(np.array([self._rng.choice(np.flatnonzero(row)) for row in mask]), np.zeros(n), np.zeros(n))

    def decide_as(self, weights: Any, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        raise AssertionError("there are no earlier selves")

    def critic_values(self, observation: np.ndarray, unseen: np.ndarray) -> np.ndarray:
        raise AssertionError("there is no critic")


def collected(rules: str, phases: list[str], names: list[str], share: float, decisions: int = 400) -> tuple[Any, Any]:
    house = load_rules(rules)
    tables = Tables(house, 32, autoreset="same_step", skip_forced=True)
    tables.reset(3)
    seats = OpponentPool(32, house.seats, names=names, snapshots=0, share=share, sampling="uniform", seed=0)
    collector = Collector(
        tables, seats, Randomly(), PlayoutTeacher(TrainConfig(), house, phases), phases=phases,
        otherwise=load_agent("rules-v1", house), opponents=[load_agent(name, house) for name in names],
        oracle_critic=True,
    )  # fmt: skip
    rollout = Rollout(decisions + 64, 32, house.seats, collector.columns)
    collector.collect(rollout, decisions)
    return collector, rollout


@pytest.mark.parametrize(
    ("rules", "learn"), [("ohio", ["stay"]), ("dirty-clubs", ["bid", "name"]), ("cutthroat", ["exchange"])]
)
def test_only_learned_phases_are_recorded_and_other_hands_are_counted(rules: str, learn: list[str]) -> None:
    collector, rollout = collected(rules, learn, [], 0.0)
    assert {PHASES[phase] for phase in rollout["phase"][: rollout.length]} == set(learn)
    figures = collector.counts.figures()
    assert figures["game/hands_without_decision/of"] == collector.counts.counts["hands"][0] > 0
    assert 0 <= figures["game/hands_without_decision"] < 1


def test_against_a_pool_only_the_learners_own_seat_is_recorded() -> None:
    collector, rollout = collected("ohio", list(PHASES), ["random"], 1.0)
    assert (rollout.last_row >= 0).sum(axis=1).max() == 1
    sitting = collector.pool.sitting
    open_seats = np.nonzero(rollout.last_row >= 0)
    assert (sitting[open_seats] == LEARNER).all()


def test_an_opponent_at_fault_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "faulty.py").write_text(
        "class Raises:\n"
        "    def __init__(self, rules): pass\n"
        "    def act(self, views): raise ValueError('no luck')\n"
        "class Illegal(Raises):\n"
        "    def act(self, views): return views.action_mask.argmin(1)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    for name, said in (("faulty:Raises", "act failed: ValueError: no luck"), ("faulty:Illegal", "may not")):
        learner = SelfPlayLearner(
            TrainConfig(tables=16, steps=8, hidden=[8], opponents=[name], opponent_share=1.0), load_rules("ohio")
        )
        with pytest.raises(BuckError, match=f"^{name}: .*{said}"):
            learner.iterate(0.0)
        learner.close()
