"""Labels: the values of the actions of many positions, a shard of them at a time, as rows of a Parquet file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa

from agents import load_agent
from agents.programs.position import action_texts, position_of
from agents.search.look_ahead import look
from buck_env.base.errors import BuckError
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.options import PHASES
from buck_env.game.rules import Rules
from buck_env.observation.layout import OBSERVATION_SIZE
from training.analysis.analyst import make_analyst
from training.analysis.sampling import sample_positions
from training.analysis.values import means_of
from training.base.processes import Worker
from training.base.provenance import checksum_of

__all__ = ["COLUMNS", "SHARD", "Labelling", "begin_labelling", "schema_of"]

SHARD: Final = 1000
"""Positions of a file."""

COLUMNS: Final = {
    "position": "the decision as its seat knows it, JSON text that `buck analyse` reads",
    "seat": "the seat to act, from 0",
    "phase": "what it decides",
    "scores": "the scores of the seats",
    "observation": f"({OBSERVATION_SIZE},) int8, suits as they are, laid out as `buck_env.LAYOUT` says",
    "action_mask": f"({NUM_ACTIONS},) int8: 1 where an action of `buck_env.ACTIONS` is legal",
    "values": f"({NUM_ACTIONS},) float32: points toward the target that each action brings by the end of the hand, the "
    "mean over the deals; 0 where illegal",
    "errors": f"({NUM_ACTIONS},) float32: the standard error of each value, in points; 0 where illegal",
    "effective": "how many independent deals the values rest on; 0 where none was found that the model can have led "
    "to, and all count the same",
    "agent": "who decided",
    "action": "what it did, as hand records write it",
    "deal": "the seed of the deal",
}
"""The columns, with their units."""


@dataclass(frozen=True)
class Labelling:
    """All that the labels follow from."""

    rules: Rules
    agents: tuple[str, ...]
    """Who plays the hands, by name."""
    model: str
    """Who is taken to have decided for the others, and to play on at every seat."""
    phases: tuple[str, ...]
    positions: int
    deals: int
    """Deals for each position."""
    seed: int

    def __post_init__(self) -> None:
        unknown = [phase for phase in self.phases if phase not in self.rules.phases]
        if unknown or not self.phases:
            raise BuckError(
                f"--phases: {','.join(unknown) or 'none'} is not allowed; allowed: {', '.join(self.rules.phases)}"
            )

    @property
    def shards(self) -> int:
        """The number of files."""
        return -(-self.positions // SHARD)

    def size(self, shard: int) -> int:
        """The positions of a shard."""
        return min(SHARD, self.positions - shard * SHARD)

    def as_record(self) -> dict[str, Any]:
        """The settings as JSON has them."""
        return {
            "rules": self.rules.as_record(),
            "agents": list(self.agents),
            "model": self.model,
            "phases": list(self.phases),
            "positions": self.positions,
            "deals": self.deals,
            "seed": self.seed,
        }


def begin_labelling(labelling: Labelling) -> Worker[int, pa.Table]:
    """What labels one shard, given its number, with agents that are loaded here. AgentError where one cannot be."""
    analyst = make_analyst(labelling.rules, labelling.model, seed=labelling.seed)
    agents = {name: load_agent(name, labelling.rules) for name in labelling.agents}

    def label(shard: int) -> pa.Table:
        sample = sample_positions(
            labelling.rules, agents, labelling.phases, labelling.size(shard), seed=labelling.seed, stream=shard
        )
        views = sample.views
        looked = look(views, labelling.deals, analyst.playouts, analyst.model)
        values, errors = means_of(looked)
        legal = views.action_mask != 0
        rows = range(len(views))
        columns: dict[str, Any] = {
            "position": [json.dumps(position_of(views, row), separators=(",", ":")) for row in rows],
            "seat": views.seats.astype(np.int8),
            "phase": [PHASES[phase] for phase in views.tables["phase"]],
            "scores": _fixed(views.tables["scores"][:, : labelling.rules.seats]),
            "observation": _fixed(views.observation),
            "action_mask": _fixed(views.action_mask),
            "values": _fixed(np.where(legal, values, 0).astype(np.float32)),
            "errors": _fixed(np.where(legal, errors, 0).astype(np.float32)),
            "effective": looked.effective.astype(np.float32),
            "agent": [labelling.agents[place] for place in sample.agents],
            "action": action_texts(sample.actions, views),
            "deal": sample.seeds,
        }
        return pa.table(columns, schema=schema_of(labelling.rules))

    checksums = {name: checksum_of(agent) for name, agent in agents.items()}
    return Worker(label, {**checksums, analyst.name: analyst.as_record()["sha256"]})


def schema_of(rules: Rules) -> pa.Schema:
    """The schema of the files of a game."""
    types = {
        "position": pa.string(),
        "seat": pa.int8(),
        "phase": pa.string(),
        "scores": pa.list_(pa.int32(), rules.seats),
        "observation": pa.list_(pa.int8(), OBSERVATION_SIZE),
        "action_mask": pa.list_(pa.int8(), NUM_ACTIONS),
        "values": pa.list_(pa.float32(), NUM_ACTIONS),
        "errors": pa.list_(pa.float32(), NUM_ACTIONS),
        "effective": pa.float32(),
        "agent": pa.string(),
        "action": pa.string(),
        "deal": pa.uint64(),
    }
    return pa.schema([pa.field(name, types[name], nullable=False) for name in COLUMNS])


def _fixed(rows: np.ndarray) -> pa.Array:
    """Rows (B, K) as a column of lists of K."""
    return pa.FixedSizeListArray.from_arrays(pa.array(np.ascontiguousarray(rows).reshape(-1)), rows.shape[1])
