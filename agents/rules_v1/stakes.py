"""What tricks are worth: the scoring of a hand, and the score of the match around it."""

from __future__ import annotations

from typing import Any, Final

from buck_env.base.compiled import kernel
from buck_env.game.scoring import played_points

__all__ = ["CAUTION", "FAR", "NUM_STAKES", "SWEEP", "weigh_stakes", "worth"]

FAR, CAUTION, SWEEP = range(3)
"""Points that this seat still needs; the weight of a penalty; what a sweep is worth beside its tricks."""
NUM_STAKES: Final = 3

NEVER: Final = 1000.0
CLOSE: Final = 3
"""A rival who needs no more than this may well win with the next hand."""
DESPERATE: Final = 0.5
"""How much less a penalty weighs at most for a seat that is about to lose anyway."""
GOING_OUT: Final = 2.0
"""The worth of reaching the target, beside the points."""
SWEEP_WINS: Final = 2.0
"""The worth of winning the match by a sweep, in a hand that may be any of the match."""


@kernel
def weigh_stakes(table: Any, rules: Any, seat: int, stakes: Any) -> None:
    """The stakes of one seat, a float each."""
    far = rules.toward * (rules.target - table.scores[seat])
    rival = far
    for other in range(rules.seats):
        if other != seat:
            rival = min(rival, rules.toward * (rules.target - table.scores[other]))
    by_target = not rules.hands or rules.target_in_hands
    stakes[FAR] = max(far, 1) if by_target else NEVER
    stakes[CAUTION] = 1.0
    if by_target and rival <= CLOSE and far > rival:
        stakes[CAUTION] = 1.0 - DESPERATE * (CLOSE + 1 - max(rival, 1)) / CLOSE
    stakes[SWEEP] = SWEEP_WINS if rules.sweep_wins else 0.0


@kernel
def worth(rules: Any, makes: bool, needs: int, tricks: int, stakes: Any) -> float:
    """What so many tricks are worth to a seat that needs some, the maker or another."""
    scored = played_points(rules, makes, needs, tricks)
    if tricks < needs:
        return scored * stakes[CAUTION]
    value = float(scored)
    if tricks == 5:
        value += stakes[SWEEP]
    if scored >= stakes[FAR]:
        value += GOING_OUT
    return value
