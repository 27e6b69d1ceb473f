"""One deal of an event on disk, played again in every line-up and drawn: what the agents did with the same cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from agents import load_agent, runs_code
from agents.programs.settings import CommandSettings
from buck_env.base.errors import BuckError
from buck_env.game.house import load_rules
from training.base.provenance import checksum_of, versions
from training.measuring.duplicate import deal_seeds
from training.tournament.ledger import EVENT_FILE, kept_hands
from training.tournament.pages import DrawnHand, draw_hand
from training.tournament.swings import Again, tables_again

__all__ = ["replay_deal"]


def replay_deal(folder: Path, deal: int, *, run_code: bool = False) -> list[DrawnHand]:
    """The hands of a deal of the event in a folder, one for each seating. Titles say where points were others then.

    BuckError where the folder holds no such deal, where its agents or the versions are not those that played, and
    where it names agents that run code and `run_code` does not allow them.
    """
    facts, kept = kept_hands(folder, deal)
    where = folder / EVENT_FILE
    try:
        labels, seatings, again = _play(facts, deal, kept.shape, where, run_code)
    except BuckError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError, OverflowError, ValidationError) as error:
        raise BuckError(f"{where}: is damaged: {' '.join(f'{error!r}'.split())}") from None
    at_fault = f"; {again.replaced} decisions of programs at fault were random" if again.replaced else ""
    hands = []
    for record, seating, now, then in zip(again.records, seatings, again.points, kept, strict=True):
        names = [labels[agent] for agent in seating]
        scored = ", ".join(f"{score:+.0f}" for score in now)
        changed = "" if (now == then).all() else f"; {', '.join(f'{score:+.0f}' for score in then)} in the event"
        hands.append(draw_hand(record, f"{_who_sits(names)}: {scored}{changed}{at_fault}", names))
    return hands


def _play(
    facts: dict[str, Any], deal: int, shape: tuple[int, ...], where: Path, run_code: bool
) -> tuple[list[str], np.ndarray, Again]:
    """The labels of the agents, the seatings (M, S), and the deal played in them."""
    if facts["versions"] != versions():
        raise BuckError(f"{where}: was played with {facts['versions']}, but this is {versions()}; play the event anew")
    named: dict[str, str] = facts["agents"]
    code = [name for name in named.values() if runs_code(name)]
    if code and not run_code:
        raise BuckError(f"{where}: {', '.join(code)} runs code; if you trust it, give --run-code")
    rules = load_rules(facts["rules"])
    programs = CommandSettings(**facts["programs"])
    agents = {label: load_agent(name, rules, programs) for label, name in named.items()}
    other = [label for label, agent in agents.items() if checksum_of(agent) != facts["sha256"].get(label)]
    if other:
        raise BuckError(f"{where}: {', '.join(other)} is not the bot that played then; put the old one back")
    seatings = np.array(facts["seatings"], np.int64)
    if seatings.shape != shape:
        raise ValueError(f"seatings of shape {seatings.shape}, but points of shape {shape} are kept of deal {deal}")
    return list(agents), seatings, tables_again(rules, agents, seatings, deal_seeds(facts["seed"], 1, first=deal)[0])


def _who_sits(names: list[str]) -> str:
    """Who sits where, in words."""
    alone = [name for name in names if names.count(name) == 1]
    if len(set(names)) == 1:
        return f"{names[0]} in every seat"
    if len(set(names)) == 2 and alone:
        other = next(name for name in names if name != alone[0])
        return f"{alone[0]} in seat {names.index(alone[0])}, {other} in the others"
    return ", ".join(names)
