"""What a run logs: steps that increase, and shares with what they are out of (lessons D10, D11)."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from runs import scalars
from sb3_runs import drawn, silently, small
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat

from buck_env import LAYOUT, PROFILES, load_rules
from buck_env.environments.tables import Tables
from training.learning.figures import COUNTS, HandCounts, count_views, shares
from training.learning.sb3.figures import HandFigures
from training.measuring.counts import as_numbers


def test_five_rollouts_are_one_run_whose_steps_strictly_increase(tmp_path: Path) -> None:
    folder = silently(small(tmp_path, decisions=5 * 256, evaluate=2, evaluate_deals=4))
    assert len(list(tmp_path.rglob("events.out.tfevents.*"))) == 1
    logged = scalars(folder / "logs")
    assert [step for step, _ in logged["train/loss"]] == [256, 512, 768, 1024, 1280]
    for figures in logged.values():
        assert (np.diff([step for step, _ in figures]) > 0).all()


def test_seven_successes_of_a_hundred_bids_are_logged_as_such(tmp_path: Path) -> None:
    view = np.zeros(LAYOUT["played_in"].stop, np.int8)
    view[[LAYOUT["maker"].start, LAYOUT["trump"].start, LAYOUT["contract"].start + 2]] = 1  # maker of three
    lost, won = view.copy(), view.copy()
    lost[LAYOUT["tricks"].start + 1] = 1
    won[LAYOUT["tricks"].start + 2] = 1
    figures = HandFigures(load_rules("ohio"))
    logger = Logger(None, [TensorBoardOutputFormat(str(tmp_path))])
    figures.model = SimpleNamespace(logger=logger, num_timesteps=0)  # type: ignore[assignment]
    figures.on_rollout_start()
    for step in range(100):
        seen = {"terminal_observation": won if step % 14 == 1 and step < 98 else lost, "illegal_actions": step == 5}
        figures.update_locals({"infos": [seen, {"illegal_actions": 0}], "rewards": np.array([-5.0, 0.0])})
        assert figures.on_step()
    figures.on_rollout_end()
    logger.dump(200)
    logger.close()
    logged = {name: values for name, [(_, values)] in scalars(tmp_path).items()}
    assert logged["game/bid_success"] == pytest.approx(0.07)
    assert logged["game/bid_success/of"] == 100
    assert logged["game/illegal_actions"] == pytest.approx(1 / 200)
    assert logged["game/illegal_actions/of"] == 200
    assert logged["game/points"] == -5
    assert all(f"{name}/of" in logged for name in logged if not name.endswith("/of"))


@pytest.mark.parametrize("rules", PROFILES)
def test_last_views_count_as_the_tables_do(rules: str) -> None:
    tables = Tables(rules, 64, autoreset="same_step")
    tables.reset(0)
    counts, counted = HandCounts(tables.rules, 64), np.zeros(1, COUNTS)
    own = np.arange(64) % tables.rules.seats
    seats = own[:, None] == np.arange(tables.rules.seats)
    rng = np.random.default_rng(0)
    for _ in range(150):
        counts.watch(tables.logs["number"], tables.finals, seats)
        counts.decided[:] = True
        tables.step(drawn(rng, tables.masks))
        ended = np.flatnonzero(tables.flags[:, 3])
        if len(ended):
            views = tables.observe(own[ended], tables.finals.take(ended))[0]
            as_numbers(counted)[:] += as_numbers(count_views(views, tables.rules))
    counts.watch(tables.logs["number"], tables.finals, seats)
    assert counted["hands"][0] > 200
    assert shares(counted) == counts.figures()
