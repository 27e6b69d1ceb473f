"""One table as one numpy record: N tables are one array, a copy is an assignment."""

from __future__ import annotations

from typing import Final

import numpy as np

__all__ = [
    "CARD",
    "HIDDEN",
    "IN_AUCTION",
    "IN_CALL",
    "IN_ORDER",
    "LOG",
    "LONGEST_HAND",
    "NONE",
    "SEAT_SHIFT",
    "TABLE",
    "make_tables",
]


NONE: Final = -1
"""No such seat, card, trump or trick."""
HIDDEN: Final = -2
"""A card that exists but is not known, in a table as one seat sees it."""

CARD: Final = 31
SEAT_SHIFT: Final = 5
"""A play is ``32 * seat + card``."""
IN_ORDER, IN_CALL, IN_AUCTION = range(3)
"""The places of `TABLE`'s `passed`."""

TABLE = np.dtype(
    (
        np.record,
        [
            ("scores", "i4", 4),  # points of the match, hand in progress apart (a renege is charged at once)
            ("hand", "u4", 4),  # cards held, a mask a seat
            ("laid", "u4", 4),  # the hand a seat laid down in an exchange, a mask; 0 none
            ("hands_played", "u4"),  # scored hands of the match before this one
            ("rest", "i1", 9),  # cards beside the hands, top first; NONE past the end
            ("discards", "i1", 4),  # the dealer's discards in order; NONE not made
            ("plays", "i1", 20),  # cards played, in order: 32 * seat + card
            ("played", "i1"),  # how many
            ("starts", "i1", 6),  # the place in `plays` where each trick begins; NONE not begun
            ("tricks", "i1", 4),  # tricks taken, by seat
            ("deltas", "i1", 4),  # score change by this hand, by seat
            ("bidders", "i1", 8),  # seat that bid 1..8; NONE nobody
            ("phase", "i1"),  # Phase
            ("seat", "i1"),  # seat to act; NONE when the hand is over
            ("dealer", "i1"),
            ("maker", "i1"),  # in the auction the standing bidder; NONE nobody
            ("trump", "i1"),  # C D H S NT as 0..4; NONE not made, and after a redeal
            ("contract", "i1"),  # tricks the maker undertakes; 0 nobody
            ("passed", "i1", 3),  # seats that passed, a bit each: in order, in call, in the auction since the last bid
            ("exchanged", "i1"),  # seats that exchanged, a bit each
            ("kept", "i1"),  # seats that kept
            ("stayed", "i1"),  # seats that stayed
            ("dropped", "i1"),  # seats that dropped
            ("reneged", "i1"),  # seats that reneged
            ("trick", "i1"),  # trick in progress, 0..4; 5 after the last
            ("winners", "i1"),  # seats that won the match with this hand, a bit each
        ],
    )
)
"""The state of one table, 124 bytes. Everything else about a hand follows from it and the rules."""

LONGEST_HAND: Final = 72
"""No hand has more decisions: an auction of four seats takes at most 29, then come a name, 3 stays and 20 plays."""

LOG = np.dtype(
    (
        np.record,
        [
            ("seed", "u8"),  # the table's seed; with `number` it deals the hand again
            ("number", "i8"),  # deals of this seed before this one
            ("scores", "i4", 4),  # at the start of the hand
            ("hands_played", "u4"),  # at the start of the hand
            ("steps", "i4"),  # decisions taken
            ("pack", "i1", 24),  # hands of seat 0, 1, ... then the rest, as `deal` takes it
            ("actions", "i1", LONGEST_HAND),
            ("dealer", "i1"),
            ("_pad", "i1", 7),
        ],
    )
)
"""What a hand was dealt and what was done in it, 144 bytes: enough to replay it."""


def make_tables(n: int) -> np.ndarray:
    """N empty tables: an array of `TABLE`, shape (N,)."""
    return np.zeros(n, TABLE)
