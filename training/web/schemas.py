"""What is sent to the service and what it answers, as its OpenAPI page describes them."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, with_config
from typing_extensions import TypedDict

from agents.programs.position import Position

__all__ = ["AnalysisQuestion", "Decided", "Decision", "Decisions", "Question"]

_STRICT = ConfigDict(extra="forbid", strict=True)


@with_config(_STRICT)
class OneQuestion(Position):
    """A position, and the bot that is to decide it."""

    bot: NotRequired[str]
    """One of `GET /bots`; the first of them if left out."""


@with_config(_STRICT)
class ManyQuestions(TypedDict):
    """Positions that are decided together."""

    positions: Annotated[list[Position], Field(min_length=1)]
    bot: NotRequired[str]
    """One of `GET /bots`; the first of them if left out."""


def _kind(value: Any) -> str:
    return "many" if isinstance(value, dict) and "positions" in value else "one"


Question = Annotated[Annotated[OneQuestion, Tag("one")] | Annotated[ManyQuestions, Tag("many")], Discriminator(_kind)]


@with_config(_STRICT)
class AnalysisQuestion(Position):
    """A position that is to be analysed."""

    model: NotRequired[str]
    """The bot that is taken to have decided for the others and to play on; the first that can, if left out."""
    deals: NotRequired[Annotated[int, Field(ge=4)]]
    """Deals to play on; 200 if left out."""
    matches: NotRequired[Annotated[int, Field(ge=0)]]
    """Matches to play to their end, none or 4 or more; 0 if left out."""
    seed: NotRequired[Annotated[int, Field(ge=0, lt=2**63)]]
    """The seed of what is drawn; 0 if left out."""


class Decision(BaseModel):
    """What a bot does in a position."""

    action: str
    """The action, as hand records write it."""
    probabilities: dict[str, float] | None
    """How likely each legal action is, the likeliest first; null for a bot without a policy."""
    value: float | None
    """What a network expects from here: points in this hand, or the share of the match; null for other bots."""


class Decided(Decision):
    """A decision, and whose it is."""

    bot: str


class Decisions(BaseModel):
    """The decisions of several positions, in their order."""

    bot: str
    decisions: list[Decision]
