"""Staying and dropping: every seat but the maker, and the walkover of a maker whom all leave."""

from __future__ import annotations

from typing import Any

from buck_env.base.compiled import kernel
from buck_env.game.actions import DROP, STAY
from buck_env.game.bits import BIT, left
from buck_env.game.facts import stay_begins, upcard_taken
from buck_env.game.options import Discard, Phase, Walkover
from buck_env.game.playing import open_play
from buck_env.game.scoring import walked_over

__all__ = ["apply_stay", "legal_stay", "open_stay"]


@kernel
def open_stay(table: Any, rules: Any) -> None:
    """The stay round begins at the left of the maker, or of the dealer (RULES §8.1, §8.2)."""
    if not rules.may_drop:
        _close_stay(table, rules)
        return
    table.phase = Phase.STAY
    table.seat = stay_begins(table, rules)
    if table.seat == table.maker:
        table.seat = left(table.seat, rules, 1)


@kernel
def legal_stay(table: Any, rules: Any) -> int:
    """Stay or drop; a low score binds a seat to stay (RULES §8.3, §8.4)."""
    if table.scores[table.seat] <= rules.forced_stay:
        return BIT[STAY]
    return BIT[STAY] | BIT[DROP]


@kernel
def apply_stay(table: Any, rules: Any, action: int) -> None:
    """A seat stays, or drops and plays no card (RULES §8.1, §8.5)."""
    seat = table.seat
    if action == DROP:
        table.dropped |= BIT[seat]
    else:
        table.stayed |= BIT[seat]
    seat = left(seat, rules, 1)
    if seat == table.maker:
        seat = left(seat, rules, 1)
    if (table.stayed | table.dropped) & BIT[seat]:
        _close_stay(table, rules)
    else:
        table.seat = seat


@kernel
def _close_stay(table: Any, rules: Any) -> None:
    """All others dropped: a walkover. Else a dealer may still have to discard (RULES §7.2, §8.6)."""
    if walked_over(table, rules):
        if rules.walkover == Walkover.TRICKS.value:
            table.tricks[table.maker] = 5
        table.phase = Phase.OVER
        return
    late = rules.discard == Discard.AFTER_STAY.value and not table.dropped & BIT[table.dealer]
    if late and upcard_taken(table, rules):
        table.seat = table.dealer
        table.phase = Phase.DISCARD
    else:
        open_play(table, rules)
