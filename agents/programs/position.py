"""One decision in words: what a seat knows when it is to act, as a JSON object, and the text of an action.

Programs speak it (`agents.programs.command`, `agents.programs.serve`), and so does `choose`, for whoever wants one
action of one bot.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from typing import Annotated, Any, NotRequired

import numpy as np
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from buck_env.base.errors import RecordError
from buck_env.game.actions import action_text
from buck_env.game.options import PHASES
from buck_env.game.rules import Rules
from buck_env.observation.agent import Agent, rules_of
from buck_env.observation.views import Views
from buck_env.records import legal_texts, phase_text, table_from_view, view_from_table
from buck_env.records.texts import mask_texts

__all__ = ["Position", "action_texts", "choose", "parse_position", "position_of", "views_of"]

_Whole = Annotated[int, Field(ge=0, lt=2**31)]


@with_config(ConfigDict(extra="forbid", strict=True))
class Position(TypedDict):
    """What a seat knows when it is to act. All but `view` may be left out by whoever asks."""

    view: dict[str, Any]
    """The hand so far as the seat to act knows it, as a hand record's view."""
    seat: NotRequired[_Whole]
    """The seat to act, whose view it is,"""
    phase: NotRequired[str]
    """what it has to decide,"""
    legal: NotRequired[list[str]]
    """and its legal actions, sorted: all three follow from the view."""
    hands_played: NotRequired[_Whole]
    """Hands of the match scored before this one; 0 if left out."""
    reneged: NotRequired[list[_Whole]]
    """Seats that have reneged in this hand, where the house plays reneges."""
    uniform: NotRequired[Annotated[float, Field(ge=0, lt=1)]]
    """A random number in [0, 1) of the decision's own, for a bot that needs chance; drawn if left out."""


_POSITION = TypeAdapter(Position)


def position_of(views: Views, row: int) -> Position:
    """One of B decisions in words, with every key."""
    table, seat = views.tables[row : row + 1], int(views.seats[row])
    phase, reneged = PHASES[table["phase"][0]], int(table["reneged"][0])
    legal = int.from_bytes(np.packbits(views.action_mask[row], bitorder="little").tobytes(), "little")
    return {
        "seat": seat,
        "phase": phase,
        "legal": mask_texts(legal, phase),
        "hands_played": int(table["hands_played"][0]),
        "reneged": [other for other in range(views.rules.seats) if reneged >> other & 1],
        "uniform": float(views.uniforms[row]),
        "view": dict(view_from_table(table, seat, views.rules)),
    }


def parse_position(value: object, where: str = "position") -> Position:
    """A position whose form has been checked, its view not yet; RecordError says what is wrong."""
    try:
        return _POSITION.validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the position"
        raise RecordError(f"{where}: {place}: {first['msg']}") from None


def views_of(position: Position, rules: Rules, where: str = "position") -> Views:
    """A decision in words as agents take it, a batch of one; RecordError says what makes no sense in it."""
    viewed, table, seat = table_from_view(
        position["view"], f"{where}: view", position.get("hands_played", 0), position.get("reneged")
    )
    if viewed != rules:
        raise RecordError(f"{where}: view: is of the rules {viewed.name}, where {rules.name} is played")
    if int(table["seat"][0]) != seat:
        raise RecordError(f"{where}: view: seat {seat}, whose view it is, is not to act")
    facts: dict[str, Any] = {"seat": seat, "phase": phase_text(table), "legal": legal_texts(table, rules)}
    for key, fact in facts.items():
        if position.get(key, fact) != fact:
            raise RecordError(f"{where}: {key}: {position.get(key)!r} is given, but by the view it is {fact!r}")
    uniform = position.get("uniform", random.random())
    return Views(rules, table, np.array([seat]), np.array([uniform], np.float64))


def action_texts(actions: np.ndarray, views: Views) -> list[str]:
    """Actions (B,) of B views as hand records write them."""
    phases = [PHASES[phase] for phase in views.tables["phase"]]
    return [action_text(int(action), phase) for action, phase in zip(actions, phases, strict=True)]


def choose(
    agent: Agent,
    view: Mapping[str, Any],
    *,
    hands_played: int = 0,
    reneged: Collection[int] | None = None,
    uniform: float | None = None,
) -> str:
    """The action of an agent, as hand records write it, for the seat whose view this is and who is to act.

    `view` is a hand record's view (`buck_env.records.view_of`) of the rules that the agent was loaded for. For the
    rest see `Position`; without `uniform` a number is drawn, for agents that need one. RecordError says what is wrong.
    """
    given: dict[str, Any] = {"view": dict(view), "hands_played": hands_played}
    given |= {} if reneged is None else {"reneged": sorted(reneged)}
    given |= {} if uniform is None else {"uniform": float(uniform)}
    position = parse_position(given)
    rules = rules_of(agent) or table_from_view(view, "position: view", hands_played, reneged)[0]
    views = views_of(position, rules)
    return action_texts(agent.act(views), views)[0]
