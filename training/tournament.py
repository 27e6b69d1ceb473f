"""An event: agents against one another in every line-up and every seat of the same deals, and what came of it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import asdict, replace
from dataclasses import dataclass as plain_dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import ConfigDict, Field, field_validator
from pydantic.dataclasses import dataclass
from tqdm import tqdm

from agents import Agent
from agents.command import CommandSettings, Seconds
from buck_env.errors import BuckError
from buck_env.rules import Rules, load_rules
from training.ledger import Ledger
from training.lineups import Lineups, make_lineups
from training.luck import deal_luck, expected_luck
from training.measures import Estimate, holm
from training.provenance import checksum_of, versions
from training.ratings import Rating
from training.shards import CLUSTER, Event, Job, Kind, Play, Shard, play_shards
from training.swings import Swing, largest_swings, played_again
from training.tally import BLOCK, HandTally, MatchTally, Measure, Tally

__all__ = ["LEAST", "MOST", "SHARD", "Results", "Standing", "TournamentConfig", "blocks", "narrow", "play_tournament"]

MOST = 32
"""Agents in one event."""
_LONGEST = 200
"""Characters of a label."""
SHARD = 16_384
"""Hands in a shard, or those of one block of deals where these are more."""
_MATCH = 16
"""Hands that a match is taken to have."""
LEAST = 500
"""Deals before `until` may end an event: a deviation estimated from fewer may be too small by chance."""


# --- What is to be played ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True))
class TournamentConfig:
    """A tournament. All its results but the wall time follow from this."""

    rules: Rules = Field(default_factory=load_rules)
    """A profile, a YAML file, or a mapping with a `base`."""
    agents: dict[str, str] = Field(default_factory=lambda: {"rules-v1": "rules-v1", "random": "random"})
    """Label: agent name. A list of names stands for agents labelled by their names."""
    deals: Annotated[int, Field(ge=2, le=10_000_000)] = 20_000
    """Deals of single hands, each played in every line-up."""
    matches: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    """Deals that matches begin with, each in every line-up; 0 plays none."""
    mixed: Annotated[int, Field(ge=0, le=1000)] | Literal["all"] = 1
    """Rounds of mixed line-ups, in each of which every agent takes every part once; or all there are."""
    until: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """Stop before `deals` once every agent's edge and gain is known to plus or minus so much, after 500 deals."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    on_fault: Literal["random", "forfeit"] = "random"
    """What a program at fault gets (`cmd:…`): a random legal action, or a hand forfeited."""
    timeout: Seconds = CommandSettings.timeout
    """Seconds that programs have for an answer,"""
    start_timeout: Seconds = CommandSettings.start_timeout
    """and for their first word."""
    processes: Annotated[int, Field(ge=1, le=256)] = 1
    """Processes that play; the results are the same."""
    ray: Annotated[str, Field(pattern=CLUSTER)] | None = None
    """A Ray cluster whose cores play instead: HOST:PORT; `local`, one of this machine for this event alone; or `auto`,
    what RAY_ADDRESS names, else what runs on this machine, else as `local`. The results are the same."""
    out: Path = Path("runs/tournament")
    """The folder of the event and its report."""

    @property
    def programs(self) -> CommandSettings:
        """What programs are allowed."""
        return CommandSettings(on_fault=self.on_fault, timeout=self.timeout, start_timeout=self.start_timeout)

    @field_validator("rules", mode="before")
    @classmethod
    def _load_rules(cls, value: Any) -> Rules:
        return load_rules(value)

    @field_validator("agents", mode="before")
    @classmethod
    def _label(cls, value: Any) -> Any:
        if isinstance(value, dict):
            return value
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise ValueError("allowed: a list of agents' names, or a mapping of labels to names")
        for name in value:
            if value.count(name) > 1:
                raise ValueError(f"{name!r} is listed twice; allowed: unique labels, as in `agents: {{a: {name}, …}}`")
        return {name: name for name in value}

    @field_validator("agents")
    @classmethod
    def _at_least_two(cls, value: dict[str, str]) -> dict[str, str]:
        for label in value:
            if not label.isprintable() or not 1 <= len(label) <= _LONGEST:
                raise ValueError(
                    f"{label[:_LONGEST]!r} is no label; allowed: 1 to {_LONGEST} characters that can be printed, as in "
                    "`agents: {mine: …}`"
                )
        if len(value) < 2:
            raise ValueError(f"{list(value)} is too few; allowed: at least 2 agents")
        if len(value) > MOST:
            raise ValueError(f"{len(value)} agents are too many; allowed: at most {MOST}")
        return value

    @field_validator("matches")
    @classmethod
    def _none_or_two(cls, value: int) -> int:
        if value == 1:
            raise ValueError("1 gives no interval; allowed: 0, or at least 2")
        return value

    @field_validator("out", mode="before")
    @classmethod
    def _path(cls, value: Any) -> Any:
        return Path(value) if isinstance(value, str) and value else value


# --- What came of it --------------------------------------------------------------------------------------------------


@plain_dataclass(frozen=True)
class Standing:
    """One agent, over all its opponents."""

    agent: int
    edge: Estimate
    adjusted: Estimate
    """Its edge with the luck of the cards taken out."""
    gain: Estimate
    points: Estimate
    mixed: Estimate | None
    """Its points less the mean of the others' at its table, in mixed line-ups."""
    rating: Rating
    share: Estimate | None
    beats: tuple[int, ...]


@plain_dataclass(frozen=True)
class Results:
    """An event of K agents, as far as it was played."""

    config: TournamentConfig
    lineups: Lineups
    hands: HandTally
    matches: MatchTally | None
    checksums: dict[str, Any]
    """Label: the sha256 of the bot's file, if it has one."""
    tallies: Mapping[str, Mapping[str, int]]
    """Label: the decisions and faults of its programs, for agents that ask any; `agents.command` tells the kinds. They
    are those of whole shards, also where `until` or fewer `deals` ended the event within one."""
    seconds: float
    """Wall time of the playing."""
    played: int
    """Hands played in these seconds, those of matches included."""
    complete: bool
    """False: it was interrupted, and holds the deals until then."""
    narrowing: list[tuple[int, list[float]]]
    """From few deals to all: how many, and half the interval of each agent's edge after them."""
    swings: list[Swing]
    """The hands in which most hung on who sat in a seat, the largest first."""

    @property
    def labels(self) -> list[str]:
        """The agents, in the order of every K."""
        return list(self.config.agents)

    @property
    def deals(self) -> int:
        """Deals played."""
        return self.hands.deals

    @property
    def match_deals(self) -> int:
        """Match deals played."""
        return self.matches.deals if self.matches else 0

    @property
    def hands_played(self) -> int:
        """Hands played in all, those of matches included."""
        return self.deals * len(self.lineups.seatings) + (self.matches.played[0] if self.matches else 0)

    def pair(self, measure: Measure, x: int, y: int, *, adjusted: bool = False) -> Estimate:
        """A measure of x among y's."""
        weights = self.hands.weights(measure, x, [y])
        return self.hands.adjusted(weights) if adjusted else self.hands.estimate(weights)

    def beats(self, x: int, y: int) -> bool:
        """The lower end of x's gain among y's is above 0."""
        return self.pair("gain", x, y).low > 0

    @cached_property
    def clear(self) -> np.ndarray:
        """(K, K) bool: x beats y also when Holm's correction makes up for all the pairs that were compared."""
        apart = ~np.eye(len(self.labels), dtype=np.bool_)
        gains = [self.pair("gain", x, y) for x, y in np.argwhere(apart)]
        clear = np.zeros(apart.shape, np.bool_)
        clear[apart] = (holm(np.array([gain.p for gain in gains])) < 0.05) & [gain.mean > 0 for gain in gains]
        return clear

    def others(self, x: int) -> list[int]:
        """All agents but x."""
        return [y for y in range(len(self.labels)) if y != x]

    @cached_property
    def standings(self) -> list[Standing]:
        """Each agent's means over its opponents, in the order of the agents."""
        ratings = self.hands.ratings()
        return [self._standing(x, rating) for x, rating in enumerate(ratings)]

    def _standing(self, x: int, rating: Rating) -> Standing:
        others, hands = self.others(x), self.hands
        return Standing(
            agent=x,
            edge=hands.estimate(hands.weights("edge", x, others)),
            adjusted=hands.adjusted(hands.weights("edge", x, others)),
            gain=hands.estimate(hands.weights("gain", x, others)),
            points=hands.estimate(hands.weights("points", x, others)),
            mixed=hands.estimate(hands.mixed_weights(x)) if len(self.lineups.mixed) else None,
            rating=rating,
            share=self.matches.share(x, others) if self.matches else None,
            beats=tuple(y for y in others if self.beats(x, y)),
        )

    def ranking(self) -> list[Standing]:
        """All agents by their mean edge, the best first; equals in the order of the config."""
        return sorted(self.standings, key=lambda standing: -standing.edge.mean)

    def lead(self, x: int, y: int) -> Estimate:
        """The mean edge of x over its opponents less that of y over its own, deal by deal."""
        hands = self.hands
        return hands.estimate(hands.weights("edge", x, self.others(x)) - hands.weights("edge", y, self.others(y)))

    @cached_property
    def leads(self) -> dict[tuple[int, int], tuple[Estimate, float]]:
        """The lead of each agent over each below it in the ranking, and its p-value by Holm for all of them."""
        order = [standing.agent for standing in self.ranking()]
        leads = {(x, y): self.lead(x, y) for i, x in enumerate(order) for y in order[i + 1 :]}
        corrected = holm(np.array([lead.p for lead in leads.values()]))
        return {pair: (lead, float(p)) for (pair, lead), p in zip(leads.items(), corrected, strict=True)}


def narrow(tally: Tally) -> float:
    """The widest half of the intervals of the agents' mean edges and gains, by which `until` ends an event.

    It depends on how far deals differ, not on who is ahead: the mean of the deals until it is small enough is as good
    as that of a number set before, the better the smaller `until` is (Chow and Robbins 1965).
    """
    return max(*_halves(tally, "edge"), *_halves(tally, "gain"))


def _halves(tally: Tally, measure: Measure) -> list[float]:
    """Half the interval of each agent's mean over its opponents."""
    agents = range(tally.lineups.agents)
    return [tally.estimate(tally.weights(measure, x, [y for y in agents if y != x])).half for x in agents]


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
    """Play an event, with the agents of its config or with those given by its labels.

    Shards are added in their order, whoever plays them, so that the results follow from the config alone, and Ctrl-C
    leaves a smaller event, not half of one. With `keep` they are also written into the config's folder as they come,
    from where an event can be gone on with: `resume`, or an unfinished one be replaced: `anew`.
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
        seconds = time.monotonic() - start
    if ledger and complete:
        ledger.finish()
    told = matches if matches.deals >= 2 else None
    tallies = {label: dict(tally) for label, tally in run.tallies.items() if tally}
    if not run.narrowing or run.narrowing[-1][0] < hands.deals:
        run.narrowing.append((hands.deals, _halves(hands, "edge")))
    swings = largest_swings(hands)
    if complete:
        with suppress(KeyboardInterrupt):  # the report then is without them
            swings = played_again(event, seated, swings)
    return Results(
        config, lineups, hands, told, checksums, tallies, seconds, run.hands, complete, run.narrowing, swings
    )


def _players(
    config: TournamentConfig, event: Event, seated: Mapping[str, Agent], checksums: Mapping[str, Any]
) -> AbstractContextManager[Play]:
    """Who plays: processes of this machine, or a Ray cluster."""
    if config.ray is None:
        return nullcontext(lambda jobs: play_shards(event, seated, jobs, config.processes))
    if find_spec("ray") is None:
        raise BuckError("ray: Ray is not installed: pip install 'buck-euchre-rl[ray]'; or leave out --ray and ray=")
    from training.ray_shards import players

    return players(config.ray, event, checksums)


def _facts(config: TournamentConfig, checksums: dict[str, Any]) -> dict[str, Any]:
    """What has to be the same where an event is gone on with; how long it goes on is free."""
    return {
        "versions": versions(),
        "rules": config.rules.as_dict(),
        "agents": config.agents,
        "sha256": checksums,
        "seed": config.seed,
        "programs": asdict(config.programs),
    }


def blocks(event: Event, shard: Shard) -> Iterator[tuple[int, np.ndarray, *tuple[np.ndarray, ...]]]:
    """What a tally adds of a shard, block by block: the first deal, scores, and the lengths of matches, or of hands the
    luck and what was done in them."""
    job, told = shard.job, shard.lengths
    if not job.deals:
        return
    if told is None:
        told = deal_luck(event.rules, event.seeds(job.kind, job.first, job.deals))
    for start in range(0, job.deals, BLOCK):
        block = slice(start, start + BLOCK)
        done = () if shard.behaviour is None else (shard.behaviour[start // BLOCK],)
        yield job.first + start, shard.scores[block], told[block], *done


class _Run:
    """The playing of an event: shards that are kept, then others that are played, into tallies."""

    def __init__(
        self,
        event: Event,
        play: Play,
        ledger: Ledger | None,
        shard: int,
        progress: bool,
    ) -> None:
        self._event, self._play, self._ledger = event, play, ledger
        self._shard, self._progress = shard, progress
        self.hands = 0
        """Hands played, not those that were kept."""
        self.tallies: dict[str, Counter[str]] = {label: Counter() for label in event.agents}
        """Label: the decisions and faults of its programs, those that were kept included."""
        self.narrowing: list[tuple[int, list[float]]] = []
        """Deals, and half the interval of each agent's edge after them, at steps of a seventh or more."""

    def add_up(self, kind: Kind, deals: int, tally: HandTally | MatchTally, until: float | None = None) -> bool:
        """Add deals to a tally, so many or until its intervals are narrow; False after ctrl-C, whole blocks added."""
        shown = self._progress and deals
        with tqdm(total=deals, desc=kind, unit=" deals", unit_scale=True, disable=not shown or None) as bar:
            try:
                with closing(self._shards(kind, deals)) as shards:
                    for shard in shards:
                        for label, counts in shard.tallies.items():
                            self.tallies[label].update(counts)
                        for first, scores, *told in blocks(self._event, shard):
                            tally.add(first, scores, *told)
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

    def _wider(self, deals: int) -> bool:
        """Whether these are so many more deals than at the last look that it shows."""
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
            if self._ledger and not self._ledger.append(shard):
                shard = replace(shard, tallies={})  # what is kept has told them
            self.hands += shard.scores[..., 0].size if shard.lengths is None else int(shard.lengths[..., 0].sum())
            yield shard
