"""An event on disk as a data set of Minari: an episode for each seat of each hand, and a card."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from itertools import chain
from pathlib import Path
from typing import Any

import gymnasium
import minari
import numpy as np
from minari.data_collector.episode_buffer import EpisodeBuffer
from tqdm import tqdm

from buck_env import BuckError, Rules
from buck_env.base.files import replace_file
from buck_env.records import rules_of
from training.dataset.card import CARD_FILE, Written, card
from training.dataset.episodes import Episode, episodes_of
from training.tournament.ledger import kept_hands
from training.tournament.replays import DealAgain, deals_again

__all__ = ["write_dataset"]


def write_dataset(event: Path, out: Path, deals: int, *, run_code: bool = False) -> Written:
    """Play the first deals of an event again in every seating, and write the hands as a data set into a new folder.

    A hand that comes to other points than in the event, as those of agents that decide by a clock may, is left out.
    BuckError where the folder holds something, and as `deals_again` has it.
    """
    if out.is_dir() and any(out.iterdir()):
        raise BuckError(f"{out}: holds other files; give a folder that is new or empty")
    facts, _ = kept_hands(event, deals - 1)
    again = deals_again(event, tqdm(range(deals), unit=" deals", disable=None), run_code=run_code)
    first = next(again)
    rules = rules_of(first.again.records[0])
    written = Written(f"buck-euchre-{rules.base}-v0", deals, facts)
    spec = _environment(rules)
    with _minari_writes_into(out):
        minari.create_dataset_from_buffers(
            written.name,
            _buffers(chain([first], again), written),
            env=spec,
            eval_env=spec,
            algorithm_name=", ".join(first.labels),
            description=f"Hands of Buck Euchre, {rules.name}. {CARD_FILE} beside the data set describes them.",
            requirements=["buck-euchre-rl"],
            data_format="hdf5",
        )
    replace_file(out / CARD_FILE, card(written).encode())
    return written


def _environment(rules: Rules) -> Any:
    """The environment in which a learner in one seat meets such episodes."""
    spec = deepcopy(gymnasium.spec("BuckEuchre-v0"))
    spec.kwargs = {**spec.kwargs, "rules": rules.as_record()}
    return spec


@contextmanager
def _minari_writes_into(out: Path) -> Iterator[None]:
    """Let Minari write into a folder, without its warnings about what a data set may leave out."""
    key, before = "MINARI_DATASETS_PATH", os.environ.get("MINARI_DATASETS_PATH")
    os.environ[key] = str(out)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", category=UserWarning, module="minari")
            yield
    finally:
        del os.environ[key]
        if before is not None:
            os.environ[key] = before


def _buffers(deals: Iterable[DealAgain], written: Written) -> Iterator[EpisodeBuffer]:
    """The episodes of some deals, and count them."""
    for deal, labels, seatings, again, kept in deals:
        for row, (record, seating) in enumerate(zip(again.records, seatings, strict=True)):
            if (again.points[row] != kept[row]).any():
                written.left_out += 1
                continue
            for episode in episodes_of(record):
                label = labels[seating[episode.seat]]
                written.episodes[label] += 1
                written.steps += len(episode.actions)
                options = {"deal": deal, "seating": row, "seat": episode.seat, "agent": label}
                yield _buffer(episode, float(kept[row, episode.seat]), options)


def _buffer(episode: Episode, points: float, options: dict[str, Any]) -> EpisodeBuffer:
    """An episode as Minari takes it: the points of the hand are the reward of its last decision."""
    steps = len(episode.actions)
    last = np.arange(1, steps + 1) == steps
    return EpisodeBuffer(
        options=options,
        observations=episode.observations,
        actions=episode.actions,
        rewards=np.where(last, points, 0.0),
        terminations=last,
        truncations=np.zeros(steps, np.bool_),
        infos={"action_mask": episode.masks},
    )
