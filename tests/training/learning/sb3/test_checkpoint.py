"""Checkpoints: resumed runs end as runs left alone, and nothing is pickled."""

from __future__ import annotations

import pickle
import shutil
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from runs import checksum, scalars
from sb3_contrib import MaskablePPO
from sb3_runs import silently, small
from stable_baselines3.common.base_class import BaseAlgorithm

from agents import load_agent
from agents.bots.bot import BotError
from buck_env import load_rules
from training.learning import self_play
from training.learning.run.checkpoint import CHECKPOINT, CheckpointError, read_checkpoint, write_checkpoint
from training.learning.sb3.vec_env import SeatVecEnv
from training.learning.train_config import TrainConfig


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return silently(small(tmp_path_factory.mktemp("bots") / "bot"))


def test_a_resumed_run_ends_as_one_left_alone_whatever_its_kind(tmp_path: Path) -> None:
    whole = silently(small(tmp_path / "whole", vec="dummy"))
    parts = tmp_path / "parts"
    silently(small(parts, decisions=512))
    kept = (parts / CHECKPOINT).read_bytes()
    silently(small(parts, decisions=1_024), resume=True)
    (parts / CHECKPOINT).write_bytes(kept)  # as if the run had been killed before its next checkpoint
    silently(small(parts, vec="native"), resume=True)
    assert checksum(parts) == checksum(whole)
    assert checksum(silently(small(tmp_path / "other", seed=2))) != checksum(whole)
    logged, expected = scalars(parts / "logs"), scalars(whole / "logs")
    for name, figures in logged.items():
        assert (np.diff([step for step, _ in figures]) > 0).all()
        assert figures == expected[name] or name == "time/fps"


def test_a_checkpoint_that_does_not_fit_is_refused_by_name(bot: Path, tmp_path: Path) -> None:
    def resume(**changes: Any) -> None:
        silently(small(tmp_path, **{"decisions": 9_000, **changes}), resume=True)

    path = tmp_path / CHECKPOINT
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        resume()
    whole = (bot / CHECKPOINT).read_bytes()
    for damaged in (whole[:-7], whole[: len(whole) // 2], b"", b"PK\x03\x04" + whole):
        path.write_bytes(damaged)
        with pytest.raises(CheckpointError, match=r"checkpoint\.safetensors: is no checkpoint, or a damaged one"):
            resume()
    path.write_bytes(whole)
    for key, value in (("hidden", [8]), ("seed", 5), ("envs", 4), ("learning_rate", 1e-3), ("rules", "bucked")):
        with pytest.raises(CheckpointError, match=f"{key} is .* in this run, not"):
            resume(**{key: value})
    state, facts = read_checkpoint(bot)
    for lacking in ("torch_rng", "optimizer.0.exp_avg", "network.policy.weight", "tables.tables"):
        for rest in ({}, {lacking: state[lacking][:3]}):
            write_checkpoint(tmp_path, {name: array for name, array in state.items() if name != lacking} | rest, facts)
            with pytest.raises(CheckpointError, match="is damaged"):
                resume()
    for fact in ("decisions", "seconds", "numpy_rng"):
        write_checkpoint(tmp_path, state, {name: value for name, value in facts.items() if name != fact})
        with pytest.raises(CheckpointError, match="is damaged"):
            resume()
    model = MaskablePPO("MlpPolicy", SeatVecEnv(2), n_steps=2, batch_size=2)
    model.save(tmp_path / "model.zip")
    shutil.move(tmp_path / "model.zip", path)
    with pytest.raises(CheckpointError, match="is no checkpoint"):
        resume()
    with pytest.raises(BotError, match=r"bot\.json"):
        load_agent(f"ppo:{tmp_path}", load_rules("ohio"))


def test_a_checkpoint_of_self_play_is_refused_and_the_other_way_round(bot: Path, tmp_path: Path) -> None:
    config = TrainConfig(out=str(tmp_path), tables=16, steps=8, hidden=[16], minibatch=64, decisions=100, evaluate=0)
    self_play.train(config, say=lambda _: None)
    with pytest.raises(CheckpointError, match="of a run of 'buck train', not of 'buck ppo'"):
        silently(small(tmp_path), resume=True)
    shutil.copy(bot / CHECKPOINT, tmp_path / CHECKPOINT)
    with pytest.raises(CheckpointError, match="of a run of 'buck ppo', not of 'buck train'"):
        self_play.train(config, say=lambda _: None, resume=True)


def test_neither_pickle_nor_archive_is_read_or_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("pickle or archive")

    for place, name in (
        (torch, "load"), (torch, "save"), (pickle, "load"), (pickle, "loads"), (pickle, "Unpickler"),
        (zipfile, "ZipFile"), (BaseAlgorithm, "load"), (BaseAlgorithm, "save"),
    ):  # fmt: skip
        monkeypatch.setattr(place, name, refuse)
    silently(small(tmp_path, decisions=512))
    silently(small(tmp_path), resume=True)
    load_agent(f"ppo:{tmp_path}", load_rules("ohio"))
    found = sorted(path.name.split(".", 1)[1].split(".")[0] for path in tmp_path.rglob("*") if path.is_file())
    assert found == ["json", "out", "out", "safetensors", "safetensors"]
