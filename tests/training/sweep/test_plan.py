"""The runs of a sweep: what they are, and which sweeps are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

from buck_env import BuckError
from buck_env.base.shipped import shipped_configs
from training.base.config import load_config
from training.cli.learners import run_of
from training.sweep.config import SweepConfig
from training.sweep.plan import plan

GRID: dict[str, Any] = {
    "rules": ["ohio", "bucked-3"],
    "options": {"plain": {}, "falling": {"entropy": 0.02, "entropy_end": 0.0}},
}


def test_every_combination_is_trained_with_every_seed() -> None:
    cells = plan(SweepConfig(grid=GRID, seeds=[7, 9], settings={"decisions": 1000}, out="runs/x"), run_of)
    assert [(cell.choices, cell.run.seed) for cell in cells] == [
        ((rules, option), seed) for rules in GRID["rules"] for option in GRID["options"] for seed in (7, 9)
    ]
    last: Any = cells[-1].run
    assert (last.rules, last.entropy, last.entropy_end, last.decisions) == ("bucked-3", 0.02, 0.0, 1000)
    assert last.out == "runs/x/runs/bucked-3-falling-seed-9"
    assert len({cell.run.out for cell in cells}) == len(cells)


def test_a_sweep_may_choose_among_learners() -> None:
    grid = {"learner": {"ppo": {}, "cfr": {"learner": "cfr"}}}
    kinds = [type(cell.run).__name__ for cell in plan(SweepConfig(grid=grid, seeds=[1]), run_of)]
    assert kinds == ["TrainConfig", "CfrConfig"]


@pytest.mark.parametrize("name", shipped_configs("sweep"))
def test_every_run_of_a_shipped_sweep_can_be(name: str) -> None:
    config = load_config(SweepConfig, ROOT / "configs" / "sweep" / f"{name}.yaml")
    assert plan(config, run_of)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"grid": {"seed": [1, 2]}}, "grid: the setting seed is not allowed; allowed: other settings; give seeds"),
        ({"settings": {"out": "x"}}, "settings: the setting out is not allowed"),
        ({"grid": {"entropy": []}}, "grid: the axis entropy without choices is not allowed"),
        ({"seeds": []}, r"seeds: \[\] is not allowed"),
        ({"seeds": [1, 1]}, r"seeds: \[1, 1\] is not allowed"),
        ({"against": []}, r"against: \[\] is not allowed"),
        ({"grid": {"entrpy": [0.1]}}, "entrpy"),
        ({"grid": {"entropy": ["much"]}}, "entropy: 'much' is not allowed"),
        ({"grid": {"entropy": [0.1]}, "settings": {"entropy": 0.2}}, "entropy is given twice"),
        ({"grid": {"options": {"a+b": {}, "A b": {}}}}, "another choice has the same file name"),
        ({"config": "nothing"}, "nothing: no such file, nor a shipped configuration"),
    ],
)
def test_a_sweep_that_cannot_be_is_refused(settings: dict[str, Any], said: str, tmp_path: Path) -> None:
    file = tmp_path / "sweep.yaml"
    file.write_text(json.dumps(settings))
    with pytest.raises(BuckError, match=said):
        plan(load_config(SweepConfig, file), run_of)
