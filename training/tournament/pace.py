"""How an event is cut into jobs: small enough that an interrupt loses little, and large enough to be fast."""

from __future__ import annotations

from collections.abc import Iterator

from training.tournament.shards import Job, Kind, Shard
from training.tournament.tally import BLOCK

__all__ = ["Pace"]

_SECONDS = 1.0
"""About how long a job takes."""
_GROWTH = 8
"""A job has at most so many times the tables of the largest that was timed."""


class Pace:
    """The jobs of an event's deals from some place on. They begin with one table, and grow or shrink by how long those
    took that have been played.

    A job is part of the tables of one deal, or some deals within a block, or whole blocks and perhaps the last deals of
    the event. What was done in it is therefore known by blocks, and a deal is whole where a job ends.
    """

    def __init__(self, kind: Kind, deals: int, seatings: int, most: int, at: tuple[int, int]) -> None:
        """`most` is the largest number of tables in a job; `at` is the first deal, and the first of its seatings."""
        self._kind, self._deals, self._seatings, self._most = kind, deals, seatings, most
        self.deal, self._seating = at
        """The first deal that is not in a job, or not in all of its seatings."""
        self._wanted = 1

    def note(self, shard: Shard) -> None:
        """Go by how long this shard took."""
        tables = shard.scores.shape[0] * shard.scores.shape[1]
        in_time = round(tables * _SECONDS / max(shard.seconds, 1e-9))
        self._wanted = max(1, min(_GROWTH * max(tables, self._wanted // _GROWTH), in_time, self._most))

    def jobs(self, end: int) -> Iterator[Job]:
        """The jobs up to a deal; each is cut when it is asked for."""
        while self.deal < end:
            yield self._next(end)

    def _next(self, end: int) -> Job:
        first, seating = self.deal, self._seating
        if seating or self._wanted < self._seatings:
            stop = min(seating + self._wanted, self._seatings)
            self.deal, self._seating = (first + 1, 0) if stop == self._seatings else (first, stop)
            return Job(self._kind, first, 1, (seating, stop) if stop - seating < self._seatings else None)
        deals, in_block = self._wanted // self._seatings, BLOCK - first % BLOCK
        if deals < in_block or first % BLOCK:
            deals = min(deals, in_block)
        else:
            deals -= deals % BLOCK
        deals = min(deals, end - first)
        self.deal += deals
        return Job(self._kind, first, deals)
