"""The phases of a hand, and the options of the rules, one enum each.

An option's member is its text: ``Making.BID == "bid"`` in `Rules`, in YAML and in records. Its value is its number: the
compiled rules hold ``Making.BID.value``, and kernels compare with it.
"""

from __future__ import annotations

from enum import IntEnum, ReprEnum, auto
from typing import Any, Self

from pydantic_core import CoreSchema, core_schema

__all__ = [
    "PHASES",
    "AllPass",
    "BidCircuits",
    "Discard",
    "Exchange",
    "IllegalPlay",
    "Lead",
    "MadeContract",
    "Making",
    "Option",
    "Phase",
    "StayFrom",
    "Tie",
    "TurnedDown",
    "Walkover",
]


class Phase(IntEnum):
    """What the seat to act decides, in the order of a hand; OVER when the hand has been scored."""

    EXCHANGE = 0
    ORDER = 1
    CALL = 2
    BID = 3
    DISCARD = 4
    NAME = 5
    STAY = 6
    PLAY = 7
    OVER = 8


PHASES = tuple(phase.name.lower() for phase in Phase if phase is not Phase.OVER)
"""The phases with decisions, as hand records name them."""


class Option(str, ReprEnum):
    """The choices of one field of `Rules`. A member's text is its name in small letters, its value its place."""

    _value_: int

    def __new__(cls, text: str) -> Self:
        """The next member."""
        member = str.__new__(cls, text)
        member._value_ = len(cls.__members__)
        return member

    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last_values: list[Any]) -> str:
        return name.lower()

    def __repr__(self) -> str:
        return repr(str(self))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> CoreSchema:
        """Takes a member or its text, and nothing else."""
        texts = core_schema.literal_schema([str(choice) for choice in cls])
        return core_schema.no_info_after_validator_function(lambda text: cls[text.upper()], texts)


class Tie(Option):
    """Who wins where best totals are equal."""

    SHARE = auto()
    ELDEST = auto()
    PLAY_ON = auto()


class Exchange(Option):
    """Who may exchange a hand for the widow."""

    NONE = auto()
    FIRST = auto()
    EVERY = auto()


class Making(Option):
    """Who makes trump, and how."""

    ORDER = auto()
    BID = auto()
    DEALER = auto()


class Discard(Option):
    """When a dealer who took the upcard discards."""

    BEFORE_STAY = auto()
    AFTER_STAY = auto()


class BidCircuits(Option):
    """How often the auction goes round."""

    ONE = auto()
    MANY = auto()


class AllPass(Option):
    """What happens when nobody makes trump."""

    REDEAL = auto()
    NO_TRUMP = auto()
    STICK_DEALER = auto()


class TurnedDown(Option):
    """Who may name the suit turned down."""

    NOBODY = auto()
    DEALER = auto()
    ANYONE = auto()


class StayFrom(Option):
    """Whose left neighbour is the first to stay or drop."""

    MAKER = auto()
    DEALER = auto()


class Walkover(Option):
    """What a maker whom all others leave scores."""

    TRICKS = auto()
    POINTS = auto()
    NOTHING = auto()


class Lead(Option):
    """Who leads to the first trick."""

    DEALER = auto()
    MAKER = auto()


class MadeContract(Option):
    """What a maker who took enough tricks scores."""

    TRICKS = auto()
    BID = auto()


class IllegalPlay(Option):
    """What becomes of a card that does not follow suit."""

    REFUSE = auto()
    RENEGE = auto()
