"""The cards that lie beside the hands, in groups with a name."""

from __future__ import annotations

from typing import NamedTuple

from buck_env.drawing.shown import Shown
from buck_env.game.facts import BUCK, WIDOW
from buck_env.game.options import Exchange, Making

__all__ = ["Group", "beside"]


class Group(NamedTuple):
    """Cards that lie beside the hands; `gone` where a hand has since taken them up."""

    name: str
    cards: list[int]
    gone: bool = False


def beside(shown: Shown) -> list[Group]:
    """The groups that have cards: what was turned or taken up, what is not used, and the dealer's discards."""
    rules, rest = shown.rules, shown.rest
    if rules.making is Making.ORDER:
        state = " taken up" if shown.upcard_taken else " turned down" if shown.turned_down else ""
        groups = [Group(f"upcard{state}", rest[:1], shown.upcard_taken), Group("unused", rest[1:])]
    elif rules.making is Making.DEALER:
        groups = [Group("buck taken up", rest[:BUCK], True), Group("unused", rest[BUCK:])]
    elif rules.turn_up:
        groups = [Group("turned", rest[:1]), Group("blind", rest[1:])]
    elif rules.exchange is not Exchange.NONE:
        laid = _laid(shown)
        groups = [Group("widow taken up" if laid else "widow", rest[:WIDOW], bool(laid)), *laid]
        groups.append(Group("unused", rest[WIDOW:]))
    else:
        groups = [Group("unused", rest)]
    groups.append(Group("discards" if shown.took > 1 else "discard", shown.discards))
    return [group for group in groups if group.cards]


def _laid(shown: Shown) -> list[Group]:
    """The hands laid down in an exchange; each taker but the first took the one before."""
    takers = [seat for seat in shown.exchange_order if shown.exchanged >> seat & 1]
    return [Group(f"laid down by {seat}", shown.laid(seat), seat != takers[-1]) for seat in takers]
