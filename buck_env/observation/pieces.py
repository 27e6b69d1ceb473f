"""The pieces of an observation: each is declared once, here, and what is known of a piece follows from its declaration.

Its place, its augmentation by suits, the scale of a network's inputs, the entries that some rules leave at 0 and the
text of a bundle are all derived from `PIECES`. A new piece needs its declaration here, its writer in `encode`, and the
next `OBSERVATION_VERSION`.

Seats are relative to the viewer: 0 is the viewer itself, 1 its left neighbour, and so on; in games of three the fourth
place stays 0. Cards are ``6 * suit + rank``, suits ``C D H S``, ranks ``9 T J Q K A``. Every entry is 0 or 1 unless a
piece says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Literal, NamedTuple

import numpy as np

from buck_env.game.options import PHASES, AllPass, Exchange, IllegalPlay, Making
from buck_env.game.rules import Rules

__all__ = ["CARDS", "PIECES", "SEATS", "SUITS", "TRUMPS", "Axis", "Piece", "usable"]


class Axis(NamedTuple):
    """What one axis of a piece runs over: seats from the viewer on, cards, suits, or a number of other things."""

    kind: Literal["seats", "cards", "suits", "number"]
    size: int


SEATS = Axis("seats", 4)
CARDS = Axis("cards", 24)
SUITS = Axis("suits", 4)
TRUMPS = Axis("suits", 5)  # no-trump comes last
ONE = Axis("number", 1)
TRICKS = Axis("number", 5)
BIDS = Axis("number", 8)


class Piece(NamedTuple):
    """One piece of the observation."""

    name: str
    axes: tuple[Axis, ...]
    """What its entries stand for, axis by axis."""
    meaning: str
    """What an entry says, in words."""
    low: int = 0
    """The smallest and"""
    high: int = 1
    """the largest value of an entry."""
    scale: float = 1.0
    """What a network multiplies its entries by."""
    of_match: bool = False
    """Whether it is about the match alone: a network that plays for the points of a hand does not see it."""
    use: Callable[[Rules], bool | Sequence[bool]] = lambda rules: True
    """Whether some rules can light it: one answer, or one for each place along the first axis."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of its axes."""
        return tuple(axis.size for axis in self.axes)

    @property
    def size(self) -> int:
        """The number of its entries."""
        return prod(self.shape)


PIECES = (
    Piece(
        "phase",
        (Axis("number", 8),),
        f"the phase: {', '.join(PHASES)}; all 0 when the hand is over",
        use=lambda rules: [phase in rules.phases for phase in PHASES],
    ),
    Piece("actor", (SEATS,), "the seat to act; all 0 when the hand is over"),
    Piece("dealer", (SEATS,), "the dealer"),
    Piece(
        "maker",
        (SEATS,),
        "the maker; in the auction the standing bidder",
        use=lambda rules: rules.making is not Making.DEALER,
    ),
    Piece(
        "passed",
        (Axis("number", 3), SEATS),
        "who passed in order, in call, and in the auction since the last bid",
        use=lambda rules: [rules.making is making for making in (Making.ORDER, Making.ORDER, Making.BID)],
    ),
    Piece("exchanged", (SEATS,), "who exchanged", use=lambda rules: rules.exchange is not Exchange.NONE),
    Piece("kept", (SEATS,), "who kept", use=lambda rules: rules.exchange is not Exchange.NONE),
    Piece("stayed", (SEATS,), "who stayed", use=lambda rules: rules.may_drop),
    Piece("dropped", (SEATS,), "who dropped", use=lambda rules: rules.may_drop),
    Piece("reneged", (SEATS,), "who reneged", use=lambda rules: rules.illegal_play is IllegalPlay.RENEGE),
    Piece("leaders", (TRICKS, SEATS), "who led each trick"),
    Piece("bids", (BIDS, SEATS), "who bid 1..8", use=lambda rules: rules.making is Making.BID),
    Piece(
        "contract",
        (BIDS,),
        "tricks the maker undertakes, or the standing bid: 1..8",
        use=lambda rules: rules.making is not Making.DEALER,
    ),
    Piece(
        "scores",
        (SEATS,),
        "points still to go to the target, by seat, clipped to -128..127",
        low=-128,
        high=127,
        scale=1 / 16,
        of_match=True,
    ),
    Piece("led", (SUITS,), "the suit led to the trick in progress, the left bower's being trump"),
    Piece("tricks", (SEATS, TRICKS), "tricks taken, by seat: 1..5"),
    Piece("trump", (TRUMPS,), "trump: C D H S NT; all 0 before it is made"),
    Piece(
        "no_maker",
        (ONE,),
        "trump is made and nobody undertakes anything",
        use=lambda rules: rules.making is Making.DEALER or rules.forced_clubs or rules.all_pass is AllPass.NO_TRUMP,
    ),
    Piece("trick_number", (TRICKS,), "the trick in progress, first to fifth"),
    Piece(
        "hands_left",
        (ONE,),
        "hands still to score where a match has a number of them, clipped to 127; else 0",
        high=127,
        scale=1 / 16,
        of_match=True,
        use=lambda rules: rules.hands is not None,
    ),
    Piece("hand", (CARDS,), "the viewer's cards"),
    Piece(
        "taken",
        (CARDS,),
        "cards the viewer took up: the buck, the upcard, the widow or a hand laid down",
        use=lambda rules: rules.exchange is not Exchange.NONE or "discard" in rules.phases,
    ),
    Piece(
        "discards",
        (CARDS,),
        "the viewer's discards, 1 for the first to 4 for the fourth",
        high=4,
        use=lambda rules: "discard" in rules.phases,
    ),
    Piece(
        "laid",
        (CARDS,),
        "the hand the viewer laid down in an exchange",
        use=lambda rules: rules.exchange is not Exchange.NONE,
    ),
    Piece(
        "upcard",
        (CARDS,),
        "the turned card, also after it is turned down or taken up",
        use=lambda rules: rules.turn_up,
    ),
    Piece("trick", (CARDS,), "the cards of the trick in progress"),
    Piece("played_by", (SEATS, CARDS), "every card played, by seat"),
    Piece("played_in", (TRICKS, CARDS), "every card played, by trick"),
)
"""The pieces in order."""


def usable(piece: Piece, rules: Rules) -> np.ndarray:
    """Which entries of a piece can be other than 0 under some rules: bool, of the piece's shape."""
    seated = np.zeros(piece.shape, np.bool_)
    seated[np.ix_(*(range(rules.seats if axis.kind == "seats" else axis.size) for axis in piece.axes))] = True
    of_first_axis = np.reshape(piece.use(rules), (-1,) + (1,) * (len(piece.axes) - 1))
    return seated & of_first_axis
