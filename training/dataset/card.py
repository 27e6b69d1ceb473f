"""The card of a data set: where its episodes come from, what they hold, and how they are read."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from buck_env import NUM_ACTIONS, OBSERVATION_SIZE
from training.base.provenance import versions

__all__ = ["CARD_FILE", "Written", "card"]

CARD_FILE: Final = "README.md"


@dataclass
class Written:
    """What a data set has come to hold."""

    name: str
    """Its id."""
    deals: int
    facts: dict[str, Any]
    """What the event follows from."""
    episodes: Counter[str] = field(default_factory=Counter)
    """By the label of the agent that decided."""
    steps: int = 0
    left_out: int = 0
    """Hands whose points were not those that the event keeps."""


def card(written: Written) -> str:
    """The card, as Markdown."""
    facts, total = written.facts, sum(written.episodes.values())
    episodes = "\n".join(
        f"| {label} | {name} | {facts['sha256'].get(label) or 'no weights'} | {written.episodes[label]:,} |"
        for label, name in facts["agents"].items()
    )
    left_out = (
        f"\n{written.left_out:,} hands were left out: played again they came to other points than in the event.\n"
        if written.left_out
        else ""
    )
    made = {"rules": facts["rules"], "seed": facts["seed"], "event": facts["versions"], "data set": versions()}
    return f"""# {written.name}: hands of Buck Euchre

{total:,} episodes of {written.steps:,} decisions, from {written.deals:,} deals of a tournament, each
played in {len(facts["seatings"])} seatings.

```python
import os

os.environ["MINARI_DATASETS_PATH"] = "this folder"
import minari

for episode in minari.load_dataset("{written.name}"):
    episode.observations, episode.actions, episode.rewards, episode.infos["action_mask"]
```

An episode is one hand as one seat saw it, with all T decisions of that seat, forced ones included. Seats that had
nothing to decide have none.

| array | shape | what it holds |
|---|---|---|
| `observations` | (T + 1, {OBSERVATION_SIZE}) int8 | views by `buck_env.LAYOUT`; the last is that at the end |
| `actions` | (T,) int64 | what the seat did: numbers of `buck_env.action_text` |
| `rewards` | (T,) float64 | 0, and at the last decision the points of the hand, toward the target |
| `terminations` | (T,) bool | true at the last decision |
| `truncations` | (T,) bool | never true |
| `infos["action_mask"]` | (T + 1, {NUM_ACTIONS}) int8 | the legal actions; all ones at the end |

The metadata of an episode have under `options` the `deal`, the `seating` (a row of the event's `seatings`), the `seat`,
and as `agent` the label of the agent that decided. The agents of that seating played the other seats; the environment
that the data set names has the same rules, and opponents of your choice.

| agent | name | sha256 of its weights | episodes |
|---|---|---|---|
{episodes}
{left_out}
```json
{json.dumps(made, indent=1)}
```
"""
