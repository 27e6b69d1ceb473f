"""Scoring: what a hand brings, and who has won the match with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.bits import BIT, left
from buck_env.game.options import Tie, Walkover
from buck_env.game.table import NONE, Phase

__all__ = ["charge", "finish", "score", "walk_over", "winners"]


@kernel
def charge(table: Any, rules: Any, seat: int, points: int) -> None:
    """Points toward the target."""
    table.deltas[seat] += rules.toward * points
    table.scores[seat] += rules.toward * points


@kernel
def walk_over(table: Any, rules: Any) -> None:
    """All others dropped."""
    if rules.walkover == Walkover.TRICKS:
        table.tricks[table.maker] = 5
        points = 5  # five tricks, whatever was bid
    elif rules.walkover == Walkover.POINTS:
        points = rules.walkover_points
    else:
        points = 0
    for seat in range(rules.seats):
        charge(table, rules, seat, points if seat == table.maker else rules.drop_points)
    _settle(table, rules)


@kernel
def score(table: Any, rules: Any) -> None:
    """A trick is a point; too few of them are the penalty instead, once; a renege has been charged."""
    for seat in range(rules.seats):
        if table.dropped & BIT[seat]:
            charge(table, rules, seat, rules.drop_points)
        elif not table.reneged & BIT[seat]:
            made = table.tricks[seat] >= (table.contract if seat == table.maker else rules.stayer_needs)
            penalty = rules.maker_penalty if seat == table.maker else rules.stayer_penalty
            charge(table, rules, seat, table.tricks[seat] if made else -penalty)
    _settle(table, rules)


@kernel
def _settle(table: Any, rules: Any) -> None:
    table.hands_played += 1
    table.winners = winners(table.scores, table.tricks, rules, table.hands_played, table.dealer)
    finish(table)


@kernel
def finish(table: Any) -> None:
    table.phase = Phase.OVER
    table.seat = NONE


@kernel
def winners(scores: Any, tricks: Any, rules: Any, hands_played: int, dealer: int) -> int:
    """The seats that have won the match, a bit each; 0 while it goes on."""
    for seat in range(rules.seats):
        if rules.sweep_wins and tricks[seat] == 5:
            return BIT[seat]  # a sweep beats every total
    best = rules.toward * scores[0]
    for seat in range(1, rules.seats):
        best = max(best, rules.toward * scores[seat])
    ended = hands_played >= rules.hands if rules.hands else False
    if not rules.hands or rules.target_in_hands:
        ended = ended or best >= rules.toward * rules.target
    if not ended:
        return 0
    first = NONE
    ahead = np.int64(0)
    for steps in range(1, rules.seats + 1):
        seat = left(dealer, rules, steps)
        if rules.toward * scores[seat] == best:
            ahead |= BIT[seat]
            if first == NONE:
                first = seat
    if ahead != BIT[first] and rules.tie == Tie.PLAY_ON:
        return 0
    if rules.tie == Tie.ELDEST:
        return BIT[first]
    return ahead  # equal totals share
