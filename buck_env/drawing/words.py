"""What is said about a table in words: which game it is, who decides what, who made trump, each seat's part."""

from __future__ import annotations

from buck_env.drawing.shown import Shown
from buck_env.game.cards import NO_TRUMP
from buck_env.game.options import Making, Phase
from buck_env.game.table import IN_AUCTION, IN_CALL, IN_ORDER, NONE

__all__ = ["TRUMP_WORDS", "change", "making", "part", "prompt", "title"]

TRUMP_WORDS = ("clubs", "diamonds", "hearts", "spades", "no-trump")


def title(shown: Shown) -> str:
    """Which game it is, how far it is, and where the scores run; a match of so many hands may ignore the target."""
    rules = shown.rules
    number = int(shown.table.hands_played) + (not shown.scored)
    of = f" of {rules.hands}" if rules.hands else ""
    house = ", house rules" if rules.differences() else ""
    way = "up" if rules.toward > 0 else "down"
    to = f" to {rules.target}" if not rules.hands or rules.target_in_hands else ""
    return f"{rules.base}{house} · hand {number}{of} · {rules.start} {way}{to}"


def prompt(shown: Shown) -> str:
    """What the seat to act decides, or how the hand ended."""
    if shown.phase is Phase.OVER:
        if shown.redeal:
            return "redeal: nobody made trump"
        won = [str(seat) for seat in shown.winners]
        if len(won) > 1:
            return f"match shared by seats {', '.join(won[:-1])} and {won[-1]}"
        return f"match won by seat {won[0]}" if won else "hand over"
    leads = shown.phase is Phase.PLAY and (not shown.tricks or shown.tricks[-1].over)
    decides = {
        Phase.EXCHANGE: "exchange or keep",
        Phase.ORDER: "order or pass",
        Phase.CALL: "name trump or pass",
        Phase.BID: "bid or pass",
        Phase.DISCARD: "discard" + (f" {len(shown.discards) + 1} of {shown.took}" if shown.took > 1 else ""),
        Phase.NAME: "name trump",
        Phase.STAY: "stay or drop",
        Phase.PLAY: f"lead to trick {shown.trick + 1}" if leads else "play",
    }
    return f"seat {shown.seat} to {decides[shown.phase]}"


def making(shown: Shown) -> str:
    """Who made trump and undertakes what, or how far that is."""
    if shown.maker != NONE:
        return f"seat {shown.maker} {'bids' if shown.trump == NONE else 'needs'} {shown.contract}"
    if shown.trump == NONE:
        return "nobody made it" if shown.redeal else "not made yet"
    if shown.rules.making is Making.DEALER:
        return "named by the dealer"
    return "all passed, no maker" if shown.trump == NO_TRUMP else "club turned, no maker"


def change(shown: Shown, seat: int) -> str:
    """What the hand changed in a seat's score."""
    return f"{shown.deltas[seat]:+d}" if shown.deltas[seat] else "0"


def part(shown: Shown, seat: int) -> str:
    """A seat's part in the hand, in one or two words."""
    if shown.phase is Phase.EXCHANGE:
        return "exchanged" if shown.exchanged >> seat & 1 else "kept" if shown.kept >> seat & 1 else ""
    if seat == shown.maker and shown.trump == NONE:
        return f"bid {shown.contract}"
    for seats, word in (
        (shown.reneged, "reneged"),
        (shown.dropped, "dropped"),
        (1 << shown.maker if shown.maker != NONE else 0, "maker"),
        (shown.stayed, "stayed"),
    ):
        if seats >> seat & 1:
            return word
    place = {Phase.ORDER: IN_ORDER, Phase.CALL: IN_CALL, Phase.BID: IN_AUCTION}.get(shown.phase)
    return "passed" if place is not None and shown.passed[place] >> seat & 1 else ""
