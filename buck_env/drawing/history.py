"""What was decided before the play, as the table still shows it."""

from __future__ import annotations

from buck_env.drawing.shown import Shown
from buck_env.drawing.words import TRUMP_WORDS
from buck_env.game.options import BidCircuits, Making
from buck_env.game.table import IN_AUCTION, IN_CALL, IN_ORDER, NONE

__all__ = ["history"]


def history(shown: Shown) -> list[tuple[str, list[str]]]:
    """Each round's name, and ``seat action`` in order, as in ``("order", ["1 pass", "2 order"])``.

    Where an auction goes round more than once, the passes before the last bid are not part of the table.
    """
    exchange = _said(shown.exchange_order, (shown.exchanged, "exchange"), (shown.kept, "keep"))
    around = shown.clockwise(shown.dealer + 1)
    order, call = (_said(around, (shown.passed[place], "pass")) for place in (IN_ORDER, IN_CALL))
    name: list[str] = []
    namer = shown.dealer if shown.rules.making is Making.DEALER else shown.maker
    if shown.trump != NONE and namer != NONE:
        named = f"{namer} name {TRUMP_WORDS[shown.trump]}"
        if shown.rules.making is not Making.ORDER:
            name = [named]
        elif shown.turned_down:
            call.append(named)
        else:
            order.append(f"{namer} order")
    stay = _said(shown.stay_order, (shown.stayed, "stay"), (shown.dropped, "drop"))
    rounds = {"exchange": exchange, "order": order, "call": call, "bid": _auction(shown), "name": name, "stay": stay}
    return [(word, said) for word, said in rounds.items() if said]


def _auction(shown: Shown) -> list[str]:
    """The bids in order, and the passes among them, or since the last where it goes round more than once."""
    passed = shown.passed[IN_AUCTION]
    bidders = enumerate(shown.table.bidders.tolist(), 1)
    bids = [(seat, f"bid {tricks}") for tricks, seat in bidders if seat != NONE]
    if shown.rules.bid_circuits is BidCircuits.ONE:
        around = shown.clockwise(shown.dealer + 1)
        return _said(around, *((1 << seat, bid) for seat, bid in bids), (passed, "pass"))
    last = shown.maker if bids else shown.dealer
    return [f"{seat} {bid}" for seat, bid in bids] + _said(shown.clockwise(last + 1), (passed, "pass"))


def _said(seats: list[int], *sayings: tuple[int, str]) -> list[str]:
    """What seats said, in their order: each saying with the set of seats that said it."""
    return [f"{seat} {saying}" for seat in seats for sayers, saying in sayings if sayers >> seat & 1]
