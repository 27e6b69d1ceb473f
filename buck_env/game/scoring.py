"""Scoring: the points that a hand brings, and who has won the match with it. Nothing here changes a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.bits import BIT, count, left
from buck_env.game.facts import needs
from buck_env.game.options import IllegalPlay, MadeContract, Tie, Walkover
from buck_env.game.rules import Rules
from buck_env.game.table import NONE

__all__ = ["played_points", "points", "walked_over", "winners", "worst_points"]


@kernel
def points(table: Any, rules: Any, seat: int) -> int:
    """A seat's points toward the target for a hand that was scored (RULES §10.2, §11.1, §11.3 to §11.6)."""
    makes = seat == table.maker
    if table.reneged & BIT[seat]:
        return -np.int64(rules.renege_penalty)
    if table.dropped & BIT[seat]:
        return np.int64(rules.drop_points)
    if walked_over(table, rules):
        if rules.walkover == Walkover.POINTS.value:
            return np.int64(rules.walkover_points)
        return _made_points(rules, makes, table.contract, table.tricks[seat])
    return played_points(rules, makes, needs(table, rules, seat), table.tricks[seat])


@kernel
def walked_over(table: Any, rules: Any) -> bool:
    """Whether all others have left the maker alone (RULES §8.6)."""
    return count(table.dropped) == rules.seats - 1


@kernel
def played_points(rules: Any, makes: bool, needed: int, tricks: int) -> int:
    """What its tricks bring to a seat that played and needed so many, the maker or another (RULES §11.3, §11.4)."""
    if tricks < needed:
        return -np.int64(rules.maker_penalty if makes else rules.stayer_penalty)
    return _made_points(rules, makes, needed, tricks)


@kernel
def _made_points(rules: Any, makes: bool, contract: int, tricks: int) -> int:
    """What tricks bring to a seat that took enough of them (RULES §11.3, §11.7)."""
    if makes and rules.made_contract == MadeContract.BID.value:
        return min(np.int64(contract), np.int64(tricks))
    return np.int64(tricks)


def worst_points(rules: Rules) -> int:
    """The fewest points toward the target that a hand can bring a seat; below 0 in every sensible house."""
    costs = [rules.maker_penalty, rules.stayer_penalty, -rules.drop_points]
    if rules.illegal_play is IllegalPlay.RENEGE:
        costs.append(rules.renege_penalty)
    if rules.walkover is Walkover.POINTS:
        costs.append(-rules.walkover_points)
    return -max(costs)


@kernel
def winners(table: Any, rules: Any) -> int:
    """The seats that have won the match with a hand whose points are paid, a bit each; 0 while it goes on.

    RULES §12.1 to §12.5.
    """
    for seat in range(rules.seats):
        if rules.sweep_wins and table.tricks[seat] == 5:
            return BIT[seat]  # a sweep beats every total
    best = rules.toward * table.scores[0]
    for seat in range(1, rules.seats):
        best = max(best, rules.toward * table.scores[seat])
    ended = table.hands_played >= rules.hands if rules.hands else False
    if not rules.hands or rules.target_in_hands:
        ended = ended or best >= rules.toward * rules.target
    if not ended:
        return 0
    first = NONE
    ahead = np.int64(0)
    for steps in range(1, rules.seats + 1):
        seat = left(table.dealer, rules, steps)
        if rules.toward * table.scores[seat] == best:
            ahead |= BIT[seat]
            if first == NONE:
                first = seat
    if ahead != BIT[first] and rules.tie == Tie.PLAY_ON.value:
        return 0
    if rules.tie == Tie.ELDEST.value:
        return BIT[first]
    return ahead  # equal totals share
