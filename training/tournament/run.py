"""The playing of an event: shards that were kept, and then those that are played, are added to tallies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace

from agents.programs.faults import faults_text
from buck_env.base.errors import BuckError
from training.base.progress import Progress
from training.tournament.blocks import Blocks
from training.tournament.figures import Quantity
from training.tournament.hand_tally import HandTally
from training.tournament.ledger import Ledger
from training.tournament.match_tally import MatchTally
from training.tournament.pace import Pace
from training.tournament.shards import Event, Job, Kind, PlayJobs, Shard
from training.tournament.tally import BLOCK, Tally

__all__ = ["LEAST", "SHARD", "Run", "halves", "narrow"]

SHARD = 16_384
"""The largest number of hands in a shard, or in one block of deals where that is larger."""
_TRIED = 10
"""The number of decisions of which one at least must be a program's own."""
_MATCH = 16
"""The number of hands that a match is assumed to take."""
LEAST = 500
"""The number of deals before `until` may end an event: a deviation estimated from fewer may be too small by chance."""


def narrow(tally: Tally) -> float:
    """Half the widest interval of the agents' mean edges and gains. `until` ends an event by it.

    It depends on how far deals differ, and not on who is ahead. The mean over the deals until it is small enough is
    therefore as good as one over a number of deals fixed beforehand, and the better the smaller `until` is (Chow and
    Robbins 1965).
    """
    return max(*halves(tally, "edge"), *halves(tally, "gain"))


def halves(tally: Tally, quantity: Quantity) -> list[float]:
    """Half the interval of each agent's mean over its opponents."""
    agents = range(tally.lineups.agents)
    return [tally.estimate(tally.figures.weights(quantity, x, [y for y in agents if y != x])).half for x in agents]


class Run:
    """The playing of an event."""

    def __init__(
        self,
        event: Event,
        play: PlayJobs,
        ledger: Ledger | None,
        shard: int,
        progress: bool,
    ) -> None:
        self._event, self._play, self._ledger = event, play, ledger
        self._shard, self._progress = shard, progress
        self._unkept: list[Shard] = []
        """Shards that are kept once there is enough to stand for the event."""
        self.hands = 0
        """The hands that were played, without those that were kept."""
        self.program_counts: dict[str, Counter[str]] = {label: Counter() for label in event.agents}
        """The decisions and faults of each label's programs, those of kept shards included."""
        self.narrowing: list[tuple[int, list[float]]] = []
        """A number of deals, and half the interval of each agent's edge after them. Each number is larger than the last
        by a seventh or more."""

    def add_up(self, kind: Kind, deals: int, tally: HandTally | MatchTally, until: float | None = None) -> bool:
        """Add so many deals to a tally, or fewer where `until` ends it.

        False after ctrl-C, which leaves whole deals.
        """
        gathered, seatings = Blocks(self._event, kind), len(self._event.seatings(kind))
        with Progress(kind, "deals", deals, shown=self._progress) as progress:
            try:
                with closing(self._shards(kind, deals, until)) as shards:
                    for shard in shards:
                        progress.add(shard.scores.shape[0] * shard.scores.shape[1] / seatings)
                        for first, scores, *rest in gathered.add(shard):
                            tally.add(first, scores, *rest)
                            if kind == "hands" and self._wider(tally.deals):
                                self.narrowing.append((tally.deals, halves(tally, "edge")))
                            if until is not None and tally.deals >= LEAST:
                                more = (narrow(tally) / until) ** 2
                                if more <= 1:
                                    return True
                                progress.expect(min(deals, round(tally.deals * more)))
                complete = True
            except KeyboardInterrupt:
                complete = False
        for first, scores, *rest in gathered.rest():
            tally.add(first, scores, *rest)
        return complete

    def _wider(self, deals: int) -> bool:
        """Whether there are enough more deals than at the last look for a point of the chart."""
        return not self.narrowing or deals >= 8 / 7 * self.narrowing[-1][0]

    # --- Shards ---

    def _shards(self, kind: Kind, deals: int, until: float | None) -> Generator[Shard, None, None]:
        seatings, at = len(self._event.seatings(kind)), (0, 0)
        if self._ledger:
            for shard in self._ledger.read(kind, deals):
                self._count(shard)
                yield shard
                at = shard.job.end(seatings)
        per_deal = seatings * (_MATCH if kind == "matches" else 1)
        pace = Pace(kind, deals, seatings, seatings * max(BLOCK, self._shard // per_deal), at)
        for shard in self._play(self._jobs(pace, deals, until)):
            pace.note(shard)
            if self._ledger and self._ledger.holds(shard.job):
                shard = replace(shard, program_counts={})  # the longer shard has counted them
            else:
                self._unkept.append(shard)
            self._count(shard)
            self.check_play(_TRIED)
            self.hands += shard.scores[..., 0].size if shard.lengths is None else int(shard.lengths[..., 0].sum())
            if kind == "matches" or shard.job.end(seatings)[0] >= 2:
                self.keep()
            yield shard

    def _jobs(self, pace: Pace, deals: int, until: float | None) -> Iterator[Job | None]:
        """The jobs of these deals. Where `until` may end the event and programs are asked, none is begun before it is
        known that its deals are needed, so that the decisions that are reported are those that were asked for."""
        while pace.deal < deals:
            end = deals
            if until is not None and (pace.deal < LEAST or any(self.program_counts.values())):
                end = min(deals, max(LEAST, pace.deal - pace.deal % BLOCK + BLOCK))
            yield from pace.jobs(end)
            yield None

    def _count(self, shard: Shard) -> None:
        for label, counts in shard.program_counts.items():
            self.program_counts[label].update(counts)

    def check_play(self, tried: int = 1) -> None:
        """BuckError where a program was asked for so many decisions or more, and none was its own."""
        for label, counts in self.program_counts.items():
            if counts["replaced"] == counts["decisions"] >= tried:
                raise BuckError(f"{label}: {faults_text(counts)}; mend the program, or leave it out of agents=")

    def keep(self) -> None:
        """Write the shards that wait for it, unless a program has not yet decided anything itself."""
        if any(counts["replaced"] == counts["decisions"] >= 1 for counts in self.program_counts.values()):
            return
        if self._ledger:
            for shard in self._unkept:
                self._ledger.append(shard)
        self._unkept.clear()
