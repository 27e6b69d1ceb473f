"""Shards change nothing, whoever plays them."""

from __future__ import annotations

import multiprocessing

import pytest
from entrants import AnyLegal, Killed, Rogue, stable
from events import run, small

from agents import load_agent
from buck_env.base.errors import BuckError
from buck_env.game.rules import PROFILES
from training.tournament.event import play_tournament
from training.tournament.lineups import make_lineups
from training.tournament.shards import Event, Job, play_shard
from training.tournament.tally import BLOCK


def test_shards_change_nothing() -> None:
    assert stable(run(deals=120)) == stable(run(deals=120, shard=1))


def test_processes_change_nothing() -> None:
    config = {"agents": ["rules-v1", "random", "phases:stay=random,else=rules-v1"], "deals": 260, "matches": 2}
    one = play_tournament(small(**config), shard=1, progress=False)
    two = play_tournament(small(**config, processes=2), shard=1, progress=False)
    assert stable(one) == stable(two)
    assert one.hands_played == two.hands_played == two.played


def test_an_error_in_another_process_is_raised_as_in_this_one() -> None:
    with pytest.raises(BuckError, match=r"rogue: .*may not action 99"):
        play_tournament(
            small(agents=["rogue", "any"], processes=2, deals=100),
            {"rogue": Rogue(), "any": AnyLegal()},
            shard=1,
            progress=False,
        )


def test_a_process_that_is_killed_is_an_error_and_no_other_is_left() -> None:
    with pytest.raises(BuckError, match="--resume goes on"):
        play_tournament(
            small(agents=["killed", "any"], processes=2, deals=100),
            {"killed": Killed(), "any": AnyLegal()},
            shard=1,
            progress=False,
        )
    assert not multiprocessing.active_children()


def test_a_shard_counts_of_each_block_what_its_deals_alone_would() -> None:
    rules = PROFILES["bucked-3"]
    agents = {label: load_agent("random", rules) for label in "ab"}
    event = Event(rules, agents, make_lineups(2, 3, 1, seed=0), seed=4)
    shard = play_shard(event, agents, Job("hands", 0, BLOCK + 20))
    assert shard.behaviour is not None
    assert shard.behaviour.shape == (2, 2, 3)
    for block, (first, deals) in enumerate(((0, BLOCK), (BLOCK, 20))):
        alone = play_shard(event, agents, Job("hands", first, deals)).behaviour
        assert alone is not None
        assert (alone[0] == shard.behaviour[block]).all()
        assert alone["hands"].sum() == deals * event.lineups.seatings.size
    assert play_shard(event, agents, Job("matches", 0, 2)).behaviour is None
