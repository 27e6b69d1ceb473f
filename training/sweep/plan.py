"""The runs of a sweep: every combination of the grid's choices, with every seed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product
from typing import Any

from agents import load_agent
from buck_env import Rules, load_rules
from buck_env.base.yaml import in_yaml
from training.base.cells import file_name
from training.base.config import ConfigError
from training.base.provenance import checksum_of, versions
from training.learning.run.config import RunConfig
from training.learning.run.loop import Trained
from training.sweep.config import SweepConfig

__all__ = ["Cell", "Learn", "RunOf", "plan"]

Learn = Callable[..., Trained]
"""Carries out the run of a configuration: `train` of a learner."""
RunOf = Callable[[str, Sequence[str]], tuple[RunConfig, Learn]]
"""The run that a configuration of `buck train` with some ``key=value`` overrides describes, and what carries it out."""


@dataclass(frozen=True)
class Cell:
    """One run of a sweep. It can be sent to another process or machine."""

    choices: tuple[str, ...]
    """The label of the choice on each axis."""
    run: RunConfig
    learn: Learn
    facts: Mapping[str, Any]
    """What its figures follow from, as JSON has it."""

    @property
    def name(self) -> str:
        return _name(self.choices, self.run.seed)


def _name(choices: Sequence[str], seed: int) -> str:
    return " ".join([*choices, f"seed-{seed}"])


def plan(config: SweepConfig, run_of: RunOf) -> list[Cell]:
    """All runs of a sweep, those of one combination after one another.

    ConfigError names what is not allowed in a run, or which choices have labels that make the same file name.
    """
    axes = [[*_choices(axis, choices)] for axis, choices in config.grid.items()]
    combinations = [([label for label, _ in chosen], [settings for _, settings in chosen]) for chosen in product(*axes)]
    places = Counter(file_name(_name(labels, 0)).casefold() for labels, _ in combinations)
    for labels, _ in combinations:
        if places[file_name(_name(labels, 0)).casefold()] > 1:
            raise ConfigError(
                f"grid: {', '.join(labels)}: another choice has the same file name; give labels that differ in letters "
                "or digits"
            )
    return [_cell(config, run_of, labels, settings, seed) for labels, settings in combinations for seed in config.seeds]


def _choices(axis: str, choices: list[Any] | dict[str, dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The label of each choice of an axis, and its settings."""
    if isinstance(choices, dict):
        yield from choices.items()
    else:
        for value in choices:
            yield value if isinstance(value, str) else in_yaml(value), {axis: value}


def _cell(config: SweepConfig, run_of: RunOf, labels: list[str], chosen: list[dict[str, Any]], seed: int) -> Cell:
    own = {"seed": seed, "out": f"{config.out}/runs/{file_name(_name(labels, seed))}"}
    run, learn = run_of(config.config, _overrides(config.settings, *chosen, own))
    rules = load_rules(run.rules)
    facts = {
        "config": {key: value for key, value in asdict(run).items() if key != "out"},
        "rules": rules.as_dict(),
        "against": {name: _checksum(name, rules) for name in config.against},
        "deals": config.deals,
        "versions": versions(),
    }
    return Cell(tuple(labels), run, learn, json.loads(json.dumps(facts)))


def _overrides(*settings: Mapping[str, Any]) -> list[str]:
    """Settings as a command line gives them; JSON is YAML."""
    return [f"{key}={json.dumps(value)}" for some in settings for key, value in some.items()]


@cache
def _checksum(agent: str, rules: Rules) -> Any:
    return checksum_of(load_agent(agent, rules))
