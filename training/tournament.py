"""Round robin: each agent alone among each other, in every seat of the same duplicate deals."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass as plain_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import ConfigDict, Field, field_validator
from pydantic.dataclasses import dataclass
from tqdm import tqdm

from agents import Agent, load_agent, tally_of
from agents.command import CommandSettings, Seconds
from buck_env.rules import Rules, load_rules
from training.arena import CHUNK, play_hands, play_matches
from training.measures import Estimate, deal_seeds, edges, gains, own, rotations

__all__ = ["Results", "Standing", "TournamentConfig", "play_tournament"]


# --- What is to be played ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True))
class TournamentConfig:
    """A tournament. All its results but the wall time follow from this."""

    rules: Rules = Field(default_factory=load_rules)
    """A profile, a YAML file, or a mapping with a `base`."""
    agents: dict[str, str] = Field(default_factory=lambda: {"rules-v1": "rules-v1", "random": "random"})
    """Label: agent name. A list of names stands for agents labelled by their names."""
    deals: Annotated[int, Field(ge=2, le=10_000_000)] = 20_000
    matches: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    """Match deals a pair, each played in every rotation; 0 plays none."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    on_fault: Literal["random", "forfeit"] = "random"
    """What a program at fault gets (`cmd:…`): a random legal action, or a hand forfeited."""
    timeout: Seconds = CommandSettings.timeout
    """Seconds that programs have for an answer,"""
    start_timeout: Seconds = CommandSettings.start_timeout
    """and for their first word."""
    out: Path = Path("runs/tournament")
    """The folder of the report."""

    @property
    def programs(self) -> CommandSettings:
        """What programs are allowed."""
        return CommandSettings(on_fault=self.on_fault, timeout=self.timeout, start_timeout=self.start_timeout)

    @property
    def seeds(self) -> dict[str, np.ndarray]:
        """The seed of each deal, shapes (deals,) and (matches,) uint64, of hands and of matches: two streams."""
        return {
            "hands": deal_seeds(self.seed, self.deals, stream=0),
            "matches": deal_seeds(self.seed, self.matches, stream=1),
        }

    @field_validator("rules", mode="before")
    @classmethod
    def _load_rules(cls, value: Any) -> Rules:
        return load_rules(value)

    @field_validator("agents", mode="before")
    @classmethod
    def _label(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        for name in value:
            if value.count(name) > 1:
                raise ValueError(f"{name!r} is listed twice; allowed: unique labels, as in `agents: {{a: {name}, …}}`")
        return {name: name for name in value}

    @field_validator("agents")
    @classmethod
    def _at_least_two(cls, value: dict[str, str]) -> dict[str, str]:
        if len(value) < 2:
            raise ValueError(f"{list(value)} is too few; allowed: at least 2 agents")
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
    gain: Estimate
    points: Estimate
    share: Estimate | None
    beats: tuple[int, ...]


@plain_dataclass(frozen=True)
class Results:
    """The deals of a tournament of K agents. [d, x, y] is of deal d with x in each seat in turn and y in the others."""

    config: TournamentConfig
    points: np.ndarray
    """(deals, K, K) float64: x's points a hand, the mean of the rotations."""
    edges: np.ndarray
    """(deals, K, K) float64"""
    gains: np.ndarray
    """(deals, K, K) float64"""
    shares: np.ndarray
    """(matches, K, K) float64: the share of the match that x won; par, 1 / S, with y in every seat."""
    truncated: np.ndarray
    """(matches, K, K) float64: the share of these matches that were cut off."""
    lengths: np.ndarray
    """(matches, K, K) float64: deals a match, redeals included."""
    seconds: float
    complete: bool
    """False: it was interrupted, and holds the deals until then."""
    tallies: Mapping[str, Mapping[str, int]]
    """Label: the decisions and faults of its programs, for agents that ask any; `agents.command` tells the kinds."""

    @property
    def labels(self) -> list[str]:
        """The agents, in the order of every K."""
        return list(self.config.agents)

    @property
    def deals(self) -> int:
        """Deals played."""
        return len(self.points)

    @property
    def matches(self) -> int:
        """Match deals played."""
        return len(self.shares)

    @property
    def hands(self) -> int:
        """Hands played in all, those of matches included."""
        agents, seats = len(self.labels), self.config.rules.seats
        return self.deals * (agents * (agents - 1) * seats + agents) + round(float(self.lengths.sum()) * seats)

    def beats(self, x: int, y: int) -> bool:
        """The lower end of x's gain among y's is above 0."""
        return Estimate.of(self.gains[:, x, y]).low > 0

    def standing(self, x: int) -> Standing:
        """An agent's means over its opponents, deal by deal."""
        others = [y for y in range(len(self.labels)) if y != x]

        def mean(values: np.ndarray) -> Estimate:
            return Estimate.of(values[:, x, others].mean(axis=1))

        return Standing(
            agent=x,
            edge=mean(self.edges),
            gain=mean(self.gains),
            points=mean(self.points),
            share=mean(self.shares) if self.matches else None,
            beats=tuple(y for y in others if self.beats(x, y)),
        )

    def ranking(self) -> list[Standing]:
        """All agents by their mean edge, the best first; equals in the order of the config."""
        standings = [self.standing(x) for x in range(len(self.labels))]
        return sorted(standings, key=lambda standing: -standing.edge.mean)


# --- Playing it -------------------------------------------------------------------------------------------------------


def play_tournament(
    config: TournamentConfig,
    agents: Mapping[str, Agent] | None = None,
    *,
    chunk: int = CHUNK,
    progress: bool = True,
) -> Results:
    """Play a tournament, with the agents of its config or with those given by its labels.

    Every deal is played in all line-ups before the next, so that Ctrl-C leaves a smaller tournament, not half of one.
    """
    start = time.monotonic()
    rules, names = config.rules, config.agents
    if agents is None:
        agents = {label: load_agent(name, rules, config.programs) for label, name in names.items()}
    agents = {label: agents[label] for label in names}
    before = {label: tally_of(agent) for label, agent in agents.items()}
    empty = np.zeros((0, 3, len(names), len(names)))

    seeds = config.seeds
    hands, complete = _collect(_hand_blocks(rules, agents, seeds["hands"], chunk, progress))
    if sum(map(len, hands)) < 2:
        raise KeyboardInterrupt
    matches: list[np.ndarray] = []
    if complete:
        matches, complete = _collect(_match_blocks(rules, agents, seeds["matches"], chunk, progress))
    if sum(map(len, matches)) < 2:
        matches = []
    points, edge, gain = np.concatenate([empty, *hands]).swapaxes(0, 1)
    shares, truncated, lengths = np.concatenate([empty, *matches]).swapaxes(0, 1)
    seconds = time.monotonic() - start
    tallies = {label: dict(tally) for label, agent in agents.items() if (tally := tally_of(agent) - before[label])}
    return Results(config, points, edge, gain, shares, truncated, lengths, seconds, complete, tallies)


def _collect(blocks: Iterator[np.ndarray]) -> tuple[list[np.ndarray], bool]:
    """The blocks until their end, or until Ctrl-C; whether these are all."""
    done: list[np.ndarray] = []
    try:
        done.extend(blocks)  # one after the other: an interrupt leaves those that were finished
    except KeyboardInterrupt:
        return done, False
    return done, True


def _hand_blocks(
    rules: Rules, agents: Mapping[str, Agent], seeds: np.ndarray, chunk: int, progress: bool
) -> Iterator[np.ndarray]:
    """Points, edges and gains of B deals at a time, shape (B, 3, K, K)."""
    each = np.arange(len(agents))
    lineups, place = _distinct(_grid(len(agents), rules.seats))
    for block, seating, tables in _blocks(lineups, seeds, chunk, "hands", progress):
        points = play_hands(rules, agents, seating, tables, chunk=chunk)
        points = points.reshape(len(block), *lineups.shape)[:, place]  # (B, K, K, S, S)
        without = own(points)[:, each, each]  # (B, K, S): each agent in every seat
        yield np.stack([own(points).mean(axis=-1), edges(points), gains(points, without[:, None])], axis=1)


def _match_blocks(
    rules: Rules, agents: Mapping[str, Agent], seeds: np.ndarray, chunk: int, progress: bool
) -> Iterator[np.ndarray]:
    """Shares, truncations and lengths of B match deals at a time, shape (B, 3, K, K); par on the diagonal."""
    apart = ~np.eye(len(agents), dtype=np.bool_)
    lineups, place = _distinct(_grid(len(agents), rules.seats)[apart])
    for block, seating, tables in _blocks(lineups, seeds, chunk, "matches", progress):
        matches = play_matches(rules, agents, seating, tables, chunk=chunk)
        figures = np.zeros((len(block), 3, len(agents), len(agents)))
        figures[:, 0] = 1 / rules.seats
        figures[:, 0, apart] = own(matches.shares.reshape(len(block), *lineups.shape)[:, place]).mean(axis=-1)
        figures[:, 1, apart] = matches.truncated.reshape(len(block), -1)[:, place].mean(axis=-1)
        figures[:, 2, apart] = matches.hands.reshape(len(block), -1)[:, place].mean(axis=-1)
        yield figures


def _grid(agents: int, seats: int) -> np.ndarray:
    """Who sits where, shape (K, K, S, S): [x, y] the rotations of x among y's."""
    return np.array([[rotations(x, y, seats) for y in range(agents)] for x in range(agents)])


def _distinct(lineups: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The M different line-ups of (..., S), shape (M, S), and the place of each among them, shape (...)."""
    distinct, place = np.unique(lineups.reshape(-1, lineups.shape[-1]), axis=0, return_inverse=True)
    return distinct, place.reshape(lineups.shape[:-1])


def _blocks(
    lineups: np.ndarray, seeds: np.ndarray, chunk: int, unit: str, progress: bool
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """B deals at a time: their seeds (B,), and the seating (B * M, S) and seed (B * M,) of each table."""
    size = max(1, chunk // len(lineups))
    total = len(seeds) * len(lineups)
    with tqdm(total=total, unit=f" {unit}", unit_scale=True, disable=not (progress and total) or None) as bar:
        for start in range(0, len(seeds), size):
            block = seeds[start : start + size]
            tables = np.repeat(block, len(lineups))
            yield block, np.tile(lineups, (len(block), 1)), tables
            bar.update(len(tables))
