"""How fast learning is: rates, shares of one another, and the file of figures."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from clocks import Clock

from training.bench import learn
from training.learning.self_play import TrainConfig


class Steady:
    """Learns from 100 decisions a rollout."""

    def __init__(self) -> None:
        self.decisions = 0
        self.closed = False

    def iterate(self, progress: float) -> dict[str, float]:
        self.decisions += 100
        return {}

    def close(self) -> None:
        self.closed = True


def test_a_rate_leaves_out_the_first_rollout_and_closes_the_learner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learn, "time", Clock())
    learner = Steady()
    assert learn._rate(learner, 3.0) == 200 / 4  # two rollouts, and four looks at a clock of seconds
    assert learner.closed


def test_torch_alone_has_a_rate() -> None:
    rate = learn._torch_alone(TrainConfig(hidden=[8], tables=16, steps=8, minibatch=64), 0.0)
    assert math.isfinite(rate)
    assert rate > 0


@pytest.mark.parametrize("minutes", [0.0, 1.0])
def test_shares_are_those_of_the_figures_and_maskable_ppo_may_be_left_out(
    minutes: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = {learn._memory: 0.5, learn._maskable_rate: 10.0, learn._equal_rate: 130.0}
    monkeypatch.setattr(learn, "_learning_rate", lambda *_: 300.0)
    monkeypatch.setattr(learn, "_torch_alone", lambda *_: 400.0)
    monkeypatch.setattr(learn, "_in_a_process", lambda function, *_: rates[function])
    monkeypatch.setattr(learn, "_seconds_to_zero", lambda *_: 12.0)
    monkeypatch.setattr(learn, "_maskable_seconds", lambda *_: 1200.0)
    out = tmp_path / "new" / "figures.json"
    learn.bench_learn(0.0, minutes, out)
    figures = json.loads(out.read_text())
    assert figures["share of that ceiling"] == 0.75
    assert figures["times MaskablePPO"] == 13
    assert figures["seconds to gain over rules-v1 of 0, self-play"] == 12
    times = {name: figure for name, figure in figures.items() if name.startswith("times self-play")}
    assert times == ({"times self-play, defaults": 100, "times self-play, ohio": 100} if minutes else {})
