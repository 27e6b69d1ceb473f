"""The playing of an event: agents against one another in every line-up and every seat of the same deals."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import numpy as np
from tqdm import tqdm

from agents import Agent
from agents.programs.faults import faults_text
from buck_env.base.errors import BuckError
from buck_env.observation.agent import is_repeatable
from training.base.cluster import check_sent, on_cluster
from training.base.provenance import checksum_of, versions
from training.measuring.luck import deal_luck, expected_luck
from training.tournament.config import TournamentConfig
from training.tournament.figures import Quantity
from training.tournament.hand_tally import HandTally
from training.tournament.ledger import Ledger
from training.tournament.lineups import make_lineups
from training.tournament.match_tally import MatchTally
from training.tournament.results import Results
from training.tournament.shards import Event, Job, Kind, PlayJobs, Shard, play_shards, sit_down
from training.tournament.swings import largest_swings, played_again
from training.tournament.tally import BLOCK, Tally

__all__ = ["LEAST", "SHARD", "Results", "TournamentConfig", "blocks", "narrow", "play_tournament"]

SHARD = 16_384
"""The number of hands in a shard, or in one block of deals where that is larger."""
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
    return max(*_halves(tally, "edge"), *_halves(tally, "gain"))


def _halves(tally: Tally, quantity: Quantity) -> list[float]:
    """Half the interval of each agent's mean over its opponents."""
    agents = range(tally.lineups.agents)
    return [tally.estimate(tally.figures.weights(quantity, x, [y for y in agents if y != x])).half for x in agents]


# --- Playing it -------------------------------------------------------------------------------------------------------


def play_tournament(
    config: TournamentConfig,
    agents: Mapping[str, Agent] | None = None,
    *,
    keep: bool = False,
    resume: bool = False,
    anew: bool = False,
    shard: int = SHARD,
    progress: bool = True,
) -> Results:
    """Play an event with the agents of its config, or with those of `agents`, which go by the config's labels.

    Shards are added in their order, whoever plays them, so that the results follow from the config alone. Ctrl-C
    leaves a smaller event, and not half of one. With `keep` the shards are also written into the config's folder as
    they come. `resume` goes on with an event that was kept there, and `anew` replaces one that is unfinished.

    KeyboardInterrupt where ctrl-C comes before two deals have been played; BuckError where the folder does not allow
    it, or an agent fails.
    """
    lineups = make_lineups(len(config.agents), config.rules.seats, config.mixed, config.seed)
    names = {label: agents[label] if agents else name for label, name in config.agents.items()}
    event = Event(config.rules, names, lineups, config.seed, config.programs)
    seated = event.seated()
    checksums = {label: checksum_of(agent) for label, agent in seated.items()}
    hands = HandTally(lineups, expected_luck(config.rules), config.seed)
    matches = MatchTally(lineups, config.seed)
    with _players(config, event, seated, checksums) as play:
        start = time.monotonic()
        ledger = None
        if keep or resume:
            ledger = Ledger(config.out, event, _facts(config, checksums), resume=resume, anew=anew)
        run = _Run(event, play, ledger, shard, progress)
        complete = run.add_up("hands", config.deals, hands, config.until)
        if hands.deals < 2:
            raise KeyboardInterrupt
        complete = complete and run.add_up("matches", config.matches, matches)
        if complete:
            run.check_play()
        seconds = time.monotonic() - start
    if ledger and complete:
        ledger.finish()
    enough = matches if matches.deals >= 2 else None
    program_counts = {label: dict(counts) for label, counts in run.program_counts.items() if counts}
    if not run.narrowing or run.narrowing[-1][0] < hands.deals:
        run.narrowing.append((hands.deals, _halves(hands, "edge")))
    swings = largest_swings(hands)
    if complete:
        with suppress(KeyboardInterrupt):  # the report is then without the hands
            swings = played_again(event, seated, swings)
    unrepeatable = [label for label, agent in seated.items() if not is_repeatable(agent)]
    return Results(
        config, lineups, hands, enough, checksums, unrepeatable, program_counts, seconds, run.hands, complete,
        run.narrowing, swings,
    )  # fmt: skip


def _players(
    config: TournamentConfig, event: Event, seated: Mapping[str, Agent], checksums: Mapping[str, Any]
) -> AbstractContextManager[PlayJobs]:
    """What plays: processes of this machine, or a Ray cluster."""
    if config.ray is None:
        return nullcontext(lambda jobs: play_shards(event, seated, jobs, config.processes))
    check_sent(event.agents)
    return on_cluster(config.ray, partial(sit_down, event), checksums)


def _facts(config: TournamentConfig, checksums: dict[str, Any]) -> dict[str, Any]:
    """What must be the same for an event to be resumed. The number of deals may differ."""
    return {
        "versions": versions(),
        "rules": config.rules.as_dict(),
        "agents": config.agents,
        "sha256": checksums,
        "seed": config.seed,
        "programs": asdict(config.programs),
    }


def blocks(event: Event, shard: Shard) -> Iterator[tuple[int, np.ndarray, *tuple[np.ndarray, ...]]]:
    """What a tally adds of a shard, block by block: the first deal, the scores, and then the lengths of matches, or the
    luck of hands and what was done in them."""
    job, per_deal = shard.job, shard.lengths
    if not job.deals:
        return
    if per_deal is None:
        per_deal = deal_luck(event.rules, event.seeds(job.kind, job.first, job.deals))
    for start in range(0, job.deals, BLOCK):
        block = slice(start, start + BLOCK)
        done = () if shard.behaviour is None else (shard.behaviour[start // BLOCK],)
        yield job.first + start, shard.scores[block], per_deal[block], *done


class _Run:
    """The playing of an event: shards that were kept, and then those that are played, are added to tallies."""

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
        self.hands = 0
        """The hands that were played, without those that were kept."""
        self.program_counts: dict[str, Counter[str]] = {label: Counter() for label in event.agents}
        """The decisions and faults of each label's programs, those of kept shards included."""
        self.narrowing: list[tuple[int, list[float]]] = []
        """A number of deals, and half the interval of each agent's edge after them. Each number is larger than the last
        by a seventh or more."""

    def add_up(self, kind: Kind, deals: int, tally: HandTally | MatchTally, until: float | None = None) -> bool:
        """Add so many deals to a tally, or fewer where `until` ends it.

        False after ctrl-C, which leaves whole blocks.
        """
        shown = self._progress and deals
        with tqdm(total=deals, desc=kind, unit=" deals", unit_scale=True, disable=not shown or None) as bar:
            try:
                with closing(self._shards(kind, deals)) as shards:
                    for shard in shards:
                        for label, counts in shard.program_counts.items():
                            self.program_counts[label].update(counts)
                        for first, scores, *rest in blocks(self._event, shard):
                            tally.add(first, scores, *rest)
                            bar.update(len(scores))
                            if kind == "hands" and self._wider(tally.deals):
                                self.narrowing.append((tally.deals, _halves(tally, "edge")))
                            if until is not None and tally.deals >= LEAST:
                                more = (narrow(tally) / until) ** 2
                                if more <= 1:
                                    return True
                                bar.total = min(deals, round(tally.deals * more))
            except KeyboardInterrupt:
                return False
        return True

    def check_play(self, shard: Shard | None = None) -> None:
        """BuckError where no decision of a program was its own, in a shard and all that were added; of shards that are
        to be followed by others only after some decisions."""
        for label, counts in self.program_counts.items():
            so_far = counts + shard.program_counts.get(label, Counter()) if shard else counts
            if so_far["replaced"] == so_far["decisions"] >= (_TRIED if shard else 1):
                raise BuckError(f"{label}: {faults_text(so_far)}; mend the program, or leave it out of agents=")

    def _wider(self, deals: int) -> bool:
        """Whether there are enough more deals than at the last look for a point of the chart."""
        return not self.narrowing or deals >= 8 / 7 * self.narrowing[-1][0]

    def _shards(self, kind: Kind, deals: int) -> Generator[Shard, None, None]:
        first = 0
        if self._ledger:
            for shard in self._ledger.read(kind, deals):
                yield shard
                first += shard.job.deals
        hands = len(self._event.seatings(kind)) * (_MATCH if kind == "matches" else 1)  # a deal
        size = BLOCK * max(1, self._shard // (BLOCK * hands))
        jobs = (Job(kind, at, min(size, deals - at)) for at in range(first, deals, size))
        for shard in self._play(jobs):
            self.check_play(shard)
            if self._ledger and not self._ledger.append(shard):
                shard = replace(shard, program_counts={})  # a longer shard that was kept has counted them
            self.hands += shard.scores[..., 0].size if shard.lengths is None else int(shard.lengths[..., 0].sum())
            yield shard
