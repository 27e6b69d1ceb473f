"""Shards of whatever size, gathered into the blocks of deals that tallies add."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

from training.measuring.behaviour import BEHAVIOUR
from training.measuring.counts import as_numbers, as_records
from training.measuring.luck import deal_luck
from training.tournament.shards import Event, Job, Kind, Shard
from training.tournament.tally import BLOCK

__all__ = ["Block", "Blocks", "cut", "ends_with_block", "join"]

Block: TypeAlias = tuple[int, np.ndarray, *tuple[np.ndarray, ...]]
"""What a tally adds: the first deal, the scores, and then the lengths of matches, or the luck of hands and what was
done in them."""


class Blocks:
    """Gathers the shards of an event in their order. A block is the same, however its deals came."""

    def __init__(self, event: Event, kind: Kind) -> None:
        self._event, self._kind = event, kind
        self._seatings = len(event.seatings(kind))
        self._held: list[Shard] = []
        """Shards of a block that is not whole."""

    def add(self, shard: Shard) -> Iterator[Block]:
        """The blocks that are whole now."""
        if not shard.job.deals:
            return
        if not self._held and shard.job.seatings is None:
            whole = shard.job.deals - shard.job.deals % BLOCK
            yield from self._blocks(cut(shard, 0, whole))
            shard = cut(shard, whole, shard.job.deals)
        if shard.job.deals:
            self._held.append(shard)
        if ends_with_block(self._held, self._seatings):
            yield from self.rest()

    def rest(self) -> Iterator[Block]:
        """The whole deals of the block that is not whole."""
        held, self._held = self._held, []
        while held and held[-1].job.end(self._seatings)[1]:
            held.pop()  # of a deal of which tables are missing
        if held:
            yield from self._blocks(join(held, self._seatings))

    def _blocks(self, shard: Shard) -> Iterator[Block]:
        """Those of a shard of whole deals that begins with a block."""
        job, per_deal = shard.job, shard.lengths
        if not job.deals:
            return
        if per_deal is None:
            per_deal = deal_luck(self._event.rules, self._event.seeds(job.kind, job.first, job.deals))
        for start in range(0, job.deals, BLOCK):
            block = slice(start, start + BLOCK)
            done = () if shard.behaviour is None else (shard.behaviour[start // BLOCK],)
            yield job.first + start, shard.scores[block], per_deal[block], *done


def cut(shard: Shard, start: int, stop: int) -> Shard:
    """Some of a shard's whole deals; `start` begins a block, or is the end. What programs did is left out."""
    job = shard.job
    return Shard(
        Job(job.kind, job.first + start, stop - start),
        shard.scores[start:stop],
        None if shard.lengths is None else shard.lengths[start:stop],
        {},
        None if shard.behaviour is None else shard.behaviour[start // BLOCK : -(-stop // BLOCK)],
    )


def ends_with_block(shards: list[Shard], seatings: int) -> bool:
    """Whether shards, in their order, end where a block ends."""
    if not shards:
        return False
    deal, seating = shards[-1].job.end(seatings)
    return seating == 0 and deal % BLOCK == 0


def join(shards: list[Shard], seatings: int) -> Shard:
    """Shards of one block, in their order, as one of whole deals."""
    first, last = shards[0].job, shards[-1].job
    scores = np.concatenate([shard.scores.reshape(-1, shard.scores.shape[2]) for shard in shards])
    scores = scores.reshape(-1, seatings, scores.shape[1])
    lengths = behaviour = None
    if first.kind == "matches":
        lengths = np.concatenate([shard.lengths.reshape(-1, 2) for shard in shards if shard.lengths is not None])
        lengths = lengths.reshape(-1, seatings, 2)
    else:
        done = [as_numbers(shard.behaviour) for shard in shards if shard.behaviour is not None]
        behaviour = as_records(np.sum(done, axis=0), BEHAVIOUR)
    counts: dict[str, Counter[str]] = {}
    for shard in shards:
        for label, counted in shard.program_counts.items():
            counts.setdefault(label, Counter()).update(counted)
    return Shard(
        Job(first.kind, first.first, last.first + last.deals - first.first), scores, lengths, counts, behaviour
    )
