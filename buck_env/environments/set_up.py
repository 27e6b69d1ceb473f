"""A hand that somebody sets up: a deal in which what they name stands in place of what was dealt."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from buck_env.game.cards import CARDS, card_id
from buck_env.game.rules import Rules
from buck_env.records.deals import check_place, pack_of

__all__ = ["set_up_log"]


def set_up_log(
    dealt: np.ndarray,
    rules: Rules,
    hands: Sequence[Sequence[str]] | None,
    rest: Sequence[str] | None,
    dealer: int | None,
    scores: Sequence[int] | None,
) -> np.ndarray:
    """The log of a deal, shape (1,), with the named things, in record notation, in place of those that were dealt.

    RecordError names what is impossible.
    """
    log = dealt.copy()
    dealer, scores = check_place(
        rules,
        int(log["dealer"][0]) if dealer is None else dealer,
        log["scores"][0, : rules.seats].tolist() if scores is None else scores,
        "options",
    )
    if hands is not None or rest is not None:
        pack = [CARDS[card] for card in log["pack"][0]]
        if hands is None:
            hands = [pack[5 * seat : 5 * seat + 5] for seat in range(rules.seats)]
        if rest is None:
            rest = _what_is_left(pack, hands)
        log["pack"][0] = pack_of(rules, hands, rest, "options")
    log["dealer"] = dealer
    log["scores"][0, : rules.seats] = scores
    return log


def _what_is_left(pack: list[str], hands: Sequence[Sequence[str]]) -> list[str]:
    """The cards that no hand holds, in the order of the pack."""
    held = set()
    for hand in hands if isinstance(hands, list | tuple) else ():
        for text in hand if isinstance(hand, list | tuple) else ():
            with suppress(ValueError):  # pack_of names it
                held.add(CARDS[card_id(text)])
    return [card for card in pack if card not in held]
