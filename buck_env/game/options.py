"""The options of the rules, one enum each: kernels compare its members, YAML and records write its texts.

`Making.BID` is the text ``"bid"`` in `Rules`, in YAML and in records, and its number in the compiled rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from pydantic_core import CoreSchema, core_schema

__all__ = [
    "AllPass",
    "BidCircuits",
    "Discard",
    "Exchange",
    "IllegalPlay",
    "Lead",
    "MadeContract",
    "Making",
    "OneOf",
    "Option",
    "StayFrom",
    "Tie",
    "TurnedDown",
    "Walkover",
]


class Option(IntEnum):
    """The choices that one field of `Rules` offers."""

    @property
    def text(self) -> str:
        """The choice as users write it."""
        return self.name.lower()


class Tie(Option):
    """Who wins where best totals are equal."""

    SHARE = 0
    ELDEST = 1
    PLAY_ON = 2


class Exchange(Option):
    """Who may exchange a hand for the widow."""

    NONE = 0
    FIRST = 1
    EVERY = 2


class Making(Option):
    """Who makes trump, and how."""

    ORDER = 0
    BID = 1
    DEALER = 2


class Discard(Option):
    """When a dealer who took the upcard discards."""

    BEFORE_STAY = 0
    AFTER_STAY = 1


class BidCircuits(Option):
    """How often the auction goes round."""

    ONE = 0
    MANY = 1


class AllPass(Option):
    """What happens when nobody makes trump."""

    REDEAL = 0
    NO_TRUMP = 1
    STICK_DEALER = 2


class TurnedDown(Option):
    """Who may name the suit turned down."""

    NOBODY = 0
    DEALER = 1
    ANYONE = 2


class StayFrom(Option):
    """Whose left neighbour is the first to stay or drop."""

    MAKER = 0
    DEALER = 1


class Walkover(Option):
    """What a maker whom all others leave scores."""

    TRICKS = 0
    POINTS = 1
    NOTHING = 2


class Lead(Option):
    """Who leads to the first trick."""

    DEALER = 0
    MAKER = 1


class MadeContract(Option):
    """What a maker who took enough tricks scores."""

    TRICKS = 0
    BID = 1


class IllegalPlay(Option):
    """What becomes of a card that does not follow suit."""

    REFUSE = 0
    RENEGE = 1


@dataclass(frozen=True)
class OneOf:
    """Marks a field of `Rules` whose text is one of an option's, as in ``Annotated[str, OneOf(Tie)]``."""

    option: type[Option]

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts in order; a text's place is its number."""
        return tuple(choice.text for choice in self.option)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return core_schema.literal_schema(list(self.texts))
