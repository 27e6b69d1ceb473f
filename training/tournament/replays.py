"""One deal of an event on disk, played again in every line-up and drawn: what the agents did with the same cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pydantic import ValidationError

from agents import Agent, load_agent, runs_code
from agents.programs.settings import CommandSettings
from buck_env.base.errors import BuckError
from buck_env.game.house import load_rules
from training.base.provenance import checksum_of, play_alike, versions
from training.measuring.duplicate import deal_seeds
from training.tournament.ledger import EVENT_FILE, kept_hands
from training.tournament.pages import DrawnHand, draw_hand
from training.tournament.swings import Again, tables_again

__all__ = ["DealAgain", "deals_again", "replay_deal"]


class DealAgain(NamedTuple):
    """A deal of an event on disk that has been played again in M seatings."""

    deal: int
    labels: list[str]
    """The agents of the event."""
    seatings: np.ndarray
    """(M, S): the place of each seat's agent among the labels."""
    again: Again
    kept: np.ndarray
    """(M, S): the points that the event keeps of the deal."""


def replay_deal(folder: Path, deal: int, *, run_code: bool = False) -> list[DrawnHand]:
    """The hands of a deal of the event in a folder, one for each seating. Titles say where points were others then.

    Errors are those of `deals_again`.
    """
    _, labels, seatings, again, kept = next(deals_again(folder, [deal], run_code=run_code))
    at_fault = f"; {again.replaced} decisions of programs at fault were random" if again.replaced else ""
    hands = []
    for record, seating, now, then in zip(again.records, seatings, again.points, kept, strict=True):
        names = [labels[agent] for agent in seating]
        scored = ", ".join(f"{score:+.0f}" for score in now)
        changed = "" if (now == then).all() else f"; {', '.join(f'{score:+.0f}' for score in then)} in the event"
        hands.append(draw_hand(record, f"{_who_sits(names)}: {scored}{changed}{at_fault}", names))
    return hands


def deals_again(folder: Path, deals: Iterable[int], *, run_code: bool = False) -> Iterator[DealAgain]:
    """Some deals of the event in a folder, each played again in every seating.

    BuckError where the folder holds no such deal, where its agents or the versions are not those that played, and
    where it names agents that run code and `run_code` does not allow them.
    """
    where, agents = folder / EVENT_FILE, None
    for deal in deals:
        facts, kept = kept_hands(folder, deal)
        try:
            agents = agents or _agents_of(facts, where, run_code)
            seatings = np.array(facts["seatings"], np.int64)
            if seatings.shape != kept.shape:
                raise ValueError(
                    f"seatings of shape {seatings.shape}, but points of shape {kept.shape} are kept of deal {deal}"
                )
            seed = deal_seeds(facts["seed"], 1, first=deal)[0]
            again = tables_again(load_rules(facts["rules"]), agents, seatings, seed)
        except BuckError:
            raise
        except (AttributeError, LookupError, TypeError, ValueError, OverflowError, ValidationError) as error:
            raise BuckError(f"{where}: is damaged: {' '.join(f'{error!r}'.split())}") from None
        yield DealAgain(deal, [*agents], seatings, again, kept)


def _agents_of(facts: dict[str, Any], where: Path, run_code: bool) -> dict[str, Agent]:
    """The agents of an event by label, if they are those that played."""
    if not play_alike(facts["versions"]):
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
    return agents


def _who_sits(names: list[str]) -> str:
    """Who sits where, in words."""
    alone = [name for name in names if names.count(name) == 1]
    if len(set(names)) == 1:
        return f"{names[0]} in every seat"
    if len(set(names)) == 2 and alone:
        other = next(name for name in names if name != alone[0])
        return f"{alone[0]} in seat {names.index(alone[0])}, {other} in the others"
    return ", ".join(names)
