"""Other hands that look the same to a seat: the unseen cards are dealt again, and the same decisions taken."""

from __future__ import annotations

import numpy as np

from buck_env.game.options import Phase
from buck_env.openspiel.position import Position
from buck_env.openspiel.unseen import Unseen

__all__ = ["resampled"]


def resampled(position: Position, seat: int, rng: np.random.Generator) -> list[int]:
    """The outcomes of chance and the actions that lead to a hand that looks the same to a seat, drawn evenly.

    Nothing before the deal is done, when no seat has seen anything.
    """
    if position.table is None:
        return []
    seen = position.seen(seat)
    while True:  # once; but in a cut game cards are not free, and a deal may contradict what was seen
        if position.cut.deals:
            outcomes, discards = [int(rng.integers(position.cut.deals))], None
        else:
            outcomes, discards = Unseen(position, seat).dealt_again(rng)
        other = Position(position.rules, position.cut)
        for outcome in outcomes:
            other.draw(outcome)
        actions = _taken_again(position, other, seat, discards, rng)
        if other.seen(seat) == seen:
            return [*outcomes, *actions]


def _taken_again(
    position: Position, other: Position, seat: int, discards: list[int] | None, rng: np.random.Generator
) -> list[int]:
    """Take the decisions of a hand in another deal as far as they are legal there, with other discards where the seat
    does not see them: those given, or any."""
    actions: list[int] = []
    while len(other.steps) < len(position.steps):
        deciding, phase, action = position.steps[len(other.steps)]
        legal = other.legal()
        if phase == Phase.DISCARD and deciding != seat and legal:
            action = discards.pop(0) if discards is not None else int(rng.choice(legal))
        if action not in legal:
            break
        other.take(action)
        actions.append(action)
    return actions
