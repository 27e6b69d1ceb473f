"""One deal of a kept event, played again in every line-up and drawn: what its agents did with the same cards."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from agents import load_agent
from agents.command import CommandSettings
from buck_env.errors import BuckError
from buck_env.records import HandRecord
from buck_env.rules import load_rules
from buck_env.tables import Tables
from training.arena import play_hands
from training.ledger import EVENT_FILE, kept_hands
from training.measures import deal_seeds
from training.pages import DrawnHand, draw_hand
from training.provenance import checksum_of, versions

__all__ = ["replay_deal"]


def replay_deal(folder: Path, deal: int) -> list[DrawnHand]:
    """The hands of a deal of the event in a folder, one for each seating; each tells where it went another way now.

    BuckError where the folder holds no such deal, or its agents or the versions are not those that played.
    """
    facts, kept = kept_hands(folder, deal)
    where = folder / EVENT_FILE
    try:
        if facts["versions"] != versions():
            raise BuckError(f"{where}: was played with {facts['versions']}, this is {versions()}; play it again")
        rules, labels = load_rules(facts["rules"]), list(facts["agents"])
        programs = CommandSettings(**facts["programs"])
        agents = {label: load_agent(name, rules, programs) for label, name in facts["agents"].items()}
        seatings = np.array(facts["seatings"], np.int64).reshape(-1, rules.seats)
        seeds = np.repeat(deal_seeds(facts["seed"], 1, first=deal), len(seatings))
        checksums: Mapping[str, Any] = facts["sha256"]
    except (AttributeError, KeyError, TypeError, OverflowError, ValidationError) as error:
        raise BuckError(f"{where}: is damaged: {' '.join(f'{error!r}'.split())}") from None
    other = [label for label, agent in agents.items() if checksum_of(agent) != checksums.get(label)]
    if other:
        raise BuckError(f"{where}: {', '.join(other)} is not the bot that played then; put that one back")
    records: list[HandRecord] = []

    def keep(rows: slice, tables: Tables, forfeited: np.ndarray) -> None:
        records.extend(tables.record(row, finished=True) for row in range(tables.num_tables))

    points = play_hands(rules, agents, seatings, seeds, ended=keep)
    if kept.shape != points.shape:
        raise BuckError(f"{where}: has {len(seatings)} seatings, but {len(kept)} are kept of deal {deal}")
    hands = []
    for record, seating, now, then in zip(records, seatings, points, kept, strict=True):
        names = [labels[agent] for agent in seating]
        scored = ", ".join(f"{score:+.0f}" for score in now)
        changed = "" if (now == then).all() else "; not as it was, for an agent draws chances of its own"
        hands.append(draw_hand(record, f"{_told(names)}: {scored}{changed}", names))
    return hands


def _told(names: list[str]) -> str:
    """Who sits where, in words."""
    alone = [name for name in names if names.count(name) == 1]
    if len(set(names)) == 1:
        return f"{names[0]} in every seat"
    if len(set(names)) == 2 and alone:
        other = next(name for name in names if name != alone[0])
        return f"{alone[0]} in seat {names.index(alone[0])}, {other} in the others"
    return ", ".join(names)
