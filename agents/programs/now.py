"""The table at one decision in plain facts, for a simple program that keeps no account of the hand."""

from __future__ import annotations

from typing import TypedDict

from buck_env.game.cards import CARDS, TRUMPS, cards_in
from buck_env.game.options import Phase
from buck_env.game.table import CARD, NONE, SEAT_SHIFT
from buck_env.observation.views import Views

__all__ = ["Now", "Played", "now_of"]


class Played(TypedDict):
    """A card in the trick in progress."""

    seat: int
    card: str


class Now(TypedDict):
    """What lies before the seat to act. All of it follows from the seat's view."""

    hand: list[str]
    """The cards that the seat holds, in the order of the pack."""
    trump: str | None
    """C, D, H, S or NT; None before it is made."""
    maker: int | None
    """The seat that made trump, in an auction the one with the standing bid; None before there is one."""
    contract: int | None
    """The tricks that the maker undertakes; None where there is no maker."""
    playing: list[int]
    """The seats that have neither dropped nor reneged."""
    leader: int | None
    """The seat that leads, or led, the trick in progress; None before the play."""
    trick: list[Played]
    """The cards of the trick in progress, in their order."""
    tricks: list[int]
    """The tricks taken by each seat."""


def now_of(views: Views, row: int) -> Now:
    """The table of one of B decisions, as its seat sees it."""
    table, seats = views.tables[row], range(views.rules.seats)
    out = int(table["dropped"] | table["reneged"])
    maker, trump, begin = int(table["maker"]), int(table["trump"]), int(table["starts"][table["trick"]])
    plays = table["plays"][begin : table["played"]].tolist() if table["phase"] == Phase.PLAY and begin != NONE else []
    trick: list[Played] = [{"seat": play >> SEAT_SHIFT, "card": CARDS[play & CARD]} for play in plays]
    leader = trick[0]["seat"] if trick else int(table["seat"])
    return {
        "hand": [CARDS[card] for card in cards_in(table["hand"][views.seats[row]])],
        "trump": None if trump == NONE else TRUMPS[trump],
        "maker": None if maker == NONE else maker,
        "contract": None if maker == NONE else int(table["contract"]),
        "playing": [seat for seat in seats if not out >> seat & 1],
        "leader": leader if table["phase"] == Phase.PLAY else None,
        "trick": trick,
        "tricks": table["tricks"][: len(seats)].tolist(),
    }
