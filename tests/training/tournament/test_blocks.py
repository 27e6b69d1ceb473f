"""Blocks of deals are the same, however the deals came."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from agents import load_agent
from buck_env.game.rules import PROFILES
from training.measuring.counts import as_numbers
from training.tournament.blocks import Block, Blocks, join
from training.tournament.lineups import make_lineups
from training.tournament.shards import Event, Job, Kind, play_shard

RULES = PROFILES["bucked-3"]
AGENTS = {label: load_agent("random", RULES) for label in "ab"}
EVENT = Event(RULES, AGENTS, make_lineups(2, 3, 1, seed=0), seed=4)


def gathered(kind: Kind, jobs: list[Job]) -> tuple[list[Block], list[Block]]:
    """The blocks that came by themselves, and what was left."""
    blocks = Blocks(EVENT, kind)
    whole = [block for job in jobs for block in blocks.add(play_shard(EVENT, AGENTS, job))]
    return whole, list(blocks.rest())


def numbers(blocks: list[Block]) -> list[list[object]]:
    return [
        [first, *(as_numbers(a).tolist() if a.dtype.names else a.tolist() for a in rest)] for first, *rest in blocks
    ]


@pytest.mark.parametrize("kind", ["hands", "matches"])
def test_blocks_are_the_same_however_their_deals_came(kind: Kind) -> None:
    seatings, deals = len(EVENT.seatings(kind)), 60 if kind == "hands" else 52
    at_once = gathered(kind, [Job(kind, 0, deals)])
    pieces = [Job(kind, 0, 1, (0, 1)), Job(kind, 0, 1, (1, seatings)), Job(kind, 1, 7), Job(kind, 8, 42)]
    rest = [Job(kind, 50, 1), Job(kind, 51, deals - 51)]
    assert [len(blocks) for blocks in at_once] == [1, 1]
    assert list(map(numbers, gathered(kind, pieces + rest))) == list(map(numbers, at_once))


def test_what_is_left_are_whole_deals() -> None:
    cut_short = gathered("hands", [Job("hands", 0, 3), Job("hands", 3, 1, (0, 2)), Job("hands", 3, 1, (2, 4))])
    assert list(map(numbers, cut_short)) == list(map(numbers, gathered("hands", [Job("hands", 0, 3)])))
    assert gathered("hands", [Job("hands", 0, 1, (0, 2))]) == ([], [])


def test_joined_shards_are_those_of_all_their_deals_at_once() -> None:
    jobs = [Job("hands", 0, 1, (0, 4)), Job("hands", 0, 1, (4, len(EVENT.lineups.seatings))), Job("hands", 1, 2)]
    pieces = [play_shard(EVENT, AGENTS, job) for job in jobs]
    for piece, asked in zip(pieces, (1, 2, 4), strict=True):
        object.__setattr__(piece, "program_counts", {"a": Counter(decisions=asked)})
    whole, joined = play_shard(EVENT, AGENTS, Job("hands", 0, 3)), join(pieces, len(EVENT.lineups.seatings))
    assert joined.job == whole.job
    assert (joined.scores == whole.scores).all()
    assert joined.behaviour is not None
    assert np.array_equal(joined.behaviour, whole.behaviour)
    assert joined.program_counts == {"a": Counter(decisions=7)}
